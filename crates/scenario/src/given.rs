//! Values of settings as JSON has them, in the units that files write.

use base::{Given, Rate, Span};
use serde_json::{Value as Json, json};

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

/// Returns a power in dBm, where four decimals give it exactly.
pub fn dbm_of(watts: f64) -> Option<f64> {
    let dbm = libm::round(radio::noise::dbm_from_w(watts) * 1e4) / 1e4;
    (radio::noise::w_from_dbm(dbm) == watts).then_some(dbm)
}
