//! The rules: each looks at a result and says at most one thing.

use crate::finding::Finding;
use crate::rows::{Row, most};
use crate::saying::{grouped, others, rounded};
use crate::thresholds as at;

/// The queue discipline that manages nothing.
const PLAIN: &str = "drop_tail";

/// The queue disciplines that serve flows, or receivers, separately.
const SEPARATE: [&str; 3] = ["fq_codel", "cake", "mac80211"];

type Rule = fn(Row<'_>) -> Option<Finding>;

/// The rules in the order of their output: first those that make a conclusion wrong.
pub const RULES: [Rule; 9] = [
    survivors,
    starved,
    hidden_stations,
    playout,
    full_queue,
    noisy_channel,
    busy_medium,
    no_warmup,
    short_tail,
];

/// Delays of what arrived where much does not arrive.
fn survivors(result: Row<'_>) -> Option<Finding> {
    let mut flows = result.rows("flows");
    flows.retain(|&flow| lost(flow) >= at::LOST && flow.within("delay_s", "mean") > 0.0);
    let worst = most(&flows, lost)?;
    let mean = rounded(1e3 * worst.within("delay_s", "mean"), 3);
    Some(Finding {
        rule: "survivors",
        what: format!(
            "The delay of {}, {mean} ms, counts only packets that arrived: {:.0} % are lost.{}",
            worst.text("name"),
            100.0 * lost(worst),
            others(flows.len(), "flow")
        ),
        why: "Such a delay drops as losses rise, so do not compare settings by it alone.",
        advice: "Look also at losses, goodput, or the unusable share of a call.".to_owned(),
    })
}

/// A bulk TCP flow that gets next to nothing.
fn starved(result: Row<'_>) -> Option<Finding> {
    let mut flows = bulk(result);
    flows.retain(|flow| flow.known("active_goodput_bps").is_some());
    let rate = |flow: Row<'_>| flow.number("active_goodput_bps");
    let sum: f64 = flows.iter().map(|&flow| rate(flow)).sum();
    if flows.len() < 2 || sum == 0.0 {
        return None;
    }
    let fair = sum / flows.len() as f64;
    flows.retain(|&flow| rate(flow) < at::STARVED * fair);
    flows.sort_by(|&a, &b| {
        rate(a).total_cmp(&rate(b)).then_with(|| a.text("name").cmp(b.text("name")))
    });
    let &poorest = flows.first()?;
    Some(Finding {
        rule: "starved",
        what: format!(
            "The flow {} is starved: {} kbit/s where an equal share would be {}.{}",
            poorest.text("name"),
            rounded(rate(poorest) / 1e3, 3),
            grouped(fair / 1e3),
            others(flows.len(), "flow")
        ),
        why: "The sum of all goodputs hides this.",
        advice: format!("Look at its losses and timeouts by cause{}.", separately(result, poorest)),
    })
}

/// Advises a queue that serves flows separately in place of the one that drops the most, unless that does so, or queues
/// take none of the flow's packets.
fn separately(result: Row<'_>, flow: Row<'_>) -> String {
    if flow.within("packets_lost", "queue") + flow.within("packets_lost", "aqm") == 0.0 {
        return String::new();
    }
    let mut queues = result.rows("queues");
    queues.retain(|queue| queue.number("drops") > 0.0);
    let Some(worst) = most(&queues, |queue| queue.number("drops")) else { return String::new() };
    let name = worst.text("name");
    let where_none = match result.text_within("disciplines", name) {
        Some(has) if SEPARATE.contains(&has) => return String::new(),
        Some(_) => "",
        None => ", where it has none",
    };
    format!(
        ", and try a queue that serves flows separately (fq_codel) at {name}, which drops the most{where_none}"
    )
}

/// Stations that do not hear each other.
fn hidden_stations(result: Row<'_>) -> Option<Finding> {
    let of_hidden = |station: Row<'_>| station.number("hidden") / station.number("attempts");
    let (worst, part, count) = spoiled(result, of_hidden, at::HIDDEN)?;
    let has_rts = 2.0 * worst.number("rts") >= worst.number("attempts");
    Some(Finding {
        rule: "hidden-stations",
        what: format!(
            "{part:.0} % of the attempts of {} collide with a hidden station.{}",
            worst.text("name"),
            others(count, "station")
        ),
        why: "Carrier sense cannot prevent this, and the backoff after it helps only in part.",
        advice: if has_rts {
            "RTS/CTS is in use, so most of these cost a short frame only. Try other positions, or a lower medium.cs_threshold."
        } else {
            "Try RTS/CTS (mac.rts=always), shorter frames, or other positions."
        }
        .to_owned(),
    })
}

/// A poor call whose packets come: too late to be played, or played with a long delay.
fn playout(result: Row<'_>) -> Option<Finding> {
    let mut calls = result.rows("flows");
    calls.retain(|call| {
        let is_poor = call.known("mos").is_some_and(|mos| mos < at::SATISFIED);
        is_poor
            && call.has("late")
            && call.sum("packets_lost") < at::PLAYED * call.number("packets_sent")
    });
    let worst = most(&calls, |call| -call.number("mos"))?;
    let sent = worst.number("packets_sent").max(1.0);
    let share = |packets: f64| rounded(100.0 * packets / sent, 3);
    Some(Finding {
        rule: "playout",
        what: format!(
            "The call {} has a MOS of {:.2} because of its playout deadline of {:.0} ms: {} % of its packets are \
             lost and {} % come too late to be played.{}",
            worst.text("name"),
            worst.number("mos"),
            1e3 * worst.number("deadline_s"),
            share(worst.sum("packets_lost")),
            share(worst.number("late")),
            others(calls.len(), "call")
        ),
        why: "A shorter deadline makes more packets late, a longer one adds to the delay from mouth to ear; the MOS counts both.",
        advice: "Set the app's deadline to that of the phone you study, and report it.".to_owned(),
    })
}

/// Finds a queue that is always long: full, where it drops what finds no room.
fn full_queue(result: Row<'_>) -> Option<Finding> {
    let mut queues = result.rows("queues");
    queues.retain(|queue| {
        let longest = queue.number("max_packets");
        longest >= at::LONG && queue.number("mean_packets") >= at::FULL * longest
    });
    let worst = most(&queues, |queue| queue.number("mean_packets"))?;
    let state = if worst.number("drops") > 0.0 { "full" } else { "long" };
    let (why, advice) = shorter(result, worst);
    Some(Finding {
        rule: "full-queue",
        what: format!(
            "The queue {} is {state} nearly all the time: on average {} of at most {} packets wait.{}",
            worst.text("name"),
            rounded(worst.number("mean_packets"), 3),
            rounded(worst.number("max_packets"), 3),
            others(queues.len(), "queue")
        ),
        why,
        advice: advice.to_owned(),
    })
}

/// Says why a queue matters that is always long, and what may make it shorter.
fn shorter(result: Row<'_>, queue: Row<'_>) -> (&'static str, &'static str) {
    let discipline = result.text_within("disciplines", queue.text("name"));
    if drops_acks(result, queue) {
        return (
            "It drops mostly acknowledgements, and a flow that loses all of a window's waits for its timeout: a shorter \
             queue would drop more of them.",
            match discipline {
                Some(has) if SEPARATE.contains(&has) => "Try a larger queue there.",
                _ => "Try a queue that serves flows separately there (fq_codel), or a larger one.",
            },
        );
    }
    let why =
        "Every packet waits for all those ahead of it, and a shorter queue would carry as much.";
    if queue.number("drops") == 0.0 {
        return (
            why,
            "It drops nothing: try a smaller window (tcp.window), or a law that keeps queues short.",
        );
    }
    (
        why,
        match discipline {
            Some(PLAIN) => {
                "Try a smaller queue, an AQM (codel, pie) there, or a law that keeps queues short."
            }
            Some(_) => "Try a smaller queue, or a law that keeps queues short.",
            None => {
                "Try a smaller queue, an AQM (codel, pie) where there is none, or a law that keeps queues short."
            }
        },
    )
}

/// Returns whether most drops of a queue are of acknowledgements: more than those of data in all queues.
fn drops_acks(result: Row<'_>, queue: Row<'_>) -> bool {
    let flows = result.rows("flows");
    let of_data: f64 = flows
        .iter()
        .map(|flow| flow.within("packets_lost", "queue") + flow.within("packets_lost", "aqm"))
        .sum();
    let drops = queue.number("drops");
    let acks: f64 = flows.iter().map(|flow| flow.number("acks_lost")).sum();
    (drops - of_data).min(acks) > 0.5 * drops
}

/// Many attempts that the channel spoils.
fn noisy_channel(result: Row<'_>) -> Option<Finding> {
    let of_channel = |station| spoiled_by_channel(result, station);
    let (worst, part, count) = spoiled(result, of_channel, at::NOISY)?;
    let what = if mpdus(result, worst).is_some() { "MPDUs" } else { "attempts" };
    Some(Finding {
        rule: "noisy-channel",
        what: format!(
            "The channel corrupts {part:.0} % of the {what} of {}.{}",
            worst.text("name"),
            others(count, "station")
        ),
        why: "Retries hide the losses from the flows, but use air time of all stations.",
        advice: "Where its losses depend on them (those of frame_loss do not), try a lower bit rate, rate control, shorter frames, or a better place."
            .to_owned(),
    })
}

/// A medium that has no room.
fn busy_medium(result: Row<'_>) -> Option<Finding> {
    let mut cells: Vec<(&str, f64)> = Vec::new();
    for station in result.rows("stations") {
        let (cell, busy) = (station.text("cell"), station.number("cell_busy_share"));
        if busy >= at::BUSY && !cells.iter().any(|&(name, _)| name == cell) {
            cells.push((cell, busy));
        }
    }
    let (cell, busy) = most(&cells, |(_, busy)| busy)?;
    Some(Finding {
        rule: "busy-medium",
        what: format!(
            "The medium of {cell} is busy {:.1} % of the time.{}",
            100.0 * busy,
            others(cells.len(), "cell")
        ),
        why: if sharing(result, cell) > 1 {
            "What one station gains, another loses."
        } else {
            "It carries no more as it is."
        },
        advice: "See on the page of the run which stations use it before changing queues or laws."
            .to_owned(),
    })
}

/// The stations that hold a part of a cell's air that counts.
fn sharing(result: Row<'_>, cell: &str) -> usize {
    let mut stations = result.rows("stations");
    stations
        .retain(|each| each.text("cell") == cell && each.number("airtime_share") >= at::SHARING);
    stations.len()
}

/// Bulk TCP whose start is counted. A flow that begins late, or ends early, is not helped by a warm-up.
fn no_warmup(result: Row<'_>) -> Option<Finding> {
    let measured = result.number("measured_s");
    let mut flows = bulk(result);
    flows.retain(|flow| flow.known("active_s").is_none_or(|active| active >= at::WHOLE * measured));
    let &first = flows.first()?;
    if measured < result.number("duration_s") {
        return None;
    }
    Some(Finding {
        rule: "no-warm-up",
        what: format!(
            "There is no warm-up: the slow start of {} is within the {} s that are measured.{}",
            first.text("name"),
            rounded(measured, 6),
            others(flows.len(), "flow")
        ),
        why: "The goodput and the losses of slow start are mixed with those of the steady state.",
        advice: if measured >= at::WARMED {
            "Set warmup = \"5 s\" or more, unless you study the start itself."
        } else {
            "Set a longer duration, with warmup = \"5 s\" or more, unless you study the start itself."
        }
        .to_owned(),
    })
}

/// A 95th percentile of few packets.
fn short_tail(result: Row<'_>) -> Option<Finding> {
    let delivered = |flow: Row<'_>| flow.number("packets_delivered");
    let mut flows = result.rows("flows");
    flows.retain(|&flow| {
        let count = delivered(flow);
        0.0 < count && count < (at::TAIL / 0.05).round() && flow.within("delay_s", "p95") > 0.0
    });
    let least = most(&flows, |flow| -delivered(flow))?;
    let is_of_several = least.within_row("packets_delivered").is_some();
    let count = delivered(least);
    Some(Finding {
        rule: "short-tail",
        what: format!(
            "The 95th percentile of {}'s delay rests on {:.0} of {count:.0} packets.{}",
            least.text("name"),
            (0.05 * count).max(1.0),
            others(flows.len(), "flow")
        ),
        why: "A percentile from this few packets is uncertain.",
        advice: if is_of_several {
            "Simulate longer: further replications narrow the interval of its mean only."
        } else {
            "Simulate longer, or run several replications and read the interval."
        }
        .to_owned(),
    })
}

/// The station with the largest share of its attempts spoilt so, that share in per cent, and how many there are.
fn spoiled<'a>(
    result: Row<'a>,
    part: impl Fn(Row<'a>) -> f64,
    limit: f64,
) -> Option<(Row<'a>, f64, usize)> {
    let mut stations = result.rows("stations");
    stations
        .retain(|&station| station.number("attempts") >= at::ATTEMPTS && part(station) >= limit);
    let worst = most(&stations, &part)?;
    Some((worst, 100.0 * part(worst), stations.len()))
}

/// The share that the channel corrupts of what a station sends: of its MPDUs, where it sends aggregates, else of its attempts.
pub fn spoiled_by_channel(result: Row<'_>, station: Row<'_>) -> f64 {
    let attempts = station.number("attempts");
    let Some((sent, lost)) = mpdus(result, station) else {
        return if attempts > 0.0 { station.number("channel_errors") / attempts } else { 0.0 };
    };
    // A collision takes whole aggregates.
    (lost / sent - station.number("collisions") / attempts).max(0.0)
}

/// The MPDUs that a station with access categories sent, and those of them that were not acknowledged; none where there
/// are no such.
fn mpdus(result: Row<'_>, station: Row<'_>) -> Option<(f64, f64)> {
    let (cell, name) = (station.text("cell"), station.text("name"));
    let mut rows = result.rows("access");
    let is_own = |row: &Row<'_>| {
        row.text("name")
            .strip_suffix(row.text("category"))
            .is_some_and(|of| of.strip_suffix('/') == Some(name))
    };
    rows.retain(|row| row.text("cell") == cell && is_own(row));
    let sum = |key: &str| rows.iter().map(|row| row.number(key)).sum::<f64>();
    let sent = sum("mpdus");
    (sent > 0.0).then(|| (sent, sent - sum("acknowledged")))
}

/// TCP flows that have always something to send.
fn bulk(result: Row<'_>) -> Vec<Row<'_>> {
    let mut flows = result.rows("flows");
    flows.retain(|flow| flow.text("transport") == "tcp" && !flow.has("objects"));
    flows
}

/// Returns the share lost, of packets with a known outcome.
fn lost(flow: Row<'_>) -> f64 {
    let lost = flow.sum("packets_lost");
    let ended = lost + flow.number("packets_delivered");
    if ended == 0.0 { 0.0 } else { lost / ended }
}
