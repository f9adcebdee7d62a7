//! Measures of a queue.

use base::{Span, Time};

/// Counts of one queue since the measurement began.
#[derive(Clone, Copy, Debug, Default)]
pub struct QueueStats {
    /// Packets that came.
    pub offered: u64,
    /// Packets among these that found no room, or that the queue's discipline dropped.
    pub dropped: u64,
    /// Packets that got a congestion mark.
    pub marked: u64,
    /// The longest it was, in packets waiting; as long as it was when the measurement began, at least.
    pub max_packets: u32,
    /// Time-integral of the packets waiting, in packet-nanoseconds.
    area: u128,
    /// Start of the measurement.
    since: Time,
}

impl QueueStats {
    /// Begins the measurement at `since`, with `waiting` packets waiting.
    pub fn begin(since: Time, waiting: u32) -> QueueStats {
        QueueStats { max_packets: waiting, since, ..QueueStats::default() }
    }

    /// The counts of this queue and of another of the same station together. They were no longer than the longest of each.
    pub fn with(self, other: QueueStats) -> QueueStats {
        QueueStats {
            offered: self.offered + other.offered,
            dropped: self.dropped + other.dropped,
            marked: self.marked + other.marked,
            max_packets: self.max_packets + other.max_packets,
            area: self.area + other.area,
            since: self.since,
        }
    }

    /// Adds one packet's wait between two instants to the integral, as much of it as is after the beginning.
    #[inline]
    pub fn waited(&mut self, from: Time, to: Time) {
        self.area += u128::from(to.since(from.max(self.since)).0);
    }

    /// A packet that came at `since` is dropped while it waits. One that came before the measurement began was not offered
    /// to it, and counts as little as a loss.
    pub fn drop_waiting(&mut self, since: Time, now: Time) {
        self.dropped += u64::from(since > self.since || self.since == Time::ZERO);
        self.waited(since, now);
    }

    /// Takes out of the integral a wait that will be over only after it is read.
    pub(crate) fn without(mut self, still_to_come: Span) -> QueueStats {
        self.area -= u128::from(still_to_come.0);
        self
    }

    /// Mean number of packets waiting up to `now`: the integral of their number over time, over that time.
    pub fn mean_packets(&self, now: Time) -> f64 {
        let elapsed = now.since(self.since).0;
        if elapsed == 0 { 0.0 } else { self.area as f64 / elapsed as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_integral_is_clipped_to_the_measured_time() {
        let mut stats = QueueStats::begin(Time(100), 3);
        stats.waited(Time(40), Time(90)); // before
        stats.waited(Time(40), Time(130)); // across its beginning
        stats.waited(Time(110), Time(150));
        assert_eq!(stats.mean_packets(Time(200)), 0.7);
        assert_eq!(stats.without(Span(20)).mean_packets(Time(200)), 0.5);
        assert_eq!((stats.max_packets, stats.mean_packets(Time(100))), (3, 0.0));
    }
}
