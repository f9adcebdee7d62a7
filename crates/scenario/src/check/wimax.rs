//! 802.16 cells.

use super::bounds::bounded;
use super::context::Context;
use super::members::{cell_name, join};
use super::names::{Nodes, glob};
use super::{channel, links, medium};
use crate::at::{At, Problem, Said};
use crate::spec::{ChannelSpec, PrefixName, SubscriberSpec, WimaxSpec};
use base::{NodeId, Span};
use radio::noise::noise_w;
use radio::propagation::LIGHT_M_PER_S;
use wimax::{
    ArqConfig, CellConfig, EntryConfig, ErrorConfig, FrameConfig, Infeasible, Mcs, PduConfig, Phy,
    Preset, RequestConfig, Scheduling, SignalConfig, Split, SubscriberConfig,
};
use world::{CellPlan, WimaxPlan};

/// All 802.16 cells; names of cells are given once, whatever their kind.
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
        let Some(mut config) = context.keep(config(cell, &stations, nodes, context)) else {
            continue;
        };
        let signal = signal(cell, &stations, nodes, config.frame.phy, context);
        config.signal = context.keep(signal).flatten();
        plans.push(WimaxPlan { name: name.unwrap_or_default(), stations, config });
    }
    plans
}

/// The base station, then the subscriber stations.
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
    let preset = cell.preset(context.conventions).value.0;
    let subscribers = subscribers(cell, &stations[1..], nodes, context)?;
    let channel_spec: Option<&ChannelSpec> = cell.channel.as_ref().map(|channel| &channel.value);
    let (frame, requests) = (frame(cell, preset)?, requests(cell, preset)?);
    let config = CellConfig {
        pdus: pdus(cell, preset)?,
        entry: entry(cell, &frame, &requests)?,
        errors: ErrorConfig {
            channel: channel::channel(channel_spec, context.conventions)?,
            state_per: channel::state_per(channel_spec, true)?,
            lossy: cell.errors_in.said_or(ErrorConfig::IDEAL.lossy),
        },
        frame,
        requests,
        signal: None,
        schedulers: (
            cell.downlink_scheduler.said_or(Scheduling::RoundRobin),
            cell.uplink_scheduler.said_or(Scheduling::RoundRobin),
        ),
        services: Vec::new(),
        subscribers,
    };
    refuse_narrow(cell, &config)?;
    Ok(config)
}

const LENGTHS_US: [u64; 7] = [2500, 4000, 5000, 8000, 10_000, 12_500, 20_000];

fn frame(cell: &WimaxSpec, preset: Preset) -> Result<FrameConfig, Problem> {
    let default = preset.frame();
    let mut phy = default.phy;
    if let Some(at) = &cell.bandwidth {
        if !(1.25e6..=28e6).contains(&at.value.0) {
            return Err(at.out_of_range("no bandwidth of 802.16; allowed: 1.25 MHz to 28 MHz"));
        }
        phy.bandwidth = libm::round(at.value.0) as u64;
    }
    if let Some(at) = &cell.frame {
        if !LENGTHS_US.iter().any(|&us| Span::micros(us) == at.value.0) {
            let message = "no length of a frame; allowed: \"2.5 ms\", \"4 ms\", \"5 ms\", \"8 ms\", \"10 ms\", \
                           \"12.5 ms\", \"20 ms\"";
            return Err(at.out_of_range(message));
        }
        phy.frame = at.value.0;
    }
    phy.prefix = match cell.cyclic_prefix.said_or(PrefixName::Sixteenth) {
        PrefixName::Quarter => 4,
        PrefixName::Eighth => 8,
        PrefixName::Sixteenth => 16,
        PrefixName::ThirtySecond => 32,
    };
    if let Some(at) = cell.descriptors.as_ref().filter(|at| at.value.0 < phy.frame) {
        return Err(
            at.out_of_range("more often than once in a frame; allowed: the frame's length or more")
        );
    }
    Ok(FrameConfig {
        phy,
        split: split(cell, &phy)?,
        tail: cell.tail_byte.said_or(default.tail),
        broadcast: cell.broadcast_modulation.said_or(default.broadcast),
        maps: cell.maps.said_or(default.maps),
        descriptors: cell.descriptors.as_ref().map_or(default.descriptors, |at| at.value.0),
        ranging: small(cell.ranging_opportunities.as_ref(), default.ranging, 0..=1000)?,
        pricing: cell.opportunity_price.said_or(default.pricing),
        preamble: small(cell.preamble.as_ref(), default.preamble, 0..=100)?,
        gap: small(cell.burst_gap.as_ref(), default.gap, 0..=100)?,
    })
}

