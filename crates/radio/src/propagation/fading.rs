//! Rayleigh and Rician fading in blocks of the coherence time.
//!
//! Within a block the gain is constant, between blocks independent: exact in its distribution, so outage is the closed
//! form; coarse in its spectrum. A block lasts 0.423 / f_d (Rappaport 2002, eq. 5.40.c), f_d the Doppler shift, which is speed
//! over wavelength: so a block is 0.423 wavelengths of way, whatever the speed, and a gain is drawn by the block's number.

use base::{Keyed, Purpose, Seed, Time};

/// Wavelengths of way, or cycles of Doppler shift, in a block.
const BLOCK_CYCLES: f64 = 0.423;

/// Fading of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FadingConfig {
    /// Power of the direct path over that of all others, a ratio: 0 is Rayleigh, more is Rician.
    pub k_factor: f64,
    /// Wavelength, metres.
    pub wavelength_m: f64,
    /// Doppler shift by what moves around the nodes, Hz: fading goes on though both rest.
    pub doppler_hz: f64,
}

/// The fading of one path between two nodes, the same in both directions.
#[derive(Clone, Copy, Debug)]
pub struct Fading {
    config: FadingConfig,
    key: Keyed,
    /// Offset at which the path begins in its first block, so that paths do not change all at once.
    offset: f64,
}

impl Fading {
    /// Between nodes `a` and `b`.
    pub fn new(config: FadingConfig, seed: Seed, a: u32, b: u32) -> Fading {
        let key = seed.keyed_pair(Purpose::Fading, a, b);
        Fading { config, key, offset: key.unit(u64::MAX) }
    }

    /// Gain of power, a ratio with mean 1, at `now`, when the two nodes have travelled `travelled_m` in all.
    pub fn gain(&self, now: Time, travelled_m: f64) -> f64 {
        self.in_block(self.block(now, travelled_m))
    }

    /// Number of the coherence block: a frame may span several.
    pub fn block(&self, now: Time, travelled_m: f64) -> u64 {
        let FadingConfig { wavelength_m, doppler_hz, .. } = self.config;
        let cycles = travelled_m / wavelength_m + doppler_hz * now.as_secs();
        (cycles / BLOCK_CYCLES + self.offset) as u64
    }

    /// Gain of power in a block.
    pub fn in_block(&self, block: u64) -> f64 {
        let k = self.config.k_factor;
        if k == 0.0 {
            return self.key.exp1(block);
        }
        let (x, y) = self.key.normal_pair(block);
        // Scattered power 1/(k+1), half of it in each quadrature; direct power k/(k+1).
        let (real, imaginary) = (libm::sqrt(2.0 * k) + x, y);
        (real * real + imaginary * imaginary) / (2.0 * (k + 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::propagation::closed_form::rician_outage;

    const SEED: Seed = Seed { seed: 8, replication: 0 };

    fn fading(k_factor: f64, doppler_hz: f64) -> Fading {
        Fading::new(FadingConfig { k_factor, wavelength_m: 0.125, doppler_hz }, SEED, 1, 2)
    }

    /// Share of time below 10 and 20 dB under the mean (Rayleigh: 1 - e^-0.1, 1 - e^-0.01; Rician by Marcum's Q).
    #[test]
    fn outage_is_the_closed_form() {
        let n = 200_000_u64;
        for k in [0.0, 1.0, 4.0] {
            let fading = fading(k, 0.0);
            for threshold in [0.01, 0.1, 0.5, 2.0] {
                let below = (0..n).filter(|&block| fading.in_block(block) < threshold).count();
                let (got, p) = (below as f64 / n as f64, rician_outage(k, threshold));
                let bound = 4.5 * libm::sqrt(p * (1.0 - p) / n as f64) + 1e-6;
                assert!((got - p).abs() < bound, "K {k}, {threshold}: {got} {p}");
            }
            let mean = (0..n).map(|block| fading.in_block(block)).sum::<f64>() / n as f64;
            assert!((mean - 1.0).abs() < 0.012, "K {k}: mean {mean}");
        }
    }

    #[test]
    fn a_block_lasts_its_coherence_time_or_way() {
        let fading = fading(0.0, 10.0);
        // 0.423 / 10 Hz = 42.3 ms: 23 or 24 changes in a second.
        let seconds = |s: u64| fading.block(Time(s * 1_000_000_000), 0.0);
        assert_eq!(seconds(423) - seconds(0), 10_000);
        // 0.423 wavelengths = 5.2875 cm.
        let way = |m: f64| fading.block(Time::ZERO, m);
        assert_eq!(way(52.875 + 0.001) - way(0.001), 1000);
        let at = Time(7_000_000_000);
        assert_eq!(fading.gain(at, 3.0), fading.in_block(fading.block(at, 3.0)));
    }

    #[test]
    fn paths_fade_apart_and_both_directions_together() {
        let config = FadingConfig { k_factor: 2.0, wavelength_m: 0.125, doppler_hz: 5.0 };
        let gain = |a, b| Fading::new(config, SEED, a, b).gain(Time(1), 0.0);
        assert_eq!(gain(1, 2), gain(2, 1));
        assert_ne!(gain(1, 2), gain(1, 3));
    }
}
