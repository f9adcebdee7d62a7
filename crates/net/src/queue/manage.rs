//! Decisions of a discipline, and its view of a queue.

use super::ip_headers::IpHeaders;
use super::limit::Backlog;
use crate::segment::Ecn;
use base::{Options, Purpose, Rate, Rng, Seed, Span, Time};

/// Decision of a discipline about a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Keeps it.
    Take,
    /// Keeps it with a congestion mark (RFC 3168), only where its codepoint ([`Arrival::ecn`](super::Arrival::ecn))
    /// allows one.
    Mark,
    /// Drops it.
    Drop,
}

/// State of the queue that a packet finds as it comes.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// Backlog.
    pub backlog: Backlog,
    /// Time since which the device has been idle, if it is.
    pub idle_since: Option<Time>,
    /// True if the packet can carry a congestion mark.
    pub markable: bool,
}

/// A packet whose turn has come.
#[derive(Clone, Copy, Debug)]
pub struct Head {
    /// Time that it has waited.
    pub sojourn: Span,
    /// Packets that stay behind it, and their bytes.
    pub left: (u32, u64),
    /// The codepoint of its IP header.
    pub ecn: Ecn,
}

/// Decides about the packets of one FIFO queue. A full queue is handled elsewhere.
pub(crate) trait Manage {
    /// A packet comes, and there is room for it.
    fn on_arrival(&mut self, _now: Time, _found: &Found) -> Verdict {
        Verdict::Take
    }

    /// A packet would be sent. It is asked again for the next one after each drop.
    fn on_departure(&mut self, _now: Time, _head: &Head) -> Verdict {
        Verdict::Take
    }

    /// The device asked for a packet, and none was there.
    fn on_empty(&mut self, _now: Time) {}
}

/// The door's law of a discipline that keeps its packets in several lines and decides there: all may come.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Open;

impl Open {
    pub fn new(_site: &Site<'_>) -> Open {
        Open
    }
}

impl Manage for Open {}

/// Parameters for building a discipline.
pub(crate) struct Site<'a> {
    /// The values that a scenario sets.
    pub options: &'a Options,
    /// The headers of packets.
    pub headers: &'a IpHeaders,
    /// Bits per second of the device behind the queue, as its data sheet says.
    pub rate: Rate,
    /// Key of its random numbers: root, purpose, owner.
    pub seed: Seed,
    pub purpose: Purpose,
    pub owner: u64,
}

impl Site<'_> {
    /// Its own stream of random numbers.
    pub fn rng(&self) -> Rng {
        self.seed.stream(self.purpose, self.owner)
    }
}
