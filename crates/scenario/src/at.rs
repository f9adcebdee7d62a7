//! A value and its place in the text, so that a later check can point at it.

use crate::code::Code;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use std::borrow::Cow;
use std::fmt;
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

/// The reason for a mistake: its kind, and in words the value found and those allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The kind.
    pub code: Code,
    /// The words.
    pub message: String,
}

impl Code {
    /// Returns a mistake of this kind, in words.
    pub fn says(self, message: impl Into<String>) -> Reason {
        Reason { code: self, message: message.into() }
    }
}

impl Reason {
    /// Returns the same kind of mistake in other words, such as its own with more around them.
    pub fn reworded(self, words: impl FnOnce(String) -> String) -> Reason {
        Reason { code: self.code, message: words(self.message) }
    }

    /// Returns the same words as another kind of mistake.
    pub fn but(self, code: Code) -> Reason {
        Reason { code, ..self }
    }

    /// Returns the problem with this reason at a place.
    pub fn at(self, place: Range<usize>) -> Problem {
        Problem { place, code: self.code, message: self.message }
    }
}

/// Takes words alone as the reason of keys that do not go together.
impl From<String> for Reason {
    fn from(message: String) -> Reason {
        Code::DoesNotFit.says(message)
    }
}

impl From<&str> for Reason {
    fn from(message: &str) -> Reason {
        Code::DoesNotFit.says(message)
    }
}

impl From<&String> for Reason {
    fn from(message: &String) -> Reason {
        Code::DoesNotFit.says(message)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// A mistake in a scenario, by byte offsets; becomes an [`Error`](crate::Error) with line and column.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// The place.
    pub place: Range<usize>,
    /// The kind of mistake.
    pub code: Code,
    /// The value found, and those allowed.
    pub message: String,
}

impl<T> At<T> {
    /// Returns another value at the same place.
    pub fn with<U>(&self, value: U) -> At<U> {
        At { value, place: self.place.clone() }
    }

    /// Returns a problem with this value; words alone mean keys that do not go together.
    pub fn problem(&self, reason: impl Into<Reason>) -> Problem {
        reason.into().at(self.place.clone())
    }

    /// Returns the problem that this value is out of range.
    pub fn out_of_range(&self, message: impl Into<String>) -> Problem {
        self.problem(Code::OutOfRange.says(message))
    }
}

/// A value of the file, or a substitute.
pub trait Said<T> {
    /// Returns the value of the file, or this one.
    fn said_or(&self, default: T) -> T;
}

impl<T: Clone> Said<T> for Option<At<T>> {
    fn said_or(&self, default: T) -> T {
        self.as_ref().map_or(default, |at| at.value.clone())
    }
}
