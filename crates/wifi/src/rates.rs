//! The rates of all stations on one air: whose ladder an exchange uses, and which rung of it.

use crate::config::{MacConfig, PhyConfig};
use crate::frames::Timing;
use crate::mlme::GROUP;
use crate::outcome::Outcome;
use crate::phy::Modern;
use crate::rate::{Ladder, Modulations, RateControl, RateRule, Rung};
use crate::receiver::Receiver;
use crate::station::StationConfig;
use base::{Purpose, Rate, Seed, StationId, Time};

/// A rate of an air, the same for all stations that have it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RateRef(u16);

/// Derived values of a rate.
#[derive(Clone, Copy, Debug)]
struct Known {
    rung: Rung,
    mac: MacConfig,
    timing: Timing,
    /// Bit rates of data frames, of control frames, and of frames at the lowest basic rate.
    bit_rates: (Rate, Rate, Rate),
}

/// A station's ladder, and what it has learned of its peers.
#[derive(Clone, Debug)]
struct OfStation {
    /// By rung.
    rates: Vec<RateRef>,
    ladder: Ladder,
    /// An access point uses the ladder of its partner.
    is_access_point: bool,
    /// Its ladder has rates of 802.11n or later.
    is_modern: bool,
    /// Numbers its random streams.
    stream: u64,
    /// By peer; empty where nothing is learned.
    learned: Vec<Option<Box<RateControl>>>,
}

/// The rates of all stations.
#[derive(Clone, Debug)]
pub struct Rates {
    known: Vec<Known>,
    stations: Vec<OfStation>,
    /// Some ladders have rates of 802.11n or later, others have none.
    are_mixed: bool,
    seed: Seed,
}

impl Rates {
    /// Without stations.
    pub fn new(seed: Seed) -> Rates {
        Rates { known: Vec::new(), stations: Vec::new(), are_mixed: false, seed }
    }

    /// Those of a cell.
    pub fn of_cell(configs: &[StationConfig], receivers: &[Receiver], seed: Seed) -> Rates {
        let mut rates = Rates::new(seed);
        for (station, of) in configs.iter().zip(receivers) {
            rates.add(&station.ladder, &station.mac, of.is_access_point, of.stream);
        }
        rates
    }

    /// Adds the next station.
    pub fn add(&mut self, ladder: &Ladder, mac: &MacConfig, is_access_point: bool, stream: u64) {
        let rates = ladder.rungs.iter().map(|rung| self.know(rung, mac)).collect();
        let is_modern = ladder.rungs.iter().any(|rung| rung.mode.is_some());
        self.are_mixed |= self.stations.first().is_some_and(|first| first.is_modern != is_modern);
        self.stations.push(OfStation {
            rates,
            ladder: ladder.clone(),
            is_access_point,
            is_modern,
            stream,
            learned: Vec::new(),
        });
    }

    fn know(&mut self, rung: &Rung, mac: &MacConfig) -> RateRef {
        let same = |known: &Known| known.rung == *rung && known.mac == *mac;
        let place = self.known.iter().position(same).unwrap_or_else(|| {
            let timing = Timing::new(&rung.phy, mac);
            let PhyConfig { data, control, lowest, .. } = rung.phy;
            let bit_rates = (data.payload.rate(), control.payload.rate(), lowest.payload.rate());
            self.known.push(Known { rung: *rung, mac: *mac, timing, bit_rates });
            self.known.len() - 1
        });
        RateRef(place as u16)
    }

    /// Chooses the rate for an exchange that begins; `fresh`: its frame was never tried before.
    #[inline]
    pub fn choose(
        &mut self,
        now: Time,
        (from, to): (StationId, StationId),
        fresh: bool,
    ) -> RateRef {
        let whose = self.whose(from, to);
        let OfStation { ladder, rates, .. } = &self.stations[whose.index()];
        match ladder.rule {
            RateRule::Fixed | RateRule::Ideal => rates[ladder.first],
            _ => {
                let rung = self.control(from, to, whose).choose(now, fresh);
                self.stations[whose.index()].rates[rung]
            }
        }
    }

