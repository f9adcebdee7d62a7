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

/// What waits at this instant.
#[derive(Clone, Copy, Debug, Default)]
pub struct Backlog {
    /// Packets waiting, without the one being sent.
    pub packets: u32,
    /// Their bytes.
    pub bytes: u64,
    /// True while a packet is being sent.
    pub in_service: bool,
}

impl QueueLimit {
    /// True where a packet of `bytes` finds room behind `backlog`. An idle device always takes one.
    pub fn has_room(self, backlog: Backlog, bytes: u32) -> bool {
        match self {
            QueueLimit::Packets(limit) => backlog.packets < limit || !backlog.in_service,
            QueueLimit::PacketsWithService(limit) => {
                !backlog.in_service || backlog.packets + 1 < limit
            }
            QueueLimit::Bytes(limit) => {
                !backlog.in_service || backlog.bytes + u64::from(bytes) <= limit
            }
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
    /// The longest it was, in packets waiting.
    pub max_packets: u32,
    /// Time-integral of the packets waiting, in packet-nanoseconds.
    area: u128,
}

impl QueueStats {
    /// Adds the waiting time of one packet to the integral.
    pub fn waited(&mut self, wait: Span) {
        self.area += u128::from(wait.0);
    }

    /// Mean number of packets waiting from `since` to `now`.
    pub fn mean_packets(&self, since: Time, now: Time) -> f64 {
        let elapsed = now.since(since).0;
        if elapsed == 0 { 0.0 } else { self.area as f64 / elapsed as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_count_what_they_say() {
        let busy = |packets, bytes| Backlog { packets, bytes, in_service: true };
        assert!(QueueLimit::Packets(2).has_room(busy(1, 1000), 1000));
        assert!(!QueueLimit::Packets(2).has_room(busy(2, 2000), 1000));
        assert!(!QueueLimit::PacketsWithService(2).has_room(busy(1, 1000), 1000));
        assert!(QueueLimit::PacketsWithService(2).has_room(busy(0, 0), 1000));
        assert!(QueueLimit::Bytes(2000).has_room(busy(1, 1000), 1000));
        assert!(!QueueLimit::Bytes(2000).has_room(busy(1, 1001), 1000));
        assert!(QueueLimit::Bytes(10).has_room(Backlog::default(), 1000));
    }
}
