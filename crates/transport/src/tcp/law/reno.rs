//! Reno's window: slow start, congestion avoidance, halving (RFC 5681 section 3.1).
//!
//! | section | here |
//! |---|---|
//! | 3.1 equation 2 | slow start: `cwnd += min(acked, 1)` (or more: the connection's `abc_limit`) |
//! | 3.1 equation 3 | avoidance: `cwnd += acked/cwnd` |
//! | 3.1 equation 4 | loss: `ssthresh = max(FlightSize/2, 2)` |
//! | RFC 8511 section 3.1 | a congestion mark leaves `beta_ecn` of FlightSize |
//!
//! *Deviation.* In congestion avoidance an acknowledgement of less than a segment counts by its part, where equation 3
//! adds the same for each; it is what equation 2 does in slow start.

use super::interface::{Ack, Law, LawRow};
use crate::tcp::window::{Loss, Window};
use base::{Options, parameters};

parameters! {
    beta_ecn = 0.8, "what a congestion mark leaves of the window (RFC 8511: 0.8; RFC 3168: 0.5)";
}

/// Its source and its parameters.
pub(super) const ROW: LawRow =
    LawRow { year: 1988, paper: "Jacobson, SIGCOMM 1988; RFC 5681", parameters: Params::ALL };

/// Additive increase, multiplicative decrease. It remembers nothing: all is in the window.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reno(Params);

impl Reno {
    /// A fresh law.
    pub fn new(options: &Options) -> Reno {
        Reno(Params::new(options))
    }
}

impl Law for Reno {
    fn on_ack(&mut self, w: &mut Window, a: &Ack) {
        if a.may_grow() {
            w.grow(a.acked, 1.0);
        }
    }

    fn on_loss(&mut self, w: &mut Window, why: Loss, base: f64) {
        let kept = if why == Loss::EcnMark { self.0.beta_ecn } else { 0.5 };
        w.shrink(why, base * kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::law::testing::{Rounds, ack, window};

    #[test]
    fn slow_start_adds_what_is_acknowledged_up_to_a_segment() {
        let mut w = window(2.0, 10.0);
        for (acked, expected) in [(1.0, 3.0), (0.5, 3.5), (4.0, 4.5)] {
            Reno::default().on_ack(&mut w, &Ack { acked, ..ack(100.0) });
            assert_eq!(w.cwnd, expected);
        }
    }

    #[test]
    fn nothing_grows_in_recovery_or_when_the_window_does_not_bind() {
        let mut w = window(4.0, 10.0);
        Reno::default().on_ack(&mut w, &Ack { in_recovery: true, ..ack(100.0) });
        Reno::default().on_ack(&mut w, &Ack { app_limited: true, ..ack(100.0) });
        assert_eq!(w.cwnd, 4.0);
    }

    #[test]
    fn a_loss_halves_what_was_in_flight() {
        let mut w = window(20.0, f64::INFINITY);
        let mut law = Reno::default();
        law.on_loss(&mut w, Loss::DupAcks, 17.0);
        assert_eq!((w.cwnd, w.ssthresh), (8.5, 8.5));
        law.on_loss(&mut w, Loss::EcnMark, 8.0);
        assert_eq!((w.cwnd, w.ssthresh), (6.4, 6.4));
        law.on_loss(&mut w, Loss::Timeout, 8.0);
        assert_eq!((w.cwnd, w.ssthresh), (1.0, 4.0));
    }

    #[test]
    fn the_window_round_by_round() {
        // Slightly under one more a round: the window in the divisor grows meanwhile.
        let mut c = Rounds::new(Reno::default(), 2.0, 16.0);
        assert_eq!(c.play(&[100.0; 6]), [4.0, 8.0, 16.0, 17.0, 17.9, 18.8]);
        assert!((c.lose() - 9.4).abs() < 0.1);
    }
}
