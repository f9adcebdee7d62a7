//! How stations of a LAN come to the medium: one of two sets of rules.

use super::avoidance::Avoidance;
use super::config::{self, LanConfig};
use super::detection::Detection;
use super::period::{Candidate, Period};
use super::station::{Service, Station};
use crate::DropReason;
use base::{Span, StationId, Time};

/// The rules of access.
#[derive(Clone, Debug)]
pub(super) enum Access {
    Detection(Detection),
    Avoidance(Avoidance),
}

impl Access {
    pub fn new(config: &LanConfig) -> Access {
        match config.rules.access {
            config::Access::CsmaCd => Access::Detection(Detection::new(config)),
            config::Access::CsmaCa => Access::Avoidance(Avoidance::new(config)),
        }
    }

    /// Returns the next attempt of a station with a frame, after the last transmissions.
    #[inline]
    pub fn candidate(&self, last: &Period, station: StationId, service: &Service) -> Candidate {
        match self {
            Access::Detection(rules) => rules.candidate(last, station, service),
            Access::Avoidance(_) => Avoidance::candidate(station, service),
        }
    }

    /// The time beyond which no station begins any more if one begins at `first`.
    pub fn horizon(&self, first: Time) -> Time {
        match self {
            Access::Detection(rules) => rules.horizon(first),
            Access::Avoidance(rules) => rules.horizon(first),
        }
    }

    /// Returns true if a station begins although others have begun before it.
    #[inline]
    pub fn lets_in(&self, now: &Period, candidate: &Candidate) -> bool {
        match self {
            Access::Detection(rules) => rules.lets_in(now, candidate),
            Access::Avoidance(rules) => rules.lets_in(now, candidate),
        }
    }

    /// The time for which a station keeps silent after its own frame, whatever is on the medium.
    pub fn own_gap(&self) -> Span {
        match self {
            Access::Detection(rules) => rules.gap(),
            Access::Avoidance(rules) => rules.pause(),
        }
    }

    /// Time from which a station serves its next packet, after a frame with which it was done at `end`.
    pub fn resumes(&self, end: Time) -> Time {
        match self {
            Access::Detection(_) => Time::ZERO,
            Access::Avoidance(rules) => end + rules.pause(),
        }
    }

    /// Returns true if a station looks at the medium before it begins, and may give a frame up by that.
    #[inline]
    pub fn looks_first(&self) -> bool {
        matches!(self, Access::Avoidance(_))
    }

    /// A station looks at the medium after `last`.
    ///
    /// # Errors
    /// Why it gives its frame up.
    pub fn sense(
        &self,
        last: &Period,
        station: &mut Station,
        service: &mut Service,
    ) -> Result<(), DropReason> {
        match self {
            Access::Detection(_) => Ok(()),
            Access::Avoidance(rules) => rules.sense(last, station, service),
        }
    }

    /// A station whose frame collided stopped at `end`.
    ///
    /// # Errors
    /// Why the frame is not sent again.
    pub fn back_off(
        &self,
        station: &mut Station,
        service: &mut Service,
        end: Time,
    ) -> Result<(), DropReason> {
        match self {
            Access::Detection(rules) => rules.back_off(station, service, end),
            Access::Avoidance(_) => Err(DropReason::Collision),
        }
    }

    /// Decides the ends of transmissions, each of which began with its `airtime` ahead of it.
    pub fn set_ends(&self, now: &mut Period, airtime: impl Fn(StationId) -> Span) {
        match self {
            Access::Detection(rules) if now.collides() => rules.collide(now),
            Access::Detection(_) => {
                for alone in &mut now.sendings {
                    alone.end = alone.start + airtime(alone.station);
                }
            }
            Access::Avoidance(rules) => {
                for at in 0..now.sendings.len() {
                    let sending = now.sendings[at];
                    let airtime = airtime(sending.station);
                    now.sendings[at].end = rules.end(now, sending.start, airtime);
                }
            }
        }
    }
}
