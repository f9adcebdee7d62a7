//! Decides what limited each flow, from what its sender waited for, where its packets waited, and what cut its window.
//!
//! Each rule asks for a part of at least [`thresholds::DOMINATES`]. Where none is met nothing is said.

use crate::limit::{Cause, Limit};
use crate::rows::Row;
use crate::saying::{listed, significant};
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

/// What limits one flow: the cause, the interface if it has one, and what shows it of this flow.
struct Found {
    cause: Cause,
    at: String,
    shown_by: String,
}

/// Returns what limited the flows of a result with the measure `limits`, flows that are alike together.
pub fn limited(result: Row<'_>) -> Vec<Limit> {
    let mut groups: Vec<(Found, Vec<String>)> = Vec::new();
    for flow in result.rows("flows") {
        let Some(found) = limit_of(result, flow) else { continue };
        let name = flow.text("name").to_owned();
        match groups.iter_mut().find(|(held, _)| (held.cause, &held.at) == (found.cause, &found.at))
        {
            Some((_, names)) => names.push(name),
            None => groups.push((found, vec![name])),
        }
    }
    groups.into_iter().map(|(found, flows)| sentence(found, flows)).collect()
}

/// The cause of one flow. What holds its packets comes before what cuts its window: where an interface is never idle,
/// neither a larger window nor fewer losses carry more.
fn limit_of(result: Row<'_>, flow: Row<'_>) -> Option<Found> {
    let limits = flow.within_row("limits")?;
    if limits.has("sender") && limits.within_row("sender").is_some() {
        return limit_of_tcp(result, flow, limits);
    }
    if flow.text("transport") == "tcp" {
        return None; // connections that come and go: what held each is not known
    }
    busy_interface(result, limits).or_else(|| limit_of_datagrams(flow, limits))
}

fn limit_of_tcp(result: Row<'_>, flow: Row<'_>, limits: Row<'_>) -> Option<Found> {
    let sender = limits.within_row("sender")?;
    let share = |of: &str| sender.number(of);
    if share("application_share") >= at::DOMINATES {
        let shown_by = format!(
            "For {} of the time all that its application had offered was sent.",
            percent(share("application_share"))
        );
        return Some(Found { cause: Cause::Application, at: String::new(), shown_by });
    }
    if let Some(found) = busy_interface(result, limits) {
        let cuts = part_of_cuts(flow, Cause::Queue);
        let more = cuts.map(|(part, all)| {
            format!(" Full queues caused {part:.0} of its {all:.0} window cuts.")
        });
        return Some(Found { shown_by: found.shown_by + &more.unwrap_or_default(), ..found });
    }
    if share("receiver_share") >= at::DOMINATES && is_short(result, sender, limits) {
        let rtt = sender.number("rtt_s");
        let window = flow.number("goodput_bps") / 8.0 * rtt;
        let shown_by = format!(
            "For {} of the time the window had no room, while congestion control would have sent more. Some {} kB in each \
             round trip of {} ms are all that it lets through.",
            percent(share("receiver_share")),
            significant(window / 1e3, 2),
            significant(1e3 * rtt, 2)
        );
        return Some(Found { cause: Cause::Receiver, at: String::new(), shown_by });
    }
    if share("congestion_share") < at::DOMINATES {
        return None;
    }
    let (cause, part, all) = REASONS.iter().find_map(|&(cause, _)| {
        let (part, all) = part_of_cuts(flow, cause)?;
        (part >= at::DOMINATES * all).then_some((cause, part, all))
    })?;
    let shown_by = match cause {
        Cause::Queue => format!("It caused {part:.0} of {all:.0} window cuts, and is mostly empty."),
        _ => format!("They caused {part:.0} of {all:.0} window cuts, and no queue on the way is full."),
    };
    let at = if cause == Cause::Queue { dropping(limits)? } else { String::new() };
    Some(Found { cause, at, shown_by })
}

/// A flow without congestion control: what it loses, else what it is offered.
fn limit_of_datagrams(flow: Row<'_>, limits: Row<'_>) -> Option<Found> {
    let (sent, lost) = (flow.number("packets_sent"), flow.sum("packets_lost"));
    if sent == 0.0 {
        return None;
    }
    if lost < at::THROUGH * sent {
        let shown_by =
            format!("{} of what it sends is lost, and nothing holds it up.", percent(lost / sent));
        return Some(Found { cause: Cause::Application, at: String::new(), shown_by });
    }
    let (cause, part) = REASONS.iter().find_map(|&(cause, reasons)| {
        let part: f64 = reasons.iter().map(|reason| flow.within("packets_lost", reason)).sum();
        (part >= at::DOMINATES * lost).then_some((cause, part))
    })?;
    let it = if cause == Cause::Queue { "It takes" } else { "They take" };
    let shown_by = format!("{it} {} of its packets.", percent(part / sent));
    let at = if cause == Cause::Queue { dropping(limits)? } else { String::new() };
    Some(Found { cause, at, shown_by })
}

