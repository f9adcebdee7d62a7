//! A shared wired LAN: half-duplex CSMA/CD (IEEE 802.3, clause 4), or the CSMA/CA of early ns-2.
//!
//! Everything is decided when a station begins to send: the stations that begin before they hear the first, the time at
//! which each notices, and the time at which the medium is silent again for all. A packet that comes to a station within
//! that time and finds the medium silent there joins, and the decision is made anew. So a LAN has one entry in the agenda
//! for its next start or for the end of the present transmissions, and one for each frame that is still on its way to its
//! receiver.

mod access;
mod avoidance;
#[cfg(test)]
mod avoidance_tests;
mod config;
mod detection;
mod outcome;
mod period;
mod station;
mod stats;
#[cfg(test)]
mod tests;
mod told;

use crate::{Arrival, Bursts, Device, DropReason, Fate, Interfaces, QueueStats};
use access::Access;
use base::{PacketId, Purpose, Seed, StationId, Time};
pub use config::{
    Access as LanAccess, AvoidanceRules, Collisions, Framing, LanConfig, LanPreset, LanSettings,
    Reach,
};
pub use outcome::{LanOutcome, LanStationOutcome};
use period::{Candidate, Period, Sending};
pub use station::LanStationStats;
use station::{Service, Station};
pub use stats::LanStats;
use std::collections::VecDeque;
pub use told::{LanEnded, LanFrame, LanSent};

/// A LAN at work.
#[derive(Clone, Debug)]
pub struct Lan {
    config: LanConfig,
    access: Access,
    stations: Vec<Station>,
    /// Stations with a frame to send.
    waiting: Vec<StationId>,
    /// The present transmissions.
    now: Period,
    /// The transmissions before those.
    last: Period,
    next_start: Time,
    /// True if a station that joined has moved the end of the present transmissions.
    has_moved: bool,
    /// Frames on their way to their receivers: when they are there.
    under_way: VecDeque<(Time, LanFrame)>,
    fates: Vec<(StationId, PacketId, Fate)>,
    candidates: Vec<Candidate>,
    bursts: Option<Bursts>,
    stats: LanStats,
    since: Time,
    /// Sender of the last frame that came through while others waited, and its number of such frames in a row.
    run: Option<(StationId, u64)>,
}

impl Interfaces for Lan {
    fn offer(
        &mut self,
        now: Time,
        (from, to): (StationId, StationId),
        arrival: &Arrival<'_>,
    ) -> Result<bool, DropReason> {
        let station = &mut self.stations[from.index()];
        let device = if station.service.is_some() { Device::Sending } else { Device::Idle };
        let fates = &mut self.fates;
        let told = |id, fate| fates.push((from, id, fate));
        let marks = station.queue.push(now, (arrival, to), device, told)?;
        if device == Device::Idle && self.serve_next(now, from) {
            self.waiting.push(from);
            self.come(from);
        }
        Ok(marks)
    }

    fn fates(&mut self) -> &mut Vec<(StationId, PacketId, Fate)> {
        &mut self.fates
    }

    #[inline]
    fn waiting(&self, station: StationId) -> usize {
        self.stations[station.index()].queue.backlog().0 as usize
    }

    fn begin_measurement(&mut self, now: Time) {
        (self.since, self.stats, self.run) = (now, LanStats::default(), None);
        for station in &mut self.stations {
            station.stats = LanStationStats::default();
            station.queue.begin_measurement(now);
        }
    }
}

impl Lan {
    /// A LAN on which nobody has ever sent; random streams are numbered from `first`.
    pub fn new(config: &LanConfig, seed: Seed, first: u64) -> Lan {
        let stations = (0..config.stations as u64).map(|i| Station::new(config, seed, first + i));
        Lan {
            access: Access::new(config),
            stations: stations.collect(),
            waiting: Vec::with_capacity(config.stations),
            now: Period::default(),
            last: Period::default(),
            next_start: Time::NEVER,
            has_moved: false,
            under_way: VecDeque::new(),
            fates: Vec::new(),
            candidates: Vec::with_capacity(config.stations),
            stats: LanStats::default(),
            bursts: config
                .bursts
                .map(|bursts| Bursts::new(bursts, seed.stream(Purpose::LanBursts, first))),
            since: Time::ZERO,
            run: None,
            config: config.clone(),
        }
    }

    /// The next packet of a station's queue is its frame to send; false where there is none.
    fn serve_next(&mut self, now: Time, at: StationId) -> bool {
        let (station, fates) = (&mut self.stations[at.index()], &mut self.fates);
        let next = station.queue.pop(now, |id, fate| fates.push((at, id, fate)));
        station.service = next.map(|next| Service {
            id: next.id,
            to: next.with,
            bytes: next.bytes,
            tries: 0,
            was_sent: false,
            since: now,
            ready: now.max(station.resumes),
        });
        station.service.is_some()
    }

