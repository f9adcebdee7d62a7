//! Bit errors by signal over interference and noise, and bounds that spare looking them up.

use crate::rate::Rung;
use radio::{ErrorModel, HazardTable, HazardTables, Modulation, Word};

/// Above this hazard nothing is decoded: no uniform number of 53 bits has a larger negative logarithm.
pub const CERTAIN: f64 = 37.0;

/// More than what rounding can change of a ratio or a hazard.
const MARGIN: f64 = 1e-9;

/// The number of powers of a half for which it is known where a bit's hazard crosses them: enough for frames of 2^28 bits.
const PLACES: usize = 24;

/// Bit errors of the modulations in use.
#[derive(Clone, Debug, Default)]
pub struct Hazards {
    tables: Vec<(Modulation, HazardTable)>,
    /// The place of that which was asked last: stations that hear the same frame ask for the same.
    last: usize,
    /// By table and place: where a bit's hazard crosses 2^-place ([`HazardTable::crossing`]); not numbers where that was never
    /// needed.
    crossings: Vec<(f64, f64)>,
}

/// Bits of a frame: those that others meet for certain, and all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Met {
    /// The table of their modulation ([`Hazards::place_of`]).
    pub table: usize,
    /// Bits that all others meet.
    pub least: f64,
    /// All bits.
    pub all: f64,
}

impl Hazards {
    /// For these modulations, by tables that other media may use as well.
    pub fn new(model: ErrorModel, modulations: &[Modulation], tables: &HazardTables) -> Hazards {
        let mut hazards = Hazards::default();
        for &modulation in modulations {
            if hazards.tables.iter().all(|(known, _)| *known != modulation) {
                hazards.tables.push((modulation, tables.of(model, modulation)));
            }
        }
        hazards
    }

    /// For all that goes at these rates, where bits are lost by a model.
    pub fn of_rungs<'a>(
        model: Option<ErrorModel>,
        rungs: impl Iterator<Item = &'a Rung>,
        tables: &HazardTables,
    ) -> Hazards {
        let Some(model) = model else { return Hazards::default() };
        let of_rungs = rungs.flat_map(|rung| rung.modulations.all());
        let of_words =
            |modulation: Modulation| Word::ALL.map(|word| modulation.in_words(Some(word)));
        let modulations: Vec<_> = of_rungs.flat_map(of_words).collect();
        Hazards::new(model, &modulations, tables)
    }

    /// From this SINR on (a ratio) no bit of a modulation is lost.
    pub fn clear_from(&mut self, modulation: Modulation) -> f64 {
        self.table(modulation).map_or(0.0, HazardTable::clear_from)
    }

    /// Returns the SINR (a ratio) from which on no bit of any modulation is lost.
    pub fn all_clear_from(&self) -> f64 {
        self.tables.iter().map(|(_, table)| table.clear_from()).fold(0.0, f64::max)
    }

    /// SINR (a ratio) up to which `bits` bits of a modulation are lost for certain; zero if there is none.
    #[inline]
    pub fn lost_up_to(&mut self, modulation: Modulation, bits: f64) -> f64 {
        floor_log2(bits / CERTAIN)
            .and_then(|place| self.crossing(modulation, place))
            .map_or(0.0, |(up_to, _)| up_to)
    }

    /// Returns whether a frame survives of which some bits are sent at `sinr` (a ratio) and none below it, where its draw on
    /// [0, 1) and bounds of the hazard tell.
    #[inline]
    pub fn survives(&self, met: &Met, sinr: f64, unit: f64) -> Option<bool> {
        let (least, most) = self.tables.get(met.table)?.1.bounds(sinr)?;
        let (least, most) = (met.least * least * (1.0 - MARGIN), met.all * most * (1.0 + MARGIN));
        // The budget, -ln(1 - u), is at least u and at most u / (1 - u): enough for most.
        if most < unit {
            return Some(true);
        }
        if least * (1.0 - unit) > unit {
            return Some(false);
        }
        let budget = budget_from(unit);
        if most < budget {
            return Some(true);
        }
        (least > budget * (1.0 + BUDGET_ERROR)).then_some(false)
    }

    /// The place of a modulation's table.
    pub fn place_of(&mut self, modulation: Modulation) -> usize {
        self.table(modulation);
        self.last
    }

    /// Returns where a bit's hazard crosses a power of a half. By such powers, so that few are ever worked out.
    #[inline]
    fn crossing(&mut self, modulation: Modulation, place: usize) -> Option<(f64, f64)> {
        self.table(modulation)?;
        if place >= PLACES {
            return None;
        }
        let of = self.last * PLACES + place;
        match self.crossings.get(of) {
            Some(known) if !known.0.is_nan() => Some(*known),
            _ => Some(self.find_crossing(of, place)),
        }
    }

    #[cold]
    fn find_crossing(&mut self, of: usize, place: usize) -> (f64, f64) {
        if self.crossings.len() <= of {
            self.crossings.resize((self.last + 1) * PLACES, (f64::NAN, f64::NAN));
        }
        let found = self.tables[self.last].1.crossing(1.0 / (1_u64 << place) as f64);
        self.crossings[of] = found;
        found
    }

    /// Hazard of a bit at `sinr` (a ratio).
    #[inline]
    pub fn of_bit(&mut self, modulation: Modulation, sinr: f64) -> f64 {
        self.table(modulation).map_or(0.0, |table| table.bit_hazard(sinr))
    }

    #[inline]
    fn table(&mut self, modulation: Modulation) -> Option<&HazardTable> {
        if self.tables.get(self.last).is_none_or(|(known, _)| *known != modulation) {
            let place = self.tables.iter().position(|(known, _)| *known == modulation);
            self.last = place.unwrap_or(self.tables.len());
        }
        self.tables.get(self.last).map(|(_, table)| table)
    }
}

