//! Values and bounds of settings as scenarios write them.

use crate::radio_units::dbm_of;
use crate::table::Shown;
use base::{Bounds, Form, Given, Rate, Span};
use serde_json::{Value as Json, json};

/// Writes "LEAST to MOST", "LEAST or more" or "up to MOST".
pub fn range(bounds: &Bounds) -> String {
    if bounds.least == Some(Given::Span(Span(1))) && bounds.most.is_none() {
        return "more than \"0 s\"".to_owned();
    }
    match (bounds.least.as_ref().map(written), bounds.most.as_ref().map(written)) {
        (Some(least), Some(most)) => format!("{least} to {most}"),
        (Some(least), None) => format!("{least} or more"),
        (None, Some(most)) => format!("up to {most}"),
        (None, None) => "less".to_owned(),
    }
}

/// Returns a value as TOML has it, or the words.
pub fn written(given: &Given) -> String {
    match given {
        Given::Table(keys) => {
            let keys: Vec<String> =
                keys.iter().map(|(key, value)| format!("{key} = {}", written(value))).collect();
            format!("{{ {} }}", keys.join(", "))
        }
        Given::Prose(text) => (*text).to_owned(),
        other => as_json(other).map_or_else(String::new, |json| json.to_string()),
    }
}

/// Returns a value as JSON has it; `None` of words.
pub fn as_json(given: &Given) -> Option<Json> {
    Some(match given {
        Given::Flag(flag) => json!(flag),
        Given::Whole(number) => json!(number),
        // A whole number has no point, as in TOML that people write.
        Given::Number(number) if number.fract() == 0.0 => json!(*number as i64),
        Given::Number(number) => json!(number),
        Given::Count(number) => json!(number),
        Given::Span(Span(ns)) => json!(in_units(*ns, &["ns", "us", "ms", "s"], 1000)),
        Given::Rate(Rate(bps)) => json!(in_units(*bps, &["bps", "kbps", "Mbps", "Gbps"], 1000)),
        Given::Bytes(bytes) if bytes % (1 << 20) == 0 && *bytes > 0 => {
            json!(format!("{} MiB", bytes >> 20))
        }
        Given::Bytes(bytes) => json!(format!("{bytes} B")),
        Given::Length(metres) => json!(format!("{metres} m")),
        Given::Frequency(hertz) => json!(frequency(*hertz)),
        Given::Power(watts) => json!(power(*watts)),
        Given::Word(word) => json!(word),
        Given::Table(keys) => {
            keys.iter().map(|(key, value)| ((*key).to_owned(), as_json(value))).collect()
        }
        Given::Prose(_) => return None,
    })
}

/// Returns a number in the largest of these units, each `step` times the one before, in which it is whole; zero in the last.
fn in_units(mut number: u64, units: &[&str], step: u64) -> String {
    let mut place = 0;
    while place + 1 < units.len() && number % step == 0 {
        number /= step;
        place += 1;
    }
    format!("{number} {}", units[place])
}

/// Returns a frequency in the largest unit of which it has one or more, and in which it can be read again.
fn frequency(hertz: f64) -> String {
    let units = [("GHz", 1e9), ("MHz", 1e6), ("kHz", 1e3)];
    let unit = units.into_iter().find(|unit| hertz >= unit.1 && hertz / unit.1 * unit.1 == hertz);
    let (name, size) = unit.unwrap_or(("Hz", 1.0));
    format!("{} {name}", hertz / size)
}

/// Returns a power in dBm with at most four decimals where that is all of it, else in watts.
fn power(watts: f64) -> String {
    match dbm_of(watts) {
        Some(dbm) => format!("{dbm} dBm"),
        None if watts < 1e-3 => format!("{watts:e} W"),
        None => format!("{watts} W"),
    }
}

/// Returns a default of this form.
pub fn shown_as(form: &Form, given: &Given) -> Shown {
    match (form, given) {
        (Form::Window, Given::Count(segments)) => {
            let text = format!("{segments} packets");
            Shown { written: format!("{text:?}"), json: Some(json!(text)) }
        }
        _ => Shown { written: written(given), json: as_json(given) },
    }
}
