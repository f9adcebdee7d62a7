//! Mobile IP: agents, mobile nodes and parameters.

use super::context::Context;
use super::names::Nodes;
use crate::at::{At, Problem, Said};
use crate::code::Code;
use crate::spec::{MobileIpSpec, RoutingName, ScenarioSpec};
use crate::units::Duration;
use base::{NodeId, Span};
use mobileip::{Expiry, Preset, Settings};
use world::{MobileIpPlan, Plan};

/// Returns Mobile IP's part of a plan whose links and cells are known.
pub fn mobile_ip(
    context: &Context<'_>,
    nodes: &Nodes,
    plan: &Plan,
) -> Result<Option<MobileIpPlan>, Problem> {
    let spec = context.spec;
    let Some(at) = &spec.mobile_ip else { return Ok(None) };
    refuse_oracle(spec)?;
    let home_agent = nodes.find(&at.home_agent)?;
    let foreign_agents = foreign_agents(at, home_agent, nodes, plan)?;
    let mobiles = mobiles(at, (home_agent, &foreign_agents), nodes, plan)?;
    let plan_of_ip = MobileIpPlan {
        settings: settings(at, context, plan.roams())?,
        home_agent,
        foreign_agents,
        mobiles,
    };
    refuse_deaf(at, &plan_of_ip, nodes, plan)?;
    refuse_apart(at, &plan_of_ip, nodes, plan)?;
    Ok(Some(plan_of_ip))
}

fn refuse_oracle(spec: &ScenarioSpec) -> Result<(), Problem> {
    let kind = spec.routing.as_ref().and_then(|routing| routing.kind.as_ref());
    match kind.filter(|kind| kind.value.0 == RoutingName::Shortest) {
        Some(kind) => Err(kind.out_of_range(
            "beside [mobile_ip] the agents decide where nodes are; allowed: \"static\", or leave it out",
        )),
        None => Ok(()),
    }
}

/// Returns the access points of all cells.
fn access_points(plan: &Plan) -> Vec<NodeId> {
    let of_cell = |cell: &world::CellPlan| Some(cell.stations[cell.access_point?.index()]);
    plan.cells.iter().filter_map(of_cell).collect()
}

fn foreign_agents(
    at: &At<MobileIpSpec>,
    home_agent: NodeId,
    nodes: &Nodes,
    plan: &Plan,
) -> Result<Vec<NodeId>, Problem> {
    let all = access_points(plan);
    let names = |nodes_of: &[NodeId]| {
        nodes_of.iter().map(|&node| nodes.name(node)).collect::<Vec<_>>().join(", ")
    };
    let found = match &at.foreign_agents {
        None => all.iter().copied().filter(|&node| node != home_agent).collect(),
        Some(given) => {
            let mut found = Vec::new();
            for pattern in &given.value {
                for node in nodes.matching(pattern)? {
                    if !all.contains(&node) {
                        let message = format!(
                            "\"{}\" is not an access point; allowed: {}",
                            nodes.name(node),
                            names(&all)
                        );
                        return Err(pattern.out_of_range(message));
                    }
                    if !found.contains(&node) {
                        found.push(node);
                    }
                }
            }
            found
        }
    };
    if found.is_empty() {
        let message =
            "there is no foreign agent; add a cell with an access point beside the home agent";
        return Err(at
            .foreign_agents
            .as_ref()
            .map_or(at.problem(message), |at| at.problem(message)));
    }
    Ok(found)
}

fn mobiles(
    at: &At<MobileIpSpec>,
    (home_agent, foreign_agents): (NodeId, &[NodeId]),
    nodes: &Nodes,
    plan: &Plan,
) -> Result<Vec<NodeId>, Problem> {
    let mut found = Vec::new();
    for pattern in &at.mobile_nodes.value {
        for node in nodes.matching(pattern)? {
            let name = nodes.name(node);
            if node == home_agent || foreign_agents.contains(&node) {
                return Err(pattern.problem(format!("\"{name}\" is an agent and cannot move")));
            }
            let in_cell = |cell: &world::CellPlan| {
                cell.access_point.is_some() && cell.stations.contains(&node)
            };
            if access_points(plan).contains(&node) || !plan.cells.iter().any(in_cell) {
                let message = format!(
                    "\"{name}\" is not a station of an access point; allowed: one of a cell's stations"
                );
                return Err(pattern.problem(Code::UnknownName.says(message)));
            }
            if !found.contains(&node) {
                found.push(node);
            }
        }
    }
    match found.is_empty() {
        true => Err(at
            .mobile_nodes
            .out_of_range("there is no mobile node; allowed: one or more stations")),
        false => Ok(found),
    }
}

