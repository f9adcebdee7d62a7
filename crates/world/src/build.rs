//! From a plan to a world at time zero.

use crate::clusters::Clusters;
use crate::element::Element;
use crate::flows::{Application, Endpoints, Fetching, Flow, Flows, Register, TcpFlow};
use crate::guards::Guards;
use crate::mobile_ip::MobileIp;
use crate::network::{Network, Scratch};
use crate::oracle::Oracle;
use crate::plan::{CellPlan, FlowPlan, LinkPlan, MobileIpPlan, Plan, TransportPlan};
use crate::roaming::Roaming;
use crate::routers::Routers;
use crate::sites::Sites;
use apps::{AppConfig, Playout};
use base::{CellId, FlowId, LinkId, NodeId, Options, Seed, StationId, Time};
use net::{DropList, Hop, Pool, Routes, Topology, Wire, WireConfig};
use std::sync::Arc;
use transport::tcp::auto::Policy;
use transport::tcp::law::{AnyLaw, Custom};
use transport::tcp::{self, TcpConfig};
use transport::udp;

/// Why a plan cannot be built. The scenario crate checks for these first and names file and line.
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
    /// What the scenario sets.
    pub options: &'a Options,
}

/// Makes laws from outside; `None`: there is none of that number.
pub type MakeLaw<'a> = &'a dyn Fn(LawOrder<'_>) -> Option<Custom>;

impl Plan {
    /// Who can send to whom: wired links, and the air between each station and its access point (between all
    /// stations of an ad hoc cell).
    pub fn topology(&self) -> Topology {
        let mut topology = Topology::new(self.nodes.len());
        for (i, link) in self.links.iter().enumerate() {
            topology.connect(link.from, link.to, Hop::Wire(LinkId(i as u32)));
        }
        let map = self.air_map();
        for (cell, of) in self.cells.iter().zip(map.of_cell) {
            self.connect_cell(&mut topology, of, cell);
        }
        for (cell, id) in self.wimax.iter().zip(map.of_wimax) {
            cell.connect(&mut topology, id);
        }
        for (lan, id) in self.lans.iter().zip(map.of_lan) {
            lan.connect(&mut topology, id);
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
        topology: &Topology,
        flow: &FlowPlan,
    ) -> Result<(Vec<Hop>, Vec<Hop>), BuildError> {
        let unreachable = |back| BuildError::Unreachable { flow: flow.name.clone(), back };
        let longest = usize::from(self.routing.ttl);
        let forward = topology.path_via(flow.from, &flow.via, flow.to, longest);
        if !forward.is_complete() {
            return Err(unreachable(false));
        }
        if let TransportPlan::Udp { .. } = flow.transport {
            return Ok((forward.hops, Vec::new()));
        }
        let via: Vec<NodeId> = flow.via.iter().rev().copied().collect();
        let reverse = topology.path_via(flow.to, &via, flow.from, longest);
        if reverse.is_complete() {
            Ok((forward.hops, reverse.hops))
        } else {
            Err(unreachable(true))
        }
    }
}

impl Network {
    /// The network of a plan at time zero.
    pub(crate) fn build(plan: &Plan, seed: Seed, laws: MakeLaw<'_>) -> Result<Network, BuildError> {
        let topology = plan.topology();
        let mut register = Register::default();
        let mut flows = Vec::with_capacity(plan.flows.len());
        for (flow, config) in plan.flows.iter().enumerate() {
            plan.paths(&topology, config)?;
            let flow = FlowId(flow as u32);
            flows.push(build_flow(plan, seed, flow, (laws, &mut register))?);
        }
        let mut routes = Routes::new(topology, plan.routing.ttl);
        for flow in &plan.flows {
            routes.push(flow.from, &flow.via, flow.to);
        }
        for (from, to) in plan.mobile_ip.iter().flat_map(MobileIpPlan::ways) {
            routes.push(from, &[], to);
        }
        let wires = plan.links.iter().enumerate().map(|(i, link)| build_wire(link, seed, i));
        let elements = plan.air_map().elements.into_iter().zip(0..).map(|(cells, id)| {
            let of_plan: Vec<&CellPlan> = cells.iter().map(|&i| &plan.cells[i]).collect();
            Element::new(plan.build_air(&cells, seed), CellId(id), &of_plan)
        });
        let wimax = plan.wimax.iter().zip(plan.air_map().of_wimax).enumerate();
        let wimax = wimax.map(|(number, (cell, id))| Element::of_wimax(cell, id, seed, number));
        let lans = plan.lans.iter().zip(plan.air_map().of_lan).enumerate();
        let lans = lans.map(|(number, (lan, id))| Element::of_lan(lan, id, seed, number));
        let sites = Arc::new(Sites::new(plan));
        Ok(Network {
            pool: Pool::default(),
            routes,
            wires: wires.collect(),
            elements: elements.chain(wimax).chain(lans).collect(),
            flows: Flows::new(plan, flows, register),
            oracle: Oracle::new(plan, seed).map(Box::new),
            clusters: Clusters::new(plan, seed).map(Box::new),
            roaming: Roaming::default(),
            mobile_ip: MobileIp::new(plan, &sites, seed).map(Box::new),
            routers: Routers::new(plan, &sites, seed).map(Box::new),
            guards: Guards::new(plan).map(Box::new),
            measuring_since: Time::ZERO,
            scratch: Scratch::default(),
            sites,
            plan: plan.clone(),
        })
    }
}

impl Plan {
    /// The air of a cell. Packets come to a mobile node of Mobile IP by its home agent alone.
    fn connect_cell(&self, topology: &mut Topology, (id, first): (CellId, u32), cell: &CellPlan) {
        for (i, &from_node) in cell.stations.iter().enumerate() {
            for (j, &to_node) in cell.stations.iter().enumerate() {
                let (from, to) = (StationId(i as u32), StationId(j as u32));
                let joined = cell.access_point.is_none_or(|ap| ap == from || ap == to);
                if from != to && joined && !self.is_mobile(to_node) {
                    let (from, to) = (StationId(first + from.0), StationId(first + to.0));
                    topology.connect(from_node, to_node, Hop::Air { cell: id, from, to });
                }
            }
        }
    }
}

fn build_wire(link: &LinkPlan, seed: Seed, index: usize) -> Wire {
    let drop_list = |(flow, ordinals): &(usize, Vec<u64>)| {
        DropList::new(FlowId(*flow as u32), ordinals.clone())
    };
    let config = WireConfig {
        rate: link.rate,
        delay: link.delay,
        queue: link.queue.clone(),
        loss: link.loss,
        loss_place: link.loss_place,
        bursts: link.bursts,
        drop_lists: link.drop_lists.iter().map(drop_list).collect(),
    };
    Wire::new(config, seed, index as u64)
}

/// A connection's configuration; a law that starts at a random phase gets the flow's number for it, unless it is set.
fn salted(config: &TcpConfig, flow: usize) -> TcpConfig {
    let mut config = config.clone();
    let takes_salt = config.law.parameters().iter().any(|parameter| parameter.name == "salt");
    if takes_salt && config.law_options.get("salt").is_none() {
        config.law_options.set("salt", flow as f64);
    }
    config
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
fn salted_policy(policy: &Policy, flow: usize) -> Arc<Policy> {
    let mut policy = policy.clone();
    for alternative in &mut policy.alternatives {
        alternative.config = salted(&alternative.config, flow);
    }
    Arc::new(policy)
}

fn build_sender(
    index: usize,
    flow: &str,
    (config, policy): (&TcpConfig, Option<&Policy>),
    laws: MakeLaw<'_>,
) -> Result<tcp::Sender, BuildError> {
    if let Some(policy) = policy {
        return Ok(tcp::Sender::choosing(salted_policy(policy, index)));
    }
    let config = salted(config, index);
    Ok(tcp::Sender::with_law(&config, build_law(flow, &config, laws)?))
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
            let sender = build_sender(id.index(), &flow.name, variant, laws)?;
            Endpoints::Tcp(match &flow.app {
                AppConfig::Web(web) => {
                    let fetching = Fetching::new(config, sender, web.style, web.connections);
                    TcpFlow::fetching(config, id, fetching)
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
        choices: Default::default(),
    })
}
