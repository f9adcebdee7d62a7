//! One 802.11 cell in which all hear all: contention, then one exchange, then contention again.
//!
//! An exchange (RTS, CTS, DATA, ACK, or as much of it as succeeds) is decided when it begins, since nobody in the
//! cell can disturb it later ([`exchange`]). The world asks for three moments of it: its start, the arrival of its
//! packet, its end.
//!
//! Where stations have places and all decode all, a referee sorts out what is left of frames that begin together
//! ([`refereed`]): that is all in which they differ from stations of equal power.

mod exchange;
mod making;
mod refereed;
mod report;
mod resume;

use crate::air::Air;
use crate::config::{AccessRule, MacConfig, PhyConfig};
use crate::contention::Contention;
use crate::errors::ErrorConfig;
use crate::exchange::Frame;
use crate::frames::Timing;
use crate::medium::{Begun, Referee};
use crate::outcome::Outcome;
use crate::rates::{RateRef, Rates};
use crate::station::{Interval, Service, Station, StationConfig, StationStats};
use crate::witness::Witness;
use base::{Keyed, PacketId, Span, StationId, Time};
use net::{Arrival, DropReason, Ended, Fate, Interfaces, QueueStats};

/// Configuration of a cell.
#[derive(Clone, Debug)]
pub struct CellConfig {
    /// Stations, access point included. All have the slot, the spaces and the rules of the first; rates, windows,
    /// limits, RTS threshold and queue are their own.
    pub stations: Vec<StationConfig>,
    /// Index of the access point.
    pub access_point: Option<StationId>,
    /// Bit error model.
    pub errors: ErrorConfig,
}

impl CellConfig {
    /// A quiet cell of stations that are alike, the first of which is the access point.
    pub fn alike(stations: usize, station: &StationConfig) -> CellConfig {
        CellConfig {
            stations: vec![station.clone(); stations],
            access_point: Some(StationId(0)),
            errors: ErrorConfig::IDEAL,
        }
    }
}

/// Times that the world must schedule after [`Cell::on_start`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// Time at which a packet reaches its receiver ([`Cell::on_data_end`]), if one does.
    pub data_end: Option<Time>,
    /// Time at which the medium is free ([`Cell::on_end`]).
    pub end: Time,
}

/// A sender of the present exchange.
#[derive(Clone, Copy, Debug)]
struct Turn {
    station: StationId,
    outcome: Outcome,
    took: Interval,
    /// Time at which its next backoff begins to run.
    resumes: Time,
    /// Where stations have places: time at which it knows how its exchange ends.
    over: Time,
}

/// A cell at work.
#[derive(Clone, Debug)]
pub struct Cell {
    phy: PhyConfig,
    mac: MacConfig,
    rates: Rates,
    /// Timing of the present exchange, or of the last.
    timing: Timing,
    rate: RateRef,
    stations: Vec<Station>,
    contention: Contention,
    air: Air,
    busy: bool,
    winners: Vec<(StationId, Time)>,
    turns: Vec<Turn>,
    /// Marks and drops that queue disciplines applied to waiting packets.
    fates: Vec<(StationId, PacketId, Fate)>,
    /// The receiver of a lone exchange, and when its inter-frame space ends.
    receiver: Option<(StationId, Time)>,
    delivery: Option<(PacketId, StationId)>,
    end: Time,
    busy_time: Span,
    /// Stations that keep silent for a while though they hold no NAV, and until when.
    silent: Vec<(StationId, Time)>,
    /// Station whose acknowledgement ended the last exchange.
    answerer: Option<StationId>,
    /// By station: the slots that it loses; empty where it loses none.
    lost_slots: Vec<Keyed>,
    /// Sorts out what begins together, where stations have places.
    referee: Option<Box<Referee>>,
    /// The stations of a collision that is referred to it, and their frames.
    begun: Vec<Begun>,
    colliding: Vec<Frame>,
    /// Stations that do not count slots with the others after it, and from when on they do.
    waits: Vec<(StationId, Time)>,
    /// Time from which on those count who have decoded a frame of a collision: before the others.
    ahead: Option<Time>,
    /// Its present exchanges are played by the referee.
    is_played: bool,
    /// Their packets that have been taken.
    arrived: usize,
    /// Stations that still wait for an answer though the air is free.
    pending: Vec<Turn>,
    /// [`MediumConfig::last_wait`](crate::medium::MediumConfig::last_wait), where there is a referee.
    last_wait: Time,
    /// The end of the first frame of the last lone exchange.
    first_end: Time,
    /// Stations whose frame found an idle air, and which begin without a backoff unless others do before.
    at_once: Vec<StationId>,
}

