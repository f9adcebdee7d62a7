//! A segment that was sent, and the news of an acknowledgement about such.

use super::rate::PacketState;
use base::{Span, Time};

/// The mark for no record in the links.
pub(super) const NONE: u64 = u64::MAX;

/// A segment that was sent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record {
    pub start: u64,
    pub end: u64,
    /// Its last transmission.
    pub sent: Time,
    /// The state of the rate sampler when it was sent (draft-cheng-iccrg-delivery-rate-estimation section
    /// 3.2).
    pub rate: PacketState,
    /// Sent more than once.
    pub again: bool,
    pub sacked: bool,
    /// Its first transmission is taken for lost.
    pub(super) lost: bool,
    /// A retransmission is in the network.
    pub(super) resent: bool,
    pub(super) linked: bool,
    pub(super) older: u64,
    pub(super) newer: u64,
}

impl Record {
    /// A segment that is sent for the first time.
    pub(super) fn new(now: Time, start: u64, end: u64, rate: PacketState) -> Record {
        Record {
            start,
            end,
            sent: now,
            rate,
            again: false,
            sacked: false,
            lost: false,
            resent: false,
            linked: false,
            older: NONE,
            newer: NONE,
        }
    }

    pub(super) fn len(&self) -> u64 {
        self.end - self.start
    }

    /// Returns its count in the pipe (RFC 6675 section 4, SetPipe).
    pub(super) fn weight(&self) -> u64 {
        let copies = u64::from(!self.lost) + u64::from(self.resent);
        if self.sacked { 0 } else { copies * self.len() }
    }
}

/// The news of an acknowledgement.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NewlyDelivered {
    /// Bytes that SND.UNA advances by.
    pub acked: u64,
    /// Bytes delivered: newly SACKed, or acknowledged without having been SACKed.
    pub delivered: u64,
    /// Of those, SACKed.
    pub sacked: u64,
    /// The delivered segment that was sent last.
    pub newest: Option<Record>,
    /// The transmission time of the latest of those that were sent once.
    pub once: Option<Time>,
    /// The transmission times of the first and the last of those that were sent once and acknowledged without
    /// a SACK, in the order of their numbers; the same of those newly SACKed.
    pub acked_once: Option<(Time, Time)>,
    pub sacked_once: Option<(Time, Time)>,
    /// A segment that was sent again is acknowledged.
    pub acked_again: bool,
    /// The distance below the highest at which a segment that was sent once was delivered, bytes: the path
    /// reorders.
    pub reordered_by: u64,
    /// For RACK (RFC 8985 section 6.2, step 2): the transmission time of the one that was read last, and that
    /// of the one that was sent last, with its end.
    pub last_sent: Option<Time>,
    pub rack: Option<(Time, u64)>,
    /// One past the highest number SACKed or acknowledged before.
    pub(super) highest: u64,
    /// A segment that was sent again, and later than this, was delivered by its first transmission.
    pub(super) too_soon: Time,
}

impl NewlyDelivered {
    /// Nothing yet, at `now`, above `highest`, on a path whose shortest round trip is `min_rtt`.
    pub(super) fn new(now: Time, highest: u64, min_rtt: Option<Span>) -> NewlyDelivered {
        let too_soon = min_rtt.map_or(now, |min| Time(now.0.saturating_sub(min.0)));
        NewlyDelivered { highest, too_soon, ..NewlyDelivered::default() }
    }

    /// `record` is newly SACKed.
    pub(super) fn note_sacked(&mut self, record: &Record) {
        if !record.again {
            widen(&mut self.sacked_once, record.sent);
        }
    }

    /// `record` is acknowledged.
    pub(super) fn note_acknowledged(&mut self, record: &Record) {
        if record.again {
            self.acked_again = true;
        } else if !record.sacked {
            widen(&mut self.acked_once, record.sent);
        }
    }

    pub(super) fn add(&mut self, record: &Record) {
        self.delivered += record.len();
        if !record.again || record.sent <= self.too_soon {
            self.last_sent = Some(record.sent);
            self.rack = self.rack.max(Some((record.sent, record.end)));
        }
        let newer = |newest: Record| (newest.sent, newest.end) < (record.sent, record.end);
        if self.newest.is_none_or(newer) {
            self.newest = Some(*record);
        }
        if !record.again {
            self.once = self.once.max(Some(record.sent));
            if record.end < self.highest {
                self.reordered_by = self.reordered_by.max(self.highest - record.start);
            }
        }
    }
}

/// Takes in the next in order.
fn widen(ends: &mut Option<(Time, Time)>, sent: Time) {
    *ends = Some((ends.map_or(sent, |(first, _)| first), sent));
}
