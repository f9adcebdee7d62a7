//! One 802.11 cell in which all hear all: contention, then one exchange, then contention again.
//!
//! An exchange (RTS, CTS, DATA, ACK, or as much of it as succeeds) is decided when it begins, since nobody in the
//! cell can disturb it later. The world asks for three moments of it: its start, the arrival of its packet, its end.

use crate::air::{Air, AirConfig, Frame};
use crate::config::{AccessRule, MacConfig, PhyConfig};
use crate::contention::Contention;
use crate::frames::{ControlFrame, Timing};
use crate::station::{Failure, Outcome, Station, StationStats};
use base::{CellId, PacketId, Purpose, Seed, Span, StationId, Time};
use net::{DropReason, QueueLimit, QueueStats};
use radio::{ChannelConfig, FecConfig, StatePer};

/// What a cell is made of.
#[derive(Clone, Debug)]
pub struct CellConfig {
    /// Stations, access point included.
    pub stations: usize,
    /// Which of them is the access point.
    pub access_point: Option<StationId>,
    /// Timing and rates.
    pub phy: PhyConfig,
    /// Rules and limits.
    pub mac: MacConfig,
    /// Interface queue of every station.
    pub queue: QueueLimit,
    /// How bits are lost.
    pub channel: ChannelConfig,
    /// Who shares a channel state.
    pub state_per: StatePer,
    /// Forward error correction, where used.
    pub fec: Option<FecConfig>,
    /// Bytes added to packets that stations other than the access point send.
    pub routing_header: u32,
}

/// What the world must schedule after [`Cell::on_start`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// When a packet reaches its receiver ([`Cell::on_data_end`]), where one does.
    pub data_end: Option<Time>,
    /// When the medium is free ([`Cell::on_end`]).
    pub end: Time,
}

/// A sender whose exchange has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The sender.
    pub station: StationId,
    /// The packet that it gave up, and why.
    pub dropped: Option<(PacketId, DropReason)>,
}

/// A sender of the present exchange.
#[derive(Clone, Copy, Debug)]
struct Turn {
    station: StationId,
    outcome: Outcome,
    /// When its next backoff begins to run.
    resumes: Time,
}

/// A data frame as it goes on the air.
#[derive(Clone, Copy, Debug)]
struct DataForm {
    airtime: Span,
    bits: u64,
    coded: bool,
}

/// A cell at work.
#[derive(Clone, Debug)]
pub struct Cell {
    config: CellConfig,
    timing: Timing,
    stations: Vec<Station>,
    contention: Contention,
    air: Air,
    busy: bool,
    winners: Vec<(StationId, Time)>,
    turns: Vec<Turn>,
    /// The receiver of a lone exchange, and when its inter-frame space ends.
    receiver: Option<(StationId, Time)>,
    delivery: Option<(PacketId, StationId)>,
    end: Time,
    busy_time: Span,
}

impl Cell {
    /// An idle cell.
    pub fn new(config: CellConfig, seed: Seed, id: CellId) -> Cell {
        let owner = u64::from(id.0) << 32;
        let air_config = AirConfig {
            channel: config.channel,
            state_per: config.state_per,
            fec: config.fec,
            scope: config.mac.errors,
            plcp_bits: config.phy.plcp_bits,
            stations: config.stations,
            access_point: config.access_point,
        };
        let cw_range = (config.phy.cw_min, config.phy.cw_max);
        let station = |i| {
            let rng = seed.stream(Purpose::Backoff, owner + i as u64);
            Station::new(config.queue, cw_range, rng)
        };
        Cell {
            timing: Timing::new(&config.phy, &config.mac),
            stations: (0..config.stations).map(station).collect(),
            contention: Contention::new(config.stations, config.phy.cw_max, config.phy.slot),
            air: Air::new(&air_config, seed, owner),
            busy: false,
            winners: Vec::new(),
            turns: Vec::new(),
            receiver: None,
            delivery: None,
            end: Time::ZERO,
            busy_time: Span::ZERO,
            config,
        }
    }

