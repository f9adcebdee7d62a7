//! A calendar of backoffs: which stations' counters reach zero at which virtual slot.
//!
//! The virtual clock counts idle slots only, so that freezing a backoff costs nothing. A bitmap over as many
//! slots as the largest window finds the next one in a few word reads, however many stations contend.

/// End of a bucket's list.
const NONE: u32 = u32::MAX;

/// Buckets of stations by virtual slot, modulo the size.
#[derive(Clone, Debug)]
pub struct Wheel {
    /// One bit a bucket: not empty.
    bits: Vec<u64>,
    /// First station in each bucket.
    first: Vec<u32>,
    /// By station: its neighbours in its bucket.
    next: Vec<u32>,
    previous: Vec<u32>,
    len: usize,
}

impl Wheel {
    /// A wheel for draws of 0 to `cw_max` slots and this many stations.
    pub fn new(cw_max: u32, stations: usize) -> Wheel {
        let size = (cw_max as usize + 1).next_power_of_two().max(64);
        Wheel {
            bits: vec![0; size / 64],
            first: vec![NONE; size],
            next: vec![NONE; stations],
            previous: vec![NONE; stations],
            len: 0,
        }
    }

    /// Enters a station at a virtual slot, less than the wheel's size ahead of the clock.
    pub fn insert(&mut self, station: u32, slot: u64) {
        let bucket = self.bucket(slot);
        let head = self.first[bucket];
        self.next[station as usize] = head;
        self.previous[station as usize] = NONE;
        if head != NONE {
            self.previous[head as usize] = station;
        }
        self.first[bucket] = station;
        self.bits[bucket / 64] |= 1 << (bucket % 64);
        self.len += 1;
    }

    /// Takes a station out that was entered at this slot.
    pub fn remove(&mut self, station: u32, slot: u64) {
        let (before, after) = (self.previous[station as usize], self.next[station as usize]);
        if after != NONE {
            self.previous[after as usize] = before;
        }
        if before != NONE {
            self.next[before as usize] = after;
        } else {
            let bucket = self.bucket(slot);
            self.first[bucket] = after;
            if after == NONE {
                self.bits[bucket / 64] &= !(1 << (bucket % 64));
            }
        }
        self.len -= 1;
    }

    /// A station entered at this very slot, if any.
    pub fn at(&self, slot: u64) -> Option<u32> {
        let station = self.first[self.bucket(slot)];
        (station != NONE).then_some(station)
    }

    /// The next station of the same slot, if any.
    pub fn after(&self, station: u32) -> Option<u32> {
        let next = self.next[station as usize];
        (next != NONE).then_some(next)
    }

    /// The first virtual slot from `clock` on at which a station is entered.
    #[inline]
    pub fn next_from(&self, clock: u64) -> Option<u64> {
        if self.len == 0 {
            return None;
        }
        let start = self.bucket(clock);
        let words = self.bits.len();
        let (mut word, shift) = (start / 64, start % 64);
        let mut seen = self.bits[word] >> shift << shift;
        for _ in 0..=words {
            if seen != 0 {
                let bucket = word * 64 + seen.trailing_zeros() as usize;
                let ahead = bucket.wrapping_sub(start) & (self.first.len() - 1);
                return Some(clock + ahead as u64);
            }
            word = (word + 1) % words;
            seen = self.bits[word];
        }
        None
    }

    fn bucket(&self, slot: u64) -> usize {
        slot as usize & (self.first.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_next_slot_around_the_wheel() {
        let mut wheel = Wheel::new(1023, 4);
        assert_eq!(wheel.next_from(5), None);
        wheel.insert(0, 2040);
        wheel.insert(1, 3000);
        wheel.insert(2, 2040);
        assert_eq!(wheel.next_from(2000), Some(2040));
        assert_eq!(wheel.next_from(2040), Some(2040));
        wheel.remove(0, 2040);
        assert_eq!(wheel.at(2040), Some(2));
        wheel.remove(2, 2040);
        assert_eq!(wheel.at(2040), None);
        assert_eq!(wheel.next_from(2041), Some(3000));
        wheel.remove(1, 3000);
        assert_eq!(wheel.next_from(2041), None);
    }
}
