//! Random sizes, times and counts: a law by name, within bounds.

use base::{Rng, Span};

/// A distribution of a quantity that is never negative. The unit is the user's: bytes, seconds, pieces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Distribution {
    /// Always this.
    Constant(f64),
    /// Any value between the two alike.
    Uniform {
        /// From here.
        low: f64,
        /// To here.
        high: f64,
    },
    /// P(X > x) = exp(-x / mean).
    Exponential {
        /// Its mean.
        mean: f64,
    },
    /// P(X > x) = (scale / x)^shape from `scale` on.
    Pareto {
        /// Its least value.
        scale: f64,
        /// Its tail: no variance up to 2, no mean up to 1.
        shape: f64,
    },
    /// P(X > x) = (1 + x / scale)^-shape: Pareto's of the second kind (Lomax's), which begins at zero.
    ParetoII {
        /// Its scale.
        scale: f64,
        /// Its tail: no variance up to 2, no mean up to 1.
        shape: f64,
    },
    /// The logarithm is normal.
    Lognormal {
        /// The median: e to the mean of the logarithm.
        median: f64,
        /// The standard deviation of the logarithm.
        sigma: f64,
    },
    /// P(X > x) = exp(-(x / scale)^shape).
    Weibull {
        /// Its scale.
        scale: f64,
        /// Its shape; 1: exponential.
        shape: f64,
    },
}

impl Distribution {
    /// Pareto's law of this mean; `shape` is more than 1.
    pub fn pareto(mean: f64, shape: f64) -> Distribution {
        Distribution::Pareto { scale: mean * (shape - 1.0) / shape, shape }
    }

    /// Pareto's law of the second kind of this mean; `shape` is more than 1.
    pub fn pareto_ii(mean: f64, shape: f64) -> Distribution {
        Distribution::ParetoII { scale: mean * (shape - 1.0), shape }
    }

    /// The log-normal law of this mean.
    pub fn lognormal(mean: f64, sigma: f64) -> Distribution {
        Distribution::Lognormal { median: mean * libm::exp(-0.5 * sigma * sigma), sigma }
    }

    /// The mean; infinite where there is none.
    pub fn mean(&self) -> f64 {
        match *self {
            Distribution::Constant(value) => value,
            Distribution::Uniform { low, high } => 0.5 * (low + high),
            Distribution::Exponential { mean } => mean,
            Distribution::Pareto { shape, .. } | Distribution::ParetoII { shape, .. }
                if shape <= 1.0 =>
            {
                f64::INFINITY
            }
            Distribution::Pareto { scale, shape } => scale * shape / (shape - 1.0),
            Distribution::ParetoII { scale, shape } => scale / (shape - 1.0),
            Distribution::Lognormal { median, sigma } => median * libm::exp(0.5 * sigma * sigma),
            Distribution::Weibull { scale, shape } => scale * libm::tgamma(1.0 + 1.0 / shape),
        }
    }

    fn draw(&self, rng: &mut Rng) -> f64 {
        match *self {
            Distribution::Constant(value) => value,
            Distribution::Uniform { low, high } => low + (high - low) * rng.unit(),
            Distribution::Exponential { mean } => mean * rng.exp1(),
            Distribution::Pareto { scale, shape } => scale * libm::exp(rng.exp1() / shape),
            Distribution::ParetoII { scale, shape } => scale * libm::expm1(rng.exp1() / shape),
            Distribution::Lognormal { median, sigma } => median * libm::exp(sigma * normal(rng)),
            Distribution::Weibull { scale, shape } => scale * libm::pow(rng.exp1(), 1.0 / shape),
        }
    }
}

/// A standard normal number (Box and Muller 1958); its twin is not used, so that each draw takes two numbers.
fn normal(rng: &mut Rng) -> f64 {
    let radius = libm::sqrt(2.0 * rng.exp1());
    radius * libm::cos(std::f64::consts::TAU * rng.unit())
}

/// So often a draw outside the bounds is made again before it becomes the nearer bound.
const TRIES: u32 = 1000;

/// A law within bounds: what falls outside is drawn again, as in 3GPP's traffic models.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Variate {
    /// The law.
    pub law: Distribution,
    /// Lower bound.
    pub least: f64,
    /// Upper bound.
    pub most: f64,
}

impl From<Distribution> for Variate {
    fn from(law: Distribution) -> Variate {
        Variate { law, least: 0.0, most: f64::INFINITY }
    }
}

