//! Reno's window: slow start, congestion avoidance, halving (RFC 5681 section 3.1).
//!
//! Deviation: in congestion avoidance an acknowledgement of less than a segment counts by its part, where
//! equation 3 adds the same for each; it is what equation 2 does in slow start.

use super::{Ack, Law, Loss};
use crate::tcp::window::Window;

/// What remains after a congestion mark (RFC 8511 section 3.1, beta_ecn); RFC 3168 itself would halve.
const ABE: f64 = 0.8;

/// Additive increase, multiplicative decrease. It remembers nothing: all is in the window.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reno;

impl Law for Reno {
    fn on_ack(&mut self, w: &mut Window, a: &Ack) {
        if a.app_limited || a.in_recovery {
            return;
        }
        // min(N, SMSS) of equation 2, in segments.
        let step = a.acked.min(1.0);
        w.cwnd += if w.in_slow_start() { step } else { step / w.cwnd };
    }

    fn on_loss(&mut self, w: &mut Window, why: Loss, base: f64) {
        match why {
            Loss::DupAcks => w.cut(base / 2.0),
            Loss::Timeout => w.collapse(base / 2.0),
            // RFC 8511 section 3: a mark comes from a short queue, so 0.8 empties it.
            Loss::EcnMark => w.cut(base * ABE),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::{TcpConfig, law::Ack};

    fn ack(acked: f64) -> Ack {
        Ack { acked, flight: 10.0, ..Ack::default() }
    }

    fn window(cwnd: f64, ssthresh: f64) -> Window {
        let mut w = Window::new(&TcpConfig::default());
        (w.cwnd, w.ssthresh) = (cwnd, ssthresh);
        w
    }

    #[test]
    fn slow_start_adds_what_is_acknowledged_up_to_a_segment() {
        let mut w = window(2.0, 10.0);
        for (acked, expected) in [(1.0, 3.0), (0.5, 3.5), (4.0, 4.5)] {
            Reno.on_ack(&mut w, &ack(acked));
            assert_eq!(w.cwnd, expected);
        }
    }

    #[test]
    fn avoidance_adds_one_segment_a_window() {
        let mut w = window(10.0, 10.0);
        for _ in 0..10 {
            Reno.on_ack(&mut w, &ack(1.0));
        }
        // Slightly under one: the window in the divisor grows meanwhile.
        assert!((10.95..11.0).contains(&w.cwnd), "{}", w.cwnd);
    }

    #[test]
    fn nothing_grows_in_recovery_or_when_the_window_does_not_bind() {
        let mut w = window(4.0, 10.0);
        Reno.on_ack(&mut w, &Ack { in_recovery: true, ..ack(1.0) });
        Reno.on_ack(&mut w, &Ack { app_limited: true, ..ack(1.0) });
        assert_eq!(w.cwnd, 4.0);
    }

    #[test]
    fn a_loss_halves_what_was_in_flight() {
        let mut w = window(20.0, f64::INFINITY);
        Reno.on_loss(&mut w, Loss::DupAcks, 17.0);
        assert_eq!((w.cwnd, w.ssthresh), (8.5, 8.5));
        Reno.on_loss(&mut w, Loss::Timeout, 8.0);
        assert_eq!((w.cwnd, w.ssthresh), (1.0, 4.0));
    }
}
