//! ProbeBW: eight phases of a round-trip each: a quarter more, a quarter less, six as estimated (section 4.3.4).

use crate::tcp::law::interface::Ack;
use super::{Bbr, State, since};
use base::Time;

/// Pacing by the phase (section 4.3.4.1).
const GAINS: [f64; 8] = [1.25, 0.75, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0];

/// Where the cycle stands.
#[derive(Clone, Copy, Debug)]
pub struct Cycle {
    phase: usize,
    began: Time,
    /// The phase before the first: any but the one that leads to the second (a quarter less).
    first: usize,
}

impl Cycle {
    /// A cycle that begins where `salt` says (section 4.3.4.3: at random, but not with a quarter less).
    pub fn new(salt: f64) -> Cycle {
        let random = (salt.abs() as u64 % 7) as usize;
        Cycle { phase: 0, began: Time::ZERO, first: GAINS.len() - 1 - random }
    }
}

impl Bbr {
    pub(super) fn enter_probe_bw(&mut self, now: Time) {
        self.state = State::ProbeBw;
        self.cwnd_gain = self.p.cwnd_gain;
        self.cycle.phase = self.cycle.first;
        self.next_phase(now);
    }

    pub(super) fn check_cycle(&mut self, a: &Ack) {
        if self.state == State::ProbeBw && self.phase_is_over(a) {
            self.next_phase(a.now);
        }
    }

    /// The phase with a quarter more.
    pub(super) fn probes_up(&self) -> bool {
        self.state == State::ProbeBw && self.cycle.phase == 0
    }

    fn next_phase(&mut self, now: Time) {
        self.cycle.phase = (self.cycle.phase + 1) % GAINS.len();
        self.cycle.began = now;
        self.pacing_gain = GAINS[self.cycle.phase];
    }

    /// Section 4.3.4.3: more lasts until it is in flight or lost, less until the queue is gone.
    fn phase_is_over(&self, a: &Ack) -> bool {
        let Some(rtprop) = self.probe_rtt.rtprop() else { return false };
        let full_length = since(a.now, self.cycle.began) > rtprop;
        let before = a.inflight + self.path.newly_delivered + a.lost;
        if self.pacing_gain > 1.0 {
            let aim = self.quantized(self.inflight(self.pacing_gain));
            full_length && (a.lost > 0.0 || before >= aim)
        } else if self.pacing_gain < 1.0 {
            full_length || before <= self.quantized(self.inflight(1.0))
        } else {
            full_length
        }
    }
}
