//! Scalable TCP (Kelly, CCR 33(2), 2003).
//!
//! | section | here |
//! |---|---|
//! | 2 | `+ai` an acknowledged segment (0.01): a window doubles in a fixed number of rounds |
//! | 2 | a loss takes `md` (1/8) |
//! | 2.1 legacy window | Reno's `+1/W` where that is more: below 1/ai segments |
//!
//! *Deviation.* The legacy window is 1/ai, as in Linux and ns-3; the paper has 16 segments.

use super::interface::{Ack, Law, LawRow};
use crate::tcp::window::{Loss, Window};
use base::{Options, parameters};

parameters! {
    ai = 0.01, "growth an acknowledged segment, segments (paper: 0.01; Linux, ns-3: 1/50, meant for delayed ACKs)";
    md = 0.125, "part of the window that a loss takes (paper: 1/8)";
}

/// Its source and its parameters.
pub(super) const ROW: LawRow =
    LawRow { year: 2003, paper: "Kelly, CCR 33(2), 2003", parameters: Params::ALL };

/// Scalable TCP at work.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scalable(Params);

impl Scalable {
    /// A fresh law.
    pub fn new(options: &Options) -> Scalable {
        Scalable(Params::new(options))
    }
}

impl Law for Scalable {
    fn on_ack(&mut self, w: &mut Window, a: &Ack) {
        if a.may_grow() {
            w.grow(a.acked, (self.0.ai * w.cwnd).max(1.0));
        }
    }

    fn on_loss(&mut self, w: &mut Window, why: Loss, base: f64) {
        w.shrink(why, base * (1.0 - self.0.md));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::law::testing::{Rounds, ack, window};

    #[test]
    fn a_segment_adds_a_hundredth() {
        let mut w = window(1000.0, 10.0);
        Scalable::default().on_ack(&mut w, &ack(100.0));
        assert_eq!(w.cwnd, 1000.01);
        w.cwnd = 50.0;
        Scalable::default().on_ack(&mut w, &ack(100.0));
        assert_eq!(w.cwnd, 50.02);
    }

    #[test]
    fn a_loss_takes_an_eighth() {
        // ns-3's tcp-scalable-test.cc: 100 segments leave 87 (87.5).
        let mut c = Rounds::new(Scalable::default(), 100.0, 10.0);
        assert_eq!(c.lose(), 87.5);
    }

    #[test]
    fn the_window_round_by_round() {
        let mut c = Rounds::new(Scalable::default(), 98.0, 10.0);
        assert_eq!(c.play(&[100.0; 4]), [99.0, 100.0, 101.0, 102.0]);
        c.w.cwnd = 1000.0;
        assert_eq!(c.play(&[100.0; 4]), [1010.0, 1020.1, 1030.3, 1040.6]);
    }
}
