//! Losses by their reasons.

use base::{CountNames, Named, Tally};
use net::DropReason;

const ALL: usize = DropReason::ALL.len();

static NAMES: CountNames<ALL> = CountNames::of_rows(DropReason::ROWS, &[]);

/// The counts of losses by reason, for results.
pub(crate) fn by_reason(lost: impl Fn(DropReason) -> u64) -> Tally {
    NAMES.tally(|number| lost(DropReason::ALL[number]))
}
