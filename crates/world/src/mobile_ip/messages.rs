//! Messages that leave, arrive and are lost.

use super::state::MobileIp;
use base::{FlowId, NodeId};
use mobileip::Message;
use net::{Direction, Header, Packet};

impl MobileIp {
    /// Returns whether a packet is a message.
    #[inline]
    pub fn is_message(&self, packet: &Packet) -> bool {
        packet.flow.0 >= self.first_way
    }

    /// Header and size of a message's packet.
    pub fn pack(&mut self, message: Message) -> (Header, u32) {
        let (header, bytes) = self.mail.put(message);
        self.counts.count(&message, bytes);
        (header, bytes)
    }

    /// The text of a packet that has come to its end.
    pub fn open(&mut self, header: &Header) -> Option<Message> {
        self.mail.take(header)
    }

    /// A message is lost.
    pub fn lose_message(&mut self, header: &Header) {
        if self.mail.take(header).is_some() {
            self.counts.lost += 1;
        }
    }

    /// The node of the agent at the end of a way.
    pub fn node_at_end(&self, way: FlowId, direction: Direction) -> Option<NodeId> {
        let agent = match direction {
            Direction::Forward => 0,
            Direction::Reverse => self.agent_of_way(way)?,
        };
        Some(self.agents[agent].node)
    }
}
