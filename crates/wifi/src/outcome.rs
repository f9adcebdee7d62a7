//! Outcome of an exchange for its sender.

use net::DropReason;

/// Why an exchange failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Others transmitted at the same time.
    Collision,
    /// Bit errors in one of the exchange's frames.
    Channel,
    /// A station that the sender could not notice transmitted, or had reserved the medium.
    Hidden,
    /// The receiver is too far away, shadowing and fading apart.
    OutOfRange,
    /// The receiver listens to another channel.
    Away,
}

impl Failure {
    /// Why a packet is lost whose last attempt failed so.
    pub fn reason(self) -> DropReason {
        match self {
            Failure::Collision => DropReason::RetryCollision,
            Failure::Channel => DropReason::RetryChannel,
            Failure::Hidden => DropReason::RetryHidden,
            Failure::OutOfRange => DropReason::RetryOutOfRange,
            Failure::Away => DropReason::Handoff,
        }
    }
}

/// Outcome of an exchange for its sender.
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
