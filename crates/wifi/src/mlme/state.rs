//! State of a station that looks for its access point.

use base::{StationId, Time};

/// State of a station.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Waits for the next scan.
    Unassociated,
    /// Scans: the index of the present channel, and the phase on it.
    Scanning(usize, ScanPhase),
    /// Changes to the channel of the access point that it has chosen.
    Joining(StationId),
    /// Authenticates; the number of requests sent.
    Authenticating(StationId, u32),
    /// Associates; the number of requests sent.
    Associating(StationId, u32),
    /// Returns to its own channel, having found no better.
    Returning,
    /// Data pass.
    Associated,
}

/// Phase of the scan of one channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScanPhase {
    /// On the way there.
    Tuning,
    /// Listens, for the dwell time or for the probe delay.
    Listening,
    /// Its probe request waits for the medium.
    Asking,
    /// Waits for answers, since this time.
    Awaiting(Time),
}
