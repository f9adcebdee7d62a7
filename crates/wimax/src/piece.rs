//! Parts of packets in bursts.

use base::{PacketId, Time};

/// The part of a packet in a burst.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// The packet.
    pub id: PacketId,
    /// Position of its last byte in the burst, counted from one.
    pub end: u64,
    /// Its size.
    pub size: u64,
    /// Bytes of it in the burst.
    pub bytes: u64,
    /// True if these complete the packet.
    pub is_last: bool,
    /// A piece before it was lost.
    pub was_lost: bool,
    /// Time at which it entered the queue.
    pub since: Time,
    /// Time since which it was the next of its connection.
    pub first_since: Time,
    /// Time at which an earlier piece of it began on the air, if any.
    pub began: Option<Time>,
    /// Time of the first request that reached the base station after its arrival, if known.
    pub asked: Option<Time>,
}

impl Piece {
    /// Time since which the base station knew of it, where it began at `began`. Data in a grant that was not requested on
    /// their behalf waited for no request.
    pub fn known_since(&self, began: Time) -> Time {
        self.asked.filter(|&at| at <= began).unwrap_or(self.since)
    }
}

/// Result of a piece on the air.
#[derive(Clone, Copy, Debug)]
pub struct OnAir {
    /// Its first instant.
    pub start: Time,
    /// Its last.
    pub end: Time,
    /// True if it was lost.
    pub is_lost: bool,
}
