//! 802.16 cells.

use super::bounds::number;
use super::context::Context;
use super::members::{cell_name, join};
use super::names::{Nodes, glob};
use super::{channel, links, medium};
use crate::at::{At, Problem};
use crate::overlays::Settled;
use crate::spec::{ChannelSpec, SubscriberSpec, WimaxSpec};
use base::{Given, NodeId};
use wimax::{
    ArqConfig, CellConfig, CellSettings, EntryConfig, ErrorConfig, Infeasible, PduConfig,
    SignalConfig, SubscriberConfig,
};
use world::{CellPlan, WimaxPlan};

/// Returns all 802.16 cells; names of cells are unique, whatever their kind.
pub fn cells(context: &Context<'_>, nodes: &mut Nodes, others: &[CellPlan]) -> Vec<WimaxPlan> {
    let mut plans: Vec<WimaxPlan> = Vec::new();
    for (i, cell) in context.spec.wimax.iter().enumerate() {
        let is_taken = |name: &str| {
            let names = others.iter().map(|plan| &plan.name);
            names.chain(plans.iter().map(|plan| &plan.name)).any(|known| known == name)
        };
        let name = context.keep(cell_name(cell, cell.name.as_ref(), ("wimax", i), is_taken));
        let Some(stations) = context.keep(members(cell, nodes)) else {
            nodes.lack_some();
            continue;
        };
        let Some(config) = context.keep(config(cell, &stations, nodes, context)) else { continue };
        plans.push(WimaxPlan { name: name.unwrap_or_default(), stations, config });
    }
    plans
}

/// Returns the base station, then the subscriber stations.
fn members(cell: &At<WimaxSpec>, nodes: &mut Nodes) -> Result<Vec<NodeId>, Problem> {
    let mut members = vec![nodes.make_at(&cell.base_station)?];
    join(&mut members, &cell.stations, "ss", nodes)?;
    Ok(members)
}

fn config(
    cell: &At<WimaxSpec>,
    stations: &[NodeId],
    nodes: &Nodes,
    context: &Context<'_>,
) -> Result<CellConfig, Problem> {
    let settled = context.overlays.settled(&cell.settings);
    let settings = &settled.value;
    let channel_spec: Option<&ChannelSpec> = cell.channel.as_ref().map(|channel| &channel.value);
    refuse_frame(&settled)?;
    let (start, end) = (settings.requests.window_start, settings.requests.window_end);
    refuse_window(settled.at(&BACKOFF), (start, end))?;
    let config = CellConfig {
        pdus: PduConfig { arq: arq(cell, &settled, context)?, ..settings.pdus },
        entry: entry(cell, settings, context)?,
        errors: ErrorConfig {
            channel: channel::channel(channel_spec, context)?,
            state_per: channel::state_per(channel_spec, true)?,
            lossy: settings.errors_in,
        },
        frame: settings.frame,
        requests: settings.requests,
        signal: signal(cell, stations, nodes, context)?,
        schedulers: (settings.downlink_scheduler, settings.uplink_scheduler),
        services: Vec::new(),
        subscribers: subscribers(cell, settings, &stations[1..], nodes, context)?,
    };
    refuse_narrow(cell, &settled, &config)?;
    Ok(config)
}

fn refuse_frame(settled: &Settled<CellSettings>) -> Result<(), Problem> {
    let frame = &settled.value.frame;
    let often = settled.at(&["descriptors"]).filter(|_| frame.descriptors < frame.phy.frame);
    if let Some(at) = often {
        return Err(
            at.out_of_range("more often than once in a frame; allowed: the frame's length or more")
        );
    }
    if let (Some(at), Some(_)) = (settled.at(&["ratio"]), settled.at(&["downlink_symbols"])) {
        return Err(at.problem("ratio and downlink_symbols say the same; leave one of them out"));
    }
    let symbols = frame.phy.symbols();
    match (settled.at(&["downlink_symbols"]), frame.split.downlink_symbols) {
        (Some(at), Some(down)) if down >= symbols => {
            let message = format!("a frame has {symbols} symbols; allowed: less than these");
            Err(at.out_of_range(message))
        }
        _ => Ok(()),
    }
}

fn arq(
    cell: &WimaxSpec,
    settled: &Settled<CellSettings>,
    context: &Context<'_>,
) -> Result<Option<ArqConfig>, Problem> {
    let Some(at) = &cell.arq else { return Ok(None) };
    let PduConfig { fragmentation, packing, .. } = settled.value.pdus;
    let uncut = settled.at(&["fragmentation"]).filter(|_| !fragmentation);
    if let Some(other) = uncut.or(settled.at(&["packing"]).filter(|_| packing)) {
        return Err(other.problem("beside [wimax.arq] PDUs are blocks of one packet; leave it out"));
    }
    Ok(Some(context.overlays.settled(&at.settings).value))
}

/// The keys of a window.
const BACKOFF: [&str; 2] = ["backoff_end", "backoff_start"];

