//! A cell with sources of its own: the arrivals, and their outcomes.

use base::{PacketId, Seed, Span, StationId, Time};
use net::{Arrival, Interfaces};
use wimax::{BASE, Cell, CellConfig, RequestStats};

/// A packet that has arrived.
#[derive(Clone, Copy, Debug)]
pub struct Arrived {
    /// The time.
    pub at: Time,
    /// The subscriber station.
    pub station: usize,
    /// True from the base station to it.
    pub is_down: bool,
    /// The time at which it was made.
    pub born: Time,
}

/// A cell and the packets in it.
pub struct Drive {
    /// The cell.
    pub cell: Cell,
    stations: usize,
    born: Vec<Time>,
    /// Packets that found no room.
    pub refused: u64,
    /// Packets given up.
    pub dropped: u64,
}

impl Drive {
    /// A cell before its first frame.
    pub fn new(config: &CellConfig, seed: u64) -> Drive {
        let seed = Seed { seed, replication: 0 };
        let stations = config.subscribers.len();
        let cell = Cell::new(config, seed, 0);
        Drive { cell, stations, born: Vec::new(), refused: 0, dropped: 0 }
    }

    /// The number of subscriber stations.
    pub fn stations(&self) -> usize {
        self.stations
    }

    /// The requests of one, counted from one.
    pub fn requests(&self, station: usize) -> RequestStats {
        self.cell.stats(StationId(station as u32)).requests
    }

    /// A packet comes to a queue.
    pub fn offer(&mut self, now: Time, (station, is_down): (usize, bool), bytes: u32) -> bool {
        let id = PacketId(self.born.len() as u32);
        let there = StationId(station as u32 + 1);
        let (from, to) = if is_down { (BASE, there) } else { (there, BASE) };
        let taken = self.cell.offer(now, (from, to), &Arrival::from((id, bytes))).is_ok();
        self.born.push(now);
        self.refused += u64::from(!taken);
        taken
    }

    /// Fills all queues of a direction up to a number of packets.
    pub fn fill(&mut self, now: Time, is_down: bool, (packets, bytes): (usize, u32)) {
        for station in 0..self.stations {
            let there = StationId(station as u32 + 1);
            while self.cell.queued(there, is_down) < packets {
                self.offer(now, (station, is_down), bytes);
            }
        }
    }

    /// The moment of what comes next: an arrival, or a decision, which is first among equals.
    fn next(&self) -> (Time, bool) {
        let decision = self.cell.next_decision();
        match self.cell.next_arrival() {
            Some(at) if at < decision => (at, false),
            _ => (decision, true),
        }
    }

    /// Goes on up to `until`; `before` may add packets before each decision, `arrived` hears of every packet.
    pub fn run(
        &mut self,
        until: Time,
        mut before: impl FnMut(&mut Drive, Time),
        mut arrived: impl FnMut(Arrived),
    ) {
        loop {
            let (at, is_decision) = self.next();
            if at > until || (is_decision && at == until) {
                return;
            }
            if is_decision {
                before(self, at);
                self.cell.decide(at);
                self.dropped += self.cell.dropped().drain(..).count() as u64;
            } else if let Some(landed) = self.cell.land() {
                let is_down = landed.to != BASE;
                let station = landed.from.max(landed.to).index() - 1;
                arrived(Arrived { at, station, is_down, born: self.born[landed.id.index()] });
            }
        }
    }
}

/// The first instant of a frame.
pub fn frame_start(config: &CellConfig, number: u64) -> Time {
    Time::ZERO + Span(config.frame.phy.frame.0 * number)
}