impl Variate {
    /// Always this.
    pub fn constant(value: f64) -> Variate {
        Variate::from(Distribution::Constant(value))
    }

    /// A value.
    pub fn draw(&self, rng: &mut Rng) -> f64 {
        let mut value = self.law.draw(rng);
        let mut tries = 0;
        while !(self.least..=self.most).contains(&value) && tries < TRIES {
            value = self.law.draw(rng);
            tries += 1;
        }
        value.max(self.least).min(self.most)
    }

    /// A time, where the unit is the second.
    pub fn span(&self, rng: &mut Rng) -> Span {
        Span::from_secs(self.draw(rng).min(LONGEST_S))
    }

    /// A whole number, rounded up, as ns-2 counts the packets of an object.
    pub fn whole(&self, rng: &mut Rng) -> u64 {
        libm::ceil(self.draw(rng)) as u64
    }
}

/// Longer than any run, and short enough for the agenda.
const LONGEST_S: f64 = 1e7;

#[cfg(test)]
mod tests {
    use super::*;
    use base::{Purpose, Seed};

    fn rng(owner: u64) -> Rng {
        Seed { seed: 1, replication: 0 }.stream(Purpose::App, owner)
    }

    const N: u32 = 200_000;

    fn mean_of(variate: &Variate, owner: u64) -> f64 {
        let mut rng = rng(owner);
        (0..N).map(|_| variate.draw(&mut rng)).sum::<f64>() / f64::from(N)
    }

    /// Each law's sample mean against its own formula, and its median against the formula of that: 4 standard errors.
    #[test]
    fn means_and_medians_are_the_laws() {
        let half = std::f64::consts::LN_2;
        let cases = [
            (Distribution::Uniform { low: 2.0, high: 5.0 }, 3.5, 0.87),
            (Distribution::Exponential { mean: 3.0 }, 3.0 * half, 3.0),
            (Distribution::pareto(10.0, 3.0), 10.0 * 2.0 / 3.0 * libm::cbrt(2.0), 5.8),
            (Distribution::pareto_ii(10.0, 3.0), 20.0 * (libm::cbrt(2.0) - 1.0), 17.4),
            (Distribution::lognormal(8.0, 0.8), 8.0 * libm::exp(-0.32), 7.6),
            (Distribution::Weibull { scale: 2.0, shape: 0.8 }, 2.0 * libm::pow(half, 1.25), 2.9),
        ];
        for (i, (law, median, deviation)) in cases.into_iter().enumerate() {
            let error = 4.0 * deviation / f64::from(N).sqrt();
            let mean = mean_of(&law.into(), i as u64);
            assert!((mean - law.mean()).abs() < error, "{law:?}: {mean} against {}", law.mean());
            let mut stream = rng(100 + i as u64);
            let below = (0..N).filter(|_| law.draw(&mut stream) < median).count();
            let half = f64::from(N) / 2.0;
            assert!((below as f64 - half).abs() < 2.0 * f64::from(N).sqrt(), "{law:?}: {below}");
        }
    }

    #[test]
    fn a_law_is_made_of_its_mean() {
        for law in [
            Distribution::pareto(10.0, 1.2),
            Distribution::pareto_ii(12.0, 1.2),
            Distribution::lognormal(35.0, 1.5),
        ] {
            let again = match law {
                Distribution::Pareto { .. } => 10.0,
                Distribution::ParetoII { .. } => 12.0,
                _ => 35.0,
            };
            assert!((law.mean() - again).abs() < 1e-9, "{law:?}");
        }
        assert_eq!(Distribution::Pareto { scale: 1.0, shape: 1.0 }.mean(), f64::INFINITY);
    }

    #[test]
    fn what_falls_outside_is_drawn_again_and_no_heap_stands_at_a_bound() {
        let bounded =
            Variate { law: Distribution::Exponential { mean: 1.0 }, least: 0.5, most: 2.0 };
        let mut stream = rng(1);
        for _ in 0..10_000 {
            let value = bounded.draw(&mut stream);
            assert!(value > 0.5 && value < 2.0, "{value}");
        }
        let hopeless = Variate { law: Distribution::Constant(1.0), least: 3.0, most: 4.0 };
        assert_eq!(hopeless.draw(&mut stream), 3.0);
    }

    #[test]
    fn counts_are_rounded_up() {
        let mut stream = rng(1);
        assert_eq!(Variate::constant(2.1).whole(&mut stream), 3);
        assert_eq!(Variate::constant(0.25).span(&mut stream), Span::millis(250));
    }
}
