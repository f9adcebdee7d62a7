//! Outcome of an exchange for its sender.

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