/// Refuses agents on other channels than that of a station which stays on its own: it would never hear them.
fn refuse_deaf(
    at: &At<MobileIpSpec>,
    ip: &MobileIpPlan,
    nodes: &Nodes,
    plan: &Plan,
) -> Result<(), Problem> {
    if plan.roams() {
        return Ok(());
    }
    let channel_of = |node: NodeId| {
        let cell = plan.cells.iter().find(|cell| cell.stations.contains(&node))?;
        Some(cell.channel_number())
    };
    for &mobile in &ip.mobiles {
        for &agent in &ip.foreign_agents {
            if channel_of(agent) != channel_of(mobile) {
                let message = format!(
                    "\"{}\" stays on its cell's channel and never hears \"{}\" on another; give both cells the same \
                     channel_number, or let stations go from channel to channel: [association]",
                    nodes.name(mobile),
                    nodes.name(agent)
                );
                return Err(at.mobile_nodes.problem(message));
            }
        }
    }
    Ok(())
}

/// Refuses agents that cannot reach each other.
fn refuse_apart(
    at: &At<MobileIpSpec>,
    ip: &MobileIpPlan,
    nodes: &Nodes,
    plan: &Plan,
) -> Result<(), Problem> {
    let topology = plan.topology();
    let joined = |from, to| topology.path(from, to, usize::from(plan.routing.ttl)).is_complete();
    for &agent in &ip.foreign_agents {
        if !joined(agent, ip.home_agent) || !joined(ip.home_agent, agent) {
            let message = format!(
                "there is no path between the home agent and \"{}\"; links must join them in both directions",
                nodes.name(agent)
            );
            return Err(at.home_agent.problem(message));
        }
    }
    Ok(())
}

fn settings(
    at: &At<MobileIpSpec>,
    context: &Context<'_>,
    roams: bool,
) -> Result<Settings, Problem> {
    let preset = context.overlays.settled(&at.settings).value.preset;
    let is_rfc = preset == Preset::Rfc5944;
    let mut settings = preset.settings();
    let (agent, mobile) = (&mut settings.agent, &mut settings.mobile);
    if let Some(interval) = &at.advertisement_interval {
        let span = at_least(interval, Span::millis(10), "")?;
        agent.max_interval = span;
        agent.min_interval = if is_rfc { Span(span.0 / 4 * 3) } else { span };
        agent.advertisement_lifetime = span * if is_rfc { 3 } else { 2 };
        if let Expiry::Check(period) = &mut mobile.expiry {
            *period = span;
        }
    }
    if let Some(lifetime) = &at.advertisement_lifetime {
        let why = ", the interval between two advertisements";
        agent.advertisement_lifetime = at_least(lifetime, agent.max_interval, why)?;
    }
    if let Some(lifetime) = &at.registration_lifetime {
        let span = at_least(lifetime, Span::millis(100), "")?;
        (agent.registration_lifetime, mobile.lifetime) = (span, span);
    }
    if let Some(wait) = &at.registration_retransmit {
        let (least, why) = match is_rfc {
            true => (Span::secs(1), " (RFC 5944 section 3.6.3)"),
            false => (Span::millis(10), ""),
        };
        mobile.retransmit = at_least(wait, least, why)?;
    }
    mobile.detection = at.detection.said_or(mobile.detection);
    mobile.link_trigger = match &at.link_trigger {
        Some(on) if on.value && !roams => {
            return Err(on.out_of_range(
                "stations here do not associate by signal; allowed: false, or add [association]",
            ));
        }
        Some(on) => on.value,
        None => is_rfc && roams,
    };
    Ok(settings)
}

fn at_least(at: &At<Duration>, least: Span, why: &str) -> Result<Span, Problem> {
    if at.value.0 >= least {
        return Ok(at.value.0);
    }
    Err(at
        .out_of_range(format!("too short; allowed: \"{} ms\" or more{why}", least.as_secs() * 1e3)))
}
