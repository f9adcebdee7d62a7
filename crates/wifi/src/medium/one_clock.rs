//! Whether one clock serves for all stations of a medium.

use super::{Medium, Member, Reception};
use crate::config::{AccessRule, BackoffDraw, MacConfig, SlotRule};
use crate::frames::Timing;

impl Medium {
    /// Returns true if every station decodes every frame that is alone, whatever its rate, where nothing ever changes, and where all
    /// have the same spaces and rules: then [`Cell::refereed`](crate::Cell::refereed) delivers the same packets at the same
    /// nanoseconds.
    pub fn has_one_clock(&mut self, members: &[Member]) -> bool {
        let is_still = self.links.are_still() && self.is_one_channel && self.managers.is_empty();
        is_still
            && has_one_rule(members)
            && self.has_channels_of_a_cell(members)
            && self.decodes_all()
    }

    /// Returns true if channels beside power are those of one cell, or lose nothing.
    fn has_channels_of_a_cell(&self, members: &[Member]) -> bool {
        let first = |member: &Member| member.stream >> 32;
        let access_points = members.iter().filter(|member| member.is_access_point).count();
        let is_one_cell = members.windows(2).all(|two| first(&two[0]) == first(&two[1]));
        self.errors.is_none() || (is_one_cell && access_points <= 1)
    }

    fn decodes_all(&mut self) -> bool {
        let clear_w = match &self.reception {
            Reception::Thresholds(_) => 0.0,
            // The first of two equally strong frames must stay the one that is listened to.
            Reception::Sinr(config) if config.capture_ratio.is_some_and(|ratio| ratio <= 1.0) => {
                return false;
            }
            Reception::Sinr(config) => {
                self.hazards.all_clear_from() * config.noise_w * (1.0 + 1e-12)
            }
        };
        let levels = &self.levels;
        let sure_w = clear_w.max(levels.receive_w).max(levels.sense_w).max(levels.follow_w);
        self.links.are_all_from(sure_w)
    }
}

/// Returns true if all stations have the same, and where none can begin between the frames of an exchange.
fn has_one_rule(members: &[Member]) -> bool {
    let all = || members.iter().map(|member| &member.station);
    let own = all().flat_map(|station| {
        let rungs = station.ladder.rungs.iter();
        rungs.map(|rung| (Timing::new(&rung.phy, &station.mac), rung.phy, station.mac))
    });
    let mut first = None;
    for (timing, phy, mac) in own {
        let Timing { sifs, difs, after_error, nav_timeout, .. } = timing;
        let unnoticed = phy.sense_time;
        // A slot that only those lose who have heard the last answer is lost by all of a cell; and by other rules of access a
        // frame that comes between two frames of an exchange need not draw a backoff.
        let is_plain = mac.slots == SlotRule::All
            && matches!(mac.access, AccessRule::ImmediateAfterDifs | AccessRule::AlwaysBackoff);
        let rules = (
            [phy.slot, sifs, difs, after_error, unnoticed, nav_timeout],
            // What is left of these is each station's own.
            MacConfig {
                rts_threshold: 0,
                short_retry_limit: None,
                long_retry_limit: None,
                backoff: BackoffDraw::Inclusive,
                ..mac
            },
        );
        let answers_first = sifs + unnoticed <= difs.min(after_error);
        if !is_plain || !answers_first || *first.get_or_insert(rules) != rules {
            return false;
        }
    }
    first.is_some()
}
