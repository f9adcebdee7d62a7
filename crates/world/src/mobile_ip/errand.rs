//! Errands of the network for Mobile IP.

use base::{CellId, FlowId, StationId};
use mobileip::Message;
use net::Direction;

/// An errand of the network for Mobile IP.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Errand {
    /// Send a message over a link.
    Say { way: FlowId, link: Link, message: Message },
    /// Send a message through the network.
    Post { way: FlowId, direction: Direction, message: Message },
    /// Find all ways anew.
    RenewWays,
}

/// A hop over the air.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub cell: CellId,
    pub from: StationId,
    pub to: StationId,
}
