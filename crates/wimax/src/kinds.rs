//! Settings of 802.16 that are written in ways of their own.

use base::{Form, Given, Hertz, Kind, Named, Refused, Span, named};

/// Downlink to uplink.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ratio(pub u32, pub u32);

/// A share of less than a thousandth is a mistake.
const LARGEST_PART: u32 = 1000;

impl Kind<Ratio> for Ratio {
    const FORM: Form = Form::Text {
        allowed: "downlink to uplink, such as \"3:1\", each 1 to 1000",
        pattern: "^ *[0-9]+ *: *[0-9]+ *$",
    };

    fn take(given: &Given) -> Result<Ratio, Refused> {
        let Given::Word(text) = given else { return Err(Refused::Form) };
        let part = |text: &str| text.trim().parse().ok().filter(|n| (1..=LARGEST_PART).contains(n));
        let parts = text.split_once(':').and_then(|(down, up)| Some(Ratio(part(down)?, part(up)?)));
        parts.ok_or(Refused::Form)
    }

    fn give(value: &Ratio) -> Given {
        Given::Word(format!("{}:{}", value.0, value.1).into())
    }
}

named! {
    /// The cyclic prefix, in parts of a symbol's useful time.
    pub enum Prefix, "cyclic prefix" {
        Quarter = "1/4": "a quarter of a symbol's useful time",
        Eighth = "1/8": "an eighth of a symbol's useful time",
        Sixteenth = "1/16": "a sixteenth of a symbol's useful time",
        ThirtySecond = "1/32": "a thirty-second of a symbol's useful time",
    }
}

impl Prefix {
    /// Returns how often the useful time has it.
    fn divisor(self) -> u64 {
        4 << self as u64
    }
}

impl Kind<u64> for Prefix {
    const FORM: Form = <Prefix as Kind<Prefix>>::FORM;

    fn take(given: &Given) -> Result<u64, Refused> {
        <Prefix as Kind<Prefix>>::take(given).map(Prefix::divisor)
    }

    fn give(value: &u64) -> Given {
        let prefix = Prefix::ALL.iter().find(|prefix| prefix.divisor() == *value);
        prefix.map_or(Given::Prose("another"), <Prefix as Kind<Prefix>>::give)
    }
}

/// The kind of a bandwidth in whole hertz.
pub struct Bandwidth;

impl Kind<u64> for Bandwidth {
    const FORM: Form = Form::Frequency;

    fn take(given: &Given) -> Result<u64, Refused> {
        Hertz::take(given).map(|hertz| (hertz + 0.5) as u64)
    }

    fn give(value: &u64) -> Given {
        Given::Frequency(*value as f64)
    }
}

/// The kind of the length of a frame (802.16-2004, 8.3.5.1).
pub struct FrameLength;

const LENGTHS_US: [u64; 7] = [2500, 4000, 5000, 8000, 10_000, 12_500, 20_000];

impl Kind<Span> for FrameLength {
    const FORM: Form = Form::Span;

    fn take(given: &Given) -> Result<Span, Refused> {
        let length = <Span as Kind<Span>>::take(given)?;
        let known = LENGTHS_US.iter().any(|&us| Span::micros(us) == length);
        known.then_some(length).ok_or(Refused::Says(
            "no length of a frame; allowed: \"2.5 ms\", \"4 ms\", \"5 ms\", \"8 ms\", \"10 ms\", \"12.5 ms\", \"20 ms\"",
        ))
    }

    fn give(value: &Span) -> Given {
        Given::Span(*value)
    }
}
