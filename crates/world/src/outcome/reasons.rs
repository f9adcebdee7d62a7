//! Losses by their reasons.

use base::Named;
use net::DropReason;

type ByReason = [u64; DropReason::ALL.len()];

/// Each reason by its name.
pub(crate) fn by_reason(lost: &ByReason) -> impl Iterator<Item = (&'static str, u64)> {
    DropReason::ALL.iter().map(|&reason| (reason.name(), lost[reason as usize]))
}
