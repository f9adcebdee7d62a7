//! What a discipline decides, and what it knows of a queue.

use super::limit::Backlog;
use base::{Options, Purpose, Rate, Rng, Seed, Span, Time};

/// What a discipline does with a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It stays.
    Take,
    /// It stays, with a congestion mark (RFC 3168): only where [`Arrival::is_markable`](super::Arrival::is_markable) says that it can bear one.
    Mark,
    /// It goes.
    Drop,
}

/// What a packet finds as it comes.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// What waits.
    pub backlog: Backlog,
    /// Since when the device has had nothing to do, where it has nothing.
    pub idle_since: Option<Time>,
    /// The packet can bear a congestion mark.
    pub markable: bool,
}

/// A packet whose turn has come.
#[derive(Clone, Copy, Debug)]
pub struct Head {
    /// How long it has waited.
    pub sojourn: Span,
    /// Packets that stay behind it, and their bytes.
    pub left: (u32, u64),
    /// It can bear a congestion mark.
    pub markable: bool,
}

/// What a discipline decides about the packets of one line, first in, first out. A full queue is not its business.
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

/// What a discipline is built from.
pub(crate) struct Site<'a> {
    /// The values that a scenario sets.
    pub options: &'a Options,
    /// Bits per second of the device behind the queue, as its data sheet says.
    pub rate: Rate,
    /// Of its random numbers: the root, what they are for, and whose they are.
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
