//! What losses bound: the long term (`inflight_longterm`, found by probing) and the short term (`bw_shortterm`,
//! `inflight_shortterm`, forgotten before each probe) (section 5.5.10).

use crate::tcp::law::interface::{Ack, Flown};
use crate::tcp::window::Window;
use super::{Bbr3, State};

/// The bounds, infinite where there is none, and what the present round saw.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Segments that the path held without too much loss.
    pub inflight_longterm: f64,
    /// Segments/s since the last loss.
    pub bw_shortterm: f64,
    /// Segments since the last loss.
    pub inflight_shortterm: f64,
    /// Segments delivered within the flight of one segment, the most in this round.
    pub inflight_latest: f64,
    /// Acknowledgements in this round that told of losses.
    pub losses_in_round: u32,
    /// With this acknowledgement all is known of what was sent before the first loss of the round was.
    pub round_start: bool,
    bw_latest: f64,
    /// A loss came in this round.
    lossy: bool,
    /// What was delivered when the round began, or its first loss came, segments.
    round_end: f64,
}

impl Default for Bounds {
    fn default() -> Bounds {
        let none = f64::INFINITY;
        Bounds {
            inflight_longterm: none,
            bw_shortterm: none,
            inflight_shortterm: none,
            inflight_latest: 0.0,
            losses_in_round: 0,
            round_start: false,
            bw_latest: 0.0,
            lossy: false,
            round_end: 0.0,
        }
    }
}

impl Bounds {
    /// No short-term bounds: before a probe.
    pub fn forget_shortterm(&mut self) {
        (self.bw_shortterm, self.inflight_shortterm) = (f64::INFINITY, f64::INFINITY);
    }

    /// ResetCongestionSignals: a cycle begins.
    pub fn forget_signals(&mut self) {
        self.lossy = false;
        (self.bw_latest, self.inflight_latest) = (0.0, 0.0);
    }

    /// AdvanceLatestDeliverySignals: a round begins with what this acknowledgement brought.
    pub fn advance(&mut self, rate: Option<f64>, a: &Ack) {
        if self.round_start {
            self.bw_latest = rate.unwrap_or(0.0);
            self.inflight_latest = (a.delivered - a.delivered_at_send).max(0.0);
            self.losses_in_round = 0;
        }
    }
}

impl Bbr3 {
    /// IsInflightTooHigh: more than the threshold of a flight was lost.
    pub(super) fn is_too_high(&self, flown: Flown) -> bool {
        flown.lost > flown.flight * self.p.loss_threshold
    }

    /// HandleLostPacket: what the segment that was lost last says of its flight.
    pub(super) fn note_losses(&mut self, w: &Window, a: &Ack) {
        if a.lost <= 0.0 {
            return;
        }
        self.bounds.losses_in_round += 1;
        if !self.bounds.lossy {
            self.bounds.round_end = a.delivered;
        }
        self.bounds.lossy = true;
        if let Some(flown) = a.lost_flown.filter(|&flown| self.is_too_high(flown)) {
            self.on_too_high(flown, w, a);
        }
    }

    /// UpdateLatestDeliverySignals and UpdateCongestionSignals.
    pub(super) fn adapt_shortterm(&mut self, w: &Window, a: &Ack) {
        let probing = matches!(self.state, State::Startup | State::Refill | State::Up);
        let b = &mut self.bounds;
        b.round_start = false;
        if self.path.newly_delivered > 0.0 {
            b.bw_latest = b.bw_latest.max(self.path.rate.unwrap_or(0.0));
            b.inflight_latest = b.inflight_latest.max(a.delivered - a.delivered_at_send);
            b.round_start = a.delivered_at_send >= b.round_end;
        }
        if !b.round_start {
            return;
        }
        b.round_end = a.delivered;
        if std::mem::take(&mut b.lossy) && !probing {
            let beta = self.p.beta;
            let bw = if b.bw_shortterm.is_finite() { b.bw_shortterm } else { self.max_bw.max() };
            let inflight =
                if b.inflight_shortterm.is_finite() { b.inflight_shortterm } else { w.cwnd };
            b.bw_shortterm = b.bw_latest.max(beta * bw);
            b.inflight_shortterm = b.inflight_latest.max(beta * inflight);
        }
    }

    /// Section 5.6.4.7: the bounds on cwnd in this state, segments.
    pub(super) fn cwnd_bound(&self) -> f64 {
        let b = &self.bounds;
        let longterm = match self.state {
            State::Down | State::Refill | State::Up => b.inflight_longterm,
            State::Cruise | State::ProbeRtt => self.with_headroom(),
            State::Startup | State::Drain => f64::INFINITY,
        };
        longterm.min(b.inflight_shortterm)
    }

    /// The long-term bound less what is left to others, segments.
    pub(super) fn with_headroom(&self) -> f64 {
        let bound = self.bounds.inflight_longterm;
        if bound.is_infinite() {
            return bound;
        }
        (bound - (self.p.headroom * bound).max(1.0)).max(super::MIN_CWND)
    }
}
