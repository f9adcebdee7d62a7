//! DSDV: its constants, and what it cannot stand beside.

use super::names::Nodes;
use crate::at::{At, Problem};
use crate::spec::{RoutingName, RoutingSpec, ScenarioSpec};
use base::{NodeId, Span};
use dsdv::Settings;
use world::Plan;

/// More silent periods than this are no rule.
const MOST_MISSED: u32 = 1000;

/// The constants of all routers; `None` where there are none.
pub fn settings(
    at: &At<RoutingSpec>,
    spec: &ScenarioSpec,
    nodes: &Nodes,
    plan: &Plan,
) -> Result<Option<Settings>, Problem> {
    let kind = at.kind.as_ref().filter(|kind| kind.value.0 == RoutingName::Dsdv);
    let Some(kind) = kind else {
        let message = "this is for kind = \"dsdv\", whose stations send updates";
        let strange = [
            at.update_period.as_ref().map(|at| at.problem(message)),
            at.settling_time.as_ref().map(|at| at.problem(message)),
            at.missed_updates.as_ref().map(|at| at.problem(message)),
        ];
        return strange.into_iter().flatten().next().map_or(Ok(None), Err);
    };
    refuse(spec).map_or(Ok(()), |why| Err(kind.problem(why)))?;
    if let Some(node) =
        (0..plan.nodes.len() as u32).map(NodeId).find(|&node| stands_twice(plan, node))
    {
        let name = nodes.name(node);
        let message =
            format!("\"{name}\" has several radios; allowed with dsdv: one for each node");
        return Err(kind.problem(message));
    }
    let (period, settling, missed) = (at.update_period(), at.settling_time(), at.missed_updates());
    if !(Span::millis(100)..=Span::secs(86_400)).contains(&period.value.0) {
        return Err(period.out_of_range("allowed: \"100 ms\" to \"24 h\""));
    }
    if settling.value.0 > Span::secs(86_400) {
        return Err(settling.out_of_range("allowed: up to \"24 h\""));
    }
    if !(1..=MOST_MISSED).contains(&missed.value) {
        return Err(missed.out_of_range(format!("{}; allowed: 1 to {MOST_MISSED}", missed.value)));
    }
    Ok(Some(Settings { period: period.value.0, settling: settling.value.0, missed: missed.value }))
}

/// What it cannot stand beside.
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