    /// True where rates are ideal: what [`Rates::fastest`] finds.
    pub fn are_ideal(&self, (from, to): (StationId, StationId)) -> bool {
        self.stations[self.whose(from, to).index()].ladder.rule == RateRule::Ideal
    }

    /// The fastest rate of which `is_clear` says that it loses next to nothing, else the slowest.
    pub fn fastest(
        &self,
        (from, to): (StationId, StationId),
        is_clear: impl FnMut(&Rung) -> bool,
    ) -> RateRef {
        let OfStation { ladder, rates, .. } = &self.stations[self.whose(from, to).index()];
        let rung = ladder.rungs.iter().rposition(is_clear);
        rates[rung.unwrap_or(0)]
    }

    /// The rate of the last exchange, or that which rate control begins with.
    pub fn latest(&self, (from, to): (StationId, StationId)) -> RateRef {
        let learned = self.stations[from.index()].learned.get(to.index());
        let OfStation { ladder, rates, .. } = &self.stations[self.whose(from, to).index()];
        rates[learned.and_then(Option::as_ref).map_or(ladder.first, |control| control.rung())]
    }

    /// True where the exchange that begins only tries a rate.
    pub fn is_probe(&self, (from, to): (StationId, StationId)) -> bool {
        let learned = self.stations[from.index()].learned.get(to.index());
        learned.and_then(Option::as_ref).is_some_and(|control| control.is_probe())
    }

    /// The rate that rate control begins with: what frames at the lowest basic rate go by.
    pub fn first(&self, (from, to): (StationId, StationId)) -> RateRef {
        let OfStation { ladder, rates, .. } = &self.stations[self.whose(from, to).index()];
        rates[ladder.first]
    }

    /// The exchange of a data frame has ended.
    #[inline]
    pub fn conclude(&mut self, from: StationId, to: StationId, outcome: Outcome) {
        self.conclude_aggregate((from, to), outcome, (1, 1));
    }

    /// The exchange of an aggregate has ended: of the MPDUs sent some have come through.
    #[inline]
    pub fn conclude_aggregate(
        &mut self,
        (from, to): (StationId, StationId),
        outcome: Outcome,
        mpdus: (u32, u32),
    ) {
        let learned = &mut self.stations[from.index()].learned;
        if let Some(Some(control)) = learned.get_mut(to.index()) {
            control.conclude(outcome, mpdus);
        }
    }

    /// True where a station has no rates of 802.11n or later, and others of this air have some.
    pub fn is_older(&self, station: StationId) -> bool {
        self.are_mixed && !self.is_modern(station)
    }

    /// True where a station has rates of 802.11n or later.
    pub fn is_modern(&self, station: StationId) -> bool {
        self.stations[station.index()].is_modern
    }

    /// The durations at a rate.
    pub fn timing(&self, at: RateRef) -> &Timing {
        &self.known(at).timing
    }

    /// How frames are sent.
    pub fn rung(&self, at: RateRef) -> &Rung {
        &self.known(at).rung
    }

    /// Modulations of frames.
    #[inline]
    pub fn modulations(&self, at: RateRef) -> Modulations {
        self.known(at).rung.modulations
    }

    /// Bit rates of data frames, of control frames, and of frames at the lowest basic rate.
    pub fn bit_rates(&self, at: RateRef) -> (Rate, Rate, Rate) {
        self.known(at).bit_rates
    }

    /// The mode of data frames, where it is one of HT, VHT or HE.
    pub fn mode(&self, at: RateRef) -> Option<Modern> {
        self.known(at).rung.mode
    }

    fn known(&self, at: RateRef) -> &Known {
        &self.known[usize::from(at.0)]
    }

    fn whose(&self, from: StationId, to: StationId) -> StationId {
        let is_down = self.stations[from.index()].is_access_point && to != GROUP;
        if self.are_mixed {
            return self.older_of(if is_down { (to, from) } else { (from, to) });
        }
        if is_down { to } else { from }
    }

    /// Whose ladder serves a way, the first's as a rule: an older station's, where one of both knows no newer rates.
    #[cold]
    fn older_of(&self, (usual, other): (StationId, StationId)) -> StationId {
        let is_modern = |of: StationId| of == GROUP || self.is_modern(of);
        if is_modern(usual) && !is_modern(other) { other } else { usual }
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
