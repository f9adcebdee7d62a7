//! YeAH: Scalable while the queue is short, Reno when it is not (Baiocchi, Castellani and Vacirca, PFLDnet 2007).
//!
//! | section | here, once a round, `Q = W (1 - base/RTT)`, `L = (RTT - base)/base`, RTT the least of the round |
//! |---|---|
//! | III | fast mode (`Q < alpha` and `L < 1/phi`): Scalable |
//! | III | slow mode: Reno; and where `Q > alpha`, `W -= min(Q/gamma, W/2^epsilon)` |
//! | III | loss, not beside Reno flows: `max(W/2^delta, Q)` less, at most half; after `rho` slow rounds: half |
//!
//! *Deviations.* Linux's: a round wants more than two samples; precautionary cuts stop at an estimate of what Reno flows
//! would have, which starts at half the window and grows by one a slow round, until `zeta` fast rounds.

use super::interface::{Ack, Law, LawRow};
use super::round::Delays;
use crate::tcp::window::{Loss, Window};
use base::{Options, parameters};

parameters! {
    alpha = 80.0, "segments waiting from which the queue is cut (paper, Linux)";
    gamma = 1.0, "the part of the queue that is cut, as a divisor (paper, Linux)";
    delta = 3.0, "a loss takes at least W/2^delta (paper, Linux)";
    epsilon = 1.0, "a precautionary cut takes at most W/2^epsilon (paper, Linux)";
    phi = 8.0, "the queueing delay is high from base/phi on (paper, Linux)";
    rho = 16.0, "slow rounds from which Reno flows are taken to compete (paper, Linux)";
    zeta = 50.0, "fast rounds that forget Reno's share (paper, Linux)";
    ai = 0.01, "Scalable's growth a segment, segments (Linux, ns-3: 1/100)";
}

/// Its source and its parameters.
pub(super) const ROW: LawRow = LawRow {
    year: 2007,
    paper: "Baiocchi, Castellani and Vacirca, PFLDnet 2007",
    parameters: Params::ALL,
};

/// YeAH at work.
#[derive(Clone, Copy, Debug, Default)]
pub struct Yeah {
    p: Params,
    delays: Delays,
    /// Segments waiting in the last round.
    queue: f64,
    /// Slow rounds in a row; none: the fast mode.
    pub slow_rounds: f64,
    fast_rounds: f64,
    /// The window of a Reno flow, segments.
    reno: f64,
}

impl Yeah {
    /// A fresh law.
    pub fn new(options: &Options) -> Yeah {
        Yeah { p: Params::new(options), reno: 2.0, ..Yeah::default() }
    }

    fn end_round(&mut self, w: &mut Window) {
        let rtt = self.delays.min;
        self.queue = self.delays.backlog(w.cwnd, rtt);
        let delayed = rtt - self.delays.base > self.delays.base / self.p.phi;
        if self.queue <= self.p.alpha && !delayed {
            self.fast_rounds += 1.0;
            if self.fast_rounds > self.p.zeta {
                (self.reno, self.fast_rounds) = (2.0, 0.0);
            }
            self.slow_rounds = 0.0;
            return;
        }
        if self.queue > self.p.alpha && w.cwnd > self.reno {
            let most = w.cwnd / libm::exp2(self.p.epsilon);
            w.cwnd = (w.cwnd - (self.queue / self.p.gamma).min(most)).max(self.reno);
            w.ssthresh = w.cwnd;
        }
        self.reno = if self.reno <= 2.0 { (w.cwnd / 2.0).max(2.0) } else { self.reno + 1.0 };
        self.slow_rounds += 1.0;
    }
}

impl Law for Yeah {
    fn on_ack(&mut self, w: &mut Window, a: &Ack) {
        self.delays.on_ack(a);
        if a.may_grow() {
            let fast = self.slow_rounds == 0.0;
            w.grow(a.acked, if fast { (self.p.ai * w.cwnd).max(1.0) } else { 1.0 });
        }
        if a.round_ended {
            if self.delays.samples > 2.0 && !w.in_slow_start() && a.may_grow() {
                self.end_round(w);
            }
            self.delays.begin_round();
        }
    }

    fn on_loss(&mut self, w: &mut Window, why: Loss, base: f64) {
        let half = base / 2.0;
        let least = base / libm::exp2(self.p.delta);
        let alone = self.slow_rounds < self.p.rho;
        let cut = if alone { self.queue.min(half).max(least) } else { half };
        self.fast_rounds = 0.0;
        self.reno = (self.reno / 2.0).max(2.0);
        w.shrink(why, base - cut);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::law::testing::Rounds;

    fn queued(base_ms: f64, rtt_ms: f64, cwnd: f64) -> Rounds<Yeah> {
        let mut c = Rounds::new(Yeah::new(&Options::default()), cwnd, 10.0);
        c.law.delays.base = base_ms / 1000.0;
        c.round(rtt_ms);
        c
    }

    #[test]
    fn a_long_queue_is_cut_before_it_loses() {
        // tcp-yeah-test.cc: 100 segments, 100 and 600 ms: 83 wait, more than alpha: half is left.
        let c = queued(100.0, 600.0, 100.0);
        assert!((50.0..51.0).contains(&c.w.cwnd), "{}", c.w.cwnd);
        assert_eq!(c.w.cwnd, c.w.ssthresh);
    }

    #[test]
    fn a_loss_takes_the_queue() {
        // tcp-yeah-test.cc: 57 segments at 200 of 100 ms: 28 of them wait and go.
        let mut c = queued(100.0, 200.0, 57.0);
        let before = c.w.cwnd;
        assert!((c.lose() - before / 2.0).abs() < 1e-9);
        let mut c = queued(100.0, 105.0, 57.0);
        let before = c.w.cwnd;
        assert!((c.lose() - before * 7.0 / 8.0).abs() < 1e-9);
    }

    #[test]
    fn the_window_round_by_round() {
        // Fast: as Scalable above 100 segments. From 225 on the delay is high (path of 200): slow.
        let mut c = Rounds::new(Yeah::new(&Options::default()), 210.0, 10.0);
        c.law.delays.base = 0.1;
        let mut cwnds = vec![];
        for _ in 0..8 {
            let rtt = c.w.cwnd / 2.0;
            cwnds.extend(c.play(&[rtt]));
        }
        assert_eq!(cwnds, [212.1, 214.2, 216.4, 218.5, 220.7, 222.9, 225.1, 227.4]);
        assert_eq!(c.play(&[114.0]), [228.4]);
    }
}
