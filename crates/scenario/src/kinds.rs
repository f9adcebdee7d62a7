//! Tables of several kinds: one of their keys says which, and each kind has keys of its own.
//!
//! `app = { kind = "cbr", rate = "1 Mbps" }` is read as serde reads an enum, `{ cbr = { rate = "1 Mbps" } }`, so that every
//! place in the file is kept, and a key of another kind is found where it stands.

use crate::at::Problem;
use crate::nearest::{listed, nearest};
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
    /// The key that says which.
    const TAG: &'static str;
    /// What may be written, with an example.
    const ALLOWED: &'static str;
    /// What one of them is called, and several.
    const NOUNS: (&'static str, &'static str);
    /// The name of a kind stands for its table without keys.
    const BY_NAME: bool;
    /// The keys of other kinds are not looked at, so that a study can go from kind to kind; else they are refused.
    const LENIENT: bool;
    /// The keys of a kind.
    fn keys(kind: Self::Kind) -> &'static [&'static str];
}

/// Puts a table's keys into a table of its kind.
pub fn sort<T: Kinds>(key: &str, slot: &mut Spanned<DeValue<'_>>) -> Result<(), Problem> {
    let place = slot.span();
    let refused = |found: String| Problem {
        place: place.clone(),
        message: format!("found {found}; allowed: {}", T::ALLOWED),
    };
    let mut table = match std::mem::replace(slot.get_mut(), DeValue::Boolean(false)) {
        DeValue::Table(table) => table,
        DeValue::String(name) if T::BY_NAME => {
            let key = Spanned::new(place.clone(), Cow::Borrowed(T::TAG));
            [(key, Spanned::new(place.clone(), DeValue::String(name)))].into_iter().collect()
        }
        DeValue::String(name) => {
            let meant = nearest(&name, T::Kind::names()).unwrap_or(T::Kind::ALL[0].name());
            let message = format!(
                "found {name:?}; allowed: a table, such as {key} = {{ {} = {meant:?} }}",
                T::TAG
            );
            return Err(Problem { place, message });
        }
        other => return Err(refused(crate::mismatch::shown(&other))),
    };
    let Some(tag) = table.remove(T::TAG) else {
        return Err(Problem {
            place,
            message: format!("missing key \"{}\"; allowed: {}", T::TAG, listed(&T::Kind::names())),
        });
    };
    let tag_place = tag.span();
    let kind = match tag.get_ref() {
        DeValue::String(name) => Word::<T::Kind>::from_text(name),
        other => Err(refuse::<Word<T::Kind>>(&crate::mismatch::shown(other))),
    };
    let kind = kind.map_err(|message| Problem { place: tag_place.clone(), message })?;
    strange_keys::<T>(kind.0, &mut table)?;
    let key = Spanned::new(tag_place.clone(), Cow::Borrowed(kind.0.name()));
    let inner = Spanned::new(tag_place, DeValue::Table(table));
    *slot.get_mut() = DeValue::Table([(key, inner)].into_iter().collect::<DeTable<'_>>());
    Ok(())
}

/// True where a table is of a kind that has this key.
pub fn has_key<T: Kinds>(table: &DeTable<'_>, key: &str) -> bool {
    let kind = table.get(T::TAG).and_then(|tag| tag.get_ref().as_str());
    let kind = kind.and_then(|name| T::Kind::ALL.iter().copied().find(|kind| kind.name() == name));
    kind.is_some_and(|kind| T::keys(kind).iter().any(|own| key_name(own) == key))
}

/// Takes out the keys of other kinds, or refuses them.
fn strange_keys<T: Kinds>(kind: T::Kind, table: &mut DeTable<'_>) -> Result<(), Problem> {
    let has = |kind: T::Kind, name: &str| T::keys(kind).iter().any(|key| key_name(key) == name);
    let kinds_of = |name: &str| {
        T::Kind::ALL
            .iter()
            .copied()
            .filter(|&other| has(other, name))
            .map(T::Kind::name)
            .collect::<Vec<_>>()
    };
    let strange = |(key, value): (&Spanned<Cow<'_, str>>, &Spanned<DeValue<'_>>)| {
        let name = key.get_ref().to_string();
        (!has(kind, &name) && !kinds_of(&name).is_empty()).then(|| (name, value.span()))
    };
    let found: Vec<(String, Range<usize>)> = table.iter().filter_map(strange).collect();
    if T::LENIENT {
        found.iter().for_each(|(name, _)| drop(table.remove(name.as_str())));
        return Ok(());
    }
    let Some((name, place)) = found.into_iter().next() else { return Ok(()) };
    let kinds = kinds_of(&name);
    let noun = if kinds.len() == 1 { T::NOUNS.0 } else { T::NOUNS.1 };
    let hint = HINTS
        .iter()
        .find(|hint| (hint.0, hint.1) == (kind.name(), &name))
        .map_or("", |hint| hint.2);
    let message = format!("{name} is for the {noun} {}{hint}", quoted(&kinds));
    Err(Problem { place, message })
}

/// By kind and key: where what is meant stands.
const HINTS: &[(&str, &str, &str)] = &[("bulk", "payload", "; for TCP see tcp.mss")];

/// "a", "b" and "c", in quotes.
pub fn quoted(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    match quoted.as_slice() {
        [rest @ .., last] if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        all => all.concat(),
    }
}

/// The schema of a table of one kind: its own keys, and the key that says which it is.
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

/// A key as files write it: `loop`, which Rust calls `r#loop`.
pub fn key_name(key: &'static str) -> &'static str {
    key.trim_start_matches("r#")
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
        #[derive(Clone, Debug, serde::Deserialize)]
        #[allow(clippy::large_enum_variant, reason = "one stands for each table of a file, and is read once")]
        pub enum $type {
            $(#[doc = $idea] #[serde(rename = $name)] $variant($table),)+
        }

        impl $type {
            /// Which it is.
            pub fn kind(&self) -> $kind {
                match self {
                    $($type::$variant(_) => $kind::$variant,)+
                }
            }
        }

        impl $crate::kinds::Kinds for $type {
            type Kind = $kind;
            const TAG: &'static str = $tag;
            const ALLOWED: &'static str = $allowed;
            const NOUNS: (&'static str, &'static str) = ($one, $several);
            const BY_NAME: bool = $by_name;
            const LENIENT: bool = $lenient;

            fn keys(kind: $kind) -> &'static [&'static str] {
                match kind {
                    $($kind::$variant => $table::KEYS,)+
                }
            }
        }

        impl schemars::JsonSchema for $type {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }
            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let others: Vec<&'static str> = if $lenient { [$($table::KEYS),+].concat() } else { vec![] };
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
