//! Outcomes of packets: delays, their parts, causes of loss, and causes of window cuts.

use crate::document::{Document, Flow, Pairs};
use crate::number::Number;
use crate::order::{descending, sorted};
use crate::roles::Role;
use serde::Serialize;

/// Points of a distribution's line.
const POINTS: usize = 160;

/// The most flows with a bar: of more, those with most of it.
const MOST: usize = 24;

/// The parts of `delay_split_s`.
const PARTS: [(&str, &str); 6] = [
    ("queueing", "queue"),
    ("access", "access to the medium"),
    ("retries", "retries"),
    ("transmission", "transmission"),
    ("wire", "wires"),
    ("handoff", "handoff"),
];

/// The share of each flow's sent packets that had arrived after a given time.
#[derive(Debug, Serialize)]
pub struct Distribution {
    title: &'static str,
    unit: &'static str,
    x: Vec<Number>,
    x_unit: &'static str,
    lines: Vec<Share>,
    note: String,
}

/// A line of a distribution.
#[derive(Debug, Serialize)]
struct Share {
    name: String,
    values: Vec<Number>,
    colour: usize,
}

/// Packets that were sent in the measured time, and what became of them.
#[derive(Debug, Default)]
struct Sent {
    /// The number of packets that arrived or were lost.
    ended: usize,
    /// The delays of packets that arrived, ms.
    took: Vec<f64>,
}

/// The distribution of delays; none without the probe `packets`, or where nothing arrived.
///
/// Lost packets never arrive: where a line ends below 100 % the rest is lost, so that no delay is of survivors only.
pub fn distribution(
    document: &Document,
    shown: &[Role],
    note: Option<&str>,
) -> Option<Distribution> {
    let names = document.probe("packets").column("flow").names();
    let sent = sent(document);
    let all = sent.iter().flat_map(|sent| &sent.took);
    let (low, high) = all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &took| {
        (low.min(took), high.max(took))
    });
    if low > high {
        return None;
    }
    let grid = ratios(low.max(1e-3) * 0.95, high.max(2e-3) * 1.05);
    let line = |role: &Role| {
        let own = || {
            let each = sent.iter().zip(names);
            each.filter(|(_, name)| role.flows.contains(&name.as_str())).map(|(sent, _)| sent)
        };
        let ended: usize = own().map(|sent| sent.ended).sum();
        let took: Vec<f64> = own().flat_map(|sent| sent.took.iter().copied()).collect();
        let took = sorted(&took);
        let share = |limit: &f64| {
            let there = took.partition_point(|took| took <= limit);
            Number::significant(100.0 * there as f64 / ended as f64, 4)
        };
        (ended > 0).then(|| Share {
            name: role.name.replace("mean of", "all"),
            values: grid.iter().map(share).collect(),
            colour: role.colour,
        })
    };
    Some(Distribution {
        title: "Share of a flow's packets that had arrived after a given time",
        unit: "%",
        lines: shown.iter().filter_map(line).collect(),
        x: grid.iter().map(|&limit| Number::significant(limit, 5)).collect(),
        x_unit: "ms",
        note: note.unwrap_or_default().to_owned(),
    })
}

/// Returns the outcomes of the data packets of each flow, in the order of the probe's names.
fn sent(document: &Document) -> Vec<Sent> {
    let packets = document.probe("packets");
    let [flow, direction] = ["flow", "direction"].map(|column| packets.column(column));
    let [time, received, dropped] =
        ["time_s", "received_s", "dropped_s"].map(|column| packets.column(column));
    let start = document.duration_s - document.measured_s;
    let mut found: Vec<Sent> = flow.names().iter().map(|_| Sent::default()).collect();
    for row in 0..packets.rows() {
        let took = received.at(row) - time.at(row);
        let has_ended = !took.is_nan() || !dropped.at(row).is_nan();
        if has_ended && time.at(row) >= start && direction.name(row) == Some("data") {
            let own = &mut found[flow.at(row) as usize];
            own.ended += 1;
            own.took.extend(Some(1e3 * took).filter(|took| !took.is_nan()));
        }
    }
    found
}

/// Values at equal ratios from one to another.
fn ratios(low: f64, high: f64) -> Vec<f64> {
    let last = (POINTS - 1) as f64;
    (0..POINTS).map(|at| low * libm::pow(high / low, at as f64 / last)).collect()
}

/// Stacked bars: parts, and rows of a name and a value for each part.
#[derive(Debug, Serialize)]
pub struct Bars {
    title: &'static str,
    unit: &'static str,
    parts: Vec<String>,
    rows: Vec<Bar>,
    note: String,
}

/// A row of bars.
#[derive(Debug, Serialize)]
struct Bar {
    name: String,
    values: Vec<Number>,
}

/// Delay by cause, losses by cause and window cuts by cause, each where there is any.
pub fn bars(flows: &[Flow]) -> Vec<Bars> {
    let split = |flow: &Flow| {
        let times = flow.delay_split_s.as_ref()?;
        Some((flow.name.clone(), PARTS.map(|(key, _)| 1e3 * times.of(key)).to_vec()))
    };
    let parts = PARTS.map(|(_, words)| words.to_owned()).to_vec();
    let delays = flows.iter().filter_map(split).collect();
    let found = [
        Bars::new(("Mean delay of a packet that arrived, by cause", "ms"), parts, delays),
        counted(flows, ("Packets lost, by cause", "packets"), |flow| flow.packets_lost.as_ref()),
        counted(flows, ("Window cuts, by cause", "cuts"), |flow| flow.window_cuts.as_ref()),
    ];
    found.into_iter().filter(|bars| !bars.rows.is_empty()).collect()
}

fn counted(
    flows: &[Flow],
    title: (&'static str, &'static str),
    of: impl Fn(&Flow) -> Option<&Pairs>,
) -> Bars {
    let mut causes: Vec<&str> = Vec::new();
    for cause in flows.iter().filter_map(&of).flat_map(Pairs::filled) {
        if !causes.contains(&cause) {
            causes.push(cause);
        }
    }
    let count = |flow: &Flow, cause| of(flow).map_or(0.0, |counts| counts.of(cause));
    let row = |flow: &Flow| {
        (flow.name.clone(), causes.iter().map(|cause| count(flow, cause)).collect::<Vec<f64>>())
    };
    let parts = causes.iter().map(|cause| cause.replace('_', " ")).collect();
    Bars::new(title, parts, flows.iter().map(row).collect())
}

impl Bars {
    /// Bars of what is more than nothing: the parts that some row has, the rows with some part.
    fn new(
        (title, unit): (&'static str, &'static str),
        parts: Vec<String>,
        mut rows: Vec<(String, Vec<f64>)>,
    ) -> Bars {
        rows.retain(|(_, values)| values.iter().any(|&value| value > 0.0));
        let order = descending(rows.iter().map(|(_, values)| values.iter().sum()));
        let has = |part: &usize| rows.iter().any(|(_, values)| values[*part] > 0.0);
        let there: Vec<usize> = (0..parts.len()).filter(has).collect();
        let values = |values: &[f64]| {
            there.iter().map(|&part| Number::significant(values[part], 5)).collect::<Vec<Number>>()
        };
        let note = match rows.len() {
            count if count > MOST => {
                format!("These {MOST} of {count} flows have the most.")
            }
            _ => String::new(),
        };
        let shown = order.iter().take(MOST).map(|place| &rows[*place]);
        Bars {
            title,
            unit,
            rows: shown
                .map(|(name, own)| Bar { name: name.clone(), values: values(own) })
                .collect(),
            parts: there.iter().map(|&part| parts[part].clone()).collect(),
            note,
        }
    }
}
