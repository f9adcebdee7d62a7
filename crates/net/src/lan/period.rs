//! One busy period of the medium: who sends, and from when to when.

use super::config::Reach;
use base::{Span, StationId, Time};

/// One station's sending.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sending {
    pub station: StationId,
    pub start: Time,
    pub end: Time,
}

/// A time for which the medium is taken, in the order of beginnings; empty: none.
#[derive(Clone, Debug, Default)]
pub(super) struct Period {
    pub sendings: Vec<Sending>,
}

/// Earliest start of a station, and the end of the gap that it waits for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub station: StationId,
    pub start: Time,
    /// Its beginning is the end of its gap: from here on it does not listen any more.
    pub deaf_from: Option<Time>,
}

/// A signal reaches its own place too, after the shortest time there is.
const SHORTEST: Span = Span(1);

impl Period {
    /// Returns true if no station sends.
    pub fn is_empty(&self) -> bool {
        self.sendings.is_empty()
    }

    /// Returns true if stations send at the same time.
    pub fn collides(&self) -> bool {
        self.sendings.len() > 1
    }

    /// Time at which the first began; [`Time::NEVER`] if no station sends.
    pub fn start(&self) -> Time {
        self.sendings.first().map_or(Time::NEVER, |first| first.start)
    }

    /// Time at which all have stopped.
    #[inline]
    pub fn end(&self) -> Time {
        self.sendings.iter().map(|sending| sending.end).max().unwrap_or(Time::ZERO)
    }

    /// Time at which a station first hears others; [`Time::NEVER`] if no other sends.
    pub fn heard_at(&self, reach: &Reach, station: StationId) -> Time {
        let others = self.sendings.iter().filter(|other| other.station != station);
        let heard = others.map(|other| {
            let way = reach.between(other.station.index(), station.index());
            other.start + way.max(SHORTEST)
        });
        heard.min().unwrap_or(Time::NEVER)
    }

    /// Time at which a station that does not send hears two at once.
    pub fn second_heard_at(&self, reach: &Reach, station: StationId) -> Time {
        let (mut first, mut second) = (Time::NEVER, Time::NEVER);
        for sending in &self.sendings {
            let at = sending.start + reach.between(sending.station.index(), station.index());
            if at < first {
                (first, second) = (at, first);
            } else {
                second = second.min(at);
            }
        }
        second
    }
}
