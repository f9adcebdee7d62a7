//! The start of a frame: who sends in its uplink, and the bursts of its downlink.

use super::{BASE, Cell, Decision, Landed, MapElement};
use crate::connection::{OnAir, Piece};
use crate::errors::Way;
use crate::pdu::Filling;
use base::{StationId, Time};

impl Cell {
    /// A frame begins: grants, then bursts of the downlink, then the length of the broadcast.
    pub(super) fn open_frame(&mut self, now: Time) {
        if self.has_begun {
            self.frame += 1;
        }
        (self.has_begun, self.clock.start) = (true, now);
        self.grant();
        self.map_down();
        let (down, up) = (self.down_map.len() as u32, self.up_map.len() as u32);
        let first = self.layout.broadcast(self.frame, down, up);
        self.count_frame(first);
        for i in 0..self.down_map.len() {
            self.down_map[i].start += first;
            self.send_down(now, i);
        }
        self.next = Decision::Requests;
    }

    fn count_frame(&mut self, broadcast: u32) {
        let symbols =
            |map: &[MapElement]| map.iter().map(|burst| u64::from(burst.symbols)).sum::<u64>();
        let (down, up) = (symbols(&self.down_map), symbols(&self.up_map));
        let stats = &mut self.stats;
        stats.frames += 1;
        stats.down += u64::from(self.layout.down);
        stats.broadcast += u64::from(broadcast);
        stats.down_bursts += down;
        stats.up += u64::from(self.layout.up());
        stats.contention += u64::from(self.layout.contention);
        stats.up_bursts += up;
    }

    /// Gives out the uplink: in turn, all that was asked for or what is left.
    fn grant(&mut self) {
        self.up_map.clear();
        let (count, end) = (self.subscribers.len(), self.layout.up());
        let (mut at, mut number) = (self.layout.contention, self.next_up);
        for _ in 0..count {
            let station = number;
            number = if number + 1 == count { 0 } else { number + 1 };
            let subscriber = &mut self.subscribers[station];
            if subscriber.asked == 0 {
                continue;
            }
            let bursts = self.up_map.len() as u32 + 1;
            let coding = subscriber.up_coding;
            let least = self.layout.up_burst(coding, self.pdus.least());
            let broadcast = self.layout.broadcast(self.frame, 0, bursts);
            let has_elements = self.layout.has_elements(0, bursts);
            if at + least > end || broadcast > self.layout.down || !has_elements {
                break;
            }
            let symbols = self.layout.up_burst(coding, subscriber.asked).min(end - at);
            let room = coding.room(symbols - self.layout.preamble());
            subscriber.asked = subscriber.asked.saturating_sub(room);
            subscriber.granted_until = self.frame + 1;
            let station = StationId(station as u32 + 1);
            self.up_map.push(MapElement { station, start: at, symbols });
            at += symbols + self.layout.gap();
            self.next_up = number;
        }
    }

    /// Gives out the downlink in turn; symbols are counted from the end of the broadcast.
    fn map_down(&mut self) {
        self.down_map.clear();
        let (count, grants) = (self.subscribers.len(), self.up_map.len() as u32);
        let (mut at, mut number) = (0, self.next_down);
        for _ in 0..count {
            let station = number;
            number = if number + 1 == count { 0 } else { number + 1 };
            let subscriber = &self.subscribers[station];
            let need = self.pdus.need(&subscriber.down.backlog());
            if need == 0 {
                continue;
            }
            let bursts = self.down_map.len() as u32 + 1;
            let taken = at + self.layout.broadcast(self.frame, bursts, grants);
            let left = self.layout.down.saturating_sub(taken);
            let coding = subscriber.down_coding;
            let has_elements = self.layout.has_elements(bursts, grants);
            if left < coding.symbols(self.pdus.least()) || !has_elements {
                break;
            }
            let symbols = coding.symbols(need).min(left);
            let station = StationId(station as u32 + 1);
            self.down_map.push(MapElement { station, start: at, symbols });
            at += symbols + self.layout.gap();
            self.next_down = number;
        }
    }

    /// Fills a burst of the downlink.
    fn send_down(&mut self, now: Time, number: usize) {
        let MapElement { station, start, symbols } = self.down_map[number];
        let Cell { subscribers, fates, flying, errors, clock, .. } = self;
        let subscriber = &mut subscribers[station.index() - 1];
        let (coding, stats) = (subscriber.down_coding, &mut subscriber.stats.down);
        let mut filling = Filling::new(self.pdus, coding.room(symbols), 0);
        let told = |id, fate| fates.push((BASE, id, fate));
        let mut filled = 0;
        let carried = |piece: Piece| {
            let (from, to) = (coding.arrived(filled + 1) - 1, coding.arrived(piece.end));
            filled = piece.end;
            let (start, end) = (clock.down(start + from), clock.down(start + to));
            let is_lost = errors.loses((station.index(), Way::Down), &piece, (start, end));
            if piece.is_last {
                let is_lost = is_lost || piece.was_lost;
                stats.count(end, &piece, is_lost);
                flying.push_back(Landed::new(&piece, (start, end), (BASE, station), is_lost));
            }
            OnAir { start, end, is_lost }
        };
        subscriber.down.fill(now, &mut filling, told, carried);
        stats.count_burst(symbols, coding.room(symbols), filling.used());
        self.served.push((station, true));
    }
}
