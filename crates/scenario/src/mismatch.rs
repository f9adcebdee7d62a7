//! Mistakes in words: the right form of a value of the wrong type, with the nearest correct line, and missing keys.

use crate::at::{Problem, Reason};
use crate::code::Code;
use crate::nearest::{listed, nearest};
use crate::read::{Expected, Item, Mistake, shown};
use serde_json::Value as Json;
use std::borrow::Cow;
use std::cell::LazyCell;
use toml::de::{DeTable, DeValue};

/// Returns the schema of the format. It is called only when a message about a wrong type or a missing key needs it.
pub type Schema<'a> = dyn Fn() -> Cow<'a, Json> + 'a;

/// Describes the mistakes in `document` by the `schema` of its format: in the order of the text, each once, and missing keys
/// at the end, since they may be there under a mistaken name.
pub fn in_words(mistakes: Vec<Mistake>, document: &Item<'_>, schema: &Schema<'_>) -> Vec<Problem> {
    // Making it takes longer than all else here, and most mistakes do not need it.
    let schema = LazyCell::new(schema);
    let rank = |mistake: &Mistake| match mistake {
        Mistake::Said(Problem { place, .. }) | Mistake::Type(place, _) => (false, place.start),
        Mistake::Missing(place, _) => (true, place.start),
    };
    let mut mistakes = mistakes;
    mistakes.sort_by_key(rank);
    let mut said: Vec<Problem> = Vec::new();
    for mistake in mistakes {
        let problem = match mistake {
            Mistake::Said(problem) => problem,
            Mistake::Type(place, expected) => {
                mismatch(expected, document, &place, &schema).at(place)
            }
            Mistake::Missing(place, key) => {
                let about = missing(key, document, &place, &schema);
                Code::MissingKey.says(format!("missing key \"{key}\"{about}")).at(place)
            }
        };
        // A mistake that is handed down to several tables is in each.
        if !said.contains(&problem) {
            said.push(problem);
        }
    }
    said
}

fn mismatch(
    expected: Expected,
    document: &Item<'_>,
    place: &std::ops::Range<usize>,
    schema: &Json,
) -> Reason {
    let mut path = Vec::new();
    let value = within(document, place, &mut path);
    let wrong = Wrong { value, schema: at(schema, &path), path: &path, root: schema };
    // An override lies behind the file; a table of one is the way to an element of a list that is not there.
    if let (Expected::List, Some(DeValue::Table(table)), [list]) = (expected, value, &path[..])
        && place.start > document.span().end
    {
        return Code::UnknownName.says(no_list(list, table));
    }
    let found = value.map_or_else(String::new, shown);
    // A whole number out of range is of the right kind.
    let is_outside = matches!((expected, value), (Expected::Whole(_), Some(DeValue::Integer(_))));
    let code = if is_outside { Code::OutOfRange } else { Code::WrongKind };
    code.says(format!("found {found}; allowed: {}", wrong.allowed(expected)))
}

/// Says that the scenario has no `[[list]]` in which an override could set something, and the override that makes one.
fn no_list(list: &str, table: &DeTable<'_>) -> String {
    let mut keys = Vec::new();
    for (key, value) in table.iter() {
        match value.get_ref() {
            DeValue::Table(inside) => {
                keys.push(format!("name = {:?}", key.get_ref()));
                keys.extend(inside.iter().map(|(key, value)| pair(key.get_ref(), value)));
            }
            _ => keys.push(pair(key.get_ref(), value)),
        }
    }
    let keys = keys.join(", ");
    format!(
        "the scenario has no [[{list}]] in which this could be set; allowed: {list}=[{{ {keys} }}], which makes one"
    )
}

fn pair(key: &str, value: &Item<'_>) -> String {
    format!("{key} = {}", shown(value.get_ref()))
}

/// A value of the wrong type, with its path and schema.
struct Wrong<'a> {
    /// The value; `None` where it was not found again.
    value: Option<&'a DeValue<'a>>,
    /// The keys that lead to it, places in lists as numbers.
    path: &'a [String],
    /// The schema of the value.
    schema: Option<&'a Json>,
    /// The whole schema.
    root: &'a Json,
}

