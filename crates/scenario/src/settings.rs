//! Settings that other crates declare with `base::settings!`, as files give them.

mod written;

use crate::at::{At, Reason};
use crate::code::Code;
use crate::nearest::{listed, unknown};
use crate::radio_units::{Frequency, Length, Power};
use crate::read::{Item, Keys, Mistake, Read, shown};
use crate::resolved::{Node, Origin, Table, Write};
use crate::table::{DefaultOf, print};
use crate::units::{BitRate, Duration, Packets, Size, WindowSize};
use crate::word;
use base::{Bounds, Form, Given, Refused, Row, Settings};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::json;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::marker::PhantomData;
use toml::de::DeValue;
use written::{range, shown_as, written};

/// Settings whose defaults are changed by documents of conventions.
pub trait Laid: Settings {
    /// Returns the values in each case, such as "ns2", that are not the default.
    fn cases() -> Vec<(&'static str, Set<Self>)>;
}

/// The settings of a struct that a file gives.
#[derive(Clone, Debug)]
pub struct Set<S> {
    given: BTreeMap<&'static str, At<Given>>,
    of: PhantomData<fn() -> S>,
}

impl<S> PartialEq for Set<S> {
    fn eq(&self, other: &Set<S>) -> bool {
        self.given == other.given
    }
}

impl<S> Default for Set<S> {
    fn default() -> Set<S> {
        Set { given: BTreeMap::new(), of: PhantomData }
    }
}

impl<S: Settings> Set<S> {
    /// Returns all keys that it may have.
    pub fn keys() -> Vec<&'static str> {
        S::forms().into_iter().map(|(key, _)| key).collect()
    }

    /// Reads those of a table's keys that are settings.
    pub fn among(keys: &Keys<'_>, mistakes: &mut Vec<Mistake>) -> Option<Set<S>> {
        let mut scratch = S::default();
        let given = given(keys, &S::forms(), &mut |key, value| scratch.set(key, value), mistakes)?;
        Some(Set { given, of: PhantomData })
    }

    /// Returns the given value of a key.
    pub fn at(&self, key: &str) -> Option<&At<Given>> {
        self.given.get(key)
    }

    /// Keeps the given values that are not the default.
    pub fn keep_changes(&mut self) {
        let rows = S::rows();
        let is_default = |key: &str, given: &Given| {
            rows.iter().any(|row| row.key == key && row.default == *given)
        };
        self.given.retain(|key, at| !is_default(key, &at.value));
    }

    /// Sets a key.
    pub fn put(&mut self, key: &'static str, given: At<Given>) {
        self.given.insert(key, given);
    }

    /// Removes and returns the given value of a key.
    pub fn take(&mut self, key: &str) -> Option<At<Given>> {
        self.given.remove(key)
    }

    /// Lays another over this one: its values win.
    pub fn lay(&mut self, other: &Set<S>) {
        self.given.extend(other.given.iter().map(|(key, at)| (*key, at.clone())));
    }

    /// Lays the given values of some of its keys over this one.
    pub fn lay_part<P: Settings>(&mut self, part: &Set<P>) {
        self.given.extend(part.given.iter().map(|(key, at)| (*key, at.clone())));
    }

    /// Writes the given values.
    pub fn write_into(&self, table: &mut Table) {
        for (key, form) in S::forms() {
            let Some(at) = self.at(key) else { continue };
            if let Some(json) = shown_as(&form, &at.value).json {
                table.set(key, Node::Value(json), Origin::Text(at.place.clone()));
            }
        }
    }

    /// Returns the settings with the given values, the rest by default.
    pub fn value(&self) -> S {
        let mut value = S::default();
        self.apply(&mut value);
        value
    }

    /// Sets the given values.
    pub fn apply(&self, to: &mut S) {
        for (key, at) in &self.given {
            // The value was validated when it was read.
            let set = to.set(key, &at.value);
            debug_assert_eq!(set, Ok(()), "{key}");
        }
    }
}

impl<S: Settings> Read for Set<S> {
    fn read(item: &Item<'_>, mistakes: &mut Vec<Mistake>) -> Option<Self> {
        let keys = Keys::of(item, &Self::keys(), mistakes)?;
        Set::among(&keys, mistakes)
    }
}

impl<S: Settings> Write for Set<S> {
    fn write(&self) -> Option<Node> {
        let mut table = Table::default();
        self.write_into(&mut table);
        Some(Node::Table(table))
    }
}

