//! The result of a rule.

use serde::Serialize;

/// Something that is odd.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Its short name, which does not change: `full-queue`.
    pub rule: &'static str,
    /// A sentence with the number.
    pub what: String,
    /// The reason why it matters.
    pub why: &'static str,
    /// Advice.
    pub advice: String,
}
