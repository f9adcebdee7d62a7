//! Bit errors by signal over interference and noise, and bounds that spare looking them up.

use crate::rate::Rung;
use radio::{ErrorModel, HazardTable, HazardTables, Modulation, Word};

/// Above this hazard nothing is decoded: no uniform number of 53 bits has a larger negative logarithm.
pub const CERTAIN: f64 = 37.0;

/// More than what rounding can change of a ratio or a hazard.
const MARGIN: f64 = 1e-9;

/// For so many powers of a half it is known where a bit's hazard crosses them: enough for 2^18 bits of which one in 2^30 frames loses one.
const PLACES: usize = 48;

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

/// Bits of a frame that others meet: so many do for certain, and so many it has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Met {
    /// Their modulation.
    pub modulation: Modulation,
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
    pub fn lost_up_to(&mut self, modulation: Modulation, bits: f64) -> f64 {
        floor_log2(bits / CERTAIN)
            .and_then(|place| self.crossing(modulation, place))
            .map_or(0.0, |(up_to, _)| up_to)
    }

    /// Returns whether a frame survives of which some bits are sent at `sinr` (a ratio) and none below it, where its draw on
    /// [0, 1) and bounds of the hazard tell.
    #[inline]
    pub fn survives(&mut self, met: &Met, sinr: f64, unit: f64) -> Option<bool> {
        // The budget, -ln(1 - u), is at least u and at most u / (1 - u).
        let lost_at = floor_log2(met.least * (1.0 - unit) / unit * (1.0 - MARGIN))?;
        let (lost_up_to, _) = self.crossing(met.modulation, lost_at)?;
        if sinr < lost_up_to * (1.0 - MARGIN) {
            return Some(false);
        }
        let whole_at = floor_log2(met.all / unit * (1.0 + MARGIN))? + 1;
        let (_, whole_from) = self.crossing(met.modulation, whole_at)?;
        (sinr > whole_from * (1.0 + MARGIN)).then_some(true)
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
            let met = Met { modulation, least: all, all };
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
        assert!((5_000..15_000).contains(&whole) && open < 1_500, "{whole} {open}");
    }

    #[test]
    fn logarithms_are_floored() {
        let found = [0.99, 1.0, 1.99, 2.0, 1e6, f64::INFINITY, f64::NAN].map(floor_log2);
        assert_eq!(found, [None, Some(0), Some(0), Some(1), Some(19), None, None]);
    }
}
