//! Decides what limited each flow, from what its sender waited for, where its packets waited, and what cut its window.
//!
//! Each rule asks for a part of at least [`at::DOMINATES`]. Where none is met nothing is said.

use crate::limit::{Cause, Found, Kind, Limit, Subframe};
use crate::limit_words::sentence;
use crate::rows::{Row, most};
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
            (held.cause, held.kind, &held.at) == (found.cause, found.kind, &found.at)
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
            busy_interface(result, flow, limits)
                .map(|found| Found { cuts: cuts(flow, Cause::Queue), ..found })
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
        (None, _) => busy_interface(result, flow, limits).or_else(|| {
            let (sent, lost) = (flow.number("packets_sent"), flow.sum("packets_lost"));
            if sent > 0.0 && lost < at::THROUGH * sent {
                return Some(of_application(lost / sent));
            }
            losses_of_datagrams(flow, limits, (sent, lost))
                .filter(|found| found.cause != Some(Cause::Queue) || is_known(result, limits))
        }),
    }
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
    Some(Found { cause: Some(cause), at, cuts, ..Found::default() })
}

/// What takes the packets of a flow that does not slow down.
fn losses_of_datagrams(flow: Row<'_>, limits: Row<'_>, (sent, lost): (f64, f64)) -> Option<Found> {
    let (cause, part) = REASONS.iter().find_map(|&(cause, reasons)| {
        let part: f64 = reasons.iter().map(|reason| flow.within("packets_lost", reason)).sum();
        (lost > 0.0 && part >= at::DOMINATES * lost).then_some((cause, part))
    })?;
    let at = if cause == Cause::Queue { dropping(limits)? } else { String::new() };
    Some(Found { cause: Some(cause), at, share: part / sent, ..Found::default() })
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
    if let Some(link) = named(result, "links", name) {
        let share = link.number("utilisation");
        let (cause, at) = (Some(Cause::Link), name.to_owned());
        return (share >= at::FULL_LINK).then_some(Found {
            cause,
            at,
            share,
            wait_s,
            ..Found::default()
        });
    }
    let (medium, node) = name.split_once('/')?;
    if let Some(cell) = named(result, "wimax", medium) {
        return full_frames(result, cell, node).map(|found| Found { wait_s, ..found });
    }
    let share = limits.within("backlog_share", name);
    let mut stations = result.rows("stations");
    stations.retain(|each| each.text("cell") == medium && each.text("name") == node);
    let air = |each: &Row<'_>| (each.number("airtime_share"), each.number("cell_busy_share"));
    let air = stations.first().map(air);
    // Flows that wait at their own sources are alike: what they share is the medium.
    let at = if flow.text("from") == node { medium } else { name }.to_owned();
    (share >= at::DOMINATES).then_some(Found {
        cause: Some(Cause::Medium),
        at,
        share,
        wait_s,
        air,
        ..Found::default()
    })
}

/// The subframe of 802.16 that a node sends in, where next to no symbol of it is left.
fn full_frames(result: Row<'_>, cell: Row<'_>, node: &str) -> Option<Found> {
    let medium = cell.text("name");
    let is_subscriber = |each: Row<'_>| each.text("cell") == medium && each.text("name") == node;
    let (subframe, at, [bursts, others]) =
        if result.rows("subscribers").into_iter().any(is_subscriber) {
            (Subframe::Uplink, medium.to_owned(), ["uplink_share", "contention_share"])
        } else {
            (Subframe::Downlink, format!("{medium}/{node}"), ["downlink_share", "broadcast_share"])
        };
    let share = cell.number(bursts) + cell.number(others);
    (share >= at::FULL_LINK).then_some(Found {
        cause: Some(Cause::Medium),
        at,
        share,
        subframe: Some(subframe),
        ..Found::default()
    })
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
