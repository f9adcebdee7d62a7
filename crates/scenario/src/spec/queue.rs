//! Queues: their limit, and the discipline with its parameters.

use crate::at::Reason;
use crate::code::Code;
use crate::given::as_json;
use crate::nearest::unknown;
use crate::read::{Item, Keys, Mistake, Read};
use crate::settings::default_sentence;
use crate::units::{BitRate, Duration, Packets, Probability, Size};
use crate::value::{NoTable, Value, values};
use crate::word::Word;
use base::{Given, Named, Parameter, Rate, SWITCH, Unit};
use net::{Discipline, QueueCounts, QueueRules};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;

/// The limit of a queue.
#[derive(Clone, Debug, PartialEq)]
pub enum LimitSpec {
    /// In packets.
    Packets(u32, Option<Word<QueueCounts>>),
    /// In waiting bytes.
    Bytes(u64),
    /// No limit.
    Unlimited,
}

/// A queue.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QueueSpec {
    /// Its limit; `None`: the default of its discipline.
    pub limit: Option<LimitSpec>,
    /// Its discipline.
    pub discipline: Discipline,
    /// The discipline's parameters, by name, in base units.
    pub parameters: Vec<(&'static str, f64)>,
}

/// A value of any parameter, in the file's form.
#[derive(Clone, Debug)]
enum Setting {
    Number(f64),
    Text(String),
    Flag(bool),
}

impl Value for Setting {
    const ALLOWED: &'static str = "a number, a text with a unit such as \"5 ms\", or true or false";
    type Table = NoTable;

    fn from_text(text: &str) -> Result<Self, Reason> {
        Ok(Setting::Text(text.to_owned()))
    }
    fn from_integer(number: i64) -> Result<Self, Reason> {
        Ok(Setting::Number(number as f64))
    }
    fn from_float(number: f64) -> Result<Self, Reason> {
        Ok(Setting::Number(number))
    }
    fn from_bool(flag: bool) -> Result<Self, Reason> {
        Ok(Setting::Flag(flag))
    }
    fn written(&self) -> Json {
        match self {
            Setting::Number(number) => json!(number),
            Setting::Text(text) => json!(text),
            Setting::Flag(flag) => json!(flag),
        }
    }
    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["number", "string", "boolean"] })
    }
}

values!(Setting);

impl Setting {
    /// Returns it as a parameter's number.
    fn of(&self, parameter: &Parameter) -> Result<f64, Reason> {
        let name = parameter.name;
        let wrong = |allowed: &str| {
            let found = match self {
                Setting::Number(number) => number.to_string(),
                Setting::Text(text) => format!("\"{text}\""),
                Setting::Flag(flag) => flag.to_string(),
            };
            let code = match (self, parameter.unit) {
                (Setting::Number(_), Unit::Number | Unit::Packets) => Code::OutOfRange,
                (Setting::Number(_), Unit::Seconds | Unit::Bytes | Unit::BitRate) => {
                    Code::UnknownUnit
                }
                _ => Code::WrongKind,
            };
            code.says(format!("{name}: found {found}; allowed: {allowed}"))
        };
        match (self, parameter.unit) {
            (Setting::Flag(flag), _) if parameter.choices == SWITCH => Ok(f64::from(*flag)),
            _ if parameter.choices == SWITCH => Err(wrong("true or false")),
            _ if !parameter.choices.is_empty() => {
                let text = if let Setting::Text(text) = self { text.as_str() } else { "" };
                let place = parameter.choices.iter().position(|known| *known == text);
                let unknown = || unknown(&format!("value of {name}"), text, parameter.choices);
                match (self, place) {
                    (_, Some(place)) => Ok(place as f64),
                    (Setting::Text(_), None) => Err(unknown()),
                    _ => Err(wrong(&named(parameter.choices))),
                }
            }
            (Setting::Text(text), Unit::Seconds) => {
                Duration::from_text(text).map(|d| d.0.as_secs())
            }
            (Setting::Text(text), Unit::Bytes) => Size::from_text(text).map(|size| size.0 as f64),
            (Setting::Text(text), Unit::BitRate) => {
                BitRate::from_text(text).map(|rate| rate.0.0 as f64)
            }
            (Setting::Text(text), Unit::Packets) => {
                Packets::from_text(text).map(|p| f64::from(p.0))
            }
            (Setting::Text(text), Unit::Share) => Probability::from_text(text).map(|p| p.0),
            (Setting::Number(n), Unit::Share) => Probability::from_float(*n).map(|p| p.0),
            (Setting::Number(n), Unit::Number | Unit::Packets) if *n >= 0.0 && n.is_finite() => {
                Ok(*n)
            }
            (_, Unit::Seconds) => Err(wrong("a duration with its unit, such as \"5 ms\"")),
            (_, Unit::BitRate) => Err(wrong("a rate with its unit, such as \"20 Mbps\"")),
            (_, Unit::Bytes) => Err(wrong("a size with its unit, such as \"1500 B\"")),
            (_, Unit::Share) => Err(wrong(Probability::ALLOWED)),
            (_, Unit::Packets) => Err(wrong(Packets::ALLOWED)),
            (_, Unit::Number) => Err(wrong("a number, zero or more")),
        }
    }
}

