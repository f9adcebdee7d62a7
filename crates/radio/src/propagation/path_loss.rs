//! Mean loss by distance.

use crate::noise::{db_from_ratio, ratio_from_db};
use crate::position::Position;
use base::{Maybe, Metres, settings};
use std::f64::consts::PI;

/// Speed of light, m/s (exact).
pub const LIGHT_M_PER_S: f64 = 299_792_458.0;

/// The speed of light in ns-2's radio, m/s: its ranges and thresholds follow from this one.
pub const NS2_LIGHT_M_PER_S: f64 = 3e8;

/// Wavelength at a frequency, metres.
pub fn wavelength_m(frequency_hz: f64) -> f64 {
    LIGHT_M_PER_S / frequency_hz
}

/// Decrease of mean received power with distance. Antennas have gain 1: put gains into the transmit power.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PathLoss {
    /// Free space (Friis 1946): (wavelength / 4 pi d)^2 / L.
    Friis {
        /// Wavelength, metres.
        wavelength_m: f64,
        /// System loss L, 1 or more.
        system_loss: f64,
    },
    /// Free space up to the crossover 4 pi h h' / wavelength, then h^2 h'^2 / (d^4 L), as ns-2 and ns-3 have it.
    TwoRayGround {
        /// Wavelength, metres.
        wavelength_m: f64,
        /// System loss L, 1 or more.
        system_loss: f64,
        /// Antennas are so far above the node's own height, metres.
        antenna_m: f64,
    },
    /// Reference loss at a reference distance, then 10 n dB a decade (Rappaport 2002, eq. 4.68).
    LogDistance {
        /// Exponent n.
        exponent: f64,
        /// Reference distance, metres.
        reference_m: f64,
        /// Loss there, dB.
        reference_db: f64,
    },
}

settings! {
    /// A loss at a reference distance, and a power law from there on.
    #[derive(Clone, Debug, PartialEq)]
    pub struct LogDistance {
        /// The exponent of distance.
        exponent: f64 = 3.0, "exponent", 0.1..=10.0;
        /// The reference distance.
        reference_m: f64 as Metres = 1.0, "reference", 1e-3..=1e7;
        /// The loss at the reference distance in dB.
        reference_db: Option<f64> as Maybe<f64> = None => "that of free space", "reference_loss_db", Some(0.0)..=Some(200.0);
    }
}

impl LogDistance {
    /// Returns the path loss at this wavelength, metres.
    pub fn at(&self, wavelength_m: f64) -> PathLoss {
        let &LogDistance { exponent, reference_m, reference_db } = self;
        let free = || {
            let free = PathLoss::Friis { wavelength_m, system_loss: 1.0 };
            -db_from_ratio(free.gain(Position::default(), Position::flat(reference_m, 0.0)))
        };
        let reference_db = reference_db.unwrap_or_else(free);
        PathLoss::LogDistance { exponent, reference_m, reference_db }
    }
}

impl PathLoss {
    /// Log-distance as ns-2's Shadowing: free space up to 1 m at its own speed of light.
    pub fn ns2_shadowing(frequency_hz: f64, exponent: f64) -> PathLoss {
        let free = friis(NS2_LIGHT_M_PER_S / frequency_hz, 1.0, 1.0);
        let reference_db = -db_from_ratio(free);
        PathLoss::LogDistance { exponent, reference_m: 1.0, reference_db }
    }

    /// ns-2's two-ray ground with antennas at 1.5 m.
    pub fn ns2_two_ray(frequency_hz: f64) -> PathLoss {
        let wavelength_m = NS2_LIGHT_M_PER_S / frequency_hz;
        PathLoss::TwoRayGround { wavelength_m, system_loss: 1.0, antenna_m: 1.5 }
    }

    /// Received over sent power between two places: a ratio, at most 1. Nearer than the reference distance the loss is
    /// that at the reference distance.
    #[inline]
    pub fn gain(&self, a: Position, b: Position) -> f64 {
        let distance_m = a.distance_m(b);
        let heights = match *self {
            PathLoss::TwoRayGround { antenna_m, .. } => (a.z_m + antenna_m) * (b.z_m + antenna_m),
            _ => 0.0,
        };
        self.gain_at(distance_m, heights)
    }

