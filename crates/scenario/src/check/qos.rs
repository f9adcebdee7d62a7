//! Access categories and aggregation of a cell.

use super::context::Context;
use super::names::{Nodes, glob};
use crate::at::{At, Problem};
use crate::settings::Set;
use crate::spec::{CellSpec, NodeSpec, QosSpec};
use base::{Named, NodeId, Span, StationId};
use wifi::phy::{Generation, PhySettings};
use wifi::qos::{
    AIRTIME_WEIGHT, AccessParameters, Agreements, Category, CategorySettings, Edca, Guard,
    QosConfig, QosGeneration, QosSettings, SharingSettings, TIME_UNIT, parameters,
};
use wifi::rate::{RateChoice, RateRule};
use wifi::{MacSettings, StationConfig};
use world::{CellPlan, QosPlan};

/// Returns the access categories of a cell, where its standard or the scenario gives it some.
pub fn qos(
    cell: &At<CellSpec>,
    plan: &CellPlan,
    nodes: &Nodes,
    context: &Context<'_>,
) -> Result<Option<QosPlan>, Problem> {
    let phy = cell.phy.as_ref().map(|phy| phy.value.settings.clone()).unwrap_or_default();
    let settled = context.overlays.settled(&phy);
    let generation = generation(&settled.value);
    let has_categories = generation > QosGeneration::Legacy || cell.qos.is_some();
    refuse_ideal(cell, plan, has_categories && context.spec.medium.is_some())?;
    if !has_categories {
        return Ok(None);
    }
    refuse_beside(cell)?;
    let plain = QosSpec::default();
    let spec = cell.qos.as_ref().map_or(&plain, |at| &at.value);
    let settings: QosSettings = context.overlays.settled(&spec.settings).value;
    let SharingSettings { aql_low, aql_high, .. } = settings.sharing;
    if aql_low > aql_high {
        let at = ["aql_low", "aql_high"].iter().find_map(|key| spec.settings.at(key));
        let message = "aql_low is above aql_high; allowed: aql_low <= aql_high";
        return Err(at.map_or_else(|| cell.problem(message), |at| at.out_of_range(message)));
    }
    refuse_protection(spec, &settings, plan)?;
    refuse_timeout(spec, &settings)?;
    let config = QosConfig { generation, settings };
    let categories = plan.configs.iter().enumerate().map(|(i, station)| {
        let is_access_point = plan.access_point == Some(StationId(i as u32));
        let edca = edca(spec, is_access_point, context);
        let own = parameters(&edca, station.ladder.phy(), (generation, is_access_point));
        refuse_windows(&own, spec, cell)?;
        refuse_limits(&own, spec, station)?;
        let mut said = of_node(plan.stations[i], nodes, context);
        let has_qos = said.rfind(|node| node.qos.is_some()).is_none_or(|node| node.qos().value);
        Ok(has_qos.then_some(own))
    });
    let categories = categories.collect::<Result<_, _>>()?;
    let weights = plan.stations.iter().map(|&node| weight(of_node(node, nodes, context)));
    let accept =
        plan.stations.iter().map(|&node| accepts(of_node(node, nodes, context), &settings));
    Ok(Some(QosPlan {
        config,
        categories,
        weights: weights.collect::<Result<_, _>>()?,
        accept_agreements: accept.collect::<Result<_, _>>()?,
    }))
}

/// An agreement that exists from the start is not asked for again, and a frame can say whole time units.
fn refuse_timeout(spec: &QosSpec, settings: &QosSettings) -> Result<(), Problem> {
    let timeout = settings.block_ack_timeout;
    let Some(at) = spec.settings.at("block_ack_timeout").filter(|_| timeout > Span::ZERO) else {
        return Ok(());
    };
    if settings.agreements == Agreements::Start {
        return Err(at.problem(
            "an agreement that exists from the start does not end; allowed with it: \"0 s\"; or set `agreements` to \"frames\"",
        ));
    }
    let units = (timeout.0 + TIME_UNIT.0 / 2) / TIME_UNIT.0;
    if timeout == TIME_UNIT * units {
        return Ok(());
    }
    let near = (TIME_UNIT * units.max(1)).0 / 1000;
    Err(at.out_of_range(format!(
        "not a whole number of time units of 1.024 ms; allowed: \"0 s\" for none, or a multiple, such as \"{near} us\""
    )))
}

/// Returns whether a station agrees where others ask it for agreements.
fn accepts<'a>(
    mut said: impl DoubleEndedIterator<Item = &'a NodeSpec>,
    settings: &QosSettings,
) -> Result<bool, Problem> {
    let Some(node) = said.rfind(|node| node.accepts_agreements.is_some()) else { return Ok(true) };
    let own = node.accepts_agreements();
    match &node.accepts_agreements {
        Some(at) if !own.value && settings.agreements == Agreements::Start => Err(at.problem(
            "nobody asks this station for agreements, which exist from the start; set `agreements` of [qos] to \"frames\"",
        )),
        _ => Ok(own.value),
    }
}

