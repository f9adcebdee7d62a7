//! The clock of the timestamps option (RFC 7323 section 5.4).

use base::{Span, Time};

/// Counts ticks from 1 on, so that 0 never stands for a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Clock {
    tick: u64,
}

impl Clock {
    pub fn new(tick: Span) -> Clock {
        Clock { tick: tick.0.max(1) }
    }

    /// The value at `now`; it wraps.
    pub fn at(self, now: Time) -> u32 {
        (now.0 / self.tick + 1) as u32
    }

    /// How long ago the clock said `value`, to a tick.
    pub fn since(self, now: Time, value: u32) -> Span {
        Span(u64::from(self.at(now).wrapping_sub(value)) * self.tick)
    }
}
