//! 802.11, 802.16, LANs, and the layers above them: media, association, Mobile IP, routes.

use super::node::{Node, Origin, Table, Write};
use super::parts::{given_queue, queue, queue_written, senses_less, settle};
use crate::at::At;
use crate::check::{
    Context, MODERN, Older, beside_dsss, glob as matches_pattern, ladder, usual_frequency,
    usual_interval,
};
use crate::given::as_json;
use crate::retry_limits::{BOTH, EACH};
use crate::settings::Set;
use crate::spec::{
    CellSpec, ChannelSpec, ClustersSpec, EdcaSpec, IdealTable, MacSpec, NodeSpec, PhySpec, QosSpec,
    RoutingName, RoutingSpec, ScenarioSpec, SubscriberSpec, WimaxSpec,
};
use crate::table::fill as fill_defaults;
use base::{Given, Named, Settings, Span, StationId};
use radio::StatePer;
use serde_json::Value as Json;
use wifi::mlme::{AssociationName, ScanConfig};
use wifi::qos::{AccessParameters, Category, CategorySettings, QosGeneration};
use wifi::rate::RateChoice;
use wifi::{CountName, ErrorScope, LOWER_HZ, MacSettings};
use world::{CellPlan, Plan, QosPlan, WimaxPlan};

/// Completes everything in the air, and the routes over it.
pub fn fill(root: &mut Table, spec: &ScenarioSpec, plan: &Plan, context: &Context<'_>) {
    // A node counts its limits as its cell does.
    let limits = || [BOTH].into_iter().chain(EACH);
    let has_own = |node: &At<NodeSpec>| limits().any(|key| node.mac.at(key).is_some());
    let keep_counts = spec.node.iter().any(has_own);
    for (i, (table, cell)) in root.tables("cell").iter_mut().zip(&spec.cell).enumerate() {
        table.say("name", plan.cells[i].name.as_str());
        if spec.medium.is_none() {
            table.remove("channel_number");
        }
        wifi(table, cell, keep_counts, (&plan.cells[i], plan), context);
        qos(table, cell, &plan.cells[i], context);
    }
    for (table, node) in root.tables("node").iter_mut().zip(&spec.node) {
        if let Some(both) = node.mac.at(BOTH) {
            let json = as_json(&both.value).unwrap_or_default();
            table.remove(BOTH);
            let origin = Origin::Text(both.place.clone());
            EACH.iter().for_each(|key| table.set(key, Node::Value(json.clone()), origin.clone()));
        }
    }
    for (i, (table, cell)) in root.tables("wimax").iter_mut().zip(&spec.wimax).enumerate() {
        table.say("name", plan.wimax[i].name.as_str());
        wimax(table, cell, context);
        subscribers(table, cell, &plan.wimax[i], plan);
    }
    for (i, (table, lan)) in root.tables("lan").iter_mut().zip(&spec.lan).enumerate() {
        table.say("name", plan.lans[i].name.as_str());
        settle(table, &lan.settings, context);
        if lan.length.is_some() {
            table.remove("delay");
        }
        queue(table, "queue", lan.queue.as_ref(), context);
    }
    if let Some(medium) = &spec.medium {
        let table = root.table("medium");
        settle(table, &medium.settings, context);
        // Where cells are in both bands, each has its own.
        let mut usual = spec.cell.iter().map(|cell| usual_frequency(cell, context));
        let first = usual.next().unwrap_or(LOWER_HZ);
        if table.get("frequency").is_none()
            && usual.all(|own| own == first)
            && let Some(json) = as_json(&Given::Frequency(first))
        {
            table.set("frequency", Node::Value(json), Origin::Default);
        }
        if senses_less(context) {
            root.table("medium").remove("cs_threshold");
        }
    }
    association(root, spec, plan, context);
    mobile_ip(root, spec, plan, context);
    routing(root, spec, context);
}

