//! Helpers that unit tests of this crate share.

use crate::config::{BystanderRule, MacConfig, TimeoutRule};

/// The standard's MAC with the two rules on which simulators differ most.
pub fn standard_mac(bystanders: BystanderRule, timeouts: TimeoutRule) -> MacConfig {
    MacConfig { long_retry_limit: Some(7), bystanders, timeouts, ..MacConfig::default() }
}
