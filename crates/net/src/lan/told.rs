//! What a LAN says of frames: what has been sent, what became of it, what arrives.

use base::{PacketId, Rate, Span, StationId, Time};

/// What a station has sent, up to the frame's end or to that of its jam.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LanSent {
    /// Who gets the frame.
    pub to: StationId,
    /// The frame, without its preamble.
    pub bytes: u32,
    /// Of the LAN.
    pub rate: Rate,
    /// When it began, preamble included.
    pub start: Time,
    /// For how long it sent.
    pub took: Span,
    /// It has collided.
    pub collides: bool,
    /// It had collided before.
    pub again: bool,
    /// For how long its station keeps silent after the collision.
    pub backoff: Option<Span>,
}

/// What became of a frame whose station has stopped sending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LanEnded {
    /// The station.
    pub station: StationId,
    /// What it has sent.
    pub sent: LanSent,
    /// The packet that it gives up.
    pub given_up: Option<LanFrame>,
}

/// A frame that has come to its end on a LAN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LanFrame {
    /// Its packet.
    pub id: PacketId,
    /// Who gets it.
    pub to: StationId,
    /// Since when it was the next of its station.
    pub since: Time,
    /// When its last attempt began.
    pub began: Time,
}
