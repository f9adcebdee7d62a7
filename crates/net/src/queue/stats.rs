//! What is measured of a queue.

use base::{Span, Time};

/// Counts of one queue since the measurement began.
#[derive(Clone, Copy, Debug, Default)]
pub struct QueueStats {
    /// Packets that came.
    pub offered: u64,
    /// Packets that found no room, or that the queue's discipline dropped.
    pub dropped: u64,
    /// Packets that got a congestion mark.
    pub marked: u64,
    /// The longest it was, in packets waiting; as long as it was when the measurement began, at least.
    pub max_packets: u32,
    /// Time-integral of the packets waiting, in packet-nanoseconds.
    area: u128,
    /// When the measurement began.
    since: Time,
}

impl QueueStats {
    /// The measurement begins at `since`, with so many packets waiting.
    pub fn begin(since: Time, waiting: u32) -> QueueStats {
        QueueStats { max_packets: waiting, since, ..QueueStats::default() }
    }

    /// Adds one packet's wait between two instants to the integral, as much of it as is after the beginning.
    pub fn waited(&mut self, from: Time, to: Time) {
        self.area += u128::from(to.since(from.max(self.since)).0);
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
