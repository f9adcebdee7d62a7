//! Mobile IPv4 at work: agents and mobile nodes get what comes for them, and what they want is done.
//!
//! Their messages are packets like all others, on ways that are numbered as flows after those of the plan. A packet for a
//! mobile node goes to its home agent ([`net::Hop::Home`]), and from there through a tunnel or not.

mod mail;
mod record;
mod tunnel;

use crate::event::Event;
use crate::note::Note;
use crate::plan::{MobileIpPlan, Plan};
use crate::world::World;
use base::{CellId, FlowId, NodeId, Purpose, Seed, StationId, Time};
use engine::{Phase, Probe, Timer, Wake};
use mail::{Counts, Mail};
use mobileip::{Agent, AgentAction, Message, Mobile, MobileAction, Registration, Roles};
use net::{Direction, Hop};
pub use record::MobileIpOutcome;
use record::{Handoff, Hole, Traffic, UP};
use wifi::GROUP;
use wifi::mlme::HandoffRecord;

/// An agent, and where it is.
#[derive(Clone, Debug)]
struct AgentPlace {
    node: NodeId,
    machine: Agent,
    timer: Timer,
    /// Its link: an element of the air, and its station there.
    link: Option<(CellId, StationId)>,
}

/// A mobile node, and what is kept of it.
#[derive(Clone, Debug)]
struct MobilePlace {
    node: NodeId,
    machine: Mobile,
    timer: Timer,
    /// The agent that it sends by.
    router: Option<NodeId>,
    /// Where stations associate: the access point that it belongs to.
    joined: Option<NodeId>,
    /// The way to that access point, until the next registration.
    association: Option<HandoffRecord>,
    /// What passed over its link, from it and to it.
    traffic: [Traffic; 2],
    /// Its change of routers, if that comes before the registration.
    early: Option<Hole>,
    /// Its last registration, by its place among all.
    handoff: Option<usize>,
}

/// All of Mobile IP.
#[derive(Clone, Debug)]
pub(crate) struct MobileIp {
    agents: Vec<AgentPlace>,
    mobiles: Vec<MobilePlace>,
    /// The first flow number that is not a flow's of the plan.
    first_way: u32,
    mail: Mail,
    counts: Counts,
    handoffs: Vec<Handoff>,
}

impl MobileIp {
    /// Everybody at time zero; `None` where the plan has none.
    pub fn new(plan: &Plan, seed: Seed) -> Option<MobileIp> {
        let config = plan.mobile_ip.as_ref()?;
        let agents = config.agents().map(|node| build_agent(plan, config, node, seed));
        let mobiles = config.mobiles.iter().map(|&node| {
            let phase = seed.stream(Purpose::Solicitation, u64::from(node.0)).unit();
            let machine = Mobile::new(node, config.home_agent, config.settings.mobile, phase);
            MobilePlace {
                node,
                machine,
                timer: Timer::default(),
                router: None,
                joined: None,
                association: None,
                traffic: [Traffic::default(); 2],
                early: None,
                handoff: None,
            }
        });
        Some(MobileIp {
            agents: agents.collect(),
            mobiles: mobiles.collect(),
            first_way: plan.flows.len() as u32,
            mail: Mail::new(config.settings.sizes),
            counts: Counts::default(),
            handoffs: Vec::new(),
        })
    }

    fn agent_at(&self, node: NodeId) -> Option<usize> {
        self.agents.iter().position(|agent| agent.node == node)
    }

    fn mobile_at(&self, node: NodeId) -> Option<usize> {
        self.mobiles.iter().position(|mobile| mobile.node == node)
    }

    /// A registration is complete: packets pass again.
    fn settle(&mut self, mobile: usize, registration: &Registration) {
        let place = &mut self.mobiles[mobile];
        let [up, down] = place.traffic.map(|traffic| Hole::open(registration.registered, traffic));
        let holes = [place.early.take().unwrap_or(up), down];
        place.handoff = Some(self.handoffs.len());
        self.handoffs.push(Handoff::new(registration, place.association.take(), holes));
    }

    /// The way between an agent and the home agent.
    fn way_of_agent(&self, agent: usize) -> FlowId {
        FlowId(self.first_way + agent as u32)
    }

    /// The way of what a mobile node says on its link.
    fn way_of_mobile(&self, mobile: usize) -> FlowId {
        FlowId(self.first_way + (self.agents.len() + mobile) as u32)
    }

