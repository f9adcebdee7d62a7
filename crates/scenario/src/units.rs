//! Quantities with units: "20 ms", "2 Mbps", "64 kB", "50 packets", "10 %".

use crate::at::Reason;
use crate::code::Code;
use crate::given::as_json;
use crate::nearest::unknown;
use crate::value::{NoTable, Value, refuse, values};
use base::{Given, Rate, Span};
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Value as Json, json};

/// Units with their size in the base unit; the first spellings are those that messages offer.
pub(crate) type Units = [(&'static str, f64)];

const TIMES: &Units = &[
    ("ns", 1e-9),
    ("us", 1e-6),
    ("ms", 1e-3),
    ("s", 1.0),
    ("min", 60.0),
    ("h", 3600.0),
    ("µs", 1e-6),
    ("μs", 1e-6),
];
const RATES: &Units = &[
    ("bps", 1.0),
    ("kbps", 1e3),
    ("Mbps", 1e6),
    ("Gbps", 1e9),
    ("bit/s", 1.0),
    ("kbit/s", 1e3),
    ("Mbit/s", 1e6),
    ("Gbit/s", 1e9),
    ("b/s", 1.0),
    ("kb/s", 1e3),
    ("Mb/s", 1e6),
    ("Gb/s", 1e9),
];
const SIZES: &Units = &[
    ("B", 1.0),
    ("kB", 1e3),
    ("MB", 1e6),
    ("GB", 1e9),
    ("KiB", 1024.0),
    ("MiB", 1_048_576.0),
    ("GiB", 1_073_741_824.0),
];
const PACKETS: &Units = &[("packets", 1.0), ("packet", 1.0), ("segments", 1.0), ("segment", 1.0)];

/// Splits "20 ms" into its number and its unit, and returns the value in base units.
pub(crate) fn quantity(text: &str, what: &str, units: &Units) -> Result<f64, Reason> {
    let names: Vec<&str> = units.iter().map(|(name, _)| *name).collect();
    let trimmed = text.trim();
    let is_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | '_');
    let mut end = trimmed.find(|c| !is_number(c)).unwrap_or(trimmed.len());
    // An exponent: an "e" that is followed by more of a number, as in "1e6 bps".
    if let Some(tail) = trimmed[end..].strip_prefix(['e', 'E'])
        && tail.starts_with(is_number)
    {
        end += 1 + tail.find(|c| !is_number(c)).unwrap_or(tail.len());
    }
    let (number, unit) = (trimmed[..end].replace('_', ""), trimmed[end..].trim());
    let Ok(number) = number.parse::<f64>() else {
        return Err(Code::UnknownUnit.says(format!(
            "found \"{text}\"; {what} is a number and a unit; units: {}",
            names.join(", ")
        )));
    };
    if unit.is_empty() {
        let message = format!("\"{text}\" has no unit; allowed: {}", names.join(", "));
        return Err(Code::UnknownUnit.says(message));
    }
    let Some((_, size)) = units.iter().find(|(name, _)| *name == unit) else {
        return Err(
            unknown("unit", unit, &names).reworded(|said| format!("{said} (in \"{text}\")"))
        );
    };
    if number < 0.0 {
        return Err(Code::OutOfRange.says(format!("\"{text}\" is negative; allowed: zero or more")));
    }
    if !number.is_finite() {
        return Err(Code::OutOfRange.says(format!("\"{text}\" is not a finite number")));
    }
    Ok(number * size)
}

/// Refuses a number without a unit. Which one was meant is not known: each is offered, by its first spelling.
pub(crate) fn without_unit(number: &str, units: &Units) -> Reason {
    let mut offers: Vec<(f64, String)> = Vec::new();
    for &(unit, size) in units {
        if offers.iter().all(|&(known, _)| known != size) {
            offers.push((size, format!("\"{number} {unit}\"")));
        }
    }
    let offers: Vec<String> = offers.into_iter().map(|(_, offer)| offer).collect();
    let allowed = offers.join(", ");
    Code::UnknownUnit
        .says(format!("{number} has no unit; write it with one, in quotes; allowed: {allowed}"))
}

/// Types whose values are a number and a unit.
macro_rules! quantities {
    ($($(#[$doc:meta])* $name:ident($inner:ty), $what:literal, $units:ident, $example:literal, $make:expr, $write:expr;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $name(pub $inner);

        impl Value for $name {
            const ALLOWED: &'static str = concat!($what, " with its unit, such as \"", $example, "\"");
            type Table = NoTable;

            fn from_text(text: &str) -> Result<Self, Reason> {
                let value = $crate::units::quantity(text, $what, $units)?;
                let make: fn(f64) -> Result<$inner, &'static str> = $make;
                let refused = |why| $crate::code::Code::OutOfRange.says(format!("\"{text}\" {why}"));
                make(value).map($name).map_err(refused)
            }
            fn from_integer(number: i64) -> Result<Self, Reason> {
                Err($crate::units::without_unit(&number.to_string(), $units))
            }
            fn from_float(number: f64) -> Result<Self, Reason> {
                Err($crate::units::without_unit(&number.to_string(), $units))
            }
            fn written(&self) -> serde_json::Value {
                let given: fn($inner) -> base::Given = $write;
                $crate::given::as_json(&given(self.0)).unwrap_or_default()
            }
            fn schema(_: &mut SchemaGenerator) -> Schema {
                let names: Vec<&str> = $units.iter().map(|(name, _)| *name).collect();
                json_schema!({
                    "type": "string",
                    "pattern": format!("^\\s*[0-9][0-9._]*([eE][-+]?[0-9]+)?\\s*({})\\s*$", names.join("|")),
                    "examples": [$example],
                })
            }
        }
        values!($name);
    )+};
}
pub(crate) use quantities;

/// The longest time that a scenario can name: over 11 days. The agenda holds 2.28 years, so that what is scheduled
/// beyond the end fits too.
pub const LONGEST_S: f64 = 1e6;

quantities! {
    /// A length of time.
    Duration(Span), "a time", TIMES, "20 ms", |s| {
        if s > LONGEST_S { Err("is too long; allowed: at most 1000000 s") } else { Ok(Span::from_secs(s)) }
    }, Given::Span;
    /// A bit rate.
    BitRate(Rate), "a rate", RATES, "2 Mbps", |bps| {
        if bps < 100.0 { Err("is too low; a rate is 100 bps or more") }
        else if bps > 1e12 { Err("is too high; allowed: at most 1000 Gbps") }
        else { Ok(Rate((bps + 0.5) as u64)) }
    }, Given::Rate;
    /// A number of bytes; 1 kB is 1000 B, 1 KiB is 1024 B.
    Size(u64), "a size", SIZES, "64 kB", |bytes| {
        if bytes.fract() != 0.0 { Err("is not a whole number of bytes") }
        else if bytes > 1e15 { Err("is too large; allowed: at most 1000000 GB") }
        else { Ok(bytes as u64) }
    }, Given::Bytes;
}

/// A probability: 0.01 or "1 %".
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Probability(pub f64);

impl Probability {
    fn checked(p: f64, written: &str) -> Result<Self, Reason> {
        if (0.0..=1.0).contains(&p) {
            Ok(Probability(p))
        } else {
            let allowed = "allowed: 0 to 1, or \"0 %\" to \"100 %\"";
            Err(Code::OutOfRange.says(format!("{written} is not a probability; {allowed}")))
        }
    }
}

impl Value for Probability {
    const ALLOWED: &'static str = "a number from 0 to 1, or a percentage such as \"1 %\"";
    type Table = NoTable;

    fn from_text(text: &str) -> Result<Self, Reason> {
        let number = text.trim().strip_suffix('%').and_then(|n| n.trim().parse::<f64>().ok());
        let percent = number.ok_or_else(|| refuse::<Self>(&format!("\"{text}\"")))?;
        Probability::checked(percent / 100.0, &format!("\"{text}\""))
    }
    fn from_integer(number: i64) -> Result<Self, Reason> {
        Probability::checked(number as f64, &number.to_string())
    }
    fn from_float(number: f64) -> Result<Self, Reason> {
        Probability::checked(number, &number.to_string())
    }
    fn written(&self) -> Json {
        as_json(&Given::Number(self.0)).unwrap_or_default()
    }
    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [
            { "type": "number", "minimum": 0, "maximum": 1 },
            { "type": "string", "pattern": "^[0-9.]+\\s*%$", "examples": ["1 %"] },
        ]})
    }
}

