//! Places and propagation of the cells that share the air.

use super::bounds::vector;
use super::context::Context;
use super::motion::{along, by_rule};
use super::names::{Nodes, glob};
use super::{association, hearing};
use crate::at::{At, Problem};
use crate::overlays::Settled;
use crate::spec::{CellSpec, NodeSpec, PhySpec, Placement, ScenarioSpec};
use base::{NodeId, Time};
use radio::mobility::{Mobility, Track};
use radio::{ChannelConfig, ErrorModel, Position};
use std::collections::BTreeMap;
use wifi::phy::{Band, PhySettings, StandardName};
use wifi::{LOWER_HZ, MediumSettings, Reception, UPPER_HZ};
use world::{CellPlan, MAX_MEDIUM, MAX_MEDIUM_STATIONS, MediumPlan};

/// Gives every cell its place on the air, where the scenario has a medium.
pub fn place(context: &Context<'_>, nodes: &Nodes, cells: &mut [CellPlan]) -> Result<(), Problem> {
    let spec = context.spec;
    for node in &spec.node {
        nodes.matching(&node.name)?;
    }
    let Some(medium) = &spec.medium else { return Ok(()) };
    let settled = context.overlays.settled(&medium.settings);
    refuse_deaf(&settled)?;
    let settings = &settled.value;
    let transmit_w = settings.transmit_w;
    let mut on_channel: Vec<(u32, usize)> = Vec::new();
    for (at, plan) in spec.cell.iter().zip(cells.iter_mut()) {
        let channel = at.channel_number.as_ref().map_or(1, |channel| channel.value);
        // Where stations change their channel, all cells are one element of the air.
        let together = if association::roams(context) { 0 } else { channel };
        count(at, plan.stations.len(), together, &mut on_channel)?;
        let places = spots(at, plan, nodes, context)?;
        let reception = settings.reception(usual_model(at, context));
        refuse_custom(at, &reception)?;
        refuse_codes(at, &reception)?;
        let propagation = settings.propagation(usual_frequency(at, context));
        plan.medium = Some(MediumPlan { channel, propagation, transmit_w, reception, places });
    }
    hearing::settle_mixed(context, cells)?;
    refuse_two_laws(context, cells)?;
    refuse_two_places(spec, nodes, cells)
}

/// Returns the carrier frequency of a cell where none is given.
pub fn usual_frequency(cell: &At<CellSpec>, context: &Context<'_>) -> f64 {
    let phy = phy_of(cell, context);
    let is_upper = phy.generation().is_some() && phy.band == Band::Upper;
    if is_upper { UPPER_HZ } else { LOWER_HZ }
}

/// Returns the error model of a cell where none is given.
fn usual_model(cell: &At<CellSpec>, context: &Context<'_>) -> ErrorModel {
    match phy_of(cell, context).generation() {
        Some(_) => ErrorModel::Soft,
        None => ErrorModel::Nist,
    }
}

fn phy_of(cell: &At<CellSpec>, context: &Context<'_>) -> PhySettings {
    let phy = cell.phy.as_ref().map(|phy| phy.value.settings.clone()).unwrap_or_default();
    context.overlays.settled(&phy).value
}

/// Refuses a node of several cells that would be in two places.
fn refuse_two_places(
    spec: &ScenarioSpec,
    nodes: &Nodes,
    cells: &[CellPlan],
) -> Result<(), Problem> {
    let mut places: BTreeMap<NodeId, Position> = BTreeMap::new();
    for (at, plan) in spec.cell.iter().zip(cells) {
        let placed = plan.medium.iter().flat_map(|medium| &medium.places);
        for (&node, place) in plan.stations.iter().zip(placed) {
            let place = place.clone().position(Time::ZERO);
            if places.insert(node, place).is_some_and(|before| before != place) {
                let name = nodes.name(node);
                let message = format!(
                    "\"{name}\" is in another cell too and would be in two places; add [[node]] with name = \"{name}\" \
                     and a position"
                );
                return Err(at.stations.problem(message));
            }
        }
    }
    Ok(())
}

