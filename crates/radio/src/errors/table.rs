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

/// From the SINR on at which a bit's hazard is below this a table says that nothing is lost: a frame of 64 KiB has then a
/// hazard below 1e-19, a thousandth of the step in which uniform numbers are drawn.
const NEGLIGIBLE: f64 = 1e-25;

/// The hazard of a bit against the SINR for one modulation, interpolated between logarithms: within 0.1 % of the model
/// where a bit's loss is between 1e-12 and 1/4. A point of the table is worked out when it is first needed.
#[derive(Clone, Debug)]
pub struct HazardTable {
    model: ErrorModel,
    modulation: Modulation,
    /// By place; not a number where it was never needed.
    log_hazard: Vec<f64>,
    /// No hazard from here on, a ratio.
    clear: f64,
}

impl HazardTable {
    /// An empty table; the hazard of `model` falls as the SINR grows.
    pub fn new(model: ErrorModel, modulation: Modulation) -> HazardTable {
        let points = ((HIGHEST_DB - LOWEST_DB) * PER_DB) as usize + 1;
        let (mut harmful, mut harmless) = (0, points);
        while harmful + 1 < harmless {
            let middle = usize::midpoint(harmful, harmless);
            if model.bit_hazard(modulation, ratio_at(middle)) < NEGLIGIBLE {
                harmless = middle;
            } else {
                harmful = middle;
            }
        }
        HazardTable {
            model,
            modulation,
            log_hazard: vec![f64::NAN; points],
            clear: ratio_at(harmless),
        }
    }

    /// Hazard of a bit at `sinr` (a ratio).
    pub fn bit_hazard(&mut self, sinr: f64) -> f64 {
        if sinr >= self.clear {
            return 0.0;
        }
        let place = (10.0 * libm::log10(sinr) - LOWEST_DB) * PER_DB;
        let last = self.log_hazard.len() - 1;
        // Casts of floats saturate: below the range is the first point.
        let index = (place as usize).min(last - 1);
        let within = (place - index as f64).clamp(0.0, 1.0);
        let (low, high) = (self.point(index), self.point(index + 1));
        libm::exp(low + (high - low) * within)
    }

    fn point(&mut self, index: usize) -> f64 {
        if self.log_hazard[index].is_nan() {
            let hazard = self.model.bit_hazard(self.modulation, ratio_at(index));
            self.log_hazard[index] = libm::log(hazard.clamp(SMALLEST, LARGEST));
        }
        self.log_hazard[index]
    }
}

/// The SINR of a point, a ratio.
fn ratio_at(index: usize) -> f64 {
    libm::pow(10.0, (LOWEST_DB + index as f64 / PER_DB) / 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modulation::{CodeRate, Constellation};

    #[test]
    fn the_table_follows_its_model() {
        let (constellation, code) = (Constellation::Qam64, CodeRate::ThreeQuarters);
        for modulation in [Modulation::Cck11, Modulation::Ofdm { constellation, code }] {
            let mut table = HazardTable::new(ErrorModel::Nist, modulation);
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
            assert!(table.bit_hazard(0.0) > 0.0 && table.bit_hazard(1e9) == 0.0);
            let before = ErrorModel::Nist.bit_hazard(modulation, table.clear / 1.01);
            assert!((NEGLIGIBLE..NEGLIGIBLE * 1e3).contains(&before), "{before}");
        }
    }
}
