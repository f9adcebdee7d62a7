//! When the next segment may go: pacing, and the alarms beside the retransmission timer.

use super::law::Law;
use super::sender::Sender;
use base::{Span, Time};
use net::{Flags, Options, Segment};

/// Deadlines beside the retransmission timer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Alarms {
    /// Pacing lets the next segment go.
    pub pacing: Time,
    /// RACK looks again (RFC 8985 section 6.3).
    pub reorder: Time,
    /// The window is probed (RFC 9293 section 3.8.6.1).
    pub persist: Time,
}

impl Alarms {
    pub fn new() -> Alarms {
        Alarms { pacing: Time::NEVER, reorder: Time::NEVER, persist: Time::NEVER }
    }

    #[inline]
    pub fn next(&self) -> Time {
        self.pacing.min(self.reorder).min(self.persist)
    }
}

impl Sender {
    /// When the next segment may go: now or before, where nothing is paced.
    pub fn next_send(&self) -> Time {
        self.next_send
    }

    /// False, and an alarm, while the pace says to wait.
    pub(super) fn pace_allows(&mut self, now: Time) -> bool {
        if self.next_send <= now {
            return true;
        }
        self.alarms.pacing = self.next_send;
        false
    }

    /// `len` bytes are sent.
    #[inline]
    pub(super) fn note_pace(&mut self, now: Time, len: u64) {
        if let Some(rate) = self.pacing_rate() {
            let segments = len as f64 / self.mss as f64;
            self.next_send = self.next_send.max(now) + Span::from_secs((segments / rate).min(60.0));
        }
    }

    /// Segments a second: what the law says, else what the configuration makes of the window.
    #[inline]
    pub(super) fn pacing_rate(&self) -> Option<f64> {
        let by_law = self.law.pacing_rate();
        let rate = by_law.or_else(|| {
            let pacing = self.config.pacing?;
            let slow = self.window.in_slow_start();
            let gain = if slow { pacing.slow_start } else { pacing.avoidance };
            Some(gain * self.window.cwnd / self.rtt.srtt()?.as_secs())
        })?;
        (rate.is_finite() && rate > 0.0).then_some(rate)
    }

    /// RFC 9293 section 3.8.6: nothing new is sent beyond the window of the latest acknowledgement, be it a shrunk
    /// one (SHLD-14); one that advances nothing may be old, and only opens. True where it opens.
    #[inline]
    pub(super) fn take_window(&mut self, segment: &Segment) -> bool {
        let edge = segment.ack.saturating_add(u64::from(segment.window));
        let opened = edge > self.edge;
        if opened || segment.ack > self.una {
            self.edge = edge;
        }
        opened
    }

    /// Watches a window that holds everything back: nothing is under way whose acknowledgement would tell more.
    pub(super) fn watch_window(&mut self, now: Time) {
        let held_back =
            self.una == self.max && self.has_more() && self.fits_before(self.edge).is_none();
        if !held_back {
            (self.alarms.persist, self.persist_tries) = (Time::NEVER, 0);
        } else if self.alarms.persist == Time::NEVER {
            self.alarms.persist = now + self.persist_interval();
        }
    }

    /// The window is probed, or a piece sent that fits it (RFC 9293 sections 3.8.6.1 and 3.8.6.2.1).
    pub(super) fn on_persist(&mut self, now: Time, out: &mut Vec<Segment>) {
        self.alarms.persist = Time::NEVER;
        self.persist_tries += 1;
        self.stats.window_probes += 1;
        if self.edge > self.nxt {
            let len = self.edge - self.nxt;
            if self.recovery.uses_sack() && !self.ns2 {
                self.send_new(now, len, out);
            } else {
                self.send_next(now, len, out);
            }
            return;
        }
        // An old number and no data: the receiver answers with its window.
        let (seq, flags) = (self.una.saturating_sub(1), Flags::ACK);
        let options = Options::stamped(self.stamps(now));
        out.push(Segment { seq, ack: 1, flags, options, ..Segment::default() });
        self.alarms.persist = now + self.persist_interval();
    }

    /// RFC 5681 section 4.1: after an idle timeout the window is no larger than at first, where that is wanted.
    pub(super) fn restart_after_idle(&mut self, now: Time) {
        if self.una == self.max && now.since(self.last_sent) > self.rtt.rto() {
            if self.config.idle_restart {
                let restart = f64::from(self.config.initial_window.max(1));
                self.window.cwnd = self.window.cwnd.min(restart);
            }
            self.law.on_idle(&mut self.window);
        }
    }

    /// The retransmission timeout, doubled at each probe.
    fn persist_interval(&self) -> Span {
        let doubled = self.rtt.rto().0.saturating_mul(1 << self.persist_tries.min(16));
        Span(doubled).min(self.config.rto.max)
    }
}
