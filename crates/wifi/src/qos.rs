//! A cell of stations with access categories (EDCA), aggregation and block acknowledgements, in which all hear all:
//! 802.11n, 802.11ac and 802.11ax, and stations of 802.11a and 802.11g among them.
//!
//! As in [`crate::Cell`], an exchange is decided when it begins: an aggregate, its block acknowledgement and what goes before
//! them are one ([`exchange`]). A TXOP is several exchanges between which nobody contends ([`ending`]).

mod attempt;
mod category;
mod config;
mod ending;
mod exchange;
mod function;
mod lanes;
mod line;
mod making;
mod noise;
mod outcome;
mod reception;
mod report;
mod sharing;
mod signal;
mod station;
mod stats;
mod window;

pub use attempt::Sends;
pub use category::{AccessParameters, Categories, Category, CategorySettings};
pub use config::{
    Edca, HandingUp, QosCellConfig, QosConfig, QosGeneration, QosSettings, parameters,
};
pub use outcome::AccessOutcome;
pub use sharing::{AIRTIME_WEIGHT, SharingSettings};
pub use signal::SignalConfig;
pub use stats::AccessStats;

use crate::cell::Exchange;
use crate::config::PhyConfig;
use crate::errors::ErrorChannels;
use crate::outcome::Outcome;
use crate::rates::Rates;
use crate::station::Interval;
use crate::witness::Witness;
use base::{PacketId, Span, StationId, Time};
use function::Function;
use lanes::{Contender, Lanes};
use net::{Arrival, DropReason, Fate, Interfaces};
use signal::Signals;
use station::QosStation;
use std::collections::VecDeque;

/// A sender of the present exchange.
#[derive(Clone, Copy, Debug)]
struct Turn {
    contender: Contender,
    outcome: Outcome,
    took: Interval,
    /// Airtime of its data or request.
    airtime: Span,
    /// MPDUs of its that have come through.
    come: u32,
}

/// A TXOP.
#[derive(Clone, Copy, Debug)]
struct Txop {
    holder: Contender,
    until: Time,
    /// Its first exchange has been answered.
    is_held: bool,
    /// When its next exchange begins.
    next: Time,
}

/// When the stations' spaces begin after the present exchange.
#[derive(Clone, Debug, Default)]
struct Resumption {
    /// For most.
    from: Time,
    /// Stations for which they begin at another time.
    apart: Vec<(StationId, Time)>,
}

/// A packet on its way up.
#[derive(Clone, Copy, Debug)]
struct Landing {
    at: Time,
    id: PacketId,
    to: StationId,
}

/// A cell at work.
#[derive(Clone, Debug)]
pub struct QosCell {
    phy: PhyConfig,
    qos: QosConfig,
    rates: Rates,
    stations: Vec<QosStation>,
    lanes: Lanes,
    channels: ErrorChannels,
    /// Where stations have places.
    signals: Option<Box<Signals>>,
    of_flow: Categories,
    /// Marks and drops that queue disciplines applied to waiting packets.
    fates: Vec<(StationId, PacketId, Fate)>,
    /// Packets given up in the present exchange.
    lost: Vec<(StationId, PacketId, DropReason)>,
    busy: bool,
    /// The end of what is on the air.
    end: Time,
    busy_time: Span,
    measured_since: Time,
    winners: Vec<(StationId, Time)>,
    turns: Vec<Turn>,
    /// Functions that have won at once with a higher one of their station.
    yielded: Vec<Contender>,
    landings: VecDeque<Landing>,
    txop: Option<Txop>,
    /// A CF-End is on the air.
    is_ending: bool,
    resumption: Resumption,
    /// Scratch: the MPDUs on the air, by number and bytes.
    aloft: Vec<(u64, u32)>,
}

/// Packets that a source keeps unfinished so that its station is never without work: two windows of 64 and more where
/// frames are aggregated, else some.
const SATURATED: usize = 200;
const SATURATED_ALONE: usize = 5;