impl Interfaces for Cell {
    #[inline(always)]
    fn offer(
        &mut self,
        now: Time,
        (from, to): (StationId, StationId),
        arrival: &Arrival<'_>,
    ) -> Result<bool, DropReason> {
        let marks = self.stations[from.index()].offer(now, to, arrival, |id, fate| {
            self.fates.push((from, id, fate));
        })?;
        if self.load(now, from) {
            self.contend(now, from);
        }
        Ok(marks)
    }

    fn fates(&mut self) -> &mut Vec<(StationId, PacketId, Fate)> {
        &mut self.fates
    }

    #[inline]
    fn waiting(&self, station: StationId) -> usize {
        self.stations[station.index()].waiting()
    }

    fn begin_measurement(&mut self, now: Time) {
        // What is left of the present exchange counts.
        self.busy_time = if self.busy { self.end.since(now) } else { Span::ZERO };
        for station in &mut self.stations {
            station.begin_measurement(now);
        }
    }
}

impl Cell {
    /// Time at which [`Cell::on_start`] is due, if nothing comes in between; [`Time::NEVER`] while busy or without traffic.
    pub fn next_start(&self) -> Time {
        self.contention.next_start()
    }

    /// Begins the next exchange, at [`Cell::next_start`], and reports all its frames to `witness` at once.
    #[inline]
    pub fn on_start<W: Witness>(&mut self, witness: &mut W) -> Exchange {
        self.busy = true;
        self.winners.clear();
        self.turns.clear();
        self.receiver = None;
        let passed = self.contention.begin(self.phy.sense_time, &mut self.winners);
        let answerer = self.answerer.take();
        if passed > 0 && !self.lost_slots.is_empty() {
            self.lose_slots(answerer);
        }
        let start = self.winners.first().map_or(Time::ZERO, |&(_, at)| at);
        self.air.begin(start);
        if self.referee.is_some() {
            return self.start_refereed(start, witness);
        }
        let data_end = if let [(station, at)] = self.winners[..] {
            self.exchange(station, at, witness)
        } else {
            self.collide(witness);
            None
        };
        self.busy_time += self.end.since(start);
        Exchange { data_end, end: self.end }
    }

    /// Takes the packet of the present exchange as it reaches its receiver, and returns both.
    pub fn on_data_end(&mut self) -> Option<(PacketId, StationId)> {
        self.delivery.take()
    }

    /// Returns the time at which another packet of what began together reaches its receiver, if one does.
    #[inline(always)]
    pub fn next_data_end(&mut self) -> Option<Time> {
        if self.is_played { self.next_delivery() } else { None }
    }

    /// Ends an exchange when the medium is free: counts the outcomes into `ended` and lets the stations contend again. Where stations have places, this
    /// is asked again at the time that it returns: somebody else will know then how its exchange has ended.
    #[inline(always)]
    pub fn on_end(&mut self, now: Time, ended: &mut Vec<Ended>) -> Option<Time> {
        if self.referee.is_some() && !self.is_all_over(now) {
            return self.on_end_refereed(now, ended);
        }
        self.busy = false;
        self.let_resume();
        for i in 0..self.turns.len() {
            self.conclude(self.turns[i], now, ended);
        }
        self.turns.clear();
        self.contention.settle();
        None
    }

    /// True where the air becomes free and all senders know how their exchanges have ended.
    #[inline]
    fn is_all_over(&self, now: Time) -> bool {
        let are_over = self.turns.iter().all(|turn| turn.over == now) && self.end == now;
        are_over && self.busy && self.pending.is_empty() && !self.is_played
    }

