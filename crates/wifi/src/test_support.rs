//! What unit tests of this crate share.

use crate::config::{AccessRule, BackoffDraw, BystanderRule, ErrorScope, MacConfig, TimeoutRule};

/// The standard's MAC with the two rules on which simulators differ most.
pub fn standard_mac(bystanders: BystanderRule, timeouts: TimeoutRule) -> MacConfig {
    MacConfig {
        rts_threshold: u32::MAX,
        short_retry_limit: Some(7),
        long_retry_limit: Some(7),
        data_overhead: 36,
        access: AccessRule::ImmediateAfterDifs,
        backoff: BackoffDraw::Inclusive,
        bystanders,
        timeouts,
        nav_reset: true,
        silence: crate::SilenceRule::WhileNavIsSet,
        errors: ErrorScope { control_frames: true, plcp: false },
    }
}
