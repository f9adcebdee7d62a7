//! For how long a channel is taken.

use crate::mlme::Channel;
use base::{Span, Time};

/// For how long somebody has transmitted on a channel.
#[derive(Clone, Copy, Debug, Default)]
pub struct Busy {
    /// Which.
    pub channel: Channel,
    /// Number of those that transmit.
    pub on_air: u32,
    /// End of the last frame.
    pub until: Time,
    since: Time,
    time: Span,
}

impl Busy {
    /// A channel that is free.
    pub fn of(channel: Channel) -> Busy {
        Busy { channel, ..Busy::default() }
    }

    /// Time since which it has been busy, if it is: not before the measurement began.
    fn began(&self) -> Time {
        if self.on_air > 0 { self.since } else { self.until.max(self.since) }
    }

    /// The time up to `now`; `runs`: it is taken now.
    pub fn time_by(&self, now: Time, runs: bool) -> Span {
        self.time + if runs { now.since(self.began()) } else { Span::ZERO }
    }

    /// What has been counted so far does not count.
    pub fn begin_measurement(&mut self, now: Time) {
        (self.time, self.since) = (Span::ZERO, now);
    }

    /// A frame begins; a SIFS after the last one counts.
    #[inline]
    pub fn begin(&mut self, now: Time, sifs: Span) {
        if self.on_air == 0 {
            let gap = now.since(self.until);
            self.since = if gap <= sifs { self.until.max(self.since) } else { now };
        }
        self.on_air += 1;
    }

    /// A frame ends.
    #[inline]
    pub fn end(&mut self, now: Time) {
        self.on_air -= 1;
        self.until = now;
        if self.on_air == 0 {
            self.time += now.since(self.since);
        }
    }
}
