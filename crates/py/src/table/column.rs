//! Columns of tables.

/// The values of a column: numbers, or places in words.
#[derive(Debug)]
pub enum Values {
    /// Floating-point numbers.
    Numbers(Vec<f64>),
    /// Whole numbers.
    Wholes(Vec<i64>),
    /// Truths.
    Bools(Vec<bool>),
    /// Texts, each word once.
    Texts { places: Vec<i32>, words: Vec<String> },
    /// Lists of texts. `ends` has the place behind each row's last text.
    Lists { places: Vec<i32>, words: Vec<String>, ends: Vec<i64> },
}

/// A column of a table.
#[derive(Debug)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its values.
    pub values: Values,
    /// The rows that have a value; `None`: all.
    pub valid: Option<Vec<bool>>,
}

/// A table, with its metadata: texts by key.
pub struct Table {
    /// All of the same length.
    pub columns: Vec<Column>,
    /// Texts by key.
    pub metadata: Vec<(String, String)>,
}

impl Column {
    /// Its number of rows.
    pub fn rows(&self) -> usize {
        match &self.values {
            Values::Numbers(all) => all.len(),
            Values::Wholes(all) => all.len(),
            Values::Bools(all) => all.len(),
            Values::Texts { places, .. } => places.len(),
            Values::Lists { ends, .. } => ends.len(),
        }
    }

    /// Tells whether a row has a value.
    pub fn has(&self, row: usize) -> bool {
        self.valid.as_ref().is_none_or(|valid| valid[row])
    }
}
