//! Moving averages without much delay.

/// A share of MPDUs, averaged by a filter of the second order without overshoot (J. Ehlers' "super smoother").
#[derive(Clone, Copy, Debug)]
pub(super) struct Average {
    now: f64,
    before: f64,
}

impl Average {
    /// The average after another share, with a cut-off of `period` shares.
    pub fn next(was: Option<Average>, share: f64, period: f64) -> Average {
        let Some(Average { now, before }) = was else {
            return Average { now: share, before: share };
        };
        let a = libm::exp(-std::f64::consts::PI * std::f64::consts::SQRT_2 / period);
        let turn = std::f64::consts::SQRT_2 * std::f64::consts::TAU / period;
        let (second, third) = (2.0 * a * libm::cos(turn), -a * a);
        let next = (1.0 - second - third) * share + second * now + third * before;
        Average { now: next.clamp(0.0, 1.0), before: now }
    }
    /// The average so far.
    pub fn now(self) -> f64 {
        self.now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_filter_is_that_of_its_equations() {
        // Coefficients for a period of 16 looks: a = exp(-pi sqrt 2 / 16) = 0.757539, b = 2 a cos(sqrt 2 * 2 pi / 16) = 1.287378.
        let (second, third) = (1.287_378, -0.573_865);
        let mut average = Average::next(None, 0.0, 16.0);
        assert_eq!(average.now, 0.0);
        average = Average::next(Some(average), 1.0, 16.0);
        assert!((average.now - (1.0 - second - third)).abs() < 1e-5, "{average:?}");
        for _ in 0..40 {
            average = Average::next(Some(average), 1.0, 16.0);
        }
        assert!((average.now - 1.0).abs() < 1e-3);
    }
}