/// A number of packets: 50 or "50 packets".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packets(pub u32);

/// Packets beyond this number fill gigabytes: more is a mistake.
const MOST_PACKETS: u32 = 100_000_000;

impl Packets {
    fn checked(number: f64, written: &str) -> Result<Self, Reason> {
        if number < 0.0 {
            Err(Code::OutOfRange.says(format!("{written} is negative; allowed: zero or more")))
        } else if number.fract() != 0.0 || number > f64::from(MOST_PACKETS) {
            Err(Code::OutOfRange.says(format!(
                "{written} is not a number of packets; allowed: whole, up to {MOST_PACKETS}"
            )))
        } else {
            Ok(Packets(number as u32))
        }
    }
}

impl Value for Packets {
    const ALLOWED: &'static str = "a number of packets, such as 50 or \"50 packets\"";
    type Table = NoTable;

    fn from_text(text: &str) -> Result<Self, Reason> {
        let number = quantity(text, "a number of packets", PACKETS)?;
        Packets::checked(number, &format!("\"{text}\""))
    }
    fn from_integer(number: i64) -> Result<Self, Reason> {
        Packets::checked(number as f64, &number.to_string())
    }
    fn from_float(number: f64) -> Result<Self, Reason> {
        Packets::checked(number, &number.to_string())
    }
    fn written(&self) -> Json {
        json!(self.0)
    }
    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [
            { "type": "integer", "minimum": 0 },
            { "type": "string", "pattern": "^[0-9]+\\s*(packets?|segments?)$", "examples": ["50 packets"] },
        ]})
    }
}

