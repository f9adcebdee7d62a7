//! Hazards looked up instead of integrated.

use super::ErrorModel;
use crate::modulation::Modulation;

/// Range of the table, dB; steps in a dB.
const LOWEST_DB: f64 = -30.0;
const HIGHEST_DB: f64 = 60.0;
const PER_DB: f64 = 32.0;
/// A hazard at which nothing survives, and one that hits nobody: both leave finite logarithms.
const LARGEST: f64 = 700.0;
const SMALLEST: f64 = 1e-300;

/// The hazard of a bit against the SINR for one modulation, interpolated between logarithms: within 0.1 % of the model
/// where a bit's loss is between 1e-12 and 1/4.
#[derive(Clone, Debug)]
pub struct HazardTable {
    log_hazard: Vec<f64>,
}

impl HazardTable {
    /// Works the table out: some 3000 evaluations of the model.
    pub fn new(model: ErrorModel, modulation: Modulation) -> HazardTable {
        let points = ((HIGHEST_DB - LOWEST_DB) * PER_DB) as u32 + 1;
        let at = |i: u32| {
            let sinr = libm::pow(10.0, (LOWEST_DB + f64::from(i) / PER_DB) / 10.0);
            let hazard = model.bit_hazard(modulation, sinr);
            libm::log(hazard.clamp(SMALLEST, LARGEST))
        };
        HazardTable { log_hazard: (0..points).map(at).collect() }
    }

    /// Hazard of a bit at `sinr` (a ratio).
    pub fn bit_hazard(&self, sinr: f64) -> f64 {
        let place = (10.0 * libm::log10(sinr) - LOWEST_DB) * PER_DB;
        let last = self.log_hazard.len() - 1;
        // Casts of floats saturate: below the range is the first point.
        let index = (place as usize).min(last - 1);
        let within = (place - index as f64).clamp(0.0, 1.0);
        let (low, high) = (self.log_hazard[index], self.log_hazard[index + 1]);
        libm::exp(low + (high - low) * within)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modulation::{CodeRate, Constellation};

    #[test]
    fn the_table_follows_its_model() {
        let (constellation, code) = (Constellation::Qam64, CodeRate::ThreeQuarters);
        for modulation in [Modulation::Cck11, Modulation::Ofdm { constellation, code }] {
            let table = HazardTable::new(ErrorModel::Nist, modulation);
            for i in 0..900 {
                let sinr = libm::pow(10.0, (-25.0 + f64::from(i) * 0.0917) / 10.0);
                let (model, got) =
                    (ErrorModel::Nist.bit_hazard(modulation, sinr), table.bit_hazard(sinr));
                if (1e-12..0.28).contains(&model) {
                    assert!((got / model - 1.0).abs() < 1e-3, "{modulation:?}: {got} {model}");
                } else if model < 1e-12 {
                    assert!(got < 1.1e-12);
                }
            }
            assert!(table.bit_hazard(0.0) > 0.0 && table.bit_hazard(1e9) < 1e-200);
        }
    }
}
