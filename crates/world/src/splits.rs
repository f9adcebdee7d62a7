//! Flows in two legs whose node changes with their station's, or dies: notifications, and the later path of
//! packets.

use crate::cx::{Cx, Noting};
use crate::event::Event;
use crate::flows::Standing;
use crate::network::Network;
use base::{CellId, NodeId, StationId};
use engine::Phase;
use net::{Direction, Hop};
use std::sync::Arc;

impl Network {
    /// Puts in the agenda what is known to come, and ways that Mobile IP does not know.
    pub(crate) fn begin_splits(&mut self, cx: &mut Cx<impl Noting>) {
        for (at, number) in self.flows.deaths().collect::<Vec<_>>() {
            cx.schedule(at, Phase::Application, Event::Split(number));
        }
        for number in 0..self.flows.relays().len() {
            self.point_over_air(number);
        }
    }

    /// A base station knows that a station is associated with it: the flows of that station follow, where they can.
    pub(crate) fn move_splits(
        &mut self,
        cx: &mut Cx<impl Noting>,
        cell: CellId,
        (station, access_point): (StationId, StationId),
    ) {
        if self.flows.relays().is_empty() {
            return;
        }
        let node = self.sites.node_of(cell, station);
        let base = self.sites.node_of(cell, access_point);
        for number in 0..self.flows.relays().len() {
            let relay = &mut self.flows.relays()[number];
            if relay.legs.station == node && relay.places.contains(&base) {
                relay.wanted = (relay.at != base).then_some(base);
                self.follow(cx, number);
            }
        }
        self.send_said(cx);
    }

    /// A death, a return, or a move that had to wait.
    pub(crate) fn on_split(&mut self, cx: &mut Cx<impl Noting>, number: u32) {
        let number = number as usize;
        let relay = &mut self.flows.relays()[number];
        if relay.dies.first().is_some_and(|&at| at <= cx.now) {
            relay.dies.remove(0);
            if relay.standing != Standing::Down {
                self.flows.die(cx, number);
            }
        } else if relay.standing == Standing::Down {
            self.flows.come_back(cx, number);
        }
        self.follow(cx, number);
        self.send_said(cx);
    }

    /// Moves a relay that runs to where it should be.
    fn follow(&mut self, cx: &mut Cx<impl Noting>, number: usize) {
        let relay = &mut self.flows.relays()[number];
        if matches!(relay.standing, Standing::Moves { .. }) {
            return;
        }
        let Some(to) = relay.wanted.take() else { return };
        let from = std::mem::replace(&mut relay.at, to);
        let legs = relay.legs;
        let plan = Arc::make_mut(&mut self.plan);
        plan.flows[legs.flow.index()].to = to;
        plan.flows[legs.beyond.index()].from = to;
        let ends = |of: &crate::plan::FlowPlan| (of.from, of.to);
        for flow in [legs.flow, legs.beyond] {
            let (from, to) = ends(&plan.flows[flow.index()]);
            self.routes.set_ends(flow, from, to);
        }
        if let Some(state) = legs.state {
            let flow = &mut plan.flows[state.index()];
            (flow.from, flow.to) = (from, to);
            self.routes.set_ends(state, from, to);
        }
        self.point_over_air(number);
        self.renew_ways(cx);
        self.flows.begin_move(cx, number);
    }

    /// Mobile IP brings packets for a mobile node to its home agent. The base station where legs meet has the node before
    /// it, and needs no agent.
    fn point_over_air(&mut self, number: usize) {
        let relay = &self.flows.relays()[number];
        let (legs, at) = (relay.legs, relay.at);
        if !self.plan.is_mobile(legs.station) {
            return;
        }
        if let Some(hop) = self.hop_over_air(at, legs.station) {
            let (flow, direction) = match legs.comes_by_air {
                true => (legs.flow, Direction::Reverse),
                false => (legs.beyond, Direction::Forward),
            };
            self.routes.set_direct(flow, direction, hop);
        }
    }

    fn hop_over_air(&self, from: NodeId, to: NodeId) -> Option<Hop> {
        self.sites.elements().find_map(|cell| {
            let (from, to) = (self.sites.station_at(cell, from)?, self.sites.station_at(cell, to)?);
            Some(Hop::Air { cell, from, to })
        })
    }
}
