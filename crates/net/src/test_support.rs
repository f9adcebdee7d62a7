//! Packets for tests.

use crate::{Direction, Ecn, Header, Mark, Packet, Segment, Socket};
use base::{FlowId, Time};

/// Creates a segment of a flow that can carry a congestion mark.
pub fn packet(flow: u32) -> Packet {
    Packet {
        born: Time::ZERO,
        header: Header::Tcp(Segment { ecn: Ecn::Capable, ..Segment::default() }),
        flow: FlowId(flow),
        bytes: 1500,
        routing_header: 0,
        mark: Mark::default(),
        direction: Direction::Forward,
        tunnel: None,
        socket: Socket::default(),
    }
}
