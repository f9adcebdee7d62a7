//! Vegas: as much data in the network as keeps a few segments waiting (Brakmo and Peterson, JSAC 13(8), 1995).
//!
//! | section | here |
//! |---|---|
//! | 4.2 congestion avoidance | `diff = W (1 - base/RTT)`, once a round: `< alpha` +1, `> beta` -1 |
//! | 4.3 slow start | doubles every other round, leaves it when `diff > gamma` |
//! | 4.1 retransmission | a loss costs a quarter of the window |
//!
//! The defaults are ns-2's Vegas (1, 3, 1); the row `linux-vegas` has Linux's and ns-3's choices (2, 4, 1).
//! *Deviations.* The check for a fine-grained timeout at the first and second duplicate belongs to recovery, not to a
//! law, and is left out. `diff > beta` takes a whole segment at once, `diff < alpha` adds one at once (ns-2
//! spreads it over the round). The paper compares with the actual rate of one marked segment a round; ns-2 takes
//! the mean of the round (default here), Linux its least. Linux 2.6, as it runs in ns-2, adds the segment to the window
//! of the round before, from which cwnd differs by that very segment one round later: one segment in two rounds, which
//! under random losses costs a factor of sqrt(1/2) (`linux-vegas`; `reference`).

use super::{Ack, Delays, Law, LawOptions, Loss, parameters};
use crate::tcp::window::Window;

parameters! {
    alpha = 1.0, "fewest segments kept waiting (the paper tries 1 and 2; ns-2: 1; Linux, ns-3: 2)";
    beta = 3.0, "most segments kept waiting (the paper tries 3 and 4; ns-2: 3; Linux, ns-3: 4)";
    gamma = 1.0, "segments waiting at which slow start ends";
    double_every = 2.0, "rounds for which slow start needs to double (paper, ns-2: 2; Linux, ns-3: 1)";
    exit = 0.0, of &["eighth", "target"],
        "leaving slow start: an eighth less (paper, ns-2), or down to the path's content + 1 (Linux)";
    rtt = 0.0, of &["mean", "min"], "which round-trip time of the round counts (ns-2: mean; Linux: min)";
    min_samples = 0.0, "a round of no more samples grows as Reno's instead (Linux: 2)";
    reference = 0.0, of &["present", "previous"],
        "the window that a round judges and moves: this one (paper, Linux today, ns-3), or the last (Linux 2.6, ns-2)";
    loss = 0.75, "what duplicates leave of the window (paper: 3/4; Linux: 1/2, as Reno)";
    keep = 0.0, "part of the window that the threshold never stays below (Linux, ns-3: 0.75; 0: none)";
}

/// Vegas at work.
#[derive(Clone, Copy, Debug, Default)]
pub struct Vegas {
    p: Params,
    delays: Delays,
    /// Segments that waited in queues in the last round.
    pub backlog: f64,
    /// The window when the last round ended.
    previous: f64,
    /// Rounds so far.
    round: u32,
}

impl Vegas {
    /// A fresh law.
    pub fn new(options: &LawOptions) -> Vegas {
        Vegas { p: Params::new(options), ..Vegas::default() }
    }

    fn end_round(&mut self, w: &mut Window) {
        let rtt = if self.p.rtt == 1.0 { self.delays.min } else { self.delays.mean() };
        let previous = std::mem::replace(&mut self.previous, w.cwnd);
        let judged = if self.p.reference == 0.0 { w.cwnd } else { previous };
        let diff = self.delays.backlog(judged, rtt);
        self.backlog = diff;
        if w.in_slow_start() {
            if diff > self.p.gamma {
                self.leave_slow_start(w, w.cwnd - diff);
            }
        } else {
            let more = f64::from(i8::from(diff < self.p.alpha) - i8::from(diff > self.p.beta));
            // From the present window it is the whole step, from the last one at most that.
            w.cwnd = (w.cwnd + (judged + more - w.cwnd).clamp(-1.0, 1.0)).max(2.0);
        }
        if self.p.keep > 0.0 && !w.in_slow_start() {
            w.ssthresh = w.ssthresh.min(w.cwnd - 1.0).max(self.p.keep * w.cwnd).max(2.0);
        }
    }

    /// `target` segments fill the path without a queue.
    fn leave_slow_start(&self, w: &mut Window, target: f64) {
        if self.p.exit == 1.0 {
            w.cwnd = w.cwnd.min(target + 1.0).max(2.0);
            w.ssthresh = w.ssthresh.min(w.cwnd - 1.0).max(2.0);
        } else {
            w.cwnd = (w.cwnd * 7.0 / 8.0).max(2.0);
            w.ssthresh = 2.0;
        }
    }
}

impl Law for Vegas {
    fn on_ack(&mut self, w: &mut Window, a: &Ack) {
        self.delays.on_ack(a);
        if a.may_grow() && a.round_ended {
            if self.delays.samples > self.p.min_samples {
                self.end_round(w);
            } else if !w.in_slow_start() {
                w.grow(a.acked, 1.0);
            }
        }
        if a.may_grow() && w.in_slow_start() && f64::from(self.round) % self.p.double_every == 0.0 {
            w.grow(a.acked, 0.0);
        }
        if a.round_ended {
            self.round = self.round.wrapping_add(1);
            self.delays.begin_round();
        }
    }

    fn on_loss(&mut self, w: &mut Window, why: Loss, base: f64) {
        match why {
            Loss::DupAcks => w.cut(base * self.p.loss),
            _ => w.shrink(why, base / 2.0),
        }
        self.delays.begin_round();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::law::testing::Rounds;

    fn linux() -> LawOptions {
        LawOptions::of(crate::tcp::variants::LINUX_VEGAS)
    }

    #[test]
    fn one_more_below_alpha_one_less_above_beta() {
        // 20 segments, base 100 ms: 110 ms hold 1.8 waiting, 125 ms hold 4.
        let mut c = Rounds::new(Vegas::new(&linux()), 20.0, 10.0);
        assert_eq!(c.play(&[100.0, 110.0, 125.0, 111.0]), [21.0, 22.0, 21.0, 21.0]);
    }

    #[test]
    fn slow_start_ends_when_a_segment_waits() {
        // ns-3's suite, case vegas-00: 38 segments, base 100 ms, round of 106 ms; integer 36, here 36.85.
        let mut c = Rounds::new(Vegas::new(&linux()), 38.0, 40.0);
        c.law.delays.base = 0.1;
        c.w.ssthresh = 1000.0;
        let cwnd = c.round(106.0);
        assert!((cwnd - (75.0 / 1.06 + 1.0)).abs() < 1e-9, "{cwnd}");
        let mut c = Rounds::new(Vegas::default(), 38.0, f64::INFINITY);
        c.law.delays.base = 0.1;
        c.law.round = 1;
        assert_eq!(c.round(106.0), 38.0 * 7.0 / 8.0);
        assert_eq!(c.w.ssthresh, 2.0);
    }

    #[test]
    fn the_window_round_by_round() {
        // Slow start doubles in rounds 1 and 3 only; 16 segments fill 100 ms, each more waits 6.25 ms.
        let mut c = Rounds::new(Vegas::default(), 4.0, f64::INFINITY);
        let mut cwnds = vec![];
        for _ in 0..10 {
            let rtt = (c.w.cwnd * 6.25).max(100.0);
            cwnds.extend(c.play(&[rtt]));
        }
        assert_eq!(cwnds, [8.0, 8.0, 16.0, 16.0, 32.0, 28.0, 27.0, 26.0, 25.0, 24.0]);
        assert_eq!(c.lose(), 18.0);
    }
}
