//! What a link says of a packet that is offered, and of the end of a transmission.

use super::in_flight::Transit;
use base::{PacketId, Time};

/// Result of offering a packet to a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offer {
    /// It is the next to arrive: schedule [`Wire::arrive`] at this time.
    Head(Time),
    /// Its time of arrival is known, and others come before.
    Behind,
    /// It waits for the discipline to let it go.
    Waits,
    /// It is taken and the link is idle: call [`Wire::depart`] now.
    Ready,
    /// It is not taken yet: a transmission ends at this very instant, and others wait. Call [`Wire::depart`], and offer it
    /// again.
    Due,
}

/// Result of the end of a transmission.
#[derive(Clone, Copy, Debug, Default)]
pub struct Departure {
    /// The packet whose transmission begins.
    pub begins: Option<(PacketId, Transit)>,
    /// It is the next to arrive: schedule [`Wire::arrive`] at this time.
    pub head: Option<Time>,
    /// Schedule [`Wire::depart`] at this time.
    pub next: Option<Time>,
}

/// What arrives next, and when.
pub type Next = Option<(Time, PacketId)>;

/// A packet that has come to the end of a link; `Err` where it was lost on the way.
pub type Landed = Result<PacketId, PacketId>;
