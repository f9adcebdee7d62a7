//! The network's work for Mobile IP: it carries messages, and packets through tunnels.
//!
//! Messages are packets like all others, on ways that are numbered as flows after those of the plan. A packet for a mobile
//! node goes to its home agent ([`net::Hop::Home`]), and from there through a tunnel or not.

use crate::cx::{Cx, Noting};
use crate::mobile_ip::Errand;
use crate::network::Network;
use base::{CellId, FlowId, NodeId, PacketId, StationId, Time};
use mobileip::{Message, TUNNEL_BYTES};
use net::{Direction, DropReason, Header, Packet, Socket};
use wifi::mlme::HandoffRecord;

impl Network {
    /// A timer of Mobile IP has come up.
    pub(crate) fn on_mobile_ip(&mut self, cx: &mut Cx<impl Noting>, who: u32) {
        let Some(ip) = &mut self.mobile_ip else { return };
        ip.on_timer(cx, who, &mut self.routes);
        self.run_errands(cx);
    }

    /// A mobile node has associated with an access point.
    pub(crate) fn join_mobile(
        &mut self,
        cx: &mut Cx<impl Noting>,
        cell: CellId,
        record: HandoffRecord,
    ) {
        let Some(ip) = &mut self.mobile_ip else { return };
        ip.on_joined(cx, cell, record, &mut self.routes);
        self.run_errands(cx);
    }

    fn run_errands(&mut self, cx: &mut Cx<impl Noting>) {
        let Some(ip) = &mut self.mobile_ip else { return };
        for errand in ip.take_errands() {
            match errand {
                Errand::RenewWays => self.renew_ways(cx),
                Errand::Say { way, link, message } => {
                    let Some(id) = self.pack(cx.now, (way, Direction::Forward), message) else {
                        return;
                    };
                    let header = self.element(link.cell).routing_header(link.from);
                    self.pool[id].routing_header = header;
                    self.give_to_air(cx, link.cell, (link.from, link.to), id);
                }
                Errand::Post { way, direction, message } => {
                    let Some(id) = self.pack(cx.now, (way, direction), message) else { return };
                    let (mark, step) = self.routes.begin(way, direction);
                    self.pool[id].mark = mark;
                    self.forward(cx, id, step);
                }
            }
        }
    }

    fn pack(
        &mut self,
        now: Time,
        (flow, direction): (FlowId, Direction),
        message: Message,
    ) -> Option<PacketId> {
        let (header, bytes) = self.mobile_ip.as_mut()?.pack(message);
        Some(self.pool.make(Packet {
            born: now,
            header,
            flow,
            bytes,
            routing_header: 0,
            mark: self.routes.nowhere(),
            direction,
            tunnel: None,
            socket: Socket::default(),
        }))
    }

    // Messages that arrive.

    /// A packet has come over the air to a station: true where it is a message, which has thus come to its end.
    #[cold]
    pub(crate) fn take_off_the_air(
        &mut self,
        cx: &mut Cx<impl Noting>,
        id: PacketId,
        cell: CellId,
        at: StationId,
    ) -> bool {
        if !self.mobile_ip.as_ref().is_some_and(|ip| ip.is_message(&self.pool[id])) {
            // It has come out of its tunnel, if it was in one, and its last hop is over.
            self.pool[id].tunnel = None;
            return false;
        }
        let header = self.pool.deliver(id).header;
        let node = self.sites.node_of(cell, at);
        self.take_message(cx, node, &header);
        true
    }

    /// A packet for all has been sent.
    pub(crate) fn on_broadcast(
        &mut self,
        cx: &mut Cx<impl Noting>,
        id: PacketId,
        cell: CellId,
        hearers: &[StationId],
    ) {
        let packet = *self.pool.deliver(id);
        if self.routers.is_some() {
            return self.on_update(cx, &packet, (cell, hearers));
        }
        let Some(ip) = &mut self.mobile_ip else { return };
        let Some(message) = ip.open(&packet.header) else { return };
        for &station in hearers {
            let node = self.sites.node_of(cell, station);
            self.on_message(cx, node, message);
        }
    }

    /// A message has come by the network to the agent at the end of its way.
    pub(crate) fn on_message_by_network(
        &mut self,
        cx: &mut Cx<impl Noting>,
        (way, direction): (FlowId, Direction),
        header: &Header,
    ) {
        let node = self.mobile_ip.as_ref().and_then(|ip| ip.node_at_end(way, direction));
        if let Some(node) = node {
            self.take_message(cx, node, header);
        }
    }

    fn take_message(&mut self, cx: &mut Cx<impl Noting>, at: NodeId, header: &Header) {
        if let Some(message) = self.mobile_ip.as_mut().and_then(|ip| ip.open(header)) {
            self.on_message(cx, at, message);
        }
    }

    fn on_message(&mut self, cx: &mut Cx<impl Noting>, at: NodeId, message: Message) {
        if let Some(ip) = &mut self.mobile_ip {
            ip.on_message(cx, at, message, &mut self.routes);
            self.run_errands(cx);
        }
    }

