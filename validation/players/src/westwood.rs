//! Westwood+'s bandwidth filters (`westwood_filter`): samples in, estimates out, one round a second.

use crate::case::{Case, Error, cases};
use crate::trial::{Outcome, Trial, judged, near, number, numbers};
use serde_json::Value;
use transport::tcp::law::AnyLaw;

/// Runs a file of filter cases.
///
/// # Errors
/// Where the file has no list of cases.
pub fn run(file: &str, value: &Value) -> Result<Vec<Case>, Error> {
    Ok(cases(file, value)?.iter().map(|case| judged(file, case, one(case))).collect())
}

fn one(case: &Value) -> Outcome {
    let linux = case.pointer("/in/samples_integer").is_some();
    let samples = numbers(case, if linux { "/in/samples_integer" } else { "/in/samples" });
    let wanted = numbers(case, "/expect/estimate");
    if samples.is_empty() || samples.len() != wanted.len() {
        return Err("as many samples as estimates are needed".to_owned());
    }
    let filter = if linux { 2.0 } else { 1.0 };
    let gain = number(case, "/in/alpha").unwrap_or(0.9);
    // Each of Linux's two integer filters loses less than a unit a step, eight in the long run.
    let tolerance = if linux { 8.0 } else { 1e-5 };
    let mut trial = Trial::new("westwood+", &[("filter", filter), ("gain", gain)], 10.0, 1.0)?;
    trial.end_round(0.0, 1.0);
    for (i, (sample, want)) in samples.iter().zip(&wanted).enumerate() {
        trial.now += 1.0;
        trial.end_round(*sample, 1.0);
        let AnyLaw::WestwoodPlus(law) = &trial.law else { return Err("not Westwood+".to_owned()) };
        near(&format!("estimate {}", i + 1), law.estimate, *want, tolerance)?;
    }
    let remark = "within 8 units: Linux's two filters truncate to integers, ours do not";
    Ok(if linux { remark.to_owned() } else { String::new() })
}
