//! Storage of packets: a slab with a free list, and the ledger that must balance at the end of a run.

use crate::Packet;
use base::PacketId;
use std::ops::{Index, IndexMut};

/// Places for packets that are made at once.
const FEWEST: usize = 64;

/// Every packet that exists right now.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    slots: Vec<Packet>,
    free: Vec<u32>,
    ledger: Ledger,
}

/// Packets made and where they ended. `made = delivered + dropped + in flight`, always.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    /// Handed to the network by a transport.
    pub made: u64,
    /// Handed to the transport at the other end.
    pub delivered: u64,
    /// Dropped for a named reason.
    pub dropped: u64,
}

impl Ledger {
    /// Adds what another ledger, now `later`, has counted since it was `earlier`.
    #[must_use]
    pub fn plus(self, later: Ledger, earlier: Ledger) -> Ledger {
        Ledger {
            made: self.made + (later.made - earlier.made),
            delivered: self.delivered + (later.delivered - earlier.delivered),
            dropped: self.dropped + (later.dropped - earlier.dropped),
        }
    }
}

impl Pool {
    /// Takes a packet in and gives it an id.
    #[inline]
    pub fn make(&mut self, packet: Packet) -> PacketId {
        self.ledger.made += 1;
        if let Some(slot) = self.free.pop() {
            self.slots[slot as usize] = packet;
            return PacketId(slot);
        }
        if self.slots.len() == self.slots.capacity() {
            self.grow();
        }
        self.slots.push(packet);
        PacketId(self.slots.len() as u32 - 1)
    }

    /// By an eighth: where very many are in flight, twice as many places would stay empty, and what a doubling leaves behind
    /// fits nothing that follows.
    #[cold]
    fn grow(&mut self) {
        self.slots.reserve_exact((self.slots.len() / 8).max(FEWEST));
    }

    /// Takes a packet out that reached its end. It can be read until the next one is made: no copy of two cache lines.
    #[inline]
    pub fn deliver(&mut self, id: PacketId) -> &Packet {
        self.ledger.delivered += 1;
        self.release(id)
    }

    /// Takes a packet out that was lost.
    #[inline]
    pub fn drop_packet(&mut self, id: PacketId) -> &Packet {
        self.ledger.dropped += 1;
        self.release(id)
    }

    /// A packet will be asked for soon: where very many wait, it comes from memory meanwhile.
    #[inline(always)]
    pub fn touch(&self, id: PacketId) {
        std::hint::black_box(self.slots[id.index()].mark);
    }

    /// Number of packets in the network.
    pub fn in_flight(&self) -> u64 {
        (self.slots.len() - self.free.len()) as u64
    }

    /// The balance so far.
    pub fn ledger(&self) -> Ledger {
        self.ledger
    }

    #[inline]
    fn release(&mut self, id: PacketId) -> &Packet {
        self.free.push(id.0);
        &self.slots[id.index()]
    }
}

impl Index<PacketId> for Pool {
    type Output = Packet;
    fn index(&self, id: PacketId) -> &Packet {
        &self.slots[id.index()]
    }
}

impl IndexMut<PacketId> for Pool {
    fn index_mut(&mut self, id: PacketId) -> &mut Packet {
        &mut self.slots[id.index()]
    }
}
