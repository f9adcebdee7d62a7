//! From a plan to a world at time zero.

use crate::clusters::Clusters;
use crate::element::{Element, Out, connect};
use crate::flows::{Application, Endpoints, Fetching, Flow, Flows, Register, Salts, TcpFlow};
use crate::guards::Guards;
use crate::mobile_ip::MobileIp;
use crate::network::Network;
use crate::oracle::Oracle;
use crate::plan::{FlowPlan, LinkPlan, MobileIpPlan, Plan, TransportPlan};
use crate::roaming::Roaming;
use crate::routers::Routers;
use crate::sites::Sites;
use apps::{AppConfig, Playout};
use base::{FlowId, LinkId, NodeId, Options, Seed, Time};
use net::{DropList, Hop, Pool, QueueConfig, Routes, Topology, Transits, Trees, Wire, WireConfig};
use radio::HazardTables;
use std::sync::Arc;
use transport::tcp::auto::Policy;
use transport::tcp::law::{AnyLaw, Custom};
use transport::tcp::{self, TcpConfig};
use transport::udp;

/// The reason why a plan cannot be built. The scenario crate checks for these first and names file and line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BuildError {
    /// No path joins the ends of this flow, in the direction given.
    Unreachable {
        /// The flow's name.
        flow: String,
        /// True where it is the way back that is missing.
        back: bool,
    },
    /// This flow asks for a law from outside, and nobody made it.
    NoLaw {
        /// The flow's name.
        flow: String,
    },
}

/// A flow's wish for a law from outside.
#[derive(Clone, Copy, Debug)]
pub struct LawOrder<'a> {
    /// The law's number, as the plan has it (`TcpConfig::custom_law`).
    pub number: u32,
    /// The flow's name.
    pub flow: &'a str,
    /// The settings of the scenario.
    pub options: &'a Options,
}

