//! What a station that looks for its access point is doing.

use base::{StationId, Time};

/// What a station is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// It waits for the next scan.
    Unassociated,
    /// It looks for access points: on which of its channels, and how far it is there.
    Scanning(usize, ScanPhase),
    /// It goes to the channel of the access point that it has chosen.
    Joining(StationId),
    /// It has asked so many times.
    Authenticating(StationId, u32),
    /// It has asked so many times.
    Associating(StationId, u32),
    /// It goes back to the channel of its own, having found no better.
    Returning,
    /// Data pass.
    Associated,
}

/// How far a scan is on one channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScanPhase {
    /// On the way there.
    Tuning,
    /// It listens, for the dwell time or for the probe delay.
    Listening,
    /// Its probe request waits for the medium.
    Asking,
    /// It waits for answers, since then.
    Awaiting(Time),
}