/// Lists choices, for an error.
fn named(choices: &[&str]) -> String {
    choices.iter().map(|each| format!("\"{each}\"")).collect::<Vec<_>>().join(" or ")
}

/// A queue's table as it is read: parameters wait until the discipline is known.
#[derive(Clone, Debug, Default)]
pub struct QueueKeys {
    packets: Option<Packets>,
    bytes: Option<Size>,
    unlimited: Option<bool>,
    counts: Option<Word<QueueCounts>>,
    discipline: Option<Word<Discipline>>,
    settings: Vec<(&'static str, Setting)>,
}

const KEYS: [&str; 5] = ["packets", "bytes", "unlimited", "counts", "discipline"];

impl Read for QueueKeys {
    fn read(item: &Item<'_>, mistakes: &mut Vec<Mistake>) -> Option<Self> {
        let names: BTreeSet<&'static str> = parameters(None).collect();
        let known: Vec<&'static str> = KEYS.into_iter().chain(names.iter().copied()).collect();
        let keys = Keys::of(item, &known, mistakes)?;
        let (packets, bytes) =
            (keys.optional("packets", mistakes), keys.optional("bytes", mistakes));
        let unlimited = keys.optional("unlimited", mistakes);
        let counts = keys.optional("counts", mistakes);
        let discipline = keys.optional("discipline", mistakes);
        let mut settings = Vec::new();
        for name in names {
            let setting: Option<Setting> = keys.optional(name, mistakes)?;
            settings.extend(setting.map(|setting| (name, setting)));
        }
        Some(QueueKeys {
            packets: packets?,
            bytes: bytes?,
            unlimited: unlimited?,
            counts: counts?,
            discipline: discipline?,
            settings,
        })
    }
}

/// Returns the names of a discipline's parameters, or of all.
fn parameters(of: Option<Discipline>) -> impl Iterator<Item = &'static str> {
    let asked = Discipline::ALL.iter().filter(move |&&each| of.is_none_or(|of| of == each));
    asked.flat_map(|each| each.parameters()).map(|parameter| parameter.name)
}

/// Refuses a parameter that the discipline which was given does not have.
fn strange(name: &str, discipline: Discipline) -> Reason {
    let what = format!("key of a queue with the discipline \"{}\"", discipline.name());
    let known: Vec<&str> = KEYS.into_iter().chain(parameters(Some(discipline))).collect();
    unknown(&what, name, &known).but(Code::UnknownKey)
}

/// Refuses a parameter of other disciplines where none was given.
fn of_others(name: &str, discipline: Discipline) -> Reason {
    let has = |each: &&Discipline| each.parameters().any(|parameter| parameter.name == name);
    let having: Vec<&str> = Discipline::ALL.iter().filter(has).map(|each| each.name()).collect();
    let having = named(&having);
    format!(
        "{name} is for the discipline {having}, and this queue has the discipline \"{}\"; give another discipline too, or leave {name} out",
        discipline.name()
    )
    .into()
}