/// The interface on the way that is busy nearly all the time; of several that where packets wait longest.
fn busy_interface(result: Row<'_>, limits: Row<'_>) -> Option<Found> {
    let mut best: Option<(f64, Found)> = None;
    for (name, wait) in limits.numbers("wait_s") {
        let Some(found) = busy(result, limits, name, wait) else { continue };
        if best.as_ref().is_none_or(|(longest, _)| wait > *longest) {
            best = Some((wait, found));
        }
    }
    best.map(|(_, found)| found)
}

fn busy(result: Row<'_>, limits: Row<'_>, name: &str, wait: f64) -> Option<Found> {
    let at = name.to_owned();
    let wait = significant(1e3 * wait, 2);
    if let Some(link) = named(result, "links", name) {
        let busy = link.number("utilisation");
        let shown_by = format!("It is busy {} of the time, and a packet waits {wait} ms for it.", percent(busy));
        return (busy >= at::FULL_LINK).then_some(Found { cause: Cause::Link, at, shown_by });
    }
    let backlog = limits.within("backlog_share", name);
    let (cell, node) = name.split_once('/')?;
    let mut stations = result.rows("stations");
    stations.retain(|each| each.text("cell") == cell && each.text("name") == node);
    let medium = stations.first().map(|each| {
        format!(", and the medium is busy {}", percent(each.number("cell_busy_share")))
    });
    let shown_by = format!(
        "Packets wait there for their turn {} of the time, {wait} ms each{}.",
        percent(backlog),
        medium.unwrap_or_default()
    );
    (backlog >= at::DOMINATES).then_some(Found { cause: Cause::Medium, at, shown_by })
}

/// Of which interfaces nothing is known (802.16), the round trip says whether packets wait.
fn is_short(result: Row<'_>, sender: Row<'_>, limits: Row<'_>) -> bool {
    let known = |name: &str| {
        named(result, "links", name).is_some()
            || limits.within_row("backlog_share").is_some_and(|shares| shares.has(name))
    };
    let all_known = limits.numbers("wait_s").iter().all(|(name, _)| known(name));
    let least = sender.known("min_rtt_s").unwrap_or(0.0);
    all_known || sender.number("rtt_s") <= at::SHORT * least
}

/// Of the flow's window cuts those of a cause, and all; nothing where there are too few.
fn part_of_cuts(flow: Row<'_>, cause: Cause) -> Option<(f64, f64)> {
    let reasons = REASONS.iter().find(|(each, _)| *each == cause)?.1;
    let part: f64 = reasons.iter().map(|reason| flow.within("window_cuts", reason)).sum();
    let all = flow.sum("window_cuts");
    (all >= at::CUTS && part >= 0.5).then_some((part, all))
}

/// The interface that drops most of the flow's packets.
fn dropping(limits: Row<'_>) -> Option<String> {
    let drops = limits.numbers("queue_drops");
    let most = crate::rows::most(&drops, |(_, drops)| drops)?;
    (most.1 > 0.0).then(|| most.0.to_owned())
}

fn named<'a>(result: Row<'a>, rows: &str, name: &str) -> Option<Row<'a>> {
    result.rows(rows).into_iter().find(|row| row.text("name") == name)
}

fn sentence(found: Found, flows: Vec<String>) -> Limit {
    let Found { cause, at, shown_by } = found;
    let (names, many) = listed(&flows);
    let (is, its) = if many { ("are", "their") } else { ("is", "its") };
    let place = |name: &str| match name.split_once('/') {
        Some((cell, node)) => (node.to_owned(), cell.to_owned()),
        None => (name.replace('>', " to "), String::new()),
    };
    let (where_, medium) = place(&at);
    let by = match cause {
        Cause::Link => format!("the link from {where_}"),
        Cause::Medium => format!("the turns of {where_} on the medium of {medium}"),
        Cause::Queue if medium.is_empty() => format!("the queue of the link from {where_}, which overflows"),
        Cause::Queue => format!("the queue of {where_}, which overflows"),
        Cause::Radio => "losses on the radio".to_owned(),
        Cause::Loss => "losses on a wire".to_owned(),
        Cause::Collisions => "collisions".to_owned(),
        Cause::Handoffs => "handoffs".to_owned(),
        Cause::Receiver => format!("{its} receiver's window"),
        Cause::Application => format!("{its} own application"),
    };
    let of_first = if many { format!("Of {}: ", flows[0]) } else { String::new() };
    Limit {
        cause,
        at,
        what: format!("{names} {is} limited by {by}."),
        shown_by: format!("{of_first}{}", uncapitalised_after(&of_first, &shown_by)),
        flows,
    }
}

/// After a colon a sentence goes on in lower case.
fn uncapitalised_after(before: &str, text: &str) -> String {
    if before.is_empty() {
        return text.to_owned();
    }
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| format!("{}{}", first.to_lowercase(), letters.as_str()))
}

/// A share as people read it: two digits, but no more than whole per cents above ten.
fn percent(share: f64) -> String {
    let value = 100.0 * share;
    if (0.05..99.5).contains(&value) {
        return format!("{} %", significant(value, 2));
    }
    format!("{value:.0} %")
}
