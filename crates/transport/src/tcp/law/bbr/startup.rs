//! Startup: the rate doubles each round until three rounds bring less than a quarter more (section 4.3.2).

use crate::tcp::law::interface::Ack;
use super::{Bbr, State};

/// Growth of the bandwidth that says that the pipe is not full (section 4.3.2.2).
const GROWTH: f64 = 1.25;

/// Rounds without it that say that it is.
const ROUNDS: u32 = 3;

/// What tells that the pipe is full.
#[derive(Clone, Copy, Debug, Default)]
pub struct FullPipe {
    /// It is.
    pub filled: bool,
    bw: f64,
    rounds: u32,
}

impl Bbr {
    pub(super) fn enter_startup(&mut self) {
        self.state = State::Startup;
        (self.pacing_gain, self.cwnd_gain) = (self.p.high_gain, self.p.high_gain);
    }

    /// Sections 4.3.2.2 and 4.3.3: the pipe is full, the queue is drained next.
    pub(super) fn check_full_pipe(&mut self, a: &Ack) {
        let pipe = &mut self.startup;
        if !pipe.filled && self.path.round_start && !a.rate_app_limited {
            let bw = self.btl_bw.max();
            if bw >= pipe.bw * GROWTH {
                (pipe.bw, pipe.rounds) = (bw, 0);
            } else {
                pipe.rounds += 1;
                pipe.filled = pipe.rounds >= ROUNDS;
            }
        }
        if self.state == State::Startup && self.startup.filled {
            self.enter_drain();
        }
    }
}