impl Interfaces for QosCell {
    fn offer(
        &mut self,
        now: Time,
        (from, to): (StationId, StationId),
        arrival: &Arrival<'_>,
    ) -> Result<bool, DropReason> {
        let flow = arrival.packet.map(|packet| packet.flow);
        let category = flow.map_or(Category::BestEffort, |flow| self.of_flow.of(flow));
        let place = self.stations[from.index()].of(category);
        let fates = &mut self.fates;
        let station = &mut self.stations[from.index()];
        let told = |id, fate| fates.push((from, id, fate));
        let marks = station.offer(now, (place, to), arrival, told)?;
        let function = &mut station.functions[place];
        if !function.contends && function.has_work() {
            function.contends = true;
            self.contend(now, contender(from, place));
        }
        Ok(marks)
    }

    fn fates(&mut self) -> &mut Vec<(StationId, PacketId, Fate)> {
        &mut self.fates
    }

    fn waiting(&self, station: StationId) -> usize {
        self.stations[station.index()].waiting()
    }

    fn begin_measurement(&mut self, now: Time) {
        // What is left of the present exchange counts.
        self.busy_time = if self.busy { self.end.since(now) } else { Span::ZERO };
        self.measured_since = now;
        self.stations.iter_mut().for_each(|station| station.begin_measurement(now));
    }
}

/// The bits of a contender's number that say which of its station's functions it is.
const FUNCTION_BITS: u32 = 2;

fn contender(station: StationId, function: usize) -> Contender {
    Contender(station.0 << FUNCTION_BITS | function as u32)
}

impl Contender {
    fn station(self) -> StationId {
        StationId(self.0 >> FUNCTION_BITS)
    }

    fn place(self) -> usize {
        (self.0 & ((1 << FUNCTION_BITS) - 1)) as usize
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
    /// is when [`QosCell::on_landing`] is due.
    pub fn on_start<W: Witness>(&mut self, witness: &mut W) -> Exchange {
        let start = self.next_start();
        self.busy = true;
        self.turns.clear();
        self.resumption.apart.clear();
        self.winners.clear();
        match &mut self.txop {
            Some(txop) => {
                txop.next = Time::NEVER;
                self.winners.push((StationId(txop.holder.0), start));
            }
            None => {
                self.lanes.begin(&mut self.winners);
                self.settle_internal_collisions();
            }
        }
        if let [(number, _)] = self.winners[..] {
            self.exchange(Contender(number.0), start, witness);
        } else {
            self.collide(start, witness);
        }
        self.busy_time += self.end.since(start);
        Exchange { data_end: self.landings.front().map(|landing| landing.at), end: self.end }
    }

    /// Of the functions of one station only the highest sends (802.11-2020, 10.23.2.4).
    fn settle_internal_collisions(&mut self) {
        let QosCell { winners, yielded, .. } = self;
        let station = |number: StationId| Contender(number.0).station();
        // Winners are in the order of their numbers: the highest of a station comes last.
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
            self.function(loser).yield_to_higher();
        }
    }

    /// Packets reach the layers above: all that do now; the time at which the next do is returned.
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

    /// True where a source that keeps a station busy has too little for it, with `coming` packets on their way to its queue.
    pub fn is_short_of(
        &self,
        (from, to): (StationId, StationId),
        category: Category,
        coming: usize,
    ) -> bool {
        let station = &self.stations[from.index()];
        let place = station.of(category);
        let function = &station.functions[place];
        let is_alone = function.parameters.ampdu == 0 && function.parameters.amsdu == 0;
        let enough =
            if is_alone { SATURATED_ALONE } else { SATURATED.max(3 * self.qos.window() as usize) };
        station.is_short_of((place, to), enough, coming)
    }

    /// Category of a flow.
    pub fn category(&self, flow: base::FlowId) -> Category {
        self.of_flow.of(flow)
    }

    fn function(&mut self, of: Contender) -> &mut Function {
        &mut self.stations[of.station().index()].functions[of.place()]
    }

    /// A function that had nothing to send has something now.
    fn contend(&mut self, now: Time, of: Contender) {
        let idle = !self.busy;
        if self.lanes.is_finished(of, now, idle) {
            if idle {
                self.lanes.draw_at_boundary(of, now);
            } else {
                let slots = self.function(of).draw_backoff();
                self.lanes.draw(of, slots);
            }
        }
        self.lanes.arm(of);
    }
}