fn wifi(
    table: &mut Table,
    cell: &CellSpec,
    keep_counts: bool,
    (of_cell, plan): (&CellPlan, &Plan),
    context: &Context<'_>,
) {
    settle(table, &cell.settings, context);
    queue(table, "queue", cell.queue.as_ref(), context);
    let names = of_cell.stations.iter().map(|node| plan.nodes[node.index()].as_str());
    phy(table.made("phy", PhySpec::keys()), cell, beside_dsss(names, context), context);
    let channel_spec = cell.channel.as_ref().map(|at| &at.value);
    let spec = cell.mac.as_ref().map(|mac| mac.value.clone()).unwrap_or_default();
    mac(table.made("mac", MacSpec::keys()), &spec, keep_counts, context);
    let of_channel = table.made("channel", [vec!["model"], IdealTable::keys()].concat());
    of_channel.complete("model", "ideal");
    channel(of_channel, channel_spec, context);
    settle(
        of_channel,
        &channel_spec.map_or_else(Set::default, |spec| spec.scope().clone()),
        context,
    );
    of_channel.say("state_per", of_cell.state_per.name());
    if let Some(fec) = &cell.fec
        && !settle(table.table("fec"), &fec.settings, context).enabled
    {
        table.remove("fec");
    }
}

/// Completes aggregation, and writes all parameters of each category: those of all stations, and those of the access point.
fn qos(table: &mut Table, cell: &CellSpec, plan: &CellPlan, context: &Context<'_>) {
    let has_some =
        |qos: &&QosPlan| cell.qos.is_some() || qos.config.generation > QosGeneration::Legacy;
    let Some(qos) = plan.qos.as_ref().filter(has_some) else { return table.remove("qos") };
    let header = plan.configs.first().map(|station| u64::from(station.mac.mac_header));
    if let Some(json) = header.and_then(|bytes| as_json(&Given::Bytes(bytes))) {
        table.table("mac").say("mac_header", json);
    }
    let spec = cell.qos.as_ref().map(|at| at.value.clone()).unwrap_or_default();
    let written = table.made("qos", QosSpec::keys());
    settle(written, &spec.settings, context);
    written.complete("block_ack_window", qos.config.window());
    let own = |is_ap: bool| {
        let is_own = |i: &usize| (plan.access_point == Some(StationId(*i as u32))) == is_ap;
        (0..plan.stations.len()).find(is_own).and_then(|i| qos.categories[i])
    };
    let all = own(false);
    categories(written, all);
    let access_point = own(true).filter(|own| Some(*own) != all);
    match access_point {
        Some(_) => categories(written.made("access_point", EdcaSpec::keys()), access_point),
        None => written.remove("access_point"),
    }
}

fn categories(table: &mut Table, all: Option<[AccessParameters; Category::COUNT]>) {
    for (category, parameters) in Category::EVERY.iter().zip(all.into_iter().flatten()) {
        let keys = Set::<CategorySettings>::keys();
        let written = table.made(category.name(), keys);
        for (key, given) in parameters.settings().given() {
            // In the order of the keys, whatever the scenario gives.
            match written.get(key).cloned() {
                Some(node) => {
                    let origin = written.origin(key);
                    written.remove(key);
                    written.set(key, node, origin);
                }
                None => written.say(key, as_json(&given)),
            }
        }
    }
}

/// Completes the rules, with each limit by itself, in attempts where no station has a limit of its own.
fn mac(table: &mut Table, spec: &MacSpec, keep_counts: bool, context: &Context<'_>) {
    let settings = settle(table, &spec.settings, context);
    let counts = if keep_counts { settings.retry_limit_counts } else { CountName::Attempts };
    if counts == CountName::Retransmissions {
        for key in EACH {
            if let Some(Node::Value(Json::Number(attempts))) = table.get(key).cloned() {
                table.say(key, attempts.as_u64().unwrap_or_default().saturating_sub(1));
            }
        }
    }
    table.remove(BOTH);
    let laid = context.overlays.source::<MacSettings>(None, BOTH).map(Origin::Document);
    let both = spec.settings.at(BOTH).map(|at| Origin::Text(at.place.clone()));
    for key in EACH {
        let laid = laid.clone().filter(|_| table.origin(key) == Origin::Default);
        if let (Some(origin), Some(node)) = (both.clone().or(laid), table.get(key).cloned()) {
            table.set(key, node, origin);
        }
    }
    table.say("retry_limit_counts", counts.name());
}

