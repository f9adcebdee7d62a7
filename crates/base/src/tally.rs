//! Counts by name, in the order of names.

use crate::{Outcome, Place, Quantities};
use serde::{Serialize, Serializer};
use std::ops::Index;

/// A name and its idea.
type Row = (&'static str, &'static str);

/// The names of a closed list, put in order by the compiler: counts of every flow and station share them.
#[derive(Debug)]
pub struct CountNames<const N: usize> {
    sorted: [&'static str; N],
    /// By place in order: the number in the list.
    numbers: [usize; N],
}

impl<const N: usize> CountNames<N> {
    /// Of a list with these names, each of them once.
    const fn new(names: [&'static str; N]) -> CountNames<N> {
        let (mut sorted, mut numbers, mut number) = ([""; N], [0; N], 0);
        while number < N {
            let mut place = number;
            while place > 0 && is_before(names[number], sorted[place - 1]) {
                (sorted[place], numbers[place]) = (sorted[place - 1], numbers[place - 1]);
                place -= 1;
            }
            (sorted[place], numbers[place]) = (names[number], number);
            number += 1;
        }
        CountNames { sorted, numbers }
    }

    /// Of the list that has the names of these rows ([`Named::ROWS`](crate::Named::ROWS)), and then those of further ones.
    pub const fn of_rows(rows: &[Row], further: &[Row]) -> CountNames<N> {
        assert!(rows.len() + further.len() == N);
        let (mut names, mut number) = ([""; N], 0);
        while number < N {
            let is_further = number >= rows.len();
            names[number] =
                if is_further { further[number - rows.len()].0 } else { rows[number].0 };
            number += 1;
        }
        CountNames::new(names)
    }

    /// Counts by these names: `of` gives that of each number in the list.
    pub fn tally(&'static self, of: impl Fn(usize) -> u64) -> Tally {
        Tally {
            names: &self.sorted,
            counts: self.numbers.iter().map(|&number| of(number)).collect(),
        }
    }
}

/// True where the first of two names comes first: `<` of constants.
const fn is_before(one: &str, other: &str) -> bool {
    let (one, other, mut at) = (one.as_bytes(), other.as_bytes(), 0);
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at < other.len() && (at == one.len() || one[at] < other[at])
}

/// Counts of a closed list of names: a map in results, and one allocation in memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    names: &'static [&'static str],
    counts: Box<[u64]>,
}

impl Tally {
    /// Returns the count of a name.
    pub fn get(&self, name: &str) -> Option<&u64> {
        self.names.binary_search(&name).ok().map(|place| &self.counts[place])
    }

    /// Returns each name with its count.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.names.iter().copied().zip(self.counts.iter().copied())
    }

    /// Returns the counts.
    pub fn values(&self) -> impl Iterator<Item = &u64> {
        self.counts.iter()
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

    static WAYS: CountNames<4> = CountNames::new(["queue", "air", "wire", "airs"]);

    #[test]
    fn counts_are_found_by_name_and_listed_in_its_order() {
        let tally = WAYS.tally(|number| [3, 1, 0, 7][number]);
        let listed = [("air", 1), ("airs", 7), ("queue", 3), ("wire", 0)];
        assert_eq!(tally.iter().collect::<Vec<_>>(), listed);
        assert_eq!((tally.get("queue"), tally.get("route")), (Some(&3), None));
        assert_eq!((tally["wire"], tally.values().sum::<u64>()), (0, 11));
    }
}
