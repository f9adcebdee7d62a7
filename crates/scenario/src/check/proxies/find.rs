//! The nodes of a proxy, and the flows that it serves.

use super::super::flows::Groups;
use super::super::names::{Nodes, glob};
use super::sides::{Side, side};
use crate::at::{At, Problem};
use crate::nearest::unknown;
use crate::spec::{Places, ProxySpec};
use base::NodeId;
use world::{FlowPlan, Plan, TransportPlan};

/// The keys that all kinds of proxies have.
pub struct Wanted<'a> {
    /// The proxy.
    pub proxy: &'a At<ProxySpec>,
    /// Its nodes.
    pub at: &'a At<Places>,
    /// Names of its flows.
    pub flows: Option<&'a At<Vec<At<String>>>>,
    /// Nodes that count as stations beyond it.
    pub mobiles: Option<&'a At<Vec<At<String>>>>,
}

impl<'a> Wanted<'a> {
    /// Returns these keys of a proxy.
    pub fn of(proxy: &'a At<ProxySpec>) -> Wanted<'a> {
        let (at, flows, mobiles) = match &proxy.value {
            ProxySpec::Split(table) => (&table.at, &table.flows, None),
            ProxySpec::Snoop(table) => (&table.at, &table.flows, table.mobiles.as_ref()),
            ProxySpec::Mtcp(table) => (&table.at, &table.flows, table.mobiles.as_ref()),
        };
        Wanted { proxy, at, flows: flows.as_ref(), mobiles }
    }
}

/// The nodes of a proxy, and its flows by their position in the plan, each with its side.
pub struct Found {
    /// The nodes.
    pub at: Vec<NodeId>,
    /// The flows.
    pub flows: Vec<(usize, Side)>,
}

/// Finds the nodes of a proxy, and its flows.
pub fn find(
    &Wanted { proxy, at, flows, mobiles }: &Wanted<'_>,
    nodes: &Nodes,
    groups: &Groups,
    plan: &Plan,
) -> Result<Found, Problem> {
    let names = at.names();
    let mut places = Vec::new();
    for name in &names {
        for node in nodes.matching(name)? {
            if !places.contains(&node) {
                places.push(node);
            }
        }
    }
    let mut taken = Vec::new();
    for name in mobiles.iter().flat_map(|mobiles| &mobiles.value) {
        taken.extend(nodes.matching(name)?);
    }
    let is_tcp = |flow: &FlowPlan| matches!(flow.transport, TransportPlan::Tcp { .. });
    let Some(given) = flows else {
        let all = (0..plan.flows.len()).filter(|&i| is_tcp(&plan.flows[i]));
        let flows: Vec<_> =
            all.filter_map(|i| Some((i, side(plan, (&places, &taken), i, true).ok()?))).collect();
        if flows.is_empty() {
            return Err(proxy.problem(
                "no TCP flow with one end at a station beyond passes this node; name the flows by flows",
            ));
        }
        return Ok(Found { at: places, flows });
    };
    let mut flows: Vec<(usize, Side)> = Vec::new();
    for name in &given.value {
        for i in named(name, groups, plan)? {
            let flow = &plan.flows[i];
            if !is_tcp(flow) {
                let message =
                    format!("\"{}\" is not a TCP flow; allowed: flows over TCP", flow.name);
                return Err(name.out_of_range(message));
            }
            let side = side(plan, (&places, &taken), i, false)
                .map_err(|why| name.problem(format!("\"{}\" {why}", flow.name)))?;
            if !flows.iter().any(|&(known, _)| known == i) {
                flows.push((i, side));
            }
        }
    }
    Ok(Found { at: places, flows })
}

/// Returns the flows of a name.
fn named(name: &At<String>, groups: &Groups, plan: &Plan) -> Result<Vec<usize>, Problem> {
    // A [[flow]] with `count = 0` is known, and has none.
    if let Some(range) = groups.find(name, plan) {
        return Ok(range.collect());
    }
    let all = 0..plan.flows.len();
    let numbers: Vec<usize> = all.filter(|&i| glob(name, &plan.flows[i].name)).collect();
    if numbers.is_empty() {
        let known: Vec<&str> = plan.flows.iter().map(|flow| flow.name.as_str()).collect();
        return Err(name.problem(unknown("flow", name, &known)));
    }
    Ok(numbers)
}
