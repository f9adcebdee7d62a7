//! HighSpeed TCP (RFC 3649).
//!
//! | section | here |
//! |---|---|
//! | 5 | up to `low_window` segments: Reno |
//! | 5 | `b(w) = (high_decrease - 0.5)(ln w - ln low)/(ln high - ln low) + 0.5`; a loss leaves `1 - b(w)` |
//! | 5 | `a(w) = w^2 p(w) 2 b(w)/(2 - b(w))`, `p(w) = 0.078/w^1.2`; `+a(w)/w` a segment |
//!
//! *Deviation.* a(w) and b(w) come from the formulas; Linux and ns-3 read appendix B's table of 73 steps.

use super::{Ack, Law, LawOptions, Loss, parameters};
use crate::tcp::window::Window;

parameters! {
    low_window = 38.0, "segments up to which it is Reno (section 5)";
    high_window = 83000.0, "segments at which `high_decrease` holds (section 5)";
    high_decrease = 0.1, "part of the window that a loss takes there (section 5)";
}

/// HighSpeed TCP at work.
#[derive(Clone, Copy, Debug, Default)]
pub struct HighSpeed(Params);

impl HighSpeed {
    /// What can be set.
    pub const PARAMETERS: &'static [super::Parameter] = Params::ALL;

    /// A fresh law.
    pub fn new(options: &LawOptions) -> HighSpeed {
        HighSpeed(Params::new(options))
    }

    /// b(w): the part of a window of `w` segments that a loss takes.
    pub fn decrease(&self, w: f64) -> f64 {
        let Params { low_window: low, high_window: high, high_decrease } = self.0;
        if w <= low {
            return 0.5;
        }
        let part = libm::log(w / low) / libm::log(high / low);
        0.5 + (high_decrease - 0.5) * part.min(1.0)
    }

    /// a(w): what a round adds to a window of `w` segments.
    pub fn increase(&self, w: f64) -> f64 {
        if w <= self.0.low_window {
            return 1.0;
        }
        let b = self.decrease(w);
        let p = 0.078 / libm::pow(w, 1.2);
        (w * w * p * 2.0 * b / (2.0 - b)).max(1.0)
    }
}

impl Law for HighSpeed {
    fn on_ack(&mut self, w: &mut Window, a: &Ack) {
        if a.may_grow() {
            w.grow(a.acked, if w.in_slow_start() { 0.0 } else { self.increase(w.cwnd) });
        }
    }

    fn on_loss(&mut self, w: &mut Window, why: Loss, base: f64) {
        w.shrink(why, base * (1.0 - self.decrease(base)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::law::testing::Rounds;

    #[test]
    fn the_formulas_give_the_table() {
        // RFC 3649 appendix B: w, a(w), b(w).
        let law = HighSpeed::default();
        for (w, a, b) in [(38.0, 1, 0.5), (118.0, 2, 0.44), (221.0, 3, 0.41), (84035.0, 71, 0.1)] {
            assert!((law.increase(w) - f64::from(a)).abs() < 0.9, "{w}: {}", law.increase(w));
            assert!((law.decrease(w) - b).abs() < 0.01, "{w}: {}", law.decrease(w));
        }
    }

    #[test]
    fn a_large_window_loses_little() {
        let mut c = Rounds::new(HighSpeed::default(), 83000.0, 10.0);
        assert!((c.lose() - 74700.0).abs() < 1e-6);
    }

    #[test]
    fn the_window_round_by_round() {
        let mut c = Rounds::new(HighSpeed::default(), 36.0, 10.0);
        assert_eq!(c.play(&[100.0; 6]), [37.0, 37.9, 38.9, 39.9, 40.8, 41.8]);
        c.w.cwnd = 1000.0;
        assert_eq!(c.play(&[100.0; 3]), [1007.7, 1015.5, 1023.3]);
    }
}
