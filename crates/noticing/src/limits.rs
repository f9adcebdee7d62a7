//! Decides what limited each flow, from what its sender waited for, where its packets waited, and what cut its window.
//!
//! Each rule asks for a part of at least [`at::DOMINATES`]. Where none is met nothing is said.

use crate::limit::{Cause, Found, Kind, Limit, Subframe};
use crate::limit_words::sentence;
use crate::rows::{Row, most};
use crate::rules::spoiled_by_channel;
use crate::saying::listed;
use crate::thresholds as at;

/// Reasons of losses and of window cuts, by their cause.
const REASONS: [(Cause, &[&str]); 5] = [
    (Cause::Queue, &["queue", "aqm", "ecn_mark"]),
    (Cause::Radio, &["air", "retry_limit_channel", "out_of_range"]),
    (Cause::Loss, &["wire_loss", "drop_list"]),
    (
        Cause::Collisions,
        &["collision", "excessive_collisions", "retry_limit_collision", "retry_limit_hidden"],
    ),
    (Cause::Handoffs, &["handoff", "no_route"]),
];

/// Returns what limited the flows of a result with the measure `limits`, flows that are alike together.
pub fn limited(result: Row<'_>) -> Vec<Limit> {
    let mut groups: Vec<(Vec<Found>, Vec<String>)> = Vec::new();
    for flow in result.rows("flows") {
        // What is said of a split connection would be of its first leg, which waits for the second.
        if flow.has("split") {
            continue;
        }
        let Some(found) = limit_of(result, flow) else { continue };
        let kind = match flow.text("transport") {
            "tcp" if flow.has("pages") => Kind::Pages,
            "tcp" => Kind::Stream,
            _ => Kind::Datagrams,
        };
        let found = Found { kind, ..found };
        let name = flow.text("name").to_owned();
        let alike = |held: &Found| {
            let place =
                |each: &Found| (each.cause, each.kind, each.at.clone(), each.medium.clone());
            place(held) == place(&found)
        };
        match groups.iter_mut().find(|(held, _)| alike(&held[0])) {
            Some((held, names)) => {
                held.push(found);
                names.push(name);
            }
            None => groups.push((vec![found], vec![name])),
        }
    }
    groups.into_iter().filter_map(|(found, flows)| sentence(&found, flows)).collect()
}

/// The cause of one flow. What holds its packets comes before what cuts its window: where an interface is never idle,
/// neither a larger window nor fewer losses carry more.
fn limit_of(result: Row<'_>, flow: Row<'_>) -> Option<Found> {
    let limits = flow.within_row("limits")?;
    let of_application =
        |share: f64| Found { cause: Some(Cause::Application), share, ..Found::default() };
    match (limits.within_row("sender"), flow.text("transport")) {
        (Some(sender), _) => {
            let idle = sender.number("application_share");
            if idle >= at::DOMINATES {
                return Some(of_application(idle));
            }
            let busy = certain(busy_interface(result, flow, limits))?;
            busy.map(|found| Found { cuts: cuts(flow, Cause::Queue), ..found })
                .or_else(|| receiver(flow, sender))
                .or_else(|| losses_of_window(flow, limits, sender))
                .filter(|found| {
                    found.cause.is_none_or(is_of_way) || is_short(result, sender, limits)
                })
        }
        // What held each of several connections is not known, but when the user waits for none of them is.
        (None, "tcp") => {
            idle(result, flow).filter(|&idle| idle >= at::DOMINATES).map(of_application)
        }
        (None, _) => datagrams(result, flow, limits),
    }
}

/// The cause of a flow of datagrams, which does not slow down: an interface where its packets wait for each other, or
/// what takes them.
fn datagrams(result: Row<'_>, flow: Row<'_>, limits: Row<'_>) -> Option<Found> {
    let (lost, came) = (flow.sum("packets_lost"), flow.number("packets_delivered"));
    let ended = lost + came;
    let per_second = ended / flow.number("active_s");
    // Little's law: the mean number of the flow's own packets there.
    let of_own = |found: &Found| found.wait_s * per_second >= at::WAITING;
    let busy = certain(busy_interface(result, flow, limits).filter(of_own))?;
    busy.or_else(|| {
        if ended > 0.0 && lost < at::THROUGH * ended {
            let cause = Some(Cause::Application);
            return Some(Found { cause, share: lost / ended, ..Found::default() });
        }
        losses_of_datagrams(flow, limits, (ended, lost))
            .filter(|found| found.cause != Some(Cause::Queue) || is_known(result, limits))
    })
}

/// An interface that is busy, or none; `None` where it is not known whether it is while the flow is active.
fn certain(busy: Option<Found>) -> Option<Option<Found>> {
    busy.as_ref().is_none_or(|found| found.is_sure).then_some(busy)
}

