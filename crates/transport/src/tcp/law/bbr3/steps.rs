//! From state to state: Startup, Drain, and ProbeBW's DOWN, which empties the queue, CRUISE, which keeps, REFILL, which
//! fills the pipe, and UP, which looks for more (section 5.3).

use super::cycle::Acks;
use super::startup::LOSSES;
use super::{Bbr3, State};
use crate::tcp::law::bbr::model::MIN_CWND;
use crate::tcp::law::interface::{Ack, Flown};
use crate::tcp::window::Window;
use base::Time;

/// The number of rounds after which Drain ends with more than a BDP in flight too.
const DRAIN_ROUNDS: u32 = 3;

/// ProbeRTT's window in BDPs (section 2.5).
const PROBE_RTT_GAIN: f64 = 0.5;

impl Bbr3 {
    pub(super) fn enter_down(&mut self, now: Time) {
        self.enter(State::Down, 0.9, self.p.cwnd_gain);
        self.cycle.begin(now);
        self.bounds.forget_signals();
        self.delivery.begin_round(now);
    }

    pub(super) fn enter_cruise(&mut self) {
        self.enter(State::Cruise, 1.0, self.p.cwnd_gain);
    }

    fn enter_refill(&mut self, now: Time) {
        self.enter(State::Refill, 1.0, self.p.cwnd_gain);
        self.bounds.forget_shortterm();
        self.cycle.refill();
        self.delivery.begin_round(now);
    }

    fn enter_up(&mut self, w: &Window, now: Time) {
        self.enter(State::Up, 1.25, 2.25);
        self.cycle.samples = true;
        self.cycle.acks = Acks::Starting;
        self.delivery.begin_round(now);
        self.full.reset(self.delivery.rate.unwrap_or(0.0));
        self.cycle.raise_slope(w.cwnd);
    }

    fn enter(&mut self, state: State, pacing_gain: f64, cwnd_gain: f64) {
        (self.state, self.pacing_gain, self.cwnd_gain) = (state, pacing_gain, cwnd_gain);
    }

    pub(super) fn update_cycle(&mut self, w: &Window, a: &Ack) {
        if !self.full.reached {
            return;
        }
        if self.delivery.round_start {
            self.cycle.count_round();
        }
        if self.adapt_longterm(w, a) {
            return;
        }
        match self.state {
            State::Down | State::Cruise if self.is_time_to_probe(w, a) => self.enter_refill(a.now),
            State::Down if self.is_drained(a) => self.enter_cruise(),
            State::Refill if self.delivery.round_start => self.enter_up(w, a.now),
            State::Up => self.check_up(w, a),
            _ => {}
        }
    }

    fn is_time_to_probe(&self, w: &Window, a: &Ack) -> bool {
        self.cycle.is_over(a.now, self.target_inflight(w))
    }

    /// TargetInflight: a BDP, unless congestion has cut the window.
    fn target_inflight(&self, w: &Window) -> f64 {
        self.inflight(self.bw(), 1.0).min(w.cwnd)
    }

