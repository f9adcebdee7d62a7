//! Reads numbers of a result, of one run or of several.

use serde_json::Value;

/// A table of a result: a flow, a queue, a station, or all of it.
#[derive(Clone, Copy)]
pub struct Row<'a>(pub &'a Value);

impl<'a> Row<'a> {
    /// The rows of a list; none where there is no such list.
    pub fn rows(self, key: &str) -> Vec<Row<'a>> {
        self.0.get(key).and_then(Value::as_array).into_iter().flatten().map(Row).collect()
    }

    /// A text, empty where there is none.
    pub fn text(self, key: &str) -> &'a str {
        self.0.get(key).and_then(Value::as_str).unwrap_or("")
    }

    /// A text in a table of the row's; none where it is not there.
    pub fn text_within(self, table: &str, key: &str) -> Option<&'a str> {
        self.0.get(table)?.get(key)?.as_str()
    }

    /// Returns whether the key exists, with any value.
    pub fn has(self, key: &str) -> bool {
        self.0.get(key).is_some()
    }

    /// A number of one run, or its mean over several, if there is one.
    pub fn known(self, key: &str) -> Option<f64> {
        number(self.0.get(key)?)
    }

    /// That number, or 0.
    pub fn number(self, key: &str) -> f64 {
        self.known(key).unwrap_or(0.0)
    }

    /// A number in a table of the row's, or 0.
    pub fn within(self, table: &str, key: &str) -> f64 {
        self.0.get(table).map_or(0.0, |inner| Row(inner).number(key))
    }

    /// A table of the row's; none where it is null or absent.
    pub fn within_row(self, table: &str) -> Option<Row<'a>> {
        self.0.get(table).filter(|inner| inner.is_object()).map(Row)
    }

    /// The names and numbers of a table of the row's.
    pub fn numbers(self, table: &str) -> Vec<(&'a str, f64)> {
        let inner = self.0.get(table).and_then(Value::as_object);
        let known = inner.into_iter().flatten();
        known.filter_map(|(name, value)| Some((name.as_str(), number(value)?))).collect()
    }

    /// The sum of a table of counts by reason.
    pub fn sum(self, table: &str) -> f64 {
        let counts = self.0.get(table).and_then(Value::as_object);
        counts.into_iter().flatten().filter_map(|(_, count)| number(count)).sum()
    }
}

fn number(value: &Value) -> Option<f64> {
    value.get("mean").unwrap_or(value).as_f64()
}

/// The first with the greatest number; none of none.
pub fn most<T: Copy>(items: &[T], number: impl Fn(T) -> f64) -> Option<T> {
    let mut best: Option<T> = None;
    for &item in items {
        if best.is_none_or(|held| number(item) > number(held)) {
            best = Some(item);
        }
    }
    best
}
