//! A delay's distribution, in results.

use crate::{DelayHistogram, outcome};
use serde::Serialize;

outcome! {
    /// A delay's distribution, s.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize)]
    pub struct DelayOutcome {
        /// Mean.
        mean: f64;
        /// Median.
        p50: f64, alone;
        /// 95th percentile.
        p95: f64, alone;
        /// 99th percentile.
        p99: f64, alone;
        /// Largest.
        max: f64, max;
    }
}

impl DelayOutcome {
    /// Returns the spread of a histogram that has counted something.
    pub fn of(delay: &DelayHistogram) -> Option<DelayOutcome> {
        Some(DelayOutcome {
            mean: delay.mean_s()?,
            p50: delay.quantile_s(0.50)?,
            p95: delay.quantile_s(0.95)?,
            p99: delay.quantile_s(0.99)?,
            max: delay.max().as_secs(),
        })
    }
}
