//! Bounds by losses: the long term (`inflight_longterm`, found by probing) and the short term
//! (`bw_shortterm`, `inflight_shortterm`, forgotten before each probe) (section 5.5.10).

use crate::tcp::law::bbr::model::{Delivery, MIN_CWND};
use crate::tcp::law::interface::Ack;

/// The bounds, infinite where there is none, and what the present round saw.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Segments that the path held without too much loss.
    pub inflight_longterm: f64,
    /// Segments/s since the last loss.
    bw_shortterm: f64,
    /// Segments since the last loss.
    inflight_shortterm: f64,
    /// Segments delivered within the flight of one segment, the most in this round.
    inflight_latest: f64,
    /// Acknowledgements in this round that told of losses.
    losses_in_round: u32,
    /// With this acknowledgement all is known of what was sent before the first loss of the round was.
    round_start: bool,
    bw_latest: f64,
    /// A loss came in this round.
    lossy: bool,
    /// The delivered count when the round began, or its first loss came, segments.
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

    /// Segments/s.
    pub fn bw_shortterm(&self) -> f64 {
        self.bw_shortterm
    }

    /// Segments since the last loss.
    pub fn inflight_shortterm(&self) -> f64 {
        self.inflight_shortterm
    }

    /// Returns whether `losses` separate losses came in the round that is over.
    pub fn had_losses(&self, losses: u32) -> bool {
        self.round_start && self.losses_in_round >= losses
    }

    /// Startup lost too much: what the path held is the BDP, or what was delivered in a round.
    pub fn end_startup(&mut self, bdp: f64) {
        let bound = if bdp.is_finite() { bdp } else { 0.0 };
        self.inflight_longterm = bound.max(self.inflight_latest);
    }

    /// The acknowledgement tells of a loss.
    pub fn on_loss(&mut self, a: &Ack) {
        self.losses_in_round += 1;
        if !self.lossy {
            self.round_end = a.delivered;
        }
        self.lossy = true;
    }

    /// UpdateLatestDeliverySignals, and the round; true where one is over in which losses came.
    pub fn update(&mut self, delivery: &Delivery, a: &Ack) -> bool {
        self.round_start = false;
        if delivery.newly_delivered > 0.0 {
            self.bw_latest = self.bw_latest.max(delivery.rate.unwrap_or(0.0));
            self.inflight_latest = self.inflight_latest.max(a.delivered - a.delivered_at_send);
            self.round_start = a.delivered_at_send >= self.round_end;
        }
        if !self.round_start {
            return false;
        }
        self.round_end = a.delivered;
        std::mem::take(&mut self.lossy)
    }

    /// AdaptLowerBoundsFromCongestion: `beta` of the bounds, or of `bw` and `cwnd` where there are none.
    pub fn lower(&mut self, beta: f64, bw: f64, cwnd: f64) {
        let or = |bound: f64, first: f64| if bound.is_finite() { bound } else { first };
        self.bw_shortterm = self.bw_latest.max(beta * or(self.bw_shortterm, bw));
        self.inflight_shortterm =
            self.inflight_latest.max(beta * or(self.inflight_shortterm, cwnd));
    }

    /// The long-term bound less the part that is left to others, segments.
    pub fn with_headroom(&self, headroom: f64) -> f64 {
        let bound = self.inflight_longterm;
        if bound.is_infinite() {
            return bound;
        }
        (bound - (headroom * bound).max(1.0)).max(MIN_CWND)
    }
}
