//! Tables of the format, each declared once: its keys with their types and defaults.
//!
//! A default is data: it is written as a file would write it, the schema prints it, and where the declaration says
//! `= VALUE` the check reads it from there. `= held VALUE` is printed too, but is decided elsewhere (by a stack of TCP's, by
//! a model): a test sets each such key to its default and finds nothing changed.

use crate::at::At;
use crate::read::{Item, Read};
use crate::resolved::{Node, Origin, Table, Write};
use schemars::Schema;
use serde_json::{Value as Json, json};
use std::borrow::Cow;
use toml::Spanned;
use toml::de::DeValue;

/// A value as a file writes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Literal {
    /// Text in quotes.
    Text(&'static str),
    /// A whole number.
    Whole(i64),
    /// A number with a fraction.
    Number(f64),
    /// True or false.
    Flag(bool),
    /// Any TOML, such as a table on a line.
    Toml(&'static str),
    /// No value, but a description of the effect.
    Prose(&'static str),
}

/// Describes in words the effect of leaving the key out.
pub const fn prose(text: &'static str) -> Literal {
    Literal::Prose(text)
}

/// A list or a table, as TOML.
pub const fn toml(text: &'static str) -> Literal {
    Literal::Toml(text)
}

macro_rules! literals {
    ($($type:ty: $variant:ident),+) => {$(
        impl From<$type> for Literal {
            fn from(value: $type) -> Literal {
                Literal::$variant(value)
            }
        }
    )+};
}
literals!(&'static str: Text, i64: Whole, f64: Number, bool: Flag);

impl Literal {
    /// As TOML has it, or the words.
    fn written(self) -> String {
        match self {
            Literal::Text(text) => format!("{text:?}"),
            Literal::Whole(number) => number.to_string(),
            Literal::Number(number) => number.to_string(),
            Literal::Flag(flag) => flag.to_string(),
            Literal::Toml(text) | Literal::Prose(text) => text.to_owned(),
        }
    }

    /// As JSON has it; `None` of words.
    fn json(self) -> Option<Json> {
        match self {
            Literal::Text(text) => Some(json!(text)),
            Literal::Whole(number) => Some(json!(number)),
            Literal::Number(number) => Some(json!(number)),
            Literal::Flag(flag) => Some(json!(flag)),
            Literal::Toml(text) => DeValue::parse(text).ok().map(|item| as_json(item.get_ref())),
            Literal::Prose(_) => None,
        }
    }
}

/// A default in the form that lists show.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// As TOML has it, or in words.
    pub written: String,
    /// As JSON has it; `None` of words.
    pub json: Option<Json>,
}

impl From<Literal> for Shown {
    fn from(literal: Literal) -> Shown {
        Shown { written: literal.written(), json: literal.json() }
    }
}

/// The default of a key.
#[derive(Clone, Debug)]
pub struct DefaultOf {
    /// The key.
    pub key: &'static str,
    /// The value, except in the cases.
    pub value: Shown,
    /// The value in a case, such as "ns2", where the conventions are ns-2's; a version of its own goes
    /// before.
    pub cases: Vec<(&'static str, Shown)>,
    /// Its source.
    pub note: &'static str,
    /// Returns a value of this key, given as TOML, in the form in which the document writes it.
    pub node: fn(&str) -> Option<Node>,
}

impl DefaultOf {
    /// "Default: VALUE (NOTE; OTHER with CASE and CASE)."
    pub fn sentence(&self) -> String {
        let mut others: Vec<(String, Vec<String>)> = Vec::new();
        for (case, value) in &self.cases {
            let (value, case) = (value.written.clone(), spoken(case.trim_matches('"')));
            match others.iter_mut().find(|other| other.0 == value) {
                Some(other) => other.1.push(case),
                None => others.push((value, vec![case])),
            }
        }
        let others = others.iter().map(|(value, cases)| format!("{value} {}", joined(cases)));
        let note = Some(self.note.to_owned()).filter(|note| !note.is_empty());
        let inside: Vec<String> = note.into_iter().chain(others).collect();
        let inside =
            if inside.is_empty() { String::new() } else { format!(" ({})", inside.join("; ")) };
        format!("Default: {}{inside}.", self.value.written)
    }
}

/// Returns the name of a case in a sentence.
fn spoken(case: &str) -> String {
    match case.strip_prefix("ns2") {
        Some("") => "ns-2's conventions".to_owned(),
        Some(version) => format!("{DATED}ns-2{version}"),
        None => case.to_owned(),
    }
}

const DATED: &str = "the conventions of ";

/// Returns "with A, B and C"; a case that begins with "no" is an absence.
fn joined(cases: &[String]) -> String {
    match cases {
        [one] => one
            .strip_prefix("no ")
            .map_or_else(|| format!("with {one}"), |lacking| format!("without an {lacking}")),
        [first, between @ .., last] => {
            let between: String = between.iter().map(|case| format!(", {case}")).collect();
            format!("with {first}{between} and {}", last.trim_start_matches(DATED))
        }
        [] => String::new(),
    }
}

/// Prints defaults into a table's schema: as a sentence of the description, `default`, and `x-default-CASE`.
pub fn print(schema: &mut Schema, defaults: &[DefaultOf]) {
    let properties = schema.get_mut("properties").and_then(Json::as_object_mut);
    let Some(properties) = properties else { return };
    for default in defaults {
        let key = default.key.trim_start_matches("r#");
        let Some(property) = properties.get_mut(key).and_then(Json::as_object_mut) else {
            continue;
        };
        let text = property.get("description").and_then(Json::as_str).unwrap_or_default();
        let text = format!("{text} {}", default.sentence());
        property.insert("description".into(), json!(text.trim_start()));
        if let Some(value) = default.value.json.clone() {
            property.insert("default".into(), value);
        }
        for (case, value) in &default.cases {
            if let Some(value) = value.json.clone() {
                let case = case.trim_matches('"');
                property.insert(format!("x-default-{case}"), value);
            }
        }
    }
}

/// Returns a value of TOML in JSON.
fn as_json(value: &DeValue<'_>) -> Json {
    match value {
        DeValue::String(text) => json!(text),
        DeValue::Integer(number) => {
            json!(i64::from_str_radix(number.as_str(), number.radix()).ok())
        }
        DeValue::Float(number) => json!(number.as_str().parse::<f64>().ok()),
        DeValue::Boolean(flag) => json!(flag),
        DeValue::Datetime(date) => json!(date.to_string()),
        DeValue::Array(list) => list.iter().map(|item| as_json(item.get_ref())).collect(),
        DeValue::Table(table) => table
            .iter()
            .map(|(key, item)| (key.get_ref().to_string(), as_json(item.get_ref())))
            .collect(),
    }
}

/// Writes the defaults of absent keys.
pub fn fill(table: &mut Table, defaults: &[DefaultOf]) {
    for default in defaults {
        let key = default.key.trim_start_matches("r#");
        let holds = |case: &str| {
            let (key, value) = case.trim_matches('"').split_once(" = ")?;
            Some(table.get(key)? == &Node::Value(value.into()))
        };
        let case = default.cases.iter().find(|(case, _)| holds(case) == Some(true));
        let shown = case.map_or(&default.value, |(_, shown)| shown);
        let node = (default.node)(&shown.written);
        if let Some(node) = node.filter(|_| table.get(key).is_none()) {
            table.set(key, node, Origin::Default);
        }
    }
}

/// Returns the value of a default in the form in which the document writes it; `None` of words.
pub fn node<T: Read + Write>(written: &str) -> Option<Node> {
    let item = DeValue::parse(written).ok()?;
    T::read(&item, &mut Vec::new())?.write()
}

/// Returns the value of a default.
fn default<T: Read>(literal: Literal) -> T {
    let written = literal.written();
    let item: Item<'_> = match literal {
        Literal::Text(text) => Spanned::new(0..0, DeValue::String(Cow::Borrowed(text))),
        Literal::Flag(flag) => Spanned::new(0..0, DeValue::Boolean(flag)),
        _ => DeValue::parse(&written).unwrap_or_else(|_| panic!("no value: {literal:?}")),
    };
    let mut mistakes = Vec::new();
    T::read(&item, &mut mistakes)
        .unwrap_or_else(|| panic!("a default cannot be read: {literal:?}: {mistakes:?}"))
}

/// Returns the value of the file, or the default, which has no place.
pub fn resolved<T: Read + Clone>(said: &Option<At<T>>, literal: impl Into<Literal>) -> At<T> {
    said.clone().unwrap_or_else(|| At { value: default(literal.into()), place: 0..0 })
}

/// Declares a table: `/// Docs` `pub struct Name { ... }`, each key one of
///
/// - `needed KEY: TYPE;`, which must be given;
/// - `unread KEY: TYPE;`, which is no key of a file and has its type's default;
/// - `settings FIELD: Set<TYPE>;`, all keys of a struct that `base::settings!` declares, with its defaults;
/// - `several KEY: TYPE;`, as it is, empty where it is left out;
/// - `list KEY: TYPE;`, of which there may be none;
/// - `KEY: TYPE;`, which may be left out;
/// - `KEY: TYPE = VALUE;`: the table then has a method `KEY()`;
/// - `KEY: TYPE = held VALUE, CASE VALUE ...;`, printed only.
///
/// `=> "WORDS"` before the semicolon gives the source of a default.
macro_rules! table {
    ($(#[$meta:meta])* pub struct $name:ident { $($keys:tt)* }) => {
        $crate::table::keys! { [$(#[$meta])*] $name {} {} {} {} {} {} $($keys)* }
    };
}
pub(crate) use table;

/// Works through the keys of a [`table`]: its fields, its defaults, its methods.
macro_rules! keys {
    ([$($meta:tt)*] $name:ident {$($fields:tt)*} {$($defaults:tt)*} {$($methods:tt)*} {$($how:ident $names:ident,)*} {$($unread:ident,)*} {$($set:ident: $of:ty,)*}) => {
        $($meta)*
        #[derive(Clone, Debug, schemars::JsonSchema)]
        #[schemars(deny_unknown_fields)]
        #[schemars(transform = $name::print_defaults)]
        pub struct $name { $($fields)* }

        impl $name {
            /// Returns the defaults of all keys.
            pub fn defaults() -> Vec<$crate::table::DefaultOf> {
                vec![$($defaults)*]
            }

            fn fill(table: &mut $crate::resolved::Table) {
                $crate::table::fill(table, &$name::defaults());
            }

            fn print_defaults(schema: &mut schemars::Schema) {
                $crate::table::print(schema, &$name::defaults());
            }

            /// Returns its keys.
            pub fn keys() -> Vec<&'static str> {
                const OWN: &[&str] = &[$(stringify!($names)),*];
                [OWN $(, &<$of>::keys())*].concat()
            }

            $($methods)*
        }

        $crate::read::reads! { $name { $($how $names,)* } unread { $($unread,)* } settings { $($set: $of,)* } by $name::fill }
    };
    ([$($meta:tt)*] $name:ident {$($fields:tt)*} {$($defaults:tt)*} {$($methods:tt)*} {$($names:tt)*} {$($unread:tt)*} {$($set:tt)*}
        $(#[$doc:meta])* needed $key:ident: $type:ty; $($rest:tt)*
    ) => {
        $crate::table::keys! { [$($meta)*] $name {$($fields)* $(#[$doc])* pub $key: $crate::at::At<$type>,}
            {$($defaults)*} {$($methods)*} {$($names)* needed $key,} {$($unread)*} {$($set)*} $($rest)* }
    };
    ([$($meta:tt)*] $name:ident {$($fields:tt)*} {$($defaults:tt)*} {$($methods:tt)*} {$($names:tt)*} {$($unread:tt)*} {$($set:tt)*}
        $(#[$doc:meta])* unread $key:ident: $type:ty; $($rest:tt)*
    ) => {
        $crate::table::keys! { [$($meta)*] $name {$($fields)* $(#[$doc])* #[schemars(skip)] pub $key: $type,}
            {$($defaults)*} {$($methods)*} {$($names)*} {$($unread)* $key,} {$($set)*} $($rest)* }
    };
    ([$($meta:tt)*] $name:ident {$($fields:tt)*} {$($defaults:tt)*} {$($methods:tt)*} {$($names:tt)*} {$($unread:tt)*} {$($set:tt)*}
        $(#[$doc:meta])* settings $key:ident: $type:ty; $($rest:tt)*
    ) => {
        $crate::table::keys! { [$($meta)*] $name
            {$($fields)* $(#[$doc])* #[schemars(flatten)] pub $key: $type,}
            {$($defaults)*} {$($methods)*} {$($names)*} {$($unread)*} {$($set)* $key: $type,} $($rest)* }
    };
    ([$($meta:tt)*] $name:ident {$($fields:tt)*} {$($defaults:tt)*} {$($methods:tt)*} {$($names:tt)*} {$($unread:tt)*} {$($set:tt)*}
        $(#[$doc:meta])* several $key:ident: $type:ty; $($rest:tt)*
    ) => {
        $crate::table::keys! { [$($meta)*] $name {$($fields)* $(#[$doc])* #[schemars(default)] pub $key: $type,}
            {$($defaults)*} {$($methods)*} {$($names)* several $key,} {$($unread)*} {$($set)*} $($rest)* }
    };
    ([$($meta:tt)*] $name:ident {$($fields:tt)*} {$($defaults:tt)*} {$($methods:tt)*} {$($names:tt)*} {$($unread:tt)*} {$($set:tt)*}
        $(#[$doc:meta])* list $key:ident: $type:ty; $($rest:tt)*
    ) => {
        $crate::table::keys! { [$($meta)*] $name
            {$($fields)* $(#[$doc])* #[schemars(default)] pub $key: Vec<$crate::at::At<$type>>,}
            {$($defaults)*} {$($methods)*} {$($names)* several $key,} {$($unread)*} {$($set)*} $($rest)* }
    };
    ([$($meta:tt)*] $name:ident {$($fields:tt)*} {$($defaults:tt)*} {$($methods:tt)*} {$($names:tt)*} {$($unread:tt)*} {$($set:tt)*}
        $(#[$doc:meta])* $key:ident: $type:ty; $($rest:tt)*
    ) => {
        $crate::table::keys! { [$($meta)*] $name {$($fields)* $(#[$doc])* pub $key: Option<$crate::at::At<$type>>,}
            {$($defaults)*} {$($methods)*} {$($names)* optional $key,} {$($unread)*} {$($set)*} $($rest)* }
    };
    ([$($meta:tt)*] $name:ident {$($fields:tt)*} {$($defaults:tt)*} {$($methods:tt)*} {$($names:tt)*} {$($unread:tt)*} {$($set:tt)*}
        $(#[$doc:meta])* $key:ident: $type:ty = held $value:expr $(, $case:tt $other:expr)* $(=> $note:literal)?;
        $($rest:tt)*
    ) => {
        $crate::table::keys! { [$($meta)*] $name {$($fields)* $(#[$doc])* pub $key: Option<$crate::at::At<$type>>,}
            {$($defaults)* $crate::table::DefaultOf {
                key: stringify!($key),
                value: $crate::table::Literal::from($value).into(),
                cases: vec![$((stringify!($case), $crate::table::Literal::from($other).into())),*],
                note: concat!($($note)?),
                node: $crate::table::node::<$type>,
            },}
            {$($methods)*} {$($names)* optional $key,} {$($unread)*} {$($set)*} $($rest)* }
    };
    ([$($meta:tt)*] $name:ident {$($fields:tt)*} {$($defaults:tt)*} {$($methods:tt)*} {$($names:tt)*} {$($unread:tt)*} {$($set:tt)*}
        $(#[$doc:meta])* $key:ident: $type:ty = $value:literal $(=> $note:literal)?; $($rest:tt)*
    ) => {
        $crate::table::keys! { [$($meta)*] $name {$($fields)* $(#[$doc])* pub $key: Option<$crate::at::At<$type>>,}
            {$($defaults)* $crate::table::DefaultOf {
                key: stringify!($key),
                value: $crate::table::Literal::from($value).into(),
                cases: vec![],
                note: concat!($($note)?),
                node: $crate::table::node::<$type>,
            },}
            {$($methods)*
                /// Returns the value of the file, or the default.
                pub fn $key(&self) -> $crate::at::At<$type> {
                    $crate::table::resolved(&self.$key, $value)
                }
            } {$($names)* optional $key,} {$($unread)*} {$($set)*} $($rest)* }
    };
}
pub(crate) use keys;
