//! BIC: a binary search for the window at which the last loss came (Xu, Harfoush and Rhee, INFOCOM 2004).
//!
//! | section | here, a round trip |
//! |---|---|
//! | III-A binary search | `d = (Wmax - W)/b`: `+d`, at most `s_max` (additive increase) |
//! | III-A near Wmax | `d <= 1`: `+b/smooth_part` (Linux; the paper stops at `Smin`) |
//! | III-C beyond Wmax | the mirror image: slow at first, then up to `s_max` |
//! | III-B decrease, III-D fast convergence | loss: `W beta` remain; `Wmax = W fast_convergence` where W < Wmax |
//! | below `low_window` | Reno |
//!
//! The defaults are Linux's (2.6.19 on), which ns-2's TCP/Linux ran. *Deviations.* Increments are fractions, where
//! Linux waits for a whole number of acknowledgements; d is whole, as there. Linux's pause of 1/32 s between updates is left out. As in Linux a
//! timeout ends the search: the next one begins at the next loss.

use super::interface::{Ack, Law, LawRow};
use crate::tcp::window::{Loss, Window};
use base::{Options, SWITCH, parameters};

parameters! {
    low_window = 14.0, "segments up to which it is Reno (paper, Linux, ns-3)";
    b = 4.0, "the search takes 1/b of the distance a round (Linux, ns-3: 4; the paper: 2)";
    s_max = 16.0, "largest increase a round, segments (Linux, ns-3: 16; the paper: 32)";
    smooth_part = 20.0, "rounds for the last b segments below Wmax (Linux: 20; ns-3: 5)";
    beta = 0.7998046875, "what a loss leaves (Linux: 819/1024; ns-3: 0.8; the paper: 0.875)";
    fast_convergence = 0.89990234375,
        "Wmax, in windows, after a loss below the last Wmax (Linux: (1 + beta)/2; ns-3: 0.8; 1: off)";
    ack_ratio = 1.0,
        "factor on growth above low_window (Linux: 31/16 with an ACK a segment, as its mean of delayed ACKs starts at 2)";
    mean_ratio = 0.0, of SWITCH,
        "growth above low_window times a running mean of the segments that an acknowledgement covers (Linux: about 2)";
    first_growth = 0.05, "least growth a round, in windows, before the first loss (Linux, ns-3; 0: none)";
}

/// Its source and its parameters.
pub(super) const ROW: LawRow =
    LawRow { year: 2004, paper: "Xu, Harfoush and Rhee, INFOCOM 2004", parameters: Params::ALL };

/// BIC at work.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bic {
    p: Params,
    /// The window at the last loss, segments; 0 before the first.
    pub w_max: f64,
    /// Segments an acknowledgement, in sixteenths (`delayed_ack` in Linux).
    covered: u32,
}

/// The first of them: two.
const FIRST_COVERED: u32 = 2 * 16;

impl Bic {
    /// A fresh law.
    pub fn new(options: &Options) -> Bic {
        Bic { p: Params::new(options), covered: FIRST_COVERED, ..Bic::default() }
    }

    /// True where it is Reno: up to `low_window` whole segments, so that it does not linger just above.
    fn is_low(&self, cwnd: f64) -> bool {
        libm::floor(cwnd) <= self.p.low_window
    }

    /// Returns the growth of a window of `cwnd` segments in a round.
    pub fn increase(&self, cwnd: f64) -> f64 {
        let p = &self.p;
        if self.is_low(cwnd) {
            return 1.0;
        }
        let step = if cwnd < self.w_max {
            let d = libm::floor((self.w_max - cwnd) / p.b);
            if d <= 1.0 { p.b / p.smooth_part } else { d.min(p.s_max) }
        } else if cwnd < self.w_max + p.b {
            p.b / p.smooth_part
        } else {
            ((cwnd - self.w_max) / (p.b - 1.0)).min(p.s_max)
        };
        let first = if self.w_max == 0.0 { p.first_growth * cwnd } else { 0.0 };
        p.ack_ratio * step.max(first)
    }

    /// Remembers the window of `cwnd` segments at which a loss came.
    pub fn remember(&mut self, cwnd: f64) {
        let short = cwnd < self.w_max;
        self.w_max = if short { cwnd * self.p.fast_convergence } else { cwnd };
    }
}

impl Law for Bic {
    fn on_ack(&mut self, w: &mut Window, a: &Ack) {
        // Not what fills a gap: Linux measures while nothing is missing.
        if !a.in_recovery && a.covered > 0.0 && a.covered <= a.acked {
            self.covered = self.covered + libm::round(a.covered) as u32 - self.covered / 16;
        }
        if !a.may_grow() {
            return;
        }
        if self.p.mean_ratio == 0.0 {
            return w.grow(a.acked, self.increase(w.cwnd));
        }
        let rest = w.slow_start(w.counted(a.acked));
        if rest > 0.0 {
            let needed = libm::floor(w.cwnd / self.increase(w.cwnd));
            let ratio = if self.is_low(w.cwnd) { 16 } else { self.covered };
            w.step(rest, needed * 16.0 / f64::from(ratio));
        }
    }

    fn on_loss(&mut self, w: &mut Window, why: Loss, base: f64) {
        self.remember(w.cwnd);
        let kept = if self.is_low(w.cwnd) { 0.5 } else { self.p.beta };
        w.shrink(why, base * kept);
        if why == Loss::Timeout {
            self.covered = FIRST_COVERED;
            self.w_max = 0.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::law::testing::{Rounds, window};

    #[test]
    fn the_increase_is_linuxs_and_with_another_smooth_part_ns3s() {
        // (window, Wmax, acknowledgements an increment) of ns-3's tcp-bic-test.cc.
        let ns3 = Bic::new(&Options::of(&[("smooth_part", 5.0)]));
        for (cwnd, w_max, acks) in [
            (18.0, 90.0, 1.0),
            (18.0, 20.0, 22.0),
            (15.0, 13.0, 18.0),
            (22.0, 16.0, 11.0),
            (65.0, 16.0, 4.0),
        ] {
            let law = Bic { w_max, ..ns3 };
            assert_eq!(libm::floor(cwnd / law.increase(cwnd)), acks, "{cwnd} {w_max}");
        }
    }

    #[test]
    fn up_to_the_low_window_it_is_reno_whatever_the_ratio() {
        let law = Bic { w_max: 15.0, ..Bic::new(&Options::of(crate::tcp::variants::LINUX26_BIC)) };
        assert_eq!(law.increase(15.0), 1.9375 * 4.0 / 20.0);
        assert_eq!((law.increase(14.0), law.increase(14.75)), (1.0, 1.0));
    }

    #[test]
    fn a_loss_leaves_four_fifths_and_converges_fast() {
        let mut w = window(100.0, 50.0);
        let mut law = Bic::default();
        law.on_loss(&mut w, Loss::DupAcks, 100.0);
        assert_eq!((w.cwnd, law.w_max), (100.0 * 819.0 / 1024.0, 100.0));
        law.on_loss(&mut w, Loss::DupAcks, 80.0);
        let second = 100.0 * 819.0 / 1024.0;
        assert_eq!(law.w_max, second * (1.0 + 819.0 / 1024.0) / 2.0);
    }

    #[test]
    fn the_window_round_by_round() {
        // From 200: 160 remain, the search closes in on 200, then steps away from it.
        let mut c = Rounds::new(Bic::default(), 200.0, 100.0);
        c.lose();
        assert_eq!(
            c.play(&[100.0; 10]),
            [168.1, 174.6, 179.7, 183.7, 186.8, 189.2, 191.1, 192.1, 192.3, 192.5]
        );
    }
}
