//! Tables of columns: each is declared once, with its documentation; readers know it by name and type.

use serde::{Serialize, Serializer};
use std::sync::Arc;

/// Type of a column's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ColumnType {
    /// A number.
    Number,
    /// A whole number.
    Whole,
    /// True or false.
    Bool,
    /// A text.
    Text,
}

/// A column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name, with its unit last.
    pub name: &'static str,
    /// Type of its values; null where a value is missing.
    pub holds: ColumnType,
}

/// A value as a reader of any table takes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell<'a> {
    /// A number; a truth is 0 or 1.
    Number(f64),
    /// A text.
    Text(&'a str),
    /// No value.
    Missing,
}

/// The name of a flow, a queue, a node: a table has it in a hundred thousand rows, which share it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name(Arc<str>);

impl Name {
    /// Names that rows can share.
    pub fn all(names: &[String]) -> Vec<Name> {
        names.iter().map(|name| Name::from(name.as_str())).collect()
    }
}

impl From<&str> for Name {
    fn from(name: &str) -> Name {
        Name(name.into())
    }
}

impl PartialEq<str> for Name {
    fn eq(&self, other: &str) -> bool {
        *self.0 == *other
    }
}

impl Serialize for Name {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

/// A value that a column may hold.
pub trait Datum {
    /// Its kind.
    const HOLDS: ColumnType;

    /// The value.
    fn cell(&self) -> Cell<'_>;
}

macro_rules! data {
    ($($type:ty: $holds:ident, $value:ident => $cell:expr;)+) => { $(impl Datum for $type {
        const HOLDS: ColumnType = ColumnType::$holds;

        fn cell(&self) -> Cell<'_> {
            let $value = self;
            $cell
        }
    })+ };
}

data! {
    f64: Number, value => Cell::Number(*value);
    u32: Whole, value => Cell::Number(f64::from(*value));
    u64: Whole, value => Cell::Number(*value as f64);
    bool: Bool, value => Cell::Number(f64::from(u8::from(*value)));
    String: Text, value => Cell::Text(value);
    Name: Text, value => Cell::Text(&value.0);
    &'static str: Text, value => Cell::Text(value);
}

impl<T: Datum> Datum for Option<T> {
    const HOLDS: ColumnType = T::HOLDS;

    fn cell(&self) -> Cell<'_> {
        self.as_ref().map_or(Cell::Missing, T::cell)
    }
}

/// What is shown a column: its name, and its values from the first row on.
pub type See<'a> = dyn FnMut(&'static str, &mut dyn Iterator<Item = Cell<'_>>) + 'a;

/// A table with a list for each column.
pub trait Table {
    /// The columns, in their order.
    const COLUMNS: &'static [Column];

    /// Shows each column.
    fn each_column(&self, see: &mut See<'_>);
}

/// Declares a [`Table`], a line a column: `/// What it says.` `name: type of one value,`.
macro_rules! columns {
    ($(#[$meta:meta])* $visible:vis struct $table:ident { $($(#[$about:meta])+ $name:ident: $type:ty,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, Default, serde::Serialize)]
        $visible struct $table { $($(#[$about])+ pub $name: Vec<$type>,)+ }

        impl $crate::columns::Table for $table {
            const COLUMNS: &'static [$crate::columns::Column] = &[$($crate::columns::Column {
                name: stringify!($name),
                holds: <$type as $crate::columns::Datum>::HOLDS,
            }),+];

            fn each_column(&self, see: &mut $crate::columns::See<'_>) {
                $(see(stringify!($name), &mut self.$name.iter().map($crate::columns::Datum::cell));)+
            }
        }
    };
}

pub(crate) use columns;
