//! How exchanges end, for those who began them.

use base::{PacketId, StationId};
use net::DropReason;

/// Why an exchange failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Others transmitted at the same time.
    Collision,
    /// Bit errors in one of the exchange's frames.
    Channel,
    /// Another transmitted, or had reserved the medium, whom the sender could not notice.
    Hidden,
    /// The receiver is too far away, shadowing and fading apart.
    OutOfRange,
    /// The receiver listens to another channel.
    Away,
}

/// How an exchange ended for its sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Acknowledged.
    Success,
    /// No CTS came.
    NoCts(Failure),
    /// A CTS came and no acknowledgement.
    NoAckAfterCts(Failure),
    /// No acknowledgement came to a frame without RTS.
    NoAck(Failure),
}

/// A sender whose exchange has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The sender.
    pub station: StationId,
    /// The packet that it gave up, and why.
    pub dropped: Option<(PacketId, DropReason)>,
}
