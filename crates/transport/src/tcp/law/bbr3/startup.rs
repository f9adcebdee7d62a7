//! Startup: the rate doubles each round until it no longer grows, or until too much is lost (section 5.3.1).

use crate::tcp::law::bbr::model::Delivery;
use crate::tcp::law::interface::Ack;

/// Growth that says that the pipe is not full, and rounds without it that say that it is (section 5.3.1.2).
const GROWTH: f64 = 1.25;
const ROUNDS: u32 = 3;

/// Separate losses in a round that end Startup (section 5.3.1.3).
pub const LOSSES: u32 = 6;

/// Signs that the bandwidth is found.
#[derive(Clone, Copy, Debug, Default)]
pub struct FullBw {
    /// Once for all.
    pub reached: bool,
    now: bool,
    bw: f64,
    rounds: u32,
}

impl FullBw {
    /// In this probe.
    pub fn now(&self) -> bool {
        self.now
    }

    /// Another probe, from `bw` segments/s on.
    pub fn reset(&mut self, bw: f64) {
        (self.now, self.bw, self.rounds) = (false, bw, 0);
    }

    /// CheckFullBWReached.
    pub fn check(&mut self, delivery: &Delivery, a: &Ack) {
        let Some(rate) = delivery.rate else { return };
        if self.now || a.rate_app_limited || !delivery.round_start {
            return;
        }
        if rate >= self.bw * GROWTH {
            self.reset(rate);
        } else {
            self.rounds += 1;
            self.now = self.rounds >= ROUNDS;
            self.reached |= self.now;
        }
    }
}
