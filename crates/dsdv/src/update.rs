//! What routers tell each other.

use base::NodeId;

/// The metric of a way that is broken (ns-2: `BIG`).
pub const INFINITE: u8 = 250;

/// What a router says of a destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Advert {
    /// The destination.
    pub to: NodeId,
    /// How many hops it is away, or [`INFINITE`].
    pub metric: u8,
    /// The number that the destination gave this news, or one more, by whom it was lost.
    pub sequence: u32,
}

/// What a router says to all its neighbours at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Update {
    /// By destination.
    pub adverts: Vec<Advert>,
    /// It has all that may be said, not only what has changed.
    pub is_full: bool,
}

impl Update {
    /// Network-layer size, bytes: an IP header and 12 B for each destination, as ns-2 charges it.
    pub fn bytes(&self) -> u32 {
        20 + 12 * self.adverts.len() as u32
    }
}
