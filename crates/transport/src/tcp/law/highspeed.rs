//! HighSpeed TCP (RFC 3649).
//!
//! | section | here |
//! |---|---|
//! | 5 | up to `low_window` segments: Reno |
//! | 5 | `b(w) = (high_decrease - 0.5)(ln w - ln low)/(ln high - ln low) + 0.5`; a loss leaves `1 - b(w)` |
//! | 5 | `a(w) = w^2 p(w) 2 b(w)/(2 - b(w))`, `p(w) = 0.078/w^1.2`; `+a(w)/w` a segment |
//!
//! *Deviation.* By default a(w) and b(w) come from the formulas. Linux and ns-3 read appendix B's table, and take the
//! next row above the window, so that 39 segments already grow by two: `steps`.

use super::interface::{Ack, Law, LawRow};
use crate::tcp::window::{Loss, Window};
use base::{Options, SWITCH, parameters};

parameters! {
    low_window = 38.0, "segments up to which it is Reno (section 5)";
    high_window = 83000.0, "segments at which `high_decrease` holds (section 5)";
    high_decrease = 0.1, "part of the window that a loss takes there (section 5)";
    steps = 0.0, of SWITCH, "by the next row of appendix B's table (Linux, ns-3); off: by the formulas";
}

/// Its source and its parameters.
pub(super) const ROW: LawRow = LawRow { year: 2003, paper: "RFC 3649", parameters: Params::ALL };

/// RFC 3649 appendix B: the windows at which a(w) is 1, 2, 3, ...
#[rustfmt::skip]
const ROWS: [f64; 73] = [
    38.0, 118.0, 221.0, 347.0, 495.0, 663.0, 851.0, 1058.0, 1284.0, 1529.0, 1793.0, 2076.0, 2378.0, 2699.0,
    3039.0, 3399.0, 3778.0, 4177.0, 4596.0, 5036.0, 5497.0, 5979.0, 6483.0, 7009.0, 7558.0, 8130.0, 8726.0,
    9346.0, 9991.0, 10661.0, 11358.0, 12082.0, 12834.0, 13614.0, 14424.0, 15265.0, 16137.0, 17042.0, 17981.0,
    18955.0, 19965.0, 21013.0, 22101.0, 23230.0, 24402.0, 25618.0, 26881.0, 28193.0, 29557.0, 30975.0, 32450.0,
    33986.0, 35586.0, 37253.0, 38992.0, 40808.0, 42707.0, 44694.0, 46776.0, 48961.0, 51258.0, 53677.0, 56230.0,
    58932.0, 61799.0, 64851.0, 68113.0, 71617.0, 75401.0, 79517.0, 84035.0, 89053.0, 94717.0,
];

/// HighSpeed TCP at work.
#[derive(Clone, Copy, Debug, Default)]
pub struct HighSpeed(Params);

impl HighSpeed {
    /// A fresh law.
    pub fn new(options: &Options) -> HighSpeed {
        HighSpeed(Params::new(options))
    }

    /// b(w): the part of a window of `w` segments that a loss takes.
    pub fn decrease(&self, w: f64) -> f64 {
        let Params { low_window: low, high_window: high, high_decrease, .. } = self.0;
        if w <= low {
            return 0.5;
        }
        let w = if self.0.steps == 0.0 { w } else { ROWS[row_above(w)] };
        let part = libm::log(w / low) / libm::log(high / low);
        0.5 + (high_decrease - 0.5) * part.min(1.0)
    }

    /// a(w): what a round adds to a window of `w` segments.
    pub fn increase(&self, w: f64) -> f64 {
        if w <= self.0.low_window {
            return 1.0;
        }
        if self.0.steps != 0.0 {
            return (row_above(w) + 1) as f64;
        }
        let b = self.decrease(w);
        let p = 0.078 / libm::pow(w, 1.2);
        (w * w * p * 2.0 * b / (2.0 - b)).max(1.0)
    }
}

/// The first row of the table whose window is no less than `w`.
fn row_above(w: f64) -> usize {
    ROWS.partition_point(|&row| row < w).min(ROWS.len() - 1)
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
