//! Split connections: a flow becomes two.

use super::super::context::Context;
use super::super::transport::tcp;
use super::find::Found;
use super::sides::Side;
use crate::at::{At, Problem, Reason};
use crate::code::Code;
use crate::spec::SplitTable;
use crate::units::Size;
use ::apps::AppConfig;
use base::{FlowId, NodeId, Time};
use net::Trees;
use std::sync::Arc;
use transport::tcp::{Reader, TcpConfig};
use world::{
    BuildError, FlowPlan, Plan, ProxyKind, ProxyPlan, SplitFlow, SplitPlan, TransportPlan,
};

/// Divides the flows found.
pub fn split(
    table: &SplitTable,
    found: Found,
    context: &Context<'_>,
    plan: &mut Plan,
) -> Result<(), Problem> {
    let by_air = tcp(table.tcp.as_ref().map(|tcp| &tcp.value), context)?;
    let (buffer, between) = (table.buffer(), tcp(None, context)?);
    refuse_times(table)?;
    refuse_apart(table, &found.at, plan)?;
    let mut flows = Vec::new();
    for (i, side) in found.flows {
        let (flow, beyond) = legs(&plan.flows[i], side, &by_air, &buffer).map_err(|reason| {
            let place = table.flows.as_ref().map_or(&table.at.place, |flows| &flows.place);
            reason.at(place.clone())
        })?;
        if plan.splits().any(|(_, split)| split.flow.index() == i) {
            let message = format!("\"{}\" is split already; a flow can be split once", flow.name);
            return Err(table.at.problem(message));
        }
        let (topology, mut trees) = (plan.topology(), Trees::default());
        for leg in [&flow, &beyond] {
            let paths = plan.paths((&topology, &mut trees), leg);
            if let Err(BuildError::Unreachable { .. }) = paths {
                let message = format!(
                    "there is no path for the leg from \"{}\" to \"{}\"",
                    plan.nodes[leg.from.index()],
                    plan.nodes[leg.to.index()]
                );
                return Err(table.at.problem(message));
            }
        }
        let station = if side.comes_by_air { flow.from } else { beyond.to };
        let next = plan.flows.len() as u32;
        let has_state = found.at.len() > 1;
        let legs = SplitFlow {
            flow: FlowId(i as u32),
            beyond: FlowId(next),
            state: has_state.then_some(FlowId(next + 1)),
            station,
            comes_by_air: side.comes_by_air,
        };
        let state = has_state.then(|| state(&flow, &found.at, &between));
        serve_too(plan, legs);
        plan.flows[i] = flow;
        plan.flows.push(beyond);
        plan.flows.extend(state);
        flows.push(legs);
    }
    let plan_of_split = SplitPlan {
        buffer: buffer.value.0,
        socket: table.socket().value.0,
        resend: table.resend().value,
        dies: table.dies.iter().map(|at| Time::ZERO + at.value.0).collect(),
        restart: table.restart().value.0,
        flows,
    };
    let kind = ProxyKind::Split(plan_of_split);
    plan.proxies.push(ProxyPlan { at: found.at, kind });
    Ok(())
}

/// Refuses times of failures that do not increase.
fn refuse_times(table: &SplitTable) -> Result<(), Problem> {
    let late = table.dies.windows(2).find(|two| two[0].value.0 >= two[1].value.0);
    late.map_or(Ok(()), |two| {
        Err(two[1].out_of_range("this time is not after the one before; allowed: times that go up"))
    })
}

/// Refuses nodes that cannot reach each other, because the state moves between them.
fn refuse_apart(table: &SplitTable, at: &[NodeId], plan: &Plan) -> Result<(), Problem> {
    let topology = plan.topology();
    let joined = |from, to| topology.path(from, to, usize::from(plan.routing.ttl)).is_complete();
    for (&from, &to) in at.iter().flat_map(|from| at.iter().map(move |to| (from, to))) {
        if from != to && !joined(from, to) {
            let (from, to) = (&plan.nodes[from.index()], &plan.nodes[to.index()]);
            let message = format!(
                "there is no path from \"{from}\" to \"{to}\" for the state of connections"
            );
            return Err(table.at.problem(message));
        }
    }
    Ok(())
}

/// Returns the connection that carries the state from one node to the next.
fn state(first: &FlowPlan, at: &[NodeId], transport: &TransportPlan) -> FlowPlan {
    let name = format!("{}/state", first.name);
    let to = at.iter().copied().find(|&node| node != first.to).unwrap_or(first.to);
    let app = AppConfig::Bulk { bytes: None, on_times: None };
    let transport = transport.clone();
    FlowPlan { name, from: first.to, to, via: vec![], transport, app, ..first.clone() }
}

/// Adds the second leg of a flow to the services of 802.16 that carry it.
fn serve_too(plan: &mut Plan, legs: SplitFlow) {
    let services = plan.wimax.iter_mut().flat_map(|cell| &mut cell.config.services);
    for service in services.filter(|service| service.flows.contains(&legs.flow)) {
        service.flows.push(legs.beyond);
    }
}

/// Returns both legs of a flow.
fn legs(
    whole: &FlowPlan,
    side: Side,
    by_air: &TransportPlan,
    buffer: &At<Size>,
) -> Result<(FlowPlan, FlowPlan), Reason> {
    if !matches!(whole.app, AppConfig::Bulk { .. }) {
        return Err(Code::OutOfRange.says(format!(
            "\"{}\" carries requests and responses, which are not divided; allowed: app \"bulk\"",
            whole.name
        )));
    }
    let own = &whole.transport;
    let (mut first, mut second) = match side.comes_by_air {
        true => (by_air.clone(), own.clone()),
        false => (own.clone(), by_air.clone()),
    };
    let (Some(of_whole), Some(to), Some(on)) =
        (config_of(own), config_mut(&mut first), config_mut(&mut second))
    else {
        return Err(format!("\"{}\" is not a TCP flow", whole.name).into());
    };
    // The application at the end reads as it did; the node reads what it can pass on.
    (to.reader, on.reader) = (Reader::Manual, of_whole.reader);
    to.receive_window = to.receive_window.min(buffer.value.0);
    to.receive_buffer = Some(buffer.value.0);
    if to.receive_window < u64::from(to.mss) {
        return Err(Code::OutOfRange.says(format!(
            "a buffer of {} B holds no segment of {1} B; allowed: {1} B or more",
            buffer.value.0, to.mss
        )));
    }
    let name = format!("{}/beyond", whole.name);
    let app = AppConfig::Bulk { bytes: None, on_times: None };
    let beyond =
        FlowPlan { name, from: side.at, via: vec![], transport: second, app, ..whole.clone() };
    Ok((FlowPlan { to: side.at, via: vec![], transport: first, ..whole.clone() }, beyond))
}

fn config_of(transport: &TransportPlan) -> Option<&TcpConfig> {
    match transport {
        TransportPlan::Tcp { config, .. } => Some(config),
        TransportPlan::Udp { .. } => None,
    }
}

fn config_mut(transport: &mut TransportPlan) -> Option<&mut TcpConfig> {
    match transport {
        TransportPlan::Tcp { config, .. } => Some(Arc::make_mut(config)),
        TransportPlan::Udp { .. } => None,
    }
}
