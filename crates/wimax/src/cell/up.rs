//! The uplink of a frame: the region of requests, and the bursts that were granted.

use super::burst::{Burst, Place};
use super::told::{Served, Use};
use super::{Cell, Contender, Decision, MapElement};
use crate::config::{Class, GiveUp, PduConfig, Requests, Sized};
use crate::pdu::{GRANT_MANAGEMENT, REQUEST};
use crate::phy::Way;
use crate::request::{Expiry, Step};
use crate::subscriber::{Subscriber, Uplink};
use base::{StationId, Time};
use net::DropReason;

/// A piggybacked request has 16 bits.
const LARGEST_PIGGYBACK: u64 = 65_535;

impl Cell {
    /// The region of ranging, which is before that of requests.
    fn hold_ranging(&mut self) {
        let Cell { entry, frame, clock, layout, senders, .. } = self;
        senders.clear();
        if let Some(entry) = entry.as_mut().filter(|entry| !entry.is_over()) {
            let sends = |station: usize, opportunity| {
                senders.push((Use::Ranging, StationId(station as u32 + 1), opportunity));
            };
            let described = layout.describes(*frame);
            entry.range(*frame, (clock.start, clock.next()), described, sends);
        }
    }

    /// The region of requests begins.
    pub(super) fn hold_contention(&mut self, now: Time) {
        self.hold_ranging();
        self.contenders.fill(Contender::default());
        for service in 0..self.services.len() {
            if matches!(self.services[service].class, Class::NrtPs | Class::BestEffort) {
                for station in 0..self.subscribers.len() {
                    self.contend(now, station, service);
                }
            }
        }
        self.hear_requests(now);
        self.next = if self.up_map.is_empty() { Decision::Frame } else { Decision::Burst(0) };
    }

    /// A connection without a grant notices that its request was lost, decides to ask for what waits, and sends when its
    /// opportunity has come.
    fn contend(&mut self, now: Time, station: usize, service: usize) {
        let Cell { subscribers, requests, frame, patience, .. } = self;
        let Subscriber { up, stats, .. } = &mut subscribers[station];
        let up = &mut up[service];
        if up.silent_until > *frame || (up.requester.is_idle() && !up.connection.has_work(now)) {
            return;
        }
        match up.requester.expire(*frame, *patience, requests) {
            Expiry::None => {}
            Expiry::Again => stats.requests.timeouts += 1,
            Expiry::GivenUp(wanted) => {
                stats.requests.timeouts += 1;
                stats.requests.given_up += 1;
                let packets = match requests.give_up {
                    GiveUp::Head => 1,
                    GiveUp::Covered => wanted.packets,
                };
                self.give_up(now, (station, service), packets);
            }
        }
        let Cell { subscribers, requests, frame, pdus, contenders, senders, .. } = self;
        let Subscriber { up, stats, .. } = &mut subscribers[station];
        let up = &mut up[service];
        if up.requester.is_idle() {
            let wanted = up.wanted(now, pdus);
            up.requester.begin(wanted, requests);
        }
        let Step::Send(opportunity) = up.requester.step(requests.opportunities) else { return };
        let is_sized = requests.sized == Sized::Making;
        let wanted = (!is_sized).then(|| up.wanted(now, pdus));
        stats.requests.attempts += 1;
        stats.requests.first_attempts += u64::from(up.requester.is_first());
        up.requester.send(*frame, wanted);
        let contender = &mut contenders[opportunity as usize];
        *contender = Contender { senders: contender.senders + 1, station, service };
        senders.push((Use::Requests, StationId(station as u32 + 1), opportunity));
    }

    /// Drops `packets` packets at the head of a connection's queue.
    fn give_up(&mut self, now: Time, (number, service): (usize, usize), packets: u32) {
        let station = StationId(number as u32 + 1);
        let Cell { subscribers, fates, dropped, .. } = self;
        let up = &mut subscribers[number].up[service];
        for _ in 0..packets {
            let told = |id, fate| fates.push((station, id, fate));
            let Some(id) = up.connection.drop_head(now, told) else { break };
            dropped.push((station, id, DropReason::RequestRetries));
        }
        self.served.push(Served { station, is_down: false, burst: None });
    }

