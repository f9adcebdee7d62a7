//! The clock of the timestamps option (RFC 7323 section 5.4), and the sender's side of the option.

use base::{Span, Time};
use net::{Segment, Stamps};

/// Counts ticks from 1 on, so that 0 is never a time.
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

    /// Returns the time since the clock showed `value`, to a tick.
    pub fn since(self, now: Time, value: u32) -> Span {
        Span(u64::from(self.at(now).wrapping_sub(value)) * self.tick)
    }
}

/// The sender's clock, and what it knows of the other side's.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timestamps {
    clock: Option<Clock>,
    /// The other side's clock, as it was last told.
    peer: u32,
}

impl Timestamps {
    /// `tick`: of the clock, where the option is used.
    pub fn new(tick: Option<Span>) -> Timestamps {
        Timestamps { clock: tick.map(Clock::new), peer: 0 }
    }

    pub fn is_used(&self) -> bool {
        self.clock.is_some()
    }

    /// The clock's value.
    pub fn value(&self, now: Time) -> Option<u32> {
        self.clock.map(|clock| clock.at(now))
    }

    /// The option of a segment that goes out.
    pub fn option(&self, now: Time) -> Option<Stamps> {
        self.clock.map(|clock| Stamps { value: clock.at(now), echo: self.peer })
    }

    /// A segment comes in.
    #[inline]
    pub fn note(&mut self, segment: &Segment) {
        if let Some(stamps) = segment.stamps() {
            self.peer = stamps.value;
        }
    }

    /// RFC 7323 section 4.1: the round trip that the echo tells of.
    pub fn round_trip(&self, now: Time, segment: &Segment) -> Option<Span> {
        let (clock, stamps) = (self.clock?, segment.stamps()?);
        (stamps.echo != 0).then(|| clock.since(now, stamps.echo))
    }
}
