//! Noise, and the ratio that decides.

/// Boltzmann's constant, J/K (exact, SI 2019).
const BOLTZMANN: f64 = 1.380_649e-23;

/// The temperature of noise figures, K.
pub const STANDARD_TEMPERATURE_K: f64 = 290.0;

/// Noise of a receiver, W: k T B and its own noise, at 290 K.
pub fn noise_w(bandwidth_hz: f64, noise_figure_db: f64) -> f64 {
    BOLTZMANN * STANDARD_TEMPERATURE_K * bandwidth_hz * ratio_from_db(noise_figure_db)
}

/// Signal over interference and noise, a ratio.
pub fn sinr(signal_w: f64, interference_w: f64, noise_w: f64) -> f64 {
    signal_w / (interference_w + noise_w)
}

/// A ratio from decibels; exact powers of ten from tens.
pub fn ratio_from_db(db: f64) -> f64 {
    libm::pow(10.0, db / 10.0)
}

/// Steps of [`ROOTS`] in an octave.
const STEPS: usize = 32;

/// The powers of two at 0, 1/32, ..., 31/32.
const ROOTS: [f64; STEPS] = {
    let mut roots = [1.0; STEPS];
    let mut i = 1;
    while i < STEPS {
        roots[i] = roots[i - 1] * 1.021_897_148_654_116_7;
        i += 1;
    }
    roots
};

/// A random ratio from decibels (at most 3,000 either way), to a few parts in 1e14: shadowing asks for each frame and receiver,
/// and `libm::pow` takes ten times as long.
#[inline]
pub fn random_ratio_from_db(db: f64) -> f64 {
    /// Added to a number of up to 51 bits and taken off again, it leaves the nearest whole number.
    const WHOLE: f64 = 1.5 * (1_u64 << 52) as f64;
    let steps = db.clamp(-3000.0, 3000.0) * (STEPS as f64 * std::f64::consts::LOG2_10 / 10.0);
    let whole = (steps + WHOLE) - WHOLE;
    let place = whole as i32;
    // The exponential series: the argument is at most ln 2 / 64.
    let y = (steps - whole) * (std::f64::consts::LN_2 / STEPS as f64);
    let rest = 1.0 + y * (1.0 + y * (1.0 / 2.0 + y * (1.0 / 6.0 + y * (1.0 / 24.0 + y / 120.0))));
    let octave = f64::from_bits(((1023 + place.div_euclid(STEPS as i32)) as u64) << 52);
    octave * ROOTS[place.rem_euclid(STEPS as i32) as usize] * rest
}

/// Decibels from a ratio; minus infinity from zero.
pub fn db_from_ratio(ratio: f64) -> f64 {
    10.0 * libm::log10(ratio)
}

/// Watts from dBm.
pub fn w_from_dbm(dbm: f64) -> f64 {
    ratio_from_db(dbm) * 1e-3
}

/// dBm from watts.
pub fn dbm_from_w(w: f64) -> f64 {
    db_from_ratio(w * 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ns-3's receiver: 22 MHz with a noise figure of 7 dB has -93.5522786 dBm, from a k of 1.3803e-23 J/K.
    #[test]
    fn a_receiver_of_22_mhz_has_94_dbm_of_noise() {
        assert!((dbm_from_w(noise_w(22e6, 7.0)) - -93.552_278_6).abs() < 2e-3);
        assert!((sinr(4.0, 1.0, 1.0) - 2.0).abs() < 1e-15);
    }

    #[test]
    fn decibels_and_back() {
        assert!((db_from_ratio(ratio_from_db(-37.5)) + 37.5).abs() < 1e-12);
        assert!((dbm_from_w(w_from_dbm(20.0)) - 20.0).abs() < 1e-12);
        assert_eq!(db_from_ratio(0.0), f64::NEG_INFINITY);
    }

    #[test]
    fn a_random_ratio_is_the_ratio_to_a_few_parts_in_1e14() {
        for step in -300_000..=300_000 {
            let db = f64::from(step) * 1e-3 + 1e-4;
            let (got, expected) = (random_ratio_from_db(db), ratio_from_db(db));
            assert!((got / expected - 1.0).abs() < 5e-14, "{db} dB: {got} {expected}");
        }
        assert_eq!(random_ratio_from_db(0.0), 1.0);
        assert!(random_ratio_from_db(f64::INFINITY).is_finite());
    }
}
