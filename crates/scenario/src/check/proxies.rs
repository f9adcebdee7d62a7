//! Proxies: the flows that they serve, and the changes to these.

mod find;
mod guards;
mod sides;
mod split;

use super::context::Context;
use super::flows::Groups;
use super::names::Nodes;
use crate::at::{At, Problem};
use crate::spec::ProxySpec;
use find::{Wanted, find};
use world::Plan;

/// Puts the proxies into a plan whose flows are known.
pub fn proxies(context: &Context<'_>, nodes: &Nodes, groups: &Groups, plan: &mut Plan) {
    for proxy in &context.spec.proxy {
        context.keep(one(proxy, context, nodes, groups, plan));
    }
}

fn one(
    proxy: &At<ProxySpec>,
    context: &Context<'_>,
    nodes: &Nodes,
    groups: &Groups,
    plan: &mut Plan,
) -> Result<(), Problem> {
    let found = find(&Wanted::of(proxy), nodes, groups, plan)?;
    match &proxy.value {
        ProxySpec::Split(table) => split::split(table, found, context, plan),
        ProxySpec::Snoop(table) => guards::snoop(table, found, plan),
        ProxySpec::Mtcp(table) => guards::mtcp(table, found, plan),
    }
}
