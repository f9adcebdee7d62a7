//! Agents and mobile nodes at work, and what is kept of them.

use super::errand::Errand;
use super::mail::Mail;
use super::record::{Counts, Handoff, Hole, Traffic, UP};
use crate::plan::{MobileIpPlan, Plan};
use crate::sites::Sites;
use base::{CellId, FlowId, NodeId, Purpose, Seed, StationId, Time};
use engine::Timer;
use mobileip::{Agent, Mobile, Registration, Roles};
use std::sync::Arc;
use wifi::mlme::HandoffRecord;

/// An agent, and where it is.
#[derive(Clone, Debug)]
pub(super) struct AgentPlace {
    pub(super) node: NodeId,
    pub(super) machine: Agent,
    pub(super) timer: Timer,
    /// Its link: an element of the air, and its station there.
    pub(super) link: Option<(CellId, StationId)>,
}

/// A mobile node, and what is kept of it.
#[derive(Clone, Debug)]
pub(super) struct MobilePlace {
    pub(super) node: NodeId,
    pub(super) machine: Mobile,
    pub(super) timer: Timer,
    /// The agent that it sends by.
    pub(super) router: Option<NodeId>,
    /// The access point of the station, where stations associate.
    pub(super) joined: Option<NodeId>,
    /// The way to that access point, until the next registration.
    pub(super) association: Option<HandoffRecord>,
    /// The packets over its link, from it and to it.
    pub(super) traffic: [Traffic; 2],
    /// Its change of routers, if that comes before the registration.
    pub(super) early: Option<Hole>,
    /// Its last registration, by its place among all.
    pub(super) handoff: Option<usize>,
}

/// All of Mobile IP.
#[derive(Clone, Debug)]
pub(crate) struct MobileIp {
    pub(super) sites: Arc<Sites>,
    pub(super) agents: Vec<AgentPlace>,
    pub(super) mobiles: Vec<MobilePlace>,
    /// The first flow number that is not a flow's of the plan.
    pub(super) first_way: u32,
    pub(super) mail: Mail,
    pub(super) counts: Counts,
    pub(super) handoffs: Vec<Handoff>,
    /// The network's errands for it.
    pub(super) errands: Vec<Errand>,
}

impl MobileIp {
    /// Everybody at time zero; `None` where the plan has none.
    pub fn new(plan: &Plan, sites: &Arc<Sites>, seed: Seed) -> Option<MobileIp> {
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
            sites: Arc::clone(sites),
            agents: agents.collect(),
            mobiles: mobiles.collect(),
            first_way: plan.flows.len() as u32,
            mail: Mail::new(config.settings.sizes),
            counts: Counts::default(),
            handoffs: Vec::new(),
            errands: Vec::new(),
        })
    }

    pub(super) fn agent_at(&self, node: NodeId) -> Option<usize> {
        self.agents.iter().position(|agent| agent.node == node)
    }

    pub(super) fn mobile_at(&self, node: NodeId) -> Option<usize> {
        self.mobiles.iter().position(|mobile| mobile.node == node)
    }

    /// A registration is complete: packets pass again.
    pub(super) fn settle(&mut self, mobile: usize, registration: &Registration) {
        let place = &mut self.mobiles[mobile];
        let [up, down] = place.traffic.map(|traffic| Hole::open(registration.registered, traffic));
        let holes = [place.early.take().unwrap_or(up), down];
        place.handoff = Some(self.handoffs.len());
        self.handoffs.push(Handoff::new(registration, place.association.take(), holes));
    }

    /// The way between an agent and the home agent.
    pub(super) fn way_of_agent(&self, agent: usize) -> FlowId {
        FlowId(self.first_way + agent as u32)
    }

    /// The way of what a mobile node says on its link.
    pub(super) fn way_of_mobile(&self, mobile: usize) -> FlowId {
        FlowId(self.first_way + (self.agents.len() + mobile) as u32)
    }

    /// The agent whose way this is.
    pub(super) fn agent_of_way(&self, way: FlowId) -> Option<usize> {
        let agent = (way.0.checked_sub(self.first_way)?) as usize;
        (agent < self.agents.len()).then_some(agent)
    }
}

impl MobilePlace {
    /// Packets go by this router from now on: perhaps before the reply to its registration.
    pub(super) fn turn_to(&mut self, router: Option<NodeId>, now: Time) {
        self.router = router;
        if router.is_some() && !self.machine.is_settled() {
            self.early = Some(Hole::open(now, self.traffic[UP]));
        }
    }
}

fn build_agent(plan: &Plan, config: &MobileIpPlan, node: NodeId, seed: Seed) -> AgentPlace {
    let link = plan.parts().iter().find_map(|part| {
        let (station, _) = part.access_point().filter(|own| own.1 == node)?;
        Some((part.element, station))
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
