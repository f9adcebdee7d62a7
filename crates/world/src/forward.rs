//! A packet's way: from its transport over hop after hop to the transport at the other end, or to where it is lost.
//!
//! A packet at a node goes on by the ways that hold when it gets there. One that waits in a device's queue stays there:
//! the device has its next hop already, as in a real host.

use crate::cx::{Cx, Noting};
use crate::flows::{Batch, Burst};
use crate::network::Network;
use crate::note::Note;
use base::{CellId, FlowId, LinkId, NodeId, PacketId, StationId};
use net::{Direction, DropReason, Header, Hop, Packet, Socket, Step};

/// The place of a packet: the end of the hop that it has just made.
#[derive(Clone, Copy, Debug)]
pub(crate) enum At {
    /// That of a wired link.
    Wire(LinkId),
    /// A station of an element of the air.
    Air(CellId, StationId),
}

impl Network {
    // From a transport.

    /// Sends what transports have said.
    #[inline(always)]
    pub(crate) fn send_said(&mut self, cx: &mut Cx<impl Noting>) {
        if !self.flows.outbox().is_empty() {
            self.empty_outbox(cx);
        }
    }

    fn empty_outbox(&mut self, cx: &mut Cx<impl Noting>) {
        while let Some((&Batch { flow, direction, socket, framing, .. }, segment)) =
            self.flows.outbox().next()
        {
            let bytes = framing.options.packet_bytes(framing.header_bytes, segment);
            let header = Header::Tcp(*segment);
            self.send(cx, (flow, direction), socket, header, bytes);
        }
    }

    pub(crate) fn send_datagram(&mut self, cx: &mut Cx<impl Noting>, flow: FlowId, payload: u32) {
        if let Some((header, bytes)) = self.flows.datagram(flow, payload) {
            self.send(cx, (flow, Direction::Forward), Socket::default(), header, bytes);
        }
    }

    /// Sends `bytes` bytes as datagrams.
    pub(crate) fn send_burst(&mut self, cx: &mut Cx<impl Noting>, flow: FlowId, burst: Burst) {
        let mut left = burst.bytes;
        while left > 0 {
            let payload = left.min(burst.largest);
            self.send_datagram(cx, flow, payload);
            left -= payload;
        }
    }

    /// A transport hands a packet of `bytes` to the network.
    #[inline(always)]
    fn send(
        &mut self,
        cx: &mut Cx<impl Noting>,
        way: (FlowId, Direction),
        socket: Socket,
        header: Header,
        bytes: u32,
    ) {
        let (flow, direction) = way;
        self.flows.get_mut(flow).score.count_sent(direction);
        let (mark, step) = self.routes.begin(flow, direction);
        let id = self.pool.make(Packet {
            born: cx.now,
            header,
            flow,
            bytes,
            routing_header: self.routing_header(step),
            mark,
            direction,
            tunnel: None,
            socket,
        });
        cx.note(|| Note::Sent { id, bytes, flow, direction, header });
        self.hand_on(cx, id, step);
    }

    /// Returns the header that the network layer adds to a packet that begins with this step, bytes.
    #[inline]
    pub(crate) fn routing_header(&self, first: Step) -> u32 {
        match first {
            Step::Hop(Hop::Air { cell, from, .. }) => {
                self.elements[cell.index()].routing_header(from)
            }
            _ => 0,
        }
    }

    // From hop to hop.

    /// A packet has reached the end of its present hop.
    #[inline(always)]
    pub(crate) fn forward_next(&mut self, cx: &mut Cx<impl Noting>, id: PacketId, at: At) {
        let mark = &mut self.pool[id].mark;
        mark.advance();
        let step = match self.routes.step(*mark) {
            Some(step) => step,
            None => self.redirect(id, at),
        };
        if self.guards.is_none() || self.pass_guard(cx, id, at, step) {
            self.hand_on(cx, id, step);
        }
    }

    /// [`Network::forward`], for where most packets go on to a device.
    #[inline(always)]
    fn hand_on(&mut self, cx: &mut Cx<impl Noting>, id: PacketId, step: Step) {
        match step {
            Step::Hop(Hop::Wire(link)) => self.give_to_wire(cx, link, id),
            Step::Hop(Hop::Air { cell, from, to }) => self.give_to_air(cx, cell, (from, to), id),
            _ => self.forward(cx, id, step),
        }
    }

