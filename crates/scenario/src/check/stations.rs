//! Each station of a cell: timing, rates, rules, limits and queue; the cell's, except for the keys of its `[[node]]`.

use super::context::Context;
use super::names::{Nodes, glob};
use super::phy::Older;
use super::{links, mac, phy};
use crate::at::{At, Problem};
use crate::retry_limits;
use crate::settings::Set;
use crate::spec::{CellSpec, MacSpec, NodeSpec, PhySpec};
use base::{Given, Named, NodeId};
use wifi::StationConfig;
use wifi::phy::{Band, PhySettings, Standard, StandardName};

/// Returns the stations of a cell, in order.
pub fn configs(
    cell: &At<CellSpec>,
    stations: &[NodeId],
    nodes: &Nodes,
    context: &Context<'_>,
) -> Option<Vec<StationConfig>> {
    let beside_dsss = beside_dsss(stations.iter().map(|&node| nodes.name(node)), context);
    let plain = config(cell, &[], beside_dsss, context)?;
    let config_of = |&node: &NodeId| {
        let own = named(nodes.name(node), context);
        if own.is_empty() { Some(plain.clone()) } else { config(cell, &own, beside_dsss, context) }
    };
    stations.iter().map(config_of).collect()
}

/// Returns the `[[node]]` that name a node.
fn named<'a>(name: &str, context: &'a Context<'_>) -> Vec<&'a At<NodeSpec>> {
    context.spec.node.iter().filter(|own| glob(&own.name, name)).collect()
}

/// Returns true where one of the stations of a cell is said to be one of 802.11 or 802.11b, without OFDM.
pub fn beside_dsss<'a>(mut names: impl Iterator<Item = &'a str>, context: &Context<'_>) -> bool {
    let says_some = context.spec.node.iter().any(|own| own.phy.at(STANDARD).is_some());
    says_some && names.any(|name| standard(&named(name, context)).is_some_and(|own| is_dsss(own.1)))
}

const STANDARD: &str = "standard";

/// Returns the older standard of a station, with its place.
fn standard<'a>(own: &[&'a At<NodeSpec>]) -> Option<(&'a At<Given>, StandardName)> {
    let own = own.iter().rev().find(|own| own.phy.at(STANDARD).is_some())?;
    let mut all = Set::<PhySettings>::default();
    all.lay_part(&own.phy);
    Some((own.phy.at(STANDARD)?, all.value().standard))
}

fn is_dsss(standard: StandardName) -> bool {
    matches!(standard, StandardName::Dsss | StandardName::Hr)
}

/// Returns the cell's station with the changes of `own`, of which later ones win.
fn config(
    cell: &At<CellSpec>,
    own: &[&At<NodeSpec>],
    beside_dsss: bool,
    context: &Context<'_>,
) -> Option<StationConfig> {
    let channel = cell.channel.as_ref().map(|channel| &channel.value);
    let mut phy_spec = cell.phy.as_ref().map(|phy| phy.value.clone()).unwrap_or_default();
    let mut mac_spec = cell.mac.as_ref().map(|mac| mac.value.clone()).unwrap_or_default();
    for own in own {
        change(&mut phy_spec, &mut mac_spec, own);
    }
    let queue = own.iter().rev().find_map(|own| own.queue.as_ref()).or(cell.queue.as_ref());
    let standard = standard(own);
    if let Some(said) = standard {
        context.keep(refuse_standard(said, own, &phy_spec, context))?;
        age(&mut phy_spec, said, own);
    }
    let older = Older { standard: standard.map(|(_, standard)| standard), beside_dsss };
    let ladder = context.keep(phy::ladder(&phy_spec, older, context));
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
    let mut part = own.phy.clone();
    part.take(STANDARD);
    phy.settings.lay_part(&part);
    retry_limits::lay(&mut mac.settings, &own.mac);
}

/// Gives a station of an older standard what its cell has for others: no MCS, and its rate where it has none of its own. Without
/// categories one of 802.11b contends with its own window; those of categories are the access point's to say.
fn age(phy: &mut PhySpec, (at, standard): (&At<Given>, StandardName), own: &[&At<NodeSpec>]) {
    phy.settings.take("mcs");
    if own.iter().all(|own| own.phy.at("rate").is_none()) {
        phy.settings.take("rate");
    }
    let has_qos = own.iter().rev().find(|own| own.qos.is_some()).is_none_or(|own| own.qos().value);
    if is_dsss(standard) && !has_qos && phy.settings.at("cw_min").is_none() {
        let cw_min = Standard::Dsss.characteristics().cw_min;
        let given = Given::Whole(u64::from(cw_min));
        phy.settings.put("cw_min", At { value: given, place: at.place.clone() });
    }
}

/// Refuses standards that a cell's band does not have, and those of stations that go from cell to cell.
fn refuse_standard(
    (at, standard): (&At<Given>, StandardName),
    own: &[&At<NodeSpec>],
    phy: &PhySpec,
    context: &Context<'_>,
) -> Result<(), Problem> {
    let settings = context.overlays.settled(&phy.settings).value;
    if settings.generation().is_none() {
        return Err(at.problem(
            "only a station in a cell of 802.11n, 802.11ac or 802.11ax has an older standard of its own; leave it out",
        ));
    }
    let allowed: &[StandardName] = match settings.band {
        Band::Lower => &[StandardName::Dsss, StandardName::Hr, StandardName::G],
        Band::Upper => &[StandardName::A],
    };
    if !allowed.contains(&standard) {
        let names: Vec<_> = allowed.iter().map(|name| format!("\"{}\"", name.name())).collect();
        return Err(at.out_of_range(format!(
            "no older standard of a station in the {} band; allowed: {}",
            settings.band.name(),
            names.join(", ")
        )));
    }
    if let Some(mcs) = own.iter().find_map(|own| own.phy.at("mcs")) {
        return Err(
            mcs.problem("an older standard has no MCS; give the station a rate, or leave it out")
        );
    }
    if is_dsss(standard) && context.spec.association.is_some() && context.spec.cell.len() > 1 {
        return Err(at.problem(
            "what a station of 802.11b changes for others is not modelled where it may go to another cell; allowed: leave it out, and give the station a rate",
        ));
    }
    Ok(())
}
