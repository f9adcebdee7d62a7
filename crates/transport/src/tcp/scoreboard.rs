//! The scoreboard: what was sent and is not acknowledged, segment by segment, and what became of it.
//!
//! Records are in a ring in the order of their numbers; the ring is reused, so that nothing is allocated once
//! it is as long as the largest flight. Those in the network are linked in the order of their last
//! transmission, which is what RACK walks. SACKed data are kept as intervals too, so that a block that comes
//! again costs nothing.

mod order;

use super::rate::PacketState;
use super::reassembly::insert;
use super::record::{NONE, NewlyDelivered, Record};
use base::Time;
use std::collections::VecDeque;

/// Segments that were sent and are not acknowledged.
#[derive(Clone, Debug)]
pub(super) struct Scoreboard {
    ring: VecDeque<Record>,
    /// The number of the ring's first record.
    base: u64,
    /// SACKed bytes as intervals above the acknowledgement.
    sacked: Vec<(u64, u64)>,
    /// One past the highest number ever SACKed or acknowledged.
    highest: u64,
    pipe: u64,
    sacked_bytes: u64,
    sacked_segments: u64,
    /// Lost and not sent again.
    waiting_bytes: u64,
    /// Marked lost since the connection began.
    lost_total: u64,
    /// The sampler state of the segment that was lost last, from its transmission.
    last_lost: Option<PacketState>,
    /// No record before it is lost and not sent again.
    waiting_from: u64,
    /// All records before it have been judged by RFC 6675's IsLost.
    judged: u64,
    /// No record before it can be sent again by rule (3) of NextSeg.
    spare_from: u64,
    oldest: u64,
    newest: u64,
}

impl Scoreboard {
    pub fn new() -> Scoreboard {
        Scoreboard {
            ring: VecDeque::new(),
            base: 0,
            sacked: Vec::new(),
            highest: 0,
            pipe: 0,
            sacked_bytes: 0,
            sacked_segments: 0,
            waiting_bytes: 0,
            lost_total: 0,
            last_lost: None,
            waiting_from: 0,
            judged: 0,
            spare_from: 0,
            oldest: NONE,
            newest: NONE,
        }
    }

    /// Bytes in the network, as far as is known.
    pub fn pipe(&self) -> u64 {
        self.pipe
    }

    /// Bytes SACKed above the acknowledgement.
    pub fn sacked_bytes(&self) -> u64 {
        self.sacked_bytes
    }

    /// Segments SACKed above the acknowledgement.
    pub fn sacked_segments(&self) -> u64 {
        self.sacked_segments
    }

    /// Bytes lost and not sent again.
    pub fn waiting_bytes(&self) -> u64 {
        self.waiting_bytes
    }

    /// Bytes marked lost since the connection began.
    pub fn lost_total(&self) -> u64 {
        self.lost_total
    }

    /// The state of the segment that was lost last, once.
    pub fn take_last_lost(&mut self) -> Option<PacketState> {
        self.last_lost.take()
    }

    /// One past the highest number SACKed or acknowledged.
    pub fn highest(&self) -> u64 {
        self.highest
    }

    /// Segments that are lost or not, with or without a retransmission under way: (lost, retransmitted).
    pub fn count(&self) -> (u64, u64) {
        let count = |test: fn(&&Record) -> bool| self.ring.iter().filter(test).count() as u64;
        (count(|r| r.lost && !r.sacked), count(|r| r.resent && !r.sacked))
    }

    pub fn get(&self, number: u64) -> Option<&Record> {
        self.ring.get(usize::try_from(number.checked_sub(self.base)?).ok()?)
    }

    fn at(&mut self, number: u64) -> Option<&mut Record> {
        self.ring.get_mut(usize::try_from(number.checked_sub(self.base)?).ok()?)
    }

    /// A new segment is sent.
    pub fn push(&mut self, now: Time, start: u64, end: u64, rate: PacketState) {
        let number = self.base + self.ring.len() as u64;
        self.ring.push_back(Record::new(now, start, end, rate));
        self.pipe += end - start;
        self.link(number);
    }

    /// Record `number` is sent again.
    pub fn resend(&mut self, now: Time, number: u64, rate: PacketState) {
        self.unlink(number);
        let Some(record) = self.at(number) else { return };
        let (before, waited) = (record.weight(), record.lost && !record.resent);
        (record.sent, record.rate) = (now, rate);
        (record.again, record.resent) = (true, true);
        let (len, after) = (record.len(), record.weight());
        self.pipe += after - before;
        self.waiting_bytes -= if waited { len } else { 0 };
        self.link(number);
    }

