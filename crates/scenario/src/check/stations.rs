//! Each station of a cell: timing, rates, rules, limits and queue; the cell's, but for what its `[[node]]` says.

use super::names::{Nodes, glob};
use super::{links, mac, phy};
use crate::at::{At, Problem};
use crate::spec::{CellSpec, Conventions, MacSpec, NodeSpec, PhySpec, ScenarioSpec};
use base::NodeId;
use wifi::StationConfig;

/// The stations of a cell, in order.
pub fn configs(
    cell: &At<CellSpec>,
    stations: &[NodeId],
    nodes: &Nodes,
    (spec, conventions): (&ScenarioSpec, Conventions),
) -> Result<Vec<StationConfig>, Problem> {
    let plain = config(cell, &[], (spec, conventions))?;
    let config_of = |&node: &NodeId| {
        let name = nodes.name(node);
        let own: Vec<_> = spec.node.iter().filter(|own| glob(&own.name, name)).collect();
        if own.is_empty() {
            return Ok(plain.clone());
        }
        config(cell, &own, (spec, conventions))
    };
    stations.iter().map(config_of).collect()
}

/// The cell's station with the changes of `own`, of which later ones win.
fn config(
    cell: &At<CellSpec>,
    own: &[&At<NodeSpec>],
    (spec, conventions): (&ScenarioSpec, Conventions),
) -> Result<StationConfig, Problem> {
    let channel = cell.channel.as_ref().map(|channel| &channel.value);
    let mut phy_spec = cell.phy.as_ref().map(|phy| phy.value.clone()).unwrap_or_default();
    let mut mac_spec = cell.mac.as_ref().map(|mac| mac.value.clone()).unwrap_or_default();
    for own in own {
        change(&mut phy_spec, &mut mac_spec, own);
    }
    let queue = own.iter().rev().find_map(|own| own.queue.as_ref()).or(cell.queue.as_ref());
    Ok(StationConfig {
        ladder: phy::ladder(&phy_spec, conventions)?,
        mac: mac::mac(Some(&mac_spec), channel, conventions)?,
        queue: links::queue(queue, spec, conventions)?,
    })
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
