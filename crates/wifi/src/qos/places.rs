//! When each MPDU of an aggregate is on the air.

use super::window::DELIMITER;
use crate::exchange::Frame;
use crate::station::Interval;
use base::{Span, Time};

/// The places of MPDUs in their PPDU: bytes fill its payload evenly.
#[derive(Clone, Copy, Debug)]
pub struct Places {
    payload: Interval,
    bytes: u64,
    sent: u64,
}

impl Places {
    /// Those in a frame with a PSDU of `bytes`.
    pub fn new(frame: &Frame, bytes: u64) -> Places {
        let payload = Interval { start: frame.start + frame.plcp, end: frame.end() };
        Places { payload, bytes, sent: 0 }
    }

    /// First and last instant of the next MPDU, of `bytes`, with its delimiter and what pads the one before.
    #[inline]
    pub fn next(&mut self, bytes: u32) -> (Time, Time) {
        let begins = self.sent;
        self.sent = begins.next_multiple_of(4) + DELIMITER + u64::from(bytes);
        (self.within(begins), self.within(self.sent))
    }

    /// Bytes of the PSDU up to the end of the last MPDU.
    pub fn sent(&self) -> u64 {
        self.sent
    }

    /// When the byte before the `sent`-th ends.
    #[inline]
    fn within(&self, sent: u64) -> Time {
        // Milliseconds in nanoseconds, times megabytes: far from overflow.
        let length = self.payload.end.since(self.payload.start).0;
        self.payload.start + Span(length * sent.min(self.bytes) / self.bytes.max(1))
    }
}
