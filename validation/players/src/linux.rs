//! Linux 2.6's algorithms in ns-2 (`ns2_linux_cwnd`): one or two flows over a bottleneck, against our laws over a path
//! with ideal recovery.
//!
//! Compared are the first flow's mean window while it is alone, before and after the other, and the mean of both
//! windows together while there are two: how drop tail splits a path between two flows without any jitter is chance
//! (ns-2's own two flows share unevenly), what they fill together is the law.

mod scene;

use crate::case::{Case, Error, Verdict, cases};
use crate::dumbbell::{Bottleneck, Dumbbell, Flow};
use crate::trial::{judged, unknown};
use base::{Named, Options};
use scene::{Scene, Times};
use serde_json::Value;
use std::ops::Range;
use transport::tcp::TcpConfig;
use transport::tcp::law::{AnyLaw, LawName};
use transport::tcp::variants::LINUX26_VEGAS;

/// The relative tolerance of a mean window.
const WITHIN: f64 = 0.1;
/// Whole seconds that are left out after a flow begins, after the second does, and after it has ended.
const SETTLING: [usize; 3] = [15, 20, 15];
/// The beginning of the windows' key; the last second follows.
const WINDOWS: &str = "cwnd_packets_at_each_second_1_to_";

/// An algorithm: its names there, our law and its options.
struct Row {
    names: &'static [&'static str],
    law: &'static str,
    options: &'static [(&'static str, f64)],
    /// Whether an acknowledgement of two segments counts for both: bytes are counted (RFC 3465), or the module asks
    /// how many came.
    counts_all: bool,
    known: Option<Known>,
}

/// The differences of our model, and no others.
enum Known {
    /// Only this span, and why.
    Span(&'static str, &'static str),
    /// In ns-2 the algorithm is this other one, which must agree.
    Other(&'static str),
}

const fn row(names: &'static [&'static str], law: &'static str, counts_all: bool) -> Row {
    Row { names, law, options: &[], counts_all, known: None }
}

const ROWS: &[Row] = &[
    row(&["reno", "naive_reno", "newreno"], "reno", true),
    Row {
        options: LINUX26_VEGAS,
        known: Some(Known::Span("alone again", SLOW_RETURN)),
        ..row(&["vegas"], "vegas", false)
    },
    row(&["veno"], "veno", false),
    row(&["westwood", "westwood+"], "westwood+", true),
    row(&["bic"], "bic", true),
    row(&["cubic"], "cubic", true),
    Row { options: &[("steps", 1.0)], ..row(&["highspeed", "hstcp"], "highspeed", false) },
    Row { options: &[("ai", 0.02)], ..row(&["scalable"], "scalable", false) },
    Row { options: &[("rtt_scaling", 1.0)], ..row(&["htcp", "h-tcp"], "htcp", true) },
    row(&["hybla"], "hybla", false),
    row(&["illinois"], "illinois", true),
    row(&["yeah"], "yeah", true),
    Row { known: Some(Known::Other("reno")), ..row(&["lp"], "lp", true) },
];

const SLOW_RETURN: &str = "ns-2's flow does not take the path back when the other has gone, as it did at the start: \
     with delayed acknowledgements the wait for a second segment looks like a queue of 2 to 4 to its Vegas (runs of \
     ours of ns-2.35 rest at 156 to 210 segments with them, at 253 without); our path acknowledges without such a \
     wait, so that the last span equals the first";

/// Runs a file of windows by the second.
///
/// # Errors
/// Where the file has no list of cases.
pub fn run(file: &str, value: &Value) -> Result<Vec<Case>, Error> {
    let header = value.get("scenario").unwrap_or(&Value::Null);
    Ok(cases(file, value)?.iter().map(|case| one(file, header, case)).collect())
}

fn one(file: &str, header: &Value, case: &Value) -> Case {
    // A case may bring a path of its own.
    let header = case.get("scenario").unwrap_or(header);
    match compare(header, case) {
        Ok(judgement) => judgement.case(file, case),
        Err(wrong) => judged(file, case, Err(wrong)),
    }
}

