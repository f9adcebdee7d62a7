//! Values of settings without their units, how they may be written, and why one is refused.

use crate::{Rate, Span};
use std::borrow::Cow;
use std::ops::RangeBounds;

/// A value as a file gives it, with its unit taken off, or as a list shows it.
#[derive(Clone, Debug, PartialEq)]
pub enum Given {
    /// True or false.
    Flag(bool),
    /// A whole number.
    Whole(u64),
    /// Any number.
    Number(f64),
    /// A length of time.
    Span(Span),
    /// Octets.
    Bytes(u64),
    /// A bit rate.
    Rate(Rate),
    /// Packets or segments.
    Count(u32),
    /// A length, m.
    Length(f64),
    /// A radio frequency, Hz.
    Frequency(f64),
    /// A power, W.
    Power(f64),
    /// A word.
    Word(Cow<'static, str>),
    /// The values of a small table, by key.
    Table(Vec<(&'static str, Given)>),
    /// No value that could be given, but what happens, in words.
    Prose(&'static str),
}

/// The form of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// True or false.
    Flag,
    /// A whole number.
    Whole,
    /// Any number.
    Number,
    /// A length of time.
    Span,
    /// A number of octets.
    Bytes,
    /// A bit rate.
    Rate,
    /// A number of packets or segments.
    Count,
    /// Octets, or a number of segments.
    Window,
    /// A length.
    Length,
    /// A radio frequency.
    Frequency,
    /// A power.
    Power,
    /// A text that the field's kind reads.
    Text {
        /// What is allowed, with an example.
        allowed: &'static str,
        /// A regular expression for the whole of it.
        pattern: &'static str,
    },
    /// A name of a closed list.
    Name {
        /// The list's name in Rust.
        list: &'static str,
        /// The kind of name, for messages.
        what: &'static str,
        /// Each name with its idea.
        rows: &'static [(&'static str, &'static str)],
    },
    /// One of these words.
    Words(&'static [&'static str]),
    /// A small table, each key with its form.
    Table(&'static [(&'static str, Form, &'static str)]),
    /// One of these forms; the text lists what is allowed.
    Either(&'static str, &'static [Form]),
}

/// The least and the most that is allowed, where there is such a bound.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bounds {
    /// The least.
    pub least: Option<Given>,
    /// The most.
    pub most: Option<Given>,
}

/// The reason why a value was refused.
#[derive(Clone, Debug, PartialEq)]
pub enum Refused {
    /// There is no such key.
    Unknown,
    /// It has another form.
    Form,
    /// It is outside of these bounds.
    Bounds(Bounds),
    /// In words.
    Says(&'static str),
}

impl Bounds {
    /// The bounds of a range, as a list shows them.
    pub fn of<T>(range: &impl RangeBounds<T>, give: impl Fn(&T) -> Given) -> Bounds {
        use std::ops::Bound::{Excluded, Included, Unbounded};
        let end = |bound| match bound {
            Included(value) | Excluded(value) => Some(give(value)),
            Unbounded => None,
        };
        Bounds { least: end(range.start_bound()), most: end(range.end_bound()) }
    }
}
