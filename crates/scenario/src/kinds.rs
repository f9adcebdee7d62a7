//! Tables of several kinds: one of their keys names the kind, and each kind has keys of its own.
//!
//! `app = { kind = "cbr", rate = "1 Mbps" }` becomes `{ cbr = { rate = "1 Mbps" } }` before it is read, so
//! that every place in the file is kept, and a key of another kind is found at its place.

use crate::at::{Problem, Reason};
use crate::code::Code;
use crate::nearest::{listed, nearest};
use crate::read::{Item, Mistake, key_name, shown};
use crate::value::{Value, refuse};
use crate::word::Word;
use base::Named;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::json;
use std::borrow::Cow;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A table of several kinds.
pub trait Kinds {
    /// The kinds.
    type Kind: Named;
    /// The key that names the kind.
    const TAG: &'static str;
    /// The allowed form, with an example.
    const ALLOWED: &'static str;
    /// The name of one of them, and of several.
    const NOUNS: (&'static str, &'static str);
    /// The name of a kind is its table without keys.
    const BY_NAME: bool;
    /// True where keys of other kinds are ignored, so that a study can vary the kind; else they are refused.
    const LENIENT: bool;
    /// The keys of a kind.
    fn keys(kind: Self::Kind) -> Vec<&'static str>;
}

/// Puts a table's keys into a table of its kind. Problems go to `mistakes`, and no table is left where there is no kind.
pub fn sort<T: Kinds>(key: &str, slot: &mut Item<'_>, mistakes: &mut Vec<Mistake>) {
    let place = slot.span();
    let value = std::mem::replace(slot.get_mut(), DeValue::Boolean(false));
    let sorted = table_of::<T>(key, value, &place).and_then(|mut table| {
        let (kind, tag) = kind_of::<T>(&mut table, place)?;
        strange_keys::<T>(kind, &mut table, mistakes);
        let key = Spanned::new(tag.clone(), Cow::Borrowed(kind.name()));
        let inner = Spanned::new(tag, DeValue::Table(table));
        Ok([(key, inner)].into_iter().collect::<DeTable<'_>>())
    });
    match sorted {
        Ok(table) => *slot.get_mut() = DeValue::Table(table),
        Err(problem) => mistakes.push(Mistake::Said(problem)),
    }
}

/// Returns the table of a value, or a table with nothing but the kind that a name gives.
fn table_of<'i, T: Kinds>(
    key: &str,
    value: DeValue<'i>,
    place: &Range<usize>,
) -> Result<DeTable<'i>, Problem> {
    let problem = |message: String| Code::WrongKind.says(message).at(place.clone());
    match value {
        DeValue::Table(table) => Ok(table),
        DeValue::String(name) if T::BY_NAME => {
            let key = Spanned::new(place.clone(), Cow::Borrowed(T::TAG));
            Ok([(key, Spanned::new(place.clone(), DeValue::String(name)))].into_iter().collect())
        }
        DeValue::String(name) => {
            let meant = nearest(&name, T::Kind::names()).unwrap_or(T::Kind::ALL[0].name());
            let tag = T::TAG;
            Err(problem(format!(
                "found {name:?}; allowed: a table, such as {key} = {{ {tag} = {meant:?} }}"
            )))
        }
        other => Err(problem(format!("found {}; allowed: {}", shown(&other), T::ALLOWED))),
    }
}

/// Removes and returns the kind, with its place.
fn kind_of<T: Kinds>(
    table: &mut DeTable<'_>,
    place: Range<usize>,
) -> Result<(T::Kind, Range<usize>), Problem> {
    let Some(tag) = table.remove(T::TAG) else {
        let names = listed(&T::Kind::names());
        let message = format!("missing key \"{}\"; allowed: {names}", T::TAG);
        return Err(Code::MissingKey.says(message).at(place));
    };
    let place = tag.span();
    let kind = match tag.get_ref() {
        DeValue::String(name) => Word::<T::Kind>::from_text(name),
        other => Err(refuse::<Word<T::Kind>>(&shown(other))),
    };
    match kind {
        Ok(kind) => Ok((kind.0, place)),
        Err(reason) => Err(reason.at(place)),
    }
}

/// Returns the kind of a table that was sorted, and its keys; `None` where [`sort`] has refused it.
pub fn sorted<'a>(item: &'a Item<'a>) -> Option<(&'a str, &'a Item<'a>)> {
    let (kind, keys) = item.get_ref().as_table()?.iter().next()?;
    Some((kind.get_ref(), keys))
}

/// Returns true where a table is of a kind that has this key.
pub fn has_key<T: Kinds>(table: &DeTable<'_>, key: &str) -> bool {
    let kind = table.get(T::TAG).and_then(|tag| tag.get_ref().as_str());
    let kind = kind.and_then(|name| T::Kind::ALL.iter().copied().find(|kind| kind.name() == name));
    kind.is_some_and(|kind| T::keys(kind).iter().any(|own| key_name(own) == key))
}