    // Tunnels.

    /// A packet for a mobile node is at its home agent: it goes through a tunnel to where the node is, or, where the node
    /// is not known to be away, to the home link.
    #[cold]
    pub(crate) fn intercept(&mut self, cx: &mut Cx<impl Noting>, id: PacketId, mobile: NodeId) {
        let Some(ip) = &mut self.mobile_ip else { return };
        let Some(tunnel) = ip.tunnel_to(mobile, cx.now) else {
            return self.visit(cx, id, 0, mobile);
        };
        let (mark, step) = self.routes.begin(tunnel, Direction::Reverse);
        let packet = &mut self.pool[id];
        (packet.mark, packet.tunnel) = (mark, Some(tunnel));
        packet.bytes += TUNNEL_BYTES;
        if packet.direction == Direction::Forward {
            self.flows.get_mut(packet.flow).score.tunnelled += 1;
        }
        self.forward(cx, id, step);
    }

    /// A packet has come to the end of its tunnel: it goes to the mobile node if that is a visitor there.
    #[cold]
    pub(crate) fn leave_tunnel(&mut self, cx: &mut Cx<impl Noting>, id: PacketId) {
        self.pool[id].bytes -= TUNNEL_BYTES;
        self.go_on_from_tunnel(cx, id);
    }

    /// A packet is at the end of a tunnel, without its header: it has come out of it, or was made there.
    pub(crate) fn go_on_from_tunnel(&mut self, cx: &mut Cx<impl Noting>, id: PacketId) {
        let packet = &self.pool[id];
        let (of, tunnel) = ((packet.flow, packet.direction), packet.tunnel);
        let mobile = self.ends(of).1;
        let Some(ip) = &self.mobile_ip else { return };
        match tunnel.and_then(|tunnel| ip.end_of_tunnel(tunnel, mobile, cx.now)) {
            None => {}
            Some((agent, true)) => self.visit(cx, id, agent, mobile),
            Some((agent, false)) => self.lose_at_agent(cx, id, agent),
        }
    }

    /// A packet for a mobile node is at the agent over whose link it goes.
    fn visit(&mut self, cx: &mut Cx<impl Noting>, id: PacketId, agent: usize, mobile: NodeId) {
        let link = self.mobile_ip.as_ref().and_then(|ip| ip.link_of(agent));
        if let Some((cell, station)) = link.filter(|_| self.guards.is_some()) {
            let here = self.sites.node_of(cell, station);
            if !self.show_guard(cx, id, (here, Some(agent))) {
                return;
            }
        }
        self.hand_over(cx, id, agent, mobile);
    }

    /// Sends a packet over an agent's link to a mobile node.
    pub(crate) fn hand_over(
        &mut self,
        cx: &mut Cx<impl Noting>,
        id: PacketId,
        agent: usize,
        mobile: NodeId,
    ) {
        let hop = self.mobile_ip.as_ref().and_then(|ip| ip.hop_to(agent, mobile));
        let Some((cell, from, to)) = hop else { return self.lose_at_agent(cx, id, agent) };
        self.pool[id].mark = self.routes.nowhere();
        self.give_to_air(cx, cell, (from, to), id);
    }

    fn lose_at_agent(&mut self, cx: &mut Cx<impl Noting>, id: PacketId, agent: usize) {
        match self.mobile_ip.as_ref().and_then(|ip| ip.link_of(agent)) {
            Some((cell, station)) => self.lose_at(cx, cell, station, id, DropReason::Handoff),
            None => self.lose(cx, id, DropReason::Handoff),
        }
    }

    // What is counted.

    /// Returns the source and the destination of a flow's packets in this direction.
    pub(crate) fn ends(&self, (flow, direction): (FlowId, Direction)) -> (NodeId, NodeId) {
        let flow = &self.plan.flows[flow.index()];
        match direction {
            Direction::Forward => (flow.from, flow.to),
            Direction::Reverse => (flow.to, flow.from),
        }
    }

    /// A packet has passed over the link of a station, which may be a mobile node's.
    pub(crate) fn note_contact(&mut self, now: Time, id: PacketId, cell: CellId, at: StationId) {
        let packet = &self.pool[id];
        if self.mobile_ip.as_ref().is_none_or(|ip| ip.is_message(packet)) {
            return;
        }
        let (flow, direction) = (packet.flow, packet.direction);
        let (ends, here) = (self.ends((flow, direction)), self.sites.node_of(cell, at));
        let Some(ip) = &mut self.mobile_ip else { return };
        if ip.note_contact(now, packet, ends, here) && direction == Direction::Forward {
            self.flows.get_mut(flow).score.delayed += 1;
        }
    }

    /// A packet of a flow is lost.
    #[inline]
    pub(crate) fn count_lost_of_mobile(&mut self, of: (FlowId, Direction), tunnel: Option<FlowId>) {
        if self.mobile_ip.is_some() {
            let ends = self.ends(of);
            if let Some(ip) = &mut self.mobile_ip {
                ip.count_lost(ends, tunnel);
            }
        }
    }
}
