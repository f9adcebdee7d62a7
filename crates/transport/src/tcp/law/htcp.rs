//! H-TCP (Leith and Shorten, PFLDnet 2004; draft-leith-tcp-htcp-06).
//!
//! | section of the draft | here |
//! |---|---|
//! | 2.1 | D seconds after the last loss: `alpha = 1 + 10 (D - Dl) + 0.25 (D - Dl)^2` from Dl on, else 1 |
//! | 2.1 | `alpha <- 2 (1 - beta) alpha`; `+alpha` a round |
//! | 2.2 | `beta = RTTmin/RTTmax` in [0.5, 0.8]; 0.5 where the throughput before losses changed by over 20 % |
//!
//! *Deviations.* Throughput before a loss is the mean over the last round. Before the first loss beta is 0.5 and D
//! counts from the first acknowledgement. RTT scaling (optional in the draft, on in Linux) is off by default.

mod linux;

use super::interface::{Ack, Law, LawRow};
use super::round::Delays;
use crate::tcp::window::{Loss, Window};
use base::{Options, SWITCH, Time, parameters};

parameters! {
    delta_l = 1.0, "s after a loss in which it is Reno (draft, Linux, ns-3)";
    beta_min = 0.5, "least part that a loss leaves (draft)";
    beta_max = 0.8, "greatest part that a loss leaves (draft)";
    change = 0.2, "change of throughput from which a loss halves (draft)";
    unit = 0.0, of &["segments", "bytes"],
        "alpha counts segments a round (paper, Linux), or bytes an acknowledgement beside Reno's segment a round (ns-3)";
    rtt_scaling = 0.0, of SWITCH, "alpha in proportion to RTTmin/100 ms, within [0.1, 2] (Linux)";
    linux = 0.0, of SWITCH, "all of it in Linux's whole numbers, with its own measures of rate and round trips (6.x)";
}

/// Its source and its parameters.
pub(super) const ROW: LawRow =
    LawRow { year: 2004, paper: "Leith and Shorten, PFLDnet 2004", parameters: Params::ALL };

/// H-TCP at work.
#[derive(Clone, Copy, Debug)]
pub struct Htcp {
    p: Params,
    delays: Delays,
    /// The share of the window that a loss leaves.
    pub beta: f64,
    /// The last loss, or the first acknowledgement.
    last_loss: Option<Time>,
    /// The beginning of the round, and the delivered count by then.
    round: (Time, f64),
    /// Segments a second in the last round, and in the round before the last loss.
    rate: f64,
    rate_at_loss: f64,
    /// The time of the latest acknowledgement, since `on_loss` gets none.
    now: Time,
    linux: linux::Htcp,
}

impl Htcp {
    /// A fresh law.
    pub fn new(options: &Options) -> Htcp {
        let (p, now) = (Params::new(options), Time::ZERO);
        let (beta, round) = (p.beta_min, (now, 0.0));
        let delays = Delays::default();
        let linux = linux::Htcp::default();
        Htcp { p, delays, beta, last_loss: None, round, rate: 0.0, rate_at_loss: 0.0, now, linux }
    }

    /// Returns the growth in a round, `d` seconds after the last loss.
    pub fn increase(&self, d: f64) -> f64 {
        let x = d - self.p.delta_l;
        let alpha = if x > 0.0 { 1.0 + 10.0 * x + 0.25 * x * x } else { 1.0 };
        let scale =
            if self.p.rtt_scaling == 0.0 { 1.0 } else { (self.delays.base / 0.1).clamp(0.1, 2.0) };
        (2.0 * (1.0 - self.beta) * alpha * scale).max(if x > 0.0 { 0.0 } else { 1.0 })
    }

    fn set_beta(&mut self) {
        let before = self.rate_at_loss;
        let changed = before <= 0.0 || (self.rate - before).abs() > self.p.change * before;
        let ratio = if self.delays.max > 0.0 { self.delays.base / self.delays.max } else { 0.0 };
        let Params { beta_min, beta_max, .. } = self.p;
        self.beta = if changed { beta_min } else { ratio.clamp(beta_min, beta_max) };
        self.rate_at_loss = self.rate;
    }
}

impl Law for Htcp {
    fn on_ack(&mut self, w: &mut Window, a: &Ack) {
        if self.p.linux == 1.0 {
            return self.linux.on_ack(w, a);
        }
        self.delays.on_ack(a);
        self.now = a.now;
        if a.round_ended {
            let dt = a.now.since(self.round.0).as_secs();
            if dt > 0.0 {
                self.rate = (a.delivered - self.round.1).max(0.0) / dt;
            }
            self.round = (a.now, a.delivered);
        }
        let since = *self.last_loss.get_or_insert(a.now);
        if a.may_grow() {
            let alpha = self.increase(a.now.since(since).as_secs());
            if self.p.unit == 0.0 || w.in_slow_start() {
                w.grow(a.acked, alpha);
            } else {
                w.cwnd += 1.0 / w.cwnd + alpha.max(1.0) / f64::from(a.mss.max(1));
            }
        }
    }

    fn on_recovered(&mut self, _w: &mut Window) {
        self.linux.on_recovered();
    }

    fn on_loss(&mut self, w: &mut Window, why: Loss, base: f64) {
        if self.p.linux == 1.0 {
            return self.linux.on_loss(w, why, base);
        }
        self.set_beta();
        self.last_loss = Some(self.now);
        // The draft: RTTmax is that of the present epoch.
        self.delays.max = self.delays.base.min(self.delays.last);
        w.shrink(why, base * self.beta);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::law::testing::Rounds;

    #[test]
    fn the_increase_rises_with_the_time_since_a_loss() {
        // draft-leith-tcp-htcp-06 section 2.1 with beta 0.5.
        let law = Htcp::new(&Options::default());
        for (d, alpha) in [(0.5, 1.0), (1.0, 1.0), (1.5, 6.0625), (3.0, 22.0)] {
            assert!((law.increase(d) - alpha).abs() < 1e-9, "{d}: {}", law.increase(d));
        }
    }

    #[test]
    fn alpha_in_bytes_is_ns3s() {
        // ns-3's tcp-htcp-test: 38 segments of 536 B, alpha 1: floor(536/38 + 1) = 15 B.
        let mut law = Htcp::new(&Options::of(&[("unit", 1.0)]));
        let mut w = crate::tcp::TcpConfig::default().window();
        (w.cwnd, w.ssthresh) = (38.0, 2.0);
        law.on_ack(&mut w, &Ack { flight: 38.0, mss: 536, ..Ack::default() });
        assert_eq!((w.cwnd * 536.0).floor(), 20_383.0);
    }

    #[test]
    fn a_steady_loss_leaves_what_the_queue_did_not_hold() {
        let mut c = Rounds::new(Htcp::new(&Options::default()), 50.0, 10.0);
        c.law.rate_at_loss = 400.0;
        c.play(&[100.0, 125.0, 125.0]);
        let before = c.w.cwnd;
        // The throughput hardly changed: 100/125 remain.
        assert!((c.lose() / before - 0.8).abs() < 1e-9);
    }

    #[test]
    fn the_window_round_by_round() {
        // From 20, 200 ms a round: one a round for a second, then faster and faster.
        let mut c = Rounds::new(Htcp::new(&Options::default()), 20.0, 10.0);
        assert_eq!(c.play(&[200.0; 8]), [21.0, 21.9, 22.9, 23.8, 24.7, 26.6, 30.2, 35.7]);
    }
}
