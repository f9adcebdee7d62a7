//! From text to a [`ScenarioSpec`]: overrides are merged in, then top-level tables are handed down.

use crate::at::{Problem, Reason};
use crate::code::Code;
use crate::elements::{name_of, position, which_of};
use crate::error::{DEEPEST, Sources, reword};
use crate::kinds;
use crate::mismatch::{self, Schema};
use crate::read::{Item, Mistake, Read};
use crate::spec::{AppSpec, ChannelSpec, MobilitySpec, ProxySpec, ScenarioSpec};
use schemars::JsonSchema;
use serde_json::Value as Json;
use std::borrow::Cow;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A larger scenario is a mistake: a thousand flows take 100 kB.
pub const LARGEST_TEXT: usize = 1_000_000;

/// Reads a scenario and its overrides; returns all mistakes in the order of the text where there are some.
///
/// `schema` is that of the format, which messages about wrong types use.
pub fn read(
    text: &str,
    sources: &Sources<'_>,
    schema: &Schema<'_>,
) -> Result<ScenarioSpec, Vec<Problem>> {
    refuse_what_is_no_text(text).map_err(|problem| vec![problem])?;
    let mut mistakes = Vec::new();
    let document = parse(text).map_err(|problem| vec![problem])?;
    let document = changed(document, sources, &mut mistakes);
    read_as(&document, mistakes, schema)
}

/// Returns the schema of a table of the format.
pub fn schema_of<T: JsonSchema>() -> Cow<'static, Json> {
    Cow::Owned(schemars::schema_for!(T).into())
}

/// Reads any table of the format that is a file of its own.
pub fn table<T: Read + JsonSchema + 'static>(text: &str) -> Result<T, Vec<Problem>> {
    table_by(text, &schema_of::<T>)
}

/// Does the same with a given schema of its keys.
pub fn table_by<T: Read>(text: &str, schema: &Schema<'_>) -> Result<T, Vec<Problem>> {
    let document = parse(text).map_err(|problem| vec![problem])?;
    let item = Spanned::new(document.span(), DeValue::Table(document.into_inner()));
    read_as(&item, Vec::new(), schema)
}

/// Reads a table that is known to be correct, as if all of it were at this place.
///
/// # Panics
/// Panics if the table has a mistake, which is a defect of lasthop.
pub fn right<T: Read>(text: &str, place: &Range<usize>) -> T {
    let document = parse(text).unwrap_or_else(|problem| panic!("{problem:?} in {text}"));
    let item = Spanned::new(place.clone(), DeValue::Table(document.into_inner()));
    let mut mistakes = Vec::new();
    let read = T::read(&placed(item, &|_| place.clone()), &mut mistakes);
    read.unwrap_or_else(|| panic!("{mistakes:?} in {text}"))
}

/// Returns a document, or all its mistakes beside those found before.
fn read_as<T: Read>(
    document: &Item<'_>,
    mut mistakes: Vec<Mistake>,
    schema: &Schema<'_>,
) -> Result<T, Vec<Problem>> {
    match T::read(document, &mut mistakes) {
        Some(read) if mistakes.is_empty() => Ok(read),
        _ => Err(mismatch::in_words(mistakes, document, schema)),
    }
}

/// Returns a scenario after its overrides, with top-level tables handed down.
fn changed<'i>(
    document: Spanned<DeTable<'i>>,
    sources: &Sources<'i>,
    mistakes: &mut Vec<Mistake>,
) -> Item<'i> {
    let place = document.span();
    let mut document = document.into_inner();
    for &(start, text) in sources.overrides() {
        let applied = Change::read(start, text).and_then(|change| change.apply(&mut document));
        mistakes.extend(applied.err().map(Mistake::Said));
    }
    hand_down(&mut document);
    sort_kinds(&mut document, mistakes);
    Spanned::new(place, DeValue::Table(document))
}

/// Reads any TOML.
pub fn parse(text: &str) -> Result<Spanned<DeTable<'_>>, Problem> {
    DeTable::parse(text).map_err(|error| toml_problem(&error, text))
}

fn refuse_what_is_no_text(text: &str) -> Result<(), Problem> {
    let problem = |at: usize, reason: Reason| Err(reason.at(at..at));
    if text.len() > LARGEST_TEXT {
        let size = text.len();
        let message = format!("{size} bytes; a scenario has at most {LARGEST_TEXT}");
        return problem(0, Code::OutOfRange.says(message));
    }
    if let Some(at) = text.find(|c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
        return problem(
            at,
            Code::NoToml.says("a control character: this is not a text file; a scenario is TOML"),
        );
    }
    let is_blank = |line: &str| line.trim().is_empty() || line.trim().starts_with('#');
    if text.lines().all(is_blank) {
        let message = "the file is empty; a scenario has at least duration, [[link]] or [[cell]], and [[flow]]";
        return problem(0, message.into());
    }
    Ok(())
}

fn toml_problem(error: &toml::de::Error, text: &str) -> Problem {
    // The parser gives no place for keys with too many parts.
    let place = error.span().or_else(|| too_deep(text)).unwrap_or(0..0);
    let again = error.message().starts_with("duplicate key").then(|| set_again(text, &place));
    Code::NoToml.says(again.unwrap_or_else(|| reword(error.message()))).at(place)
}

