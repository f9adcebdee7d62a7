//! Who is woken and why, packed in the agenda's 29 bits: kind (5), index (24).

use crate::end::End;
use base::{CellId, FlowId, LinkId, StationId};
use engine::EventCode;
use wifi::Due;

/// An event of the world. The order is that of the kinds' numbers, so that to tell kinds apart is one jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The head of a link's packets in flight arrives.
    WireArrival(LinkId),
    /// A cell's next exchange begins.
    CellStart(CellId),
    /// A cell's packet reaches its receiver.
    CellData(CellId),
    /// A cell's exchange is over.
    CellEnd(CellId),
    /// A timer of a TCP connection's source: retransmission, pacing and the like.
    SourceTimer(u32),
    /// A timer of a TCP connection's sink: delayed acknowledgement and the like.
    SinkTimer(u32),
    /// A flow begins.
    FlowStart(FlowId),
    /// A flow's application stops offering data.
    FlowStop(FlowId),
    /// A flow's application acts.
    AppTick(FlowId),
    /// The warm-up is over.
    BeginMeasurement(Nothing),
    /// Something that a medium waits for.
    Medium(MediumDue),
    /// Links have appeared or broken.
    Links(Nothing),
    /// A timer of Mobile IP: of an agent, or, numbered after them, of a mobile node.
    MobileIp(u32),
    /// A packet leaves the link layer of a station of this element of the air.
    LinkLayer(CellId),
    /// A link has sent a packet, and its queue's discipline says what is next.
    WireDeparture(LinkId),
    /// An 802.16 cell decides who sends, or what.
    Frame(CellId),
    /// Packets of an 802.16 cell come to their end.
    Landing(CellId),
    /// A router's time has come.
    Routing(u32),
    /// The node where the legs of a flow meet dies, or is back.
    Split(u32),
    /// A timer of a machine that watches over a connection.
    Proxy(u32),
    /// The nodes of a proxy of this number forget all that they know.
    ProxyRestart(u32),
}

/// No index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Nothing(u32);

/// An element of the air, and what its medium waits for, in 24 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MediumDue(u32);

impl MediumDue {
    /// Packs both.
    pub fn new(cell: CellId, due: Due) -> MediumDue {
        MediumDue(cell.0 << (DUE_BITS + DUE_KIND_BITS) | pack(due))
    }

    /// Both again.
    pub fn parts(self) -> (CellId, Due) {
        (CellId(self.0 >> (DUE_BITS + DUE_KIND_BITS)), unpack(self.0))
    }
}

/// What a medium waits for, in 24 bits: element (8), kind (3), frame or station (13).
const DUE_BITS: u32 = 13;
const DUE_KIND_BITS: u32 = 3;

/// The most stations on one channel. Power is kept for each pair: 4 million at this number.
pub const MAX_MEDIUM_STATIONS: usize = 2000;

/// The most elements of the air (channels, and cells alone) where one of them is a medium.
pub const MAX_MEDIUM: usize = 1 << 8;

const INDEX_BITS: u32 = 24;

/// The most links, cells, flows or connections that a world can have.
pub const MAX_INDEX: usize = 1 << INDEX_BITS;

impl Event {
    /// As the agenda keeps it.
    #[inline(always)]
    pub fn code(self) -> EventCode {
        let (kind, index) = match self {
            Event::WireArrival(link) => (0, link.0),
            Event::CellStart(cell) => (1, cell.0),
            Event::CellData(cell) => (2, cell.0),
            Event::CellEnd(cell) => (3, cell.0),
            Event::SourceTimer(connection) => (4, connection),
            Event::SinkTimer(connection) => (5, connection),
            Event::FlowStart(flow) => (6, flow.0),
            Event::FlowStop(flow) => (7, flow.0),
            Event::AppTick(flow) => (8, flow.0),
            Event::BeginMeasurement(nothing) => (9, nothing.0),
            Event::Medium(due) => (10, due.0),
            Event::Links(nothing) => (11, nothing.0),
            Event::MobileIp(who) => (12, who),
            Event::LinkLayer(cell) => (13, cell.0),
            Event::WireDeparture(link) => (14, link.0),
            Event::Frame(cell) => (15, cell.0),
            Event::Landing(cell) => (16, cell.0),
            Event::Routing(who) => (17, who),
            Event::Split(relay) => (18, relay),
            Event::Proxy(post) => (19, post),
            Event::ProxyRestart(proxy) => (20, proxy),
        };
        kind << INDEX_BITS | index
    }

