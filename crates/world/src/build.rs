//! From a plan to a world at time zero.

use crate::flow::{Application, Connection, Endpoints, Flow};
use crate::lanes::Lanes;
use crate::mobile_ip::MobileIp;
use crate::oracle::Oracle;
use crate::plan::{CellPlan, FlowPlan, LinkPlan, MobileIpPlan, Plan, TransportPlan};
use crate::world::{CellPlace, World};
use apps::{AppConfig, Playout};
use base::{CellId, FlowId, LinkId, NodeId, Options, Seed, StationId};
use net::{DropList, Hop, Routes, Topology, Wire, WireConfig};
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
        for (cell, of) in self.cells.iter().zip(self.air_map().of_cell) {
            self.connect_cell(&mut topology, of, cell);
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

impl World {
    /// A world at time zero, without laws from outside.
    ///
    /// # Errors
    /// [`BuildError`] where the plan cannot be built.
    pub fn build(plan: &Plan, seed: Seed) -> Result<World, BuildError> {
        World::build_with(plan, seed, &|_| None)
    }

    /// A world at time zero; `laws` makes each flow's law where it comes from outside.
    ///
    /// # Errors
    /// [`BuildError`] where the plan cannot be built.
    pub fn build_with(plan: &Plan, seed: Seed, laws: MakeLaw<'_>) -> Result<World, BuildError> {
        let topology = plan.topology();
        let flows = plan
            .flows
            .iter()
            .enumerate()
            .map(|flow| build_flow((plan, seed), &topology, flow, laws))
            .collect::<Result<_, _>>()?;
        let mut routes = Routes::new(topology, plan.routing.ttl);
        for flow in &plan.flows {
            routes.push(flow.from, &flow.via, flow.to);
        }
        for (from, to) in plan.mobile_ip.iter().flat_map(MobileIpPlan::ways) {
            routes.push(from, &[], to);
        }
        let wires = plan.links.iter().enumerate().map(|(i, link)| build_wire(link, seed, i));
        let air_map = plan.air_map();
        let cells = air_map.elements.iter().map(|cells| {
            let of_plan: Vec<&CellPlan> = cells.iter().map(|&i| &plan.cells[i]).collect();
            CellPlace::new(plan.build_air(cells, seed), &of_plan)
        });
        Ok(World::assemble(
            (plan.clone(), air_map.of_cell),
            wires.collect(),
            cells.collect(),
            (flows, routes, Oracle::new(plan, seed).map(Box::new)),
            MobileIp::new(plan, seed).map(Box::new),
        ))
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
    (index, flow): (usize, &str),
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
    (plan, seed): (&Plan, Seed),
    topology: &Topology,
    (index, flow): (usize, &FlowPlan),
    laws: MakeLaw<'_>,
) -> Result<Flow, BuildError> {
    plan.paths(topology, flow)?;
    let endpoints = match (&flow.transport, &flow.app) {
        (TransportPlan::Tcp { config, policy, .. }, AppConfig::Web(web)) => {
            let of = (config, policy.as_deref());
            let sender = build_sender((index, &flow.name), of, laws)?;
            let lanes = Lanes::new(config, sender, (web.style, web.connections));
            Endpoints::Lanes(Box::new(lanes))
        }
        (TransportPlan::Tcp { config, policy, .. }, _) => Endpoints::Tcp(Box::new(Connection {
            sender: build_sender((index, &flow.name), (config, policy.as_deref()), laws)?,
            receiver: tcp::Receiver::new(config),
            sender_timer: Default::default(),
            receiver_timer: Default::default(),
            header_bytes: config.header_bytes,
            option_size: config.option_size,
            at_start: Default::default(),
            acked_at_start: 0,
            cuts: Default::default(),
        })),
        (TransportPlan::Udp { header_bytes }, _) => Endpoints::Udp {
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
        application: Application::new(&flow.app, (seed, index as u64), plan.duration),
        stop: flow.stop,
        score: Default::default(),
        jitter: Default::default(),
        playout,
        choices: Default::default(),
    })
}
