//! Losses by their reasons.

use base::Named;
use net::DropReason;

/// Each reason by its name, with its count.
pub(crate) fn by_reason(
    lost: impl Fn(DropReason) -> u64,
) -> impl Iterator<Item = (&'static str, u64)> {
    DropReason::ALL.iter().map(move |&reason| (reason.name(), lost(reason)))
}
