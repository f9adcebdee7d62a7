//! CSMA/CA as ns-2's `Mac/Csma/Ca` had it, to its release 2.1b4 of October 1998 (mac-csma.cc 1.26, channel.cc 1.22).
//!
//! A station that finds the medium taken backs off; one that finds it free begins, and all that begin within the delay of the
//! channel collide, since none of them can sense another before that. Nobody stops, and no acknowledgement tells a station
//! whether its frame came through: it is never sent again. After each frame a station pauses.

use super::config::{AvoidanceRules, LanConfig};
use super::period::{Candidate, Period};
use super::station::{Service, Station};
use crate::DropReason;
use base::{Span, StationId, Time};

/// The rules of CSMA/CA on a LAN.
#[derive(Clone, Debug)]
pub(super) struct Avoidance {
    rules: AvoidanceRules,
    /// The time for which a station that has begun is not sensed.
    contention: Span,
    attempt_limit: u32,
}

impl Avoidance {
    pub fn new(config: &LanConfig) -> Avoidance {
        Avoidance {
            rules: config.rules.avoidance,
            contention: config.reach.widest(),
            // No first look gives a frame up, which a scenario cannot ask for either.
            attempt_limit: config.rules.attempt_limit.max(2),
        }
    }

    /// The time for which a station keeps silent after its own frame.
    pub fn pause(&self) -> Span {
        self.rules.ifs + self.rules.slot * u64::from(self.rules.cw_min)
    }

    /// Returns the next attempt of a station with a frame.
    pub fn candidate(station: StationId, service: &Service) -> Candidate {
        Candidate { station, start: service.ready, deaf_from: None }
    }

    /// The time up to which a station that began at `first` is not sensed.
    pub fn horizon(&self, first: Time) -> Time {
        first + self.contention
    }

    /// Returns true if a station begins although others have begun before it.
    pub fn lets_in(&self, now: &Period, candidate: &Candidate) -> bool {
        now.is_empty() || candidate.start <= self.horizon(now.start())
    }

    /// Decides the end of a transmission, which has `airtime` ahead of it when it begins. A frame that is shorter than the contention
    /// period takes all of that.
    pub fn end(&self, now: &Period, start: Time, airtime: Span) -> Time {
        (start + airtime).max(self.horizon(now.start()))
    }

    /// A station looks at the medium after `last`, and backs off where it finds it taken.
    ///
    /// # Errors
    /// Why it gives the frame up.
    pub fn sense(
        &self,
        last: &Period,
        station: &mut Station,
        service: &mut Service,
    ) -> Result<(), DropReason> {
        let free = last.end() + self.rules.ifs;
        if last.is_empty() || service.ready >= free {
            return Ok(());
        }
        let AvoidanceRules { slot, cw_min, cw_max, .. } = self.rules;
        let doubled = u64::from(cw_min) << service.tries.min(u32::BITS);
        let window = if service.tries == 0 { cw_min } else { doubled.min(cw_max.into()) as u32 };
        service.tries += 1;
        if service.tries >= self.attempt_limit {
            return Err(DropReason::ExcessiveCollisions);
        }
        service.ready = free + slot * station.draw(window);
        Ok(())
    }
}
