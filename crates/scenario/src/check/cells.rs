//! 802.11 cells and their MAC.

use super::bounds::packet_part;
use super::mac::mac;
use super::members::{cell_name, join};
use super::names::Nodes;
use super::{channel, phy, stations};
use crate::at::{At, Problem};
use crate::spec::{CellSpec, ChannelSpec, Conventions, ScenarioSpec};
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
        let is_taken = |name: &str| plans.iter().any(|plan| plan.name == name);
        let name = cell_name(cell, cell.name.as_ref(), ("cell", i), is_taken)?;
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
    join(&mut members, &cell.stations, "sta", nodes)?;
    if members.len() < 2 {
        let message =
            "one station alone has nobody to talk to; allowed: two or more, or an access_point";
        return Err(cell.stations.problem(message));
    }
    Ok(members)
}
