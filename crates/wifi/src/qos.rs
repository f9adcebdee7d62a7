//! A cell of stations with access categories (EDCA), aggregation and block acknowledgements, in which all hear all:
//! 802.11n, 802.11ac and 802.11ax, and stations of 802.11a and 802.11g among them.
//!
//! As in [`crate::Cell`], an exchange is decided when it begins: an aggregate, its block acknowledgement and what goes before
//! them are one ([`exchange`]). A TXOP is several exchanges between which nobody contends ([`ending`]).

mod acting;
mod agreement;
mod attempt;
mod beginning;
mod begun;
mod category;
mod config;
mod contender;
mod ending;
mod exchange;
mod fitting;
mod function;
mod handoff;
mod lanes;
mod line;
mod making;
mod outcome;
mod peer;
mod peers;
mod places;
mod plain;
mod reception;
mod report;
mod resumption;
mod sharing;
mod station;
mod stations;
mod stats;
mod turn;
mod window;

pub use attempt::Sends;
pub(crate) use begun::Begun;
pub use category::{AccessParameters, Categories, Category, CategorySettings};
pub use config::{
    Agreements, Edca, Guard, HandingUp, QosCellConfig, QosConfig, QosGeneration, QosSettings,
    TIME_UNIT, parameters,
};
pub(crate) use contender::Contender;
pub(crate) use making::Making;
pub use outcome::AccessOutcome;
pub(crate) use places::Places;
pub use sharing::{AIRTIME_WEIGHT, SharingSettings};
pub use stations::Stations;
pub use stats::AccessStats;
pub(crate) use turn::{Turn, Txop};

use crate::cell::Exchange;
use crate::config::PhyConfig;
use crate::errors::ErrorChannels;
use crate::rates::Rates;
use crate::witness::Witness;
use base::{PacketId, Span, StationId, Time};
use lanes::Lanes;
use net::{Arrival, DropReason, Fate, Interfaces, Out};
use resumption::{Gap, Reservations, Resumption};
use std::collections::VecDeque;

/// A packet on its way up.
#[derive(Clone, Copy, Debug)]
struct Landing {
    at: Time,
    id: PacketId,
    to: StationId,
}

/// An MPDU that comes through.
#[derive(Clone, Copy, Debug)]
struct Come {
    number: u64,
    /// When its receiver has it.
    at: Time,
}

/// A cell at work.
#[derive(Clone, Debug)]
pub struct QosCell {
    phy: PhyConfig,
    rates: Rates,
    stations: Stations,
    lanes: Lanes,
    channels: ErrorChannels,
    busy: bool,
    /// The end of what is on the air.
    end: Time,
    busy_time: Span,
    winners: Vec<(StationId, Time)>,
    turns: Vec<Turn>,
    /// Scratch: exchanges that begin at once.
    begun: Vec<Begun>,
    /// Functions that have won at once with a higher one of their station.
    yielded: Vec<Contender>,
    landings: VecDeque<Landing>,
    txop: Option<Txop>,
    /// When the CF-End begins that ends the TXOP, if one does.
    ending: Option<Time>,
    resumption: Resumption,
    reservations: Reservations,
    gap: Gap,
    /// To whom all of the present TXOP has gone, where nothing in it has set the NAV of that station.
    unbound: Option<StationId>,
    /// Scratch: the MPDUs of a frame that come through.
    come: Vec<Come>,
}

impl Interfaces for QosCell {
    #[inline]
    fn offer(
        &mut self,
        now: Time,
        way: (StationId, StationId),
        arrival: &Arrival<'_>,
    ) -> Result<bool, DropReason> {
        let (marks, begins) = self.stations.offer(now, way, arrival)?;
        if let Some(contender) = begins {
            self.contend(now, contender);
        }
        Ok(marks)
    }

    fn fates(&mut self) -> &mut Vec<(StationId, PacketId, Fate)> {
        &mut self.stations.fates
    }

    fn waiting(&self, station: StationId) -> usize {
        self.stations.waiting(station)
    }