impl QueueKeys {
    fn limit(&self) -> Result<Option<LimitSpec>, Reason> {
        match (self.packets, self.bytes, self.unlimited, self.counts) {
            (Some(packets), None, None, counts) => Ok(Some(LimitSpec::Packets(packets.0, counts))),
            (None, Some(bytes), None, None) => Ok(Some(LimitSpec::Bytes(bytes.0))),
            (None, None, Some(true), None) => Ok(Some(LimitSpec::Unlimited)),
            (None, None, None, None) if self.discipline.is_some() => Ok(None),
            (None, _, _, Some(_)) => {
                Err("counts is for a limit in packets; give packets too, or leave it out".into())
            }
            _ => Err("a queue needs exactly one of: packets, bytes, unlimited = true".into()),
        }
    }
}

impl Value for QueueSpec {
    const ALLOWED: &'static str = "a queue, such as { packets = 50 }, { bytes = \"64 kB\" }, { unlimited = true }, \
                                   { discipline = \"codel\", packets = 1000 }, or \"50 packets\", \"64 kB\", \
                                   \"unlimited\", \"fq_codel\"";
    type Table = QueueKeys;

    fn from_text(text: &str) -> Result<Self, Reason> {
        if text == "unlimited" {
            return Ok(QueueSpec { limit: Some(LimitSpec::Unlimited), ..QueueSpec::default() });
        }
        if text.starts_with(|c: char| c.is_ascii_alphabetic()) {
            let discipline = Word::<Discipline>::from_text(text)?.0;
            return Ok(QueueSpec { discipline, ..QueueSpec::default() });
        }
        let limit = match crate::units::WindowSize::from_text(text)? {
            crate::units::WindowSize::Bytes(bytes) => LimitSpec::Bytes(bytes),
            crate::units::WindowSize::Packets(packets) => LimitSpec::Packets(packets, None),
        };
        Ok(QueueSpec { limit: Some(limit), ..QueueSpec::default() })
    }
    fn from_integer(number: i64) -> Result<Self, Reason> {
        let limit = LimitSpec::Packets(Packets::from_integer(number)?.0, None);
        Ok(QueueSpec { limit: Some(limit), ..QueueSpec::default() })
    }
    fn from_table(keys: QueueKeys) -> Result<Self, Reason> {
        let discipline = keys.discipline.map_or(Discipline::default(), |name| name.0);
        let mut found = Vec::new();
        for (name, setting) in &keys.settings {
            let Some(parameter) = discipline.parameters().find(|known| known.name == *name) else {
                return Err(match keys.discipline {
                    Some(_) => strange(name, discipline),
                    None => of_others(name, discipline),
                });
            };
            found.push((parameter.name, setting.of(parameter)?));
        }
        Ok(QueueSpec { limit: keys.limit()?, discipline, parameters: found })
    }
    fn written(&self) -> Json {
        let mut keys = serde_json::Map::new();
        keys.insert("discipline".to_owned(), self.discipline.name().into());
        match &self.limit {
            Some(LimitSpec::Packets(packets, counts)) => {
                keys.insert("packets".to_owned(), json!(packets));
                let counts = counts.map(|counts| ("counts".to_owned(), counts.written()));
                keys.extend(counts);
            }
            Some(LimitSpec::Bytes(bytes)) => {
                drop(keys.insert("bytes".to_owned(), Size(*bytes).written()))
            }
            Some(LimitSpec::Unlimited) => drop(keys.insert("unlimited".to_owned(), json!(true))),
            None => {}
        }
        for (name, value) in &self.parameters {
            let parameter = self.discipline.parameters().find(|known| known.name == *name);
            let value = parameter.and_then(|parameter| said(parameter, *value));
            keys.extend(value.map(|value| ((*name).to_owned(), value)));
        }
        Json::Object(keys)
    }
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        let table = generator.subschema_for::<QueueTable>();
        let window = generator.subschema_for::<crate::units::WindowSize>();
        let name = generator.subschema_for::<Word<Discipline>>();
        json_schema!({ "anyOf": [table, window, { "const": "unlimited" }, name] })
    }
}

