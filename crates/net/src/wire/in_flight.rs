//! Packets that a link has taken.

use crate::LARGEST_PACKET;
use base::{PacketId, Time};

/// Passage of a packet over a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transit {
    /// Start of its transmission.
    pub start: Time,
    /// Arrival of its last bit; `None`: it is lost on the way.
    pub arrival: Option<Time>,
}

/// A packet on a link, or waiting for it. A busy link has very many.
#[derive(Clone, Copy, Debug)]
pub(super) struct InFlight {
    pub start: Time,
    pub arrival: Time,
    pub id: PacketId,
    load: Load,
}

/// A packet's bytes, and whether it is lost: the uppermost bit, which no packet's length needs.
#[derive(Clone, Copy, Debug)]
struct Load(u32);

const LOST: u32 = 1 << 31;
const _: () = assert!(LARGEST_PACKET < LOST && size_of::<InFlight>() == 24);

impl InFlight {
    /// A packet that is sent from `start` on.
    pub fn new((start, arrival): (Time, Time), id: PacketId, (bytes, lost): (u32, bool)) -> Self {
        debug_assert!(bytes < LOST);
        InFlight { start, arrival, id, load: Load(bytes | if lost { LOST } else { 0 }) }
    }

    /// Returns its length.
    pub fn bytes(&self) -> u32 {
        self.load.0 & !LOST
    }

    /// Returns true where it will not arrive.
    pub fn is_lost(&self) -> bool {
        self.load.0 & LOST != 0
    }

    /// Returns its passage over the link.
    pub fn transit(&self) -> Transit {
        Transit { start: self.start, arrival: (!self.is_lost()).then_some(self.arrival) }
    }
}
