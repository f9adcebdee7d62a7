//! The result of a run as JSON: times in seconds, rates in bit/s.

use record::{MeasuredOutcome, ProbeTables};
use serde::Serialize;
use std::io;
use world::Outcome;

/// One run.
#[derive(Clone, Debug, Serialize)]
pub struct RunResult {
    /// The scenario's name, or an empty string.
    pub scenario: String,
    /// The root of the random numbers.
    pub seed: u64,
    /// The number of the independent run of this seed, from 0.
    pub replication: u64,
    /// The measurements.
    #[serde(flatten)]
    pub outcome: Outcome<MeasuredOutcome>,
    /// The records of probes; absent where none was on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probes: Option<ProbeTables>,
}

impl RunResult {
    /// Returns it as one JSON document.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|_| "null".to_owned())
    }

    /// Writes the same text piece by piece: that of a large network is as large as the network.
    ///
    /// # Errors
    /// Returns what the writer does not take.
    pub fn write_json(&self, to: impl io::Write) -> io::Result<()> {
        Ok(serde_json::to_writer(to, self)?)
    }
}
