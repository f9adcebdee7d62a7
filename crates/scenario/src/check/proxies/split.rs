//! Split connections: a flow becomes two.

use super::super::transport::tcp;
use super::find::Found;
use super::sides::Side;
use crate::at::{At, Problem};
use crate::files::Files;
use crate::spec::{Conventions, SplitTable};
use crate::units::Size;
use ::apps::AppConfig;
use base::FlowId;
use transport::tcp::{Reader, TcpConfig};
use world::{
    BuildError, FlowPlan, Plan, ProxyKind, ProxyPlan, SplitFlow, SplitPlan, TransportPlan,
};

/// Divides the flows found.
pub fn split(
    table: &SplitTable,
    found: Found,
    known: (Conventions, &Files),
    plan: &mut Plan,
) -> Result<(), Problem> {
    let by_air = tcp(table.tcp.as_ref().map(|tcp| &tcp.value), known)?;
    let buffer = table.buffer();
    let mut flows = Vec::new();
    for (i, side) in found.flows {
        let (flow, beyond) = legs(&plan.flows[i], side, &by_air, &buffer).map_err(|message| {
            let place = table.flows.as_ref().map_or(&table.at.place, |flows| &flows.place);
            Problem { place: place.clone(), message }
        })?;
        if plan.splits().any(|(_, split)| split.flow.index() == i) {
            let message = format!("\"{}\" is divided already; a flow has two legs", flow.name);
            return Err(table.at.problem(message));
        }
        let topology = plan.topology();
        for leg in [&flow, &beyond] {
            if let Err(BuildError::Unreachable { .. }) = plan.paths(&topology, leg) {
                let message = format!(
                    "no way for the leg from \"{}\" to \"{}\"",
                    plan.nodes[leg.from.index()],
                    plan.nodes[leg.to.index()]
                );
                return Err(table.at.problem(message));
            }
        }
        let legs = SplitFlow { flow: FlowId(i as u32), beyond: FlowId(plan.flows.len() as u32) };
        serve_too(plan, legs);
        plan.flows[i] = flow;
        plan.flows.push(beyond);
        flows.push(legs);
    }
    let kind = ProxyKind::Split(SplitPlan { buffer: buffer.value.0, flows });
    plan.proxies.push(ProxyPlan { at: found.at, kind });
    Ok(())
}

/// The services of 802.16 that carry a flow carry its second leg too.
fn serve_too(plan: &mut Plan, legs: SplitFlow) {
    let services = plan.wimax.iter_mut().flat_map(|cell| &mut cell.config.services);
    for service in services.filter(|service| service.flows.contains(&legs.flow)) {
        service.flows.push(legs.beyond);
    }
}

/// Both legs of a flow.
fn legs(
    whole: &FlowPlan,
    side: Side,
    by_air: &TransportPlan,
    buffer: &At<Size>,
) -> Result<(FlowPlan, FlowPlan), String> {
    if !matches!(whole.app, AppConfig::Bulk { .. }) {
        return Err(format!(
            "\"{}\" carries requests and responses, which are not divided; allowed: app \"bulk\"",
            whole.name
        ));
    }
    let own = &whole.transport;
    let (mut first, mut second) = match side.comes_by_air {
        true => (by_air.clone(), own.clone()),
        false => (own.clone(), by_air.clone()),
    };
    let (Some(of_whole), Some(to), Some(on)) =
        (config_of(own), config_mut(&mut first), config_mut(&mut second))
    else {
        return Err(format!("\"{}\" is no TCP flow", whole.name));
    };
    // The application at the end reads as it did; the node reads what it can pass on.
    (to.reader, on.reader) = (Reader::Manual, of_whole.reader);
    to.receive_window = to.receive_window.min(buffer.value.0);
    if to.receive_window < u64::from(to.mss) {
        return Err(format!(
            "a buffer of {} B holds no segment of {1} B; allowed: {1} B or more",
            buffer.value.0, to.mss
        ));
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
        TransportPlan::Tcp { config, .. } => Some(config),
        TransportPlan::Udp { .. } => None,
    }
}
