//! Packets that a link has taken.

use base::{PacketId, Time};

/// Passage of a packet over a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transit {
    /// Start of its transmission.
    pub start: Time,
    /// Arrival of its last bit; `None`: it is lost on the way.
    pub arrival: Option<Time>,
}

/// A packet on a link, or waiting for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct InFlight {
    pub start: Time,
    pub arrival: Time,
    pub bytes: u32,
    pub id: PacketId,
    pub lost: bool,
}

impl InFlight {
    /// Returns its passage over the link.
    pub fn transit(&self) -> Transit {
        Transit { start: self.start, arrival: (!self.lost).then_some(self.arrival) }
    }
}