/// Says that a key is set a second time: often two tables were meant, of which each would have two brackets.
fn set_again(text: &str, place: &Range<usize>) -> String {
    let begin = text[..place.start].rfind('\n').map_or(0, |end| end + 1);
    let header = text[begin..].trim_start().strip_prefix('[').and_then(|line| line.split_once(']'));
    match header {
        Some((table, _)) if !table.starts_with('[') => {
            format!("there is a [{table}] already; each of several begins with [[{table}]]")
        }
        _ => format!("\"{}\" is set already in this table", text[place.clone()].trim_matches('"')),
    }
}

/// Returns the place of the first key with more parts than the parser takes.
fn too_deep(text: &str) -> Option<Range<usize>> {
    let mut at = 0;
    text.split_inclusive('\n').find_map(|line| {
        let start = at;
        at += line.len();
        let (mut quote, mut parts) = (None, 1);
        for c in line.chars() {
            match (quote, c) {
                (None, '"' | '\'') => quote = Some(c),
                (Some(begun), c) if c == begun => quote = None,
                (None, '.') => parts += 1,
                (None, '=') => break,
                _ => {}
            }
        }
        (parts >= DEEPEST).then(|| start..start + line.trim_end().len())
    })
}

/// One override.
struct Change<'i> {
    start: usize,
    path: Vec<(usize, &'i str)>,
    value: Spanned<DeValue<'i>>,
}

impl<'i> Change<'i> {
    fn read(start: usize, text: &'i str) -> Result<Self, Problem> {
        let problem = |message: &str| Code::NoToml.says(message).at(start..start + text.len());
        let (key, value) = text.split_once('=').ok_or_else(|| {
            problem("no \"=\"; allowed: key=value, such as tcp.variant=reno or link.0.rate=3Mbps")
        })?;
        if value.trim().is_empty() {
            return Err(problem("no value after \"=\"; allowed: key=value"));
        }
        let mut path = Vec::new();
        let mut at = start;
        for part in key.split('.') {
            if part.trim().is_empty() {
                return Err(problem("an empty part in the key; allowed: key=value"));
            }
            path.push((at, part.trim()));
            at += part.len() + 1;
        }
        let place = start + key.len() + 1..start + text.len();
        let (trimmed, by) = (value.trim(), place.start + value.len() - value.trim_start().len());
        let value = match DeValue::parse(trimmed) {
            Ok(value) => Some(placed(value, &|place| place.start + by..place.end + by)),
            // It looks like TOML, so its mistake is reported. Anything else is a bare word, such as bic or 3Mbps.
            Err(error) if trimmed.starts_with(['"', '\'', '[', '{']) => {
                let problem = toml_problem(&error, trimmed);
                let place = problem.place.start + by..problem.place.end + by;
                return Err(Problem { place, ..problem });
            }
            Err(_) => None,
        };
        let bare =
            || Spanned::new(place, DeValue::String(Cow::Borrowed(text[key.len() + 1..].trim())));
        Ok(Change { start, path, value: value.unwrap_or_else(bare) })
    }

    fn apply(self, root: &mut DeTable<'i>) -> Result<(), Problem> {
        let Some((&(at, last), steps)) = self.path.split_last() else { return Ok(()) };
        let mut table = root;
        let mut steps = steps.iter().copied().peekable();
        while let Some((at, key)) = steps.next() {
            let spanned_key = Spanned::new(at..at + key.len(), Cow::Borrowed(key));
            let empty = || Spanned::new(at..at + key.len(), DeValue::Table(DeTable::new()));
            let slot = table.entry(spanned_key).or_insert_with(empty);
            spell_out(key, slot);
            table = match slot.get_mut() {
                DeValue::Table(inner) => inner,
                DeValue::Array(elements) => {
                    let names: Vec<Option<&str>> = elements.iter().map(name_of).collect();
                    let which = steps
                        .next()
                        .ok_or_else(|| which_of(key, last, &names).at(at..at + key.len()));
                    let (at, which) = which?;
                    let index = position(key, at, which, &names)?;
                    match elements.get_mut(index).map(Spanned::get_mut) {
                        Some(DeValue::Table(inner)) => inner,
                        _ => return Err(self.no_table(at, which)),
                    }
                }
                _ => return Err(self.no_table(at, key)),
            };
        }
        let key = Spanned::new(at..at + last.len(), Cow::Borrowed(last));
        if matches!(table.get(last).map(Spanned::get_ref), Some(DeValue::Array(a)) if a.iter().any(|v| v.get_ref().is_table()))
            && !self.value.get_ref().is_array()
        {
            return Err(self.no_table(at, last));
        }
        // Removed first: the map would keep the old key, with its place in the file.
        table.remove(last);
        table.insert(key, self.value);
        Ok(())
    }

    fn no_table(&self, at: usize, key: &str) -> Problem {
        let message = format!("\"{key}\" is not a table here, so nothing in it can be set");
        Code::WrongKind.says(message).at(at.max(self.start)..at + key.len())
    }
}

