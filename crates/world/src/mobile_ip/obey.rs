//! Obeys agents and mobile nodes: sets their timers, and turns their actions on the network into errands.

use super::errand::{Errand, Link};
use super::state::{MobileIp, MobilePlace};
use crate::cx::{Cx, Noting};
use crate::event::Event;
use base::{CellId, NodeId};
use engine::{Phase, Wake};
use mobileip::{AgentAction, Message, MobileAction};
use net::{Direction, Hop, Routes};
use wifi::GROUP;
use wifi::mlme::HandoffRecord;

impl MobileIp {
    /// Takes the errands, in order.
    pub fn take_errands(&mut self) -> Vec<Errand> {
        std::mem::take(&mut self.errands)
    }

    /// Nobody is registered, so mobile nodes reach nobody; the first timers are set.
    pub fn begin(&mut self, cx: &mut Cx<impl Noting>, routes: &mut Routes) {
        for mobile in 0..self.mobiles.len() {
            self.point(routes, mobile);
            self.arm_mobile(cx, mobile);
        }
        for agent in 0..self.agents.len() {
            self.arm_agent(cx, agent);
        }
    }

    /// A timer has come up: of an agent, or of a mobile node, which are numbered behind them.
    pub fn on_timer(&mut self, cx: &mut Cx<impl Noting>, who: u32, routes: &mut Routes) {
        let (agents, index) = (self.agents.len(), who as usize);
        let mobile = index.checked_sub(agents);
        let timer = match mobile {
            None => &mut self.agents[index].timer,
            Some(mobile) => &mut self.mobiles[mobile].timer,
        };
        match timer.wake(cx.now) {
            Wake::Stale => return,
            Wake::Later(at) => return cx.schedule(at, Phase::Timer, Event::MobileIp(who)),
            Wake::Fire => {}
        }
        match mobile {
            None => {
                let mut said = Vec::new();
                self.agents[index].machine.on_timeout(cx.now, &mut said);
                self.obey_agent(cx, index, &said);
            }
            Some(mobile) => {
                let mut wanted = Vec::new();
                self.mobiles[mobile].machine.on_timeout(cx.now, &mut wanted);
                self.obey_mobile(cx, mobile, &wanted, routes);
            }
        }
    }

    /// A message has come to a node.
    pub fn on_message(
        &mut self,
        cx: &mut Cx<impl Noting>,
        at: NodeId,
        message: Message,
        routes: &mut Routes,
    ) {
        let now = cx.now;
        if let Some(agent) = self.agent_at(at) {
            let mut said = Vec::new();
            self.agents[agent].machine.on_message(message, now, &mut said);
            self.obey_agent(cx, agent, &said);
        } else if let Some(mobile) = self.mobile_at(at) {
            let (machine, mut wanted) = (&mut self.mobiles[mobile].machine, Vec::new());
            match message {
                Message::Advertisement(ad) => machine.on_advertisement(&ad, now, &mut wanted),
                Message::Reply(reply) => machine.on_reply(&reply, now, &mut wanted),
                Message::Solicitation(_) | Message::Request(_) => {}
            }
            self.obey_mobile(cx, mobile, &wanted, routes);
        }
    }

    /// A mobile node has associated with an access point.
    pub fn on_joined(
        &mut self,
        cx: &mut Cx<impl Noting>,
        cell: CellId,
        record: HandoffRecord,
        routes: &mut Routes,
    ) {
        let node = self.sites.node_of(cell, record.station);
        let joined = self.sites.node_of(cell, record.to);
        let Some(mobile) = self.mobile_at(node) else { return };
        let (place, mut wanted) = (&mut self.mobiles[mobile], Vec::new());
        (place.association, place.joined) = (Some(record), Some(joined));
        place.machine.on_link(cx.now, &mut wanted);
        if self.point(routes, mobile) {
            self.errands.push(Errand::RenewWays);
        }
        self.obey_mobile(cx, mobile, &wanted, routes);
    }

    fn arm_agent(&mut self, cx: &mut Cx<impl Noting>, agent: usize) {
        let place = &mut self.agents[agent];
        if let Some(at) = place.timer.set(place.machine.next_timeout()) {
            cx.schedule(at, Phase::Timer, Event::MobileIp(agent as u32));
        }
    }

