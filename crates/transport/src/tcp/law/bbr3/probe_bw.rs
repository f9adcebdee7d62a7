//! ProbeBW: DOWN empties the queue, CRUISE keeps, REFILL fills the pipe, UP looks for more (section 5.3.3).

use super::{Bbr3, State, since};
use crate::tcp::law::Ack;
use crate::tcp::window::Window;
use base::Time;

/// Rounds after which a probe comes at the latest, as a Reno flow of so many segments would grow (section 5.3.3.5.1).
const RENO_ROUNDS: f64 = 63.0;

/// What of an earlier probe is still on its way back (`BBR.ack_phase`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Acks {
    Starting,
    Feedback,
    Stopping,
    Refilling,
}

/// Where the cycle stands.
#[derive(Clone, Copy, Debug)]
pub struct Cycle {
    salt: u64,
    began: Time,
    wait: f64,
    rounds: f64,
    acks: Acks,
    /// A loss may still tell of the probe.
    samples: bool,
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
            acks: Acks::Stopping,
            samples: false,
            up_rounds: 0,
            up_acks: 0.0,
            up_count: f64::INFINITY,
        }
    }

    /// A number in [0, 1): a step of a linear congruential generator (Knuth's MMIX).
    fn draw(&mut self) -> f64 {
        self.salt = self.salt.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.salt >> 11) as f64 / (1_u64 << 53) as f64
    }
}

impl Bbr3 {
    pub(super) fn enter_down(&mut self, now: Time) {
        self.enter(State::Down, 0.9, self.p.cwnd_gain);
        // Section 5.3.3.5.2: two to three seconds, and up to a round less.
        self.cycle.wait = 2.0 + self.cycle.draw();
        self.cycle.rounds = if self.cycle.draw() < 0.5 { 0.0 } else { 1.0 };
        self.cycle.began = now;
        self.cycle.acks = Acks::Stopping;
        self.cycle.up_count = f64::INFINITY;
        self.path.begin_round(now);
    }

    pub(super) fn enter_cruise(&mut self) {
        self.enter(State::Cruise, 1.0, self.p.cwnd_gain);
    }

    fn enter_refill(&mut self, now: Time) {
        self.enter(State::Refill, 1.0, self.p.cwnd_gain);
        self.bounds.forget_shortterm();
        (self.cycle.up_rounds, self.cycle.up_acks) = (0, 0.0);
        self.cycle.acks = Acks::Refilling;
        self.path.begin_round(now);
    }

    fn enter_up(&mut self, w: &Window, now: Time) {
        self.enter(State::Up, 1.25, 2.25);
        self.cycle.samples = true;
        self.cycle.acks = Acks::Starting;
        self.path.begin_round(now);
        self.reset_full_bw(self.path.rate.unwrap_or(0.0));
        self.raise_slope(w);
    }

    fn enter(&mut self, state: State, pacing_gain: f64, cwnd_gain: f64) {
        (self.state, self.pacing_gain, self.cwnd_gain) = (state, pacing_gain, cwnd_gain);
    }

    pub(super) fn update_cycle(&mut self, w: &Window, a: &Ack) {
        if !self.full.reached {
            return;
        }
        self.adapt_longterm(w, a);
        self.cycle.rounds += if self.path.round_start { 1.0 } else { 0.0 };
        match self.state {
            State::Down | State::Cruise if self.is_time_to_probe(a) => self.enter_refill(a.now),
            State::Down if self.is_drained(a) => self.enter_cruise(),
            State::Refill if self.path.round_start => self.enter_up(w, a.now),
            State::Up => self.check_up(w, a),
            _ => {}
        }
    }

    fn is_time_to_probe(&self, a: &Ack) -> bool {
        let reno = self.inflight(self.bw(), self.p.cwnd_gain).min(RENO_ROUNDS);
        since(a.now, self.cycle.began) > self.cycle.wait || self.cycle.rounds >= reno
    }

    fn is_drained(&self, a: &Ack) -> bool {
        a.inflight <= self.with_headroom() && a.inflight <= self.inflight(self.max_bw.max(), 1.0)
    }

    fn check_up(&mut self, w: &Window, a: &Ack) {
        if !a.app_limited && w.cwnd >= self.bounds.inflight_longterm {
            self.reset_full_bw(self.path.rate.unwrap_or(0.0));
        } else if self.full.now {
            self.enter_down(a.now);
        }
    }

    /// Section 5.3.3.6: what the acknowledgements of the probe say of the long-term bound.
    fn adapt_longterm(&mut self, w: &Window, a: &Ack) {
        if self.path.round_start {
            match self.cycle.acks {
                Acks::Starting => self.cycle.acks = Acks::Feedback,
                Acks::Stopping if self.state != State::ProbeRtt && !a.rate_app_limited => {
                    self.cycle.acks = Acks::Refilling;
                    self.cycle.samples = false;
                    self.max_bw.advance();
                }
                _ => {}
            }
        }
        if self.bounds.loss_is_high(self.p.loss_threshold) {
            if self.cycle.samples {
                self.on_too_high(a);
            }
            return;
        }
        let b = &mut self.bounds;
        if b.inflight_longterm.is_finite() {
            b.inflight_longterm = b.inflight_longterm.max(b.tx_in_flight);
            if self.state == State::Up {
                self.raise_longterm(w, a);
            }
        }
    }

    fn on_too_high(&mut self, a: &Ack) {
        self.cycle.samples = false;
        let target = self.inflight(self.bw(), 1.0);
        if !self.bounds.app_limited() && target.is_finite() {
            self.bounds.inflight_longterm = self.bounds.tx_in_flight.max(self.p.beta * target);
        }
        if self.state == State::Up {
            self.enter_down(a.now);
        }
    }

    /// Faster and faster: each round twice as many segments a window.
    fn raise_longterm(&mut self, w: &Window, a: &Ack) {
        if a.app_limited || w.cwnd < self.bounds.inflight_longterm {
            return;
        }
        self.cycle.up_acks += self.path.newly_delivered;
        if self.cycle.up_acks >= self.cycle.up_count {
            let more = libm::floor(self.cycle.up_acks / self.cycle.up_count);
            self.cycle.up_acks -= more * self.cycle.up_count;
            self.bounds.inflight_longterm += more;
        }
        if self.path.round_start {
            self.raise_slope(w);
        }
    }

    fn raise_slope(&mut self, w: &Window) {
        let growth = f64::from(1_u32 << self.cycle.up_rounds);
        self.cycle.up_rounds = (self.cycle.up_rounds + 1).min(30);
        self.cycle.up_count = (w.cwnd / growth).max(1.0);
    }
}
