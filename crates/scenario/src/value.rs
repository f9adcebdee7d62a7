//! Reading one value that may be written in several ways: text, number, boolean, list or table.

use crate::at::{At, Reason};
use crate::code::Code;
use crate::read::{Item, Mistake, Read, float, shown, whole};
use schemars::{Schema, SchemaGenerator};
use serde_json::Value as Json;
use toml::de::DeValue;

/// A value of the format. A type refuses the forms that it does not override, with a message about the allowed ones.
pub trait Value: Sized {
    /// The allowed form, with an example.
    const ALLOWED: &'static str;
    /// The type of a table; [`NoTable`] where none is allowed.
    type Table: Read;

    /// Returns the allowed form, where it is not known at compile time.
    fn allowed() -> String {
        Self::ALLOWED.to_owned()
    }
    /// From a string.
    fn from_text(text: &str) -> Result<Self, Reason> {
        Err(refuse::<Self>(&format!("{text:?}")))
    }
    /// From an integer.
    fn from_integer(number: i64) -> Result<Self, Reason> {
        Err(refuse::<Self>(&number.to_string()))
    }
    /// From a number with a fraction.
    fn from_float(number: f64) -> Result<Self, Reason> {
        Err(refuse::<Self>(&number.to_string()))
    }
    /// From `true` or `false`.
    fn from_bool(flag: bool) -> Result<Self, Reason> {
        Err(refuse::<Self>(&flag.to_string()))
    }
    /// From a list of strings.
    fn from_list(_list: Vec<At<String>>) -> Result<Self, Reason> {
        Err(refuse::<Self>("a list"))
    }
    /// From a table.
    fn from_table(_table: Self::Table) -> Result<Self, Reason> {
        Err(refuse::<Self>("a table"))
    }
    /// Returns it as one form of TOML, whichever it was read from, in JSON's types.
    fn written(&self) -> Json;
    /// The type's part of the JSON Schema.
    fn schema(generator: &mut SchemaGenerator) -> Schema;
}

/// "Found this, allowed is that."
pub fn refuse<T: Value>(found: &str) -> Reason {
    Code::WrongKind.says(format!("found {found}; allowed: {}", T::allowed()))
}

/// Takes any table, for types that refuse them all.
#[derive(Clone, Copy, Debug)]
pub struct NoTable;

impl Read for NoTable {
    fn read(_: &Item<'_>, _: &mut Vec<Mistake>) -> Option<Self> {
        Some(NoTable)
    }
}

/// Reads any [`Value`].
pub fn read<T: Value>(item: &Item<'_>, mistakes: &mut Vec<Mistake>) -> Option<T> {
    let read = match item.get_ref() {
        DeValue::String(text) => T::from_text(text),
        DeValue::Integer(number) => match whole(number) {
            Some(number) => T::from_integer(number),
            None => Err(refuse::<T>(&number.to_string())),
        },
        DeValue::Float(number) => match float(number) {
            Some(number) => T::from_float(number),
            None => Err(refuse::<T>(&number.to_string())),
        },
        DeValue::Boolean(flag) => T::from_bool(*flag),
        DeValue::Array(_) => T::from_list(Read::read(item, mistakes)?),
        DeValue::Table(_) => T::from_table(Read::read(item, mistakes)?),
        date @ DeValue::Datetime(_) => Err(refuse::<T>(&shown(date))),
    };
    read.map_err(|reason| mistakes.push(Mistake::Said(reason.at(item.span())))).ok()
}

/// Lets files have the types named, and the schema.
macro_rules! values {
    ($($name:ident),+ $(,)?) => {$(
        impl $crate::read::Read for $name {
            fn read(
                item: &$crate::read::Item<'_>,
                mistakes: &mut Vec<$crate::read::Mistake>,
            ) -> Option<Self> {
                $crate::value::read(item, mistakes)
            }
        }
        impl $crate::resolved::Write for $name {
            fn write(&self) -> Option<$crate::resolved::Node> {
                Some($crate::resolved::Node::Value($crate::value::Value::written(self)))
            }
        }
        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }
            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                <$name as $crate::value::Value>::schema(generator)
            }
        }
    )+};
}
pub(crate) use values;
