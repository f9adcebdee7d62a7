//! Names by number.

use std::collections::BTreeMap;

/// Names with their places, in the order of their first occurrence.
#[derive(Clone, Debug, Default)]
pub struct Names {
    pub list: Vec<String>,
    places: BTreeMap<String, usize>,
    /// The place that was asked for last: neighbours are often the same.
    last: usize,
}

impl Names {
    /// No names.
    pub const fn new() -> Names {
        Names { list: Vec::new(), places: BTreeMap::new(), last: 0 }
    }

    /// The place of a name, which gets one where it has none.
    pub fn place(&mut self, name: &str) -> usize {
        if self.list.get(self.last).is_some_and(|last| last == name) {
            return self.last;
        }
        self.last = self.known(name).unwrap_or_else(|| {
            let place = self.list.len();
            self.places.insert(name.to_owned(), place);
            self.list.push(name.to_owned());
            place
        });
        self.last
    }

    /// The place of a name that has one.
    pub fn known(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }
}
