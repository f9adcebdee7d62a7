//! Notes for probes. They are made only where a probe is on, and never change a run.

use crate::cuts::CutCause;
use base::{CellId, FlowId, LinkId, NodeId, PacketId, StationId, Time};
use net::{Direction, DropReason, Header, LanSent, Packet, Transit};
use transport::tcp::Snapshot;
use wifi::{Heard, Sent, SentMpdu};

/// Something that happened.
#[derive(Clone, Copy, Debug)]
pub enum Note {
    /// A packet was taken by a wired link, and it is known when it passes.
    WireIn {
        /// The link.
        link: LinkId,
        /// The packet's number.
        id: PacketId,
        /// The packet, marked where the queue does so.
        packet: Packet,
        /// Its passage over the link.
        transit: Transit,
    },
    /// A packet was taken by a wired link's queue, whose discipline will let it go, or not.
    WireWaits {
        /// The packet's number.
        id: PacketId,
        /// It is in a tunnel.
        tunnelled: bool,
    },
    /// A frame goes on the air, now or within the exchange that has just begun.
    FrameSent {
        /// The element of the air; its stations are numbered through its cells.
        cell: CellId,
        /// The frame.
        frame: Sent,
        /// The packet that enters service with it.
        packet: Option<Packet>,
    },
    /// A packet of the MPDU whose note comes next, when that goes on the air for the first time.
    MsduSent {
        /// The element of the air.
        cell: CellId,
        /// The station that sends it.
        from: StationId,
        /// The packet.
        packet: Packet,
    },
    /// An MPDU of the frame whose note came last, in a cell with access categories.
    MpduSent {
        /// The element of the air.
        cell: CellId,
        /// The MPDU.
        mpdu: SentMpdu,
    },
    /// A frame was heard, or will be within the exchange that has just begun.
    FrameHeard {
        /// The element of the air; its stations are numbered through its cells.
        cell: CellId,
        /// The last frame heard: its sender, its receiver and the outcome.
        heard: Heard,
    },
    /// A packet was offered to a wired link, taken or not.
    WireQueue {
        /// The link.
        link: LinkId,
        /// Packets that wait afterwards, without the one being sent.
        packets: u32,
    },
    /// A packet was offered to a station, or some have left its queue.
    Queue {
        /// The element.
        cell: CellId,
        /// The queue, numbered through those of the element's parts ([`crate::Part::queues`]).
        queue: u32,
        /// Packets that wait afterwards: without the one in service, but of 802.16 with it.
        packets: u32,
    },
    /// The uses of frames of an 802.16 cell.
    Frames {
        /// The element.
        cell: CellId,
        /// The event.
        told: wimax::Told,
    },
    /// A packet comes to its end on an element that tells no frames, well or not.
    Carried {
        /// The packet.
        id: PacketId,
        /// Since when it was the next of its station or connection.
        first_since: Time,
        /// Of an 802.16 cell: since when the base station knew of it (of the downlink, since it came).
        known_since: Option<Time>,
        /// The time when its first byte, or its last attempt, went on the medium.
        began: Time,
    },
    /// A station of a shared LAN has stopped sending.
    LanSent {
        /// The element.
        cell: CellId,
        /// The station.
        station: StationId,
        /// The frame sent.
        sent: LanSent,
    },
    /// The position of a station and its role in its cluster, after an election or when a clusterhead has
    /// failed: one note for each.
    Clustered {
        /// The node.
        node: NodeId,
        /// East and north, metres.
        place: (f64, f64),
        /// Its cluster; `None` where it is in none.
        cluster: Option<u32>,
        /// The clusters to which it speaks for its own, a bit for each.
        speaks_to: u64,
    },
    /// A packet was offered to a station, taken or not.
    AirIn {
        /// The element of the air.
        cell: CellId,
        /// The station that shall send it.
        from: StationId,
        /// The station that shall receive it.
        to: StationId,
        /// The packet.
        id: PacketId,
    },
    /// A packet has come over the air to the station that it was sent to; its network layer gets it now or, through its link
    /// layer, later.
    AirOut {
        /// The packet.
        id: PacketId,
    },
    /// A turn of a station's, an exchange on the air, has ended, well or not.
    ExchangeEnded {
        /// The element of the air.
        cell: CellId,
        /// The station that began it.
        station: StationId,
    },
    /// A station has left its access point, or has come to one.
    Associated {
        /// The element of the air.
        cell: CellId,
        /// The station.
        station: StationId,
        /// It has one from now on.
        is: bool,
    },
    /// A packet left its transport.
    Sent {
        /// The packet, until it is delivered or dropped; its number then goes to another.
        id: PacketId,
        /// Its network-layer size, bytes.
        bytes: u32,
        /// The packet's flow.
        flow: FlowId,
        /// Its direction.
        direction: Direction,
        /// Its transport header.
        header: Header,
    },
    /// A packet reached its transport.
    Delivered {
        /// The packet.
        id: PacketId,
        /// The time when it was sent.
        born: Time,
        /// Its network-layer size, bytes.
        bytes: u32,
        /// The packet's flow.
        flow: FlowId,
        /// Its direction.
        direction: Direction,
        /// Its transport header.
        header: Header,
    },
    /// Application bytes came to the sink for the first time, in order for TCP.
    Fresh {
        /// The flow.
        flow: FlowId,
        /// The number of bytes.
        bytes: u64,
    },
    /// A packet was lost.
    Dropped {
        /// The packet.
        id: PacketId,
        /// The packet's flow.
        flow: FlowId,
        /// Its direction.
        direction: Direction,
        /// Its transport header.
        header: Header,
        /// The reason.
        reason: DropReason,
    },
    /// A TCP sender cut its window; [`Note::Tcp`] follows.
    WindowCut {
        /// The flow.
        flow: FlowId,
        /// The cause of the cut.
        cause: CutCause,
    },
    /// A TCP sender took a segment or a timeout.
    Tcp {
        /// The flow.
        flow: FlowId,
        /// Its state afterwards.
        state: Snapshot,
    },
}
