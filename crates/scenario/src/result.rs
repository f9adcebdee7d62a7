//! What a run gives, as JSON: times in seconds, rates in bit/s.

use record::{MeasuredOutcome, ProbeTables};
use serde::Serialize;
use world::Outcome;

/// One run.
#[derive(Clone, Debug, Serialize)]
pub struct RunResult {
    /// The scenario's name, or an empty string.
    pub scenario: String,
    /// The root of the random numbers.
    pub seed: u64,
    /// Which of the independent runs of this seed, from 0.
    pub replication: u64,
    /// What was measured.
    #[serde(flatten)]
    pub outcome: Outcome<MeasuredOutcome>,
    /// What probes wrote down; absent where none was on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probes: Option<ProbeTables>,
}

impl RunResult {
    /// As one JSON document.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|_| "null".to_owned())
    }
}
