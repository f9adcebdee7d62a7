//! Tables of columns: each is declared once, with its documentation; readers know it by name and type.

use serde::Serialize;

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

/// A value that a column may hold.
pub trait Datum {
    /// Its kind.
    const HOLDS: ColumnType;
}

macro_rules! data {
    ($($type:ty: $holds:ident;)+) => { $(impl Datum for $type { const HOLDS: ColumnType = ColumnType::$holds; })+ };
}

data! {
    f64: Number;
    u32: Whole;
    u64: Whole;
    bool: Bool;
    String: Text;
    &'static str: Text;
}

impl<T: Datum> Datum for Option<T> {
    const HOLDS: ColumnType = T::HOLDS;
}

/// A table with a list for each column.
pub trait Table {
    /// The columns, in their order.
    const COLUMNS: &'static [Column];
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
        }
    };
}

pub(crate) use columns;
