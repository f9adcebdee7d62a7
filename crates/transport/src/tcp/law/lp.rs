//! TCP-LP: low priority, which leaves at the first sign of a queue (Kuzmanovic and Knightly, INFOCOM 2003).
//!
//! | section | here |
//! |---|---|
//! | III-A early indication | smoothed delay above `dmin + delta (dmax - dmin)` |
//! | III-B inference phase | the first indication halves; another within `inference` round trips leaves one segment |
//! | III-B | no growth in the inference phase; else, and after a loss, Reno |
//!
//! *Deviations.* Round-trip times replace one-way delays. As in Linux dmax is the second greatest delay,
//! against outliers, and both bounds start again at an indication.

use super::interface::{Ack, Law, LawRow};
use crate::tcp::window::{Loss, Window};
use base::{Options, Time, parameters};

parameters! {
    delta = 0.15, "part of the range of delays that indicates a queue (paper, Linux)";
    gain = 0.125, "weight of a sample in the smoothed delay (paper, Linux: 1/8)";
    inference = 3.0, "round trips of the inference phase (paper: 3)";
}

/// Its source and its parameters.
pub(super) const ROW: LawRow =
    LawRow { year: 2003, paper: "Kuzmanovic and Knightly, INFOCOM 2003", parameters: Params::ALL };

/// TCP-LP at work.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lp {
    p: Params,
    /// Delays in seconds: smoothed (0: no sample), least, greatest but one, greatest.
    smoothed: f64,
    least: f64,
    second: f64,
    greatest: f64,
    /// Until when the inference phase lasts.
    until: Option<Time>,
}

impl Lp {
    /// A fresh law.
    pub fn new(options: &Options) -> Lp {
        Lp { p: Params::new(options), ..Lp::default() }
    }

    /// True where the delay tells of a queue.
    fn indicates(&mut self, delay: f64) -> bool {
        if self.smoothed == 0.0 {
            (self.smoothed, self.least, self.second, self.greatest) = (delay, delay, delay, delay);
        }
        self.smoothed += self.p.gain * (delay - self.smoothed);
        self.least = self.least.min(delay);
        if delay > self.greatest {
            (self.second, self.greatest) = (self.greatest, delay);
        } else {
            self.second = self.second.max(delay);
        }
        let bound = self.least + self.p.delta * (self.second - self.least);
        self.smoothed > bound + 1e-9
    }
}

impl Law for Lp {
    fn on_ack(&mut self, w: &mut Window, a: &Ack) {
        let inferring = self.until.is_some_and(|until| a.now < until);
        if a.may_grow() && !inferring {
            w.grow(a.acked, 1.0);
        }
        let Some(delay) = a.rtt.get().map(|rtt| rtt.as_secs()) else { return };
        if self.indicates(delay) {
            w.cwnd = if inferring { 1.0 } else { (w.cwnd / 2.0).max(1.0) };
            w.ssthresh = w.cwnd.max(2.0);
            (self.least, self.second) = (self.smoothed, 2.0 * self.smoothed);
            self.greatest = self.second;
            self.until = Some(a.now + base::Span::from_secs(self.p.inference * delay));
        }
    }

    fn on_loss(&mut self, w: &mut Window, why: Loss, base: f64) {
        w.shrink(why, base / 2.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::law::testing::{Rounds, ack, window};

    #[test]
    fn the_first_sign_halves() {
        // ns-3's tcp-lp-test.cc: delays of 1 and 10 ms: 2 segments become 1.
        let mut w = window(8.0, 2.0);
        let mut law = Lp::new(&Options::default());
        law.on_ack(&mut w, &Ack { acked: 0.0, ..ack(1.0) });
        law.on_ack(&mut w, &Ack { acked: 0.0, ..ack(10.0) });
        assert_eq!(w.cwnd, 4.0);
    }

    #[test]
    fn another_sign_in_the_inference_phase_leaves_one_segment() {
        let mut w = window(8.0, 2.0);
        let mut law = Lp::new(&Options::default());
        for delay in [1.0, 10.0, 40.0] {
            law.on_ack(&mut w, &Ack { acked: 0.0, ..ack(delay) });
        }
        assert_eq!(w.cwnd, 1.0);
    }

    #[test]
    fn the_window_round_by_round() {
        // 20 segments fill 100 ms: Reno, until the queue shows.
        let mut c = Rounds::new(Lp::new(&Options::default()), 18.0, 10.0);
        let mut cwnds = vec![];
        for _ in 0..6 {
            let rtt = (c.w.cwnd * 5.0).max(100.0);
            cwnds.extend(c.play(&[rtt]));
        }
        assert_eq!(cwnds, [19.0, 19.9, 20.8, 10.4, 10.4, 10.4]);
    }
}
