//! Each station of a cell: timing, rates, rules, limits and queue; the cell's, but for what its `[[node]]` says.

use super::context::Context;
use super::names::{Nodes, glob};
use super::{links, mac, phy};
use crate::at::At;
use crate::spec::{CellSpec, MacSpec, NodeSpec, PhySpec};
use base::NodeId;
use wifi::StationConfig;

/// The stations of a cell, in order.
pub fn configs(
    cell: &At<CellSpec>,
    stations: &[NodeId],
    nodes: &Nodes,
    context: &Context<'_>,
) -> Option<Vec<StationConfig>> {
    let plain = config(cell, &[], context)?;
    let config_of = |&node: &NodeId| {
        let name = nodes.name(node);
        let own: Vec<_> = context.spec.node.iter().filter(|own| glob(&own.name, name)).collect();
        if own.is_empty() { Some(plain.clone()) } else { config(cell, &own, context) }
    };
    stations.iter().map(config_of).collect()
}

/// The cell's station with the changes of `own`, of which later ones win.
fn config(
    cell: &At<CellSpec>,
    own: &[&At<NodeSpec>],
    context: &Context<'_>,
) -> Option<StationConfig> {
    let channel = cell.channel.as_ref().map(|channel| &channel.value);
    let mut phy_spec = cell.phy.as_ref().map(|phy| phy.value.clone()).unwrap_or_default();
    let mut mac_spec = cell.mac.as_ref().map(|mac| mac.value.clone()).unwrap_or_default();
    for own in own {
        change(&mut phy_spec, &mut mac_spec, own);
    }
    let queue = own.iter().rev().find_map(|own| own.queue.as_ref()).or(cell.queue.as_ref());
    let ladder = context.keep(phy::ladder(&phy_spec, context.conventions));
    let mac = context.keep(mac::mac(Some(&mac_spec), channel, context.conventions));
    let queue = context.keep(links::queue(queue, context));
    Some(StationConfig { ladder: ladder?, mac: mac?, queue: queue? })
}

fn change(phy: &mut PhySpec, mac: &mut MacSpec, own: &NodeSpec) {
    phy.rate = own.rate.clone().or(phy.rate.take());
    phy.rate_control = own.rate_control.clone().or(phy.rate_control.take());
    phy.cw_min = own.cw_min.clone().or(phy.cw_min.take());
    phy.cw_max = own.cw_max.clone().or(phy.cw_max.take());
    mac.rts = own.rts.clone().or(mac.rts.take());
    if own.retry_limit.is_some() {
        (mac.short_retry_limit, mac.long_retry_limit) = (None, None);
        mac.retry_limit = own.retry_limit.clone();
    }
    if own.short_retry_limit.is_some() || own.long_retry_limit.is_some() {
        let both = mac.retry_limit.take();
        let (short, long) = (mac.short_retry_limit.take(), mac.long_retry_limit.take());
        mac.short_retry_limit = own.short_retry_limit.clone().or(short).or(both.clone());
        mac.long_retry_limit = own.long_retry_limit.clone().or(long).or(both);
        mac.retry_limit = own.retry_limit.clone(); // both kinds in one table are refused
    }
}