    /// The least and the largest gain between places of which each has moved, both by no more than `way_m` together. `None`:
    /// it depends on more than their distance.
    pub fn gains(&self, a: Position, b: Position, way_m: f64) -> Option<(f64, f64)> {
        if way_m == 0.0 {
            let gain = self.gain(a, b);
            return Some((gain, gain));
        }
        let distance_m = a.distance_m(b);
        let (least, most) = (distance_m + way_m, (distance_m - way_m).max(0.0));
        match *self {
            PathLoss::TwoRayGround { .. } => None,
            _ => Some((self.gain_at(least, 0.0), self.gain_at(most, 0.0))),
        }
    }

    /// The gain over a distance, with the product of the antennas' heights for models that ask.
    fn gain_at(&self, distance_m: f64, heights: f64) -> f64 {
        let gain = match *self {
            PathLoss::Friis { wavelength_m, system_loss } => {
                friis(wavelength_m, system_loss, distance_m)
            }
            PathLoss::TwoRayGround { wavelength_m, system_loss, .. } => {
                if distance_m < 4.0 * PI * heights / wavelength_m {
                    friis(wavelength_m, system_loss, distance_m)
                } else {
                    let square = distance_m * distance_m;
                    heights * heights / (square * square * system_loss)
                }
            }
            PathLoss::LogDistance { exponent, reference_m, reference_db } => {
                let decades = libm::log10(distance_m.max(reference_m) / reference_m);
                ratio_from_db(-reference_db - 10.0 * exponent * decades)
            }
        };
        // Also where the distance is zero and the quotient infinite.
        gain.min(1.0)
    }

    /// The distance from which on the gain between nodes on the ground is below `gain`, metres.
    pub fn range_m(&self, gain: f64) -> f64 {
        self.range_at_m(gain, (0.0, 0.0))
    }

    /// The same between nodes at these heights, metres.
    pub fn range_at_m(&self, gain: f64, heights_m: (f64, f64)) -> f64 {
        match *self {
            PathLoss::Friis { wavelength_m, system_loss } => {
                friis_range_m(wavelength_m, system_loss, gain)
            }
            PathLoss::TwoRayGround { wavelength_m, system_loss, antenna_m } => {
                let heights = (heights_m.0 + antenna_m) * (heights_m.1 + antenna_m);
                let far = libm::sqrt(heights / libm::sqrt(gain * system_loss));
                let near = friis_range_m(wavelength_m, system_loss, gain);
                // The two meet where both are the crossover.
                if near < 4.0 * PI * heights / wavelength_m { near } else { far }
            }
            PathLoss::LogDistance { exponent, reference_m, reference_db } => {
                let decades = (-db_from_ratio(gain) - reference_db) / 10.0 / exponent;
                if decades < 0.0 { 0.0 } else { reference_m * libm::pow(10.0, decades) }
            }
        }
    }
}

fn friis(wavelength_m: f64, system_loss: f64, distance_m: f64) -> f64 {
    let ratio = wavelength_m / (4.0 * PI * distance_m);
    ratio * ratio / system_loss
}