/// Completes timing and rates, with the standard's values.
fn phy(table: &mut Table, cell: &CellSpec, beside_dsss: bool, context: &Context<'_>) {
    let spec = cell.phy.as_ref().map(|phy| phy.value.clone()).unwrap_or_default();
    let settings = settle(table, &spec.settings, context);
    if settings.generation().is_none() {
        MODERN.iter().for_each(|key| table.remove(key));
    }
    let older = Older { beside_dsss, ..Older::default() };
    let Ok(ladder) = ladder(&spec, older, context) else { return };
    let rates = context.overlays.rates().filter(|_| spec.rates.is_none());
    if let Some((name, rates)) = rates.filter(|_| settings.rate_control != RateChoice::Fixed)
        && let Some(node) = rates.write()
    {
        table.set("rates", node, Origin::Document(name));
    }
    let phy = &ladder.rungs[ladder.first].phy;
    table.complete("slot", time(phy.slot));
    table.complete("sifs", time(phy.sifs));
    table.complete("cw_min", phy.cw_min);
    table.complete("cw_max", phy.cw_max);
    // A station with another control begins with another rate.
    let is_changed = context.spec.node.iter().any(|node| node.phy.at("rate_control").is_some());
    if settings.generation().is_some() && settings.rate.is_none() {
        table.say("width", format!("{} MHz", settings.width_mhz()));
        if settings.rate_control == RateChoice::Fixed && !is_changed {
            table.say("mcs", settings.mcs.or(settings.schemes().last().map(u32::from)));
            let mode = ladder.rungs[ladder.first].mode;
            table.complete("coding", mode.map(|mode| mode.coding().name()));
        }
    } else if settings.rate_control == RateChoice::Fixed && !is_changed {
        let rate = as_json(&Given::Rate(phy.data.payload.rate())).unwrap_or_default();
        table.complete("rate", rate);
    }
}

/// Completes the rules by which a channel's states meet frames.
fn channel(table: &mut Table, spec: Option<&ChannelSpec>, context: &Context<'_>) {
    match spec {
        Some(ChannelSpec::GilbertElliott(of)) => drop(settle(table, &of.rules, context)),
        Some(ChannelSpec::Markov(of)) => drop(settle(table, &of.rules, context)),
        Some(ChannelSpec::Ideal(_) | ChannelSpec::Bernoulli(_) | ChannelSpec::BitErrors(_))
        | None => {}
    }
}

fn wimax(table: &mut Table, cell: &WimaxSpec, context: &Context<'_>) {
    let settings = settle(table, &cell.settings, context);
    if settings.frame.split.downlink_symbols.is_some() {
        table.remove("ratio");
    }
    queue(table, "queue", cell.queue.as_ref(), context);
    given_queue(table, "downlink_queue", cell.downlink_queue.as_ref(), context);
    given_queue(table, "uplink_queue", cell.uplink_queue.as_ref(), context);
    if let Some(at) = &cell.channel {
        let table = table.table("channel");
        channel(table, Some(&at.value), context);
        Set::<ErrorScope>::keys().iter().for_each(|key| table.remove(key));
        table.complete("state_per", StatePer::Station.name());
    }
    if let Some(at) = &cell.arq {
        ["fragmentation", "packing"].iter().for_each(|key| table.remove(key));
        settle(table.table("arq"), &at.settings, context);
    }
    if let Some(at) = &cell.entry {
        settle(table.table("entry"), &at.settings, context);
    }
    if let Some(at) = &cell.signal {
        settle(table.table("signal"), &at.settings, context);
    }
    for (table, own) in table.tables("service").iter_mut().zip(&cell.service) {
        given_queue(table, "queue", own.queue.as_ref(), context);
        table.complete("interval", time(usual_interval(own.class.value.0)));
    }
}