    /// The agent whose way this is.
    fn agent_of_way(&self, way: FlowId) -> Option<usize> {
        let agent = (way.0.checked_sub(self.first_way)?) as usize;
        (agent < self.agents.len()).then_some(agent)
    }
}

impl MobilePlace {
    /// Packets go by this router from now on: perhaps before the reply to its registration.
    fn turn_to(&mut self, router: Option<NodeId>, now: Time) {
        self.router = router;
        if router.is_some() && !self.machine.is_settled() {
            self.early = Some(Hole::open(now, self.traffic[UP]));
        }
    }
}

fn build_agent(plan: &Plan, config: &MobileIpPlan, node: NodeId, seed: Seed) -> AgentPlace {
    let cells = plan.cells.iter().zip(plan.air_map().of_cell);
    let link = cells.into_iter().find_map(|(cell, (element, first))| {
        let own = cell.access_point.filter(|own| cell.stations[own.index()] == node)?;
        Some((element, StationId(first + own.0)))
    });
    let roles = Roles {
        home: node == config.home_agent,
        foreign: config.foreign_agents.contains(&node),
        advertises: link.is_some(),
    };
    let rng = seed.stream(Purpose::Advertisement, u64::from(node.0));
    let machine = Agent::new(node, roles, config.settings.agent, rng);
    AgentPlace { node, machine, timer: Timer::default(), link }
}

impl World {
    /// Nobody is registered, so mobile nodes reach nobody; the first timers are set.
    pub(crate) fn begin_mobile_ip(&mut self) {
        let Some(ip) = &self.mobile_ip else { return };
        let (agents, mobiles) = (ip.agents.len(), ip.mobiles.len());
        for mobile in 0..mobiles {
            self.point_mobile(mobile);
            self.arm_mobile(mobile);
        }
        for agent in 0..agents {
            self.arm_agent(agent);
        }
    }

    /// A timer has come up: of an agent, or of a mobile node, which are numbered behind them.
    pub(crate) fn on_mobile_ip<P: Probe<Note>>(&mut self, now: Time, who: u32, probe: &mut P) {
        let Some(ip) = &mut self.mobile_ip else { return };
        let agents = ip.agents.len();
        let (index, mut said, mut wanted) = (who as usize, Vec::new(), Vec::new());
        let timer = match index.checked_sub(agents) {
            None => &mut ip.agents[index].timer,
            Some(mobile) => &mut ip.mobiles[mobile].timer,
        };
        match timer.wake(now) {
            Wake::Stale => return,
            Wake::Later(at) => return self.schedule(at, Phase::Timer, Event::MobileIp(who)),
            Wake::Fire => {}
        }
        match index.checked_sub(agents) {
            None => {
                ip.agents[index].machine.on_timeout(now, &mut said);
                self.obey_agent(now, index, &said, probe);
            }
            Some(mobile) => {
                ip.mobiles[mobile].machine.on_timeout(now, &mut wanted);
                self.obey_mobile(now, mobile, &wanted, probe);
            }
        }
    }

    fn arm_agent(&mut self, agent: usize) {
        let Some(ip) = &mut self.mobile_ip else { return };
        let place = &mut ip.agents[agent];
        if let Some(at) = place.timer.set(place.machine.next_timeout()) {
            self.schedule(at, Phase::Timer, Event::MobileIp(agent as u32));
        }
    }

    fn arm_mobile(&mut self, mobile: usize) {
        let Some(ip) = &mut self.mobile_ip else { return };
        let who = (ip.agents.len() + mobile) as u32;
        let place = &mut ip.mobiles[mobile];
        if let Some(at) = place.timer.set(place.machine.next_timeout()) {
            self.schedule(at, Phase::Timer, Event::MobileIp(who));
        }
    }

    /// A message has come to a node.
    fn take_message<P: Probe<Note>>(
        &mut self,
        now: Time,
        at: NodeId,
        message: Message,
        probe: &mut P,
    ) {
        let Some(ip) = &mut self.mobile_ip else { return };
        if let Some(agent) = ip.agent_at(at) {
            let mut said = Vec::new();
            ip.agents[agent].machine.on_message(message, now, &mut said);
            self.obey_agent(now, agent, &said, probe);
        } else if let Some(mobile) = ip.mobile_at(at) {
            let (machine, mut wanted) = (&mut ip.mobiles[mobile].machine, Vec::new());
            match message {
                Message::Advertisement(ad) => machine.on_advertisement(&ad, now, &mut wanted),
                Message::Reply(reply) => machine.on_reply(&reply, now, &mut wanted),
                Message::Solicitation(_) | Message::Request(_) => {}
            }
            self.obey_mobile(now, mobile, &wanted, probe);
        }
    }

