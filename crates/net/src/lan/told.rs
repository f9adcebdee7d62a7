//! Reports of a LAN on frames: sent, collided or given up, arrived.

use crate::DropReason;
use base::{PacketId, Rate, Span, StationId, Time};

/// A station's transmission, up to the frame's end or to that of its jam.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LanSent {
    /// Receiver of the frame.
    pub to: StationId,
    /// The frame, without its preamble.
    pub bytes: u32,
    /// Rate of the LAN.
    pub rate: Rate,
    /// Start, preamble included.
    pub start: Time,
    /// For how long it sent.
    pub took: Span,
    /// True if it has collided.
    pub collides: bool,
    /// True if it had collided before.
    pub again: bool,
    /// For how long its station keeps silent after the collision.
    pub backoff: Option<Span>,
}

/// End of a station's attempt: it has stopped sending, or gives a frame up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LanEnded {
    /// The station.
    pub station: StationId,
    /// Its transmission; none where it gave up a frame that always found the medium taken.
    pub sent: Option<LanSent>,
    /// The packet that it gives up, and why.
    pub given_up: Option<(LanFrame, DropReason)>,
}

/// A frame that has come to its end on a LAN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LanFrame {
    /// Its packet.
    pub id: PacketId,
    /// Receiver.
    pub to: StationId,
    /// Time since which it was the next of its station.
    pub since: Time,
    /// Start of its last attempt.
    pub began: Time,
}