/// Removes the keys of other kinds, and refuses them where not lenient.
fn strange_keys<T: Kinds>(kind: T::Kind, table: &mut DeTable<'_>, mistakes: &mut Vec<Mistake>) {
    let has = |kind: T::Kind, name: &str| T::keys(kind).iter().any(|key| key_name(key) == name);
    let kinds_of = |name: &str| {
        let all = T::Kind::ALL.iter().copied();
        all.filter(|&other| has(other, name)).map(T::Kind::name).collect::<Vec<_>>()
    };
    let strange = |(key, value): (&Spanned<Cow<'_, str>>, &Item<'_>)| {
        let name = key.get_ref().to_string();
        (!has(kind, &name) && !kinds_of(&name).is_empty()).then(|| (name, value.span()))
    };
    let found: Vec<(String, Range<usize>)> = table.iter().filter_map(strange).collect();
    for (name, place) in found {
        table.remove(name.as_str());
        if T::LENIENT {
            continue;
        }
        let kinds = kinds_of(&name);
        let noun = if kinds.len() == 1 { T::NOUNS.0 } else { T::NOUNS.1 };
        let hint = HINTS
            .iter()
            .find(|hint| (hint.0, hint.1) == (kind.name(), &name))
            .map_or("", |hint| hint.2);
        let message = format!("{name} is for the {noun} {}{hint}", quoted(&kinds));
        mistakes.push(Mistake::Said(Reason::from(message).at(place)));
    }
}

/// By kind and key: the place of the intended key.
const HINTS: &[(&str, &str, &str)] = &[("bulk", "payload", "; for TCP see tcp.mss")];

/// "a", "b" and "c", in quotes.
pub fn quoted(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    match quoted.as_slice() {
        [rest @ .., last] if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        all => all.concat(),
    }
}

/// Returns the schema of a table of one kind: its own keys, and the key that names the kind.
pub fn schema_of<T: JsonSchema>(
    generator: &mut SchemaGenerator,
    tag: &str,
    (name, idea): (&str, &str),
    not_looked_at: &[&'static str],
) -> Schema {
    let mut schema = T::json_schema(generator);
    schema.insert("description".into(), json!(idea));
    if let Some(properties) =
        schema.ensure_object().entry("properties").or_insert(json!({})).as_object_mut()
    {
        for other in not_looked_at.iter().map(|key| key_name(key)) {
            properties
                .entry(other)
                .or_insert(json!({ "description": format!("Of another {tag}: not looked at.") }));
        }
        properties.insert(tag.into(), json!({ "const": name, "description": idea }));
    }
    if let Some(required) =
        schema.ensure_object().entry("required").or_insert(json!([])).as_array_mut()
    {
        required.insert(0, json!(tag));
    }
    schema
}

/// Declares a table of several kinds, each with a table of its own.
macro_rules! kinds {
    (
        $(#[$meta:meta])*
        pub enum $type:ident of $kind:ident, $what:literal, $one:literal, $several:literal by $tag:literal {
            $($variant:ident($table:ident) = $name:literal: $idea:literal,)+
        }
        allowed $allowed:literal;
        by_name $by_name:literal;
        lenient $lenient:literal;
    ) => {
        base::named! {
            $(#[$meta])*
            pub enum $kind, $what {
                $($variant = $name: $idea,)+
            }
        }

        $(#[$meta])*
        #[derive(Clone, Debug)]
        #[allow(clippy::large_enum_variant, reason = "one stands for each table of a file, and is read once")]
        pub enum $type {
            $(#[doc = $idea] $variant($table),)+
        }

        impl $type {
            /// Returns the kind.
            pub fn kind(&self) -> $kind {
                match self {
                    $($type::$variant(_) => $kind::$variant,)+
                }
            }
        }

        impl $crate::read::Read for $type {
            fn read(
                item: &$crate::read::Item<'_>,
                mistakes: &mut Vec<$crate::read::Mistake>,
            ) -> Option<Self> {
                let (kind, keys) = $crate::kinds::sorted(item)?;
                match kind {
                    $($name => Some($type::$variant($crate::read::Read::read(keys, mistakes)?)),)+
                    _ => None,
                }
            }
        }

        impl $crate::resolved::Write for $type {
            fn write(&self) -> Option<$crate::resolved::Node> {
                let node = match self {
                    $($type::$variant(table) => $crate::resolved::Write::write(table),)+
                };
                node.map(|node| node.tagged($tag, base::Named::name(self.kind())))
            }
        }

        impl $crate::kinds::Kinds for $type {
            type Kind = $kind;
            const TAG: &'static str = $tag;
            const ALLOWED: &'static str = $allowed;
            const NOUNS: (&'static str, &'static str) = ($one, $several);
            const BY_NAME: bool = $by_name;
            const LENIENT: bool = $lenient;

            fn keys(kind: $kind) -> Vec<&'static str> {
                match kind {
                    $($kind::$variant => $table::keys(),)+
                }
            }
        }

        impl schemars::JsonSchema for $type {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }
            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let others: Vec<&'static str> = if $lenient { [$($table::keys()),+].concat() } else { vec![] };
                let tables = [$($crate::kinds::schema_of::<$table>(generator, $tag, ($name, $idea), &others)),+];
                if $by_name {
                    let name = generator.subschema_for::<$crate::word::Word<$kind>>();
                    schemars::json_schema!({ "anyOf": [name, { "oneOf": tables }] })
                } else {
                    schemars::json_schema!({ "oneOf": tables })
                }
            }
        }
    };
}
pub(crate) use kinds;
