//! What routers read in the IP header of a packet beside its conversation.

use crate::Direction;
use crate::packet::Packet;
use base::NodeId;
use std::sync::Arc;

/// The addresses and the codepoint in an IP header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IpHeader {
    /// The node that sends.
    pub source: NodeId,
    /// The node that receives.
    pub destination: NodeId,
    /// The differentiated services code point, 0 to 63 (RFC 2474).
    pub dscp: u8,
}

/// The headers of packets, by flow, in its forward direction. A packet of a flow that is not among them, such as a message
/// between routers, is of nobody and best effort.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IpHeaders(Arc<[IpHeader]>);

impl FromIterator<IpHeader> for IpHeaders {
    fn from_iter<I: IntoIterator<Item = IpHeader>>(headers: I) -> IpHeaders {
        IpHeaders(headers.into_iter().collect())
    }
}

impl IpHeaders {
    /// The header of a packet, where its flow has one.
    pub(crate) fn of(&self, packet: &Packet) -> Option<IpHeader> {
        let header = *self.0.get(packet.flow.index())?;
        let IpHeader { source, destination, dscp } = header;
        Some(match packet.direction {
            Direction::Forward => header,
            Direction::Reverse => IpHeader { source: destination, destination: source, dscp },
        })
    }
}