impl Wrong<'_> {
    fn allowed(&self, expected: Expected) -> String {
        match expected {
            Expected::Table => self.a_table(),
            Expected::List => self.a_list(),
            Expected::Text => self.such_as("text in quotes", &self.text("\"")),
            Expected::Flag => self.such_as("true or false", "true"),
            Expected::Number => self.such_as("a number", &self.number("1.5")),
            Expected::Whole(bounds) => {
                self.such_as(&format!("a whole number{bounds}"), &self.number("1"))
            }
        }
    }

    /// "WHAT, such as KEY = EXAMPLE".
    fn such_as(&self, what: &str, example: &str) -> String {
        match self.path.last() {
            Some(key) if !is_place(key) && !example.is_empty() => {
                format!("{what}, such as {key} = {example}")
            }
            _ => what.to_owned(),
        }
    }

    /// Returns the value as text, if it is a number, a word or a flag.
    fn text(&self, quote: &str) -> String {
        let text = match self.value {
            Some(DeValue::String(text)) => text.to_string(),
            Some(DeValue::Integer(number)) => number.to_string(),
            Some(DeValue::Float(number)) => number.to_string(),
            Some(DeValue::Boolean(flag)) => flag.to_string(),
            Some(DeValue::Datetime(date)) => date.to_string(),
            _ => return String::new(),
        };
        format!("{quote}{text}{quote}")
    }

    /// Returns the text in quotes, if it is a number without them; else the example.
    fn number(&self, example: &str) -> String {
        let whole = !example.contains('.');
        let text = self.text("");
        let fits = if whole { text.parse::<i64>().is_ok() } else { text.parse::<f64>().is_ok() };
        if fits && matches!(self.value, Some(DeValue::String(_))) {
            text
        } else {
            example.to_owned()
        }
    }

    fn a_table(&self) -> String {
        let keys = self.schema.map(|schema| properties(self.root, schema)).unwrap_or_default();
        let names: Vec<&str> = keys.iter().map(|(name, _)| name.as_str()).collect();
        let header = match self.path {
            [name, place] if is_place(place) => format!(" [[{name}]]"),
            [name] => format!(" [{name}]"),
            _ => String::new(),
        };
        if names.is_empty() {
            let key = self.path.last().map_or("", String::as_str);
            return format!("a table{header} of any names, such as {key} = {{ name = 1 }}");
        }
        let Some((key, value)) = self.meant(&keys) else {
            return format!("a table{header} with the keys {}", listed(&names));
        };
        let line = match self.path.last() {
            Some(name) if !is_place(name) => format!("{name} = {{ {key} = {value} }}"),
            _ => format!("{{ {key} = {value} }}"),
        };
        format!("a table{header}, such as {line}; its keys: {}", listed(&names))
    }

    /// Returns the key whose value a lone word is likely to be, and the nearest name.
    fn meant(&self, keys: &[(&String, &Json)]) -> Option<(String, String)> {
        let Some(DeValue::String(text)) = self.value else { return None };
        let (leading, others): (Vec<_>, Vec<_>) =
            keys.iter().partition(|(key, _)| LEADING.contains(&key.as_str()));
        let with = |exact: bool| {
            leading.iter().chain(&others).find_map(|(key, schema)| {
                let names = names(self.root, schema);
                let known = names.iter().map(String::as_str);
                let name = if exact {
                    names.iter().find(|name| **name == **text).map(String::as_str)
                } else {
                    nearest(text, known)
                }?;
                Some(((*key).clone(), format!("{name:?}")))
            })
        };
        with(true).or_else(|| with(false))
    }

    fn a_list(&self) -> String {
        let items = self.schema.and_then(|schema| items(self.root, schema));
        let key = self.path.last().filter(|key| !is_place(key));
        let of_tables = items.is_some_and(|items| !properties(self.root, items).is_empty());
        match key {
            Some(key) if of_tables && self.path.len() == 1 => {
                format!("tables, each of which begins with [[{key}]]")
            }
            Some(key) if of_tables => format!("a list of tables, such as {key} = [{{ ... }}]"),
            Some(key) => match self.value {
                Some(DeValue::String(_)) => {
                    format!("a list, such as {key} = [{}]", self.text("\""))
                }
                Some(DeValue::Integer(_) | DeValue::Float(_)) => {
                    format!("a list, such as {key} = [{}]", self.text(""))
                }
                _ => "a list".to_owned(),
            },
            None => "a list".to_owned(),
        }
    }
}

/// Keys that name the kind of a table: a lone word is their value sooner than another key's.
const LEADING: &[&str] = &["variant", "standard", "model", "kind"];

