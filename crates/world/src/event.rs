//! Who is woken and why, packed in the agenda's 28 bits: kind (4), index (24).

use base::{CellId, FlowId, LinkId};
use engine::EventCode;

/// An event of the world.
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
    /// A TCP sender's retransmission timer.
    SenderTimer(FlowId),
    /// A TCP receiver's delayed acknowledgement.
    ReceiverTimer(FlowId),
    /// A flow begins.
    FlowStart(FlowId),
    /// A flow's application stops offering data.
    FlowStop(FlowId),
    /// A flow's application acts.
    AppTick(FlowId),
    /// The warm-up is over.
    BeginMeasurement,
}

const INDEX_BITS: u32 = 24;

/// The most links, cells or flows that a world can have.
pub const MAX_INDEX: usize = 1 << INDEX_BITS;

impl Event {
    /// As the agenda keeps it.
    pub fn code(self) -> EventCode {
        let (kind, index) = match self {
            Event::WireArrival(link) => (0, link.0),
            Event::CellStart(cell) => (1, cell.0),
            Event::CellData(cell) => (2, cell.0),
            Event::CellEnd(cell) => (3, cell.0),
            Event::SenderTimer(flow) => (4, flow.0),
            Event::ReceiverTimer(flow) => (5, flow.0),
            Event::FlowStart(flow) => (6, flow.0),
            Event::FlowStop(flow) => (7, flow.0),
            Event::AppTick(flow) => (8, flow.0),
            Event::BeginMeasurement => (9, 0),
        };
        kind << INDEX_BITS | index
    }

    /// From the agenda.
    pub fn from_code(code: EventCode) -> Event {
        let index = code & ((1 << INDEX_BITS) - 1);
        match code >> INDEX_BITS {
            0 => Event::WireArrival(LinkId(index)),
            1 => Event::CellStart(CellId(index)),
            2 => Event::CellData(CellId(index)),
            3 => Event::CellEnd(CellId(index)),
            4 => Event::SenderTimer(FlowId(index)),
            5 => Event::ReceiverTimer(FlowId(index)),
            6 => Event::FlowStart(FlowId(index)),
            7 => Event::FlowStop(FlowId(index)),
            8 => Event::AppTick(FlowId(index)),
            _ => Event::BeginMeasurement,
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
            Event::CellStart(CellId(1)),
            Event::CellData(CellId(2)),
            Event::CellEnd(CellId(0)),
            Event::SenderTimer(FlowId(9999)),
            Event::ReceiverTimer(FlowId(7)),
            Event::FlowStart(FlowId(5)),
            Event::FlowStop(FlowId(5)),
            Event::AppTick(FlowId((1 << 24) - 1)),
            Event::BeginMeasurement,
        ] {
            assert_eq!(Event::from_code(event.code()), event);
        }
    }
}