/// Refuses keys that depend on places, in a scenario without a medium.
pub fn refuse_placeless(context: &Context<'_>) {
    let spec = context.spec;
    if spec.medium.is_some() {
        return;
    }
    let tables = [
        spec.association.as_ref().map(|at| {
            at.problem(
            "association by signal needs a [medium]; add the table, empty if its defaults will do",
        )
        }),
        spec.mobile_ip.as_ref().map(|at| {
            at.problem("agents are heard by radio; add a [medium], empty if its defaults will do")
        }),
    ];
    tables.into_iter().flatten().for_each(|problem| context.refuse(problem));
    // The signal of 802.16 uses places too.
    if spec.wimax.iter().all(|cell| cell.signal.is_none()) {
        let of_nodes = spec.node.iter().filter_map(|node| place_of_node(node));
        let places = of_nodes.chain(spec.cell.iter().filter_map(|cell| place_of_cell(cell)));
        places.for_each(|problem| context.refuse(problem));
    }
}

const PLACELESS: &str = "places and channels have no meaning without a [medium]; add the table, empty if its defaults will do";

fn place_of_cell(cell: &CellSpec) -> Option<Problem> {
    let placement = cell.placement.as_ref().map(|at| at.problem(PLACELESS));
    placement.or_else(|| cell.channel_number.as_ref().map(|at| at.problem(PLACELESS)))
}

fn place_of_node(node: &NodeSpec) -> Option<Problem> {
    let position = node.position.as_ref().map(|at| at.problem(PLACELESS));
    position
        .or_else(|| node.velocity.as_ref().map(|at| at.problem(PLACELESS)))
        .or_else(|| node.waypoints.first().map(|at| at.problem(PLACELESS)))
        .or_else(|| node.mobility.as_ref().map(|at| at.problem(PLACELESS)))
}

/// Refuses codes with SINR: a code repairs bits that a [channel] loses, and it is not known which of those lost to noise it
/// would repair.
fn refuse_codes(cell: &At<CellSpec>, reception: &Reception) -> Result<(), Problem> {
    match (&cell.fec, reception) {
        (Some(at), Reception::Sinr(_)) => Err(at.out_of_range(
            "lasthop has no model of a code against noise; allowed: reception = \"thresholds\"",
        )),
        _ => Ok(()),
    }
}

/// Cells on one air have one law of losses.
fn refuse_two_laws(context: &Context<'_>, cells: &[CellPlan]) -> Result<(), Problem> {
    let alike = |a: &CellPlan, b: &CellPlan| {
        (&a.channel, a.state_per, a.fec) == (&b.channel, b.state_per, b.fec)
    };
    let is_ideal = |plan: &CellPlan| plan.channel == ChannelConfig::Ideal && plan.fec.is_none();
    for (i, (at, plan)) in context.spec.cell.iter().zip(cells).enumerate() {
        let differs = |other: &&CellPlan| {
            let hear =
                association::roams(context) || other.channel_number() == plan.channel_number();
            hear && !alike(other, plan) && !(is_ideal(other) && is_ideal(plan))
        };
        if let Some(other) = cells[..i].iter().find(differs) {
            let message = format!(
                "cells on one radio channel must have the same [channel], state_per and [fec]; \"{}\" has others",
                other.name
            );
            let channel = at.channel.as_ref().map(|channel| channel.problem(&message));
            return Err(channel.unwrap_or_else(|| at.problem(message)));
        }
    }
    Ok(())
}

fn count(
    cell: &At<CellSpec>,
    stations: usize,
    channel: u32,
    on_channel: &mut Vec<(u32, usize)>,
) -> Result<(), Problem> {
    let index = on_channel.iter().position(|known| known.0 == channel).unwrap_or_else(|| {
        on_channel.push((channel, 0));
        on_channel.len() - 1
    });
    on_channel[index].1 += stations;
    if on_channel[index].1 > MAX_MEDIUM_STATIONS {
        let message = format!(
            "more than {MAX_MEDIUM_STATIONS} stations on one channel, or on all where stations change channels"
        );
        return Err(cell.stations.out_of_range(message));
    }
    if on_channel.len() > MAX_MEDIUM {
        return Err(cell.out_of_range(format!("more than {MAX_MEDIUM} channels")));
    }
    Ok(())
}

