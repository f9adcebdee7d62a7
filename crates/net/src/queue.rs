//! Queue limits and what is measured of a queue.

use base::{Span, Time};

/// How much a drop-tail queue holds. The limits differ in what counts, since simulators do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueueLimit {
    /// Waiting packets; the one being sent does not count (ns-3's device queue).
    Packets(u32),
    /// Packets waiting and being sent together (ns-2's DropTail drops when length + 1 >= limit, so a limit of N
    /// there holds N - 1 and the one on the wire).
    PacketsWithService(u32),
    /// Waiting bytes, network-layer sizes.
    Bytes(u64),
    /// No limit.
    Unlimited,
}

/// What the device behind a queue is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Device {
    /// Nothing: a packet that comes is sent at once, and never waits.
    #[default]
    Idle,
    /// A packet is being sent, or has its place.
    Sending,
    /// No packet is being sent, and one that comes waits all the same: a station that looks for its access point, or that
    /// has a management frame to send.
    Blocked,
}

/// What waits at this instant.
#[derive(Clone, Copy, Debug, Default)]
pub struct Backlog {
    /// Packets waiting, without the one being sent.
    pub packets: u32,
    /// Their bytes.
    pub bytes: u64,
    /// What they wait for.
    pub device: Device,
}

impl QueueLimit {
    /// True where a packet of `bytes` finds room behind `backlog`. An idle device always takes one; the limit holds
    /// whatever else keeps packets waiting.
    pub fn has_room(self, backlog: Backlog, bytes: u32) -> bool {
        if backlog.device == Device::Idle {
            return true;
        }
        match self {
            QueueLimit::Packets(limit) => backlog.packets < limit,
            QueueLimit::PacketsWithService(limit) => {
                backlog.packets + u32::from(backlog.device == Device::Sending) < limit
            }
            QueueLimit::Bytes(limit) => backlog.bytes + u64::from(bytes) <= limit,
            QueueLimit::Unlimited => true,
        }
    }
}

/// Counts of one queue since the measurement began.
#[derive(Clone, Copy, Debug, Default)]
pub struct QueueStats {
    /// Packets that came.
    pub offered: u64,
    /// Packets that found no room.
    pub dropped: u64,
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
    fn limits_count_what_they_say() {
        let with = |device| move |packets, bytes| Backlog { packets, bytes, device };
        let sending = with(Device::Sending);
        assert!(QueueLimit::Packets(2).has_room(sending(1, 1000), 1000));
        assert!(!QueueLimit::Packets(2).has_room(sending(2, 2000), 1000));
        assert!(!QueueLimit::PacketsWithService(2).has_room(sending(1, 1000), 1000));
        assert!(QueueLimit::PacketsWithService(2).has_room(sending(0, 0), 1000));
        assert!(QueueLimit::Bytes(2000).has_room(sending(1, 1000), 1000));
        assert!(!QueueLimit::Bytes(2000).has_room(sending(1, 1001), 1000));
        assert!(QueueLimit::Bytes(10).has_room(Backlog::default(), 1000));
        assert!(QueueLimit::Packets(0).has_room(Backlog::default(), 1000));
        let blocked = with(Device::Blocked);
        assert!(QueueLimit::Packets(2).has_room(blocked(1, 1000), 1000));
        assert!(!QueueLimit::Packets(2).has_room(blocked(2, 2000), 1000));
        assert!(!QueueLimit::Packets(0).has_room(blocked(0, 0), 1000));
        assert!(QueueLimit::PacketsWithService(2).has_room(blocked(1, 1000), 1000));
        assert!(!QueueLimit::PacketsWithService(2).has_room(blocked(2, 2000), 1000));
        assert!(QueueLimit::Bytes(2000).has_room(blocked(1, 1000), 1000));
        assert!(!QueueLimit::Bytes(2000).has_room(blocked(1, 1001), 1000));
    }

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