    /// Receives the requests of stations that are alone in their opportunity.
    fn hear_requests(&mut self, now: Time) {
        let Cell { subscribers, contenders, requests, .. } = self;
        for contender in contenders.iter().filter(|contender| contender.senders == 1) {
            let Subscriber { up, stats, .. } = &mut subscribers[contender.station];
            let up = &mut up[contender.service];
            stats.requests.successes += 1;
            stats.requests.first_successes += u64::from(up.requester.is_first());
            let wanted = up.requester.outstanding();
            up.asked = match requests.kind {
                Requests::Aggregate => wanted,
                Requests::Incremental => up.asked + wanted,
            };
            up.connection.asked(now);
        }
    }

    /// A grant's first instant: its station fills it, the first class first.
    pub(super) fn send_up(&mut self, now: Time, number: usize) {
        let MapElement { station, start, symbols } = self.up_map[number];
        let preamble = self.layout.preamble();
        let (coding, way) = (self.up.codings[station.index() - 1], Way::Up);
        let (first, room) = (start + preamble, coding.room(symbols - preamble));
        let is_deaf = self.up.deaf[station.index() - 1];
        let Cell { subscribers, fates, flying, errors, clock, pdus, ranks, .. } = self;
        let Subscriber { up, stats, .. } = &mut subscribers[station.index() - 1];
        let place = Place { station, way, first, symbols, coding, room, is_deaf };
        let polls = polls(up);
        let mut burst =
            Burst { place, now, filled: polls, pdus, clock, stats, errors, fates, flying };
        // Whatever is beside the grants of others is best effort's.
        let others: u64 = up[1..].iter().map(|up| up.granted).sum();
        if up[0].granted > 0 {
            up[0].granted = room.saturating_sub(others + polls);
        }
        for &service in ranks.iter() {
            let Uplink { connection, requester, granted, .. } = &mut up[service];
            requester.granted(*granted);
            let need = pdus.need(&connection.backlog(now));
            let counted = *granted + requester.outstanding();
            let may_ask = self.requests.piggyback && self.services[service].class != Class::Ugs;
            let asks = may_ask && *granted > 0 && need > counted;
            burst.fill(connection, if asks { GRANT_MANAGEMENT } else { 0 });
            if *granted > 0 || up[service].polled {
                burst.stats.requests.piggybacked += u64::from(asks);
                up[service].after_burst(now, self.frame, (asks, pdus));
            }
        }
        let burst = Some(burst.close(self.layout.down + start));
        self.served.push(Served { station, is_down: false, burst });
        self.next = if number + 1 < self.up_map.len() {
            Decision::Burst(number + 1)
        } else {
            Decision::Frame
        };
    }
}

/// Bytes of requests that a polled station sends first.
fn polls(up: &[Uplink]) -> u64 {
    up.iter().filter(|up| up.polled).count() as u64 * REQUEST
}

impl Uplink {
    /// A burst has been filled, and asks for what it leaves where it can.
    fn after_burst(&mut self, now: Time, frame: u64, (asks, pdus): (bool, &PduConfig)) {
        let need = self.wanted(now, pdus).bytes;
        if std::mem::take(&mut self.polled) {
            // The answer to a poll says all that is needed.
            self.asked = need;
            self.requester.answered(need);
            self.connection.asked(now);
        }
        if self.granted > 0 || need > 0 {
            let lacks = need.saturating_sub(self.requester.outstanding());
            let more = if asks { lacks.min(LARGEST_PIGGYBACK) } else { 0 };
            self.asked += more;
            if more > 0 {
                self.connection.asked(now);
            }
            self.requester.after_burst(frame, more);
        }
        self.granted = 0;
    }
}
