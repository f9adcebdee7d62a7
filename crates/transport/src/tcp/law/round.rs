//! Round-trip times as the laws that look at delay need them: the least ever, and those of the present round.

use super::interface::Ack;

/// Round-trip times in seconds.
#[derive(Clone, Copy, Debug)]
pub struct Delays {
    /// The least so far: the path without queues.
    pub base: f64,
    /// The greatest so far.
    pub max: f64,
    /// The least of this round; infinite where nothing was measured.
    pub min: f64,
    /// The last.
    pub last: f64,
    /// The number of samples in this round.
    pub samples: f64,
    sum: f64,
}

impl Default for Delays {
    fn default() -> Delays {
        let none = f64::INFINITY;
        Delays { base: none, max: 0.0, min: none, last: none, samples: 0.0, sum: 0.0 }
    }
}

impl Delays {
    /// Takes in what an acknowledgement measured.
    pub fn on_ack(&mut self, a: &Ack) {
        let Some(rtt) = a.rtt.get() else { return };
        let rtt = rtt.as_secs().max(1e-9);
        self.base = self.base.min(rtt);
        self.max = self.max.max(rtt);
        self.min = self.min.min(rtt);
        self.last = rtt;
        self.samples += 1.0;
        self.sum += rtt;
    }

    /// The mean of this round's samples; of none: the least ever.
    pub fn mean(&self) -> f64 {
        if self.samples > 0.0 { self.sum / self.samples } else { self.base }
    }

    /// Segments of a window of `cwnd` that wait in queues when the round trip takes `rtt`: what was expected without
    /// queues less what came, over the shortest round trip (Brakmo and Peterson 1995, section 4.2).
    pub fn backlog(&self, cwnd: f64, rtt: f64) -> f64 {
        if rtt.is_finite() && self.base.is_finite() { cwnd * (1.0 - self.base / rtt) } else { 0.0 }
    }

    /// Begins a round.
    pub fn begin_round(&mut self) {
        (self.min, self.samples, self.sum) = (f64::INFINITY, 0.0, 0.0);
    }
}

/// Rounds told by delivery: one ends when what was sent after its begin is acknowledged (BBR's rounds, and Linux's in
/// Vegas). A fresh one begins its round with the next acknowledgement.
#[derive(Clone, Copy, Debug, Default)]
pub struct Marked(Option<f64>);

impl Marked {
    /// Returns whether a round ends with this acknowledgement; the first only begins one, and forgets
    /// `delays`' samples.
    pub fn ends(&mut self, a: &Ack, delays: &mut Delays) -> bool {
        let Some(mark) = self.0 else {
            delays.begin_round();
            self.0 = Some(a.delivered);
            return false;
        };
        let over = a.delivered_at_send >= mark;
        if over {
            self.0 = Some(a.delivered);
        }
        over
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::law::testing::ack;

    #[test]
    fn a_marked_round_lasts_until_what_was_sent_in_it_comes_back() {
        let mut delays = Delays::default();
        delays.on_ack(&ack(100.0));
        let mut rounds = Marked::default();
        // Ten segments are out: what is sent now comes back ten acknowledgements later.
        let ends = |i: u32| {
            let delivered = f64::from(i);
            rounds.ends(
                &Ack { delivered, delivered_at_send: delivered - 10.0, ..ack(100.0) },
                &mut delays,
            )
        };
        let ended: Vec<usize> =
            (10..45).map(ends).enumerate().filter(|e| e.1).map(|e| e.0).collect();
        assert_eq!(ended, [10, 20, 30]);
        assert_eq!(delays.samples, 0.0);
    }

    #[test]
    fn a_backlog_is_what_the_queue_holds() {
        let mut delays = Delays::default();
        assert_eq!(delays.backlog(20.0, delays.min), 0.0);
        delays.on_ack(&ack(100.0));
        delays.on_ack(&ack(125.0));
        // 20 segments in 125 ms, where 16 fill the path of 100 ms.
        assert!((delays.backlog(20.0, delays.last) - 4.0).abs() < 1e-9);
        assert!((delays.mean() - 0.1125).abs() < 1e-9);
        delays.begin_round();
        assert_eq!((delays.samples, delays.base, delays.max), (0.0, 0.1, 0.125));
    }
}