/// Returns the position of each station, by the [[node]] that names it, else by the cell's placement.
fn spots(
    cell: &At<CellSpec>,
    plan: &CellPlan,
    nodes: &Nodes,
    context: &Context<'_>,
) -> Result<Vec<Mobility>, Problem> {
    let count = plan.stations.len();
    let mut spots = Vec::new();
    for (i, &node) in plan.stations.iter().enumerate() {
        let name = nodes.name(node);
        let centre = plan.access_point.map(|_| spots.first().map_or(Position::default(), at_first));
        let placed = cell.placement.as_ref().map(|at| spot(at.value, i, count, centre));
        let spot = movement(name, placed, context)?;
        spots.push(spot.ok_or_else(|| {
            let message = format!(
                "\"{name}\" has no place; give the cell a placement such as \"circle 10 m\", or add \
                 [[node]] with name = \"{name}\" and position = [0, 0]"
            );
            cell.stations.problem(message)
        })?);
    }
    Ok(spots)
}

/// Returns the movement of a node, by the `[[node]]` that name it, else at `placed`; `None` where neither gives a position.
pub(super) fn movement(
    name: &str,
    placed: Option<Position>,
    context: &Context<'_>,
) -> Result<Option<Mobility>, Problem> {
    let own = context.spec.node.iter().rev().filter(|spec| glob(&spec.name, name));
    let rule = own.clone().find(|spec| spec.mobility.is_some());
    if let Some(mobility) = rule.map_or(Ok(None), |rule| by_rule(rule, name, context.files))? {
        return Ok(Some(mobility));
    }
    let waypoints = own.clone().find(|spec| !spec.waypoints.is_empty());
    let position = own.clone().find_map(|spec| spec.position.as_ref());
    let velocity = own.clone().find_map(|spec| spec.velocity.as_ref());
    let position = match (position, placed) {
        (Some(at), _) => vector(at)?,
        (None, Some(position)) => position,
        (None, None) => return Ok(None),
    };
    let velocity = velocity.map_or(Ok(Position::default()), vector)?;
    Ok(Some(match waypoints {
        Some(spec) if velocity != Position::default() => {
            return Err(spec.problem("waypoints decide how the node moves; leave velocity out"));
        }
        Some(spec) => along(position, &spec.waypoints)?,
        None => Mobility::Track(Track::constant_velocity(position, velocity)),
    }))
}

/// Returns the position at time zero.
fn at_first(mobility: &Mobility) -> Position {
    mobility.clone().position(Time::ZERO)
}

/// Returns the position of the `index`-th of `count` stations: around `centre`, where the first, the access point, is; around
/// the origin where there is none.
fn spot(placement: Placement, index: usize, count: usize, centre: Option<Position>) -> Position {
    let before = usize::from(centre.is_some());
    let centre = centre.unwrap_or_default();
    match placement {
        Placement::Line(step_m) => centre.plus(Position::flat(step_m, 0.0), index as f64),
        Placement::Circle(_) if index < before => centre,
        Placement::Circle(radius_m) => {
            let turn = (index - before) as f64 / (count - before) as f64 * std::f64::consts::TAU;
            centre.plus(Position::flat(libm::cos(turn), libm::sin(turn)), radius_m)
        }
    }
}

/// Refuses rates outside the standard, whose bit errors are not known.
fn refuse_custom(cell: &At<CellSpec>, reception: &Reception) -> Result<(), Problem> {
    let is_custom = |phy: &PhySpec| phy.settings.value().standard == StandardName::Custom;
    let custom = cell.phy.as_ref().filter(|phy| is_custom(phy));
    match (custom, reception) {
        (Some(at), Reception::Sinr(_)) => Err(at.out_of_range(
            "lasthop has no error model of a custom rate; allowed: reception = \"thresholds\"",
        )),
        _ => Ok(()),
    }
}

/// Refuses a sensing threshold above that of reception: what is decoded is also sensed.
fn refuse_deaf(settled: &Settled<MediumSettings>) -> Result<(), Problem> {
    let MediumSettings { sense_w, .. } = settled.value;
    let above = sense_w.is_some_and(|sense_w| sense_w > settled.value.received_w());
    match settled.at(&["cs_threshold"]).filter(|_| above) {
        None => Ok(()),
        Some(at) => Err(at.problem(
            "above rx_threshold, though what is decoded is also sensed; give rx_threshold or less",
        )),
    }
}
