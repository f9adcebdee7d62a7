//! Random lengths of time: bursts and the silence between them.

use base::{Rng, Span};

/// A longer time than any run lasts: what a heavy tail gives beyond it is cut.
const LONGEST_S: f64 = 1e7;

/// Distribution of durations, apart from their mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Law {
    /// P(T > t) = exp(-t / mean).
    Exponential,
    /// P(T > t) = (least / t)^shape from the least time on, which is mean (shape - 1) / shape.
    Pareto {
        /// More than 1, so that there is a mean; up to 2 there is no variance.
        shape: f64,
    },
}

/// Random lengths of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Times {
    /// Their law.
    pub law: Law,
    /// Their mean.
    pub mean: Span,
}

impl Times {
    /// Draws a duration.
    pub fn draw(&self, rng: &mut Rng) -> Span {
        let x = match self.law {
            Law::Exponential => rng.exp1(),
            Law::Pareto { shape } => (shape - 1.0) / shape * libm::exp(rng.exp1() / shape),
        };
        self.scaled(x)
    }

    /// Draws the rest of the duration in progress at a random instant: the equilibrium residual, whose density is P(T > t)
    /// / mean (Cox 1962, section 5.2).
    pub fn residual(&self, rng: &mut Rng) -> Span {
        let x = match self.law {
            Law::Exponential => rng.exp1(),
            Law::Pareto { shape } => {
                // In units of the mean: uniform up to the least time, which has (shape - 1) / shape of the mass.
                let (least, u) = ((shape - 1.0) / shape, rng.unit());
                if u < least {
                    u
                } else {
                    least * libm::pow(shape * (1.0 - u), -1.0 / (shape - 1.0))
                }
            }
        };
        self.scaled(x)
    }

    fn scaled(&self, x: f64) -> Span {
        Span::from_secs((self.mean.as_secs() * x).min(LONGEST_S))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::{Purpose, Seed};

    const N: usize = 200_000;

    fn sorted(owner: u64, draw: impl Fn(&mut Rng) -> Span) -> Vec<f64> {
        let mut rng = Seed { seed: 1, replication: 0 }.stream(Purpose::App, owner);
        let mut all: Vec<f64> = (0..N).map(|_| draw(&mut rng).as_secs()).collect();
        all.sort_by(f64::total_cmp);
        all
    }

    /// The largest distance between an empirical and a true distribution, times the root of n: 1.63 is passed by one in a
    /// hundred, 2.2 by one in ten thousand (Kolmogorov).
    fn distance(sorted: &[f64], below: impl Fn(f64) -> f64) -> f64 {
        let n = sorted.len() as f64;
        let at = |(i, &x): (usize, &f64)| {
            let p = below(x);
            (p - i as f64 / n).abs().max((p - (i as f64 + 1.0) / n).abs())
        };
        sorted.iter().enumerate().map(at).fold(0.0, f64::max) * n.sqrt()
    }

    fn times(law: Law) -> Times {
        Times { law, mean: Span::millis(500) }
    }

    #[test]
    fn draws_follow_their_law() {
        let exponential = sorted(0, |rng| times(Law::Exponential).draw(rng));
        assert!(distance(&exponential, |t| 1.0 - (-t / 0.5).exp()) < 2.2);
        for shape in [1.2, 1.5, 2.5] {
            let least = 0.5 * (shape - 1.0) / shape;
            let pareto = sorted(1, |rng| times(Law::Pareto { shape }).draw(rng));
            assert!(distance(&pareto, |t| 1.0 - (least / t).powf(shape)) < 2.2, "shape {shape}");
        }
    }

    /// Hill's estimate of the tail index from the largest two per cent; its standard error is shape / sqrt(k).
    #[test]
    fn the_tail_index_is_the_shape() {
        for shape in [1.2, 1.5, 2.5] {
            let sorted = sorted(2, |rng| times(Law::Pareto { shape }).draw(rng));
            let tail = &sorted[N - N / 50..];
            let k = tail.len() as f64 - 1.0;
            let hill = k / tail[1..].iter().map(|x| (x / tail[0]).ln()).sum::<f64>();
            assert!((hill - shape).abs() < 4.0 * shape / k.sqrt(), "{hill} for {shape}");
        }
    }

    /// The mean of the residual is E[T^2] / (2 E[T]): for shape 3 the square mean is 3 least^2.
    #[test]
    fn residuals_follow_the_equilibrium_law() {
        let shape = 1.5;
        let (mean, least) = (0.5, 0.5 / 3.0);
        let below = |t: f64| {
            if t < least { t / mean } else { 1.0 - (least / t).powf(shape - 1.0) / shape }
        };
        let pareto = sorted(3, |rng| times(Law::Pareto { shape }).residual(rng));
        assert!(distance(&pareto, below) < 2.2);
        let exponential = sorted(4, |rng| times(Law::Exponential).residual(rng));
        assert!(distance(&exponential, |t| 1.0 - (-t / 0.5).exp()) < 2.2);
    }

    #[test]
    fn the_longest_tail_is_still_a_time() {
        let endless = Times { law: Law::Pareto { shape: 1.000_001 }, mean: Span::secs(1_000_000) };
        let sorted = sorted(5, |rng| endless.residual(rng));
        assert_eq!(sorted[N - 1], LONGEST_S);
    }
}
