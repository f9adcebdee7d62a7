//! What losses bound: the long term (`inflight_longterm`, found by probing) and the short term (`bw_shortterm`,
//! `inflight_shortterm`, forgotten before each probe) (section 5.5.10).

use super::{Bbr3, Path, State};
use crate::tcp::law::Ack;
use crate::tcp::window::Window;

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
    bw_latest: f64,
    lost: f64,
    /// Lost when this round and the last began.
    lost_before: [f64; 2],
    /// What the newest acknowledged segment left in flight when it was sent, segments.
    pub tx_in_flight: f64,
    app_limited: bool,
    /// A new flight begins: earlier signals are judged.
    fresh: bool,
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
            bw_latest: 0.0,
            lost: 0.0,
            lost_before: [0.0; 2],
            tx_in_flight: 0.0,
            app_limited: false,
            fresh: false,
        }
    }
}

impl Bounds {
    /// More than `threshold` of what was in flight with the newest acknowledged segment is lost.
    pub fn loss_is_high(&self, threshold: f64) -> bool {
        self.lost - self.lost_before[0] > threshold * self.tx_in_flight
    }

    /// The flight was held back by the application: it says nothing of the path's limit.
    pub fn app_limited(&self) -> bool {
        self.app_limited
    }

    /// No short-term bounds: before a probe.
    pub fn forget_shortterm(&mut self) {
        (self.bw_shortterm, self.inflight_shortterm) = (f64::INFINITY, f64::INFINITY);
    }

    /// A round begins with what this acknowledgement brought.
    pub fn forget_latest(&mut self, path: &Path) {
        if self.fresh {
            self.bw_latest = path.rate.unwrap_or(0.0);
            self.inflight_latest = path.newly_delivered;
            self.losses_in_round = 0;
            self.lost_before = [self.lost_before[1], self.lost];
        }
    }
}

impl Bbr3 {
    pub(super) fn note_losses(&mut self, w: &Window, a: &Ack) {
        let b = &mut self.bounds;
        let flown = (a.delivered - a.delivered_at_send).max(0.0);
        b.lost += a.lost;
        b.losses_in_round += u32::from(a.lost > 0.0);
        b.fresh = self.path.round_start;
        b.app_limited = a.rate_app_limited;
        b.tx_in_flight = flown + (b.lost - b.lost_before[0]);
        b.inflight_latest = b.inflight_latest.max(flown);
        b.bw_latest = b.bw_latest.max(self.path.rate.unwrap_or(0.0));
        let probing = matches!(self.state, State::Startup | State::Refill | State::Up);
        if b.fresh && b.losses_in_round > 0 && !probing {
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