    /// All before `ack` is acknowledged.
    pub fn acknowledge(&mut self, ack: u64, newly: &mut NewlyDelivered) {
        while let Some(front) = self.ring.front().copied() {
            if front.start >= ack {
                break;
            }
            if front.end > ack {
                self.trim_front(ack, newly);
                break;
            }
            self.leave(self.base, &front, newly);
            newly.note_acknowledged(&front);
            if front.sacked {
                self.sacked_bytes -= front.len();
                self.sacked_segments -= 1;
            }
            self.ring.pop_front();
            self.base += 1;
        }
        let gone = self.sacked.partition_point(|range| range.1 <= ack);
        self.sacked.drain(..gone);
        self.highest = self.highest.max(ack);
    }

    /// A part of the first record is acknowledged.
    fn trim_front(&mut self, ack: u64, newly: &mut NewlyDelivered) {
        let Some(front) = self.ring.front_mut() else { return };
        let (before, part) = (front.weight(), ack - front.start);
        let waiting = front.lost && !front.resent && !front.sacked;
        front.start = ack;
        self.pipe -= before - front.weight();
        if front.sacked {
            self.sacked_bytes -= part;
        } else {
            newly.delivered += part;
            self.waiting_bytes -= if waiting { part } else { 0 };
        }
    }

    /// [start, end) is SACKed.
    pub fn sack(&mut self, start: u64, end: u64, newly: &mut NewlyDelivered) {
        let first = self.sacked.partition_point(|range| range.1 < start);
        let last = self.sacked.partition_point(|range| range.0 <= end);
        let touched = &self.sacked[first..last.max(first)];
        let from = touched.first().map_or(start, |range| range.0.min(start));
        let to = touched.last().map_or(end, |range| range.1.max(end));
        let mut position = start;
        for i in first..=last.max(first) {
            // What lies before the i-th interval is new; what the interval covers is not.
            let (gap_end, next) = match self.sacked.get(i).filter(|_| i < last) {
                Some(&(s, e)) => (s.min(end), e),
                None => (end, end),
            };
            if position < gap_end {
                self.mark_sacked((position, gap_end), (from, to), newly);
            }
            position = position.max(next);
        }
        insert(&mut self.sacked, start, end);
    }

    /// Marks the records that meet `part` and lie within `whole`.
    fn mark_sacked(&mut self, part: (u64, u64), whole: (u64, u64), newly: &mut NewlyDelivered) {
        let first = self.ring.partition_point(|record| record.end <= part.0);
        let mut number = self.base + first as u64;
        while let Some(record) = self.get(number).copied().filter(|r| r.start < part.1) {
            if !record.sacked && whole.0 <= record.start && record.end <= whole.1 {
                self.leave(number, &record, newly);
                newly.note_sacked(&record);
                if let Some(record) = self.at(number) {
                    record.sacked = true;
                }
                newly.sacked += record.len();
                self.sacked_bytes += record.len();
                self.sacked_segments += 1;
                self.highest = self.highest.max(record.end);
            }
            number += 1;
        }
    }

    /// Record `number` is delivered, unless it was before.
    fn leave(&mut self, number: u64, record: &Record, newly: &mut NewlyDelivered) {
        if record.sacked {
            return;
        }
        newly.add(record);
        self.pipe -= record.weight();
        self.waiting_bytes -= if record.lost && !record.resent { record.len() } else { 0 };
        self.unlink(number);
    }

    /// RFC 6675 section 4, IsLost, for every record: `dup_thresh` discontiguous blocks above it, or more bytes than
    /// one segment less has.
    pub fn judge(&mut self, mss: u64, dup_thresh: u64) {
        let mut bytes = 0;
        let mut blocks = 0;
        let told = self.sacked.iter().rev().find(|range| {
            bytes += range.1 - range.0;
            blocks += 1;
            blocks >= dup_thresh || bytes > (dup_thresh - 1) * mss
        });
        let Some(&(bound, _)) = told else { return };
        let mut number = self.judged.max(self.base);
        while let Some(record) = self.get(number).copied().filter(|r| r.end <= bound) {
            if !record.sacked && !record.lost && !record.resent {
                self.lose(number);
            }
            number += 1;
        }
        self.judged = number;
    }

    /// The last transmission of record `number` is lost, and all before it.
    pub fn lose(&mut self, number: u64) {
        self.unlink(number);
        let Some(record) = self.at(number) else { return };
        let waited = record.lost && !record.resent;
        if record.sacked || waited {
            return;
        }
        let (before, len) = (record.weight(), record.len());
        (record.lost, record.resent) = (true, false);
        self.last_lost = Some(record.rate);
        self.pipe -= before;
        self.waiting_bytes += len;
        self.lost_total += len;
        self.waiting_from = self.waiting_from.min(number);
    }

