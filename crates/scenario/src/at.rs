//! A value and where it stands in the text, so that a later check can point at it.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use std::borrow::Cow;
use std::ops::{Deref, Range};

/// A value with the bytes of the text that it was read from.
#[derive(Clone, Debug, PartialEq)]
pub struct At<T> {
    /// The value.
    pub value: T,
    /// Byte offsets.
    pub place: Range<usize>,
}

impl<T> Deref for At<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: JsonSchema> JsonSchema for At<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }
    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }
    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

/// Something wrong with a scenario, by byte offsets; becomes an [`Error`](crate::Error) with line and column.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Where.
    pub place: Range<usize>,
    /// What was found, what is allowed.
    pub message: String,
}

impl<T> At<T> {
    /// Another value, which stands for this one.
    pub fn with<U>(&self, value: U) -> At<U> {
        At { value, place: self.place.clone() }
    }

    /// A problem with this value.
    pub fn problem(&self, message: impl Into<String>) -> Problem {
        Problem { place: self.place.clone(), message: message.into() }
    }
}

/// What a file says, or something else.
pub trait Said<T> {
    /// What the file says, or this.
    fn said_or(&self, default: T) -> T;
}

impl<T: Clone> Said<T> for Option<At<T>> {
    fn said_or(&self, default: T) -> T {
        self.as_ref().map_or(default, |at| at.value.clone())
    }
}