    /// Offers a packet of `bytes` (network layer) to the interface queue of `from`.
    ///
    /// # Errors
    /// [`DropReason::Queue`] where it is full.
    pub fn enqueue(
        &mut self,
        now: Time,
        from: StationId,
        to: StationId,
        (id, bytes): (PacketId, u32),
    ) -> Result<(), DropReason> {
        self.stations[from.index()].offer(now, to, id, bytes)?;
        if self.load(now, from) {
            self.contend(now, from);
        }
        Ok(())
    }

    /// When [`Cell::on_start`] is due, if nothing comes in between; [`Time::NEVER`] while busy or without traffic.
    pub fn next_start(&self) -> Time {
        self.contention.next_start()
    }

    /// The next exchange begins, at [`Cell::next_start`].
    pub fn on_start(&mut self) -> Exchange {
        self.busy = true;
        self.winners.clear();
        self.turns.clear();
        self.receiver = None;
        self.air.clear();
        self.contention.begin(self.config.phy.sense_time, &mut self.winners);
        let start = self.winners.first().map_or(Time::ZERO, |&(_, at)| at);
        for i in 0..self.winners.len() {
            let (station, _) = self.winners[i];
            self.stations[station.index()].count_attempt();
        }
        let data_end = if let [(station, at)] = self.winners[..] {
            self.exchange(station, at)
        } else {
            self.collide();
            None
        };
        self.busy_time += self.end.since(start);
        Exchange { data_end, end: self.end }
    }

    /// The packet of the present exchange has reached its receiver, who is named.
    pub fn on_data_end(&mut self) -> Option<(PacketId, StationId)> {
        self.delivery.take()
    }

    /// The medium is free: counts the outcomes into `ended` and lets the stations contend again.
    pub fn on_end(&mut self, now: Time, ended: &mut Vec<Ended>) {
        self.busy = false;
        self.let_resume();
        for i in 0..self.turns.len() {
            let turn = self.turns[i];
            let station = &mut self.stations[turn.station.index()];
            let dropped = station.conclude(turn.outcome, &self.config.mac);
            let slots = station.draw_backoff(self.config.mac.backoff);
            self.contention.draw(turn.station, slots);
            self.load(now, turn.station);
            if self.stations[turn.station.index()].service.is_some() {
                self.contention.arm(turn.station);
            }
            ended.push(Ended { station: turn.station, dropped });
        }
        self.contention.settle();
    }

    /// How many packets wait at `station` behind the one in service.
    pub fn waiting(&self, station: StationId) -> usize {
        self.stations[station.index()].waiting()
    }

    /// Counts of one station and of its queue since the measurement began.
    pub fn stats(&self, station: StationId) -> (&StationStats, &QueueStats) {
        let station = &self.stations[station.index()];
        (&station.stats, &station.queue_stats)
    }

    /// Time for which the medium was taken since the measurement began.
    pub fn busy_time(&self) -> Span {
        self.busy_time
    }

    /// Forgets the counts so far: the warm-up is over.
    pub fn begin_measurement(&mut self) {
        self.busy_time = Span::ZERO;
        for station in &mut self.stations {
            station.begin_measurement();
        }
    }

    fn load(&mut self, now: Time, station: StationId) -> bool {
        let from_access_point = self.config.access_point == Some(station);
        let extra = if from_access_point { 0 } else { self.config.routing_header };
        self.stations[station.index()].load(now, &self.config.mac, extra)
    }

