//! The sender's deadlines: retransmission or tail loss probe, RACK's reordering, the window's probe, the pace.

use base::{Span, Time};

/// A time of expiry; [`Time::NEVER`]: none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timers {
    /// RFC 6298's timer.
    retransmission: Time,
    /// True for a tail loss probe (RFC 8985 section 7.2).
    is_probe: bool,
    /// Pacing lets the next segment go.
    pacing: Time,
    /// RACK looks again (RFC 8985 section 6.3).
    reorder: Time,
    /// The window is probed (RFC 9293 section 3.8.6.1).
    persist: Time,
    /// Probes of the same window.
    persist_tries: u32,
    /// Before this, nothing goes that is paced.
    next_send: Time,
}

impl Timers {
    pub fn new() -> Timers {
        Timers {
            retransmission: Time::NEVER,
            is_probe: false,
            pacing: Time::NEVER,
            reorder: Time::NEVER,
            persist: Time::NEVER,
            persist_tries: 0,
            next_send: Time::ZERO,
        }
    }

    /// The first of all.
    #[inline]
    pub fn next(&self) -> Time {
        self.retransmission.min(self.pacing).min(self.reorder).min(self.persist)
    }

    pub fn retransmission(&self) -> Time {
        self.retransmission
    }

    pub fn is_probe(&self) -> bool {
        self.is_probe
    }

    /// RFC 6298 (5.1): runs from now on, where it does not.
    #[inline]
    pub fn start(&mut self, due: Time) {
        if self.retransmission == Time::NEVER {
            self.retransmission = due;
        }
    }

    /// (5.2), (5.3): starts the timer for a retransmission at `due`.
    pub fn restart(&mut self, due: Time) {
        (self.retransmission, self.is_probe) = (due, false);
    }

    /// Starts the timer for a probe of the tail at `due`.
    pub fn await_probe(&mut self, due: Time) {
        (self.retransmission, self.is_probe) = (due, true);
    }

    pub fn set_reorder(&mut self, due: Time) {
        self.reorder = due;
    }

    /// True where RACK is to look again now.
    pub fn take_reorder(&mut self, now: Time) -> bool {
        take(&mut self.reorder, now)
    }

    pub fn next_send(&self) -> Time {
        self.next_send
    }

    /// Segments that take `time` at the pace are sent now.
    pub fn pace(&mut self, now: Time, time: Span) {
        self.next_send = self.next_send.max(now) + time;
    }

    /// Records whether a segment waits for the pace alone.
    pub fn wait_for_pace(&mut self, waits: bool) {
        self.pacing = if waits { self.next_send } else { Time::NEVER };
    }

    /// True where the pace lets go what waited for it.
    pub fn take_pacing(&mut self, now: Time) -> bool {
        take(&mut self.pacing, now)
    }

    pub fn is_persisting(&self) -> bool {
        self.persist != Time::NEVER
    }

    /// True where the window is to be probed now: once more.
    pub fn take_persist(&mut self, now: Time) -> bool {
        let due = take(&mut self.persist, now);
        self.persist_tries += u32::from(due);
        due
    }

    /// Waits for a probe of the window: `rto`, doubled at each, at most `most`.
    pub fn await_persist(&mut self, now: Time, rto: Span, most: Span) {
        let doubled = rto.0.saturating_mul(1 << self.persist_tries.min(16));
        self.persist = now + Span(doubled).min(most);
    }

    /// The window holds nothing back.
    pub fn stop_persist(&mut self) {
        (self.persist, self.persist_tries) = (Time::NEVER, 0);
    }
}

/// True where a deadline has come; it has passed then.
fn take(deadline: &mut Time, now: Time) -> bool {
    let due = now >= *deadline;
    if due {
        *deadline = Time::NEVER;
    }
    due
}
