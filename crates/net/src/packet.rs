//! A packet: a small `Copy` record, addressed by id.

use crate::direction::Direction;
use crate::routes::Mark;
use crate::segment::{Ecn, Flags, MarkBytes, Options, Stamps};
use base::{FlowId, Time, named};

/// The largest network-layer packet, bytes (the total length of RFC 791, section 3.1).
pub const LARGEST_PACKET: u32 = 65_535;

/// A TCP segment's header. Sequence numbers are 64 bits wide and never wrap; the SYN is number 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Segment {
    /// The first sequence number that it carries.
    pub seq: u64,
    /// The next sequence number expected from the other side.
    pub ack: u64,
    /// Payload in bytes.
    pub len: u32,
    /// Receive window beyond `ack`, in bytes.
    pub window: u32,
    /// Control bits.
    pub flags: Flags,
    /// The codepoint of the IP header that carries it (RFC 3168 section 5): routers may change it.
    pub ecn: Ecn,
    /// True for a retransmission. A simulator's knowledge, not on the wire.
    pub retransmission: bool,
    /// True if it ends a write of the application (PSH).
    pub push: bool,
    /// SACK blocks and timestamps.
    pub options: Options,
}

impl Segment {
    /// The sequence number after the last that it takes.
    pub fn end(&self) -> u64 {
        let control = u64::from(self.flags.has(Flags::SYN)) + u64::from(self.flags.has(Flags::FIN));
        self.seq + u64::from(self.len) + control
    }

    /// Adds a SACK block [start, end) behind those that are there; false where there is no room. Set `ack` before.
    #[inline]
    pub fn push_sack(&mut self, start: u64, end: u64) -> bool {
        self.options.push(self.ack, start, end)
    }

    /// The SACK blocks, in the order of the option.
    pub fn sack_blocks(&self) -> impl Iterator<Item = (u64, u64)> + use<> {
        self.options.iter(self.ack)
    }

    /// True where it carries SACK blocks.
    pub fn has_sack(&self) -> bool {
        self.options.blocks() > 0
    }

    /// The timestamps option (RFC 7323), where the connection has it.
    pub fn stamps(&self) -> Option<Stamps> {
        self.options.stamps()
    }

    /// Sets the timestamps. Before the SACK blocks: they take the place of the fourth.
    pub fn set_stamps(&mut self, stamps: Option<Stamps>) {
        self.options.set_stamps(stamps);
    }

    /// The counts of the AccECN option, where it has one.
    pub fn mark_bytes(&self) -> Option<MarkBytes> {
        self.options.mark_bytes()
    }

    /// Sets the AccECN option: after the timestamps, before the SACK blocks.
    pub fn set_mark_bytes(&mut self, counts: MarkBytes) {
        self.options.set_mark_bytes(counts);
    }

    /// Bytes of options beyond the fixed header: timestamps 12, AccECN 8, SACK 4 and 8 a block, padding included.
    pub fn option_bytes(&self) -> u32 {
        let stamps = if self.stamps().is_some() { 12 } else { 0 };
        let sack = if self.has_sack() { 4 + 8 * u32::from(self.options.blocks()) } else { 0 };
        let marks = if self.mark_bytes().is_some() { 8 } else { 0 };
        stamps + marks + sack
    }
}

/// A UDP datagram's header, with the number that real applications put in the payload.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Datagram {
    /// Counts up from 0 within its flow.
    pub number: u64,
    /// Payload in bytes.
    pub len: u32,
}

/// The transport header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Header {
    /// Transmission Control Protocol.
    Tcp(Segment),
    /// User Datagram Protocol.
    Udp(Datagram),
}

/// Connection of a packet among those of its flow, if there are several: the role of ports and initial sequence numbers.
/// All zero if a flow is one connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Socket {
    /// Its place among those that its flow has at the same time.
    pub connection: u32,
    /// Number among the successive connections of that place.
    pub epoch: u32,
}