fn friis_range_m(wavelength_m: f64, system_loss: f64, gain: f64) -> f64 {
    wavelength_m / (4.0 * PI * libm::sqrt(gain * system_loss))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::threshold::Thresholds;

    const ORIGIN: Position = Position::flat(0.0, 0.0);

    fn at(model: &PathLoss, distance_m: f64) -> f64 {
        model.gain(ORIGIN, Position::flat(distance_m, 0.0))
    }

    /// ns-2's WaveLAN over two-ray ground: crossover 86.142 m, 250.011 m, 550.022 m (analytic.json, ns2_range).
    #[test]
    fn wavelan_reaches_250_and_550_metres() {
        let model = PathLoss::ns2_two_ray(914e6);
        let range = |w: f64| model.range_m(w / Thresholds::WAVELAN_TRANSMIT_W);
        assert!((range(Thresholds::WAVELAN.receive_w) - 250.011).abs() < 1e-3);
        assert!((range(Thresholds::WAVELAN.sense_w) - 550.022).abs() < 1e-3);
        let crossover = 86.142_f64;
        let slope = |d: f64| libm::log(at(&model, d * 1.01) / at(&model, d)) / libm::log(1.01);
        assert!((slope(crossover - 1.0) + 2.0).abs() < 1e-9);
        assert!((slope(crossover + 1.0) + 4.0).abs() < 1e-9);
    }

    #[test]
    fn range_is_where_the_gain_is_reached() {
        let wavelength_m = wavelength_m(2.4e9);
        for model in [
            PathLoss::Friis { wavelength_m, system_loss: 1.5 },
            PathLoss::ns2_two_ray(914e6),
            PathLoss::LogDistance { exponent: 2.7, reference_m: 2.0, reference_db: 40.0 },
        ] {
            for distance in [3.0, 50.0, 86.0, 87.0, 400.0] {
                let range = model.range_m(at(&model, distance));
                assert!((range / distance - 1.0).abs() < 1e-9, "{model:?}: {range} {distance}");
            }
        }
    }

    #[test]
    fn gains_are_bounded_within_a_way() {
        let wavelength_m = wavelength_m(2.4e9);
        let log = PathLoss::LogDistance { exponent: 2.7, reference_m: 2.0, reference_db: 40.0 };
        for model in [PathLoss::Friis { wavelength_m, system_loss: 1.5 }, log] {
            for distance_m in [0.0, 0.05, 2.0, 2.05, 30.0] {
                let there = Position::flat(distance_m, 0.0);
                let (least, most) = model.gains(ORIGIN, there, 0.1).unwrap();
                for way_m in [-0.1, -0.03, 0.0, 0.1] {
                    let gain = at(&model, (distance_m + way_m).max(0.0));
                    assert!(least <= gain && gain <= most, "{model:?} {distance_m} {way_m}");
                }
                assert_eq!(
                    model.gains(ORIGIN, there, 0.0),
                    Some((at(&model, distance_m), at(&model, distance_m)))
                );
            }
        }
        assert_eq!(PathLoss::ns2_two_ray(914e6).gains(ORIGIN, ORIGIN, 0.1), None);
    }

    /// ns-3's propagation tests: 50.35702 mW at a wavelength of 0.125 m, so that a clone alone checks each model.
    #[test]
    fn received_power_is_that_of_ns3s_tests() {
        let (wavelength_m, system_loss) = (0.125, 1.0);
        let friis = PathLoss::Friis { wavelength_m, system_loss };
        let two_ray = PathLoss::TwoRayGround { wavelength_m, system_loss, antenna_m: 1.5 };
        let log =
            PathLoss::LogDistance { exponent: 3.0, reference_m: 1.0, reference_db: 40.045_997 };
        for (model, distance_m, height_m, expected_w) in [
            (friis, 100.0, 0.0, 4.982_65e-10),
            (two_ray, 100.0, 0.0, 4.982_65e-10),
            (two_ray, 500.0, 0.0, 4.078_92e-12),
            (two_ray, 1000.0, 4.0, 3.427_42e-12),
            (log, 20.0, 0.0, 6.228_31e-10),
        ] {
            let there = Position { z_m: height_m, ..Position::flat(distance_m, 0.0) };
            let got = 0.050_357_02 * model.gain(ORIGIN, there);
            assert!((got / expected_w - 1.0).abs() < 5e-5, "{model:?} {distance_m} m: {got}");
        }
    }

    #[test]
    fn nearness_never_amplifies() {
        let model = PathLoss::Friis { wavelength_m: 0.125, system_loss: 1.0 };
        assert_eq!(at(&model, 0.0), 1.0);
        assert_eq!(at(&PathLoss::ns2_two_ray(914e6), 0.0), 1.0);
    }
}
