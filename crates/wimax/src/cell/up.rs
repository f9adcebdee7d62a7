//! The uplink of a frame: the region of requests, and the bursts that were granted.

use super::{BASE, Cell, Contender, Decision, Landed, MapElement};
use crate::config::{GiveUp, Requests, Sized};
use crate::connection::{OnAir, Piece};
use crate::errors::Way;
use crate::pdu::{Filling, GRANT_MANAGEMENT};
use crate::request::{Expiry, Step};
use base::{StationId, Time};
use net::DropReason;

/// A piggybacked request has 16 bits.
const LARGEST_PIGGYBACK: u64 = 65_535;

impl Cell {
    /// The region of requests begins.
    pub(super) fn hold_contention(&mut self, now: Time) {
        self.make_requests(now);
        self.send_requests();
        self.next = if self.up_map.is_empty() { Decision::Frame } else { Decision::Burst(0) };
    }

    /// Stations without a grant notice requests that were lost, and decide to ask for what waits.
    fn make_requests(&mut self, now: Time) {
        for i in 0..self.subscribers.len() {
            let subscriber = &mut self.subscribers[i];
            if subscriber.granted_until > self.frame {
                continue;
            }
            let stats = &mut subscriber.stats.requests;
            match subscriber.requester.expire(self.frame, self.patience, &self.requests) {
                Expiry::None => {}
                Expiry::Again => stats.timeouts += 1,
                Expiry::GivenUp(wanted) => {
                    stats.timeouts += 1;
                    stats.given_up += 1;
                    let packets = match self.requests.give_up {
                        GiveUp::Head => 1,
                        GiveUp::Covered => wanted.packets,
                    };
                    self.give_up(now, i, packets);
                }
            }
            let subscriber = &mut self.subscribers[i];
            if subscriber.requester.is_idle() {
                let wanted = subscriber.wanted(&self.pdus);
                subscriber.requester.begin(wanted, &self.requests);
            }
        }
    }

    /// Drops so many packets at the head of a station's queue.
    fn give_up(&mut self, now: Time, number: usize, packets: u32) {
        let station = StationId(number as u32 + 1);
        let Cell { subscribers, fates, dropped, .. } = self;
        for _ in 0..packets {
            let told = |id, fate| fates.push((station, id, fate));
            let Some(id) = subscribers[number].up.drop_head(now, told) else { break };
            dropped.push((station, id, DropReason::RequestRetries));
        }
        self.served.push((station, false));
    }

    /// Who has waited for its opportunity sends; who is alone in it is heard.
    fn send_requests(&mut self) {
        let Cell { subscribers, contenders, frame, pdus, requests, .. } = self;
        contenders.fill(Contender::default());
        for (i, subscriber) in subscribers.iter_mut().enumerate() {
            if subscriber.granted_until > *frame {
                continue;
            }
            if let Step::Send(opportunity) = subscriber.requester.step(requests.opportunities) {
                let is_sized = requests.sized == Sized::Making;
                let wanted = (!is_sized).then(|| subscriber.wanted(pdus));
                subscriber.stats.requests.attempts += 1;
                subscriber.stats.requests.first_attempts +=
                    u64::from(subscriber.requester.is_first());
                subscriber.requester.send(*frame, wanted);
                let contender = &mut contenders[opportunity as usize];
                *contender = Contender { senders: contender.senders + 1, station: i };
            }
        }
        for contender in contenders.iter().filter(|contender| contender.senders == 1) {
            let subscriber = &mut subscribers[contender.station];
            subscriber.stats.requests.successes += 1;
            subscriber.stats.requests.first_successes += u64::from(subscriber.requester.is_first());
            let wanted = subscriber.requester.outstanding();
            subscriber.asked = match requests.kind {
                Requests::Aggregate => wanted,
                Requests::Incremental => subscriber.asked + wanted,
            };
        }
    }

    /// A grant's first instant: its station fills it.
    pub(super) fn send_up(&mut self, now: Time, number: usize) {
        let MapElement { station, start, symbols } = self.up_map[number];
        let preamble = self.layout.preamble();
        let Cell { subscribers, fates, flying, errors, clock, .. } = self;
        let subscriber = &mut subscribers[station.index() - 1];
        let room = subscriber.up_coding.room(symbols - preamble);
        subscriber.requester.granted(room);
        let need = subscriber.wanted(&self.pdus).bytes;
        let asks = self.requests.piggyback && need > room + subscriber.requester.outstanding();
        let extra = if asks { GRANT_MANAGEMENT } else { 0 };
        let (coding, stats) = (subscriber.up_coding, &mut subscriber.stats.up);
        let mut filling = Filling::new(self.pdus, room, extra);
        let told = |id, fate| fates.push((station, id, fate));
        let mut filled = 0;
        let carried = |piece: Piece| {
            let (from, to) = (coding.arrived(filled + 1) - 1, coding.arrived(piece.end));
            filled = piece.end;
            let first = start + preamble;
            let (start, end) = (clock.up(first + from), clock.up(first + to));
            let is_lost = errors.loses((station.index(), Way::Up), &piece, (start, end));
            if piece.is_last {
                let is_lost = is_lost || piece.was_lost;
                stats.count(end, &piece, is_lost);
                flying.push_back(Landed::new(&piece, (start, end), (station, BASE), is_lost));
            }
            OnAir { start, end, is_lost }
        };
        subscriber.up.fill(now, &mut filling, told, carried);
        stats.count_burst(symbols, room, filling.used());
        self.after_burst(station, asks);
        self.next = if number + 1 < self.up_map.len() {
            Decision::Burst(number + 1)
        } else {
            Decision::Frame
        };
    }

    /// A burst has been filled, and asks for what it leaves where it can.
    fn after_burst(&mut self, station: StationId, asks: bool) {
        let subscriber = &mut self.subscribers[station.index() - 1];
        let mut more = 0;
        if asks {
            let need = subscriber.wanted(&self.pdus).bytes;
            let lacks = need.saturating_sub(subscriber.requester.outstanding());
            more = lacks.min(LARGEST_PIGGYBACK);
            subscriber.asked += more;
            subscriber.stats.requests.piggybacked += 1;
        }
        subscriber.requester.after_burst(self.frame, more);
        self.served.push((station, false));
    }
}
