//! Capacity of a queue.

/// Capacity of a queue. The limits differ in what counts, since simulators do.
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

/// State of the device behind a queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Device {
    /// Idle: a packet that comes is sent at once, and never waits.
    #[default]
    Idle,
    /// A packet is being sent, or has its place.
    Sending,
    /// So many packets have their places: an aggregate is being sent, or is not acknowledged yet.
    Holding(u32),
    /// No packet is being sent, and one that comes waits all the same: a station that looks for its access point, or that
    /// has a management frame to send.
    Blocked,
}

impl Device {
    /// Packets that have their places in it.
    fn packets(self) -> u32 {
        match self {
            Device::Idle | Device::Blocked => 0,
            Device::Sending => 1,
            Device::Holding(packets) => packets,
        }
    }
}

/// Packets and bytes that wait at this instant.
#[derive(Clone, Copy, Debug, Default)]
pub struct Backlog {
    /// Packets waiting, without the one being sent.
    pub packets: u32,
    /// Their bytes.
    pub bytes: u64,
    /// State of the device that they wait for.
    pub device: Device,
}

impl QueueLimit {
    /// True where a packet of `bytes` finds room behind `backlog`. An idle device always takes one; the limit holds
    /// whatever else keeps packets waiting.
    #[inline]
    pub fn has_room(self, backlog: Backlog, bytes: u32) -> bool {
        if backlog.device == Device::Idle {
            return true;
        }
        match self {
            QueueLimit::Packets(limit) => backlog.packets < limit,
            QueueLimit::PacketsWithService(limit) => {
                backlog.packets + backlog.device.packets() < limit
            }
            QueueLimit::Bytes(limit) => backlog.bytes + u64::from(bytes) <= limit,
            QueueLimit::Unlimited => true,
        }
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
        let holding = with(Device::Holding(3));
        assert!(QueueLimit::PacketsWithService(5).has_room(holding(1, 1000), 1000));
        assert!(!QueueLimit::PacketsWithService(5).has_room(holding(2, 2000), 1000));
        assert!(QueueLimit::Packets(3).has_room(holding(2, 2000), 1000));
        let blocked = with(Device::Blocked);
        assert!(QueueLimit::Packets(2).has_room(blocked(1, 1000), 1000));
        assert!(!QueueLimit::Packets(2).has_room(blocked(2, 2000), 1000));
        assert!(!QueueLimit::Packets(0).has_room(blocked(0, 0), 1000));
        assert!(QueueLimit::PacketsWithService(2).has_room(blocked(1, 1000), 1000));
        assert!(!QueueLimit::PacketsWithService(2).has_room(blocked(2, 2000), 1000));
        assert!(QueueLimit::Bytes(2000).has_room(blocked(1, 1000), 1000));
        assert!(!QueueLimit::Bytes(2000).has_room(blocked(1, 1001), 1000));
    }
}
