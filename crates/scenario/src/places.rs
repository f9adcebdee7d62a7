//! Where things stand in any TOML document: for the formats that are read elsewhere, and whose errors name places too.

use crate::error::{Error, Sources};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The path of a value, its steps joined by a unit separator (U+001F), places in lists as numbers; then line and column of its key
/// and of the value itself, counted from 1.
pub type TomlPlace = (String, (usize, usize), (usize, usize));

/// Where every value of a document stands.
///
/// # Errors
/// [`Error`] where it is no TOML.
pub fn toml_places(text: &str, file: &str) -> Result<Vec<TomlPlace>, Error> {
    let sources = Sources::new(file, text, &[]);
    let document = crate::document::parse(text)
        .map_err(|problem| sources.error(problem.place, problem.message))?;
    let mut walk = Walk { starts: line_starts(text), text, found: Vec::new() };
    walk.table(document.get_ref(), "");
    Ok(walk.found)
}

struct Walk<'a> {
    text: &'a str,
    starts: Vec<usize>,
    found: Vec<TomlPlace>,
}

impl Walk<'_> {
    fn table(&mut self, table: &DeTable<'_>, path: &str) {
        for (key, value) in table {
            self.value(key.span(), value, format!("{path}{}", key.get_ref()));
        }
    }

    fn value(&mut self, key: Range<usize>, value: &Spanned<DeValue<'_>>, path: String) {
        let place = (self.place(key.start), self.place(value.span().start));
        match value.get_ref() {
            DeValue::Table(table) => self.table(table, &format!("{path}\u{1f}")),
            DeValue::Array(elements) => {
                for (number, element) in elements.iter().enumerate() {
                    self.value(element.span(), element, format!("{path}\u{1f}{number}"));
                }
            }
            _ => {}
        }
        self.found.push((path, place.0, place.1));
    }

    fn place(&self, at: usize) -> (usize, usize) {
        let line = self.starts.partition_point(|start| *start <= at);
        let start = self.starts[line - 1];
        let column = self.text.get(start..at).map_or(0, |before| before.chars().count());
        (line, column + 1)
    }
}

fn line_starts(text: &str) -> Vec<usize> {
    std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_where_keys_and_values_stand() {
        let text = "[study]\nname = 'x'\n[axes]\n\"a.b\" = [1, 22]\n[[compare]]\naxis = 'é'\n";
        let found = toml_places(text, "x").unwrap();
        let at = |path: &str| {
            let (_, key, value) = found.iter().find(|(known, ..)| known == path).unwrap();
            (*key, *value)
        };
        assert_eq!(at("study\u{1f}name"), ((2, 1), (2, 8)));
        assert_eq!(at("axes\u{1f}a.b"), ((4, 1), (4, 9)));
        assert_eq!(at("axes\u{1f}a.b\u{1f}1").1, (4, 13));
        assert_eq!(at("compare\u{1f}0\u{1f}axis"), ((6, 1), (6, 8)));
        let error = toml_places("a = 1\nb = [1, \n", "x.toml").unwrap_err().to_string();
        assert!(error.starts_with("x.toml:2:"), "{error}");
    }
}