/// Makes laws from outside; `None`: there is none of that number.
pub type MakeLaw<'a> = &'a dyn Fn(LawOrder<'_>) -> Option<Custom>;

impl Plan {
    /// Returns the links of the network: wired ones, and those of the air between each station and its access
    /// point (between all stations of an ad hoc cell).
    pub fn topology(&self) -> Topology {
        let mut topology = Topology::new(self.nodes.len());
        for (i, link) in self.links.iter().enumerate() {
            topology.connect(link.from, link.to, Hop::Wire(LinkId(i as u32)));
        }
        for part in self.parts() {
            connect(self, &part, &mut topology);
        }
        for mobile in self.mobile_ip.iter().flat_map(|plan| &plan.mobiles) {
            let home = self.mobile_ip.as_ref().map_or(*mobile, |plan| plan.home_agent);
            topology.connect(home, *mobile, Hop::Home(*mobile));
        }
        for &(at, to, next) in &self.routing.next_hops {
            topology.set_next(at, to, Some(next));
        }
        topology
    }

    /// The forward and the reverse path of a flow; UDP needs none back.
    ///
    /// # Errors
    /// [`BuildError::Unreachable`] where there is none.
    pub fn paths(
        &self,
        (topology, trees): (&Topology, &mut Trees),
        flow: &FlowPlan,
    ) -> Result<(Vec<Hop>, Vec<Hop>), BuildError> {
        let unreachable = |back| BuildError::Unreachable { flow: flow.name.clone(), back };
        let longest = usize::from(self.routing.ttl);
        let forward = trees.path_via(topology, (flow.from, &flow.via, flow.to), longest);
        if !forward.is_complete() {
            return Err(unreachable(false));
        }
        if let TransportPlan::Udp { .. } = flow.transport {
            return Ok((forward.hops, Vec::new()));
        }
        let via: Vec<NodeId> = flow.via.iter().rev().copied().collect();
        let reverse = trees.path_via(topology, (flow.to, &via, flow.from), longest);
        if reverse.is_complete() {
            Ok((forward.hops, reverse.hops))
        } else {
            Err(unreachable(true))
        }
    }
}

impl Network {
    /// The network of a plan at time zero.
    pub(crate) fn build(
        plan: &Arc<Plan>,
        seed: Seed,
        (laws, hazards): (MakeLaw<'_>, &HazardTables),
    ) -> Result<Network, BuildError> {
        let topology = plan.topology();
        let mut trees = Trees::default();
        let mut register = Register::default();
        let mut flows = Vec::with_capacity(plan.flows.len());
        for (flow, config) in plan.flows.iter().enumerate() {
            plan.paths((&topology, &mut trees), config)?;
            let flow = FlowId(flow as u32);
            flows.push(build_flow(plan, seed, flow, (laws, &mut register))?);
        }
        let mut routes = Routes::new(topology, plan.routing.ttl);
        routes.reserve(plan.flows.len());
        for flow in &plan.flows {
            routes.push(flow.from, &flow.via, flow.to);
        }
        for (from, to) in plan.mobile_ip.iter().flat_map(MobileIpPlan::ways) {
            routes.push(from, &[], to);
        }
        let wires = plan.links.iter().enumerate().map(|(i, link)| build_wire(link, seed, i));
        let elements = plan.by_element(|part| [part]);
        let elements = elements.iter().map(|parts| Element::new(plan, parts, seed, hazards));
        let sites = Arc::new(Sites::new(plan));
        Ok(Network {
            pool: Pool::default(),
            routes,
            wires: wires.collect(),
            transits: Transits::default(),
            elements: elements.collect(),
            flows: Flows::new(plan, flows, register),
            oracle: Oracle::new(plan, seed).map(Box::new),
            clusters: Clusters::new(plan, seed).map(Box::new),
            roaming: Roaming::default(),
            mobile_ip: MobileIp::new(plan, &sites, seed).map(Box::new),
            routers: Routers::new(plan, &sites, seed).map(Box::new),
            guards: Guards::new(plan).map(Box::new),
            measuring_since: Time::ZERO,
            out: Out::default(),
            fates: Vec::new(),
            sites,
            plan: plan.clone(),
        })
    }
}

fn build_wire(link: &LinkPlan, seed: Seed, index: usize) -> Wire {
    let drop_list = |(flow, ordinals): &(usize, Vec<u64>)| {
        DropList::new(FlowId(*flow as u32), ordinals.clone())
    };
    let config = WireConfig {
        rate: link.rate,
        delay: link.delay,
        queue: QueueConfig::clone(&link.queue),
        loss: link.loss,
        loss_place: link.loss_place,
        bursts: link.bursts.as_deref().copied(),
        drop_lists: link.drop_lists.iter().map(drop_list).collect(),
        course: link.course.as_deref().cloned(),
        jitter: link.jitter.as_deref().copied(),
    };
    Wire::new(config, seed, index as u64)
}

/// A connection's configuration where its law starts at a random phase: one drawn from the flow's stream. `None`: it has
/// none, or it is set.
fn salted(config: &TcpConfig, salts: Salts) -> Option<TcpConfig> {
    takes_salt(config).then(|| {
        let mut config = config.clone();
        config.law_options.set("salt", salts.of(0));
        config
    })
}

/// True where the law draws, from a beginning that nobody has set.
pub(crate) fn takes_salt(config: &TcpConfig) -> bool {
    config.law.parameters().iter().any(|parameter| parameter.name == "salt")
        && config.law_options.get("salt").is_none()
}

fn build_law(flow: &str, config: &TcpConfig, laws: MakeLaw<'_>) -> Result<AnyLaw, BuildError> {
    let options = &config.law_options;
    match config.custom_law {
        None => Ok(AnyLaw::new(config.law, options)),
        Some(number) => laws(LawOrder { number, flow, options })
            .map(AnyLaw::Custom)
            .ok_or_else(|| BuildError::NoLaw { flow: flow.to_owned() }),
    }
}

/// A policy whose alternatives are salted.
fn salted_policy(policy: &Policy, salts: Salts) -> Arc<Policy> {
    let mut policy = policy.clone();
    for alternative in &mut policy.alternatives {
        if let Some(config) = salted(&alternative.config, salts) {
            alternative.config = config;
        }
    }
    Arc::new(policy)
}

fn build_sender(
    salts: Salts,
    flow: &str,
    (config, policy): (&Arc<TcpConfig>, Option<&Policy>),
    laws: MakeLaw<'_>,
) -> Result<tcp::Sender, BuildError> {
    if let Some(policy) = policy {
        return Ok(tcp::Sender::choosing(salted_policy(policy, salts)));
    }
    let config = salted(config, salts).map_or_else(|| config.clone(), Arc::new);
    let law = build_law(flow, &config, laws)?;
    Ok(tcp::Sender::with_law(config, law))
}

fn build_flow(
    plan: &Plan,
    seed: Seed,
    id: FlowId,
    (laws, register): (MakeLaw<'_>, &mut Register),
) -> Result<Flow, BuildError> {
    let flow = &plan.flows[id.index()];
    let endpoints = match &flow.transport {
        TransportPlan::Tcp { config, policy, .. } => {
            let variant = (config, policy.as_deref());
            let salts = Salts::of_flow(seed, id);
            let sender = build_sender(salts, &flow.name, variant, laws)?;
            Endpoints::Tcp(match &flow.app {
                AppConfig::Web(web) => {
                    let fetching = Fetching::new(config, sender, web.style, web.connections);
                    let draws = policy.is_none() && takes_salt(config);
                    TcpFlow::fetching(config, id, fetching.with_salts(draws.then_some(salts)))
                }
                _ => TcpFlow::lasting(config, id, sender, register),
            })
        }
        TransportPlan::Udp { header_bytes } => Endpoints::Udp {
            source: udp::Source::default(),
            sink: udp::Sink::default(),
            header_bytes: *header_bytes,
        },
    };
    let playout = match &flow.app {
        AppConfig::Datagrams(config) => config.playout.map(|config| Box::new(Playout::new(config))),
        _ => None,
    };
    Ok(Flow {
        endpoints,
        application: Application::new(&flow.app, (seed, id.0.into()), plan.duration),
        stop: flow.stop,
        score: Default::default(),
        jitter: Default::default(),
        playout,
        choices: None,
    })
}
