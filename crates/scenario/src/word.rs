//! Values that are written by their name. The format, `lasthop list` and the schema use one list, wherever it is declared.

use crate::at::{At, Reason, Said};
use crate::nearest::{listed, unknown};
use crate::read::{Item, Mistake, Read};
use crate::resolved::{Node, Write};
use crate::value::{self, NoTable, Value};
use base::Named;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Value as Json;
use std::borrow::Cow;

/// A value that is written by its name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Word<T>(pub T);

impl<T: Named> Value for Word<T> {
    const ALLOWED: &'static str = "a name, in quotes";
    type Table = NoTable;

    fn allowed() -> String {
        allowed(T::WHAT, &T::names())
    }
    fn from_text(text: &str) -> Result<Self, Reason> {
        T::by_name(text).map(Word).ok_or_else(|| unknown(T::WHAT, text, &T::names()))
    }
    fn written(&self) -> Json {
        self.0.name().into()
    }
    fn schema(_: &mut SchemaGenerator) -> Schema {
        let rows: Vec<_> = T::ALL.iter().map(|value| (value.name(), value.idea())).collect();
        schema_of_names(&rows)
    }
}

impl<T: Named> Read for Word<T> {
    fn read(item: &Item<'_>, mistakes: &mut Vec<Mistake>) -> Option<Self> {
        value::read(item, mistakes)
    }
}

impl<T: Named> Write for Word<T> {
    fn write(&self) -> Option<Node> {
        Some(Node::Value(self.written()))
    }
}

impl<T: Named> JsonSchema for Word<T> {
    fn schema_name() -> Cow<'static, str> {
        T::TYPE.into()
    }
    fn schema_id() -> Cow<'static, str> {
        std::any::type_name::<T>().into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        <Self as Value>::schema(generator)
    }
}

impl<T: Copy> Said<T> for Option<At<Word<T>>> {
    fn said_or(&self, default: T) -> T {
        self.as_ref().map_or(default, |at| at.value.0)
    }
}

/// Lists the names that a value may be, for a message.
pub fn allowed(what: &str, names: &[&str]) -> String {
    let article = if what.starts_with(['a', 'e', 'i', 'o', 'u', 'E', 'F']) { "an" } else { "a" };
    format!("the name of {article} {what}, in quotes: {}", listed(names))
}

/// Returns the schema "one of these names", each with its description.
pub fn schema_of_names(names: &[(&str, &str)]) -> Schema {
    let rows: Vec<_> = names
        .iter()
        .map(|(name, idea)| serde_json::json!({ "const": name, "description": idea }))
        .collect();
    schemars::json_schema!({ "oneOf": rows })
}
