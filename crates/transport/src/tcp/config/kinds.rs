//! Values of a connection's settings that are words or numbers, and how they are given.

use super::recovery::Recovery;
use base::{Form, Given, Kind, Rate, Refused, Span};

/// The recoveries with which something holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Where {
    /// None.
    Nowhere,
    /// All.
    Everywhere,
    /// Those with SACK, as in Linux; the RFCs of the others do not have it.
    WithSack,
    /// RACK-TLP.
    WithRack,
}

impl Where {
    /// Returns whether it holds with this recovery.
    pub fn holds(self, recovery: Recovery) -> bool {
        match self {
            Where::Nowhere => false,
            Where::Everywhere => true,
            Where::WithSack => recovery.uses_sack(),
            Where::WithRack => recovery == Recovery::RackTlp,
        }
    }
}

impl Kind<Where> for Where {
    const FORM: Form = Form::Either(
        "true, false, \"with_sack\" or \"with_rack\"",
        &[Form::Flag, Form::Words(&["with_sack", "with_rack"])],
    );

    fn take(given: &Given) -> Result<Where, Refused> {
        match given {
            Given::Flag(false) => Ok(Where::Nowhere),
            Given::Flag(true) => Ok(Where::Everywhere),
            Given::Word(word) if word == "with_sack" => Ok(Where::WithSack),
            Given::Word(word) if word == "with_rack" => Ok(Where::WithRack),
            _ => Err(Refused::Form),
        }
    }

    fn give(value: &Where) -> Given {
        match value {
            Where::Nowhere => Given::Flag(false),
            Where::Everywhere => Given::Flag(true),
            Where::WithSack => Given::Word("with_sack".into()),
            Where::WithRack => Given::Word("with_rack".into()),
        }
    }
}

/// A slow-start threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Threshold {
    /// As high as can be.
    Unlimited,
    /// The receive window in whole segments.
    Window,
    /// As many segments.
    Segments(f64),
}

impl Kind<Threshold> for Threshold {
    const FORM: Form = Form::Either(
        "a number of segments, such as 64, or \"unlimited\", or \"window\"",
        &[Form::Count, Form::Words(&["unlimited", "window"])],
    );

    fn take(given: &Given) -> Result<Threshold, Refused> {
        match given {
            Given::Count(segments) => Ok(Threshold::Segments(f64::from(*segments))),
            Given::Word(word) if word == "unlimited" => Ok(Threshold::Unlimited),
            Given::Word(word) if word == "window" => Ok(Threshold::Window),
            _ => Err(Refused::Form),
        }
    }

    fn give(value: &Threshold) -> Given {
        match value {
            Threshold::Unlimited => Given::Word("unlimited".into()),
            Threshold::Window => Given::Word("window".into()),
            Threshold::Segments(segments) => Given::Count(*segments as u32),
        }
    }
}

/// The kind of a limit in segments, at least one; infinite where there is none.
pub struct Segments;

impl Kind<f64> for Segments {
    const FORM: Form = Form::Either(
        "a number of segments, such as 64, or \"unlimited\"",
        &[Form::Count, Form::Words(&["unlimited"])],
    );

    fn take(given: &Given) -> Result<f64, Refused> {
        match given {
            Given::Count(0) => Err(Refused::Says(
                "the window would never grow; allowed: 1 or more, or \"unlimited\"",
            )),
            Given::Count(segments) => Ok(f64::from(*segments)),
            Given::Word(word) if word == "unlimited" => Ok(f64::INFINITY),
            _ => Err(Refused::Form),
        }
    }

    fn give(value: &f64) -> Given {
        match value.is_finite() {
            true => Given::Count(*value as u32),
            false => Given::Word("unlimited".into()),
        }
    }
}

/// The kind of timestamps: the tick of their clock, where there are any. Linux has 1 ms.
pub struct Tick;

impl Kind<Option<Span>> for Tick {
    const FORM: Form =
        Form::Either("false, true, or a tick such as \"1 ms\"", &[Form::Flag, Form::Span]);

    fn take(given: &Given) -> Result<Option<Span>, Refused> {
        match *given {
            Given::Flag(on) => Ok(on.then_some(Span::millis(1))),
            Given::Span(Span::ZERO) => {
                Err(Refused::Says("a tick of no time; allowed: more than \"0 s\""))
            }
            Given::Span(tick) => Ok(Some(tick)),
            _ => Err(Refused::Form),
        }
    }

    fn give(value: &Option<Span>) -> Given {
        value.map_or(Given::Flag(false), Given::Span)
    }
}