/// Reads and validates the keys that are settings.
fn given(
    keys: &Keys<'_>,
    forms: &[(&'static str, Form)],
    set: &mut dyn FnMut(&str, &Given) -> Result<(), Refused>,
    mistakes: &mut Vec<Mistake>,
) -> Option<BTreeMap<&'static str, At<Given>>> {
    let (mut found, before) = (BTreeMap::new(), mistakes.len());
    for &(key, form) in forms {
        let Some(item) = keys.get(key) else { continue };
        let Some(value) = read(&form, item, mistakes) else { continue };
        // The size of a window in segments depends on the size of a segment.
        let is_open = (form, matches!(value, Given::Count(_))) == (Form::Window, true);
        match set(key, &value) {
            Err(refused) if !is_open => {
                mistakes.push(Mistake::Said(reason(&form, &value, refused).at(item.span())));
            }
            _ => {
                found.insert(key, At { value, place: item.span() });
            }
        }
    }
    (mistakes.len() == before).then_some(found)
}

/// Returns the reason why a value is refused, in words.
fn reason(form: &Form, value: &Given, refused: Refused) -> Reason {
    let (found, code) = (written(value), Code::OutOfRange);
    match (refused, form) {
        (Refused::Says(why), _) => code.says(why),
        (Refused::Bounds(bounds), _) => {
            code.says(format!("{found} is out of range; allowed: {}", range(&bounds)))
        }
        (_, Form::Text { allowed, .. }) => {
            Code::WrongKind.says(format!("found {found}; allowed: {allowed}"))
        }
        (Refused::Form | Refused::Unknown, _) => code.says(format!("{found}; allowed: less")),
    }
}

/// Reads a value of this form.
fn read(form: &Form, item: &Item<'_>, mistakes: &mut Vec<Mistake>) -> Option<Given> {
    Some(match form {
        Form::Flag => Given::Flag(Read::read(item, mistakes)?),
        Form::Whole => Given::Whole(u32::read(item, mistakes)?.into()),
        Form::Number => Given::Number(Read::read(item, mistakes)?),
        Form::Span => Given::Span(Duration::read(item, mistakes)?.0),
        Form::Bytes => Given::Bytes(Size::read(item, mistakes)?.0),
        Form::Rate => Given::Rate(BitRate::read(item, mistakes)?.0),
        Form::Count => Given::Count(Packets::read(item, mistakes)?.0),
        Form::Window => match WindowSize::read(item, mistakes)? {
            WindowSize::Bytes(bytes) => Given::Bytes(bytes),
            WindowSize::Packets(packets) => Given::Count(packets),
        },
        Form::Length => Given::Length(Length::read(item, mistakes)?.0),
        Form::Frequency => Given::Frequency(Frequency::read(item, mistakes)?.0),
        Form::Power => Given::Power(Power::read(item, mistakes)?.0),
        Form::Text { allowed, .. } => match item.get_ref() {
            DeValue::String(text) => Given::Word(Cow::Owned(text.to_string())),
            other => {
                mistakes.push(Mistake::Said(refuse(other, allowed).at(item.span())));
                return None;
            }
        },
        Form::Name { what, rows, .. } => {
            let names: Vec<&str> = rows.iter().map(|row| row.0).collect();
            let reason = match item.get_ref() {
                DeValue::String(text) if names.contains(&text.as_ref()) => {
                    return Some(Given::Word(Cow::Owned(text.to_string())));
                }
                DeValue::String(text) => unknown(what, text, &names),
                other => refuse(other, &word::allowed(what, &names)),
            };
            mistakes.push(Mistake::Said(reason.at(item.span())));
            return None;
        }
        Form::Table(fields) => return small_table(fields, item, mistakes),
        Form::Words(words) => return either(&listed(words), &[*form], item, mistakes),
        Form::Either(allowed, forms) => return either(allowed, forms, item, mistakes),
    })
}

fn refuse(found: &DeValue<'_>, allowed: &str) -> Reason {
    Code::WrongKind.says(format!("found {}; allowed: {allowed}", shown(found)))
}

/// Reads a value that has one of these forms.
fn either(
    allowed: &str,
    forms: &[Form],
    item: &Item<'_>,
    mistakes: &mut Vec<Mistake>,
) -> Option<Given> {
    let fits = |form: &&Form| match (item.get_ref(), form) {
        (DeValue::String(text), Form::Words(words)) => words.contains(&text.as_ref()),
        (DeValue::Boolean(_), Form::Flag)
        | (DeValue::Table(_), Form::Table(_))
        | (DeValue::Integer(_), Form::Count | Form::Whole)
        | (DeValue::String(_), Form::Count | Form::Span) => true,
        (DeValue::String(text), Form::Bytes) => {
            text.starts_with(|c: char| c.is_ascii_digit() || c == '-')
        }
        _ => false,
    };
    // A word goes before a number with its unit.
    let is_word = |form: &&Form| matches!(form, Form::Words(_)) && fits(form);
    match (forms.iter().find(is_word).or(forms.iter().find(fits)), item.get_ref()) {
        (Some(Form::Words(_)), DeValue::String(text)) => {
            Some(Given::Word(Cow::Owned(text.to_string())))
        }
        (Some(form), _) => read(form, item, mistakes),
        (None, other) => {
            mistakes.push(Mistake::Said(refuse(other, allowed).at(item.span())));
            None
        }
    }
}

fn small_table(
    fields: &[(&'static str, Form, &str)],
    item: &Item<'_>,
    mistakes: &mut Vec<Mistake>,
) -> Option<Given> {
    let names: Vec<&'static str> = fields.iter().map(|field| field.0).collect();
    let keys = Keys::of(item, &names, mistakes)?;
    let before = mistakes.len();
    let given = |&(key, ref form, _): &(&'static str, Form, &str)| {
        Some((key, read(form, keys.get(key)?, mistakes)?))
    };
    let found = fields.iter().filter_map(given).collect();
    (mistakes.len() == before).then_some(Given::Table(found))
}

/// Returns the default of a key in all cases.
fn default_of<S: Settings>(row: &Row, cases: &[(&'static str, Set<S>)]) -> DefaultOf {
    let of = |(case, set): &(&'static str, Set<S>)| {
        Some((*case, shown_as(&row.form, &set.at(row.key)?.value)))
    };
    let (plain, cases): (Vec<_>, Vec<_>) =
        cases.iter().filter_map(of).partition(|(case, _)| case.is_empty());
    let computed = plain.into_iter().next().map(|(_, value)| value);
    let value = computed.unwrap_or_else(|| shown_as(&row.form, &row.default));
    DefaultOf { key: row.key, value, cases, note: "", node: |_| None }
}

/// Returns the sentence about a key's default.
pub fn default_sentence<S: Laid>(key: &str) -> String {
    let rows = S::rows().into_iter().filter(|row| row.key == key);
    rows.map(|row| default_of(&row, &S::cases()).sentence()).collect()
}

impl<S: Laid> JsonSchema for Set<S> {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "Settings".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut properties = serde_json::Map::new();
        let (mut defaults, cases) = (Vec::new(), S::cases());
        for row in S::rows() {
            let doc: Vec<&str> = row.doc.lines().map(str::trim).collect();
            let mut text = doc.join(" ").trim().to_owned();
            if row.bounds != Bounds::default() {
                text += &format!(" Allowed: {}.", range(&row.bounds));
            }
            let mut property = schema(&row.form, generator);
            property.insert("description".to_owned(), json!(text));
            properties.insert(row.key.to_owned(), property.to_value());
            if row.default != Given::Prose("") {
                defaults.push(default_of(&row, &cases));
            }
        }
        let mut table = json_schema!({
            "type": "object", "properties": properties, "additionalProperties": false,
        });
        print(&mut table, &defaults);
        table
    }
}

/// Returns the schema of values of this form.
fn schema(form: &Form, generator: &mut SchemaGenerator) -> Schema {
    match form {
        Form::Flag => generator.subschema_for::<bool>(),
        Form::Whole => generator.subschema_for::<u32>(),
        Form::Number => generator.subschema_for::<f64>(),
        Form::Span => generator.subschema_for::<Duration>(),
        Form::Bytes => generator.subschema_for::<Size>(),
        Form::Rate => generator.subschema_for::<BitRate>(),
        Form::Count => generator.subschema_for::<Packets>(),
        Form::Window => generator.subschema_for::<WindowSize>(),
        Form::Length => generator.subschema_for::<Length>(),
        Form::Frequency => generator.subschema_for::<Frequency>(),
        Form::Power => generator.subschema_for::<Power>(),
        Form::Text { pattern, .. } => json_schema!({ "type": "string", "pattern": pattern }),
        Form::Name { rows, .. } => word::schema_of_names(rows),
        Form::Words([word]) => json_schema!({ "const": word }),
        Form::Words(words) => json_schema!({ "enum": words }),
        Form::Table(fields) => {
            let mut properties = serde_json::Map::new();
            for (key, form, about) in *fields {
                let mut property = schema(form, generator);
                property.insert("description".to_owned(), json!(about));
                properties.insert((*key).to_owned(), property.to_value());
            }
            json_schema!({
                "type": "object", "properties": properties, "additionalProperties": false,
            })
        }
        Form::Either(_, forms) => {
            let forms: Vec<Schema> = forms.iter().map(|form| schema(form, generator)).collect();
            json_schema!({ "anyOf": forms })
        }
    }
}
