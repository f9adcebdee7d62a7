//! Data out of order: intervals, and the order in which the SACK option names them (RFC 2018 section 4).

/// The number of intervals remembered in the order of their arrival; the option holds four.
const REMEMBERED: usize = 8;

/// Data beyond a gap.
#[derive(Clone, Debug, Default)]
pub(super) struct Reassembly {
    /// [start, end) ascending, apart from each other and from what was delivered.
    held: Vec<(u64, u64)>,
    /// A number in each of the intervals that grew last, the newest first.
    recent: [u64; REMEMBERED],
    remembered: usize,
}

impl Reassembly {
    pub fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    /// Takes [start, end), which lies beyond a gap; what part of it came before is a duplicate: its first piece.
    pub fn insert(&mut self, start: u64, end: u64) -> Option<(u64, u64)> {
        let overlap = self.held.partition_point(|range| range.1 <= start);
        let twice = self.held.get(overlap).filter(|range| range.0 < end);
        let duplicate = twice.map(|range| (range.0.max(start), range.1.min(end)));
        let joined = insert(&mut self.held, start, end);
        self.remember(joined, start);
        duplicate
    }

    /// Returns the first piece held before `end`.
    pub fn first_within(&self, end: u64) -> Option<(u64, u64)> {
        let first = self.held.first().filter(|range| range.0 < end)?;
        Some((first.0, first.1.min(end)))
    }

    /// Moves `next` over what now joins it.
    pub fn advance(&mut self, next: u64) -> u64 {
        let joined = self.held.iter().take_while(|held| held.0 <= next).count();
        let Some(last) = joined.checked_sub(1) else { return next };
        let next = next.max(self.held[last].1);
        self.held.drain(..joined);
        self.forget(|number| number < next);
        next
    }

    /// The intervals, the one that grew last first.
    pub fn blocks(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let around = |number: &u64| {
            let i = self.held.partition_point(|range| range.1 <= *number);
            self.held.get(i).copied()
        };
        self.recent[..self.remembered].iter().filter_map(around)
    }

    fn remember(&mut self, joined: (u64, u64), number: u64) {
        self.forget(|other| joined.0 <= other && other < joined.1);
        self.remembered = (self.remembered + 1).min(REMEMBERED);
        self.recent[..self.remembered].rotate_right(1);
        self.recent[0] = number;
    }

    fn forget(&mut self, gone: impl Fn(u64) -> bool) {
        let mut kept = 0;
        for i in 0..self.remembered {
            if !gone(self.recent[i]) {
                self.recent[kept] = self.recent[i];
                kept += 1;
            }
        }
        self.remembered = kept;
    }
}

/// Adds [start, end) to ascending intervals, joins those that touch, and returns the one that it is now in.
pub(super) fn insert(held: &mut Vec<(u64, u64)>, start: u64, end: u64) -> (u64, u64) {
    let first = held.partition_point(|range| range.1 < start);
    let last = held.partition_point(|range| range.0 <= end);
    if first == last {
        held.insert(first, (start, end));
    } else {
        held[first] = (held[first].0.min(start), held[last - 1].1.max(end));
        held.drain(first + 1..last);
    }
    held[first]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_stay_sorted_and_apart() {
        let mut held = vec![];
        for (start, end) in [(50, 60), (10, 20), (30, 40), (20, 25), (39, 55)] {
            insert(&mut held, start, end);
        }
        assert_eq!(held, [(10, 25), (30, 60)]);
        assert_eq!(insert(&mut held, 5, 70), (5, 70));
        assert_eq!(held, [(5, 70)]);
    }

    #[test]
    fn the_interval_that_grew_last_is_named_first() {
        let mut r = Reassembly::default();
        for (start, end) in [(20, 30), (40, 50), (60, 70), (30, 35)] {
            assert_eq!(r.insert(start, end), None);
        }
        assert_eq!(r.blocks().collect::<Vec<_>>(), [(20, 35), (60, 70), (40, 50)]);
        assert_eq!(r.insert(34, 61), Some((34, 35)));
        assert_eq!(r.blocks().collect::<Vec<_>>(), [(20, 70)]);
        assert_eq!(r.advance(20), 70);
        assert_eq!(r.blocks().next(), None);
    }
}
