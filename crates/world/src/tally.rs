//! Counts by kind, where most of many kinds never occur.

/// A count for each kind that has occurred.
#[derive(Clone, Debug)]
pub(crate) struct Tally<K>(Vec<(K, u64)>);

impl<K> Default for Tally<K> {
    fn default() -> Tally<K> {
        Tally(Vec::new())
    }
}

impl<K: Copy + PartialEq> Tally<K> {
    /// Counts one more.
    pub fn add(&mut self, kind: K) {
        match self.0.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, count)) => *count += 1,
            None => {
                self.0.reserve_exact(1);
                self.0.push((kind, 1));
            }
        }
    }

    /// How often a kind has occurred.
    pub fn of(&self, kind: K) -> u64 {
        self.0.iter().find(|(known, _)| *known == kind).map_or(0, |&(_, count)| count)
    }

    /// How often anything has occurred.
    pub fn sum(&self) -> u64 {
        self.0.iter().map(|&(_, count)| count).sum()
    }

    /// Those that have occurred, in the order of their first time.
    pub fn iter(&self) -> impl Iterator<Item = (K, u64)> + '_ {
        self.0.iter().copied()
    }
}
