//! From TOML to the types of the format.
//!
//! Not by serde: its code for each pair of a type and a way of reading it was three quarters of the whole program, and it
//! stops at the first mistake. Here each type reads itself from one kind of item, and every mistake is kept with its place.

use crate::at::{At, Problem};
use crate::nearest::unknown;
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeFloat, DeInteger, DeTable, DeValue};

/// A value of a document, with its place.
pub type Item<'a> = Spanned<DeValue<'a>>;

/// A mistake before it is put into words, for which some need the whole document ([`crate::mismatch`]).
#[derive(Clone, Debug, PartialEq)]
pub enum Mistake {
    /// A mistake in words.
    Said(Problem),
    /// A value is of another type than this.
    Type(Range<usize>, Expected),
    /// The table here lacks this key, which it must have.
    Missing(Range<usize>, &'static str),
}

/// The expected form of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// A table.
    Table,
    /// A list.
    List,
    /// Text.
    Text,
    /// True or false.
    Flag,
    /// A number.
    Number,
    /// A whole number within bounds, in words.
    Whole(&'static str),
}

/// Returns a value that is no table, in words.
pub fn shown(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("{text:?}"),
        DeValue::Integer(number) => number.to_string(),
        DeValue::Float(number) => number.to_string(),
        DeValue::Boolean(flag) => flag.to_string(),
        DeValue::Datetime(date) => format!("the date {date}"),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    }
}

