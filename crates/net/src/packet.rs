//! A packet: a small `Copy` record, addressed by id.

use base::{FlowId, Time};

/// TCP control bits (RFC 9293 section 3.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(pub u8);

impl Flags {
    /// Synchronise: opens a connection, takes one number of the sequence space.
    pub const SYN: Flags = Flags(1);
    /// The acknowledgement field counts.
    pub const ACK: Flags = Flags(2);
    /// No more data: takes one number of the sequence space.
    pub const FIN: Flags = Flags(4);

    /// True where all bits of `other` are set.
    pub fn has(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    /// The bits of both.
    #[must_use]
    pub fn with(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }
}

/// A TCP segment's header. Sequence numbers are 64 bits wide and never wrap; the SYN is number 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Segment {
    /// The first sequence number that it carries.
    pub seq: u64,
    /// The next sequence number expected from the other side.
    pub ack: u64,
    /// Payload in bytes.
    pub len: u32,
    /// What the receiver still takes beyond `ack`, in bytes.
    pub window: u32,
    /// Control bits.
    pub flags: Flags,
    /// True for a retransmission. A simulator's knowledge, not on the wire.
    pub retransmission: bool,
}

impl Segment {
    /// The sequence number after the last that it takes.
    pub fn end(&self) -> u64 {
        let control = u64::from(self.flags.has(Flags::SYN)) + u64::from(self.flags.has(Flags::FIN));
        self.seq + u64::from(self.len) + control
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

/// Which way a packet goes along its flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the flow's source to its sink.
    Forward,
    /// From the sink back to the source: acknowledgements.
    Reverse,
}

/// What travels. `bytes` is the network-layer size, IP and transport headers included; each device adds its own.
#[derive(Clone, Copy, Debug)]
pub struct Packet {
    /// When the transport handed it to the network.
    pub born: Time,
    /// The transport header.
    pub header: Header,
    /// The conversation that it belongs to.
    pub flow: FlowId,
    /// Network-layer size in bytes.
    pub bytes: u32,
    /// Position on the path of (flow, direction).
    pub hop: u16,
    /// Forward or reverse.
    pub direction: Direction,
}

/// Why a packet was dropped. Every lost packet has exactly one reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum DropReason {
    /// No room in a queue.
    Queue,
    /// Named by a drop list.
    DropList,
    /// Random loss on a wire.
    WireLoss,
    /// The MAC's retry limit, last attempt lost to a collision.
    RetryCollision,
    /// The MAC's retry limit, last attempt lost to bit errors.
    RetryChannel,
    /// The MAC's retry limit, last attempt lost to a station that the sender could not notice.
    RetryHidden,
    /// The MAC's retry limit, the receiver too far away.
    RetryOutOfRange,
}

impl DropReason {
    /// All reasons, in the order of their numbers.
    pub const ALL: [DropReason; 7] = [
        DropReason::Queue,
        DropReason::DropList,
        DropReason::WireLoss,
        DropReason::RetryCollision,
        DropReason::RetryChannel,
        DropReason::RetryHidden,
        DropReason::RetryOutOfRange,
    ];

    /// The name in results.
    pub fn name(self) -> &'static str {
        match self {
            DropReason::Queue => "queue",
            DropReason::DropList => "drop_list",
            DropReason::WireLoss => "wire_loss",
            DropReason::RetryCollision => "retry_limit_collision",
            DropReason::RetryChannel => "retry_limit_channel",
            DropReason::RetryHidden => "retry_limit_hidden",
            DropReason::RetryOutOfRange => "out_of_range",
        }
    }
}

const _: () = assert!(size_of::<Packet>() <= 64, "a packet is one cache line");