/// A law beside a case.
struct Judgement {
    row: &'static Row,
    /// Of each span: its name, ours, theirs.
    means: Vec<(&'static str, f64, f64)>,
    /// Of the algorithm that it is in ns-2.
    others: Option<Vec<(&'static str, f64, f64)>>,
}

fn agrees(mean: &(&str, f64, f64)) -> bool {
    (mean.1 / mean.2 - 1.0).abs() <= WITHIN
}

fn tell(means: &[(&str, f64, f64)]) -> String {
    let each = means.iter().map(|(name, ours, theirs)| format!("{name} {ours:.0} for {theirs:.0}"));
    format!("mean windows {}", each.collect::<Vec<_>>().join(", "))
}

impl Judgement {
    fn case(&self, file: &str, case: &Value) -> Case {
        let said = tell(&self.means);
        if self.means.iter().all(agrees) {
            return judged(file, case, Ok(said));
        }
        let why = match (&self.row.known, &self.others) {
            (Some(Known::Span(span, why)), _)
                if self.means.iter().all(|mean| agrees(mean) == (mean.0 != *span)) =>
            {
                format!("{why} ({said})")
            }
            (Some(Known::Other(other)), Some(means)) if means.iter().all(agrees) => {
                format!(
                    "in ns-2 it moves as {other}, whose law gives {} here ({said})",
                    tell(means)
                )
            }
            _ => return judged(file, case, Err(said)),
        };
        Case { verdict: Verdict::Differs, ..judged(file, case, Err(why)) }
    }
}

fn compare(header: &Value, case: &Value) -> Result<Judgement, String> {
    let name = case.get("algorithm").and_then(Value::as_str).ok_or("no \"algorithm\"")?;
    let row = ROWS.iter().find(|row| row.names.contains(&name.to_lowercase().as_str()));
    let known = || ROWS.iter().flat_map(|row| row.names.iter().copied());
    let row = row.ok_or_else(|| unknown("algorithm", name, known()))?;
    let scene = Scene::of(header)?;
    let theirs = theirs(case, scene.flows.len())?;
    let means = |row: &Row| {
        let ours = play(row, &scene)?;
        let spans = spans(&scene.flows);
        Ok::<_, String>(
            spans
                .into_iter()
                .map(|(name, flows, span)| {
                    let sum = |windows: &[Vec<Option<f64>>]| {
                        flows.iter().map(|&i| mean(&windows[i], &span)).sum()
                    };
                    (name, sum(&ours), sum(&theirs))
                })
                .collect::<Vec<_>>(),
        )
    };
    let other = match row.known {
        Some(Known::Other(other)) => ROWS.iter().find(|row| row.law == other),
        _ => None,
    };
    let judgement = Judgement { row, means: means(row)?, others: other.map(means).transpose()? };
    match judgement.means.iter().find(|mean| mean.2 <= 0.0) {
        Some((span, ..)) => Err(format!("no windows of the file in the span {span:?}")),
        None => Ok(judgement),
    }
}

/// The file's windows by second, of each flow.
fn theirs(case: &Value, flows: usize) -> Result<Vec<Vec<Option<f64>>>, String> {
    let list = case.get("flows").and_then(Value::as_array).ok_or("no list of \"flows\"")?;
    let windows = |flow: &Value| {
        let (_, list) = flow.as_object()?.iter().find(|(key, _)| key.starts_with(WINDOWS))?;
        Some(list.as_array()?.iter().map(Value::as_f64).collect())
    };
    let found = list.iter().map(windows).collect::<Option<Vec<_>>>();
    let found = found.ok_or_else(|| format!("flows: a list \"{WINDOWS}240\" is needed of each"))?;
    if found.len() < flows {
        return Err(format!("flows: windows of {}, where the scenario has {flows}", found.len()));
    }
    Ok(found)
}

/// The averaged quantity: a name, its flows, its seconds.
fn spans(flows: &[Times]) -> Vec<(&'static str, &'static [usize], Range<usize>)> {
    let second = |at: f64, settling: usize| at as usize + settling;
    let first = &flows[0];
    let Some(other) = flows.get(1) else {
        return vec![("alone", &[0], second(first.start, SETTLING[0])..first.end as usize)];
    };
    vec![
        ("alone", &[0], second(first.start, SETTLING[0])..other.start as usize),
        ("together", &[0, 1], second(other.start, SETTLING[1])..other.end as usize),
        ("alone again", &[0], second(other.end, SETTLING[2])..first.end as usize),
    ]
}

/// cwnd of each flow at each whole second from 1 on.
fn play(row: &Row, scene: &Scene) -> Result<Vec<Vec<Option<f64>>>, String> {
    let name = LawName::by_name(row.law).ok_or("no such law")?;
    let abc_limit = if row.counts_all { f64::from(scene.segments_per_ack) } else { 1.0 };
    let config = TcpConfig { initial_window: 2, abc_limit, ..TcpConfig::default() };
    let flow = |times: &Times| {
        let law = AnyLaw::new(name, &Options::of(row.options));
        let mut flow = Flow::new(law, &config, times.delay, times.start);
        flow.segments_per_ack = scene.segments_per_ack;
        flow.pause = (times.end, f64::INFINITY);
        flow
    };
    let flows = scene.flows.iter().map(flow).collect();
    let mut path = Dumbbell::new(Bottleneck::new(scene.rate, scene.buffer), flows);
    let mut windows = vec![vec![]; scene.flows.len()];
    for second in 1..=scene.end() as usize {
        path.run(second as f64, |_| {});
        for (windows, flow) in windows.iter_mut().zip(&path.flows) {
            windows.push(Some(flow.w.cwnd));
        }
    }
    Ok(windows)
}

/// The mean of what is there.
fn mean(windows: &[Option<f64>], span: &Range<usize>) -> f64 {
    let inside = windows.iter().take(span.end).skip(span.start).flatten();
    let (n, sum) = inside.fold((0.0, 0.0), |(n, sum), x| (n + 1.0, sum + x));
    if n > 0.0 { sum / n } else { 0.0 }
}
