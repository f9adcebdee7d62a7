//! Linux's algorithms in ns-2 (`ns2_linux_cwnd`): two flows over a bottleneck of 30 Mb/s with 100 packets of queue,
//! against our laws over a path with ideal recovery.
//!
//! Compared are the first flow's mean window while it is alone, before and after the other, and the mean of both
//! windows together while there are two: how drop tail splits a path between two flows without any jitter is chance
//! (ns-2's own two flows share unevenly), what they fill together is the law.

use crate::case::{Case, Error, cases};
use crate::path::{Bottleneck, Flow, Path};
use crate::trial::{Outcome, judged, unknown};
use serde_json::Value;
use transport::tcp::TcpConfig;
use transport::tcp::law::{AnyLaw, LawName, LawOptions};
use transport::tcp::variants::LINUX26_VEGAS;

/// Packets of 1000 B, with 50 B of headers and timestamps, at 30 Mb/s.
const RATE: f64 = 30e6 / (8.0 * 1050.0);
/// The flows' round trips without the bottleneck's service, and when they begin and end, s.
const DELAYS: [f64; 2] = [0.07218, 0.07618];
const STARTS: [f64; 2] = [0.1, 60.0];
const SECOND_ENDS: f64 = 160.0;
/// Whole seconds over which windows are averaged, and of which flows.
const SPANS: [(&str, &[usize], std::ops::Range<usize>); 3] =
    [("alone", &[0], 15..60), ("together", &[0, 1], 80..160), ("alone again", &[0], 175..240)];

/// An algorithm: our law, Linux's choices, how many segments an acknowledgement counts for, how near the means are.
struct Row {
    name: &'static str,
    options: &'static [(&'static str, f64)],
    abc_limit: f64,
    within: f64,
}

const ROWS: &[Row] = &[
    Row { name: "vegas", options: LINUX26_VEGAS, abc_limit: 1.0, within: 0.1 },
    // Linux's BIC divides by the segments that an acknowledgement covers: it counts them all.
    Row { name: "bic", options: &[], abc_limit: 2.0, within: 0.1 },
    Row { name: "hybla", options: &[], abc_limit: 1.0, within: 0.1 },
    Row { name: "scalable", options: &[("ai", 0.02)], abc_limit: 1.0, within: 0.1 },
];

/// What goes otherwise here, and nothing beside it.
const SLOW_RETURN: (&str, &str) = (
    "mean windows alone 262 for 264, together 276 for 279, alone again 262 for 233",
    "ns-2's flow does not take the path back when the other has gone, as it did at the start: with delayed \
     acknowledgements the wait for a second segment looks like a queue of 2 to 4 to its Vegas (runs of ours of ns-2.35 \
     rest at 156 to 210 segments with them, at 253 without); our path acknowledges without such a wait, so that the \
     last span equals the first",
);

/// Runs a file of windows by the second.
///
/// # Errors
/// Where the file has no list of cases.
pub fn run(file: &str, value: &Value) -> Result<Vec<Case>, Error> {
    Ok(cases(file, value)?.iter().map(|case| one(file, case)).collect())
}

fn one(file: &str, case: &Value) -> Case {
    let name = case.get("algorithm").and_then(Value::as_str).unwrap_or_default();
    let Some(row) = ROWS.iter().find(|row| row.name == name) else {
        let known = ROWS.iter().map(|row| row.name);
        return judged(file, case, Err(unknown("algorithm", name, known)));
    };
    judged(file, case, compare(row, case)).defended(SLOW_RETURN.0, SLOW_RETURN.1)
}

/// cwnd of both flows at each whole second from 1 to 240.
fn play(row: &Row) -> Result<[Vec<f64>; 2], String> {
    let name = LawName::by_name(row.name).ok_or("no such law")?;
    let config = TcpConfig { initial_window: 2, abc_limit: row.abc_limit, ..TcpConfig::default() };
    let flow = |i: usize| {
        let law = AnyLaw::new(name, &LawOptions::of(row.options));
        let mut flow = Flow::new(law, &config, DELAYS[i], STARTS[i]);
        flow.segments_per_ack = 2;
        flow
    };
    let mut path = Path::new(Bottleneck::new(RATE, 101.0), vec![flow(0), flow(1)]);
    path.flows[1].pause = (SECOND_ENDS, f64::INFINITY);
    let mut windows = [vec![], vec![]];
    for second in 1..=240 {
        path.run(f64::from(second), |_| {});
        for (windows, flow) in windows.iter_mut().zip(&path.flows) {
            windows.push(flow.w.cwnd);
        }
    }
    Ok(windows)
}

fn mean(of: impl Iterator<Item = f64>) -> f64 {
    let (n, sum) = of.fold((0.0, 0.0), |(n, sum), x| (n + 1.0, sum + x));
    if n > 0.0 { sum / n } else { 0.0 }
}

fn compare(row: &Row, case: &Value) -> Outcome {
    let ours = play(row)?;
    let mut said = vec![];
    let mut wrong = false;
    for (name, flows, span) in SPANS {
        let (mut want, mut got) = (0.0, 0.0);
        for &flow in flows {
            let theirs =
                case.pointer(&format!("/flows/{flow}/cwnd_packets_at_each_second_1_to_240"));
            let theirs = theirs.and_then(Value::as_array).ok_or("no windows")?;
            let seconds = theirs.iter().take(span.end).skip(span.start);
            want += mean(seconds.filter_map(Value::as_f64));
            got += mean(ours[flow][span.clone()].iter().copied());
        }
        wrong |= (got / want - 1.0).abs() > row.within;
        said.push(format!("{name} {got:.0} for {want:.0}"));
    }
    let said = format!("mean windows {}", said.join(", "));
    if wrong { Err(said) } else { Ok(said) }
}