    /// Hands a packet to the device of its next hop, or to its transport at the end of its path.
    pub(crate) fn forward(&mut self, cx: &mut Cx<impl Noting>, id: PacketId, step: Step) {
        match step {
            Step::Arrived if self.pool[id].tunnel.is_some() => self.leave_tunnel(cx, id),
            Step::Arrived => self.deliver(cx, id),
            Step::Hop(Hop::Home(mobile)) => self.intercept(cx, id, mobile),
            Step::NoRoute(here) if self.wait_for_way(cx, id, here) => {}
            Step::NoRoute(here) => self.strand(cx, id, DropReason::NoRoute, here),
            Step::TooFar(here) => self.strand(cx, id, DropReason::Ttl, here),
            Step::Hop(Hop::Wire(link)) => self.give_to_wire(cx, link, id),
            Step::Hop(Hop::Air { cell, from, to }) => self.give_to_air(cx, cell, (from, to), id),
        }
    }

    /// Puts a packet on the way that holds now.
    #[cold]
    fn redirect(&mut self, id: PacketId, at: At) -> Step {
        self.redirect_from(id, self.node_at(at))
    }

    /// The node where a packet is.
    pub(crate) fn node_at(&self, at: At) -> NodeId {
        match at {
            At::Wire(link) => self.plan.links[link.index()].to,
            At::Air(cell, station) => self.sites.node_of(cell, station),
        }
    }

    /// Puts a packet that is at this node on the way that holds now.
    pub(crate) fn redirect_from(&mut self, id: PacketId, here: NodeId) -> Step {
        let packet = &mut self.pool[id];
        let of = match packet.tunnel {
            Some(tunnel) => (tunnel, Direction::Reverse),
            None => (packet.flow, packet.direction),
        };
        let (mark, step) = self.routes.go_on(of, here, packet.mark);
        packet.mark = mark;
        step
    }

    // To its end.

    /// A packet has come to the end of its path.
    fn deliver(&mut self, cx: &mut Cx<impl Noting>, id: PacketId) {
        let packet = self.pool.deliver(id);
        if packet.flow.index() < self.flows.len() {
            self.flows.on_packet(cx, id, packet);
            self.send_said(cx);
        } else {
            let (way, direction, header) = (packet.flow, packet.direction, packet.header);
            self.on_message_by_network(cx, (way, direction), &header);
        }
    }

    /// A packet cannot go on from the node where it is.
    #[cold]
    fn strand(&mut self, cx: &mut Cx<impl Noting>, id: PacketId, reason: DropReason, here: NodeId) {
        // A mobile node without an agent has no router.
        let is_cut_off = reason == DropReason::NoRoute && self.plan.is_mobile(here);
        let reason = if is_cut_off { DropReason::Handoff } else { reason };
        self.lose_here(cx, id, reason, here);
    }

    /// A packet is lost at a node: it counts at the first station there, if there is one.
    pub(crate) fn lose_here(
        &mut self,
        cx: &mut Cx<impl Noting>,
        id: PacketId,
        reason: DropReason,
        here: NodeId,
    ) {
        match self.sites.first_station_of(here) {
            Some((cell, station)) => self.lose_at(cx, cell, station, id, reason),
            None => self.lose(cx, id, reason),
        }
    }

    /// A packet is lost at a station.
    pub(crate) fn lose_at(
        &mut self,
        cx: &mut Cx<impl Noting>,
        cell: CellId,
        station: StationId,
        id: PacketId,
        reason: DropReason,
    ) {
        self.tell_guards_of_drop(cx, id, reason, self.sites.node_of(cell, station));
        self.element(cell).count_lost(station, reason);
        self.lose(cx, id, reason);
    }

    pub(crate) fn lose(&mut self, cx: &mut Cx<impl Noting>, id: PacketId, reason: DropReason) {
        let packet = self.pool.drop_packet(id);
        let &Packet { flow, direction, header, tunnel, .. } = packet;
        if flow.index() < self.flows.len() {
            self.flows.on_lost(packet, reason);
            self.count_lost_of_mobile((flow, direction), tunnel);
            cx.note(|| Note::Dropped { id, flow, direction, header, reason });
        } else if let Some(ip) = &mut self.mobile_ip {
            ip.lose_message(&header);
        } else if let Some(routers) = &mut self.routers {
            routers.lose(&header);
        }
    }
}