fn split(cell: &WimaxSpec, phy: &Phy) -> Result<Split, Problem> {
    let symbols = phy.symbols();
    match (&cell.ratio, &cell.downlink_symbols) {
        (Some(at), Some(_)) => {
            Err(at.problem("ratio and downlink_symbols say the same; leave one of them out"))
        }
        (None, Some(at)) if at.value >= symbols => {
            let message = format!("a frame has {symbols} symbols; allowed: less than these");
            Err(at.out_of_range(message))
        }
        (None, Some(at)) => Ok(Split::Symbols(at.value)),
        (Some(at), None) => Ok(Split::Ratio(at.value.0, at.value.1)),
        (None, None) => Ok(Split::Ratio(1, 1)),
    }
}

fn pdus(cell: &WimaxSpec, preset: Preset) -> Result<PduConfig, Problem> {
    let default = preset.pdus();
    let is = |said: &Option<At<bool>>, default: bool| said.as_ref().map_or(default, |at| at.value);
    Ok(PduConfig {
        crc: is(&cell.crc, default.crc),
        fragmentation: default.fragmentation.filter(|_| is(&cell.fragmentation, true)),
        packing: is(&cell.packing, false).then_some(2),
        arq: arq(cell)?,
    })
}

fn arq(cell: &WimaxSpec) -> Result<Option<ArqConfig>, Problem> {
    let Some(at) = &cell.arq else { return Ok(None) };
    let needs_cuts = cell.fragmentation.as_ref().filter(|at| !at.value);
    let packs = cell.packing.as_ref().filter(|at| at.value);
    if let Some(other) = needs_cuts.or(packs) {
        return Err(other.problem("beside [wimax.arq] PDUs are blocks of one packet; leave it out"));
    }
    let (block, window) = (at.block(), at.window());
    if !(16..=1024).contains(&block.value.0) {
        return Err(block.out_of_range(format!("{} B; allowed: 16 B to 1024 B", block.value.0)));
    }
    if !(1..=1024).contains(&window.value) {
        return Err(window.out_of_range(format!("{}; allowed: 1 to 1024 blocks", window.value)));
    }
    Ok(Some(ArqConfig {
        block: block.value.0 as u32,
        window: window.value,
        retry: at.retry().value.0,
        lifetime: at.lifetime().value.0,
        in_order: at.in_order().value,
    }))
}

fn requests(cell: &WimaxSpec, preset: Preset) -> Result<RequestConfig, Problem> {
    let default = preset.requests();
    let config = RequestConfig {
        opportunities: small(cell.request_opportunities.as_ref(), default.opportunities, 1..=1000)?,
        window_start: small(cell.backoff_start.as_ref(), default.window_start, 0..=15)?,
        window_end: small(cell.backoff_end.as_ref(), default.window_end, 0..=15)?,
        draw: cell.backoff_draw.said_or(default.draw),
        timeout: cell.t16.as_ref().map_or(default.timeout, |at| at.value.0),
        retries: small(cell.request_retries.as_ref(), default.retries, 0..=1_000_000)?,
        give_up: cell.give_up.said_or(default.give_up),
        sized: cell.request_size.said_or(default.sized),
        kind: cell.requests.said_or(default.kind),
        piggyback: cell.piggyback.as_ref().map_or(default.piggyback, |at| at.value),
    };
    if let Some(at) = cell.t16.as_ref().filter(|at| at.value.0 == Span::ZERO) {
        return Err(at.out_of_range("no time at all; allowed: more than \"0 ms\""));
    }
    let said = cell.backoff_end.as_ref().or(cell.backoff_start.as_ref());
    refuse_window(said, (config.window_start, config.window_end))?;
    Ok(config)
}