    /// A station that had nothing to send has something now.
    fn contend(&mut self, now: Time, station: StationId) {
        let idle = !self.busy;
        if self.contention.is_finished(station, now, idle) {
            let space_ends = self.contention.space_ends(station);
            match self.config.mac.access {
                AccessRule::ImmediateAfterDifs if idle => {
                    self.contention.draw_from(station, now.max(space_ends), 0);
                }
                AccessRule::AlwaysBackoff if idle => {
                    let slots = self.draw(station);
                    let start = space_ends.max(now + self.timing.difs);
                    self.contention.draw_from(station, start, slots);
                }
                _ => {
                    let slots = self.draw(station);
                    self.contention.draw(station, slots);
                }
            }
        }
        self.contention.arm(station);
    }

    fn draw(&mut self, station: StationId) -> u32 {
        self.stations[station.index()].draw_backoff(self.config.mac.backoff)
    }

    /// Several begin at once: nobody decodes anything.
    fn collide(&mut self) {
        self.end = Time::ZERO;
        for i in 0..self.winners.len() {
            let (station, start) = self.winners[i];
            let (airtime, outcome) = match self.stations[station.index()].service {
                Some(service) if service.uses_rts => {
                    (self.timing.rts.airtime, Outcome::NoCts(Failure::Collision))
                }
                Some(service) => {
                    let data = self.data_form(station, service.to, service.mpdu_bits, start);
                    (data.airtime, Outcome::NoAck(Failure::Collision))
                }
                None => continue,
            };
            let own_end = start + airtime;
            self.stations[station.index()].stats.airtime += airtime;
            self.end = self.end.max(own_end);
            let resumes = own_end + self.timing.after_timeout;
            self.turns.push(Turn { station, outcome, resumes });
        }
        let idle_from = self.end + self.timing.difs;
        for turn in &mut self.turns {
            turn.resumes = turn.resumes.max(idle_from);
        }
        self.air.all_errored();
    }

    /// One station has the medium: as much of its exchange as the channel lets through. Returns when a packet that
    /// its receiver does not have yet arrives there.
    fn exchange(&mut self, station: StationId, start: Time) -> Option<Time> {
        let service = self.stations[station.index()].service?;
        let (to, timing) = (service.to, self.timing);
        // Decided once, at the start: an RTS must announce how long the data will take.
        let DataForm { airtime, bits, coded } =
            self.data_form(station, to, service.mpdu_bits, start);
        let mut at = start;
        if service.uses_rts {
            match self.reserve(station, to, airtime, start) {
                Ok(cts_end) => at = cts_end + timing.sifs,
                Err(()) => return None,
            }
        }
        let data_end = at + airtime;
        let nav = data_end + timing.sifs + timing.ack.airtime;
        let data_bits = service.mpdu_bits;
        let data = Frame {
            from: station,
            to,
            start: at,
            airtime,
            plcp: timing.data_plcp(),
            bits,
            data_bits,
            coded,
            control: false,
            nav,
        };
        let failed = if service.uses_rts { Outcome::NoAckAfterCts } else { Outcome::NoAck };
        if !self.air.carry(&data) {
            let wait = self.timing.after_error;
            self.receiver = Some((to, data_end + wait));
            self.finish(station, start, failed(Failure::Channel), data_end, false);
            return None;
        }
        let ack_start = data_end + timing.sifs;
        let acked = self.answer(to, station, ack_start, timing.ack, Time::ZERO);
        let ack_end = ack_start + timing.ack.airtime;
        self.receiver = Some((to, ack_end + timing.difs));
        let outcome = if acked { Outcome::Success } else { failed(Failure::Channel) };
        self.finish(station, start, outcome, ack_end, !acked);
        self.take_delivery(station, to, service.id).then_some(data_end)
    }

