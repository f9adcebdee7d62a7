//! Messages between routers.

use base::NodeId;

/// The metric of a way that is broken (ns-2: `BIG`).
pub const INFINITE: u8 = 250;

/// A router's advertisement of a destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Advert {
    /// The destination.
    pub to: NodeId,
    /// Number of hops, or [`INFINITE`].
    pub metric: u8,
    /// Sequence number from the destination, or one more from a router that lost it.
    pub sequence: u32,
}

/// An update, broadcast to all neighbours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Update {
    /// By destination.
    pub adverts: Vec<Advert>,
    /// True if it has all routes that may be advertised, not only changed ones.
    pub is_full: bool,
}

impl Update {
    /// Network-layer size, bytes: an IP header and 12 B for each destination, as ns-2 charges it.
    pub fn bytes(&self) -> u32 {
        20 + 12 * self.adverts.len() as u32
    }
}