fn refuse_window(said: Option<&At<Given>>, (start, end): (u32, u32)) -> Result<(), Problem> {
    let Some(at) = said.filter(|_| end < start) else { return Ok(()) };
    let message = format!(
        "the window ends at 2^{end} before its start of 2^{start}; allowed: backoff_start <= backoff_end"
    );
    Err(at.out_of_range(message))
}

/// Returns the network entry of stations.
fn entry(
    cell: &WimaxSpec,
    settings: &CellSettings,
    context: &Context<'_>,
) -> Result<Option<EntryConfig>, Problem> {
    let Some(at) = &cell.entry else { return Ok(None) };
    if settings.frame.ranging == 0 {
        let said = "stations range in opportunities; allowed: ranging_opportunities = 1 or more";
        return Err(at.out_of_range(said));
    }
    let settled = context.overlays.settled(&at.settings);
    refuse_window(settled.at(&BACKOFF), settled.value.windows(&settings.requests))?;
    Ok(Some(settled.value))
}

fn subscribers(
    cell: &At<WimaxSpec>,
    settings: &CellSettings,
    stations: &[NodeId],
    nodes: &Nodes,
    context: &Context<'_>,
) -> Result<Vec<SubscriberConfig>, Problem> {
    for own in &cell.station {
        if !stations.iter().any(|&node| glob(&own.name, nodes.name(node))) {
            let names: Vec<&str> = stations.iter().map(|&node| nodes.name(node)).collect();
            let message = crate::nearest::unknown("subscriber station", &own.name, &names);
            return Err(own.name.problem(message));
        }
    }
    let both = settings.modulation;
    let (cell_down, cell_up) = (settings.downlink_modulation, settings.uplink_modulation);
    let config = |&node: &NodeId| {
        let own: Vec<&At<SubscriberSpec>> =
            cell.station.iter().filter(|own| glob(&own.name, nodes.name(node))).collect();
        // Later ones win.
        let down = own.iter().rev().find_map(|own| own.downlink_modulation.as_ref());
        let up = own.iter().rev().find_map(|own| own.uplink_modulation.as_ref());
        let down_queue = own.iter().rev().find_map(|own| own.downlink_queue.as_ref());
        let up_queue = own.iter().rev().find_map(|own| own.uplink_queue.as_ref());
        let queue = cell.queue.as_ref();
        let down_queue = down_queue.or(cell.downlink_queue.as_ref()).or(queue);
        let up_queue = up_queue.or(cell.uplink_queue.as_ref()).or(queue);
        Ok(SubscriberConfig {
            down: down.map_or(cell_down.unwrap_or(both), |at| at.value.0),
            up: up.map_or(cell_up.unwrap_or(both), |at| at.value.0),
            down_queue: links::shared_queue(down_queue, context)?,
            up_queue: links::shared_queue(up_queue, context)?,
            weight: number(own.iter().rev().find_map(|own| own.weight.as_ref()), 1, (1, 1000))?,
        })
    };
    stations.iter().map(config).collect()
}

/// Returns places and powers, where the cell has a signal.
fn signal(
    cell: &WimaxSpec,
    stations: &[NodeId],
    nodes: &Nodes,
    context: &Context<'_>,
) -> Result<Option<SignalConfig>, Problem> {
    let Some(at) = &cell.signal else { return Ok(None) };
    let place = |&node: &NodeId| {
        let name = nodes.name(node);
        medium::movement(name, None, context)?.ok_or_else(|| {
            let message = format!(
                "\"{name}\" has no place; add [[node]] with name = \"{name}\" and position = [0, 0]"
            );
            at.problem(message)
        })
    };
    let places = stations.iter().map(place).collect::<Result<_, _>>()?;
    Ok(Some(SignalConfig { settings: context.overlays.settled(&at.settings).value, places }))
}

/// Refuses frames without room for data.
fn refuse_narrow(
    cell: &At<WimaxSpec>,
    settled: &Settled<CellSettings>,
    config: &CellConfig,
) -> Result<(), Problem> {
    if config.subscribers.is_empty() {
        return Ok(());
    }
    let layout = config.layout();
    let Err(why) = layout.check(config.pdus.least()) else { return Ok(()) };
    let message = match why {
        Infeasible::Uplink { symbols, contention, needed } => format!(
            "the frame's uplink has {symbols} of {} symbols, of which contention takes {contention}: no burst of data fits; \
             allowed: an uplink of {needed} symbols or more (another ratio, a longer frame, a shorter cyclic_prefix, fewer \
             opportunities)",
            layout.symbols
        ),
        Infeasible::Downlink { symbols, needed } => format!(
            "the frame's downlink has {symbols} of {} symbols: no burst fits behind preamble and broadcast; allowed: a \
             downlink of {needed} symbols or more",
            layout.symbols
        ),
    };
    let at = settled.at(&["ratio"]).or(settled.at(&["downlink_symbols"]));
    Err(at.map_or(cell.base_station.out_of_range(&*message), |at| at.out_of_range(&*message)))
}