/// The receiver's window, where nothing on the way is full.
fn receiver(flow: Row<'_>, sender: Row<'_>) -> Option<Found> {
    let (share, rtt) = (sender.number("receiver_share"), sender.number("rtt_s"));
    let there = flow.within("delay_s", "mean");
    (share >= at::DOMINATES).then(|| Found {
        cause: Some(Cause::Receiver),
        share,
        wait_s: rtt,
        window: flow.number("goodput_bps") / 8.0 * rtt,
        back_s: if there > 0.0 { (rtt - there).max(0.0) } else { 0.0 },
        ..Found::default()
    })
}

/// What cuts the window, where that is what holds the sender.
fn losses_of_window(flow: Row<'_>, limits: Row<'_>, sender: Row<'_>) -> Option<Found> {
    if sender.number("congestion_share") < at::DOMINATES {
        return None;
    }
    let (cause, cuts) = REASONS
        .iter()
        .map(|&(cause, _)| (cause, cuts(flow, cause)))
        .find(|(_, (part, all))| *all >= at::CUTS && *part >= at::DOMINATES * all)?;
    let at = if cause == Cause::Queue { dropping(limits)? } else { String::new() };
    Some(Found {
        cause: Some(cause),
        at,
        cuts,
        managed: managed(flow, "window_cuts"),
        ..Found::default()
    })
}

/// What takes the packets of a flow that does not slow down.
fn losses_of_datagrams(flow: Row<'_>, limits: Row<'_>, (ended, lost): (f64, f64)) -> Option<Found> {
    let (cause, part) = REASONS.iter().find_map(|&(cause, reasons)| {
        let part: f64 = reasons.iter().map(|reason| flow.within("packets_lost", reason)).sum();
        (lost > 0.0 && part >= at::DOMINATES * lost).then_some((cause, part))
    })?;
    let at = if cause == Cause::Queue { dropping(limits)? } else { String::new() };
    let managed = managed(flow, "packets_lost");
    Some(Found { cause: Some(cause), at, share: part / ended, managed, ..Found::default() })
}

/// Whether most of what queues do to the flow is an AQM's doing.
fn managed(flow: Row<'_>, table: &str) -> bool {
    let aqm = flow.within(table, "aqm") + flow.within(table, "ecn_mark");
    aqm > flow.within(table, "queue")
}

/// The interface on the way that is busy nearly all the time; of several that where packets wait longest.
fn busy_interface(result: Row<'_>, flow: Row<'_>, limits: Row<'_>) -> Option<Found> {
    let waits = limits.numbers("wait_s").into_iter();
    let found: Vec<Found> =
        waits.filter_map(|(name, wait_s)| busy(result, flow, limits, name, wait_s)).collect();
    let longest = most(&found.iter().collect::<Vec<_>>(), |found| found.wait_s)?;
    Some(longest.clone())
}

fn busy(result: Row<'_>, flow: Row<'_>, limits: Row<'_>, name: &str, wait_s: f64) -> Option<Found> {
    let active = active(result, flow);
    if let Some(link) = named(result, "links", name) {
        let (cause, at) = (Some(Cause::Link), name.to_owned());
        // Behind a shaper a link is never busy.
        let backlog = limits.within_row("backlog_share").and_then(|shares| shares.known(name));
        let (share, least) = match backlog {
            Some(share) => (share, at::DOMINATES),
            None => (link.number("utilisation"), at::FULL_LINK),
        };
        let (is_sure, is_shaped) = (sure(share, active, least)?, backlog.is_some());
        return Some(Found { cause, at, share, wait_s, is_sure, is_shaped, ..Found::default() });
    }
    let (medium, node) = name.split_once('/')?;
    if let Some(cell) = named(result, "wimax", medium) {
        let found = full_frames(result, cell, node);
        let is_sure = sure(found.share, active, at::FULL_LINK)?;
        return Some(Found { wait_s, is_sure, ..found });
    }
    let share = limits.within("backlog_share", name);
    let is_sure = sure(share, active, at::DOMINATES)?;
    let (cause, station) = (Some(Cause::Medium), station(result, medium, node));
    let air = station.and_then(|station| air(result, station));
    let corrupted = station.map_or(0.0, |station| spoiled_by_channel(result, station));
    // Flows that wait at their own sources are alike: what they share is the medium.
    let at = if flow.text("from") == node { medium } else { name }.to_owned();
    let medium = match station {
        Some(station) => air_of(&cells(result, station)),
        None => format!("the LAN {medium}"),
    };
    Some(Found { cause, at, medium, share, wait_s, air, corrupted, is_sure, ..Found::default() })
}

/// The share of the measured time in which the flow is active.
fn active(result: Row<'_>, flow: Row<'_>) -> f64 {
    let measured = result.number("measured_s");
    if measured > 0.0 { (flow.number("active_s") / measured).min(1.0) } else { 1.0 }
}

