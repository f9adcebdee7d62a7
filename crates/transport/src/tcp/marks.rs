//! The sender's side of explicit congestion notification (RFC 3168 section 6.1, RFC 9768).

use super::accurate::Heard;
use base::{Span, Time};
use net::{Flags, Segment};

/// The marks that were echoed, and those that are answered.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Marks {
    /// The acknowledgement at hand echoes a mark, or some are counted that the law does not know.
    echoed: bool,
    /// While it does, nothing grows.
    stops_growth: bool,
    /// Marks echoed up to here are answered.
    point: u64,
    /// The next new segment says that the window was reduced.
    answer: bool,
    /// Accurate ECN: the receiver's counter.
    heard: Heard,
    /// Segments newly counted as marked that the law does not know.
    untold: f64,
    /// All marked segments.
    marked: f64,
    /// Time of the last answer.
    answered: Option<Time>,
}

impl Marks {
    pub fn echoed(&self) -> bool {
        self.echoed
    }

    /// True within the round trip after a mark was answered, while `una` is the oldest byte in flight.
    pub fn are_answered_beyond(&self, una: u64) -> bool {
        una < self.point
    }

    /// True where the acknowledgement at hand lets nothing grow (RFC 3168 section 6.1.2).
    pub fn stops_growth(&self) -> bool {
        self.stops_growth
    }

    /// Newly marked data for the law, in segments, of an acknowledgement that echoes a mark and takes in `acked`, and whether
    /// it lets nothing grow.
    #[inline]
    pub fn take_marked(&mut self, acked: f64) -> (f64, bool) {
        if self.stops_growth {
            self.marked += acked;
            return (acked, true);
        }
        self.echoed = false;
        (std::mem::take(&mut self.untold), false)
    }

    /// The marked segments of the connection so far. RFC 3168's echo lasts until it is answered, so that a single mark counts
    /// for all that is acknowledged in about a round trip.
    pub fn marked_segments(&self) -> f64 {
        self.marked
    }

    /// Looks for the echo of a mark; true where it is the first in this round trip, of which `max` is the end: then the
    /// window is to be cut (section 6.1.2).
    #[inline]
    pub fn on_ack(&mut self, segment: &Segment, max: u64) -> bool {
        self.echoed = segment.flags.has(Flags::ECE);
        self.stops_growth = self.echoed;
        let first = self.echoed && segment.ack > self.point;
        if first {
            (self.point, self.answer) = (max, true);
        }
        first
    }

    /// The same where the receiver counts marks (RFC 9768), with segments of `mss` bytes: true where one is told and the
    /// last answer was no less than a round trip and `least` ago.
    pub fn on_counts(
        &mut self,
        (now, least): (Time, Span),
        segment: &Segment,
        (max, mss): (u64, u64),
    ) -> bool {
        let bytes = self.heard.take(segment);
        if bytes == 0 {
            return false;
        }
        let marked = f64::from(bytes) / mss as f64;
        self.untold += marked;
        self.marked += marked;
        self.echoed = true;
        let rested = self.answered.is_none_or(|answered| now >= answered + least);
        let due = rested && segment.ack > self.point;
        if due {
            (self.point, self.answered) = (max, Some(now));
        }
        due
    }

    /// The acknowledgement at hand is answered.
    pub fn end_echo(&mut self) {
        (self.echoed, self.stops_growth) = (false, false);
    }

    /// True where a new segment is to carry the answer; it does then.
    pub fn take_answer(&mut self) -> bool {
        std::mem::take(&mut self.answer)
    }
}
