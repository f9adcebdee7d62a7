//! What an acknowledgement tells the law, whatever the recovery, and congestion marks.

use super::config::{EcnMode, ExitGrowth};
use super::law::{Ack, Flown, Law, Loss};
use super::record::News;
use super::sender::Sender;
use base::{Span, Time};
use net::{Flags, Segment};

/// Whether the window was used up lately: Linux's `tcp_cwnd_validate`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Use {
    /// The most that was in flight, bytes, until `end` is acknowledged.
    peak: u64,
    end: u64,
    /// The window held the sender back.
    bound: bool,
}

impl Sender {
    /// Everything a law may want of an acknowledgement, before it is taken.
    #[inline]
    pub(super) fn describe(&mut self, now: Time, ack: u64, rtt: Option<Span>) -> Ack {
        let flight = self.nxt - self.una;
        // A number more where the round goes beyond its begin.
        let round_ended = ack >= self.round_end + u64::from(self.config.round_beyond);
        if round_ended {
            self.round_end = self.max;
        }
        let acked = self.segments(ack - self.una);
        let flight_segments = self.segments(flight);
        Ack {
            now,
            acked,
            covered: acked,
            rtt,
            srtt: self.rtt.srtt(),
            min_rtt: self.rtt.min_rtt(),
            flight: flight_segments,
            inflight: flight_segments - acked,
            app_limited: self.is_app_limited(flight),
            // RFC 3168 section 6.1.2: an echo lets nothing grow.
            in_recovery: self.echoed,
            round_ended,
            delivery_rate: None,
            delivered: ack as i64 as f64 * self.per_mss,
            delivered_at_send: self.una as i64 as f64 * self.per_mss,
            rate_app_limited: false,
            flown: Flown { flight: flight_segments, lost: 0.0 },
            lost_flown: None,
            lost: 0.0,
            selective: false,
            ece: self.echoed,
            mss: self.mss as u32,
        }
    }

    /// Lets the law grow, and slow start's guard look at it.
    #[inline]
    pub(super) fn grow(&mut self, told: &Ack) {
        self.hystart.before(&mut self.window, told);
        let before = self.window.cwnd;
        self.law.on_ack(&mut self.window, told);
        self.hystart.after(&mut self.window, before);
    }

    /// The window did not hold the sender back.
    #[inline]
    fn is_app_limited(&self, flight: u64) -> bool {
        let window = self.window.whole().saturating_mul(self.mss);
        if !self.config.grow_from_half {
            return flight + self.mss <= window;
        }
        self.is_unused(window)
    }

    fn is_unused(&self, window: u64) -> bool {
        let half = self.window.in_slow_start() && window < self.used.peak.saturating_mul(2);
        !self.used.bound && !half
    }

    /// Segments were sent, or could not be: Linux's `tcp_cwnd_validate`.
    pub(super) fn note_use(&mut self) {
        let flight = self.nxt - self.una;
        let window = self.window.whole().saturating_mul(self.mss);
        let in_network = if self.by_board { self.sack.board.pipe() } else { flight };
        let bound = in_network + self.mss > window;
        let more = !self.used.bound && flight > self.used.peak;
        if self.una >= self.used.end || bound || more {
            self.used = Use { peak: flight, end: self.nxt, bound };
        }
    }

    /// RFC 7323 section 4.1: a sample from the echo of an acknowledgement that advances.
    pub(super) fn sample_stamps(&mut self, now: Time, segment: &Segment) -> Option<Span> {
        let (clock, stamps) = (self.clock?, segment.stamps()?);
        if segment.ack <= self.una || stamps.echo == 0 {
            return None;
        }
        self.rtt.stop_timing();
        let sample = clock.since(now, stamps.echo);
        self.rtt.sample(sample);
        Some(sample)
    }

    /// Linux's `tcp_ack_update_rtt`: what was acknowledged first, then what was SACKed, then the timestamps.
    pub(super) fn sample_ends(
        &mut self,
        now: Time,
        segment: &Segment,
        news: &News,
    ) -> Option<Span> {
        let acked = news.acked_once.filter(|_| !news.acked_again);
        let Some((oldest, _)) = acked.or(news.sacked_once) else {
            return self.sample_stamps(now, segment);
        };
        let newest = news.sacked_once.or(acked).map_or(oldest, |(_, newest)| newest);
        self.rtt.sample_both(now.since(oldest), now.since(newest));
        Some(now.since(newest))
    }

    /// The acknowledgement that ends a recovery, as it is told to the law.
    pub(super) fn grow_at_exit(&self, told: &mut Ack) {
        match self.config.sack.exit_grows {
            ExitGrowth::Nothing => return,
            ExitGrowth::Delivered => {}
            ExitGrowth::Covered => told.acked = told.covered,
        }
        (told.in_recovery, told.app_limited) = (self.echoed, false);
    }

    /// RFC 3168 section 6.1.2: a mark counts as a loss, once a round trip.
    #[inline]
    pub(super) fn note_echo(&mut self, segment: &Segment) {
        self.echoed = segment.flags.has(Flags::ECE) && self.config.ecn != EcnMode::Off;
        if self.echoed && segment.ack > self.mark_point {
            self.on_mark();
        }
    }

    fn on_mark(&mut self) {
        self.mark_point = self.max;
        self.answer_mark = true;
        if self.in_recovery || self.una < self.recover {
            // The window was cut in this round trip.
            return;
        }
        let base = self.loss_base();
        self.law.on_loss(&mut self.window, Loss::EcnMark, base);
        self.stats.window_cuts += 1;
        self.stats.marks += 1;
    }
}