    /// Concludes an exchange for its sender.
    #[inline(always)] // two callers, one of them rare
    fn conclude(&mut self, turn: Turn, now: Time, ended: &mut Vec<Ended>) {
        let station = &mut self.stations[turn.station.index()];
        if let Some(service) = &station.service {
            self.rates.conclude(turn.station, service.to, turn.outcome);
        }
        let dropped = station.conclude(turn.outcome, turn.took);
        let slots = station.draw_backoff();
        self.contention.draw(turn.station, slots);
        self.load(now, turn.station);
        if self.stations[turn.station.index()].service.is_some() {
            self.contention.arm(turn.station);
        }
        ended.push(Ended { station: turn.station, dropped });
    }

    /// Counts of one station since the measurement began.
    pub fn stats(&self, station: StationId) -> &StationStats {
        &self.stations[station.index()].stats
    }

    /// Counts of a station's queue up to `now` since the measurement began.
    pub fn queue_stats_by(&self, station: StationId, now: Time) -> QueueStats {
        self.stations[station.index()].queue_stats_by(now)
    }

    /// Time that a station's exchanges took up to `now` since the measurement began.
    pub fn airtime_by(&self, station: StationId, now: Time) -> Span {
        let turns = if self.busy { &self.turns[..] } else { &[] };
        let mut turns = turns.iter().chain(&self.pending);
        let present = turns.find(|turn| turn.station == station).map(|turn| turn.took);
        self.stations[station.index()].airtime_by(now, present)
    }

    /// Lets the referee go, which holds the powers of all pairs, as no exchange will begin any more.
    pub fn dismiss_referee(&mut self) {
        self.referee = None;
    }

    /// Time for which the medium was taken up to `now`, since the measurement began.
    pub fn busy_by(&self, now: Time) -> Span {
        let to_come = if self.busy { self.end.since(now) } else { Span::ZERO };
        Span(self.busy_time.0.saturating_sub(to_come.0))
    }

    #[inline(always)]
    fn load(&mut self, now: Time, station: StationId) -> bool {
        self.stations[station.index()].service.is_none() && self.load_next(now, station)
    }

    fn load_next(&mut self, now: Time, station: StationId) -> bool {
        self.stations[station.index()].load(now, |id, fate| self.fates.push((station, id, fate)))
    }

    /// A station that had nothing to send has something now.
    fn contend(&mut self, now: Time, station: StationId) {
        let idle = !self.busy;
        if self.contention.is_finished(station, now, idle) {
            let space_ends = self.contention.space_ends(station);
            let access = self.mac.access;
            // A station that finds the medium busy backs off; one that finds it idle for long enough transmits at once
            // (10.3.4.2).
            let backs_off = !idle || access == AccessRule::AlwaysBackoff;
            let slots = if backs_off { self.draw(station) } else { 0 };
            if idle {
                let waits = (self.timing.difs, self.phy.slot);
                let start = access.earliest(now, space_ends, waits);
                if self.referee.is_some() && access == AccessRule::ImmediateAfterDifs {
                    self.at_once.push(station);
                }
                self.contention.draw_from(station, start, slots);
            } else {
                self.contention.draw(station, slots);
            }
        }
        self.contention.arm(station);
    }

    /// Takes a slot from stations that hear the last answering station begin, as ns-2 may.
    fn lose_slots(&mut self, answerer: Option<StationId>) {
        if let Some(&(_, at)) = self.winners.first().filter(|first| Some(first.0) == answerer) {
            let luck = &self.lost_slots;
            self.contention.give_back(|station| luck[station.index()].word(at.0) & 1 == 1);
        }
    }

    /// A station begins with the frame in its service: at which rate, and with which durations.
    #[inline(always)] // one caller for each kind of witness
    fn begin(&mut self, station: StationId, start: Time) -> Option<Service> {
        let service = self.stations[station.index()].service?;
        let rate = self.rates.choose(start, (station, service.to), service.is_new());
        if rate != self.rate {
            (self.timing, self.rate) = (*self.rates.timing(rate), rate);
        }
        self.stations[station.index()].count_attempt(self.rates.bit_rates(rate).0);
        Some(service)
    }

    fn draw(&mut self, station: StationId) -> u32 {
        self.stations[station.index()].draw_backoff()
    }
}
