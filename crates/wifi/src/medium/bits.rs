//! Sets of stations as bits.

use base::StationId;

/// Bits in a word.
pub const WORD: usize = u64::BITS as usize;

/// Number of words that hold `stations` bits.
pub fn words_for(stations: usize) -> usize {
    stations.div_ceil(WORD)
}

/// Sets of stations of one medium, row after row.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    words: usize,
    bits: Vec<u64>,
}

impl Rows {
    /// Creates `rows` empty sets.
    pub fn new(rows: usize, stations: usize) -> Rows {
        let words = words_for(stations);
        Rows { words, bits: vec![0; rows * words] }
    }

    /// Adds empty sets, so that there are as many as `rows`.
    pub fn grow(&mut self, rows: usize) {
        self.bits.resize(rows * self.words, 0);
    }

    /// The words of a set.
    #[inline]
    pub fn row(&self, row: usize) -> &[u64] {
        &self.bits[row * self.words..][..self.words]
    }

    /// The words of a set.
    #[inline]
    pub fn row_mut(&mut self, row: usize) -> &mut [u64] {
        &mut self.bits[row * self.words..][..self.words]
    }

    /// One word of a set.
    #[inline]
    pub fn word(&self, row: usize, word: usize) -> u64 {
        self.bits[row * self.words + word]
    }

    /// True where a station is in a set.
    #[inline]
    pub fn has(&self, row: usize, station: StationId) -> bool {
        has(self.row(row), station)
    }

    /// Puts a station into a set.
    #[inline]
    pub fn insert(&mut self, row: usize, station: StationId) {
        insert(self.row_mut(row), station);
    }
}

/// True where a station is in the set.
#[inline]
pub fn has(set: &[u64], station: StationId) -> bool {
    set[station.index() / WORD] & bit(station) != 0
}

/// Puts a station into the set.
#[inline]
pub fn insert(set: &mut [u64], station: StationId) {
    set[station.index() / WORD] |= bit(station);
}

/// One word of the set of a station alone.
#[inline]
pub fn of_word(word: usize, station: StationId) -> u64 {
    if station.index() / WORD == word { bit(station) } else { 0 }
}

/// Takes a station out of the set.
#[inline]
pub fn remove(set: &mut [u64], station: StationId) {
    set[station.index() / WORD] &= !bit(station);
}

/// The stations of one word of a set, in their order.
#[inline]
pub fn stations(word: usize, bits: u64) -> Stations {
    Stations { base: (word * WORD) as u32, bits }
}

/// See [`stations`].
pub struct Stations {
    base: u32,
    bits: u64,
}

impl Iterator for Stations {
    type Item = StationId;

    #[inline]
    fn next(&mut self) -> Option<StationId> {
        if self.bits == 0 {
            return None;
        }
        let station = StationId(self.base + self.bits.trailing_zeros());
        self.bits &= self.bits - 1;
        Some(station)
    }
}

#[inline]
fn bit(station: StationId) -> u64 {
    1 << (station.index() % WORD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_holds_what_is_put_into_it_and_gives_it_in_order() {
        let mut rows = Rows::new(2, 130);
        for station in [129, 0, 64, 63] {
            rows.insert(1, StationId(station));
        }
        let of = |rows: &Rows, row: usize| -> Vec<u32> {
            let words = 0..words_for(130);
            words.flat_map(|word| stations(word, rows.word(row, word))).map(|at| at.0).collect()
        };
        assert_eq!(of(&rows, 1), [0, 63, 64, 129]);
        assert!(of(&rows, 0).is_empty());
        remove(rows.row_mut(1), StationId(64));
        assert!(!rows.has(1, StationId(64)) && rows.has(1, StationId(63)));
        rows.grow(3);
        assert!(of(&rows, 2).is_empty());
    }
}
