//! Service flows of 802.16 cells: the flows that they carry, and their stations.

use super::context::Context;
use super::flows::Groups;
use super::links;
use super::names::glob;
use crate::at::{At, Problem};
use crate::nearest::unknown;
use crate::spec::ServiceSpec;
use base::{CellId, FlowId, Span};
use net::{Hop, Trees};
use std::collections::BTreeSet;
use wimax::{BASE, Class, ServiceConfig};
use world::{Part, Plan, Technology};

/// The most services of a cell: its numbers end there.
const MOST: usize = 200;

/// Gives each 802.16 cell of a plan, whose flows are known, its services.
pub fn services(context: &Context<'_>, groups: &Groups, plan: &mut Plan) {
    let of_wimax = |part: &Part<'_>| matches!(part.technology, Technology::Wimax(_));
    let parts = plan.parts().into_iter().filter(of_wimax);
    let elements: Vec<CellId> = parts.map(|part| part.element).collect();
    for (i, cell) in context.spec.wimax.iter().enumerate() {
        if let Some(beyond) = cell.service.get(MOST) {
            let message = format!("too many services; allowed: {MOST}");
            context.refuse(beyond.out_of_range(message));
            continue;
        }
        let mut taken = BTreeSet::new();
        for service in &cell.service {
            let config = config(service, elements[i], &mut taken, context, groups, plan);
            plan.wimax[i].config.services.extend(context.keep(config));
        }
    }
}

fn config(
    service: &At<ServiceSpec>,
    element: CellId,
    taken: &mut BTreeSet<FlowId>,
    context: &Context<'_>,
    groups: &Groups,
    plan: &Plan,
) -> Result<ServiceConfig, Problem> {
    let flows = flows(service, groups, plan)?;
    if let Some(twice) = flows.iter().find(|flow| !taken.insert(**flow)) {
        let name = &plan.flows[twice.index()].name;
        let message = format!("\"{name}\" is in two services; a flow can be in one");
        return Err(service.flows.problem(message));
    }
    let stations = stations(plan, element, &flows);
    let queue = service.queue.as_ref();
    let queue = queue.map(|at| links::shared_queue(Some(at), context)).transpose()?;
    let (interval, grant) = times(service)?;
    let class = service.class.value.0;
    Ok(ServiceConfig { class, interval, grant, flows, stations, queue })
}

fn flows(service: &ServiceSpec, groups: &Groups, plan: &Plan) -> Result<Vec<FlowId>, Problem> {
    let mut found = Vec::new();
    for name in &service.flows.value {
        let of_group = groups.find(name, plan);
        let numbers: Vec<usize> = match of_group {
            Some(range) => range.collect(),
            None => (0..plan.flows.len()).filter(|&i| glob(name, &plan.flows[i].name)).collect(),
        };
        if numbers.is_empty() {
            let known: Vec<&str> = plan.flows.iter().map(|flow| flow.name.as_str()).collect();
            return Err(name.problem(unknown("flow", name, &known)));
        }
        found.extend(numbers.into_iter().map(|number| FlowId(number as u32)));
    }
    Ok(found)
}

/// Returns the subscriber stations, from zero, from which packets of these flows go to the base station.
fn stations(plan: &Plan, element: CellId, flows: &[FlowId]) -> Vec<usize> {
    let (topology, mut trees) = (plan.topology(), Trees::default());
    let mut found = BTreeSet::new();
    for flow in flows {
        let paths = plan.paths((&topology, &mut trees), &plan.flows[flow.index()]);
        let Ok((there, back)) = paths else { continue };
        for hop in there.iter().chain(&back) {
            if let &Hop::Air { cell, from, to } = hop
                && cell == element
                && to == BASE
            {
                found.insert(from.index() - 1);
            }
        }
    }
    found.into_iter().collect()
}

/// Returns the interval of polls or grants of a class where none is given.
pub fn usual_interval(class: Class) -> Span {
    if class == Class::NrtPs { Span::secs(1) } else { Span::millis(20) }
}

/// Returns the interval of polls or grants, and a grant's bytes.
fn times(service: &At<ServiceSpec>) -> Result<(Span, u64), Problem> {
    let class = service.class.value.0;
    let interval = service.interval.as_ref().map_or(usual_interval(class), |at| at.value.0);
    if let Some(at) = service.interval.as_ref().filter(|_| interval < Span::millis(1)) {
        return Err(at.out_of_range("too often; allowed: \"1 ms\" or more"));
    }
    match (&service.grant, class) {
        (None, Class::Ugs) => {
            let message = "an unsolicited grant needs a size; add grant, such as \"238 B\"";
            Err(service.class.problem(message))
        }
        (Some(at), Class::Ugs) if !(1..=1_000_000).contains(&at.value.0) => {
            Err(at.out_of_range(format!("{} B; allowed: 1 B to 1000000 B", at.value.0)))
        }
        (Some(at), Class::Ugs) => Ok((interval, at.value.0)),
        (Some(at), _) => Err(at.problem("only class \"ugs\" has grants of a size; leave it out")),
        (None, _) => Ok((interval, 0)),
    }
}