/// By how much of it the budget can be above what [`budget_from`] returns.
const BUDGET_ERROR: f64 = 3e-5;

/// Returns a bound of the budget -ln(1 - u) of a draw from [0, 1), a little below it: the logarithm's series by the inverse hyperbolic
/// tangent, from the nearest power of two above.
#[inline]
fn budget_from(unit: f64) -> f64 {
    let left = 1.0 - unit;
    // `left` is mantissa / 2^halvings, the mantissa on (1/2, 1] but for powers of two, where it is 1/2.
    let halvings = 1022 - (left.to_bits() >> 52) as i64;
    let mantissa = f64::from_bits((left.to_bits() & ((1 << 52) - 1)) | (1022 << 52));
    let s = (1.0 - mantissa) / (1.0 + mantissa);
    let square = s * s;
    let series = s * (2.0 + square * (2.0 / 3.0 + square * (2.0 / 5.0 + square * (2.0 / 7.0))));
    // It is at least u, too: that is close where u is zero.
    (halvings as f64 * std::f64::consts::LN_2 + series).max(unit)
}

/// The largest n with 2^n at most `x`; none where x is below 1 or not a finite number.
#[inline]
fn floor_log2(x: f64) -> Option<usize> {
    // The exponent of an IEEE 754 double.
    (1.0..f64::INFINITY).contains(&x).then(|| (x.to_bits() >> 52) as usize - 1023)
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::{Purpose, Seed};
    use radio::noise::ratio_from_db;

    /// What bounds tell of a frame is what its hazard tells, and they leave few open.
    #[test]
    fn bounds_agree_with_the_budget() {
        let modulation = Modulation::Cck11;
        let tables = HazardTables::default();
        let mut hazards = Hazards::new(ErrorModel::Nist, &[modulation], &tables);
        let draws = Seed { seed: 1, replication: 0 }.keyed(Purpose::ChannelError, 0);
        let (mut open, mut whole, all) = (0, 0, 12_000.0);
        for n in 0..20_000_u32 {
            let sinr = ratio_from_db(f64::from(n % 1400) / 100.0);
            let (unit, budget) = (draws.unit(n.into()), draws.exp1(n.into()));
            let hazard = all * hazards.of_bit(modulation, sinr);
            let met = Met { table: 0, least: all, all };
            match hazards.survives(&met, sinr, unit) {
                Some(survives) => assert_eq!(survives, hazard < budget, "{sinr} {unit}"),
                None => open += 1,
            }
            whole += u32::from(hazard < budget);
            // Where the others leave most of it alone, it is lost less often, and never kept more often.
            let met = Met { least: all / 10.0, ..met };
            let survives = hazards.survives(&met, sinr, unit);
            assert!(survives != Some(true) || hazard < budget);
            assert!(survives != Some(false) || hazard / 10.0 >= budget);
        }
        assert!((5_000..15_000).contains(&whole) && open < 400, "{whole} {open}");
    }

    #[test]
    fn the_budget_is_bounded_closely() {
        let draws = Seed { seed: 2, replication: 0 }.keyed(Purpose::ChannelError, 0);
        // Draws are multiples of this.
        let step = 1.0 / (1_u64 << 53) as f64;
        let some = (0..20_000).map(|n| draws.unit(n));
        for unit in some.chain([0.0, step, 1e6 * step, 0.25, 0.5, 0.75, 1.0 - step]) {
            let (budget, bound) = (-libm::log(1.0 - unit), budget_from(unit));
            assert!(bound <= budget * (1.0 + 1e-12), "{unit}: {bound} {budget}");
            assert!(budget <= bound * (1.0 + BUDGET_ERROR), "{unit}: {bound} {budget}");
        }
    }

    #[test]
    fn logarithms_are_floored() {
        let found = [0.99, 1.0, 1.99, 2.0, 1e6, f64::INFINITY, f64::NAN].map(floor_log2);
        assert_eq!(found, [None, Some(0), Some(0), Some(1), Some(19), None, None]);
    }
}
