//! Two numbers for a curve of lost words.

use libm::{erfc, exp, log, log1p};
use std::f64::consts::SQRT_2;

/// What was lost at a signal-to-noise ratio.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Of a point, dB.
    pub snr_db: f64,
    /// Words sent.
    pub words: u64,
    /// Of which lost.
    pub lost: u64,
}

/// Words are lost where a normal variable of the ratio in dB is above it, as long codes lose them near their threshold
/// (Amraoui, Montanari, Richardson and Urbanke 2009).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve {
    /// Where half of all words are lost, dB.
    pub threshold_db: f64,
    /// The deviation of the normal variable, dB.
    pub spread_db: f64,
}

impl Curve {
    /// The share of words that are lost.
    pub fn lost(self, snr_db: f64) -> f64 {
        0.5 * erfc((snr_db - self.threshold_db) / (SQRT_2 * self.spread_db))
    }

    /// Where this share of words is lost, dB.
    pub fn at(self, share: f64) -> f64 {
        let (mut low, mut high) = (self.threshold_db - 40.0, self.threshold_db + 40.0);
        for _ in 0..100 {
            let middle = f64::midpoint(low, high);
            if self.lost(middle) > share {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }

    /// The logarithm of how likely it makes these points.
    fn likelihood(self, points: &[Point]) -> f64 {
        let of = |point: &Point| {
            let share = self.lost(point.snr_db).clamp(exp(-600.0), 1.0 - f64::EPSILON);
            let kept = (point.words - point.lost) as f64;
            point.lost as f64 * log(share) + kept * log1p(-share)
        };
        points.iter().map(of).sum()
    }
}

/// The curve that makes these points most likely.
pub fn fit(points: &[Point]) -> Curve {
    let nearest = |a: &&Point, b: &&Point| {
        let from_half = |point: &Point| (point.lost as f64 / point.words as f64 - 0.5).abs();
        from_half(a).total_cmp(&from_half(b))
    };
    let threshold_db = points.iter().min_by(nearest).map_or(0.0, |point| point.snr_db);
    let mut best = Curve { threshold_db, spread_db: 0.3 };
    let mut likelihood = best.likelihood(points);
    let mut step = 0.1;
    while step > 1e-6 {
        let near = [(step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step)].map(|(by, wider)| {
            let spread_db = (best.spread_db + wider).max(1e-3);
            Curve { threshold_db: best.threshold_db + by, spread_db }
        });
        let better = near.into_iter().map(|curve| (curve.likelihood(points), curve));
        match better.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|found| found.0 > likelihood) {
            Some(found) => (likelihood, best) = found,
            None => step /= 2.0,
        }
    }
    best
}
