//! What endpoints that pick their variant have picked, as JSON.

use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use world::ChoiceOutcome;

/// A variant that a connection has picked, and why.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ChoiceResult {
    /// When, s.
    pub at_s: f64,
    /// The variant.
    pub variant: String,
    /// The number of the policy's rule that held, from 1; 0: none did, and the default was taken.
    pub rule: u64,
    /// What was known of the path, by the names of policies: in s, bit/s, segments, or shares.
    pub measured: BTreeMap<&'static str, f64>,
}

impl From<&ChoiceOutcome> for ChoiceResult {
    fn from(choice: &ChoiceOutcome) -> ChoiceResult {
        ChoiceResult {
            at_s: choice.at_s,
            variant: choice.variant.clone(),
            rule: choice.rule,
            measured: choice.measured.iter().copied().collect(),
        }
    }
}
