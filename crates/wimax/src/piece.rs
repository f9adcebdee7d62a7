//! Parts of packets in bursts.

use base::{PacketId, Time};

/// What of a packet a burst carries.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// The packet.
    pub id: PacketId,
    /// Where its last byte stands in the burst, counted from one.
    pub end: u64,
    /// Its size.
    pub size: u64,
    /// How many bytes of it are in the burst.
    pub bytes: u64,
    /// It is complete with these.
    pub is_last: bool,
    /// A piece before it was lost.
    pub was_lost: bool,
    /// When it came to the queue.
    pub since: Time,
    /// Since when it was the next of its connection.
    pub first_since: Time,
    /// When a piece before it began on the air, where there was one.
    pub began: Option<Time>,
    /// When the base station first got a request after it came, where that is known.
    pub asked: Option<Time>,
}

impl Piece {
    /// Since when the base station knew of it, where it began at `began`. What goes in a grant that nobody asked for on its
    /// behalf waited for no request.
    pub fn known_since(&self, began: Time) -> Time {
        self.asked.filter(|&at| at <= began).unwrap_or(self.since)
    }
}

/// What became of a piece on the air.
#[derive(Clone, Copy, Debug)]
pub struct OnAir {
    /// Its first instant.
    pub start: Time,
    /// Its last.
    pub end: Time,
    /// It was lost.
    pub is_lost: bool,
}
