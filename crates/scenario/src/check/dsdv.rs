//! DSDV: its constants, and the features with which it cannot be combined.

use super::context::Context;
use super::names::Nodes;
use crate::at::{At, Problem};
use crate::settings::Set;
use crate::spec::{RoutingName, RoutingSpec, ScenarioSpec};
use base::NodeId;
use dsdv::Settings;
use world::Plan;

/// Returns the constants of all routers; `None` where there are none.
pub fn settings(
    at: &At<RoutingSpec>,
    context: &Context<'_>,
    nodes: &Nodes,
    plan: &Plan,
) -> Result<Option<Settings>, Problem> {
    let kind = at.kind.as_ref().filter(|kind| kind.value.0 == RoutingName::Dsdv);
    let Some(kind) = kind else {
        let message = "this is for kind = \"dsdv\", whose stations send updates";
        let strange = Set::<Settings>::keys().into_iter().find_map(|key| at.dsdv.at(key));
        return strange.map_or(Ok(None), |at| Err(at.problem(message)));
    };
    refuse(context.spec).map_or(Ok(()), |why| Err(kind.problem(why)))?;
    if let Some(node) =
        (0..plan.nodes.len() as u32).map(NodeId).find(|&node| stands_twice(plan, node))
    {
        let name = nodes.name(node);
        let message =
            format!("\"{name}\" has several radios; allowed with dsdv: one for each node");
        return Err(kind.problem(message));
    }
    Ok(Some(context.overlays.settled(&at.dsdv).value))
}

/// Returns the reason why DSDV does not fit this scenario, if there is one.
fn refuse(spec: &ScenarioSpec) -> Option<&'static str> {
    if spec.medium.is_none() {
        return Some("DSDV needs places; add a [medium], empty if its defaults will do");
    }
    if spec.association.is_some() || spec.mobile_ip.is_some() {
        return Some(
            "stations that change their access point or agent have their routes from it; leave out [association] and [mobile_ip], or say \"static\"",
        );
    }
    if !spec.route.is_empty() {
        return Some("dsdv sets the next hops itself; leave out [[route]], or say \"static\"");
    }
    None
}

fn stands_twice(plan: &Plan, node: NodeId) -> bool {
    plan.cells.iter().filter(|cell| cell.stations.contains(&node)).count() > 1
}
