//! A law of your own: how TCP's congestion window moves.
//!
//! ```text
//! cargo test
//! cargo build --release
//! lasthop run dumbbell --law target/release/LIBRARY
//! lasthop conformance law target/release/LIBRARY     # the rules for all laws
//! ```
//!
//! Until you change it, it is Reno to the last byte. Windows are in segments, fractions kept. What recovery does (what is
//! sent again, and when) stays that of the scenario's variant.

mod lasthop;

use lasthop::{Ack, Law, Loss, Options, Window};

/// Additive increase, multiplicative decrease (RFC 5681). All that it knows is in it: each flow has one.
#[derive(Clone)]
pub struct MyLaw {
    /// Growth a round trip, segments.
    increase: f64,
    /// The part of the window that a loss leaves.
    decrease: f64,
}

impl Law for MyLaw {
    fn new(options: &mut Options) -> MyLaw {
        // `--set tcp.law_options.increase=0.31` reaches these by name.
        MyLaw {
            increase: options.take("increase", 1.0),
            decrease: options.take("decrease", 0.5),
        }
    }

    fn on_ack(&mut self, w: &mut Window, ack: &Ack) {
        if ack.may_grow() {
            w.grow(ack.acked, self.increase);
        }
    }

    fn on_loss(&mut self, w: &mut Window, loss: Loss, base: f64) {
        let kept = if loss == Loss::EcnMark {
            0.8
        } else {
            self.decrease
        };
        w.shrink(loss, base * kept);
    }
}

lasthop::plugin!(MyLaw);

#[cfg(test)]
mod tests {
    use super::*;
    use lasthop::testing::{ack, options, window};

    #[test]
    fn a_round_trip_adds_a_segment() {
        let mut law = MyLaw::new(&mut options(&[]));
        let mut w = window(10.0, 5.0);
        law.on_ack(&mut w, &ack(1.0));
        assert_eq!(w.cwnd, 10.1);
    }

    #[test]
    fn a_loss_leaves_what_the_option_says() {
        let mut law = MyLaw::new(&mut options(&[("decrease", 0.7)]));
        let mut w = window(100.0, 10.0);
        law.on_loss(&mut w, Loss::DupAcks, 100.0);
        assert_eq!((w.cwnd, w.ssthresh), (70.0, 70.0));
    }
}