fn refuse_window(said: Option<&At<u32>>, (start, end): (u32, u32)) -> Result<(), Problem> {
    let Some(at) = said.filter(|_| end < start) else { return Ok(()) };
    let message = format!(
        "the window ends at 2^{end} before its start of 2^{start}; allowed: backoff_start <= backoff_end"
    );
    Err(at.out_of_range(message))
}

/// How stations come into the network.
fn entry(
    cell: &WimaxSpec,
    frame: &FrameConfig,
    requests: &RequestConfig,
) -> Result<Option<EntryConfig>, Problem> {
    let Some(at) = &cell.entry else { return Ok(None) };
    if frame.ranging == 0 {
        let said = "stations range in opportunities; allowed: ranging_opportunities = 1 or more";
        return Err(at.out_of_range(said));
    }
    let t3 = at.t3();
    if t3.value.0 == Span::ZERO {
        return Err(t3.out_of_range("no time at all; allowed: more than \"0 ms\""));
    }
    let config = EntryConfig {
        start: at.start().value.0,
        apart: at.apart().value.0,
        window_start: small(at.backoff_start.as_ref(), requests.window_start, 0..=15)?,
        window_end: small(at.backoff_end.as_ref(), requests.window_end, 0..=15)?,
        timeout: t3.value.0,
        retries: small(Some(&at.retries()), 16, 0..=1_000_000)?,
        registration: at.registration.as_ref().map_or(Span(4 * frame.phy.frame.0), |at| at.value.0),
    };
    let said = at.backoff_end.as_ref().or(at.backoff_start.as_ref());
    refuse_window(said, (config.window_start, config.window_end))?;
    Ok(Some(config))
}

/// A number within bounds.
fn small(
    said: Option<&At<u32>>,
    default: u32,
    allowed: std::ops::RangeInclusive<u32>,
) -> Result<u32, Problem> {
    match said {
        Some(at) if !allowed.contains(&at.value) => {
            let (least, most) = (allowed.start(), allowed.end());
            Err(at.out_of_range(format!("{}; allowed: {least} to {most}", at.value)))
        }
        Some(at) => Ok(at.value),
        None => Ok(default),
    }
}

fn subscribers(
    cell: &At<WimaxSpec>,
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
    let both = cell.modulation.said_or(Mcs::Qam64R34);
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
            down: down.or(cell.downlink_modulation.as_ref()).map_or(both, |at| at.value.0),
            up: up.or(cell.uplink_modulation.as_ref()).map_or(both, |at| at.value.0),
            down_queue: links::queue(down_queue, context)?,
            up_queue: links::queue(up_queue, context)?,
            weight: small(own.iter().rev().find_map(|own| own.weight.as_ref()), 1, 1..=1000)?,
        })
    };
    stations.iter().map(config).collect()
}

/// Places and powers, where the cell has a signal.
fn signal(
    cell: &WimaxSpec,
    stations: &[NodeId],
    nodes: &Nodes,
    phy: Phy,
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
    let wavelength_m = LIGHT_M_PER_S / at.frequency().value.0;
    let of = (&at.reference(), at.reference_loss_db.as_ref());
    Ok(Some(SignalConfig {
        path_loss: medium::log_distance(wavelength_m, &at.exponent(), of)?,
        base_w: at.base_power().value.0,
        station_w: at.station_power().value.0,
        noise_w: noise_w(phy.bandwidth as f64, bounded(&at.noise_figure_db(), (0.0, 100.0))?),
        adaptive: at.adaptive().value,
        margin_db: bounded(&at.margin_db(), (0.0, 100.0))?,
        places: stations.iter().map(place).collect::<Result<_, _>>()?,
    }))
}

/// Refuses frames without room for data.
fn refuse_narrow(cell: &At<WimaxSpec>, config: &CellConfig) -> Result<(), Problem> {
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
    let at = cell.ratio.as_ref().map(|at| at.out_of_range(&*message));
    let at = at.or_else(|| cell.downlink_symbols.as_ref().map(|at| at.out_of_range(&*message)));
    Err(at.unwrap_or_else(|| cell.base_station.out_of_range(&*message)))
}
