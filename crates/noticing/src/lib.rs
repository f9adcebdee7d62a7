//! Findings about results of runs: a few sentences, each with its number, the reason why it matters and
//! advice.
//!
//! What is read is a result as JSON: of one run as `lasthop run --json` has it, or of several, where a number is a map with
//! its `mean`. The package and the page in the browser say the same words, since both ask here.

mod finding;
mod limit;
mod limit_words;
mod limits;
mod rows;
mod rules;
pub mod saying;
pub mod thresholds;

pub use finding::Finding;
pub use limit::{Cause, Limit};
use rows::Row;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Returns the findings about a result, the most important first, at most [`thresholds::MOST`]; an error
/// where it is not JSON.
///
/// With a table `disciplines`, that of each queue by its name, no queue is advised what it has.
pub fn noticed(result: &str) -> Result<Vec<Finding>, String> {
    let result = serde_json::from_str(result).map_err(|error| error.to_string())?;
    let found = rules::RULES.iter().filter_map(|rule| rule(Row(&result)));
    Ok(found.take(thresholds::MOST).collect())
}

/// Returns what limited the flows of a result with the measure `limits`; an error where it is not JSON.
///
/// Of other results it returns nothing. `docs/model/limits.md` has the rules.
pub fn limited(result: &str) -> Result<Vec<Limit>, String> {
    let read: Read = serde_json::from_str(result).map_err(|error| error.to_string())?;
    Ok(limits::limited(Row(&serde_json::json!(read))))
}

/// The same as JSON.
pub fn limited_as_json(result: &str) -> Result<String, String> {
    serde_json::to_string(&limited(result)?).map_err(|error| error.to_string())
}

/// What is read of a result; the rest, which probes make long, is passed over.
#[derive(Default, Deserialize, Serialize)]
#[serde(default)]
struct Read {
    measured_s: f64,
    flows: Value,
    stations: Value,
    access: Value,
    handoffs: Value,
    links: Value,
    wimax: Value,
    subscribers: Value,
}
