//! A sender's part in what is on the air.

use super::contender::Contender;
use crate::outcome::Outcome;
use crate::rates::RateRef;
use crate::station::Interval;
use base::{Span, StationId, Time};

/// A sender of the present exchange.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    pub contender: Contender,
    pub outcome: Outcome,
    pub took: Interval,
    /// The rates of its frames.
    pub rates: RateRef,
    /// Airtime of its data or request.
    pub airtime: Span,
    /// The time behind it: SIFS and answer.
    pub rest: Span,
    /// MPDUs of its that have come through.
    pub come: u32,
}

impl Turn {
    /// When its data or request have come, if any have: they are answered whether the answer is heard or not.
    pub fn heard(&self) -> Time {
        Time(self.took.end.0.saturating_sub(self.rest.0))
    }
}

/// A TXOP.
#[derive(Clone, Copy, Debug)]
pub struct Txop {
    pub holder: Contender,
    pub until: Time,
    /// Its first exchange has been answered.
    pub is_held: bool,
    /// When its next exchange begins.
    pub next: Time,
    /// To whom what fits it then goes.
    pub to: Option<StationId>,
    /// For how long nobody may have been heard before.
    pub idle_for: Span,
}

impl Txop {
    /// One that begins.
    pub fn new(holder: Contender, until: Time) -> Txop {
        Txop { holder, until, is_held: false, next: Time::NEVER, to: None, idle_for: Span::ZERO }
    }
}
