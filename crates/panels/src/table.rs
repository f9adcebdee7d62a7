//! The tables of probes: columns of numbers, with NaN where there is nothing, and names as places in a list.

use crate::names::Names;
use record::Cell;
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, SeqAccess, Visitor};
use std::collections::BTreeMap;
use std::fmt;

/// A table with a list for each column.
#[derive(Debug, Default, Deserialize)]
#[serde(transparent)]
pub struct Table(BTreeMap<String, Column>);

impl Table {
    /// A table without rows.
    pub const fn empty() -> Table {
        Table(BTreeMap::new())
    }

    /// Adds a column.
    pub fn add<'a>(&mut self, name: &str, cells: &mut dyn Iterator<Item = Cell<'a>>) {
        let mut column = Column::default();
        let mut seen = Seen::default();
        for cell in cells {
            column.values.push(match cell {
                Cell::Number(number) => number,
                Cell::Text(text) => seen.place(text, &mut column.names) as f64,
                Cell::Missing => f64::NAN,
            });
        }
        self.0.insert(name.to_owned(), column);
    }

    /// The column of this name; without it an empty one.
    pub fn column(&self, name: &str) -> &Column {
        static NONE: Column = Column { values: Vec::new(), names: Names::new() };
        self.0.get(name).unwrap_or(&NONE)
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.column("time_s").values.len()
    }
}

/// Texts of a table that lives, with their places: rows share them, so most are known by where they are in memory.
#[derive(Default)]
struct Seen<'a>(Vec<(&'a str, usize)>);

impl<'a> Seen<'a> {
    /// The number of texts that are kept: a search goes through all of them.
    const MOST: usize = 16;

    fn place(&mut self, text: &'a str, names: &mut Names) -> usize {
        if let Some((_, place)) = self.0.iter().find(|(seen, _)| std::ptr::eq(*seen, text)) {
            return *place;
        }
        let place = names.place(text);
        if self.0.len() < Seen::MOST {
            self.0.push((text, place));
        }
        place
    }
}

/// A column.
#[derive(Debug, Default)]
pub struct Column {
    /// A number for each row, of a text its place in `names`, of a truth 0 or 1; NaN for null.
    values: Vec<f64>,
    /// The texts, in the order of their first rows.
    names: Names,
}

impl Column {
    /// The number of a row, NaN where there is none.
    pub fn at(&self, row: usize) -> f64 {
        self.values.get(row).copied().unwrap_or(f64::NAN)
    }

    /// The text of a row.
    pub fn name(&self, row: usize) -> Option<&str> {
        let place = self.at(row);
        if place.is_nan() { None } else { self.names.list.get(place as usize).map(String::as_str) }
    }

    /// The texts, in the order of their first rows.
    pub fn names(&self) -> &[String] {
        &self.names.list
    }

    /// The rows of each text.
    pub fn groups(&self) -> Vec<(&str, Vec<usize>)> {
        let mut groups: Vec<_> =
            self.names.list.iter().map(|name| (name.as_str(), Vec::new())).collect();
        for (row, place) in self.values.iter().enumerate().filter(|(_, place)| !place.is_nan()) {
            if let Some((_, rows)) = groups.get_mut(*place as usize) {
                rows.push(row);
            }
        }
        groups
    }

    /// The rows of a text.
    pub fn rows_of(&self, name: &str) -> Vec<usize> {
        let Some(wanted) = self.names.known(name) else {
            return Vec::new();
        };
        let rows = self.values.iter().enumerate();
        rows.filter(|(_, place)| **place == wanted as f64).map(|(row, _)| row).collect()
    }

    /// All numbers.
    pub fn all(&self) -> &[f64] {
        &self.values
    }

    /// The numbers of these rows.
    pub fn of(&self, rows: &[usize]) -> Vec<f64> {
        rows.iter().map(|&row| self.at(row)).collect()
    }
}

impl<'de> Deserialize<'de> for Column {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Column, D::Error> {
        deserializer.deserialize_seq(Reader)
    }
}

/// A column that is read.
struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Column;

    fn expecting(&self, to: &mut fmt::Formatter) -> fmt::Result {
        to.write_str("a column of a probe")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Column, A::Error> {
        let mut column = Column::default();
        while let Some(value) = list.next_element_seed(Value(&mut column.names))? {
            column.values.push(value);
        }
        Ok(column)
    }
}

/// A value of a column that is read.
struct Value<'a>(&'a mut Names);

impl<'de> DeserializeSeed<'de> for Value<'_> {
    type Value = f64;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<f64, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Value<'_> {
    type Value = f64;

    fn expecting(&self, to: &mut fmt::Formatter) -> fmt::Result {
        to.write_str("a number, a text, a truth or null")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<f64, E> {
        Ok(f64::from(u8::from(value)))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<f64, E> {
        Ok(value as f64)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<f64, E> {
        Ok(value as f64)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<f64, E> {
        Ok(value)
    }

    fn visit_unit<E: Error>(self) -> Result<f64, E> {
        Ok(f64::NAN)
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<f64, E> {
        Ok(self.0.place(value) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_numbers_and_names() {
        let text = r#"{"time_s": [0, 0.5, 2], "flow": ["b", "a", "b"], "x": [null, true, -1]}"#;
        let table: Table = serde_json::from_str(text).unwrap();
        assert_eq!(table.rows(), 3);
        assert_eq!(table.column("flow").groups(), [("b", vec![0, 2]), ("a", vec![1])]);
        assert_eq!(table.column("flow").rows_of("b"), [0, 2]);
        assert_eq!(table.column("x").of(&[1, 2]), [1.0, -1.0]);
        assert!(table.column("x").at(0).is_nan() && table.column("y").at(0).is_nan());
    }
}
