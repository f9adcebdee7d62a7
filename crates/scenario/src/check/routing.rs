//! Routing of packets: fixed next hops, and the oracle that knows which nodes are near.

use super::context::Context;
use super::names::Nodes;
use super::{clusters, dsdv};
use crate::at::{At, Problem};
use crate::spec::{RouteSpec, RoutingName, RoutingSpec};
use base::NodeId;
use net::Topology;
use radio::noise::ratio_from_db;
use world::{LinkRule, OraclePlan, Plan, RoutingPlan};

/// More next hops than this are a mistake of stars.
const MOST_ROUTES: usize = 1_000_000;

/// Returns the routing of a plan whose links and cells are known.
pub fn routing(context: &Context<'_>, nodes: &Nodes, plan: &Plan) -> Result<RoutingPlan, Problem> {
    let spec = context.spec;
    let mut routing = RoutingPlan::default();
    if let Some(at) = &spec.routing {
        routing.ttl = ttl(at)?.unwrap_or(routing.ttl);
        routing.oracle = oracle(at, spec.medium.is_some())?;
        routing.dsdv = dsdv::settings(at, context, nodes, plan)?;
        routing.clusters = clusters::clusters(at, spec, plan)?;
    }
    if spec.route.is_empty() {
        return Ok(routing);
    }
    let topology = plan.topology();
    for route in &spec.route {
        let hops = context.keep(next_hops(route, nodes, &topology));
        routing.next_hops.extend(hops.into_iter().flatten());
        if routing.next_hops.len() > MOST_ROUTES {
            return Err(route.out_of_range(format!("more than {MOST_ROUTES} next hops")));
        }
    }
    Ok(routing)
}

/// Returns the fixed next hops: node, destination and neighbour.
fn next_hops(
    route: &At<RouteSpec>,
    nodes: &Nodes,
    topology: &Topology,
) -> Result<Vec<(NodeId, NodeId, NodeId)>, Problem> {
    let via = nodes.find(&route.via)?;
    let pairs = pairs(route, nodes, via)?;
    if let Some(&(at, _)) = pairs.iter().find(|(at, _)| !topology.joins(*at, via)) {
        let message = format!(
            "\"{}\" is not a neighbour of \"{}\"; allowed: a node that a link or a cell joins to it",
            nodes.name(via),
            nodes.name(at)
        );
        return Err(route.via.out_of_range(message));
    }
    Ok(pairs.into_iter().map(|(at, to)| (at, to, via)).collect())
}

fn ttl(spec: &RoutingSpec) -> Result<Option<u8>, Problem> {
    let Some(at) = &spec.ttl else { return Ok(None) };
    match u8::try_from(at.value) {
        Ok(ttl) if ttl > 0 => Ok(Some(ttl)),
        _ => Err(at.out_of_range(format!("{} hops; allowed: 1 to 255", at.value))),
    }
}

fn oracle(spec: &At<RoutingSpec>, has_medium: bool) -> Result<Option<OraclePlan>, Problem> {
    let kind = spec.kind.as_ref().filter(|kind| kind.value.0 == RoutingName::Shortest);
    let Some(kind) = kind else {
        let message = "this key is for kind = \"shortest\"";
        let strange = [
            spec.margin_db.as_ref().map(|at| at.problem(message)),
            spec.distance.as_ref().map(|at| at.problem(message)),
            spec.delay.as_ref().map(|at| at.problem(message)),
        ];
        return strange.into_iter().flatten().next().map_or(Ok(None), Err);
    };
    if !has_medium {
        return Err(kind.problem("routes by power or distance need places; add a [medium], empty if its defaults will do"));
    }
    let link = match (&spec.margin_db, &spec.distance) {
        (Some(_), Some(at)) => {
            return Err(
                at.problem("margin_db and distance both say when there is a link; give one")
            );
        }
        (None, Some(at)) => LinkRule::Distance(at.value.0),
        (Some(at), None) if !(-100.0..=100.0).contains(&at.value) => {
            return Err(
                at.out_of_range(format!("{} is out of range; allowed: -100 to 100", at.value))
            );
        }
        (Some(at), None) => LinkRule::Power(ratio_from_db(at.value)),
        (None, None) => LinkRule::Power(1.0),
    };
    Ok(Some(OraclePlan { link, delay: spec.delay().value.0 }))
}

/// Returns (node, destination) of a `[[route]]`: all that match, except the neighbour itself and packets that have arrived.
fn pairs(route: &RouteSpec, nodes: &Nodes, via: NodeId) -> Result<Vec<(NodeId, NodeId)>, Problem> {
    let (sources, sinks) = (nodes.matching(&route.from)?, nodes.matching(&route.to)?);
    let all = sources.iter().flat_map(|&at| sinks.iter().map(move |&to| (at, to)));
    let pairs: Vec<_> =
        all.filter(|&(at, to)| at != to && at != via).take(MOST_ROUTES + 1).collect();
    if pairs.is_empty() {
        return Err(route
            .from
            .problem("no packet at this node goes there, so the next hop would never be used"));
    }
    Ok(pairs)
}
