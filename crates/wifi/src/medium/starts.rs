//! Starts of transmissions, and the next of them.
//!
//! A frame moves the starts of all stations that it reaches, and of no others: so the earliest is kept by blocks of
//! stations, and cells that do not hear each other only make each other check their blocks.

use super::bits;
use base::{StationId, Time};

/// Stations in a block.
const BLOCK: usize = 16;

/// Blocks in a word of a set of stations, and the bits of one.
const BLOCKS: usize = bits::WORD / BLOCK;
const BLOCK_BITS: u64 = (1 << BLOCK) - 1;

/// The starts of all stations.
#[derive(Clone, Debug)]
pub struct Starts {
    /// By station; [`Time::NEVER`]: it does not begin.
    at: Vec<Time>,
    /// The earliest of each block, but for those in `stale`.
    earliest: Vec<Time>,
    /// Blocks whose earliest start has gone.
    stale: Vec<u32>,
    /// The earliest of all, as of the last [`Starts::settle`], or one that is earlier.
    next: Time,
}

impl Starts {
    /// Nobody begins.
    pub fn new(stations: usize) -> Starts {
        Starts {
            at: vec![Time::NEVER; stations],
            earliest: vec![Time::NEVER; stations.div_ceil(BLOCK)],
            stale: Vec::new(),
            next: Time::NEVER,
        }
    }

    /// The earliest start.
    #[inline]
    pub fn next(&self) -> Time {
        self.next
    }

    /// A station begins at `start`, if nothing comes in between.
    #[inline]
    pub fn set(&mut self, station: StationId, start: Time) {
        let before = std::mem::replace(&mut self.at[station.index()], start);
        let block = station.index() / BLOCK;
        let earliest = &mut self.earliest[block];
        if start < *earliest {
            *earliest = start;
            self.next = self.next.min(start);
        } else if before == *earliest && start > before {
            // Marked by a time at which nobody begins, so that it is noted once.
            *earliest = Time::ZERO;
            self.stale.push(block as u32);
        }
    }

    /// Stations of one word of a set that begin from `from` on and before `until`.
    #[inline]
    pub fn between(&self, word: usize, (from, until): (Time, Time)) -> u64 {
        let first = word * BLOCKS;
        let blocks = &self.earliest[first..self.earliest.len().min(first + BLOCKS)];
        let mut those = 0;
        for (i, _) in blocks.iter().enumerate().filter(|(_, earliest)| **earliest < until) {
            let of_block = &self.at[(first + i) * BLOCK..];
            for (j, start) in of_block.iter().take(BLOCK).enumerate() {
                let begins = *start >= from && *start < until;
                those |= u64::from(begins) << (i * BLOCK + j);
            }
        }
        those
    }

    /// These stations of one word of a set do not begin.
    pub fn forget(&mut self, word: usize, stations: u64) {
        for block in 0..BLOCKS {
            let those = stations >> (block * BLOCK) & BLOCK_BITS;
            let block = word * BLOCKS + block;
            if those == 0 {
                continue;
            }
            let Some(earliest) = self.earliest.get_mut(block) else { return };
            let mut was_earliest = false;
            for station in bits::stations(0, those) {
                let at = &mut self.at[block * BLOCK + station.index()];
                was_earliest |= *at == *earliest;
                *at = Time::NEVER;
            }
            if was_earliest && *earliest != Time::NEVER {
                *earliest = Time::ZERO;
                self.stale.push(block as u32);
            }
        }
    }

    /// Works out what [`Starts::set`] has left open.
    pub fn settle(&mut self) {
        if self.stale.is_empty() {
            return;
        }
        for &block in &self.stale {
            self.earliest[block as usize] = earliest(of_block(&self.at, block as usize));
        }
        self.stale.clear();
        self.next = match self.earliest[..] {
            [only] => only,
            _ => earliest(&self.earliest),
        };
    }

    /// Adds all stations that begin at `now`, the earliest start, in order.
    #[inline]
    pub fn due(&self, now: Time, begun: &mut Vec<StationId>) {
        let due = self.earliest.iter().enumerate().filter(|(_, earliest)| **earliest == now);
        for (block, _) in due {
            for (i, start) in of_block(&self.at, block).iter().enumerate() {
                if *start == now {
                    begun.push(StationId((block * BLOCK + i) as u32));
                }
            }
        }
    }
}

/// The starts of the stations of a block.
#[inline]
fn of_block(at: &[Time], block: usize) -> &[Time] {
    let first = block * BLOCK;
    &at[first..at.len().min(first + BLOCK)]
}

fn earliest(starts: &[Time]) -> Time {
    // Four at a time: starts are compared whenever a frame begins or ends.
    let fours = starts.chunks_exact(4);
    let last = fours.remainder().iter().fold(Time::NEVER, |least, start| least.min(*start));
    fours.fold(last, |least, four| least.min(four[0].min(four[1]).min(four[2].min(four[3]))))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against a plain list, over many changes.
    #[test]
    fn the_next_start_is_the_earliest_whatever_changes() {
        let (stations, mut luck) = (70_u64, 1_u64);
        let mut starts = Starts::new(stations as usize);
        let mut plain = vec![Time::NEVER; stations as usize];
        for _ in 0..5_000 {
            for _ in 0..4 {
                luck = luck
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                let station = (luck >> 33) % stations;
                let start = if luck >> 63 == 1 { Time::NEVER } else { Time(1 + (luck >> 40) % 50) };
                starts.set(StationId(station as u32), start);
                plain[station as usize] = start;
            }
            starts.settle();
            let next = plain.iter().copied().min().unwrap_or(Time::NEVER);
            assert_eq!(starts.next(), next);
            if next != Time::NEVER {
                let due = (0..stations as u32).filter(|&i| plain[i as usize] == next);
                let mut begun = Vec::new();
                starts.due(next, &mut begun);
                assert_eq!(begun, due.map(StationId).collect::<Vec<_>>());
            }
        }
    }
}
