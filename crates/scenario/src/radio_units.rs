//! Quantities of radio: "100 m", "2.4 GHz", "20 dBm".

use crate::at::{At, Reason};
use crate::code::Code;
use crate::given::as_json;
use crate::units::{quantities, quantity};
use crate::value::{NoTable, Value, refuse, values};
use base::Given;
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Value as Json, json};

/// One speed, or the smallest and the largest, m/s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Speeds(pub f64, pub f64);

/// A power, W.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Power(pub f64);

const LENGTHS: &[(&str, f64)] = &[("m", 1.0), ("cm", 0.01), ("km", 1e3)];
const SPEEDS: &[(&str, f64)] = &[("m/s", 1.0), ("km/h", 1.0 / 3.6)];
const FREQUENCIES: &[(&str, f64)] = &[("GHz", 1e9), ("MHz", 1e6), ("kHz", 1e3), ("Hz", 1.0)];
const POWERS: &[(&str, f64)] =
    &[("W", 1.0), ("mW", 1e-3), ("uW", 1e-6), ("nW", 1e-9), ("pW", 1e-12)];

/// More than a radio sends or hears: mistakes in the unit are found, and powers stay positive numbers.
const LARGEST_DBM: f64 = 100.0;
const SMALLEST_DBM: f64 = -200.0;

/// More than anything with a radio moves: a mistake in the unit.
const FASTEST_M_PER_S: f64 = 1e5;

quantities! {
    /// A length, metres.
    Length(f64), "a length", LENGTHS, "10 m", |metres| {
        if metres > 1e7 { Err("is too long; allowed: at most 10000 km") } else { Ok(metres) }
    }, Given::Length;
    /// A speed, m/s.
    Speed(f64), "a speed", SPEEDS, "5 m/s", |speed| {
        if speed <= 0.0 { Err("is not a speed; allowed: more than zero") }
        else if speed > FASTEST_M_PER_S { Err("is too fast; allowed: at most 100000 m/s") }
        else { Ok(speed) }
    }, |speed| Given::Word(format!("{speed} m/s").into());
    /// A frequency, Hz.
    Frequency(f64), "a frequency", FREQUENCIES, "2.4 GHz", |hz| {
        if (1e6..=1e12).contains(&hz) { Ok(hz) }
        else { Err("is not a radio frequency; allowed: 1 MHz to 1000 GHz") }
    }, Given::Frequency;
}

impl Value for Speeds {
    const ALLOWED: &'static str =
        "a speed such as \"5 m/s\", or the smallest and the largest, [\"1 m/s\", \"5 m/s\"]";
    type Table = NoTable;

    fn from_text(text: &str) -> Result<Self, Reason> {
        Speed::from_text(text).map(|speed| Speeds(speed.0, speed.0))
    }
    fn from_list(list: Vec<At<String>>) -> Result<Self, Reason> {
        let [slowest, fastest] = list.as_slice() else { return Err(refuse::<Self>("a list")) };
        let speeds = Speeds(Speed::from_text(slowest)?.0, Speed::from_text(fastest)?.0);
        if speeds.0 > speeds.1 {
            return Err(Code::OutOfRange.says(format!(
                "\"{}\" is more than \"{}\"; the smallest comes first",
                **slowest, **fastest
            )));
        }
        Ok(speeds)
    }
    fn written(&self) -> Json {
        json!([format!("{} m/s", self.0), format!("{} m/s", self.1)])
    }
    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [
            { "type": "string", "examples": ["5 m/s"] },
            { "type": "array", "items": { "type": "string" }, "minItems": 2, "maxItems": 2 },
        ]})
    }
}

fn watts(text: &str) -> Result<f64, Reason> {
    quantity(text, "a power", POWERS).map_err(|why| why.reworded(|why| format!("{why}, or dBm")))
}

impl Value for Power {
    const ALLOWED: &'static str = "a power with its unit, such as \"20 dBm\" or \"100 mW\"";
    type Table = NoTable;

    fn from_text(text: &str) -> Result<Self, Reason> {
        let dbm = match text.trim().strip_suffix("dBm") {
            Some(number) => {
                let number = number.trim().parse::<f64>();
                number.map_err(|_| refuse::<Self>(&format!("\"{text}\"")))?
            }
            None => radio::noise::dbm_from_w(watts(text)?),
        };
        if !(SMALLEST_DBM..=LARGEST_DBM).contains(&dbm) {
            let allowed = format!("allowed: {SMALLEST_DBM} dBm to {LARGEST_DBM} dBm");
            let message = format!("\"{text}\" is not a power of a radio; {allowed}");
            return Err(Code::OutOfRange.says(message));
        }
        // A power in watts is kept as written.
        Ok(Power(watts(text).unwrap_or_else(|_| radio::noise::w_from_dbm(dbm))))
    }
    fn written(&self) -> Json {
        as_json(&Given::Power(self.0)).unwrap_or_default()
    }
    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "examples": ["20 dBm", "100 mW"] })
    }
}

values!(Speeds, Power);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_watts_or_decibels() {
        assert_eq!(Power::from_text("3.652e-10 W"), Ok(Power(3.652e-10)));
        assert_eq!(Power::from_text("100 mW"), Ok(Power(0.1)));
        let near = |text, w: f64| (Power::from_text(text).unwrap().0 / w - 1.0).abs() < 1e-12;
        assert!(near("20 dBm", 0.1) && near("-30dBm", 1e-6));
        assert!(Power::from_text("20 dB").unwrap_err().message.contains("or dBm"));
        assert!(Power::from_text("0 W").unwrap_err().message.contains("not a power of a radio"));
        assert!(
            Power::from_text("nan dBm").unwrap_err().message.contains("not a power of a radio")
        );
        assert_eq!(Frequency::from_text("914 MHz"), Ok(Frequency(914e6)));
        assert_eq!(Length::from_text("1.5 km"), Ok(Length(1500.0)));
        assert!(Length::from_integer(3).unwrap_err().message.contains("\"3 m\""));
    }
}