/// Whether an interface that is busy for a share of the measured time is so for `least` of a flow's active time: `None`
/// where it is not, false where it may be.
fn sure(share: f64, active: f64, least: f64) -> Option<bool> {
    // All the time in which it is not busy may fall into the flow's, or none of it.
    let (low, high) = (share + active - 1.0, share);
    (high >= least * active).then_some(low >= least * active)
}

/// The station at a node of a medium.
fn station<'a>(result: Row<'a>, medium: &str, node: &str) -> Option<Row<'a>> {
    let is_it = |each: &Row<'_>| each.text("cell") == medium && each.text("name") == node;
    result.rows("stations").into_iter().find(is_it)
}

/// Of the air a station's share and that of all in its cell; none of a station that was in several cells, whose share
/// is of all of them.
fn air(result: Row<'_>, station: Row<'_>) -> Option<(f64, f64)> {
    let stayed = cells(result, station).len() < 2;
    stayed.then(|| (station.number("airtime_share"), station.number("cell_busy_share")))
}

/// The names of the cells that a station was in, each once, in the order in which it came to them; none of a station
/// that associates with no access point.
fn cells(result: Row<'_>, station: Row<'_>) -> Vec<String> {
    let mut found = Vec::new();
    for handoff in result.rows("handoffs") {
        let is_own = handoff.text("station") == station.text("name");
        let of_point = |each: &Row<'_>| each.text("name") == handoff.text("to");
        if is_own && let Some(point) = result.rows("stations").into_iter().find(of_point) {
            let cell = point.text("cell").to_owned();
            if !found.contains(&cell) {
                found.push(cell);
            }
        }
    }
    found
}

/// The air in words, with the cells of a station that was in several.
fn air_of(cells: &[String]) -> String {
    if cells.len() < 2 { "the air".to_owned() } else { format!("the air of {}", listed(cells)) }
}

/// The subframe of 802.16 that a node sends in, with the share of its symbols that is used.
fn full_frames(result: Row<'_>, cell: Row<'_>, node: &str) -> Found {
    let medium = cell.text("name");
    let is_subscriber = |each: Row<'_>| each.text("cell") == medium && each.text("name") == node;
    let (subframe, at, [bursts, others]) =
        if result.rows("subscribers").into_iter().any(is_subscriber) {
            (Subframe::Uplink, medium.to_owned(), ["uplink_share", "contention_share"])
        } else {
            (Subframe::Downlink, format!("{medium}/{node}"), ["downlink_share", "broadcast_share"])
        };
    let share = cell.number(bursts) + cell.number(others);
    let (cause, subframe) = (Some(Cause::Medium), Some(subframe));
    Found { cause, at, share, subframe, ..Found::default() }
}

/// Of the time, the least share in which a user of pages waits for none: pages may be under way together.
fn idle(result: Row<'_>, flow: Row<'_>) -> Option<f64> {
    let (pages, measured) = (flow.within_row("pages")?, result.number("measured_s"));
    if pages.number("unfinished") > 0.0 || measured <= 0.0 {
        return None;
    }
    let waits = pages.number("finished") * pages.within("response_time_s", "mean");
    Some(1.0 - waits / measured)
}

/// Whether a cause is what holds packets on the way.
fn is_of_way(cause: Cause) -> bool {
    matches!(cause, Cause::Link | Cause::Medium)
}

/// Nothing waits on the way. Where that is not known of all interfaces the round trip says so.
fn is_short(result: Row<'_>, sender: Row<'_>, limits: Row<'_>) -> bool {
    let least = sender.known("min_rtt_s").unwrap_or(0.0);
    is_known(result, limits) || sender.number("rtt_s") <= at::SHORT * least
}

/// Whether it is known of all interfaces on the way that packets wait there. Of stations of 802.16 it is not.
fn is_known(result: Row<'_>, limits: Row<'_>) -> bool {
    let shares = limits.within_row("backlog_share");
    let known = |name: &str| {
        named(result, "links", name).is_some() || shares.is_some_and(|shares| shares.has(name))
    };
    limits.numbers("wait_s").iter().all(|(name, _)| known(name))
}

/// Of the flow's window cuts those of a cause, and all.
fn cuts(flow: Row<'_>, cause: Cause) -> (f64, f64) {
    let reasons = REASONS.iter().find(|(each, _)| *each == cause);
    let reasons = reasons.into_iter().flat_map(|(_, reasons)| reasons.iter());
    let part: f64 = reasons.map(|reason| flow.within("window_cuts", reason)).sum();
    (part, flow.sum("window_cuts"))
}

/// The interface that drops most of the flow's packets; none where they are only marked.
fn dropping(limits: Row<'_>) -> Option<String> {
    let (name, drops) = most(&limits.numbers("queue_drops"), |(_, drops)| drops)?;
    (drops > 0.0).then(|| name.to_owned())
}

fn named<'a>(result: Row<'a>, rows: &str, name: &str) -> Option<Row<'a>> {
    result.rows(rows).into_iter().find(|row| row.text("name") == name)
}