/// Protection of frames longer than any is none.
fn refuse_protection(
    spec: &QosSpec,
    settings: &QosSettings,
    plan: &CellPlan,
) -> Result<(), Problem> {
    let protects = |station: &StationConfig| station.mac.rts_threshold < u32::MAX;
    match spec.settings.at("protection") {
        Some(at) if settings.guard == Guard::CtsToSelf && !plan.configs.iter().any(protects) => {
            Err(at.out_of_range(
                "a CTS to oneself goes before frames that are longer than `rts` in [mac] says, and that is \"never\"; allowed with it: \"rts_cts\"; or set `rts` to \"always\" or to a size such as \"2000 B\"",
            ))
        }
        _ => Ok(()),
    }
}

/// Returns the `[[node]]` that name a node, in the scenario's order.
fn of_node<'a>(
    node: NodeId,
    nodes: &'a Nodes,
    context: &'a Context<'_>,
) -> impl DoubleEndedIterator<Item = &'a NodeSpec> {
    let name = nodes.name(node);
    let said = context.spec.node.iter().filter(move |said| glob(&said.name, name));
    said.map(|said| &said.value)
}

/// Returns the weight of a receiver among those that share airtime.
fn weight<'a>(mut said: impl DoubleEndedIterator<Item = &'a NodeSpec>) -> Result<u32, Problem> {
    let Some(at) = said.rfind(|node| node.airtime_weight.is_some()) else {
        return Ok(AIRTIME_WEIGHT);
    };
    match &at.airtime_weight {
        Some(at) if !(1..=65_535).contains(&at.value) => {
            Err(at.out_of_range(format!("{} is out of range; allowed: 1 to 65535", at.value)))
        }
        own => Ok(own.as_ref().map_or(AIRTIME_WEIGHT, |at| at.value)),
    }
}

/// Adds the two bytes of the QoS control field (802.11-2020, 9.2.4.5) to data frames, unless the header is given.
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

/// Returns the parameters of each category of a station, by documents and scenario.
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

/// Refuses TXOP limits that no frame keeps. A first frame may exceed the limit (802.11-2020, 10.23.2.9), so such a limit would
/// silently mean one frame in each.
fn refuse_limits(
    own: &[AccessParameters; Category::COUNT],
    spec: &QosSpec,
    station: &StationConfig,
) -> Result<(), Problem> {
    let shortest = station.shortest_exchange();
    for category in Category::EVERY {
        let limit = own[category as usize].txop;
        let given =
            spec.of(category).into_iter().flatten().filter_map(|set| set.at("txop")).next_back();
        let Some(at) = given.filter(|_| limit > Span::ZERO && limit < shortest) else { continue };
        let least = shortest.0.div_ceil(1000);
        return Err(at.out_of_range(format!(
            "shorter than an empty data frame with its acknowledgement; allowed: \"0 us\" for one frame in each TXOP, or at least \"{least} us\""
        )));
    }
    Ok(())
}

/// Refuses features of older cells that are not modelled in these.
fn refuse_beside(cell: &At<CellSpec>) -> Result<(), Problem> {
    if let Some(at) = &cell.fec {
        return Err(
            at.problem("a code of whole frames is not modelled for aggregates; leave it out")
        );
    }
    Ok(())
}

/// Refuses `ideal` where frames have no power: it chooses by that of each frame.
fn refuse_ideal(cell: &At<CellSpec>, plan: &CellPlan, has_power: bool) -> Result<(), Problem> {
    let is_ideal = |station: &StationConfig| station.ladder.rule == RateRule::Ideal;
    if has_power || !plan.configs.iter().any(is_ideal) {
        return Ok(());
    }
    let at = cell.phy.as_ref().and_then(|phy| phy.value.settings.at("rate_control"));
    let others = RateChoice::ALL.iter().filter(|choice| **choice != RateChoice::Ideal);
    let others: Vec<String> = others.map(|choice| format!("\"{}\"", choice.name())).collect();
    let message = format!(
        "\"ideal\" goes by the power of frames in cells with access categories: it needs a [medium], and 802.11n, 802.11ac, 802.11ax or a [qos] table; allowed else: {}",
        others.join(", ")
    );
    Err(match at {
        Some(at) => at.out_of_range(message),
        None => cell.problem(message),
    })
}

/// Returns the generation of a standard.
fn generation(phy: &PhySettings) -> QosGeneration {
    match phy.generation() {
        Some(Generation::Ht) => QosGeneration::Ht,
        Some(Generation::Vht) => QosGeneration::Vht,
        Some(Generation::He | Generation::Eht) => QosGeneration::He,
        None => QosGeneration::Legacy,
    }
}
