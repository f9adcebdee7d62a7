//! Findings about results of runs: a few sentences, each with its number, the reason why it matters and
//! advice.
//!
//! What is read is a result as JSON: of one run as `lasthop run --json` has it, or of several, where a number is a map with
//! its `mean`. The package and the page in the browser say the same words, since both ask here.

mod finding;
mod rows;
mod rules;
pub mod saying;
pub mod thresholds;

pub use finding::Finding;
use rows::Row;

/// Returns the findings about a result, the most important first, at most [`thresholds::MOST`]; an error
/// where it is not JSON.
pub fn noticed(result: &str) -> Result<Vec<Finding>, String> {
    let result = serde_json::from_str(result).map_err(|error| error.to_string())?;
    let found = rules::RULES.iter().filter_map(|rule| rule(Row(&result)));
    Ok(found.take(thresholds::MOST).collect())
}
