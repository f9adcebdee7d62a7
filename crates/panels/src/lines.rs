//! Charts of lines over time: goodput, delay, window, round-trip time, queues.

use crate::document::Document;
use crate::grid::{held, mean, smoothed, step_of, within};
use crate::number::{Number, plain, significant};
use crate::order::descending;
use crate::roles::{MOST, Role};
use crate::table::Table;
use serde::Serialize;

/// Means of goodput are over this part of the run: data in order come in lumps, the more so after a loss.
const AVERAGED: usize = 60;

/// A threshold far above the window does not bind: it ends at this multiple of the top window.
const CLIP: f64 = 1.15;

/// A chart of lines.
#[derive(Debug, Serialize)]
pub struct LineChart {
    /// The column of a probe that it shows.
    of: &'static str,
    title: String,
    unit: &'static str,
    lines: Vec<Line>,
}

/// A line: a value for each time of the grid, null where there is none.
#[derive(Clone, Debug, Serialize)]
struct Line {
    name: String,
    values: Vec<Number>,
    /// True where it is drawn dashed and belongs to the line before.
    dash: bool,
    /// Its place in the palette; by default the next.
    #[serde(skip_serializing_if = "Option::is_none")]
    colour: Option<usize>,
    /// The flow, where the line is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    flow: Option<String>,
}

/// The charts that have a line.
pub fn charts(document: &Document, shown: &[Role], times: &[f64]) -> Vec<LineChart> {
    let [flows, tcp, queue] = ["flows", "tcp", "queue"].map(|probe| document.probe(probe));
    let step = times[1] - times[0];
    let averaged = (times.len() / AVERAGED).max(1);
    let own = step_of(flows.column("time_s").all(), step);
    let over = significant((averaged as f64 * step).max(own), 3);
    let chart = |of, title: &str, unit, lines| LineChart { of, title: title.into(), unit, lines };
    let step_mean = |column, factor, over| {
        lines(shown, factor, |flow| of_steps(flows, flow, column, (times, own, over)))
    };
    let over_steps = if own < averaged as f64 * step { averaged } else { 1 };
    let charts = [
        chart(
            "goodput_bps",
            &format!("Goodput, mean over {over} s"),
            "kbit/s",
            step_mean("goodput_bps", 1e-3, over_steps),
        ),
        chart(
            "delay_mean_s",
            "One-way delay of packets that arrived, mean of each step",
            "ms",
            step_mean("delay_mean_s", 1e3, 1),
        ),
        chart(
            "snd_cwnd",
            "Congestion window (slow-start threshold dashed and clipped)",
            "segments",
            windows(tcp, shown, times),
        ),
        chart(
            "srtt_s",
            "Smoothed round-trip time",
            "ms",
            lines(shown, 1e3, |flow| state(tcp, flow, "srtt_s", times)),
        ),
        chart("packets", "Packets waiting in the longest queues", "packets", queues(queue, times)),
    ];
    charts.into_iter().filter(|chart| !chart.lines.is_empty()).collect()
}

/// A line for each role, of the mean over its flows where one has a value.
fn lines(shown: &[Role], factor: f64, of: impl Fn(&str) -> Option<Vec<f64>>) -> Vec<Line> {
    let each = shown.iter().filter_map(|role| {
        let found: Vec<Vec<f64>> = role.flows.iter().filter_map(|flow| of(flow)).collect();
        let values: Vec<f64> = mean(&found).into_iter().map(|value| factor * value).collect();
        values.iter().any(|value| !value.is_nan()).then(|| Line {
            name: role.name.clone(),
            values: plain(&values),
            dash: false,
            colour: Some(role.colour),
            flow: role.single().map(str::to_owned),
        })
    });
    each.collect()
}

/// Averages a column of the probe `flows`, whose rows are steps and `time_s` their ends, over a number of
/// steps.
fn of_steps(
    table: &Table,
    flow: &str,
    column: &str,
    (times, step, over): (&[f64], f64, usize),
) -> Option<Vec<f64>> {
    let rows = table.column("flow").rows_of(flow);
    let [ends, values] = ["time_s", column].map(|name| table.column(name).of(&rows));
    (!rows.is_empty()).then(|| smoothed(&within(&ends, &values, times, step), over))
}

/// A column that holds until the next row.
fn state(table: &Table, flow: &str, column: &str, times: &[f64]) -> Option<Vec<f64>> {
    let rows = table.column("flow").rows_of(flow);
    let [at, values] = ["time_s", column].map(|name| table.column(name).of(&rows));
    (!rows.is_empty()).then(|| held(&at, &values, times))
}

/// Windows, each followed by its threshold.
fn windows(table: &Table, shown: &[Role], times: &[f64]) -> Vec<Line> {
    let windows = lines(shown, 1.0, |flow| state(table, flow, "snd_cwnd", times));
    let single: Vec<Role> = shown.iter().filter(|role| role.single().is_some()).cloned().collect();
    let bounds = lines(&single, 1.0, |flow| state(table, flow, "ssthresh", times));
    let mut found = Vec::new();
    for line in windows {
        let tops = line.values.iter().map(|value| value.0).filter(|value| !value.is_nan());
        let top = Number::decimals(CLIP * tops.fold(0.0, f64::max), 3).0;
        let bound = bounds.iter().find(|bound| bound.colour == line.colour).cloned();
        found.push(line);
        found.extend(bound.map(|bound| Line {
            name: "ssthresh".into(),
            values: bound.values.iter().map(|&value| clipped(value, top)).collect(),
            dash: true,
            ..bound
        }));
    }
    found
}

fn clipped(value: Number, top: f64) -> Number {
    if value.0 > top { Number(top) } else { value }
}

/// The longest queues; one that never holds two packets has no line.
fn queues(table: &Table, times: &[f64]) -> Vec<Line> {
    let mut found = Vec::new();
    for (name, rows) in table.column("queue").groups() {
        let [at, packets] = ["time_s", "packets"].map(|column| table.column(column).of(&rows));
        if packets.iter().any(|&packets| packets > 1.0) {
            let mut values = held(&at, &packets, times);
            values.iter_mut().filter(|value| value.is_nan()).for_each(|value| *value = 0.0);
            found.push((name, values));
        }
    }
    let longest = descending(found.iter().map(|(_, values)| values.iter().sum()));
    let line = |place| {
        let (name, values): &(&str, Vec<f64>) = &found[place];
        let (name, values) = ((*name).to_owned(), plain(values));
        Line { name, values, dash: false, colour: None, flow: None }
    };
    longest.into_iter().take(MOST).map(line).collect()
}
