//! ProbeBW: DOWN empties the queue, CRUISE keeps, REFILL fills the pipe, UP looks for more (section 5.3.3).

use crate::tcp::law::interface::{Ack, Flown};
use crate::tcp::window::Window;
use super::{Bbr3, State, since};
use base::Time;

/// Rounds after which a probe comes at the latest, as a Reno flow of so many segments would grow (section 5.3.3.5.1).
const RENO_ROUNDS: f64 = 63.0;

/// What of an earlier probe is still on its way back (`BBR.ack_phase`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Acks {
    Init,
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
    /// The last probe lost too much: the next ends where the bound is reached (section 5.3.3.4.2).
    too_high: bool,
    /// The last probe ended so; if it lost little the next follows at once.
    precautionary: bool,
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
        self.bounds.forget_signals();
        self.path.begin_round(now);
    }

    /// ProbeRTT begins: what a probe left under way is its last.
    pub(super) fn stop_probing(&mut self) {
        self.cycle.acks = Acks::Stopping;
    }

    pub(super) fn enter_cruise(&mut self) {
        self.enter(State::Cruise, 1.0, self.p.cwnd_gain);
    }

    fn enter_refill(&mut self, now: Time) {
        self.enter(State::Refill, 1.0, self.p.cwnd_gain);
        self.bounds.forget_shortterm();
        (self.cycle.up_rounds, self.cycle.up_acks) = (0, 0.0);
        self.cycle.precautionary = false;
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
        self.cycle.rounds += if self.path.round_start { 1.0 } else { 0.0 };
        if self.adapt_longterm(w, a) {
            return;
        }
        match self.state {
            State::Down | State::Cruise if self.is_time_to_probe(w, a) => self.enter_refill(a.now),
            State::Down if self.is_drained(a) => self.enter_cruise(),
            State::Refill if self.path.round_start => self.enter_up(w, a.now),
            State::Up => self.check_up(w, a),
            _ => {}
        }
    }

    fn is_time_to_probe(&self, w: &Window, a: &Ack) -> bool {
        let reno = self.target_inflight(w).min(RENO_ROUNDS);
        since(a.now, self.cycle.began) > self.cycle.wait || self.cycle.rounds >= reno
    }

    /// TargetInflight: a BDP, unless congestion has cut the window.
    fn target_inflight(&self, w: &Window) -> f64 {
        self.inflight(self.bw(), 1.0).min(w.cwnd)
    }

    fn is_drained(&self, a: &Ack) -> bool {
        let bdp = self.quantized(self.inflight(self.max_bw.max(), 1.0));
        a.inflight <= self.with_headroom() && a.inflight <= bdp
    }

    fn check_up(&mut self, w: &Window, a: &Ack) {
        if self.is_time_to_go_down(w, a) {
            self.cycle.too_high = false;
            self.enter_down(a.now);
        }
    }

    fn is_time_to_go_down(&mut self, w: &Window, a: &Ack) -> bool {
        let bound = self.bounds.inflight_longterm;
        if self.cycle.too_high && a.inflight >= bound {
            self.cycle.precautionary = true;
            return true;
        }
        if !a.app_limited && w.cwnd >= bound {
            self.reset_full_bw(self.path.rate.unwrap_or(0.0));
            return false;
        }
        self.full.now
    }

    fn is_in_probe_bw(&self) -> bool {
        matches!(self.state, State::Down | State::Cruise | State::Refill | State::Up)
    }

    /// Section 5.3.3.6: what the acknowledgements of the probe say of the long-term bound; true where the next probe has
    /// begun.
    fn adapt_longterm(&mut self, w: &Window, a: &Ack) -> bool {
        if self.path.round_start && self.cycle.acks == Acks::Starting {
            self.cycle.acks = Acks::Feedback;
        }
        if self.path.round_start && self.cycle.acks == Acks::Stopping {
            self.cycle.samples = false;
            self.cycle.acks = Acks::Init;
            if self.is_in_probe_bw() && !a.rate_app_limited {
                self.max_bw.advance();
            }
            if self.is_in_probe_bw() && self.cycle.precautionary && !self.cycle.too_high {
                self.enter_refill(a.now);
                return true;
            }
        }
        if self.is_too_high(a.flown) || self.bounds.inflight_longterm.is_infinite() {
            return false;
        }
        let b = &mut self.bounds;
        b.inflight_longterm = b.inflight_longterm.max(a.flown.flight);
        if self.state == State::Up {
            self.raise_longterm(w, a);
        }
        false
    }

    /// HandleInflightTooHigh, once a probe: `flown` is the flight of a segment that was lost.
    pub(super) fn on_too_high(&mut self, flown: Flown, w: &Window, a: &Ack) {
        if !std::mem::take(&mut self.cycle.samples) {
            return;
        }
        self.cycle.too_high = true;
        let target = self.p.beta * self.target_inflight(w);
        if !a.rate_app_limited {
            // InflightAtLoss: where the losses crossed the threshold.
            let threshold = self.p.loss_threshold;
            let (flight, lost) = (flown.flight - 1.0, flown.lost - 1.0);
            let at_loss = flight + (threshold * flight - lost) / (1.0 - threshold);
            self.bounds.inflight_longterm = at_loss.max(target);
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

#[cfg(test)]
mod tests {
    use base::Options;
    use super::*;
    use crate::tcp::law::testing;

    /// A law in UP, with a window of 80 segments.
    fn probing() -> (Bbr3, Window) {
        let mut law = Bbr3::new(&Options::default());
        law.full.reached = true;
        (law.state, law.cycle.samples) = (State::Up, true);
        (law, testing::window(80.0, f64::INFINITY))
    }

    #[test]
    fn a_lost_segment_s_own_flight_says_whether_too_much_is_lost() {
        let (mut law, w) = probing();
        let lost = |flight, lost| Ack {
            lost: 1.0,
            lost_flown: Some(Flown { flight, lost }),
            ..testing::ack(50.0)
        };
        law.note_losses(&w, &lost(60.0, 1.0));
        assert_eq!(law.state, State::Up, "1 of 60 is within 2 %");
        law.note_losses(&w, &lost(60.0, 2.0));
        assert_eq!(law.state, State::Down);
        // Of the 59 before it 1 was lost, and of itself 0.18 / 0.98 was within 2 %.
        assert!((law.inflight_longterm() - (59.0 + 0.18 / 0.98)).abs() < 1e-9);
        law.note_losses(&w, &lost(10.0, 5.0));
        assert!(law.inflight_longterm() > 59.0, "once a probe");
    }

    #[test]
    fn after_too_much_loss_a_probe_ends_at_the_bound_and_the_next_follows_at_once() {
        let (mut law, w) = probing();
        law.cycle.too_high = true;
        law.bounds.inflight_longterm = 50.0;
        let a = Ack { inflight: 49.0, app_limited: true, ..testing::ack(50.0) };
        law.check_up(&w, &a);
        assert_eq!(law.state, State::Up);
        law.check_up(&w, &Ack { inflight: 50.0, ..a });
        assert_eq!(law.state, State::Down);
        law.path.round_start = true;
        law.update_cycle(&w, &a);
        assert_eq!(law.state, State::Refill);
    }
}