    /// RTS and CTS. Returns the end of the CTS where the sender decoded it.
    fn reserve(
        &mut self,
        station: StationId,
        to: StationId,
        data_airtime: Span,
        start: Time,
    ) -> Result<Time, ()> {
        let timing = self.timing;
        let rts_end = start + timing.rts.airtime;
        let cts_start = rts_end + timing.sifs;
        let cts_end = cts_start + timing.cts.airtime;
        let data_start = cts_end + timing.sifs;
        let nav = data_start + data_airtime + timing.sifs + timing.ack.airtime;
        if !self.answer(station, to, start, timing.rts, nav) {
            if self.config.mac.nav_reset {
                self.air.shorten_nav(rts_end + timing.nav_timeout);
            }
            self.receiver = Some((to, rts_end + timing.after_error));
            self.finish(station, start, Outcome::NoCts(Failure::Channel), rts_end, false);
            return Err(());
        }
        if !self.answer(to, station, cts_start, timing.cts, nav) {
            self.receiver = Some((to, cts_end + timing.difs));
            self.finish(station, start, Outcome::NoCts(Failure::Channel), cts_end, true);
            return Err(());
        }
        Ok(cts_end)
    }

    /// Puts a control frame on the air; true where its addressee decodes it.
    fn answer(
        &mut self,
        from: StationId,
        to: StationId,
        start: Time,
        control: ControlFrame,
        nav: Time,
    ) -> bool {
        let ControlFrame { airtime, plcp, bits } = control;
        let data_bits = bits;
        self.air.carry(&Frame {
            from,
            to,
            start,
            airtime,
            plcp,
            bits,
            data_bits,
            coded: false,
            control: true,
            nav,
        })
    }

    /// How a data frame of an exchange that starts at `start` is sent: coded or not.
    fn data_form(
        &mut self,
        from: StationId,
        to: StationId,
        mpdu_bits: u64,
        start: Time,
    ) -> DataForm {
        let code = self.air.code_for(from, to, start);
        let bits = code.map_or(mpdu_bits, |code| code.coded_bits(mpdu_bits));
        DataForm { airtime: self.timing.data(bits), bits, coded: bits != mpdu_bits }
    }

    /// Notes how a lone exchange ends. `heard_error`: the sender heard an answer that it could not decode.
    fn finish(
        &mut self,
        station: StationId,
        start: Time,
        outcome: Outcome,
        end: Time,
        heard_error: bool,
    ) {
        self.end = end;
        self.stations[station.index()].stats.airtime += end - start;
        let wait = match outcome {
            Outcome::Success => self.timing.difs,
            _ if heard_error => self.timing.after_error,
            _ => self.timing.after_timeout.max(self.timing.difs),
        };
        self.turns.push(Turn { station, outcome, resumes: end + wait });
    }

    /// True where the receiver of `station`'s frame did not have it yet.
    fn take_delivery(&mut self, station: StationId, to: StationId, id: PacketId) -> bool {
        let Some(service) = self.stations[station.index()].service.as_mut() else { return false };
        if service.delivered {
            self.stations[to.index()].stats.duplicates += 1;
            return false;
        }
        service.delivered = true;
        self.delivery = Some((id, to));
        true
    }

    /// Gives every station the end of its inter-frame space after the present exchange.
    fn let_resume(&mut self) {
        let quiet = self.end + self.timing.difs;
        let bystanders = |air: &Air, station, timing: &Timing, end: Time| {
            let heard = air.heard(station);
            let wait = if heard.errored { timing.after_error } else { timing.difs };
            (end + wait).max(heard.nav + timing.difs)
        };
        let base = if self.air.is_uniform() {
            bystanders(&self.air, StationId(0), &self.timing, self.end)
        } else {
            for station in (0..self.stations.len()).map(|i| StationId(i as u32)) {
                let from = bystanders(&self.air, station, &self.timing, self.end);
                if from != quiet {
                    self.contention.set_apart(station, from);
                }
            }
            quiet
        };
        self.contention.resume(base);
        let own = self.turns.iter().map(|turn| (turn.station, turn.resumes));
        for (station, from) in own.chain(self.receiver) {
            if self.contention.space_ends(station) != from {
                self.contention.set_apart(station, from);
            }
        }
    }
}
