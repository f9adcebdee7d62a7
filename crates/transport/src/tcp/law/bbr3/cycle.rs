//! The cycle of ProbeBW: the time of the next probe, and the speed at which it raises the bound (section
//! 5.3.3).

use crate::tcp::law::bbr::model::since;
use base::Time;

/// Rounds after which a probe comes at the latest, as a Reno flow of this window would grow (section
/// 5.3.3.5.1).
const RENO_ROUNDS: f64 = 63.0;

/// Feedback of an earlier probe that is still on its way back (`BBR.ack_phase`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acks {
    /// Nothing.
    Init,
    /// It has begun.
    Starting,
    /// Acknowledgements of the probe come.
    Feedback,
    /// It has ended.
    Stopping,
    /// The pipe is being filled for it.
    Refilling,
}

/// The phases of the cycle.
#[derive(Clone, Copy, Debug)]
pub struct Cycle {
    salt: u64,
    began: Time,
    wait: f64,
    rounds: f64,
    pub acks: Acks,
    /// A loss may still tell of the probe.
    pub samples: bool,
    /// The last probe lost too much: the next ends where the bound is reached (section 5.3.3.4.2).
    pub too_high: bool,
    /// The last probe ended so; if it lost little the next follows at once.
    pub precautionary: bool,
    up_rounds: u32,
    up_acks: f64,
    up_count: f64,
}

impl Cycle {
    /// A cycle whose waits `salt` draws.
    pub fn new(salt: f64) -> Cycle {
        Cycle {
            salt: salt.to_bits(),
            began: Time::ZERO,
            wait: 2.0,
            rounds: 0.0,
            acks: Acks::Init,
            samples: false,
            too_high: false,
            precautionary: false,
            up_rounds: 0,
            up_acks: 0.0,
            up_count: f64::INFINITY,
        }
    }

    /// A number in [0, 1): a step of a linear congruential generator (Knuth's MMIX).
    fn draw(&mut self) -> f64 {
        self.salt = self
            .salt
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.salt >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// DOWN begins; section 5.3.3.5.2: the wait is two to three seconds, and up to a round less.
    pub fn begin(&mut self, now: Time) {
        self.wait = 2.0 + self.draw();
        self.rounds = if self.draw() < 0.5 { 0.0 } else { 1.0 };
        self.began = now;
        self.acks = Acks::Stopping;
        self.up_count = f64::INFINITY;
    }

    /// REFILL begins.
    pub fn refill(&mut self) {
        (self.up_rounds, self.up_acks) = (0, 0.0);
        self.precautionary = false;
        self.acks = Acks::Refilling;
    }

    /// A round begins.
    pub fn count_round(&mut self) {
        self.rounds += 1.0;
    }

    /// The wait is over, or as many rounds as a Reno flow of `inflight` segments takes.
    pub fn is_over(&self, now: Time, inflight: f64) -> bool {
        let reno = inflight.min(RENO_ROUNDS);
        since(now, self.began) > self.wait || self.rounds >= reno
    }

    /// Returns the segments by which the bound rises for `delivered` segments.
    pub fn raise(&mut self, delivered: f64) -> f64 {
        self.up_acks += delivered;
        if self.up_acks < self.up_count {
            return 0.0;
        }
        let more = libm::floor(self.up_acks / self.up_count);
        self.up_acks -= more * self.up_count;
        more
    }

    /// Faster and faster: each round twice as many segments a window.
    pub fn raise_slope(&mut self, cwnd: f64) {
        let growth = f64::from(1_u32 << self.up_rounds);
        self.up_rounds = (self.up_rounds + 1).min(30);
        self.up_count = (cwnd / growth).max(1.0);
    }
}