/// Returns true for a place in a list.
fn is_place(step: &str) -> bool {
    step.bytes().all(|byte| byte.is_ascii_digit())
}

/// Finds the value at these bytes, and its path.
fn find<'a>(
    table: &'a DeTable<'_>,
    place: &std::ops::Range<usize>,
    path: &mut Vec<String>,
) -> Option<&'a DeValue<'a>> {
    table.iter().find_map(|(key, value)| {
        path.push(key.get_ref().to_string());
        let found = within(value, place, path);
        if found.is_none() {
            path.pop();
        }
        found
    })
}

fn within<'a>(
    value: &'a Item<'_>,
    place: &std::ops::Range<usize>,
    path: &mut Vec<String>,
) -> Option<&'a DeValue<'a>> {
    // The innermost value counts: a list of one may span the same bytes as its element.
    let inside = match value.get_ref() {
        DeValue::Table(table) => find(table, place, path),
        DeValue::Array(elements) => elements.iter().enumerate().find_map(|(number, element)| {
            path.push(number.to_string());
            let found = within(element, place, path);
            if found.is_none() {
                path.pop();
            }
            found
        }),
        _ => None,
    };
    inside.or_else(|| (value.span() == *place).then(|| value.get_ref()))
}

/// Returns the schema at the end of a path.
fn at<'a>(root: &'a Json, path: &[String]) -> Option<&'a Json> {
    path.iter().try_fold(root, |schema, step| {
        if is_place(step) {
            return items(root, schema);
        }
        let key = properties(root, schema).into_iter().find(|(key, _)| *key == step);
        key.map(|(_, inside)| inside).or_else(|| of_kind(root, schema, step))
    })
}

/// Returns the table of this kind, among tables of several.
fn of_kind<'a>(root: &'a Json, schema: &'a Json, kind: &str) -> Option<&'a Json> {
    let says = |one: &&Json| {
        let keys = one["properties"].as_object().into_iter().flatten();
        keys.into_iter().any(|(_, value)| value["const"] == kind)
    };
    alternatives(root, schema).into_iter().find(says)
}

/// Returns the description of a key that is missing in the table at `place`, for a message.
fn missing(
    key: &str,
    document: &Item<'_>,
    place: &std::ops::Range<usize>,
    schema: &Json,
) -> String {
    let mut path = Vec::new();
    let table = within(document, place, &mut path).and_then(|_| at(schema, &path));
    let about = table.and_then(|table| {
        properties(schema, table).into_iter().find(|(name, _)| *name == key).map(|(_, about)| about)
    });
    let Some(about) = about else { return String::new() };
    let text = about["description"].as_str().map_or_else(String::new, |text| format!(": {text}"));
    let names = names(schema, about);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let allowed =
        if names.is_empty() { String::new() } else { format!("; allowed: {}", listed(&names)) };
    format!("{}{allowed}", text.trim_end_matches('.'))
}

/// Returns a schema and its alternatives, references followed.
fn alternatives<'a>(root: &'a Json, schema: &'a Json) -> Vec<&'a Json> {
    let mut found = vec![schema];
    if let Some(name) = schema["$ref"].as_str().and_then(|name| name.strip_prefix("#/$defs/")) {
        found.extend(alternatives(root, &root["$defs"][name]));
    }
    for several in ["anyOf", "oneOf", "allOf"] {
        for one in schema[several].as_array().into_iter().flatten() {
            found.extend(alternatives(root, one));
        }
    }
    found
}

/// Returns the keys of a table with the schema of each.
fn properties<'a>(root: &'a Json, schema: &'a Json) -> Vec<(&'a String, &'a Json)> {
    let tables = alternatives(root, schema).into_iter();
    tables.filter_map(|one| one["properties"].as_object()).flatten().collect()
}

/// Returns the schema of the elements of a list.
fn items<'a>(root: &'a Json, schema: &'a Json) -> Option<&'a Json> {
    alternatives(root, schema).into_iter().find_map(|one| one.get("items"))
}

/// Returns the names that a value may be.
fn names(root: &Json, schema: &Json) -> Vec<String> {
    let all = alternatives(root, schema).into_iter();
    let own = all.flat_map(|one| {
        let listed = one["enum"].as_array().into_iter().flatten();
        one.get("const").into_iter().chain(listed)
    });
    own.filter_map(|name| name.as_str().map(str::to_owned)).collect()
}