/// Writes a table for each station that one of the scenario's tables names, with all of its values.
fn subscribers(table: &mut Table, cell: &WimaxSpec, plan_of: &WimaxPlan, plan: &Plan) {
    let mut tables = Vec::new();
    for (node, config) in plan_of.stations[1..].iter().zip(&plan_of.config.subscribers) {
        let name = &plan.nodes[node.index()];
        let own = cell.station.iter().rev().filter(|own| matches_pattern(&own.name, name));
        let Some(last) = own.clone().next() else { continue };
        let mut station = Table::default();
        let mut set = |key: &str, value: Json, place: Option<std::ops::Range<usize>>| {
            let origin = place.map_or(Origin::Others, Origin::Text);
            station.set(key, Node::Value(value), origin);
        };
        let place = |of: &dyn Fn(&SubscriberSpec) -> std::ops::Range<usize>| {
            own.clone().map(|own| of(own)).find(|place| !place.is_empty())
        };
        set("name", name.as_str().into(), Some(last.name.place.clone()));
        let at = place(&|own| own.downlink_modulation.place());
        set("downlink_modulation", config.down.name().into(), at);
        let at = place(&|own| own.uplink_modulation.place());
        set("uplink_modulation", config.up.name().into(), at);
        let at = place(&|own| own.downlink_queue.place());
        set("downlink_queue", queue_written(&config.down_queue), at);
        let at = place(&|own| own.uplink_queue.place());
        set("uplink_queue", queue_written(&config.up_queue), at);
        set("weight", config.weight.into(), place(&|own| own.weight.place()));
        tables.push(station);
    }
    if !tables.is_empty() {
        table.set("station", Node::Tables(tables), Origin::Others);
    }
}

/// Completes association: scans where stations look for their access point; beacons alone where they do not.
fn association(root: &mut Table, spec: &ScenarioSpec, plan: &Plan, context: &Context<'_>) {
    let Some(at) = &spec.association else { return };
    let table = root.table("association");
    let settings = settle(table, &at.settings, context);
    let stations = plan.association.as_ref().and_then(|plan| plan.stations.as_ref());
    let kept: &[&str] = match (settings.mode, &plan.association) {
        (AssociationName::Signal, _) => &[],
        (_, Some(_)) => &["mode", "beacon_interval", "ssid_bytes"],
        (_, None) => &["mode"],
    };
    if !kept.is_empty() {
        let keys: Vec<String> = table.rows().iter().map(|row| row.key.clone()).collect();
        let strange = keys.iter().filter(|key| !kept.contains(&key.as_str()));
        strange.for_each(|key| table.remove(key));
    }
    let Some(stations) = stations else { return };
    table.complete("channels", stations.channels.clone());
    match stations.scan {
        ScanConfig::Active { max_channel_time, .. } => {
            table.say("max_channel_time", time(max_channel_time));
        }
        ScanConfig::Passive { dwell } => {
            let keys = ["probe_delay", "min_channel_time", "max_channel_time"];
            keys.iter().for_each(|key| table.remove(key));
            table.complete("dwell", time(dwell));
        }
    }
}

fn mobile_ip(root: &mut Table, spec: &ScenarioSpec, plan: &Plan, context: &Context<'_>) {
    let (Some(at), Some(ip)) = (&spec.mobile_ip, &plan.mobile_ip) else { return };
    let table = root.table("mobile_ip");
    settle(table, &at.settings, context);
    let (agent, mobile) = (&ip.settings.agent, &ip.settings.mobile);
    for (key, span) in [
        ("advertisement_interval", agent.max_interval),
        ("advertisement_lifetime", agent.advertisement_lifetime),
        ("registration_lifetime", mobile.lifetime),
        ("registration_retransmit", mobile.retransmit),
    ] {
        table.say(key, time(span));
    }
    table.say("detection", mobile.detection.name());
    table.say("link_trigger", mobile.link_trigger);
}

fn routing(root: &mut Table, spec: &ScenarioSpec, context: &Context<'_>) {
    let default = RoutingSpec::default();
    let of = spec.routing.as_ref().map_or(&default, |at| &at.value);
    let table = root.made("routing", RoutingSpec::keys());
    fill_defaults(table, &RoutingSpec::defaults());
    let kind = of.kind.as_ref().map_or(RoutingName::Static, |at| at.value.0);
    if kind == RoutingName::Dsdv {
        settle(table, &of.dsdv, context);
    }
    if kind != RoutingName::Shortest || of.distance.is_some() {
        table.remove("margin_db");
    }
    if kind != RoutingName::Shortest {
        table.remove("delay");
    }
    if kind == RoutingName::Clusters
        && of.clusters.is_none()
        && let Some(node) = ClustersSpec::default().write()
    {
        table.set("clusters", node, Origin::Default);
    }
}

/// Returns a time as a scenario gives it.
fn time(span: Span) -> serde_json::Value {
    as_json(&Given::Span(span)).unwrap_or_default()
}
