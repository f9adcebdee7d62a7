//! ProbeBW: eight phases of a round-trip each: a quarter more, a quarter less, six as estimated (section 4.3.4).

use super::model::{Delivery, since};
use crate::tcp::law::interface::Ack;
use base::Time;

/// Pacing by the phase (section 4.3.4.1).
const GAINS: [f64; 8] = [1.25, 0.75, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0];

/// The phases of the cycle.
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

    /// The cycle begins; the gain of its first phase.
    pub fn begin(&mut self, now: Time) -> f64 {
        self.phase = self.first;
        self.next(now)
    }

    /// The next phase begins; its gain.
    pub fn next(&mut self, now: Time) -> f64 {
        self.phase = (self.phase + 1) % GAINS.len();
        self.began = now;
        GAINS[self.phase]
    }

    /// The phase with a quarter more.
    pub fn is_up(&self) -> bool {
        self.phase == 0
    }

    /// Returns whether the phase is over (section 4.3.4.3): more lasts until it is in flight or lost, less
    /// until the queue is gone; `inflight` converts BDPs to segments.
    pub fn is_over(
        &self,
        a: &Ack,
        delivery: &Delivery,
        rtprop: f64,
        inflight: impl Fn(f64) -> f64,
    ) -> bool {
        let full_length = since(a.now, self.began) > rtprop;
        let before = a.inflight + delivery.newly_delivered + a.lost;
        let gain = GAINS[self.phase];
        if gain > 1.0 {
            full_length && (a.lost > 0.0 || before >= inflight(gain))
        } else if gain < 1.0 {
            full_length || before <= inflight(1.0)
        } else {
            full_length
        }
    }
}