/// Returns a value with its places changed, and those of all values in it.
fn placed<'i>(
    value: Spanned<DeValue<'i>>,
    place: &impl Fn(Range<usize>) -> Range<usize>,
) -> Spanned<DeValue<'i>> {
    let at = place(value.span());
    let value = match value.into_inner() {
        DeValue::Array(elements) => {
            DeValue::Array(elements.into_iter().map(|element| placed(element, place)).collect())
        }
        DeValue::Table(table) => {
            let rows = table.into_iter().map(|(key, value)| {
                let at = place(key.span());
                (Spanned::new(at, key.into_inner()), placed(value, place))
            });
            DeValue::Table(rows.collect())
        }
        plain => plain,
    };
    Spanned::new(at, value)
}

/// Turns `app = "cbr"` into `app = { kind = "cbr" }`, so that an override can reach into it.
fn spell_out(key: &str, slot: &mut Spanned<DeValue<'_>>) {
    if key == "app" && slot.get_ref().is_str() {
        let place = slot.span();
        let kind = std::mem::replace(slot.get_mut(), DeValue::Table(DeTable::new()));
        if let DeValue::Table(table) = slot.get_mut() {
            let name = Spanned::new(place.clone(), Cow::Borrowed("kind"));
            table.insert(name, Spanned::new(place, kind));
        }
    }
}

/// Sorts the tables that have several kinds.
fn sort_kinds(document: &mut DeTable<'_>, mistakes: &mut Vec<Mistake>) {
    if let Some(channel) = document.get_mut("channel") {
        kinds::sort::<ChannelSpec>("channel", channel, mistakes);
    }
    let mut each =
        |array, key, sort: Sort| for_each(document, array, key, |slot| sort(key, slot, mistakes));
    each("cell", "channel", kinds::sort::<ChannelSpec>);
    each("wimax", "channel", kinds::sort::<ChannelSpec>);
    each("node", "mobility", kinds::sort::<MobilitySpec>);
    each("flow", "app", kinds::sort::<AppSpec>);
    if let Some(DeValue::Array(proxies)) = document.get_mut("proxy").map(Spanned::get_mut) {
        for proxy in proxies.iter_mut() {
            kinds::sort::<ProxySpec>("proxy", proxy, mistakes);
        }
    }
}

/// Sorts the value of a key.
type Sort = for<'i> fn(&str, &mut Item<'i>, &mut Vec<Mistake>);

/// Sorts this key of each table of an array.
fn for_each<'i>(
    document: &mut DeTable<'i>,
    array: &str,
    key: &str,
    mut to: impl FnMut(&mut Item<'i>),
) {
    let Some(DeValue::Array(elements)) = document.get_mut(array).map(Spanned::get_mut) else {
        return;
    };
    for element in elements.iter_mut() {
        if let DeValue::Table(element) = element.get_mut()
            && let Some(value) = element.get_mut(key)
        {
            to(value);
        }
    }
}

/// Top-level tables that are defaults for the elements of an array.
const HANDED_DOWN: &[(&str, &[&str])] = &[
    ("cell", &["phy", "mac", "qos", "channel", "fec"]),
    ("wimax", &["channel"]),
    ("flow", &["tcp", "udp"]),
    ("proxy", &["tcp"]),
];

/// Keys that replace a table as a whole, so that it inherits nothing from the default.
const STANDS_ALONE: &str = "model";

fn hand_down(document: &mut DeTable<'_>) {
    for (array, sections) in HANDED_DOWN {
        for section in *sections {
            let Some((key, defaults)) = document.get_key_value(*section) else { continue };
            let (key, defaults) = (key.clone(), defaults.clone());
            let elements = document.get_mut(*array).map(Spanned::get_mut);
            let Some(DeValue::Array(elements)) = elements else { continue };
            for element in elements.iter_mut() {
                let DeValue::Table(element) = element.get_mut() else { continue };
                if *array == "proxy" && !kinds::has_key::<ProxySpec>(element, section) {
                    continue;
                }
                fill(element.entry(key.clone()).or_insert_with(|| defaults.clone()), &defaults);
            }
        }
    }
}

/// Adds to a table the keys that only the default has.
fn fill<'i>(own: &mut Spanned<DeValue<'i>>, defaults: &Spanned<DeValue<'i>>) {
    let (DeValue::Table(own), DeValue::Table(defaults)) = (own.get_mut(), defaults.get_ref())
    else {
        return;
    };
    if own.contains_key(STANDS_ALONE) {
        return;
    }
    let has_variant = own.contains_key("variant");
    let has_axes = own.contains_key("recovery") || own.contains_key("law");
    for (key, value) in defaults.iter() {
        let name: &str = key.get_ref();
        // A variant is a recovery and a law: a file that sets one of them anew does not inherit the other
        // form.
        let clashes = match name {
            "recovery" | "law" => has_variant,
            "variant" => has_axes,
            "short_retry_limit" | "long_retry_limit" => own.contains_key("retry_limit"),
            _ => false,
        };
        if !clashes && !own.contains_key(name) {
            own.insert(key.clone(), value.clone());
        }
    }
}
