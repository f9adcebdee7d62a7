//! Messages under way: each is a packet, with its text kept beside.

use super::{MobileIp, World};
use crate::note::Note;
use crate::world::Whereabouts;
use base::{CellId, FlowId, NodeId, PacketId, StationId, Time};
use engine::Probe;
use mobileip::{Message, Sizes};
use net::{Datagram, Direction, Header, Packet, Socket};
use wifi::GROUP;

/// The texts of messages, by the numbers that their packets carry.
#[derive(Clone, Debug)]
pub struct Mail {
    sizes: Sizes,
    texts: Vec<Option<Message>>,
    free: Vec<u32>,
}

/// What was sent since the measurement began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Of agents, whether asked for or not.
    pub advertisements: u64,
    /// Of mobile nodes.
    pub solicitations: u64,
    /// Each hop of a request counts.
    pub requests: u64,
    /// Each hop of a reply counts.
    pub replies: u64,
    /// Bytes of all of them.
    pub bytes: u64,
    /// Those that did not arrive.
    pub lost: u64,
    /// Packets that went through a tunnel.
    pub tunnelled: u64,
    /// Bytes of the tunnels' headers.
    pub tunnel_bytes: u64,
}

impl Mail {
    pub fn new(sizes: Sizes) -> Mail {
        Mail { sizes, texts: Vec::new(), free: Vec::new() }
    }

    /// Keeps a text, and gives the header and the size of its packet.
    fn put(&mut self, message: Message) -> (Header, u32) {
        let number = self.free.pop().unwrap_or_else(|| {
            self.texts.push(None);
            self.texts.len() as u32 - 1
        });
        self.texts[number as usize] = Some(message);
        let bytes = self.sizes.of(&message);
        let len = bytes.saturating_sub(28);
        (Header::Udp(Datagram { number: u64::from(number), len }), bytes)
    }

    /// The text of a packet that has ended.
    fn take(&mut self, header: &Header) -> Option<Message> {
        let Header::Udp(datagram) = header else { return None };
        let text = self.texts.get_mut(datagram.number as usize)?.take();
        if text.is_some() {
            self.free.push(datagram.number as u32);
        }
        text
    }
}

impl Counts {
    fn count(&mut self, message: &Message, bytes: u32) {
        self.bytes += u64::from(bytes);
        *match message {
            Message::Advertisement(_) => &mut self.advertisements,
            Message::Solicitation(_) => &mut self.solicitations,
            Message::Request(_) => &mut self.requests,
            Message::Reply(_) => &mut self.replies,
        } += 1;
    }
}

impl MobileIp {
    /// Whether a packet is a message.
    pub(super) fn is_message(&self, packet: &Packet) -> bool {
        packet.flow.0 >= self.first_way
    }
}

impl World {
    /// Sends a message over a link.
    pub(super) fn say<P: Probe<Note>>(
        &mut self,
        now: Time,
        way: FlowId,
        link: (CellId, StationId, StationId),
        message: Message,
        probe: &mut P,
    ) {
        let Some(id) = self.pack(now, (way, Direction::Forward), message) else { return };
        let (cell, from, _) = link;
        self.pool[id].routing_header = self.cells[cell.index()].routing_header[from.index()];
        self.give_to_air(now, link, id, probe);
    }

    /// Sends a message through the network.
    pub(super) fn post<P: Probe<Note>>(
        &mut self,
        now: Time,
        on: (FlowId, Direction),
        message: Message,
        probe: &mut P,
    ) {
        let Some(id) = self.pack(now, on, message) else { return };
        let (mark, step) = self.routes.begin(on.0, on.1);
        self.pool[id].mark = mark;
        self.forward(now, id, step, probe);
    }

    fn pack(
        &mut self,
        now: Time,
        (flow, direction): (FlowId, Direction),
        message: Message,
    ) -> Option<PacketId> {
        let mark = self.routes.nowhere();
        let ip = self.mobile_ip.as_mut()?;
        let (header, bytes) = ip.mail.put(message);
        ip.counts.count(&message, bytes);
        let socket = Socket::default();
        Some(self.pool.make(Packet {
            born: now,
            header,
            flow,
            bytes,
            routing_header: 0,
            mark,
            direction,
            tunnel: None,
            socket,
        }))
    }