    fn obey_agent<P: Probe<Note>>(
        &mut self,
        now: Time,
        agent: usize,
        actions: &[AgentAction],
        probe: &mut P,
    ) {
        self.arm_agent(agent);
        for &action in actions {
            let Some(ip) = &self.mobile_ip else { return };
            let (way, link) = (ip.way_of_agent(agent), ip.agents[agent].link);
            match (action, link) {
                (AgentAction::Broadcast(message), Some((cell, from))) => {
                    self.say(now, way, (cell, from, GROUP), message, probe);
                }
                (AgentAction::OnLink(to, message), Some((cell, from))) => {
                    if let Some(to) = self.station_at(cell, to) {
                        self.say(now, way, (cell, from, to), message, probe);
                    }
                }
                (AgentAction::Send(to, message), _) => {
                    // Between a foreign agent and the home agent, on the foreign agent's way.
                    let back = ip.agent_at(to).filter(|_| agent == 0).map(|to| ip.way_of_agent(to));
                    let on = match back {
                        Some(way) => (way, Direction::Reverse),
                        None => (way, Direction::Forward),
                    };
                    self.post(now, on, message, probe);
                }
                (_, None) => {}
            }
        }
    }

    fn obey_mobile<P: Probe<Note>>(
        &mut self,
        now: Time,
        mobile: usize,
        actions: &[MobileAction],
        probe: &mut P,
    ) {
        self.arm_mobile(mobile);
        for &action in actions {
            match action {
                MobileAction::Broadcast(message) => self.solicit(now, mobile, message, probe),
                MobileAction::OnLink(agent, message) => {
                    self.ask_agent(now, (mobile, agent), message, probe);
                }
                MobileAction::Router(router) => {
                    if let Some(ip) = &mut self.mobile_ip {
                        ip.mobiles[mobile].turn_to(router, now);
                    }
                    if self.point_mobile(mobile) {
                        self.renew_ways(now, probe);
                    }
                }
                MobileAction::Registered(registration) => {
                    if let Some(ip) = &mut self.mobile_ip {
                        ip.settle(mobile, &registration);
                    }
                }
            }
        }
    }

    /// A mobile node has associated with an access point.
    pub(crate) fn join_mobile<P: Probe<Note>>(
        &mut self,
        now: Time,
        cell: CellId,
        record: HandoffRecord,
        probe: &mut P,
    ) {
        let (node, joined) = (self.node_of(cell, record.station), self.node_of(cell, record.to));
        let Some(ip) = &mut self.mobile_ip else { return };
        let Some(mobile) = ip.mobile_at(node) else { return };
        let (place, mut wanted) = (&mut ip.mobiles[mobile], Vec::new());
        (place.association, place.joined) = (Some(record), Some(joined));
        place.machine.on_link(now, &mut wanted);
        if self.point_mobile(mobile) {
            self.renew_ways(now, probe);
        }
        self.obey_mobile(now, mobile, &wanted, probe);
    }

    /// A mobile node sends by its router and by nobody else, if its link reaches it. True where that changes something.
    fn point_mobile(&mut self, mobile: usize) -> bool {
        let Some(ip) = &self.mobile_ip else { return false };
        let MobilePlace { node, router, joined, .. } = ip.mobiles[mobile];
        let mut changed = false;
        for cell in (0..self.cells.len() as u32).map(CellId) {
            let Some(from) = self.station_at(cell, node) else { continue };
            for (to, there) in self.access_points(cell) {
                let up = router == Some(there) && joined.is_none_or(|joined| joined == there);
                changed |= self.set_edge(node, there, Hop::Air { cell, from, to }, up);
            }
        }
        changed
    }

    fn station_at(&self, cell: CellId, node: NodeId) -> Option<StationId> {
        let nodes = &self.cells[cell.index()].nodes;
        nodes.iter().position(|&other| other == node).map(|at| StationId(at as u32))
    }
}