/// Delayed acknowledgements (RFC 5681 section 4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DelayedAck {
    /// An acknowledgement at every this many full-sized segments.
    pub segments: u32,
    /// The longest delay; `None`: [`TcpConfig::delayed_ack_timeout`](super::TcpConfig::delayed_ack_timeout).
    pub timeout: Option<Span>,
    /// Linux's occasions to send one at once, and its timer ([`quick`](crate::tcp::quick)).
    pub quick: bool,
}

impl DelayedAck {
    /// Every second segment (RFC 1122 section 4.2.3.2).
    pub const SECOND: DelayedAck = DelayedAck { segments: 2, timeout: None, quick: false };

    /// As Linux delays them, for `TCP_DELACK_MAX` at most.
    pub const LINUX: DelayedAck =
        DelayedAck { segments: 2, timeout: Some(Span::millis(200)), quick: true };

    /// One at every this many segments, and each after `timeout` at most.
    pub fn every(segments: u32, timeout: Span) -> DelayedAck {
        DelayedAck { segments, timeout: Some(timeout), quick: false }
    }

    /// A table of numbers.
    fn of(table: &[(&str, Given)]) -> Result<DelayedAck, Refused> {
        let mut delayed = DelayedAck::SECOND;
        for (key, given) in table {
            match (*key, given) {
                ("segments", Given::Whole(0)) => {
                    return Err(Refused::Says("0 segments; allowed: 1 or more"));
                }
                ("segments", given) => delayed.segments = u32::take(given)?,
                ("timeout", given) => delayed.timeout = Some(Span::take(given)?),
                _ => return Err(Refused::Unknown),
            }
        }
        Ok(delayed)
    }
}

impl Kind<Option<DelayedAck>> for DelayedAck {
    const FORM: Form = Form::Either(
        "false, true, \"linux\", or a table such as { segments = 2, timeout = \"100 ms\" }",
        &[
            Form::Flag,
            Form::Words(&["linux"]),
            Form::Table(&[
                (
                    "segments",
                    Form::Whole,
                    "How many full-sized segments one acknowledgement covers. Default: 2.",
                ),
                (
                    "timeout",
                    Form::Span,
                    "The longest delay of an acknowledgement. Default: `delayed_ack_timeout`.",
                ),
            ]),
        ],
    );

    fn take(given: &Given) -> Result<Option<DelayedAck>, Refused> {
        match given {
            Given::Flag(on) => Ok(on.then_some(DelayedAck::SECOND)),
            Given::Word(word) if word == "linux" => Ok(Some(DelayedAck::LINUX)),
            Given::Table(table) => DelayedAck::of(table).map(Some),
            _ => Err(Refused::Form),
        }
    }

    fn give(value: &Option<DelayedAck>) -> Given {
        match value {
            None => Given::Flag(false),
            Some(DelayedAck::SECOND) => Given::Flag(true),
            Some(DelayedAck { quick: true, .. }) => Given::Word("linux".into()),
            Some(DelayedAck { segments, timeout, .. }) => {
                let segments = ("segments", Given::Whole(u64::from(*segments)));
                let timeout = timeout.map(|timeout| ("timeout", Given::Span(timeout)));
                Given::Table([segments].into_iter().chain(timeout).collect())
            }
        }
    }
}

/// Pacing from the window, in multiples of cwnd / SRTT. Linux has 2 and 1.2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pacing {
    /// In slow start.
    pub slow_start: f64,
    /// Else.
    pub avoidance: f64,
}

impl Kind<Option<Pacing>> for Pacing {
    const FORM: Form = Form::Flag;

    fn take(given: &Given) -> Result<Option<Pacing>, Refused> {
        let on = bool::take(given)?;
        Ok(on.then_some(Pacing { slow_start: 2.0, avoidance: 1.2 }))
    }

    fn give(value: &Option<Pacing>) -> Given {
        Given::Flag(value.is_some())
    }
}

/// The way in which the application reads data in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// At once: the window never closes.
    Immediate,
    /// At this many bytes a second.
    Rate(u64),
    /// At calls of [`Receiver::read`](crate::tcp::Receiver::read).
    Manual,
}

impl Kind<Reader> for Reader {
    const FORM: Form = Form::Rate;

    fn take(given: &Given) -> Result<Reader, Refused> {
        Rate::take(given).map(|Rate(bps)| Reader::Rate((bps / 8).max(1)))
    }

    fn give(value: &Reader) -> Given {
        match value {
            Reader::Immediate => Given::Prose("at once"),
            Reader::Rate(bytes) => Given::Rate(Rate(8 * bytes)),
            Reader::Manual => Given::Prose("when it is asked to"),
        }
    }
}