    fn is_drained(&self, a: &Ack) -> bool {
        let bdp = self.quantized(self.inflight(self.max_bw.max(), 1.0));
        a.inflight <= self.bounds.with_headroom(self.p.headroom) && a.inflight <= bdp
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
            self.full.reset(self.delivery.rate.unwrap_or(0.0));
            return false;
        }
        self.full.now()
    }

    fn is_in_probe_bw(&self) -> bool {
        matches!(self.state, State::Down | State::Cruise | State::Refill | State::Up)
    }

    /// Adapts the long-term bound to the acknowledgements of the probe (section 5.3.3.6); returns true where
    /// the next probe has begun.
    fn adapt_longterm(&mut self, w: &Window, a: &Ack) -> bool {
        if self.delivery.round_start && self.cycle.acks == Acks::Starting {
            self.cycle.acks = Acks::Feedback;
        }
        if self.delivery.round_start && self.cycle.acks == Acks::Stopping {
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

    fn raise_longterm(&mut self, w: &Window, a: &Ack) {
        if a.app_limited || w.cwnd < self.bounds.inflight_longterm {
            return;
        }
        self.bounds.inflight_longterm += self.cycle.raise(self.delivery.newly_delivered);
        if self.delivery.round_start {
            self.cycle.raise_slope(w.cwnd);
        }
    }

    pub(super) fn enter_startup(&mut self) {
        self.enter(State::Startup, self.p.startup_gain, self.p.cwnd_gain);
    }

    pub(super) fn check_startup(&mut self, a: &Ack) {
        self.full.check(&self.delivery, a);
        if self.state != State::Startup {
            return;
        }
        if self.bounds.had_losses(LOSSES) && a.in_recovery && self.is_too_high(a.flown) {
            self.full.reached = true;
            self.bounds.end_startup(self.inflight(self.max_bw.max(), 1.0));
        }
        if self.full.reached {
            // Section 5.3.2: Startup's queue leaves at half the rate.
            self.enter(State::Drain, self.p.drain_gain, self.p.cwnd_gain);
            self.rounds_in_drain = 0;
        }
    }

    pub(super) fn check_drain(&mut self, a: &Ack) {
        if self.state != State::Drain {
            return;
        }
        if self.delivery.round_start {
            self.rounds_in_drain += 1;
        }
        // The round in which it begins is the first.
        let bdp = self.quantized(self.inflight(self.bw(), 1.0));
        if a.inflight <= bdp || self.rounds_in_drain > DRAIN_ROUNDS {
            self.enter_down(a.now);
        }
    }

    /// Section 5.3.4: into ProbeRTT and out of it.
    pub(super) fn check_probe_rtt(&mut self, w: &mut Window, a: &Ack) {
        let due = self.rtt.update(a, self.p.probe_rtt_interval, self.p.min_rtt_window);
        if self.state != State::ProbeRtt && due {
            self.save_cwnd(w);
            self.enter(State::ProbeRtt, 1.0, PROBE_RTT_GAIN);
            // What a probe left under way is its last.
            self.cycle.acks = Acks::Stopping;
            self.rtt.begin();
            self.delivery.begin_round(a.now);
        }
        let enough = self.probe_rtt_cwnd();
        let over = self.state == State::ProbeRtt
            && self.rtt.is_over(a, &mut self.delivery, enough, self.p.probe_rtt);
        if !over {
            return;
        }
        self.bounds.forget_shortterm();
        if self.full.reached {
            self.enter_down(a.now);
            self.enter_cruise();
        } else {
            self.enter_startup();
        }
        w.cwnd = w.cwnd.max(self.prior_cwnd);
    }

    /// Half a BDP, segments.
    pub(super) fn probe_rtt_cwnd(&self) -> f64 {
        self.inflight(self.bw(), PROBE_RTT_GAIN).max(MIN_CWND)
    }

    /// IsInflightTooHigh: more than the threshold of a flight was lost.
    fn is_too_high(&self, flown: Flown) -> bool {
        flown.lost > flown.flight * self.p.loss_threshold
    }

    /// Reads the flight of the segment that was lost last (HandleLostPacket).
    pub(super) fn note_losses(&mut self, w: &Window, a: &Ack) {
        if a.lost <= 0.0 {
            return;
        }
        self.bounds.on_loss(a);
        if let Some(flown) = a.lost_flown.filter(|&flown| self.is_too_high(flown)) {
            self.on_too_high(flown, w, a);
        }
    }

    /// UpdateCongestionSignals: losses lower the short-term bounds, but for those that a probe means to see.
    pub(super) fn adapt_shortterm(&mut self, w: &Window, a: &Ack) {
        let probing = matches!(self.state, State::Startup | State::Refill | State::Up);
        if self.bounds.update(&self.delivery, a) && !probing {
            self.bounds.lower(self.p.beta, self.max_bw.max(), w.cwnd);
        }
    }

    /// Section 5.6.4.7: the bounds on cwnd in this state, segments.
    pub(super) fn cwnd_bound(&self) -> f64 {
        let longterm = match self.state {
            State::Down | State::Refill | State::Up => self.bounds.inflight_longterm,
            State::Cruise | State::ProbeRtt => self.bounds.with_headroom(self.p.headroom),
            State::Startup | State::Drain => f64::INFINITY,
        };
        longterm.min(self.bounds.inflight_shortterm())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::law::testing;
    use base::Options;

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
        law.delivery.round_start = true;
        law.update_cycle(&w, &a);
        assert_eq!(law.state, State::Refill);
    }
}
