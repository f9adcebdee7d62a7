//! Checks from the BBR draft's appendix (`bbr_behaviour`): scenarios over a path, and the states that
//! follow.
//!
//! The draft's cases are sentences; each is a scenario here, found by its id. The path has 1000 segments/s, 50 ms
//! and a buffer of 1000 segments where nothing else is said.

mod scene;
mod scenes;

use crate::case::{Case, Error, cases, id};
use crate::trial::{Outcome, judged};
use serde_json::Value;

/// Runs a file of behaviours.
///
/// # Errors
/// Where the file has no list of cases.
pub fn run(file: &str, value: &Value) -> Result<Vec<Case>, Error> {
    Ok(cases(file, value)?.iter().map(|case| judged(file, case, one(id(case)))).collect())
}

fn one(id: &str) -> Outcome {
    let name = id.strip_prefix("bbr-").unwrap_or(id);
    let scene = scenes::SCENES.iter().find(|scene| scene.0 == name);
    scene.map_or_else(|| Err(format!("no scenario {name}")), |scene| scene.1())
}
