//! Startup: the rate doubles each round until three rounds bring less than a quarter more (section 4.3.2).

use super::model::Delivery;
use crate::tcp::law::interface::Ack;

/// Growth of the bandwidth that says that the pipe is not full (section 4.3.2.2).
const GROWTH: f64 = 1.25;

/// Rounds without it that say that it is.
const ROUNDS: u32 = 3;

/// Signs that the pipe is full.
#[derive(Clone, Copy, Debug, Default)]
pub struct FullPipe {
    filled: bool,
    bw: f64,
    rounds: u32,
}

impl FullPipe {
    /// The pipe is full, once for all.
    pub fn filled(&self) -> bool {
        self.filled
    }

    /// Section 4.3.2.2, with an estimate of `bw` segments/s.
    pub fn check(&mut self, bw: f64, delivery: &Delivery, a: &Ack) {
        if self.filled || !delivery.round_start || a.rate_app_limited {
            return;
        }
        if bw >= self.bw * GROWTH {
            (self.bw, self.rounds) = (bw, 0);
        } else {
            self.rounds += 1;
            self.filled = self.rounds >= ROUNDS;
        }
    }
}
