//! The rates of all stations on one air: whose ladder an exchange uses, and which rung of it.

use crate::config::MacConfig;
use crate::frames::Timing;
use crate::rate::{Ladder, RateControl, RateRule};
use crate::station::Outcome;
use base::{Purpose, Rate, Seed, StationId, Time};
use radio::Modulation;

/// A rung of a station's ladder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RateRef {
    /// Whose ladder.
    pub station: StationId,
    /// Which rung, from the slowest.
    pub rung: u8,
}

/// What is known of a rung.
#[derive(Clone, Copy, Debug)]
struct Known {
    timing: Timing,
    modulations: (Modulation, Modulation),
    /// Of data and of control frames.
    bit_rates: (Rate, Rate),
}

/// A station's ladder, and what it has learned of its peers.
#[derive(Clone, Debug)]
struct OfStation {
    known: Vec<Known>,
    ladder: Ladder,
    /// An access point uses the ladder of its partner.
    is_access_point: bool,
    /// Numbers its random streams.
    stream: u64,
    /// By peer; empty where nothing is learned.
    learned: Vec<Option<Box<RateControl>>>,
}

/// The rates of all stations.
#[derive(Clone, Debug)]
pub struct Rates {
    stations: Vec<OfStation>,
    seed: Seed,
}

impl Rates {
    /// Without stations.
    pub fn new(seed: Seed) -> Rates {
        Rates { stations: Vec::new(), seed }
    }

    /// Adds the next station.
    pub fn add(&mut self, ladder: &Ladder, mac: &MacConfig, is_access_point: bool, stream: u64) {
        let known = ladder.rungs.iter().zip(ladder.timings(mac)).map(|(rung, timing)| Known {
            timing,
            modulations: rung.modulations,
            bit_rates: (rung.phy.data.payload.rate(), rung.phy.control.payload.rate()),
        });
        self.stations.push(OfStation {
            known: known.collect(),
            ladder: ladder.clone(),
            is_access_point,
            stream,
            learned: Vec::new(),
        });
    }

    /// Chooses the rung for an exchange that begins; `fresh`: its frame was never tried before.
    pub fn choose(
        &mut self,
        now: Time,
        (from, to): (StationId, StationId),
        fresh: bool,
    ) -> RateRef {
        let station = self.whose(from, to);
        let ladder = &self.stations[station.index()].ladder;
        let rung = match ladder.rule {
            RateRule::Fixed => ladder.first,
            _ => self.control(from, to, station).choose(now, fresh),
        };
        RateRef { station, rung: rung as u8 }
    }

    /// An exchange has ended.
    pub fn conclude(&mut self, from: StationId, to: StationId, outcome: Outcome) {
        let learned = &mut self.stations[from.index()].learned;
        if let Some(Some(control)) = learned.get_mut(to.index()) {
            control.conclude(outcome);
        }
    }

    /// The durations at a rung.
    pub fn timing(&self, at: RateRef) -> &Timing {
        &self.known(at).timing
    }

    /// How data frames and the answers to them are sent.
    pub fn modulations(&self, at: RateRef) -> (Modulation, Modulation) {
        self.known(at).modulations
    }

    /// Of data frames and of the other frames.
    pub fn bit_rates(&self, at: RateRef) -> (Rate, Rate) {
        self.known(at).bit_rates
    }

    fn known(&self, at: RateRef) -> &Known {
        &self.stations[at.station.index()].known[usize::from(at.rung)]
    }

    fn whose(&self, from: StationId, to: StationId) -> StationId {
        if self.stations[from.index()].is_access_point { to } else { from }
    }

    fn control(&mut self, from: StationId, to: StationId, whose: StationId) -> &mut RateControl {
        let peers = self.stations.len();
        let sender = &self.stations[from.index()];
        if sender.learned.get(to.index()).is_none_or(Option::is_none) {
            let owner = sender.stream << 16 | u64::from(to.0);
            let rng = self.seed.stream(Purpose::RateControl, owner);
            let control = RateControl::new(&self.stations[whose.index()].ladder, rng);
            let learned = &mut self.stations[from.index()].learned;
            learned.resize(peers, None);
            learned[to.index()] = Some(Box::new(control));
        }
        self.stations[from.index()].learned[to.index()].as_mut().expect("made above")
    }
}
