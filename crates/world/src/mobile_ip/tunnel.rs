//! Packets for mobile nodes, and what is counted of them.

use super::record::{DOWN, Traffic, UP};
use super::{MobileIp, World};
use crate::note::Note;
use base::{CellId, FlowId, NodeId, PacketId, StationId, Time};
use engine::Probe;
use mobileip::TUNNEL_BYTES;
use net::{Direction, DropReason, Packet};

impl World {
    /// A packet for a mobile node is at its home agent: it goes through a tunnel to where the node is, or, where the node
    /// is not known to be away, to the home link.
    #[cold]
    pub(crate) fn intercept<P: Probe<Note>>(
        &mut self,
        now: Time,
        id: PacketId,
        mobile: NodeId,
        probe: &mut P,
    ) {
        let Some(ip) = &mut self.mobile_ip else { return };
        let care_of = ip.agents[0].machine.care_of(mobile, now);
        let Some(agent) = care_of.and_then(|care_of| ip.agent_at(care_of)) else {
            return self.hand_over(now, id, (0, mobile), probe);
        };
        let tunnel = ip.way_of_agent(agent);
        ip.counts.tunnelled += 1;
        ip.counts.tunnel_bytes += u64::from(TUNNEL_BYTES);
        if let Some(handoff) = ip.handoff_of(mobile) {
            handoff.tunnelled += 1;
        }
        let (mark, step) = self.routes.begin(tunnel, Direction::Reverse);
        let packet = &mut self.pool[id];
        (packet.mark, packet.tunnel) = (mark, Some(tunnel));
        packet.bytes += TUNNEL_BYTES;
        if packet.direction == Direction::Forward {
            self.flows[packet.flow.index()].score.tunnelled += 1;
        }
        self.forward(now, id, step, probe);
    }

    /// A packet has come to the end of its tunnel: it goes to the mobile node if that is a visitor there.
    #[cold]
    pub(crate) fn leave_tunnel<P: Probe<Note>>(&mut self, now: Time, id: PacketId, probe: &mut P) {
        let packet = &mut self.pool[id];
        packet.bytes -= TUNNEL_BYTES;
        let (flow, direction, tunnel) = (packet.flow, packet.direction, packet.tunnel);
        let mobile = self.ends((flow, direction)).1;
        let Some(ip) = &self.mobile_ip else { return };
        let Some(agent) = tunnel.and_then(|tunnel| ip.agent_of_way(tunnel)) else { return };
        if ip.agents[agent].machine.has_visitor(mobile, now) {
            self.hand_over(now, id, (agent, mobile), probe);
        } else {
            self.lose_at_agent(now, id, agent, probe);
        }
    }

    /// Sends a packet over an agent's link to a mobile node.
    fn hand_over<P: Probe<Note>>(
        &mut self,
        now: Time,
        id: PacketId,
        (agent, mobile): (usize, NodeId),
        probe: &mut P,
    ) {
        let link = self.mobile_ip.as_ref().and_then(|ip| ip.agents[agent].link);
        let found =
            link.and_then(|(cell, from)| Some((cell, from, self.station_at(cell, mobile)?)));
        let Some(link) = found else { return self.lose_at_agent(now, id, agent, probe) };
        let mark = self.routes.nowhere();
        self.pool[id].mark = mark;
        self.give_to_air(now, link, id, probe);
    }

    fn lose_at_agent<P: Probe<Note>>(
        &mut self,
        now: Time,
        id: PacketId,
        agent: usize,
        probe: &mut P,
    ) {
        match self.mobile_ip.as_ref().and_then(|ip| ip.agents[agent].link) {
            Some(station) => self.lose_at(now, station, (id, DropReason::Handoff), probe),
            None => self.lose(now, id, DropReason::Handoff, probe),
        }
    }

    /// Where packets of a flow come from in this direction, and where they go.
    fn ends(&self, (flow, direction): (FlowId, Direction)) -> (NodeId, NodeId) {
        let flow = &self.plan.flows[flow.index()];
        match direction {
            Direction::Forward => (flow.from, flow.to),
            Direction::Reverse => (flow.to, flow.from),
        }
    }

    // What is counted.

    /// A packet has passed over the link of a mobile node: to it, or else from it.
    pub(crate) fn note_contact(
        &mut self,
        now: Time,
        id: PacketId,
        (cell, station): (CellId, StationId),
    ) {
        if self.mobile_ip.as_ref().is_none_or(|ip| ip.is_message(&self.pool[id])) {
            return;
        }
        let Packet { flow, direction, born, .. } = self.pool[id];
        let (from, to) = self.ends((flow, direction));
        let here = self.node_of(cell, station);
        let Some(ip) = &mut self.mobile_ip else { return };
        let comes = if to == here { ip.mobile_at(to) } else { None };
        let way = if comes.is_some() { DOWN } else { UP };
        let Some(mobile) = comes.or_else(|| ip.mobile_at(from)) else { return };
        let place = &mut ip.mobiles[mobile];
        let early = if way == UP { place.early.as_mut() } else { None };
        let last = place.handoff.map(|at| &mut ip.handoffs[at].holes[way]);
        let is_late = early.or(last).is_some_and(|hole| hole.pass(now, born, place.traffic[way]));
        if is_late && direction == Direction::Forward {
            self.flows[flow.index()].score.delayed += 1;
        }
        place.traffic[way] = Traffic { last: Some(now), lost: 0 };
    }

    /// A packet is lost that may have been for a mobile node, or from one. What an agent of before had for it is lost by
    /// the last handoff, when packets may pass again.
    pub(crate) fn count_lost_of_mobile(
        &mut self,
        (flow, direction): (FlowId, Direction),
        tunnel: Option<FlowId>,
    ) {
        if self.mobile_ip.is_none() {
            return;
        }
        let (from, to) = self.ends((flow, direction));
        let Some(ip) = &mut self.mobile_ip else { return };
        let (way, mobile) = match (ip.mobile_at(to), ip.mobile_at(from)) {
            (Some(mobile), _) => (DOWN, mobile),
            (None, Some(mobile)) => (UP, mobile),
            (None, None) => return,
        };
        let agent = tunnel.and_then(|tunnel| ip.agent_of_way(tunnel));
        let agent = agent.map(|agent| ip.agents[agent].node);
        let place = &mut ip.mobiles[mobile];
        let last = place.handoff.map(|at| &mut ip.handoffs[at]);
        let late = last.filter(|last| {
            let passes = last.holes[DOWN].end.is_some();
            passes && agent.is_some_and(|agent| agent != last.registration.to)
        });
        match late {
            Some(handoff) => handoff.late += 1,
            None => place.traffic[way].lost += 1,
        }
    }
}

impl MobileIp {
    fn handoff_of(&mut self, node: NodeId) -> Option<&mut super::Handoff> {
        let at = self.mobiles[self.mobile_at(node)?].handoff?;
        self.handoffs.get_mut(at)
    }

    /// Counts begin anew.
    pub(crate) fn begin_measurement(&mut self) {
        self.counts = super::Counts::default();
    }
}
