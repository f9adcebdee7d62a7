//! The report of an acknowledgement to the law, for any recovery.

use super::Tcb;
use crate::tcp::law::{Ack, Flown, Law};
use base::{Span, Time};
use net::Segment;

impl Tcb {
    /// Everything a law may want of an acknowledgement, before it is taken.
    #[inline]
    pub fn describe(&mut self, now: Time, ack: u64, rtt: Option<Span>) -> Ack {
        let (una, flight) = (self.seq.una(), self.seq.flight());
        // A number more where the round goes beyond its begin.
        let round_ended = ack >= self.round_end + u64::from(self.config.round_beyond);
        if round_ended {
            self.round_end = self.seq.max();
        }
        let acked = self.seq.segments(ack - una);
        let flight_segments = self.seq.segments(flight);
        let ece = self.marks.echoed();
        let (marked, stops) = if ece { self.marks.take_marked(acked) } else { (0.0, false) };
        Ack {
            now,
            acked,
            covered: acked,
            rtt: rtt.into(),
            srtt: self.rtt.srtt().into(),
            min_rtt: self.rtt.min_rtt().into(),
            flight: flight_segments,
            inflight: flight_segments - acked,
            app_limited: self.is_app_limited(flight),
            // RFC 3168 section 6.1.2: an echo lets nothing grow.
            in_recovery: stops,
            round_ended,
            delivered: ack as i64 as f64 * self.seq.per_mss(),
            delivered_at_send: una as i64 as f64 * self.seq.per_mss(),
            flown: Flown { flight: flight_segments, lost: 0.0 },
            ece,
            marked,
            mss: self.seq.mss() as u32,
            ..Ack::default()
        }
    }

    /// Lets the law grow, and slow start's guard look at it.
    #[inline]
    pub fn grow(&mut self, told: &Ack) {
        let Some(hystart) = &mut self.hystart else {
            return self.law.on_ack(&mut self.window, told);
        };
        hystart.before(&mut self.window, told);
        let before = self.window.cwnd;
        self.law.on_ack(&mut self.window, told);
        hystart.after(&mut self.window, before);
    }

    /// The window in bytes, whole segments.
    pub fn window_bytes(&self) -> u64 {
        self.window.whole().saturating_mul(self.seq.mss())
    }

    /// The window did not hold the sender back.
    #[inline]
    fn is_app_limited(&self, flight: u64) -> bool {
        if !self.config.grow_from_half {
            return flight + self.seq.mss() <= self.window_bytes();
        }
        self.usage.is_short(self.window_bytes(), self.window.in_slow_start())
    }

    /// Segments were sent, or could not be, and `pipe` bytes are in the network: whether the window bound.
    #[inline]
    pub fn note_use(&mut self, pipe: u64) {
        if self.config.grow_from_half {
            let bound = pipe + self.seq.mss() > self.window_bytes();
            self.usage.note(self.seq.una(), self.seq.nxt(), bound);
        }
    }

    /// RFC 7323 section 4.1: a sample from the echo of an acknowledgement that advances.
    pub fn sample_stamps(&mut self, now: Time, segment: &Segment) -> Option<Span> {
        if segment.ack <= self.seq.una() {
            return None;
        }
        let sample = self.timestamps.round_trip(now, segment)?;
        self.rtt.stop_timing();
        self.rtt.sample(sample);
        Some(sample)
    }
}
