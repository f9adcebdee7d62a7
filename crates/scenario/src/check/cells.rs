//! 802.11 cells and their MAC.

use super::context::Context;
use super::mac::mac;
use super::members::{cell_name, join};
use super::names::Nodes;
use super::phy::Older;
use super::{channel, phy, qos, stations};
use crate::at::{At, Problem};
use crate::spec::{CellSpec, ChannelSpec};
use base::{NodeId, StationId};
use radio::ChannelConfig;
use world::CellPlan;

/// Returns all cells.
pub fn cells(context: &Context<'_>, nodes: &mut Nodes) -> Vec<CellPlan> {
    tables_for_all(context);
    let mut plans: Vec<CellPlan> = Vec::new();
    for (i, cell) in context.spec.cell.iter().enumerate() {
        let is_taken = |name: &str| plans.iter().any(|plan| plan.name == name);
        let name = context.keep(cell_name(cell, cell.name.as_ref(), ("cell", i), is_taken));
        let Some(stations) = context.keep(members(cell, nodes)) else {
            nodes.lack_some();
            continue;
        };
        let plan = cell_plan(cell, name.unwrap_or_default(), stations, context, nodes);
        plans.extend(context.keep(plan));
    }
    plans
}

/// Checks the top-level tables, even where every cell has its own or where there is no cell.
fn tables_for_all(context: &Context<'_>) {
    let spec = context.spec;
    let phy = spec.phy.as_ref().map(|phy| phy.value.clone()).unwrap_or_default();
    context.keep(phy::ladder(&phy, Older::default(), context));
    let rules = spec.mac.as_ref().map(|mac| mac.value.clone()).unwrap_or_default();
    context.keep(mac(&rules, None, context));
    context.keep(channel::channel(spec.channel.as_ref().map(|at| &at.value), context));
    context.keep(channel::fec(spec.fec.as_ref().map(|fec| &fec.value), context));
}

fn cell_plan(
    cell: &At<CellSpec>,
    name: String,
    stations: Vec<NodeId>,
    context: &Context<'_>,
    nodes: &Nodes,
) -> Result<CellPlan, Problem> {
    let access_point = cell.access_point.is_some().then_some(StationId(0));
    let channel_spec: Option<&ChannelSpec> = cell.channel.as_ref().map(|channel| &channel.value);
    let upper = context.overlays.settled(&cell.settings).value;
    let added = if access_point.is_some() { upper.infrastructure_header } else { 0 };
    // Each of these is checked by itself.
    let configs = stations::configs(cell, &stations, nodes, context);
    let channel = context.keep(channel::channel(channel_spec, context));
    let state_per = channel::state_per(channel_spec, access_point.is_some());
    let fec = context.keep(channel::fec(cell.fec.as_ref().map(|fec| &fec.value), context));
    let mut plan = CellPlan {
        name,
        configs: configs.unwrap_or_default(),
        stations,
        access_point,
        channel: channel.unwrap_or(ChannelConfig::Ideal),
        state_per: state_per?,
        fec: fec.flatten(),
        routing_header: upper.routing_header.unwrap_or(added),
        link_layer_delay: upper.link_layer_delay,
        medium: None,
        qos: None,
    };
    if !plan.configs.is_empty() {
        plan.qos = context.keep(qos::qos(cell, &plan, nodes, context)).flatten();
    }
    if plan.qos.is_some() {
        qos::lengthen_headers(cell, &mut plan, context);
    }
    Ok(plan)
}

/// Returns the members, the access point first, so that a further station changes no other's random numbers.
fn members(cell: &At<CellSpec>, nodes: &mut Nodes) -> Result<Vec<NodeId>, Problem> {
    let mut members: Vec<NodeId> = Vec::new();
    if let Some(name) = &cell.access_point {
        members.push(nodes.make_at(name)?);
    }
    join(&mut members, &cell.stations, "sta", nodes)?;
    if members.len() < 2 {
        let message =
            "a single station has nobody to send to; allowed: two or more, or an access_point";
        return Err(cell.stations.out_of_range(message));
    }
    Ok(members)
}
