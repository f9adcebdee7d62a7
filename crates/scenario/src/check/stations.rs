//! Each station of a cell: timing, rates, rules, limits and queue; the cell's, except for the keys of its `[[node]]`.

use super::context::Context;
use super::names::{Nodes, glob};
use super::{links, mac, phy};
use crate::at::At;
use crate::retry_limits;
use crate::spec::{CellSpec, MacSpec, NodeSpec, PhySpec};
use base::NodeId;
use wifi::StationConfig;

/// Returns the stations of a cell, in order.
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

/// Returns the cell's station with the changes of `own`, of which later ones win.
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
    let ladder = context.keep(phy::ladder(&phy_spec, context));
    let mac = context.keep(mac::mac(&mac_spec, channel, context));
    let queue = context.keep(links::shared_queue(queue, context));
    Some(StationConfig { ladder: ladder?, mac: mac?, queue: queue? })
}

fn change(phy: &mut PhySpec, mac: &mut MacSpec, own: &NodeSpec) {
    // A station's own rate takes the place of the cell's MCS, and the other way.
    for (said, other) in [("rate", "mcs"), ("mcs", "rate")] {
        if own.phy.at(said).is_some() {
            phy.settings.take(other);
        }
    }
    phy.settings.lay_part(&own.phy);
    retry_limits::lay(&mut mac.settings, &own.mac);
}
