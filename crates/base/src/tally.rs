//! Counts by name, in the order of names.

use crate::{Outcome, Place, Quantities};
use serde::{Serialize, Serializer};
use std::ops::Index;

/// Counts of a closed list of names: a map in results, and one allocation in memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally(Box<[(&'static str, u64)]>);

impl Tally {
    /// Returns the count of a name.
    pub fn get(&self, name: &str) -> Option<&u64> {
        let found = self.0.binary_search_by(|(of, _)| (*of).cmp(name));
        found.ok().map(|place| &self.0[place].1)
    }

    /// Returns each name with its count.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.0.iter().copied()
    }

    /// Returns the counts.
    pub fn values(&self) -> impl Iterator<Item = &u64> {
        self.0.iter().map(|(_, count)| count)
    }
}

impl FromIterator<(&'static str, u64)> for Tally {
    fn from_iter<I: IntoIterator<Item = (&'static str, u64)>>(counts: I) -> Tally {
        let mut counts: Box<[(&'static str, u64)]> = counts.into_iter().collect();
        counts.sort_unstable_by_key(|&(name, _)| name);
        Tally(counts)
    }
}

impl Index<&str> for Tally {
    type Output = u64;

    fn index(&self, name: &str) -> &u64 {
        self.get(name).expect("a known name")
    }
}

impl Serialize for Tally {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.iter())
    }
}

impl Outcome for Tally {
    fn list(at: &Place, found: &mut Quantities) {
        found.add(at).by_name = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_found_by_name_and_listed_in_its_order() {
        let tally: Tally = [("queue", 3), ("air", 1), ("wire", 0)].into_iter().collect();
        assert_eq!(tally.iter().collect::<Vec<_>>(), [("air", 1), ("queue", 3), ("wire", 0)]);
        assert_eq!((tally.get("queue"), tally.get("route")), (Some(&3), None));
        assert_eq!(tally["wire"], 0);
    }
}
