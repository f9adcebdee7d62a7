//! Drain: Startup's queue leaves at half the rate (section 5.3.2).

use crate::tcp::law::interface::Ack;
use super::{Bbr3, State};

/// After so many rounds it ends with more than a BDP in flight too.
const MOST_ROUNDS: u32 = 3;

impl Bbr3 {
    pub(super) fn enter_drain(&mut self) {
        self.state = State::Drain;
        (self.pacing_gain, self.cwnd_gain) = (self.p.drain_gain, self.p.cwnd_gain);
        self.rounds_in_drain = 0;
    }

    pub(super) fn check_drain(&mut self, a: &Ack) {
        if self.state != State::Drain {
            return;
        }
        if self.path.round_start {
            self.rounds_in_drain += 1;
        }
        // The round in which it begins is the first.
        let bdp = self.quantized(self.inflight(self.bw(), 1.0));
        if a.inflight <= bdp || self.rounds_in_drain > MOST_ROUNDS {
            self.enter_down(a.now);
        }
    }
}