    /// A mobile node asks on each of its links who is there.
    pub(super) fn solicit<P: Probe<Note>>(
        &mut self,
        now: Time,
        mobile: usize,
        message: Message,
        probe: &mut P,
    ) {
        let Some(ip) = &self.mobile_ip else { return };
        let (node, way) = (ip.mobiles[mobile].node, ip.way_of_mobile(mobile));
        for cell in (0..self.cells.len() as u32).map(CellId) {
            if let Some(from) = self.station_at(cell, node) {
                self.say(now, way, (cell, from, GROUP), message, probe);
            }
        }
    }

    /// A mobile node writes to an agent on its link.
    pub(super) fn ask_agent<P: Probe<Note>>(
        &mut self,
        now: Time,
        (mobile, agent): (usize, NodeId),
        message: Message,
        probe: &mut P,
    ) {
        let Some(ip) = &self.mobile_ip else { return };
        let (node, way) = (ip.mobiles[mobile].node, ip.way_of_mobile(mobile));
        let link = ip.agent_at(agent).and_then(|agent| ip.agents[agent].link);
        let Some((cell, to)) = link else { return };
        if let Some(from) = self.station_at(cell, node) {
            self.say(now, way, (cell, from, to), message, probe);
        }
    }

    /// A packet has come over the air to the network layer of a station that may be an agent's or a mobile node's.
    pub(crate) fn on_air<P: Probe<Note>>(
        &mut self,
        now: Time,
        id: PacketId,
        at: (CellId, StationId),
        probe: &mut P,
    ) {
        match self.mobile_ip.as_ref().map(|ip| ip.is_message(&self.pool[id])) {
            None => return self.forward_next(now, id, Whereabouts::Air(at.0, at.1), probe),
            Some(false) => {
                // It has come out of its tunnel, if it was in one, and its last hop is over.
                self.pool[id].tunnel = None;
                return self.forward_next(now, id, Whereabouts::Air(at.0, at.1), probe);
            }
            Some(true) => {}
        }
        let header = self.pool.deliver(id).header;
        let node = self.node_of(at.0, at.1);
        self.open(now, node, &header, probe);
    }

    /// A packet for all has been sent.
    pub(crate) fn on_broadcast<P: Probe<Note>>(
        &mut self,
        now: Time,
        id: PacketId,
        (cell, hearers): (CellId, &[StationId]),
        probe: &mut P,
    ) {
        let header = self.pool.deliver(id).header;
        let Some(ip) = &mut self.mobile_ip else { return };
        let Some(message) = ip.mail.take(&header) else { return };
        for &station in hearers {
            let node = self.node_of(cell, station);
            self.take_message(now, node, message, probe);
        }
    }

    /// A message has come by the network to the agent at the end of its way.
    pub(crate) fn on_message_by_network<P: Probe<Note>>(
        &mut self,
        now: Time,
        (way, direction): (FlowId, Direction),
        header: &Header,
        probe: &mut P,
    ) {
        let Some(ip) = &self.mobile_ip else { return };
        let agent = match direction {
            Direction::Forward => Some(0),
            Direction::Reverse => ip.agent_of_way(way),
        };
        if let Some(agent) = agent {
            let node = ip.agents[agent].node;
            self.open(now, node, header, probe);
        }
    }

    fn open<P: Probe<Note>>(&mut self, now: Time, at: NodeId, header: &Header, probe: &mut P) {
        let Some(ip) = &mut self.mobile_ip else { return };
        if let Some(message) = ip.mail.take(header) {
            self.take_message(now, at, message, probe);
        }
    }

    /// A message is lost.
    pub(crate) fn lose_message(&mut self, header: &Header) {
        let Some(ip) = &mut self.mobile_ip else { return };
        if ip.mail.take(header).is_some() {
            ip.counts.lost += 1;
        }
    }
}
