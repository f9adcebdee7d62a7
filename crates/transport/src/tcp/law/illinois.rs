//! Illinois: losses decide when, delays decide how much (Liu, Basar and Srikant, VALUETOOLS 2006).
//!
//! | section | here, `da` the mean queueing delay of the last round, `dm` the greatest ever |
//! |---|---|
//! | 3.2 | `alpha = alpha_max` where `da <= 0.01 dm`, else `k1/(k2 + da)`, down to `alpha_min` at dm |
//! | 3.2 | `beta = beta_min` up to 0.1 dm, `beta_max` from 0.8 dm on, linear between |
//! | 3.2 | below `low_window` segments: 1 and 1/2 |
//! | 3.3 | once above, alpha_max returns only after `theta` rounds with low delay |
//!
//! *Deviations.* After a timeout alpha and beta start again at 1 and 1/2, as in Linux.
//! ns-3 cuts an alpha below 1 to 0, since it keeps whole numbers: not here (nor in Linux, whose unit is 1/128).

use super::interface::{Ack, Law, LawRow};
use super::round::Delays;
use crate::tcp::window::{Loss, Window};
use base::{Options, parameters};

parameters! {
    alpha_min = 0.3, "least increase a round, segments (paper: 0.1; Linux, ns-3: 0.3)";
    alpha_max = 10.0, "greatest increase a round, segments (paper, Linux)";
    beta_min = 0.125, "least part that a loss takes (paper, Linux: 1/8)";
    beta_max = 0.5, "greatest part that a loss takes (paper, Linux)";
    low_window = 15.0, "segments below which it is Reno (Linux; the paper: 10)";
    theta = 5.0, "rounds of low delay before alpha_max returns (Linux, ns-3)";
}

/// Its source and its parameters.
pub(super) const ROW: LawRow = LawRow {
    year: 2006,
    paper: "Liu, Basar and Srikant, VALUETOOLS 2006",
    parameters: Params::ALL,
};

/// Illinois at work.
#[derive(Clone, Copy, Debug)]
pub struct Illinois {
    p: Params,
    delays: Delays,
    /// The growth in a round, segments.
    pub alpha: f64,
    /// The share of the window that a loss takes.
    pub beta: f64,
    /// A round with delay came, and the number of rounds without since.
    above: bool,
    low_rounds: f64,
}

impl Illinois {
    /// A fresh law.
    pub fn new(options: &Options) -> Illinois {
        let (p, delays) = (Params::new(options), Delays::default());
        Illinois { p, delays, alpha: 1.0, beta: 0.5, above: false, low_rounds: 0.0 }
    }

    fn end_round(&mut self, cwnd: f64) {
        if cwnd < self.p.low_window {
            (self.alpha, self.beta) = (1.0, 0.5);
        } else if self.delays.samples > 0.0 {
            let da = (self.delays.mean() - self.delays.base).max(0.0);
            let dm = self.delays.max - self.delays.base;
            self.alpha = self.next_alpha(da, dm);
            self.beta = self.next_beta(da, dm);
        }
        self.delays.begin_round();
    }

    fn next_alpha(&mut self, da: f64, dm: f64) -> f64 {
        let Params { alpha_min: min, alpha_max: max, theta, .. } = self.p;
        let d1 = dm / 100.0;
        // A nanosecond: the mean of equal times is not exactly that time.
        if da > d1 + 1e-9 {
            self.above = true;
            let (da, dm) = (da - d1, dm - d1);
            return dm * max / (dm + da * (max - min) / min);
        }
        if self.above {
            self.low_rounds += 1.0;
            if self.low_rounds < theta {
                return self.alpha;
            }
        }
        (self.above, self.low_rounds) = (false, 0.0);
        max
    }

    fn next_beta(&self, da: f64, dm: f64) -> f64 {
        let (d2, d3) = (0.1 * dm, 0.8 * dm);
        let part = if da <= d2 + 1e-9 { 0.0 } else { ((da - d2) / (d3 - d2)).min(1.0) };
        self.p.beta_min + (self.p.beta_max - self.p.beta_min) * part
    }
}

impl Law for Illinois {
    fn on_ack(&mut self, w: &mut Window, a: &Ack) {
        self.delays.on_ack(a);
        if a.round_ended {
            self.end_round(w.cwnd);
        }
        if a.may_grow() {
            w.grow(a.acked, self.alpha);
        }
    }

    fn on_loss(&mut self, w: &mut Window, why: Loss, base: f64) {
        w.shrink(why, base * (1.0 - self.beta));
        if why == Loss::Timeout {
            (self.alpha, self.beta, self.above, self.low_rounds) = (1.0, 0.5, false, 0.0);
            self.delays.begin_round();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::law::testing::Rounds;

    #[test]
    fn alpha_and_beta_are_ns3s() {
        // tcp-illinois-test.cc: base 100 ms; da 2 of dm 5 ms, 0 of 0, 8 of 10 ms.
        let mut law = Illinois::new(&Options::default());
        for (da, dm, alpha, beta) in [
            (0.002, 0.005, 0.7279411764705882, 0.2857142857142857),
            (0.0, 0.0, 10.0, 0.125),
            (0.008, 0.01, 0.37311557788944727, 0.5),
        ] {
            law.above = false;
            assert!((law.next_alpha(da, dm) - alpha).abs() < 1e-9);
            assert!((law.next_beta(da, dm) - beta).abs() < 1e-9);
        }
    }

    #[test]
    fn alpha_max_returns_after_theta_rounds() {
        let mut law = Illinois::new(&Options::default());
        law.alpha = law.next_alpha(0.005, 0.01);
        for _ in 0..4 {
            assert!(law.next_alpha(0.0, 0.01) < 1.0);
        }
        assert_eq!(law.next_alpha(0.0, 0.01), 10.0);
    }

    #[test]
    fn the_window_round_by_round() {
        // 60 segments fill 100 ms. The step falls as the queue grows; a loss with a full queue halves.
        let mut c = Rounds::new(Illinois::new(&Options::default()), 30.0, 10.0);
        let mut cwnds = vec![];
        for _ in 0..8 {
            let rtt = libm::fmax(100.0, c.w.cwnd / 0.6);
            cwnds.extend(c.play(&[rtt]));
        }
        assert_eq!(cwnds, [31.3, 40.0, 49.0, 58.2, 67.4, 76.6, 76.9, 77.2]);
        assert!((c.lose() - 38.6).abs() < 0.1);
    }
}
