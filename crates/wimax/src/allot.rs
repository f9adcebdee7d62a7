//! A direction of a frame while it is given out: one burst a station, in the order in which they first got something.

use crate::phy::Coding;
use crate::schedule::Room;

/// Symbols and bytes given to each station.
#[derive(Clone, Debug)]
pub struct Allotment {
    /// By station: symbols of its burst, preamble included; zero: it has none.
    symbols: Vec<u32>,
    /// By station: bytes that are spoken for.
    bytes: Vec<u64>,
    /// Stations with a burst, in the order of their bursts.
    order: Vec<usize>,
    /// Symbols of all bursts, each with its gap.
    used: u32,
}

impl Allotment {
    /// Creates an empty allotment for `stations` stations.
    pub fn new(stations: usize) -> Allotment {
        let order = Vec::with_capacity(stations);
        Allotment { symbols: vec![0; stations], bytes: vec![0; stations], order, used: 0 }
    }

    /// Takes all back.
    pub fn clear(&mut self) {
        for station in self.order.drain(..) {
            (self.symbols[station], self.bytes[station]) = (0, 0);
        }
        self.used = 0;
    }

    /// The bursts: station and symbols.
    pub fn bursts(&self) -> impl Iterator<Item = (usize, u32)> {
        self.order.iter().map(|&station| (station, self.symbols[station]))
    }
}

/// A direction that is being given out.
pub struct Booking<'a, S> {
    /// The allotment that grows.
    pub allotment: &'a mut Allotment,
    /// By station: burst profile and tail byte.
    pub codings: &'a [Coding],
    /// Symbols before a burst's data, and after it.
    pub around: (u32, u32),
    /// The smallest PDU.
    pub least: u64,
    /// Symbols available to a given number of bursts and their gaps; zero if they are too many.
    pub space: S,
}

impl<S: Fn(u32) -> u32> Room for Booking<'_, S> {
    fn give(&mut self, station: usize, bytes: u64, symbols: u32) -> Option<u64> {
        let (preamble, gap) = self.around;
        let coding = self.codings[station];
        let (had, spoken) = (self.allotment.symbols[station], self.allotment.bytes[station]);
        let is_new = had == 0;
        let bursts = self.allotment.order.len() as u32 + u32::from(is_new);
        let left = (self.space)(bursts).saturating_sub(self.allotment.used).min(symbols);
        if is_new && left < preamble.saturating_add(coding.symbols(self.least)) {
            return None;
        }
        let wanted = preamble.saturating_add(coding.symbols(spoken + bytes));
        let has = wanted.min(had.saturating_add(left)).max(had);
        let room = coding.room(has - preamble) - spoken;
        if room == 0 {
            return None;
        }
        self.allotment.used += has - had;
        if is_new {
            self.allotment.order.push(station);
            self.allotment.used += gap;
        }
        self.allotment.symbols[station] = has;
        // What the last symbol holds beside them is there for the next that it asks for.
        let given = room.min(bytes);
        self.allotment.bytes[station] += given;
        Some(given)
    }

    fn left(&self, more: u32) -> u32 {
        let bursts = (self.allotment.order.len() as u32 + more).max(1);
        let taken = self.allotment.used.saturating_add(more.saturating_mul(self.around.1));
        (self.space)(bursts).saturating_sub(taken)
    }

    fn has_burst(&self, station: usize) -> bool {
        self.allotment.symbols[station] > 0
    }
}
