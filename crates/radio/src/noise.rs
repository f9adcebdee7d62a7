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

/// A random ratio from decibels, to a few parts in 1e15: `exp` takes a third of the time of `pow`, and shadowing asks for
/// each frame and receiver.
pub fn random_ratio_from_db(db: f64) -> f64 {
    libm::exp(db * (std::f64::consts::LN_10 / 10.0))
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
        assert!((random_ratio_from_db(-37.5) / ratio_from_db(-37.5) - 1.0).abs() < 1e-14);
        assert!((dbm_from_w(w_from_dbm(20.0)) - 20.0).abs() < 1e-12);
        assert_eq!(db_from_ratio(0.0), f64::NEG_INFINITY);
    }
}