    /// A station that had nothing to send has a frame.
    fn come(&mut self, station: StationId) {
        if self.now.is_empty() {
            // A first look gives nothing up.
            self.sense(Time::ZERO, station, &mut |_| ());
            let start = self.candidate(station).map(|candidate| candidate.start);
            self.next_start = self.next_start.min(start.unwrap_or(Time::NEVER));
        } else if let Some(candidate) = self.candidate(station)
            && self.access.lets_in(&self.now, &candidate)
        {
            self.decide();
            self.has_moved = true;
        }
    }

    /// A station looks at the medium after the last transmissions, with each frame until it keeps one.
    fn sense(&mut self, now: Time, at: StationId, ended: &mut impl FnMut(LanEnded)) {
        loop {
            let station = &mut self.stations[at.index()];
            let Some(mut service) = station.service else { return };
            let sensed = self.access.sense(&self.last, station, &mut service);
            station.service = Some(service);
            let Err(reason) = sensed else { return };
            station.stats.given_up += 1;
            let Service { ready, .. } = service;
            ended(LanEnded {
                station: at,
                sent: None,
                given_up: Some((frame(&service, ready.min(now)), reason)),
            });
            self.turn_to_next(now, Sending { station: at, start: ready, end: ready });
        }
    }

    /// Earliest start of a station with a frame, after the last transmissions.
    fn candidate(&self, station: StationId) -> Option<Candidate> {
        let service = self.stations[station.index()].service?;
        Some(self.access.candidate(&self.last, station, &service))
    }

    // Sending.

    /// Time at which the next station begins; [`Time::NEVER`] if none waits or one sends.
    pub fn next_start(&self) -> Time {
        self.next_start
    }

    /// Begins transmissions, at [`Lan::next_start`]; returns the time at which all stations that begin now, or before they
    /// hear the first, have stopped.
    #[inline]
    pub fn on_start(&mut self) -> Time {
        self.next_start = Time::NEVER;
        self.decide();
        self.now.end()
    }

    /// The end of what is being sent, where it is another than what was said: a station has joined.
    #[inline]
    pub fn moved_end(&mut self) -> Option<Time> {
        std::mem::take(&mut self.has_moved).then(|| self.now.end())
    }

    /// Decides the senders: the first, and those that do not hear it in time.
    fn decide(&mut self) {
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        candidates.extend(self.waiting.iter().filter_map(|&station| self.candidate(station)));
        let first = candidates.iter().map(|c| c.start).min().unwrap_or(Time::NEVER);
        let horizon = self.access.horizon(first);
        candidates.retain(|candidate| candidate.start <= horizon);
        candidates.sort_unstable_by_key(|candidate| (candidate.start, candidate.station));
        self.now.sendings.clear();
        for candidate in &candidates {
            if self.access.lets_in(&self.now, candidate) {
                let Candidate { station, start, .. } = *candidate;
                self.now.sendings.push(Sending { station, start, end: start });
            }
        }
        self.candidates = candidates;
        let (stations, config) = (&self.stations, &self.config);
        self.access.set_ends(&mut self.now, |station| {
            config.airtime(stations[station.index()].service.map_or(0, |service| service.bytes))
        });
    }

    /// All have stopped: puts in `ended` what became of their frames. False where that is not now: a station has joined.
    pub fn on_end(&mut self, now: Time, mut ended: impl FnMut(LanEnded)) -> bool {
        if self.now.is_empty() || self.now.end() != now {
            return false;
        }
        let collides = self.now.collides();
        self.count(now, collides);
        for at in 0..self.now.sendings.len() {
            let sending = self.now.sendings[at];
            let Some(mut sent) = self.sent(sending, collides) else { continue };
            let given_up = if collides {
                self.collided(now, sending)
            } else {
                self.came_through(now, sending)
            };
            if collides && given_up.is_none() {
                let service = self.stations[sending.station.index()].service;
                sent.backoff = service.map(|service| service.ready.since(sending.end));
            }
            ended(LanEnded { station: sending.station, sent: Some(sent), given_up });
        }
        std::mem::swap(&mut self.last, &mut self.now);
        self.now.sendings.clear();
        self.has_moved = false;
        if self.access.looks_first() {
            for at in (0..self.waiting.len()).rev() {
                self.sense(now, self.waiting[at], &mut ended);
            }
        }
        let starts = self.waiting.iter().filter_map(|&station| self.candidate(station));
        self.next_start = starts.map(|candidate| candidate.start).min().unwrap_or(Time::NEVER);
        true
    }