    fn arm_mobile(&mut self, cx: &mut Cx<impl Noting>, mobile: usize) {
        let who = (self.agents.len() + mobile) as u32;
        let place = &mut self.mobiles[mobile];
        if let Some(at) = place.timer.set(place.machine.next_timeout()) {
            cx.schedule(at, Phase::Timer, Event::MobileIp(who));
        }
    }

    fn obey_agent(&mut self, cx: &mut Cx<impl Noting>, agent: usize, actions: &[AgentAction]) {
        self.arm_agent(cx, agent);
        for &action in actions {
            let (way, link) = (self.way_of_agent(agent), self.agents[agent].link);
            match (action, link) {
                (AgentAction::Broadcast(message), Some((cell, from))) => {
                    let link = Link { cell, from, to: GROUP };
                    self.errands.push(Errand::Say { way, link, message });
                }
                (AgentAction::OnLink(to, message), Some((cell, from))) => {
                    if let Some(to) = self.sites.station_at(cell, to) {
                        let link = Link { cell, from, to };
                        self.errands.push(Errand::Say { way, link, message });
                    }
                }
                (AgentAction::Send(to, message), _) => {
                    // Between a foreign agent and the home agent, on the foreign agent's way.
                    let back = self.agent_at(to).filter(|_| agent == 0);
                    let (way, direction) = match back {
                        Some(to) => (self.way_of_agent(to), Direction::Reverse),
                        None => (way, Direction::Forward),
                    };
                    self.errands.push(Errand::Post { way, direction, message });
                }
                (_, None) => {}
            }
        }
    }

    fn obey_mobile(
        &mut self,
        cx: &mut Cx<impl Noting>,
        mobile: usize,
        actions: &[MobileAction],
        routes: &mut Routes,
    ) {
        self.arm_mobile(cx, mobile);
        for &action in actions {
            match action {
                MobileAction::Broadcast(message) => self.solicit(mobile, message),
                MobileAction::OnLink(agent, message) => self.ask_agent(mobile, agent, message),
                MobileAction::Router(router) => {
                    self.mobiles[mobile].turn_to(router, cx.now);
                    if self.point(routes, mobile) {
                        self.errands.push(Errand::RenewWays);
                    }
                }
                MobileAction::Registered(registration) => self.settle(mobile, &registration),
            }
        }
    }

    /// Sends a mobile node's solicitation on each of its links.
    fn solicit(&mut self, mobile: usize, message: Message) {
        let (node, way) = (self.mobiles[mobile].node, self.way_of_mobile(mobile));
        for cell in self.sites.elements() {
            if let Some(from) = self.sites.station_at(cell, node) {
                let link = Link { cell, from, to: GROUP };
                self.errands.push(Errand::Say { way, link, message });
            }
        }
    }

    /// A mobile node writes to an agent on its link.
    fn ask_agent(&mut self, mobile: usize, agent: NodeId, message: Message) {
        let (node, way) = (self.mobiles[mobile].node, self.way_of_mobile(mobile));
        let link = self.agent_at(agent).and_then(|agent| self.agents[agent].link);
        let Some((cell, to)) = link else { return };
        if let Some(from) = self.sites.station_at(cell, node) {
            let link = Link { cell, from, to };
            self.errands.push(Errand::Say { way, link, message });
        }
    }

    /// A mobile node sends by its router and by nobody else, if its link reaches it. True where that changes something.
    fn point(&self, routes: &mut Routes, mobile: usize) -> bool {
        let MobilePlace { node, router, joined, .. } = self.mobiles[mobile];
        let mut changed = false;
        for cell in self.sites.elements() {
            let Some(from) = self.sites.station_at(cell, node) else { continue };
            for &(to, there) in self.sites.access_points(cell) {
                let up = router == Some(there) && joined.is_none_or(|joined| joined == there);
                let hop = Hop::Air { cell, from, to };
                changed |= routes.topology_mut().set_edge(node, there, hop, up);
            }
        }
        changed
    }
}
