//! What waits at a function, and what is counted of it.

use super::Function;
use crate::qos::stats::AccessStats;
use base::{StationId, Time};
use net::QueueStats;

impl Function {
    /// True where a packet would find room behind `coming` others that are on their way to the queue.
    pub fn has_room(&self, coming: usize) -> bool {
        self.line.has_room(self.device(), coming as u32)
    }

    /// Packets that wait.
    pub fn waiting(&self) -> usize {
        self.line.backlog() as usize
    }

    /// Packets for a receiver that have not been acknowledged, whether they wait or not; those in an AQM's queue are for all.
    pub fn unfinished(&self, to: StationId) -> usize {
        (self.line.managed() + self.held(to)) as usize
    }

    /// The counts of its queue up to `now`.
    pub fn queue_stats_by(&self, now: Time) -> QueueStats {
        self.line.stats_by(now)
    }

    /// Forgets the counts so far.
    pub fn begin_measurement(&mut self, now: Time) {
        (self.stats, self.is_counted) = (AccessStats::default(), false);
        self.line.begin_measurement(now);
    }
}