    /// From the agenda.
    #[inline(always)]
    pub fn from_code(code: EventCode) -> Event {
        let index = code & ((1 << INDEX_BITS) - 1);
        match code >> INDEX_BITS {
            0 => Event::WireArrival(LinkId(index)),
            1 => Event::CellStart(CellId(index)),
            2 => Event::CellData(CellId(index)),
            3 => Event::CellEnd(CellId(index)),
            4 => Event::SourceTimer(index),
            5 => Event::SinkTimer(index),
            6 => Event::FlowStart(FlowId(index)),
            7 => Event::FlowStop(FlowId(index)),
            8 => Event::AppTick(FlowId(index)),
            9 => Event::BeginMeasurement(Nothing(index)),
            10 => Event::Medium(MediumDue(index)),
            11 => Event::Links(Nothing(index)),
            12 => Event::MobileIp(index),
            13 => Event::LinkLayer(CellId(index)),
            14 => Event::WireDeparture(LinkId(index)),
            15 => Event::Frame(CellId(index)),
            16 => Event::Landing(CellId(index)),
            17 => Event::Routing(index),
            18 => Event::Split(index),
            19 => Event::Proxy(index),
            _ => Event::ProxyRestart(index),
        }
    }

    /// The timer of an end of a TCP connection.
    #[inline(always)]
    pub fn timer(connection: u32, end: End) -> Event {
        match end {
            End::Source => Event::SourceTimer(connection),
            End::Sink => Event::SinkTimer(connection),
        }
    }
}

fn pack(due: Due) -> u32 {
    let (kind, which) = match due {
        Due::Data(frame) => (0, u32::from(frame)),
        Due::Control(frame) => (1, u32::from(frame)),
        Due::Answer(station) => (2, station.0),
        Due::Timeout(station) => (3, station.0),
        Due::Tuned(station) => (4, station.0),
        Due::Manage(station) => (5, station.0),
    };
    kind << DUE_BITS | which
}

fn unpack(index: u32) -> Due {
    let which = index & ((1 << DUE_BITS) - 1);
    match index >> DUE_BITS & ((1 << DUE_KIND_BITS) - 1) {
        0 => Due::Data(which as u16),
        1 => Due::Control(which as u16),
        2 => Due::Answer(StationId(which)),
        3 => Due::Timeout(StationId(which)),
        4 => Due::Tuned(StationId(which)),
        _ => Due::Manage(StationId(which)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_come_back_as_they_went() {
        for event in [
            Event::WireArrival(LinkId(3)),
            Event::WireDeparture(LinkId(4)),
            Event::CellStart(CellId(1)),
            Event::CellData(CellId(2)),
            Event::CellEnd(CellId(0)),
            Event::timer(9999, End::Source),
            Event::timer((1 << 24) - 1, End::Sink),
            Event::FlowStart(FlowId(5)),
            Event::FlowStop(FlowId(5)),
            Event::AppTick(FlowId((1 << 24) - 1)),
            Event::BeginMeasurement(Nothing::default()),
            Event::Links(Nothing::default()),
            Event::MobileIp(17),
            Event::LinkLayer(CellId(5)),
            Event::Frame(CellId(6)),
            Event::Landing(CellId(7)),
            Event::Routing(8),
            Event::Split(9),
            Event::Proxy(10),
            Event::ProxyRestart(11),
            Event::Medium(MediumDue::new(CellId(255), Due::Data(8191))),
            Event::Medium(MediumDue::new(CellId(1), Due::Control(3))),
            Event::Medium(MediumDue::new(CellId(2), Due::Answer(StationId(1999)))),
            Event::Medium(MediumDue::new(CellId(0), Due::Timeout(StationId(0)))),
            Event::Medium(MediumDue::new(CellId(255), Due::Tuned(StationId(1)))),
            Event::Medium(MediumDue::new(CellId(0), Due::Manage(StationId(1999)))),
        ] {
            assert_eq!(Event::from_code(event.code()), event);
        }
    }
}
