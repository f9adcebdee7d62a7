//! The target and kind of an event, packed in the agenda's 29 bits: kind (5), index (24).

use crate::end::End;
use base::{CellId, FlowId, LinkId};
use engine::EventCode;

/// An event of the world. The order is that of the kinds' numbers, so that to tell kinds apart is one jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The head of a link's packets in flight arrives.
    WireArrival(LinkId),
    /// An element's next turn begins.
    Start(CellId),
    /// Packets of an element come to their receivers.
    Arrival(CellId),
    /// The end of a transmission that an element has begun.
    End(CellId),
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
    /// Something else that an element waits for.
    Own(OwnDue),
    /// Links have appeared or broken.
    Links(Nothing),
    /// A timer of Mobile IP: of an agent, or, numbered after them, of a mobile node.
    MobileIp(u32),
    /// A packet leaves the link layer of a station of this element of the air.
    LinkLayer(CellId),
    /// A link has sent a packet, and its queue's discipline says what is next.
    WireDeparture(LinkId),
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

/// A moment for which an element waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// Its next turn begins.
    Start,
    /// Packets come to their receivers.
    Arrival,
    /// The end of its transmission.
    End,
    /// Something that it knows by this number.
    Own(u16),
}

/// An element, and the number of what it waits for, in 24 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnDue(u32);

impl OwnDue {
    /// Packs both.
    pub fn new(cell: CellId, number: u16) -> OwnDue {
        OwnDue(cell.0 << u16::BITS | u32::from(number))
    }

    /// Both again.
    pub fn parts(self) -> (CellId, Due) {
        (CellId(self.0 >> u16::BITS), Due::Own(self.0 as u16))
    }
}

/// The most elements (channels, cells alone, LANs) where one of them waits for things of its own.
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
            Event::Start(cell) => (1, cell.0),
            Event::Arrival(cell) => (2, cell.0),
            Event::End(cell) => (3, cell.0),
            Event::SourceTimer(connection) => (4, connection),
            Event::SinkTimer(connection) => (5, connection),
            Event::FlowStart(flow) => (6, flow.0),
            Event::FlowStop(flow) => (7, flow.0),
            Event::AppTick(flow) => (8, flow.0),
            Event::BeginMeasurement(nothing) => (9, nothing.0),
            Event::Own(due) => (10, due.0),
            Event::Links(nothing) => (11, nothing.0),
            Event::MobileIp(who) => (12, who),
            Event::LinkLayer(cell) => (13, cell.0),
            Event::WireDeparture(link) => (14, link.0),
            Event::Routing(who) => (15, who),
            Event::Split(relay) => (16, relay),
            Event::Proxy(post) => (17, post),
            Event::ProxyRestart(proxy) => (18, proxy),
        };
        kind << INDEX_BITS | index
    }

    /// From the agenda.
    #[inline(always)]
    pub fn from_code(code: EventCode) -> Event {
        let index = code & ((1 << INDEX_BITS) - 1);
        match code >> INDEX_BITS {
            0 => Event::WireArrival(LinkId(index)),
            1 => Event::Start(CellId(index)),
            2 => Event::Arrival(CellId(index)),
            3 => Event::End(CellId(index)),
            4 => Event::SourceTimer(index),
            5 => Event::SinkTimer(index),
            6 => Event::FlowStart(FlowId(index)),
            7 => Event::FlowStop(FlowId(index)),
            8 => Event::AppTick(FlowId(index)),
            9 => Event::BeginMeasurement(Nothing(index)),
            10 => Event::Own(OwnDue(index)),
            11 => Event::Links(Nothing(index)),
            12 => Event::MobileIp(index),
            13 => Event::LinkLayer(CellId(index)),
            14 => Event::WireDeparture(LinkId(index)),
            15 => Event::Routing(index),
            16 => Event::Split(index),
            17 => Event::Proxy(index),
            _ => Event::ProxyRestart(index),
        }
    }

    /// A moment for which an element waits.
    #[inline(always)]
    pub fn of_element(cell: CellId, due: Due) -> Event {
        match due {
            Due::Start => Event::Start(cell),
            Due::Arrival => Event::Arrival(cell),
            Due::End => Event::End(cell),
            Due::Own(number) => Event::Own(OwnDue::new(cell, number)),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_come_back_as_they_went() {
        for event in [
            Event::WireArrival(LinkId(3)),
            Event::WireDeparture(LinkId(4)),
            Event::Start(CellId(1)),
            Event::Arrival(CellId(2)),
            Event::End(CellId(0)),
            Event::timer(9999, End::Source),
            Event::timer((1 << 24) - 1, End::Sink),
            Event::FlowStart(FlowId(5)),
            Event::FlowStop(FlowId(5)),
            Event::AppTick(FlowId((1 << 24) - 1)),
            Event::BeginMeasurement(Nothing::default()),
            Event::Links(Nothing::default()),
            Event::MobileIp(17),
            Event::LinkLayer(CellId(5)),
            Event::Routing(8),
            Event::Split(9),
            Event::Proxy(10),
            Event::ProxyRestart(11),
            Event::Own(OwnDue::new(CellId(255), u16::MAX)),
            Event::Own(OwnDue::new(CellId(1), 3)),
        ] {
            assert_eq!(Event::from_code(event.code()), event);
        }
    }
}
