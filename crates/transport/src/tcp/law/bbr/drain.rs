//! Drain: Startup's queue leaves at the inverse of its gain, until one BDP is in flight (section 4.3.3).

use crate::tcp::law::interface::Ack;
use super::{Bbr, State};

impl Bbr {
    pub(super) fn enter_drain(&mut self) {
        self.state = State::Drain;
        (self.pacing_gain, self.cwnd_gain) = (1.0 / self.p.high_gain, self.p.high_gain);
    }

    pub(super) fn check_drain(&mut self, a: &Ack) {
        if self.state == State::Drain && a.inflight <= self.quantized(self.inflight(1.0)) {
            self.enter_probe_bw(a.now);
        }
    }
}
