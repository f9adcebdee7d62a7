//! CSMA/CD (IEEE 802.3, 4.2.3): a station that hears another while it sends stops and tries again.

use super::config::{Collisions, LanConfig, Reach, Timing};
use super::period::{Candidate, Period};
use super::station::{Service, Station};
use crate::DropReason;
use base::{Span, StationId, Time};

/// The rules of CSMA/CD on a LAN.
#[derive(Clone, Debug)]
pub(super) struct Detection {
    reach: Reach,
    timing: Timing,
    collisions: Collisions,
    attempt_limit: u32,
    backoff_limit: u32,
}

impl Detection {
    pub fn new(config: &LanConfig) -> Detection {
        Detection {
            reach: config.reach.clone(),
            timing: config.timing(),
            collisions: config.rules.collisions,
            attempt_limit: config.rules.attempt_limit,
            backoff_limit: config.rules.backoff_limit,
        }
    }

    /// The time for which a station keeps silent after its own frame.
    pub fn gap(&self) -> Span {
        self.timing.gap
    }

    /// Earliest start of a station with a frame, after the last transmissions.
    #[inline]
    pub fn candidate(&self, last: &Period, station: StationId, service: &Service) -> Candidate {
        let silent = self.silent_at(last, station);
        let open = if last.is_empty() { Time::ZERO } else { silent + self.timing.gap };
        let deaf_from = (open > service.ready).then(|| Time(open.0 - self.timing.deaf.0));
        Candidate { station, start: service.ready.max(open), deaf_from }
    }

    /// The time beyond which all stations hear one that begins at `first`.
    pub fn horizon(&self, first: Time) -> Time {
        Time(first.0 + self.timing.widest.0.max(1) + self.timing.deaf.0)
    }

    /// Returns true if a station begins although others have begun before it: it has not heard them yet, or no longer
    /// listens.
    pub fn lets_in(&self, now: &Period, candidate: &Candidate) -> bool {
        let heard = now.heard_at(&self.reach, candidate.station);
        heard >= candidate.start || candidate.deaf_from.is_some_and(|deaf| heard >= deaf)
    }

    /// Decides the ends of transmissions that collide: each sender notices the first of the others while it sends.
    pub fn collide(&self, now: &mut Period) {
        for at in 0..now.sendings.len() {
            let sending = now.sendings[at];
            let noticed = now.heard_at(&self.reach, sending.station).max(sending.start);
            let from = match self.collisions {
                Collisions::Jam => noticed.max(sending.start + self.timing.preamble),
                Collisions::Notice => noticed,
            };
            now.sendings[at].end = from + self.timing.jam;
        }
    }

    /// A station whose frame collided stopped at `end`: draws its backoff.
    ///
    /// # Errors
    /// Why it gives the frame up.
    pub fn back_off(
        &self,
        station: &mut Station,
        service: &mut Service,
        end: Time,
    ) -> Result<(), DropReason> {
        service.tries += 1;
        if service.tries >= self.attempt_limit {
            return Err(DropReason::ExcessiveCollisions);
        }
        // Truncated binary exponential backoff (4.2.3.2.5).
        let slots = station.draw(1 << service.tries.min(self.backoff_limit));
        let from = match self.collisions {
            Collisions::Jam => end,
            Collisions::Notice => end + self.timing.gap,
        };
        service.ready = from + self.timing.slot * slots;
        Ok(())
    }

    /// Time at which the medium falls silent for a station.
    pub fn silent_at(&self, period: &Period, station: StationId) -> Time {
        if period.collides() && self.collisions == Collisions::Notice {
            return match period.sendings.iter().find(|own| own.station == station) {
                Some(own) => own.end,
                None => period.second_heard_at(&self.reach, station) + self.timing.jam,
            };
        }
        let ends = period.sendings.iter().map(|sending| {
            sending.end + self.reach.between(sending.station.index(), station.index())
        });
        ends.max().unwrap_or(Time::ZERO)
    }
}
