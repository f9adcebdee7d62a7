//! Veno: Reno that guesses from Vegas' backlog whether a loss came from the queue (Fu and Liew, JSAC 21(2), 2003).
//!
//! | section | here |
//! |---|---|
//! | III-A | `N = W (1 - base/RTT)` segments wait |
//! | III-B, additive increase | `N < beta`: +1 a round; else +1 every other round |
//! | III-C, multiplicative decrease | `N < beta`: the loss was random, 4/5 remain; else 1/2 |
//!
//! *Deviations.* Where the paper counts every other acknowledgement, each adds half as much. Linux and ns-3 clear
//! the least round-trip time at each acknowledgement, so that N follows the last sample: here too. Linux
//! grows as Reno for the first two samples: `warm_up`. ns-3 counts samples anew at each acknowledgement, so that there are
//! never three of them and it grows as Reno always: `growth`.

use super::interface::{Ack, Law, LawRow};
use super::round::Delays;
use crate::tcp::window::{Loss, Window};
use base::{Options, parameters};

parameters! {
    beta = 3.0, "segments waiting from which a loss is taken for the queue's (paper, Linux, ns-3)";
    random_loss = 0.8, "what a random loss leaves of the window (paper, Linux: 4/5)";
    warm_up = 2.0, "samples of the round-trip time before N is trusted (Linux)";
    growth = 0.0, of &["by_queue", "reno"], "a queue slows growth down (paper, Linux), or nothing does (ns-3)";
}

/// Its source and its parameters.
pub(super) const ROW: LawRow =
    LawRow { year: 2003, paper: "Fu and Liew, JSAC 21(2), 2003", parameters: Params::ALL };

/// Veno at work.
#[derive(Clone, Copy, Debug, Default)]
pub struct Veno {
    p: Params,
    delays: Delays,
    /// Segments that wait in queues.
    pub backlog: f64,
}

impl Veno {
    /// A fresh law.
    pub fn new(options: &Options) -> Veno {
        Veno { p: Params::new(options), ..Veno::default() }
    }
}

impl Law for Veno {
    fn on_ack(&mut self, w: &mut Window, a: &Ack) {
        self.delays.on_ack(a);
        self.backlog = self.delays.backlog(w.cwnd, self.delays.last);
        if a.may_grow() {
            let trusted = self.p.growth == 0.0 && self.delays.samples > self.p.warm_up;
            let queued = trusted && self.backlog >= self.p.beta;
            w.grow(a.acked, if queued { 0.5 } else { 1.0 });
        }
    }

    fn on_loss(&mut self, w: &mut Window, why: Loss, base: f64) {
        let random = why == Loss::DupAcks && self.backlog < self.p.beta;
        w.shrink(why, base * if random { self.p.random_loss } else { 0.5 });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::law::testing::Rounds;

    #[test]
    fn a_random_loss_takes_a_fifth() {
        // Fu and Liew: 30 segments, base 100 ms; at 106 ms 1.7 wait, at 125 ms 6.
        let mut c = Rounds::new(Veno::default(), 30.0, 10.0);
        c.play(&[100.0, 106.0]);
        let before = c.w.cwnd;
        assert_eq!(c.lose(), before * 0.8);
    }

    #[test]
    fn a_loss_with_a_queue_halves() {
        let mut c = Rounds::new(Veno::default(), 30.0, 10.0);
        c.play(&[100.0, 125.0]);
        let before = c.w.cwnd;
        assert_eq!(c.lose(), before / 2.0);
    }

    #[test]
    fn ns3_grows_as_reno() {
        let mut c = Rounds::new(Veno::new(&Options::of(&[("growth", 1.0)])), 24.0, 10.0);
        let grown = c.play(&[100.0, 130.0, 135.0]);
        assert_eq!(grown, [25.0, 25.9, 26.9]);
        let before = c.w.cwnd;
        assert_eq!(c.lose(), before / 2.0, "the queue still tells what a loss takes");
    }

    #[test]
    fn the_window_round_by_round() {
        // 20 segments fill 100 ms. From 24 on (3.6 to 4 waiting) each segment takes two rounds.
        let mut c = Rounds::new(Veno::default(), 20.0, 10.0);
        let mut cwnds = vec![];
        for _ in 0..10 {
            let rtt = (c.w.cwnd * 5.0).max(100.0);
            cwnds.extend(c.play(&[rtt]));
        }
        assert_eq!(cwnds, [21.0, 21.9, 22.9, 23.8, 24.3, 24.8, 25.2, 25.7, 26.2, 26.7]);
    }
}
