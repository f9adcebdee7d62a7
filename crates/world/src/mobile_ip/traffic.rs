//! Packets of mobile nodes: where their tunnels lead, and what is counted of them.

use super::record::{Counts, DOWN, Handoff, MobileIpOutcome, Traffic, UP};
use super::state::MobileIp;
use crate::handoff::HandoffOutcome;
use base::{CellId, FlowId, NodeId, StationId, Time};
use mobileip::TUNNEL_BYTES;
use net::Packet;

impl MobileIp {
    /// The tunnel of a packet that is at the home agent of a mobile node; `None` where that is not known to be away.
    pub fn tunnel_to(&mut self, mobile: NodeId, now: Time) -> Option<FlowId> {
        let care_of = self.agents[0].machine.care_of(mobile, now)?;
        let tunnel = self.way_of_agent(self.agent_at(care_of)?);
        self.counts.tunnelled += 1;
        self.counts.tunnel_bytes += u64::from(TUNNEL_BYTES);
        if let Some(handoff) = self.handoff_of(mobile) {
            handoff.tunnelled += 1;
        }
        Some(tunnel)
    }

    /// The agent by which a mobile node is reached now, as its home agent knows.
    pub fn serving(&self, mobile: NodeId, now: Time) -> Option<usize> {
        self.agent_at(self.agents[0].machine.care_of(mobile, now)?)
    }

    /// The agent at the end of a tunnel, and whether the mobile node is its visitor.
    pub fn end_of_tunnel(
        &self,
        tunnel: FlowId,
        mobile: NodeId,
        now: Time,
    ) -> Option<(usize, bool)> {
        let agent = self.agent_of_way(tunnel)?;
        Some((agent, self.agents[agent].machine.has_visitor(mobile, now)))
    }

    /// The link of an agent: an element of the air, and its station there.
    pub fn link_of(&self, agent: usize) -> Option<(CellId, StationId)> {
        self.agents[agent].link
    }

    /// The hop from an agent's link to a mobile node.
    pub fn hop_to(&self, agent: usize, mobile: NodeId) -> Option<(CellId, StationId, StationId)> {
        let (cell, from) = self.agents[agent].link?;
        Some((cell, from, self.sites.station_at(cell, mobile)?))
    }

    fn handoff_of(&mut self, node: NodeId) -> Option<&mut Handoff> {
        let at = self.mobiles[self.mobile_at(node)?].handoff?;
        self.handoffs.get_mut(at)
    }

    // What is counted.

    /// A packet between two nodes has passed over the link of a mobile node, and is at a station; true where it was made
    /// before packets could pass.
    pub fn note_contact(
        &mut self,
        now: Time,
        packet: &Packet,
        (from, to): (NodeId, NodeId),
        here: NodeId,
    ) -> bool {
        let comes = if to == here { self.mobile_at(to) } else { None };
        let way = if comes.is_some() { DOWN } else { UP };
        let Some(mobile) = comes.or_else(|| self.mobile_at(from)) else { return false };
        let place = &mut self.mobiles[mobile];
        let early = if way == UP { place.early.as_mut() } else { None };
        let last = place.handoff.map(|at| &mut self.handoffs[at].holes[way]);
        let hole = early.or(last);
        let is_late = hole.is_some_and(|hole| hole.pass(now, packet.born, place.traffic[way]));
        place.traffic[way] = Traffic { last: Some(now), lost: 0 };
        is_late
    }

    /// A packet between two nodes is lost that may have been for a mobile node, or from one. What an agent of before had for
    /// it is lost by the last handoff, when packets may pass again.
    pub fn count_lost(&mut self, (from, to): (NodeId, NodeId), tunnel: Option<FlowId>) {
        let (way, mobile) = match (self.mobile_at(to), self.mobile_at(from)) {
            (Some(mobile), _) => (DOWN, mobile),
            (None, Some(mobile)) => (UP, mobile),
            (None, None) => return,
        };
        let agent = tunnel.and_then(|tunnel| self.agent_of_way(tunnel));
        let agent = agent.map(|agent| self.agents[agent].node);
        let place = &mut self.mobiles[mobile];
        let last = place.handoff.map(|at| &mut self.handoffs[at]);
        let late = last.filter(|last| {
            let passes = last.holes[DOWN].end.is_some();
            passes && agent.is_some_and(|agent| agent != last.registration.to)
        });
        match late {
            Some(handoff) => handoff.late += 1,
            None => place.traffic[way].lost += 1,
        }
    }

    /// Counts begin anew.
    pub fn begin_measurement(&mut self) {
        self.counts = Counts::default();
    }

    /// Returns its messages.
    pub fn outcome(&self) -> MobileIpOutcome {
        self.counts.into()
    }

    /// Returns the results of each handoff.
    pub fn handoffs(
        &self,
        name: impl Fn(NodeId) -> String,
    ) -> impl Iterator<Item = HandoffOutcome> {
        self.handoffs.iter().map(move |handoff| handoff.outcome(&name))
    }
}