    fn begin_measurement(&mut self, now: Time) {
        // What is left of the present exchange counts.
        self.busy_time = if self.busy { self.end.since(now) } else { Span::ZERO };
        self.stations.begin_measurement(now);
    }
}

impl QosCell {
    /// Time at which [`QosCell::on_start`] is due, if nothing comes in between.
    pub fn next_start(&self) -> Time {
        match &self.txop {
            Some(txop) => txop.next,
            None => self.lanes.next_start(),
        }
    }

    /// Begins the next exchange, at [`QosCell::next_start`], and reports all its frames to `witness` at once. Its `data_end`
    /// is when [`QosCell::on_landing`] is due. Packets whose lifetime is over go to `out`.
    pub fn on_start<M, W: Witness>(&mut self, out: &mut Out<M>, witness: &mut W) -> Exchange {
        let start = self.next_start();
        self.busy = true;
        self.turns.clear();
        self.resumption.clear();
        self.reservations.prune(start);
        self.winners.clear();
        self.gap = Gap::NONE;
        match &mut self.txop {
            Some(txop) => {
                txop.next = Time::NEVER;
                self.winners.push((StationId(txop.holder.0), start));
            }
            None => {
                self.lanes.begin(self.phy.sense_time, &mut self.winners);
                self.settle_internal_collisions();
            }
        }
        if let [(number, _)] = self.winners[..] {
            self.exchange(Contender(number.0), start, witness);
        } else {
            self.collide(witness);
        }
        self.busy_time += self.end.since(start);
        out.lost.append(&mut self.stations.lost);
        Exchange { data_end: self.landings.front().map(|landing| landing.at), end: self.end }
    }

    /// Of the functions of one station only the highest sends (802.11-2020, 10.23.2.4).
    fn settle_internal_collisions(&mut self) {
        let QosCell { winners, yielded, .. } = self;
        let station = |number: StationId| Contender(number.0).station();
        // Those of a station begin at the same time and are in the order of their numbers: the highest comes last.
        let mut place = 0;
        while place + 1 < winners.len() {
            if station(winners[place].0) == station(winners[place + 1].0) {
                yielded.push(Contender(winners.remove(place).0.0));
            } else {
                place += 1;
            }
        }
        for place in 0..self.yielded.len() {
            let loser = self.yielded[place];
            self.stations.function(loser).yield_to_higher();
        }
    }

    /// Packets reach the layers above: all that do now; the time at which the next do is returned.
    #[inline]
    pub fn on_landing(
        &mut self,
        now: Time,
        landed: &mut Vec<(PacketId, StationId)>,
    ) -> Option<Time> {
        while let Some(landing) = self.landings.front() {
            if landing.at > now {
                return Some(landing.at);
            }
            landed.push((landing.id, landing.to));
            self.landings.pop_front();
        }
        None
    }

    /// Times at which [`QosCell::on_alarm`] is due, since the last call.
    pub fn alarms(&mut self) -> impl Iterator<Item = Time> + '_ {
        self.stations.new_alarms()
    }

    /// A response that a station waits for may have failed to come.
    pub fn on_alarm(&mut self, now: Time) {
        self.stations.ring(now);
        self.contend_roused(now);
    }

    /// Functions that have something to send since a frame has come, or has not, contend.
    fn contend_roused(&mut self, now: Time) {
        while let Some(of) = self.stations.roused.pop() {
            self.contend(now, of);
        }
    }

    /// A function that had nothing to send has something now.
    fn contend(&mut self, now: Time, of: Contender) {
        if self.ending.is_some_and(|start| start <= now) {
            self.lanes.begin_frame();
        }
        let station = of.station();
        let awaits = self.resumption.awaits(station, now);
        let is_held_back = awaits || self.reservations.nav(station) > now;
        let idle = !self.busy && !is_held_back;
        if self.lanes.is_finished(of, now, idle) {
            if idle {
                self.lanes.draw_at_boundary(of, now);
            } else if !awaits && self.gap.is_found(station, now, &self.turns) {
                self.lanes.draw(of, 0);
            } else {
                let slots = self.stations.function(of).draw_backoff();
                self.lanes.draw(of, slots);
            }
        }
        self.lanes.arm(of);
    }
}
