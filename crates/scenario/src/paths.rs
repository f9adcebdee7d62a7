//! The keys and values of any TOML document by their paths.

use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A step on the way from a document to something in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Step {
    /// The key of a table.
    Key(String),
    /// The place in a list, from 0.
    Place(usize),
}

impl Step {
    /// Returns a part of a dotted key; numbers are places in lists.
    pub fn of(part: &str) -> Step {
        part.parse().map_or_else(|_| Step::Key(part.to_owned()), Step::Place)
    }
}

/// Visits everything in a document, the inner before the outer: with its path, and the bytes of its key and of the
/// value. An element of a list is its own key.
pub fn walk(document: &DeTable<'_>, visit: &mut Visit<'_>) {
    Walk { path: Vec::new(), visit }.table(document);
}

/// The visitor of each path, key and value.
type Visit<'v> = dyn FnMut(&[Step], Range<usize>, Range<usize>) + 'v;

struct Walk<'v, 'f> {
    path: Vec<Step>,
    visit: &'v mut Visit<'f>,
}

impl Walk<'_, '_> {
    fn table(&mut self, table: &DeTable<'_>) {
        for (key, value) in table {
            self.value(Step::Key(key.get_ref().to_string()), key.span(), value);
        }
    }

    fn value(&mut self, step: Step, key: Range<usize>, value: &Spanned<DeValue<'_>>) {
        self.path.push(step);
        match value.get_ref() {
            DeValue::Table(table) => self.table(table),
            DeValue::Array(elements) => {
                for (number, element) in elements.iter().enumerate() {
                    self.value(Step::Place(number), element.span(), element);
                }
            }
            _ => {}
        }
        (self.visit)(&self.path, key, value.span());
        self.path.pop();
    }
}

/// Returns the innermost paths whose key or value begins at these bytes of a text; none where it is no TOML.
pub fn paths_at(text: &str, wanted: impl Iterator<Item = usize>) -> BTreeMap<usize, Vec<Step>> {
    let mut found: BTreeMap<usize, Vec<Step>> = wanted.map(|at| (at, Vec::new())).collect();
    if let Ok(document) = DeTable::parse(text) {
        walk(document.get_ref(), &mut |path, key, value| {
            for at in [key.start, value.start] {
                if let Some(known) = found.get_mut(&at).filter(|known| known.len() < path.len()) {
                    *known = path.to_vec();
                }
            }
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_path_is_found_by_its_key_or_its_value() {
        let text = "[[flow]]\nto = [\"a\", \"b\"]\n";
        let at = |part: &str| text.find(part).unwrap();
        let found = paths_at(text, [at("to"), at("\"b\""), at("]\n"), 7].into_iter());
        let way =
            |rest: &[Step]| [&[Step::of("flow"), Step::of("0"), Step::of("to")], rest].concat();
        assert_eq!(found[&at("to")], way(&[]));
        assert_eq!(found[&at("\"b\"")], way(&[Step::Place(1)]));
        assert_eq!(found[&at("]\n")], []);
        assert_eq!(paths_at("a = [", [0].into_iter())[&0], []);
    }
}
