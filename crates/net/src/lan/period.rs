//! One busy period of the medium: the senders, the collisions they notice, and the time at which it falls silent for each
//! station.

use super::config::{Collisions, Reach, Timing};
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

    /// Time at which all have stopped.
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

    /// Returns true if a station begins although others have begun before it: it has not heard them yet, or no longer
    /// listens.
    pub fn lets_in(&self, reach: &Reach, candidate: &Candidate) -> bool {
        let heard = self.heard_at(reach, candidate.station);
        heard >= candidate.start || candidate.deaf_from.is_some_and(|deaf| heard >= deaf)
    }

    /// Time at which the medium falls silent for a station.
    pub fn silent_at(
        &self,
        (reach, timing): (&Reach, &Timing),
        collisions: Collisions,
        station: StationId,
    ) -> Time {
        if self.sendings.len() > 1 && collisions == Collisions::Notice {
            return match self.sendings.iter().find(|own| own.station == station) {
                Some(own) => own.end,
                None => self.second_heard_at(reach, station) + timing.jam,
            };
        }
        let ends = self
            .sendings
            .iter()
            .map(|sending| sending.end + reach.between(sending.station.index(), station.index()));
        ends.max().unwrap_or(Time::ZERO)
    }

    /// Time at which a station that does not send hears two at once.
    fn second_heard_at(&self, reach: &Reach, station: StationId) -> Time {
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

    /// Decides the ends of transmissions that collide: each sender notices the first of the others while it sends.
    pub fn collide(&mut self, (reach, timing): (&Reach, &Timing), collisions: Collisions) {
        for at in 0..self.sendings.len() {
            let Sending { station, start, .. } = self.sendings[at];
            let noticed = self.heard_at(reach, station).max(start);
            let from = match collisions {
                Collisions::Jam => noticed.max(start + timing.preamble),
                Collisions::Notice => noticed,
            };
            self.sendings[at].end = from + timing.jam;
        }
    }
}
