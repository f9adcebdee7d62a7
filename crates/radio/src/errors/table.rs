//! Hazards looked up instead of integrated.

use super::ErrorModel;
use crate::modulation::Modulation;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// Range of the table, dB; steps in a dB.
const LOWEST_DB: f64 = -30.0;
const HIGHEST_DB: f64 = 60.0;
const PER_DB: f64 = 32.0;
/// A hazard at which nothing survives, and one that hits nobody: both leave finite logarithms.
const LARGEST: f64 = 700.0;
const SMALLEST: f64 = 1e-300;

/// Steps of [`HazardTable::bounds`]: the SINR's exponent and the first bits of its fraction, 64 steps in an octave, over as many
/// octaves as the table has.
const STEP_SHIFT: u32 = 52 - 6;
const FIRST_STEP: u64 = (1023 - 10) << 6;
const STEPS: usize = 30 << 6;

/// From the SINR on at which a bit's hazard is below this a table says that nothing is lost: a frame of 64 KiB has then a
/// hazard below 1e-19, a thousandth of the step in which uniform numbers are drawn.
const NEGLIGIBLE: f64 = 1e-25;

/// The hazard of a bit against the SINR for one modulation, interpolated between logarithms: within 0.1 % of the model
/// where a bit's loss is between 1e-12 and 1/4. A point of the table is worked out when it is first needed, and only once for
/// all who share it: a run of seconds needs hundreds of them, and reads each a thousand times.
#[derive(Clone, Debug)]
pub struct HazardTable {
    model: ErrorModel,
    modulation: Modulation,
    points: Arc<Points>,
}

/// What all tables of one model and modulation share.
#[derive(Debug)]
struct Points {
    /// By place, the bits of a number: not a number where it was never needed. Whoever works one out writes the same, so
    /// neither order nor a race can be seen in a result.
    log_hazard: Box<[AtomicU64]>,
    /// By step: the hazard of a bit where it begins, and not a number as before.
    hazard: Box<[AtomicU64]>,
    /// No hazard from here on, a ratio.
    clear: f64,
}

/// What the errors of bits follow.
type Law = (ErrorModel, Modulation);

/// Tables that runs share, on any thread: each run gets a clone, and a point that one has worked out is known to all.
#[derive(Clone, Debug, Default)]
pub struct HazardTables(Arc<OnceLock<Known>>);

/// The points of one law, and those of the laws that were asked for later: entries are added and never changed.
#[derive(Debug)]
struct Known {
    law: Law,
    points: Arc<Points>,
    next: Arc<OnceLock<Known>>,
}

impl HazardTables {
    /// The table of `model`, whose hazard falls as the SINR grows, for a modulation.
    pub fn of(&self, model: ErrorModel, modulation: Modulation) -> HazardTable {
        let law = (model, modulation);
        let mut place = &self.0;
        loop {
            let known = place.get_or_init(|| Known {
                law,
                points: Arc::new(Points::new(model, modulation)),
                next: Arc::default(),
            });
            if known.law == law {
                return HazardTable { model, modulation, points: known.points.clone() };
            }
            place = &known.next;
        }
    }
}

impl Points {
    fn new(model: ErrorModel, modulation: Modulation) -> Points {
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
        let unknown = || AtomicU64::new(f64::NAN.to_bits());
        let of = |places: usize| std::iter::repeat_with(unknown).take(places).collect();
        Points { log_hazard: of(points), hazard: of(STEPS + 1), clear: ratio_at(harmless) }
    }
}

impl HazardTable {
    /// From this SINR on (a ratio) a bit's hazard is zero.
    pub fn clear_from(&self) -> f64 {
        self.points.clear
    }

