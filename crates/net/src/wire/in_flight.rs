//! Packets that links have taken.

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

/// A packet on a link, or waiting for it. A busy network has very many.
#[derive(Clone, Copy, Debug)]
pub(super) struct InFlight {
    pub start: Time,
    pub arrival: Time,
    load: Load,
    /// The packet behind it, where there is one.
    next: PacketId,
}

/// A packet's bytes, and whether it is lost: the uppermost bit, which no packet's length needs.
#[derive(Clone, Copy, Debug)]
struct Load(u32);

const LOST: u32 = 1 << 31;
const _: () = assert!(LARGEST_PACKET < LOST && size_of::<InFlight>() == 24);

impl InFlight {
    /// A packet that is sent from `start` on, the last one.
    pub fn new((start, arrival): (Time, Time), (bytes, lost): (u32, bool)) -> Self {
        debug_assert!(bytes < LOST);
        let load = Load(bytes | if lost { LOST } else { 0 });
        InFlight { start, arrival, load, next: PacketId(0) }
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

/// The packets on all links of a network, each in the place of its id, as it is on one link at a time. So there is room for as
/// many as the network has, not for the most that each link ever had.
#[derive(Clone, Debug, Default)]
pub struct Transits {
    places: Vec<InFlight>,
}

impl Transits {
    #[inline(always)]
    pub(super) fn get(&self, id: PacketId) -> &InFlight {
        &self.places[id.index()]
    }

    #[inline(always)]
    fn put(&mut self, id: PacketId, packet: InFlight) {
        match self.places.get_mut(id.index()) {
            Some(place) => *place = packet,
            None => self.grow(id, packet),
        }
    }

    #[cold]
    fn grow(&mut self, id: PacketId, packet: InFlight) {
        let places = id.index() + 1;
        if places > self.places.capacity() {
            self.places.reserve_exact(places + places / 8 - self.places.len());
        }
        self.places.resize(places, packet);
    }
}

/// The packets on one link, in the order of their transmission.
#[derive(Clone, Copy, Debug)]
pub(super) struct Train {
    first: PacketId,
    last: PacketId,
    len: u32,
}

impl Default for Train {
    /// No packets.
    fn default() -> Train {
        Train { first: PacketId(0), last: PacketId(0), len: 0 }
    }
}

impl Train {
    /// Number of packets.
    #[inline(always)]
    pub fn len(&self) -> u32 {
        self.len
    }

    /// A packet comes behind all others.
    #[inline(always)]
    pub fn push(&mut self, transits: &mut Transits, id: PacketId, packet: InFlight) {
        transits.put(id, packet);
        match self.len {
            0 => self.first = id,
            _ => transits.places[self.last.index()].next = id,
        }
        self.last = id;
        self.len += 1;
    }

    /// Takes the first packet off.
    #[inline(always)]
    pub fn pop<'a>(&mut self, transits: &'a Transits) -> Option<(PacketId, &'a InFlight)> {
        let (id, packet) = self.first(transits)?;
        self.first = packet.next;
        self.len -= 1;
        Some((id, packet))
    }

    /// The first packet.
    #[inline(always)]
    pub fn first<'a>(&self, transits: &'a Transits) -> Option<(PacketId, &'a InFlight)> {
        (self.len > 0).then(|| (self.first, transits.get(self.first)))
    }

    /// The last packet.
    #[inline(always)]
    pub fn last<'a>(&self, transits: &'a Transits) -> Option<(PacketId, &'a InFlight)> {
        (self.len > 0).then(|| (self.last, transits.get(self.last)))
    }
}

/// The packets at the end of a [`Train`] whose transmission has not begun.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tail {
    first: PacketId,
    len: u32,
    bytes: u64,
}

impl Default for Tail {
    /// No packets.
    fn default() -> Tail {
        Tail { first: PacketId(0), len: 0, bytes: 0 }
    }
}

impl Tail {
    /// Number of packets, and their bytes.
    #[inline(always)]
    pub fn size(&self) -> (u32, u64) {
        (self.len, self.bytes)
    }

    /// A packet comes that is put on the train next.
    #[inline(always)]
    pub fn push(&mut self, id: PacketId, bytes: u32) {
        if self.len == 0 {
            self.first = id;
        }
        self.len += 1;
        self.bytes += u64::from(bytes);
    }

    /// The first packet's transmission has begun.
    #[inline(always)]
    pub fn begin(&mut self, packet: &InFlight) {
        self.first = packet.next;
        self.len -= 1;
        self.bytes -= u64::from(packet.bytes());
    }

    /// Lets those go whose transmission has begun by `now`.
    #[inline(always)]
    pub fn advance(&mut self, now: Time, transits: &Transits) {
        while self.len > 0 {
            let next = transits.get(self.first);
            if next.start > now {
                break;
            }
            self.begin(next);
        }
    }

    /// The packets, from the first.
    pub fn iter<'a>(&self, transits: &'a Transits) -> impl Iterator<Item = &'a InFlight> {
        let mut id = self.first;
        (0..self.len).map(move |_| {
            let packet = transits.get(id);
            id = packet.next;
            packet
        })
    }
}
