//! Startup: the rate doubles each round until it no longer grows, or until too much is lost (section 5.3.1).

use crate::tcp::law::interface::Ack;
use super::{Bbr3, State};

/// Growth that says that the pipe is not full, and rounds without it that say that it is (section 5.3.1.2).
const GROWTH: f64 = 1.25;
const ROUNDS: u32 = 3;

/// Separate losses in a round that end Startup (section 5.3.1.3).
const LOSSES: u32 = 6;

/// What tells that the bandwidth is found.
#[derive(Clone, Copy, Debug, Default)]
pub struct FullBw {
    /// Once for all.
    pub reached: bool,
    /// In this probe.
    pub now: bool,
    pub(super) bw: f64,
    rounds: u32,
}

impl Bbr3 {
    pub(super) fn enter_startup(&mut self) {
        self.state = State::Startup;
        (self.pacing_gain, self.cwnd_gain) = (self.p.startup_gain, self.p.cwnd_gain);
    }

    /// Another probe, from `bw` segments/s on.
    pub(super) fn reset_full_bw(&mut self, bw: f64) {
        (self.full.now, self.full.bw, self.full.rounds) = (false, bw, 0);
    }

    pub(super) fn check_startup(&mut self, a: &Ack) {
        self.check_full_bw(a);
        if self.state != State::Startup {
            return;
        }
        let many = self.bounds.round_start && self.bounds.losses_in_round >= LOSSES;
        if many && a.in_recovery && self.is_too_high(a.flown) {
            self.full.reached = true;
            let bdp = self.inflight(self.max_bw.max(), 1.0);
            let bound = if bdp.is_finite() { bdp } else { 0.0 };
            self.bounds.inflight_longterm = bound.max(self.bounds.inflight_latest);
        }
        if self.full.reached {
            self.enter_drain();
        }
    }

    fn check_full_bw(&mut self, a: &Ack) {
        let Some(rate) = self.path.rate else { return };
        if self.full.now || a.rate_app_limited || !self.path.round_start {
            return;
        }
        if rate >= self.full.bw * GROWTH {
            self.reset_full_bw(rate);
        } else {
            self.full.rounds += 1;
            self.full.now = self.full.rounds >= ROUNDS;
            self.full.reached |= self.full.now;
        }
    }
}