/// A packet. `bytes` is the network-layer size, IP and transport headers included; each device adds its own.
#[derive(Clone, Copy, Debug)]
pub struct Packet {
    /// Time at which the transport handed it to the network.
    pub born: Time,
    /// The transport header.
    pub header: Header,
    /// The conversation that it belongs to.
    pub flow: FlowId,
    /// Network-layer size in bytes.
    pub bytes: u32,
    /// Bytes that a mobile's network layer has added (ns-2): on the air and on every wire from there on.
    pub routing_header: u32,
    /// Its place on the way of (flow, direction).
    pub mark: Mark,
    /// Forward or reverse.
    pub direction: Direction,
    /// The flow of the tunnel that it is in, or has come out of to its last hop: it goes by that flow's way back. `bytes`
    /// counts the tunnel's header as long as it is there.
    pub tunnel: Option<FlowId>,
    /// Its connection within its flow.
    pub socket: Socket,
}

impl Packet {
    /// Returns the codepoint of its IP header (RFC 3168 section 5).
    pub fn ecn(&self) -> Ecn {
        match &self.header {
            Header::Tcp(segment) => segment.ecn,
            Header::Udp(_) => Ecn::NotCapable,
        }
    }

    /// Identifier of the conversation: equal for packets of one connection and direction, as a router sees by addresses and
    /// ports.
    pub fn conversation(&self) -> u64 {
        let flow = u64::from(self.flow.0) << 32 | u64::from(self.socket.connection);
        flow << 1 | u64::from(self.direction == Direction::Reverse)
    }

    /// Sets a congestion mark where the packet can carry one (RFC 3168 section 5); true where it does.
    pub fn mark(&mut self) -> bool {
        match &mut self.header {
            Header::Tcp(segment) if segment.ecn.is_capable() => {
                segment.ecn = Ecn::Marked;
                true
            }
            _ => false,
        }
    }
}

named! {
    /// Why a packet was dropped. Every lost packet has exactly one reason.
    #[repr(u8)]
    pub enum DropReason, "reason" {
        Queue = "queue": "no room in a queue",
        Aqm = "aqm": "active queue management: dropped by its queue's discipline, though there was room",
        Filtered = "filtered": "an acknowledgement that a later one in its queue made needless: the queue's filter took it out",
        DropList = "drop_list": "named by a drop list",
        WireLoss = "wire_loss": "random loss on a wire or a shared LAN",
        RetryCollision = "retry_limit_collision": "the MAC's retry limit was reached, with the last attempt lost to a collision",
        RetryChannel = "retry_limit_channel": "the MAC's retry limit was reached, with the last attempt lost to bit errors",
        RetryHidden = "retry_limit_hidden": "the MAC's retry limit was reached, with the last attempt lost to a hidden station",
        RetryOutOfRange = "out_of_range": "the MAC's retry limit was reached, and the receiver was out of range",
        Lifetime = "lifetime": "it was in the MAC for longer than its lifetime",
        NoRoute = "no_route": "the node where it was had no route to its destination",
        Ttl = "ttl": "it had made as many hops as `ttl` allows",
        Handoff = "handoff": "lost while its station changed from one access point or agent to another",
        Clusterhead = "clusterhead": "the random error of extra clusterheads",
        Air = "air": "lost on the air to bit errors, where nothing is sent again (802.16)",
        ExcessiveCollisions = "excessive_collisions": "given up: every attempt on a shared LAN collided, or found it taken",
        Collision = "collision": "lost to a collision on a shared LAN that sends nothing again",
        RequestRetries = "request_retries": "given up: all bandwidth requests of its station failed (802.16)",
        Suppressed = "suppressed": "a duplicate acknowledgement that a proxy has kept from the sender",
    }
}

// Two cache lines: the four SACK blocks and the timestamps take one.
const _: () = assert!(size_of::<Packet>() <= 128, "a packet is two cache lines");