/// A window: "64 kB" or "10 packets".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowSize {
    /// A number of bytes.
    Bytes(u64),
    /// A number of segments of the largest size.
    Packets(u32),
}

impl Value for WindowSize {
    const ALLOWED: &'static str =
        "a size or a number of packets, such as \"64 kB\" or \"10 packets\"";
    type Table = NoTable;

    fn from_text(text: &str) -> Result<Self, Reason> {
        let text_unit = text.trim_start_matches(|c: char| !c.is_alphabetic());
        if PACKETS.iter().any(|(name, _)| *name == text_unit.trim()) {
            return Packets::from_text(text).map(|packets| WindowSize::Packets(packets.0));
        }
        let both: Vec<(&str, f64)> = SIZES.iter().chain(PACKETS).copied().collect();
        quantity(text, "a window", &both)?;
        Size::from_text(text).map(|size| WindowSize::Bytes(size.0))
    }
    fn from_integer(number: i64) -> Result<Self, Reason> {
        let message = format!("{number} has no unit; write \"{number} packets\" or \"{number} B\"");
        Err(Code::UnknownUnit.says(message))
    }
    fn written(&self) -> Json {
        match *self {
            WindowSize::Bytes(bytes) => Size(bytes).written(),
            WindowSize::Packets(packets) => json!(format!("{packets} packets")),
        }
    }
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        let (size, packets) =
            (generator.subschema_for::<Size>(), generator.subschema_for::<Packets>());
        json_schema!({ "anyOf": [size, packets] })
    }
}

values!(Probability, Packets, WindowSize);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_of_packets_may_be_written_with_an_exponent() {
        assert_eq!(Packets::from_float(1e3), Ok(Packets(1000)));
        let said = |number| Packets::from_float(number).unwrap_err().message;
        assert!(said(1e9).ends_with("allowed: whole, up to 100000000"), "{}", said(1e9));
        assert!(said(50.5).starts_with("50.5 is not a number of packets"), "{}", said(50.5));
        assert!(said(f64::NAN).starts_with("NaN is not a number of packets"));
    }

    #[test]
    fn reads_each_unit() {
        assert_eq!(Duration::from_text("33.3 ms"), Ok(Duration(Span(33_300_000))));
        assert_eq!(Duration::from_text("20us"), Ok(Duration(Span::micros(20))));
        assert_eq!(BitRate::from_text("5.5 Mbps"), Ok(BitRate(Rate(5_500_000))));
        assert_eq!(BitRate::from_text("1e6 bit/s"), Ok(BitRate(Rate(1_000_000))));
        assert_eq!(Size::from_text("64 kB"), Ok(Size(64_000)));
        assert_eq!(Size::from_text("1 MiB"), Ok(Size(1 << 20)));
        assert_eq!(Probability::from_text("1 %"), Ok(Probability(0.01)));
        assert_eq!(Packets::from_text("50 packets"), Ok(Packets(50)));
        assert_eq!(WindowSize::from_text("10 packets"), Ok(WindowSize::Packets(10)));
        assert_eq!(WindowSize::from_text("1_000 B"), Ok(WindowSize::Bytes(1000)));
    }

    #[test]
    fn refuses_and_says_what_is_allowed() {
        let why = |text| Duration::from_text(text).unwrap_err().message;
        assert!(why("20 mss").contains("did you mean \"ms\"? allowed: ns, us, ms"));
        assert!(why("20").contains("no unit"));
        assert!(why("-20 ms").contains("negative"));
        assert!(why("soon").contains("a number and a unit"));
        assert!(why("1e9 s").contains("at most"));
        assert!(Duration::from_integer(20).unwrap_err().message.contains("\"20 ms\""));
        assert!(BitRate::from_text("2 mbps").unwrap_err().message.contains("\"Mbps\""));
        assert!(BitRate::from_text("0 Mbps").unwrap_err().message.contains("100 bps"));
        assert!(Size::from_text("1.5 B").unwrap_err().message.contains("whole"));
        assert!(Size::from_text("-1 B").unwrap_err().message.contains("negative"));
        assert!(Probability::from_float(1.5).unwrap_err().message.contains("0 to 1"));
        assert!(Probability::from_float(f64::NAN).is_err());
        assert!(Packets::from_integer(-5).unwrap_err().message.contains("negative"));
        assert!(WindowSize::from_integer(10).unwrap_err().message.contains("10 packets"));
    }
}