    /// Describes the transmission of a station's frame.
    #[inline]
    fn sent(&self, sending: Sending, collides: bool) -> Option<LanSent> {
        let service = self.stations[sending.station.index()].service?;
        Some(LanSent {
            to: service.to,
            bytes: self.config.rules.framing.frame(service.bytes),
            rate: self.config.rules.rate,
            start: sending.start,
            took: sending.end.since(sending.start),
            collides,
            again: service.was_sent,
            backoff: None,
        })
    }

    /// No other was sent amid a frame: it arrives, if no error spoils it.
    fn came_through(&mut self, now: Time, sending: Sending) -> Option<(LanFrame, DropReason)> {
        let contested = self.waiting.len() > 1;
        let station = &mut self.stations[sending.station.index()];
        let mut lost = None;
        station.stats.successes += 1;
        if let Some(service) = station.service {
            let way = self.config.reach.between(sending.station.index(), service.to.index());
            let frame = frame(&service, sending.start);
            let bursts = self.bursts.as_mut();
            if bursts.is_some_and(|bursts| bursts.loses(sending.start, service.bytes)) {
                lost = Some((frame, DropReason::WireLoss));
            } else {
                self.under_way.push_back((sending.end + way, frame));
            }
        }
        self.run = contested.then(|| match self.run {
            Some((before, length)) if before == sending.station => (before, length + 1),
            _ => (sending.station, 1),
        });
        if let Some((_, length)) = self.run {
            self.stats.contested += 1;
            self.stats.runs += u64::from(length == 1);
            station.stats.longest_run = station.stats.longest_run.max(length);
        }
        self.turn_to_next(now, sending);
        lost
    }

    /// A frame has collided; where that was once too often, or nothing is sent again, it is given up.
    fn collided(&mut self, now: Time, sending: Sending) -> Option<(LanFrame, DropReason)> {
        let station = &mut self.stations[sending.station.index()];
        station.stats.collisions += 1;
        let mut service = station.service?;
        service.was_sent = true;
        let backed_off = self.access.back_off(station, &mut service, sending.end);
        station.service = Some(service);
        let reason = backed_off.err()?;
        station.stats.given_up += 1;
        self.turn_to_next(now, sending);
        Some((frame(&service, sending.start), reason))
    }

    /// A station is done with its frame.
    fn turn_to_next(&mut self, now: Time, Sending { station, end, .. }: Sending) {
        self.stations[station.index()].resumes = self.access.resumes(end);
        if !self.serve_next(now, station) {
            self.waiting.retain(|&other| other != station);
        }
    }

    // Frames that arrive.

    /// Arrival time of the last frame that came through.
    pub fn last_arrival(&self) -> Option<Time> {
        self.under_way.back().map(|under_way| under_way.0)
    }

    /// The frame that arrives now.
    #[inline]
    pub fn arrive(&mut self) -> Option<LanFrame> {
        self.under_way.pop_front().map(|(_, frame)| frame)
    }

    // Counts.

    /// Counts what has been sent until `now`, its end.
    fn count(&mut self, now: Time, collides: bool) {
        let begins = self.now.sendings.first().map_or(now, |first| first.start);
        let took = now.since(begins.max(self.since));
        if collides {
            self.stats.colliding += took;
            self.stats.collisions += 1;
        } else {
            self.stats.carrying += took;
        }
        for &Sending { station, start, end } in &self.now.sendings {
            let Station { service, stats, sent_until, .. } = &mut self.stations[station.index()];
            stats.attempts += 1;
            stats.airtime += end.since(start.max(self.since));
            // Its own gap is no waiting for others.
            let open = sent_until.map_or(Time::ZERO, |until| until + self.access.own_gap());
            let deferred = |service: Service| {
                !service.was_sent && (service.tries > 0 || start > service.ready.max(open))
            };
            stats.deferrals += u64::from(service.is_some_and(deferred));
            *sent_until = Some(end);
        }
    }

    /// The LAN's counts up to `now`.
    pub fn stats_by(&self, now: Time) -> LanStats {
        let mut stats = self.stats;
        if let Some(first) = self.now.sendings.first() {
            let took = now.min(self.now.end()).since(first.start.max(self.since));
            match self.now.sendings.len() {
                1 => stats.carrying += took,
                _ => stats.colliding += took,
            }
        }
        stats
    }

    /// A station's counts up to `now`.
    pub fn station_by(&self, station: StationId, now: Time) -> LanStationStats {
        let mut stats = self.stations[station.index()].stats;
        if let Some(own) = self.now.sendings.iter().find(|own| own.station == station) {
            stats.airtime += now.min(own.end).since(own.start.max(self.since));
        }
        stats
    }

    /// The counts of a station's queue up to `now`.
    pub fn queue_stats_by(&self, station: StationId, now: Time) -> QueueStats {
        self.stations[station.index()].queue.stats_by(now)
    }
}

fn frame(service: &Service, began: Time) -> LanFrame {
    LanFrame { id: service.id, to: service.to, since: service.since, began }
}