/// Returns a key as files write it: `loop`, which Rust calls `r#loop`.
pub fn key_name(key: &'static str) -> &'static str {
    key.strip_prefix("r#").unwrap_or(key)
}

/// A type that can be read from a file.
pub trait Read: Sized {
    /// Reads a value. Where there is none, the mistake has gone to `mistakes`.
    fn read(item: &Item<'_>, mistakes: &mut Vec<Mistake>) -> Option<Self>;
}

/// Returns a whole number; `None` where it does not fit into 64 bits.
pub fn whole(number: &DeInteger<'_>) -> Option<i64> {
    i64::from_str_radix(number.as_str(), number.radix()).ok()
}

/// Returns a number; `None` where its digits exceed the range.
pub fn float(number: &DeFloat<'_>) -> Option<f64> {
    let read: f64 = number.as_str().parse().ok()?;
    (read.is_finite() || !number.as_str().contains(|c: char| c.is_ascii_digit())).then_some(read)
}

fn mismatch<T>(item: &Item<'_>, expected: Expected, mistakes: &mut Vec<Mistake>) -> Option<T> {
    mistakes.push(Mistake::Type(item.span(), expected));
    None
}

impl Read for String {
    fn read(item: &Item<'_>, mistakes: &mut Vec<Mistake>) -> Option<Self> {
        match item.get_ref() {
            DeValue::String(text) => Some(text.to_string()),
            _ => mismatch(item, Expected::Text, mistakes),
        }
    }
}

impl Read for bool {
    fn read(item: &Item<'_>, mistakes: &mut Vec<Mistake>) -> Option<Self> {
        match item.get_ref() {
            DeValue::Boolean(flag) => Some(*flag),
            _ => mismatch(item, Expected::Flag, mistakes),
        }
    }
}

impl Read for f64 {
    fn read(item: &Item<'_>, mistakes: &mut Vec<Mistake>) -> Option<Self> {
        let read = match item.get_ref() {
            DeValue::Float(number) => float(number),
            DeValue::Integer(number) => whole(number).map(|number| number as f64),
            _ => None,
        };
        read.or_else(|| mismatch(item, Expected::Number, mistakes))
    }
}

macro_rules! whole_numbers {
    ($($type:ty: $bounds:literal),+) => {$(
        impl Read for $type {
            fn read(item: &Item<'_>, mistakes: &mut Vec<Mistake>) -> Option<Self> {
                let read = match item.get_ref() {
                    DeValue::Integer(number) => whole(number).and_then(|number| number.try_into().ok()),
                    _ => None,
                };
                read.or_else(|| mismatch(item, Expected::Whole($bounds), mistakes))
            }
        }
    )+};
}
whole_numbers!(u8: " from 0 to 255", u16: " from 0 to 65535", u32: " from 0 to 4294967295", u64: ", 0 or more", i64: "");

impl<T: Read> Read for At<T> {
    fn read(item: &Item<'_>, mistakes: &mut Vec<Mistake>) -> Option<Self> {
        T::read(item, mistakes).map(|value| At { value, place: item.span() })
    }
}

impl<T: Read> Read for Vec<T> {
    fn read(item: &Item<'_>, mistakes: &mut Vec<Mistake>) -> Option<Self> {
        let DeValue::Array(elements) = item.get_ref() else {
            return mismatch(item, Expected::List, mistakes);
        };
        let mut found = Vec::with_capacity(elements.len());
        for element in elements.iter() {
            found.extend(T::read(element, mistakes));
        }
        (found.len() == elements.len()).then_some(found)
    }
}

impl<T: Read> Read for BTreeMap<String, T> {
    fn read(item: &Item<'_>, mistakes: &mut Vec<Mistake>) -> Option<Self> {
        let DeValue::Table(table) = item.get_ref() else {
            return mismatch(item, Expected::Table, mistakes);
        };
        let mut found = BTreeMap::new();
        for (key, value) in table.iter() {
            found.extend(T::read(value, mistakes).map(|value| (key.get_ref().to_string(), value)));
        }
        (found.len() == table.len()).then_some(found)
    }
}

/// The keys of a table, of which each is known.
pub struct Keys<'a> {
    table: &'a DeTable<'a>,
    place: Range<usize>,
}

impl<'a> Keys<'a> {
    /// Returns the keys of an item, if it is a table; those that are not among `known` are mistakes.
    pub fn of(
        item: &'a Item<'a>,
        known: &[&'static str],
        mistakes: &mut Vec<Mistake>,
    ) -> Option<Keys<'a>> {
        let DeValue::Table(table) = item.get_ref() else {
            return mismatch(item, Expected::Table, mistakes);
        };
        for key in table.keys() {
            let name = key.get_ref();
            if !known.iter().any(|known| key_name(known) == name) {
                let known: Vec<&str> = known.iter().map(|known| key_name(known)).collect();
                mistakes.push(Mistake::Said(unknown("key", name, &known).at(key.span())));
            }
        }
        Some(Keys { table, place: item.span() })
    }

    /// Returns the value of a key.
    pub fn get(&self, key: &'static str) -> Option<&'a Item<'a>> {
        self.table.get(key_name(key))
    }

    /// Reads a required key.
    pub fn needed<T: Read>(&self, key: &'static str, mistakes: &mut Vec<Mistake>) -> Option<T> {
        let item = self.get(key);
        if item.is_none() {
            mistakes.push(Mistake::Missing(self.place.clone(), key_name(key)));
        }
        T::read(item?, mistakes)
    }

    /// Reads an optional key; `None` where its value is wrong.
    pub fn optional<T: Read>(
        &self,
        key: &'static str,
        mistakes: &mut Vec<Mistake>,
    ) -> Option<Option<T>> {
        match self.get(key) {
            Some(item) => T::read(item, mistakes).map(Some),
            None => Some(None),
        }
    }

    /// Reads a list that is empty where the key is absent.
    pub fn several<T: Read + Default>(
        &self,
        key: &'static str,
        mistakes: &mut Vec<Mistake>,
    ) -> Option<T> {
        self.optional(key, mistakes).map(Option::unwrap_or_default)
    }
}

/// Implements [`Read`] for a table: each key with the method of [`Keys`] that reads it; `unread` keys are in no file.
macro_rules! reads {
    ($name:ident $(<$of:ident>)? { $($how:ident $key:ident,)* } unread { $($unread:ident,)* } $(settings { $($set:ident: $settings:ty,)* } by $fill:expr)?) => {
        impl $(<$of: $crate::read::Read>)? $crate::read::Read for $name $(<$of>)? {
            #[allow(unused_variables, reason = "a table may have no keys")]
            fn read(
                item: &$crate::read::Item<'_>,
                mistakes: &mut Vec<$crate::read::Mistake>,
            ) -> Option<Self> {
                const KEYS: &[&str] = &[$(stringify!($key)),*];
                let known = [KEYS $($(, &<$settings>::keys())*)?].concat();
                let keys = $crate::read::Keys::of(item, &known, mistakes)?;
                $(let $key = keys.$how(stringify!($key), mistakes);)*
                $($(let $set = <$settings>::among(&keys, mistakes);)*)?
                Some($name { $($key: $key?,)* $($unread: Default::default(),)* $($($set: $set?,)*)? })
            }
        }

        impl $(<$of: $crate::resolved::Write>)? $crate::resolved::Write for $name $(<$of>)? {
            #[allow(unused_mut, reason = "a table may have no keys")]
            fn write(&self) -> Option<$crate::resolved::Node> {
                const KEYS: &[&str] = &[$(stringify!($key)),*];
                let keys = [KEYS $($(, &<$settings>::keys())*)?].concat();
                let mut table =
                    $crate::resolved::Table::of(keys.into_iter().map($crate::read::key_name).collect());
                $(table.put($crate::read::key_name(stringify!($key)), &self.$key);)*
                $($(self.$set.write_into(&mut table);)*
                $fill(&mut table);)?
                Some($crate::resolved::Node::Table(table))
            }
        }
    };
}
pub(crate) use reads;