    /// The first transmission of record `number` is lost, unless that is known or it was sent again.
    pub fn lose_once(&mut self, number: u64) {
        if self.get(number).is_some_and(|record| !record.lost && !record.resent) {
            self.lose(number);
        }
    }

    /// Retransmissions that went by `sent`, when a segment that has arrived was sent for the first time, are lost: new
    /// data go after what is lost.
    pub fn lose_resent_before(&mut self, sent: Option<Time>) {
        let Some(sent) = sent else { return };
        let mut number = self.base;
        while let Some(record) = self.get(number).copied().filter(|r| r.end <= self.highest) {
            if record.resent && !record.sacked && record.sent <= sent {
                self.lose(number);
            }
            number += 1;
        }
    }

    /// Forgets all records: they will be sent again as if they were new.
    pub fn clear(&mut self) {
        let next = self.base + self.ring.len() as u64;
        self.ring.clear();
        self.sacked.clear();
        (self.pipe, self.sacked_bytes, self.sacked_segments, self.waiting_bytes) = (0, 0, 0, 0);
        (self.base, self.judged, self.spare_from) = (next, next, next);
        (self.oldest, self.newest) = (NONE, NONE);
    }

    /// Nothing that is not SACKed is in the network any more.
    pub fn lose_all(&mut self) {
        for i in 0..self.ring.len() as u64 {
            self.lose(self.base + i);
        }
    }

    /// The losses were not real. What was sent again stays in the network twice.
    pub fn forgive(&mut self) {
        for i in 0..self.ring.len() as u64 {
            let number = self.base + i;
            let Some(record) = self.at(number) else { continue };
            if !record.sacked && record.lost && !record.resent {
                record.lost = false;
                let len = record.len();
                self.pipe += len;
                self.waiting_bytes -= len;
                self.link_in_order(number);
            }
        }
        // What has enough SACKed above it is lost all the same.
        self.judged = self.base;
    }

    /// The oldest segment that is lost and not sent again: rule (1) of NextSeg.
    pub fn next_lost(&mut self) -> Option<u64> {
        if self.waiting_bytes == 0 {
            self.waiting_from = NONE;
            return None;
        }
        let mut number = self.waiting_from.max(self.base);
        while let Some(record) = self.get(number) {
            if record.lost && !record.resent && !record.sacked {
                self.waiting_from = number;
                return Some(number);
            }
            number += 1;
        }
        None
    }

    /// The oldest segment below the highest SACKed that was never sent again: rule (3) of NextSeg.
    pub fn next_spare(&mut self) -> Option<u64> {
        let mut number = self.spare_from.max(self.base);
        while let Some(record) = self.get(number).filter(|r| r.end <= self.highest) {
            if !record.sacked && !record.resent {
                self.spare_from = number;
                return Some(number);
            }
            number += 1;
        }
        self.spare_from = number;
        None
    }

    /// Bytes that blocks have told of above the acknowledgement, whether or not their segments are on the board.
    pub fn range_bytes(&self) -> u64 {
        self.sacked.iter().map(|range| range.1 - range.0).sum()
    }

    /// The first number from `from` on that no block covers, where there is a block above it.
    pub fn next_hole(&self, from: u64) -> Option<u64> {
        let mut blocks = self.sacked.iter().filter(|range| range.1 >= from).peekable();
        let covered = blocks.next_if(|range| range.0 <= from);
        blocks.next().map(|_| covered.map_or(from, |range| range.1))
    }

    /// The record that begins at `start`.
    pub fn starting_at(&self, start: u64) -> Option<u64> {
        let i = self.ring.partition_point(|record| record.start < start);
        self.ring.get(i).filter(|record| record.start == start).map(|_| self.base + i as u64)
    }

    /// The segment with the highest number, unless it is SACKed: the tail probe and the rescue retransmission.
    pub fn last(&self) -> Option<u64> {
        self.ring.back().filter(|record| !record.sacked)?;
        Some(self.base + self.ring.len() as u64 - 1)
    }

    /// The first record's number, where there is one.
    pub fn first(&self) -> Option<u64> {
        self.ring.front().map(|_| self.base)
    }

    /// Forgets what was SACKed (ns-2 at a timeout, and a receiver that reneges: RFC 2018 section 8).
    pub fn forget_sacks(&mut self) {
        if self.sacked.is_empty() && self.sacked_bytes == 0 {
            return;
        }
        self.sacked.clear();
        (self.sacked_bytes, self.sacked_segments) = (0, 0);
        for i in 0..self.ring.len() as u64 {
            let number = self.base + i;
            if let Some(record) = self.at(number).filter(|record| record.sacked) {
                record.sacked = false;
                (record.lost, record.resent) = (false, false);
                let len = record.len();
                self.pipe += len;
                self.link_in_order(number);
            }
        }
        (self.judged, self.spare_from) = (self.base, self.base);
    }
}
