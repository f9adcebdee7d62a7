//! The window in recovery: packets are conserved for one round trip, then the model decides again (section 4.2.3.4).

use super::model::Delivery;
use crate::tcp::law::interface::Ack;
use crate::tcp::window::{Loss, Window};

/// The progress of the repair of a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conservation {
    /// Nothing is repaired.
    None,
    /// Fast recovery has begun; the next acknowledgement says what is in flight.
    Begins,
    /// Its first round trip: a segment for each that is delivered.
    Conserves,
    /// The rounds after it, or a timeout's repairs.
    Goes,
}

impl Conservation {
    /// Something is repaired.
    pub fn is_on(self) -> bool {
        self != Conservation::None
    }

    /// A loss was noticed.
    pub fn begin(why: Loss) -> Conservation {
        if why == Loss::Timeout { Conservation::Goes } else { Conservation::Begins }
    }

    /// BBRModulateCwndForRecovery; true while packets are conserved, and the model does not move the window.
    pub fn modulate(&mut self, w: &mut Window, a: &Ack, delivery: &mut Delivery) -> bool {
        let delivered = delivery.newly_delivered;
        if *self == Conservation::Conserves && delivery.round_start {
            *self = Conservation::Goes;
        }
        if self.is_on() {
            w.cwnd = (w.cwnd - a.lost).max(1.0);
        }
        match *self {
            Conservation::Begins => {
                delivery.begin_round(a.now);
                *self = Conservation::Conserves;
                w.cwnd = a.inflight + delivered.max(1.0);
            }
            Conservation::Conserves => w.cwnd = w.cwnd.max(a.inflight + delivered),
            Conservation::Goes | Conservation::None => {}
        }
        *self == Conservation::Conserves
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::law::bbr::Bbr;
    use crate::tcp::law::interface::Law;
    use crate::tcp::law::testing;
    use base::Options;

    /// Ten segments a round of 100 ms.
    fn ack(number: u32, lost: f64) -> Ack {
        let delivered = f64::from(number);
        Ack {
            now: base::Time::ZERO + base::Span::millis(10 * u64::from(number)),
            delivered,
            delivered_at_send: (delivered - 10.0).max(0.0),
            delivery_rate: Some(100.0).into(),
            inflight: 5.0,
            lost,
            ..testing::ack(100.0)
        }
    }

    #[test]
    fn a_repair_conserves_for_a_round_and_ends_with_the_window_that_was() {
        let mut law = Bbr::new(&Options::default());
        let mut w = testing::window(10.0, f64::INFINITY);
        (1..=100).for_each(|i| law.on_ack(&mut w, &ack(i, 0.0)));
        let before = w.cwnd;
        law.on_loss(&mut w, Loss::DupAcks, 10.0);
        assert_eq!(w.cwnd, before, "the acknowledgement that comes next says what is in flight");
        law.on_ack(&mut w, &ack(101, 1.0));
        assert_eq!(w.cwnd, 6.0, "what is in flight, and what was delivered");
        // A loss goes off the window, but not below what conserves.
        law.on_ack(&mut w, &Ack { inflight: 7.0, ..ack(102, 1.0) });
        assert_eq!(w.cwnd, 8.0);
        (103..=110).for_each(|i| law.on_ack(&mut w, &ack(i, 0.0)));
        assert_eq!(w.cwnd, 8.0);
        // A round on the model has its say again, a segment for one that is delivered, less what is lost.
        law.on_ack(&mut w, &ack(111, 0.0));
        assert_eq!(w.cwnd, 9.0);
        law.on_ack(&mut w, &ack(112, 3.0));
        assert_eq!(w.cwnd, 7.0);
        law.on_recovered(&mut w);
        assert_eq!(w.cwnd, before);
    }
}