    /// Two SINRs (ratios): up to the first a bit's hazard is not below `hazard`, from the second on it is. The first is zero
    /// where the hazard is nowhere so large.
    pub fn crossing(&self, hazard: f64) -> (f64, f64) {
        let log_hazard = libm::log(hazard);
        let points = self.points.log_hazard.len();
        // The first place below it: points before `low` are not below, those from `high` on are.
        let (mut low, mut high) = (0, points);
        while low < high {
            let middle = usize::midpoint(low, high);
            if self.point(middle) >= log_hazard {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let up_to = low.checked_sub(1).map_or(0.0, ratio_at);
        (up_to, if low < points { ratio_at(low) } else { f64::INFINITY })
    }

    /// Hazard of a bit at `sinr` (a ratio).
    pub fn bit_hazard(&self, sinr: f64) -> f64 {
        if sinr >= self.points.clear {
            return 0.0;
        }
        let place = (10.0 * libm::log10(sinr) - LOWEST_DB) * PER_DB;
        let last = self.points.log_hazard.len() - 1;
        // Casts of floats saturate: below the range is the first point.
        let index = (place as usize).min(last - 1);
        let within = (place - index as f64).clamp(0.0, 1.0);
        let (low, high) = (self.point(index), self.point(index + 1));
        libm::exp(low + (high - low) * within)
    }

    /// The least and the largest hazard that a bit has at SINRs (ratios) close to this one; none where the table has none.
    #[inline]
    pub fn bounds(&self, sinr: f64) -> Option<(f64, f64)> {
        let step = (sinr.to_bits() >> STEP_SHIFT).checked_sub(FIRST_STEP)? as usize;
        let [most, least] = self.points.hazard.get(step..step + 2)? else { return None };
        let known = |of: &AtomicU64| f64::from_bits(of.load(Ordering::Relaxed));
        let (least, most) = (known(least), known(most));
        if least.is_nan() || most.is_nan() {
            return Some((self.work_out_step(step + 1), self.work_out_step(step)));
        }
        Some((least, most))
    }

    #[cold]
    fn work_out_step(&self, step: usize) -> f64 {
        let hazard = self.bit_hazard(f64::from_bits((FIRST_STEP + step as u64) << STEP_SHIFT));
        self.points.hazard[step].store(hazard.to_bits(), Ordering::Relaxed);
        hazard
    }

    #[inline]
    fn point(&self, index: usize) -> f64 {
        let known = f64::from_bits(self.points.log_hazard[index].load(Ordering::Relaxed));
        if known.is_nan() { self.work_out(index) } else { known }
    }

    #[cold]
    fn work_out(&self, index: usize) -> f64 {
        let hazard = self.model.bit_hazard(self.modulation, ratio_at(index));
        let log_hazard = libm::log(hazard.clamp(SMALLEST, LARGEST));
        self.points.log_hazard[index].store(log_hazard.to_bits(), Ordering::Relaxed);
        log_hazard
    }
}

/// The SINR of a point, a ratio.
fn ratio_at(index: usize) -> f64 {
    libm::pow(10.0, (LOWEST_DB + index as f64 / PER_DB) / 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modulation::{BitCode, CodeRate, Constellation};

    #[test]
    fn the_table_follows_its_model() {
        let constellation = Constellation::Qam64;
        let code = BitCode::convolutional(CodeRate::ThreeQuarters);
        for modulation in [Modulation::Cck11, Modulation::Ofdm { constellation, code }] {
            let table = HazardTables::default().of(ErrorModel::Nist, modulation);
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
            let before = ErrorModel::Nist.bit_hazard(modulation, table.points.clear / 1.01);
            assert!((NEGLIGIBLE..NEGLIGIBLE * 1e3).contains(&before), "{before}");
        }
    }

    #[test]
    fn a_hazard_is_crossed_between_two_ratios() {
        let table = HazardTables::default().of(ErrorModel::Nist, Modulation::Dqpsk);
        for hazard in [1e-20, 1e-6, 1e-3, 0.1] {
            let (up_to, from) = table.crossing(hazard);
            assert!(0.0 < up_to && up_to < from && from < up_to * 1.01);
            assert!(table.bit_hazard(up_to * (1.0 - 1e-9)) >= hazard * (1.0 - 1e-9));
            assert!(table.bit_hazard(from * (1.0 + 1e-9)) < hazard);
        }
        assert_eq!(table.crossing(1.0).0, 0.0);
    }

    #[test]
    fn a_hazard_is_between_its_bounds() {
        let table = HazardTables::default().of(ErrorModel::Nist, Modulation::Cck11);
        for i in 0..9_000 {
            let sinr = libm::pow(10.0, (f64::from(i) / 100.0 - 30.0) / 10.0);
            let (hazard, (least, most)) = (table.bit_hazard(sinr), table.bounds(sinr).unwrap());
            assert!(least <= hazard * (1.0 + 1e-12) && hazard <= most * (1.0 + 1e-12));
            // Close to each other, where a frame's fate is open.
            assert!(!(1e-6..1e-2).contains(&hazard) || most < 1.6 * least, "{least} {most}");
        }
        assert_eq!([0.0, -1.0, 1e9, f64::NAN].map(|of| table.bounds(of)), [None; 4]);
    }

    #[test]
    fn a_second_table_knows_what_the_first_has_worked_out() {
        let tables = HazardTables::default();
        let modulation = Modulation::Cck5_5;
        let first = tables.of(ErrorModel::Nist, modulation);
        let other = tables.of(ErrorModel::Nist, Modulation::Dqpsk);
        let second = tables.clone().of(ErrorModel::Nist, modulation);
        let hazard = first.bit_hazard(1.5);
        assert!(Arc::ptr_eq(&first.points, &second.points));
        assert_eq!(second.bit_hazard(1.5).to_bits(), hazard.to_bits());
        assert!(!Arc::ptr_eq(&first.points, &other.points));
        let apart = HazardTables::default().of(ErrorModel::Nist, modulation);
        assert!(!Arc::ptr_eq(&first.points, &apart.points));
        assert_eq!(apart.bit_hazard(1.5).to_bits(), hazard.to_bits());
    }
}
