//! Access categories and aggregation of a cell.

use super::context::Context;
use super::names::{Nodes, glob};
use crate::at::{At, Problem};
use crate::settings::Set;
use crate::spec::{CellSpec, QosSpec, RoutingName};
use base::StationId;
use wifi::MacSettings;
use wifi::phy::{Generation, PhySettings};
use wifi::qos::{
    AccessParameters, Category, CategorySettings, Edca, QosConfig, QosGeneration, parameters,
};
use world::{CellPlan, QosPlan};

/// The access categories of a cell, where its standard or the scenario gives it some.
pub fn qos(
    cell: &At<CellSpec>,
    plan: &CellPlan,
    nodes: &Nodes,
    context: &Context<'_>,
) -> Result<Option<QosPlan>, Problem> {
    let phy = cell.phy.as_ref().map(|phy| phy.value.settings.clone()).unwrap_or_default();
    let settled = context.overlays.settled(&phy);
    let generation = generation(&settled.value);
    if generation == QosGeneration::Legacy && cell.qos.is_none() {
        return Ok(None);
    }
    refuse_beside(cell, context)?;
    let plain = QosSpec::default();
    let spec = cell.qos.as_ref().map_or(&plain, |at| &at.value);
    let settings = context.overlays.settled(&spec.settings).value;
    let config = QosConfig { generation, settings };
    let categories = plan.configs.iter().enumerate().map(|(i, station)| {
        let is_access_point = plan.access_point == Some(StationId(i as u32));
        let edca = edca(spec, is_access_point, context);
        let own = parameters(&edca, station.ladder.phy(), (generation, is_access_point));
        refuse_windows(&own, spec, cell)?;
        let name = nodes.name(plan.stations[i]);
        let said = context.spec.node.iter().filter(|node| glob(&node.name, name));
        let has_qos =
            said.filter_map(|node| node.qos.as_ref()).next_back().is_none_or(|at| at.value);
        Ok(has_qos.then_some(own))
    });
    Ok(Some(QosPlan { config, categories: categories.collect::<Result<_, _>>()? }))
}

/// Data frames with a category have two bytes more, the QoS control field (802.11-2020, 9.2.4.5), unless the header is given.
pub fn lengthen_headers(cell: &At<CellSpec>, plan: &mut CellPlan, context: &Context<'_>) {
    const KEY: &str = "mac_header";
    let own = cell.mac.as_ref().and_then(|mac| mac.value.settings.at(KEY));
    if own.is_some() || context.overlays.source::<MacSettings>(None, KEY).is_some() {
        return;
    }
    plan.configs.iter_mut().for_each(|station| station.mac.mac_header += QOS_CONTROL);
}

/// Bytes of the QoS control field.
const QOS_CONTROL: u32 = 2;

/// What documents and the scenario say of each category of a station.
fn edca(spec: &QosSpec, is_access_point: bool, context: &Context<'_>) -> Edca {
    Category::EVERY.map(|category| {
        let mut all = Set::<CategorySettings>::default();
        let mut lay = |spec: &QosSpec| {
            let [every, own] = spec.of(category);
            every.into_iter().chain(own.filter(|_| is_access_point)).for_each(|set| all.lay(set));
        };
        context.overlays.each_qos(&mut lay);
        lay(spec);
        all.value()
    })
}

fn refuse_windows(
    own: &[AccessParameters; Category::COUNT],
    spec: &QosSpec,
    cell: &At<CellSpec>,
) -> Result<(), Problem> {
    for category in Category::EVERY {
        let AccessParameters { cw_min, cw_max, .. } = own[category as usize];
        if cw_min <= cw_max {
            continue;
        }
        let given = spec.of(category).into_iter().flatten();
        let at = given.filter_map(|set| set.at("cw_min").or_else(|| set.at("cw_max"))).next();
        let message =
            format!("cw_min = {cw_min} is above cw_max = {cw_max}; allowed: cw_min <= cw_max");
        return Err(
            at.map_or_else(|| cell.problem(message.clone()), |at| at.out_of_range(message.clone()))
        );
    }
    Ok(())
}

/// Such cells are modelled where all hear all, and without what older cells can have beside.
fn refuse_beside(cell: &At<CellSpec>, context: &Context<'_>) -> Result<(), Problem> {
    let spec = context.spec;
    const ALL_HEAR_ALL: &str = "cells with access categories (802.11n, 802.11ac, 802.11ax, [qos]) are modelled where all stations hear each other and stay; leave it out, or take 802.11a or 802.11g without [qos]";
    if let Some(at) = &spec.medium {
        return Err(at.problem(ALL_HEAR_ALL));
    }
    if let Some(at) = &spec.association {
        return Err(at.problem(ALL_HEAR_ALL));
    }
    if let Some(at) = &spec.mobile_ip {
        return Err(at.problem(ALL_HEAR_ALL));
    }
    let kind = spec.routing.as_ref().and_then(|at| at.kind.as_ref());
    if let Some(at) = kind.filter(|kind| kind.value.0 == RoutingName::Dsdv) {
        return Err(at.problem("frames for all stations, which DSDV sends, are not modelled in cells with access categories; allowed: \"shortest\" or \"static\""));
    }
    if let Some(at) = &cell.fec {
        return Err(
            at.problem("a code of whole frames is not modelled for aggregates; leave it out")
        );
    }
    Ok(())
}

/// The generation of a standard.
fn generation(phy: &PhySettings) -> QosGeneration {
    match phy.generation() {
        Some(Generation::Ht) => QosGeneration::Ht,
        Some(Generation::Vht) => QosGeneration::Vht,
        Some(Generation::He | Generation::Eht) => QosGeneration::He,
        None => QosGeneration::Legacy,
    }
}
