//! Means over seeds beside those of a table.

use super::row::Row;
use crate::case::{Case, Error};

/// Numbers by metric, of one run.
pub type Metrics = Vec<(&'static str, f64)>;

/// Standard errors of the difference up to which two means are alike: with five seeds on each side chance is beyond that once
/// in five hundred rows.
const STANDARD_ERRORS: f64 = 4.5;

/// Compares the rows of one configuration with as many runs; `slack` is what a metric may be off beside chance.
pub fn compare(
    file: &str,
    rows: &[Row],
    mut run: impl FnMut(u64) -> Result<Metrics, Error>,
    slack: impl Fn(&str) -> f64,
) -> Result<Vec<Case>, Error> {
    let seeds: u64 = rows[0].number("n_seeds")?;
    let runs = (1..=seeds).map(&mut run).collect::<Result<Vec<_>, _>>()?;
    let case = |row: &Row| {
        let metric = row.text("metric")?;
        let of_run = |run: &Metrics| run.iter().find(|(name, _)| *name == metric).map(|own| own.1);
        let own: Vec<f64> = runs.iter().filter_map(of_run).collect();
        if own.is_empty() {
            return Err(Error::new(file, format!("{}: no metric {metric}", row.id())));
        }
        let (mean, error) = mean_and_error(&own);
        let (expected, spread): (f64, f64) = (row.number("mean")?, row.number("std")?);
        let chance = (error * error + spread * spread / seeds as f64).sqrt();
        let difference = mean - expected;
        let digits = 1e-6 * expected.abs() + 1e-9;
        let is_off = difference.abs() > STANDARD_ERRORS * chance + slack(metric) + digits;
        let outcome = if is_off || !difference.is_finite() {
            Err(format!("{metric} {mean} instead of {expected} (standard error {chance})"))
        } else {
            Ok(())
        };
        Ok(Case::new(file, &row.id(), outcome))
    };
    rows.iter().map(case).collect()
}

/// The mean, and its standard error.
fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, if values.len() > 1 { (squares / (n - 1.0) / n).sqrt() } else { 0.0 })
}

/// Mean, standard deviation and quantiles of delays, ms.
pub fn of_delays(delays: &mut [f64]) -> Metrics {
    if delays.is_empty() {
        return Vec::new();
    }
    delays.sort_by(f64::total_cmp);
    let n = delays.len() as f64;
    let mean = delays.iter().sum::<f64>() / n;
    let variance = delays.iter().map(|delay| (delay - mean).powi(2)).sum::<f64>() / n;
    let mut metrics = vec![("delay_mean_ms", mean), ("delay_std_ms", variance.sqrt())];
    for (name, share) in [
        ("delay_q01_ms", 0.01),
        ("delay_q10_ms", 0.1),
        ("delay_q25_ms", 0.25),
        ("delay_q50_ms", 0.5),
        ("delay_q75_ms", 0.75),
        ("delay_q90_ms", 0.9),
        ("delay_q99_ms", 0.99),
    ] {
        metrics.push((name, delays[((share * n) as usize).min(delays.len() - 1)]));
    }
    metrics
}
