//! What comes of a busy time that is played ahead.

use crate::outcome::Outcome;
use crate::station::Interval;
use base::{PacketId, StationId, Time};

/// The end of an exchange for its sender.
#[derive(Clone, Copy, Debug)]
pub struct Verdict {
    /// The sender.
    pub station: StationId,
    /// What it knows then.
    pub outcome: Outcome,
    /// Time that the exchange took.
    pub took: Interval,
    /// Time at which it knows.
    pub at: Time,
}

/// A packet reaches its receiver.
#[derive(Clone, Copy, Debug)]
pub struct Delivery {
    /// The last instant of its frame.
    pub at: Time,
    /// The packet.
    pub packet: PacketId,
    /// Its receiver.
    pub to: StationId,
}
