//! Packet scripts: timed segments to one real endpoint of ours, and what it sends against what is expected.

use crate::case::{Case, Error, cases, id};
use serde_json::Value;

/// Runs a file of scripts.
///
/// # Errors
/// Where the file has no list of cases.
pub fn run(file: &str, value: &Value) -> Result<Vec<Case>, Error> {
    let run = |case| Case::new(file, id(case), Err("packet scripts are not run yet".to_owned()));
    Ok(cases(file, value)?.iter().map(run).collect())
}