values!(QueueSpec);

/// The schema of a queue's table: one form for each discipline.
struct QueueTable;

impl JsonSchema for QueueTable {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "QueueTable".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let forms: Vec<_> = Discipline::ALL.iter().map(|&each| form(each, generator)).collect();
        json_schema!({
            "description": "A queue: how much it holds, and its discipline with its parameters.",
            "oneOf": forms,
        })
    }
}

fn form(discipline: Discipline, generator: &mut SchemaGenerator) -> Schema {
    let row = discipline.row();
    let mut properties = serde_json::Map::new();
    let limit = match row.limit {
        Some(packets) => format!(" Default: {packets} packets."),
        None => String::new(),
    };
    let mut add = |name: &str, schema: Schema, about: String| {
        let mut schema = schema;
        schema.insert("description".into(), about.into());
        properties.insert(name.to_owned(), schema.to_value());
    };
    let about = format!("The limit in packets, such as 50.{limit}");
    add("packets", generator.subschema_for::<Packets>(), about);
    let about = "The limit in waiting bytes, such as \"64 kB\".".to_owned();
    add("bytes", generator.subschema_for::<Size>(), about);
    add("unlimited", json_schema!({ "const": true }), "No limit.".to_owned());
    let about =
        format!("What a limit in packets counts. {}", default_sentence::<QueueRules>("counts"));
    add("counts", generator.subschema_for::<Word<QueueCounts>>(), about);
    add(
        "discipline",
        json_schema!({ "const": discipline.name() }),
        format!("{} ({}).", discipline.idea(), row.source),
    );
    for parameter in discipline.parameters() {
        let schema = match parameter.unit {
            _ if parameter.choices == SWITCH => json_schema!({ "type": "boolean" }),
            _ if !parameter.choices.is_empty() => json_schema!({ "enum": parameter.choices }),
            Unit::Seconds => generator.subschema_for::<Duration>(),
            Unit::Bytes => generator.subschema_for::<Size>(),
            Unit::BitRate => generator.subschema_for::<BitRate>(),
            Unit::Packets => generator.subschema_for::<Packets>(),
            Unit::Share => generator.subschema_for::<Probability>(),
            Unit::Number => json_schema!({ "type": "number", "minimum": 0 }),
        };
        let about = format!("{}. Default: {}.", parameter.meaning, written(parameter));
        add(parameter.name, schema, about);
    }
    let is_default = discipline == Discipline::default();
    let required: &[&str] = if is_default { &[] } else { &["discipline"] };
    json_schema!({
        "type": "object",
        "title": discipline.name(),
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

/// Returns a parameter's value in a scenario's form; `None` where it has none, as a time that never comes.
fn said(parameter: &Parameter, value: f64) -> Option<Json> {
    let given = match parameter.unit {
        _ if parameter.choices == SWITCH => Given::Flag(value != 0.0),
        _ if !parameter.choices.is_empty() => {
            Given::Word((*parameter.choices.get(value as usize)?).into())
        }
        _ if value.is_infinite() => return None,
        Unit::Seconds => Given::Word(format!("{value} s").into()),
        Unit::Bytes => Given::Word(format!("{value} B").into()),
        Unit::BitRate => Given::Rate(Rate(value as u64)),
        Unit::Packets | Unit::Share | Unit::Number => Given::Number(value),
    };
    as_json(&given)
}

/// Returns a default in a scenario's form.
fn written(parameter: &Parameter) -> String {
    let value = parameter.default;
    match parameter.unit {
        _ if parameter.choices == SWITCH => (value != 0.0).to_string(),
        _ if !parameter.choices.is_empty() => format!("\"{}\"", parameter.choices[value as usize]),
        Unit::BitRate if value.is_infinite() => "none".into(),
        _ if value.is_infinite() => "never".into(),
        Unit::Seconds => format!("\"{} ms\"", value * 1e3),
        Unit::Bytes => format!("\"{value} B\""),
        _ => value.to_string(),
    }
}
