//! 802.11 cells and their MAC.

use super::bounds::packet_part;
use super::mac::mac;
use super::names::{Nodes, refuse_name};
use super::{channel, phy, stations};
use crate::at::{At, Problem};
use crate::spec::{CellSpec, ChannelSpec, Conventions, ScenarioSpec, Stations};
use base::{NodeId, StationId};
use world::CellPlan;

/// All cells.
pub fn cells(
    spec: &ScenarioSpec,
    conventions: Conventions,
    nodes: &mut Nodes,
) -> Result<Vec<CellPlan>, Problem> {
    // The top-level tables are checked even where every cell has its own, or where there is no cell.
    phy::ladder(&spec.phy.as_ref().map(|phy| phy.value.clone()).unwrap_or_default(), conventions)?;
    mac(spec.mac.as_ref().map(|mac| &mac.value), None, conventions)?;
    channel::channel(spec.channel.as_ref().map(|channel| &channel.value), conventions)?;
    channel::fec(spec.fec.as_ref().map(|fec| &fec.value))?;
    let mut plans: Vec<CellPlan> = Vec::new();
    for (i, cell) in spec.cell.iter().enumerate() {
        let default = if i == 0 { "cell".to_owned() } else { format!("cell{}", i + 1) };
        let name = cell.name.as_ref().map_or(default, |name| name.value.clone());
        if let Some(at) = &cell.name {
            refuse_name(at)?;
        }
        if plans.iter().any(|plan| plan.name == name) {
            let message = format!("a second cell \"{name}\"; names are given once");
            let at = cell.name.as_ref().map_or(cell.problem(&*message), |at| at.problem(&*message));
            return Err(at);
        }
        plans.push(cell_plan(cell, name, spec, conventions, nodes)?);
    }
    Ok(plans)
}

fn cell_plan(
    cell: &At<CellSpec>,
    name: String,
    spec: &ScenarioSpec,
    conventions: Conventions,
    nodes: &mut Nodes,
) -> Result<CellPlan, Problem> {
    let stations = members(cell, nodes)?;
    let access_point = cell.access_point.is_some().then_some(StationId(0));
    let channel_spec: Option<&ChannelSpec> = cell.channel.as_ref().map(|channel| &channel.value);
    // What ns-2's routing adds where there is an access point.
    let added = if access_point.is_some() && conventions.are_ns2() { 20 } else { 0 };
    Ok(CellPlan {
        name,
        configs: stations::configs(cell, &stations, nodes, (spec, conventions))?,
        stations,
        access_point,
        channel: channel::channel(channel_spec, conventions)?,
        state_per: channel::state_per(channel_spec, access_point.is_some())?,
        fec: channel::fec(cell.fec.as_ref().map(|fec| &fec.value))?,
        routing_header: cell.routing_header.as_ref().map_or(Ok(added), packet_part)?,
        link_layer_delay: cell.link_layer_delay(conventions).value.0,
        medium: None,
    })
}

/// The access point first, so that a further station moves nobody's random numbers.
fn members(cell: &At<CellSpec>, nodes: &mut Nodes) -> Result<Vec<NodeId>, Problem> {
    let mut members: Vec<NodeId> = Vec::new();
    if let Some(name) = &cell.access_point {
        members.push(nodes.make_at(name)?);
    }
    match &cell.stations.value {
        Stations::Count(count) => {
            for i in 1..=*count {
                let name = format!("sta{i}");
                if nodes.has(&name) && !members.is_empty() && is_taken(&name, nodes, &members) {
                    return Err(taken(&cell.stations, &name));
                }
                if nodes.has(&name) {
                    let message = format!(
                        "there is a node \"{name}\" already; name this cell's stations by a list"
                    );
                    return Err(cell.stations.problem(message));
                }
                members.push(nodes.make(&name));
            }
        }
        Stations::Names(names) => {
            for name in names {
                if nodes.has(name) && is_taken(name, nodes, &members) {
                    return Err(taken(name, name));
                }
                members.push(nodes.make_at(name)?);
            }
        }
    }
    if members.len() < 2 {
        let message =
            "one station alone has nobody to talk to; allowed: two or more, or an access_point";
        return Err(cell.stations.problem(message));
    }
    Ok(members)
}

fn is_taken(name: &str, nodes: &Nodes, members: &[NodeId]) -> bool {
    members.iter().any(|&member| nodes.name(member) == name)
}

fn taken<T>(at: &At<T>, name: &str) -> Problem {
    at.problem(format!("\"{name}\" is in this cell already; a station stands in a cell once"))
}
