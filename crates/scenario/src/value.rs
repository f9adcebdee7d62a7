//! Reading one value that may be written in several ways: text, number, boolean, list or table.

use crate::at::At;
use schemars::{Schema, SchemaGenerator};
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserialize, DeserializeOwned, Error, MapAccess, SeqAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;

/// A value of the format. What a type does not override it refuses, saying what is allowed.
pub trait Value: Sized {
    /// What may be written, with an example.
    const ALLOWED: &'static str;
    /// What a table stands for; [`NoTable`] where none is allowed.
    type Table: DeserializeOwned;

    /// What may be written, where that is more than can be said at compile time.
    fn allowed() -> String {
        Self::ALLOWED.to_owned()
    }
    /// From a string.
    fn from_text(text: &str) -> Result<Self, String> {
        Err(refuse::<Self>(&format!("{text:?}")))
    }
    /// From an integer.
    fn from_integer(number: i64) -> Result<Self, String> {
        Err(refuse::<Self>(&number.to_string()))
    }
    /// From a number with a fraction.
    fn from_float(number: f64) -> Result<Self, String> {
        Err(refuse::<Self>(&number.to_string()))
    }
    /// From `true` or `false`.
    fn from_bool(flag: bool) -> Result<Self, String> {
        Err(refuse::<Self>(&flag.to_string()))
    }
    /// From a list of strings.
    fn from_list(_list: Vec<At<String>>) -> Result<Self, String> {
        Err(refuse::<Self>("a list"))
    }
    /// From a table.
    fn from_table(_table: Self::Table) -> Result<Self, String> {
        Err(refuse::<Self>("a table"))
    }
    /// The type's part of the JSON Schema.
    fn schema(generator: &mut SchemaGenerator) -> Schema;
}

/// "Found this, allowed is that."
pub fn refuse<T: Value>(found: &str) -> String {
    format!("found {found}; allowed: {}", T::allowed())
}

/// Takes any table, for types that refuse them all.
#[derive(Clone, Copy, Debug)]
pub struct NoTable;

impl<'de> Deserialize<'de> for NoTable {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        serde::de::IgnoredAny::deserialize(deserializer).map(|_| NoTable)
    }
}

/// Reads any [`Value`].
pub struct ValueVisitor<T>(pub PhantomData<T>);

impl<'de, T: Value> Visitor<'de> for ValueVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::ALLOWED)
    }
    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        T::from_text(text).map_err(E::custom)
    }
    fn visit_i64<E: Error>(self, number: i64) -> Result<T, E> {
        T::from_integer(number).map_err(E::custom)
    }
    fn visit_f64<E: Error>(self, number: f64) -> Result<T, E> {
        T::from_float(number).map_err(E::custom)
    }
    fn visit_bool<E: Error>(self, flag: bool) -> Result<T, E> {
        T::from_bool(flag).map_err(E::custom)
    }
    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<T, A::Error> {
        let list = Vec::<At<String>>::deserialize(SeqAccessDeserializer::new(list))?;
        T::from_list(list).map_err(A::Error::custom)
    }
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        let table = T::Table::deserialize(MapAccessDeserializer::new(map))?;
        T::from_table(table).map_err(A::Error::custom)
    }
}

/// Lets serde and schemars read the types named.
macro_rules! values {
    ($($name:ident),+ $(,)?) => {$(
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_any($crate::value::ValueVisitor(std::marker::PhantomData))
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
