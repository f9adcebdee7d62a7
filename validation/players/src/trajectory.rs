//! ns-3's congestion control round by round (`ns3_trajectories`): the driver that the file describes, over our laws.
//!
//! ns-3's window is whole: an acknowledgement adds a segment once enough of them came (Linux's algorithms), or the
//! whole bytes of a fraction. Our law says by how much a window of that size grows, and the driver rounds it so. A
//! loss is told before the rounds in which it comes.

use crate::case::{Case, Error, cases};
use crate::trial::{Outcome, Trial, floor, judged, steps, unknown};
use serde_json::Value;
use transport::tcp::law::{AnyLaw, Loss};
use transport::tcp::variants::LINUX_VEGAS;

/// The driver's segment, bytes.
const MSS: f64 = 1000.0;

/// How ns-3 rounds an increase.
#[derive(Clone, Copy)]
enum Steps {
    /// The bytes of each acknowledgement are cut to whole ones.
    Bytes,
    /// A segment once this many more acknowledgements than the law says came.
    Counted(f64),
    /// A segment for as many acknowledgements as the law says; those left over count on.
    Credit,
    /// The fractions add up; whole segments count.
    Fractions,
    /// The same of what a round adds in whole segments: less than one is none.
    WholeRounds,
    /// A segment at the end of a round.
    Rounds,
}

/// How ns-3 rounds what a loss leaves.
#[derive(Clone, Copy)]
enum Left {
    /// To bytes.
    Bytes,
    /// To whole segments.
    Whole,
    /// A loss takes whole segments.
    WholeUp,
}

/// An algorithm of ns-3: its name there, our law, its options, its rounding.
struct Row {
    name: &'static str,
    law: &'static str,
    options: &'static [(&'static str, f64)],
    steps: Steps,
    /// What exactly goes otherwise here, and why that is right; empty: nothing may.
    known: (&'static str, &'static str),
    /// How what a loss leaves is rounded.
    left: Left,
    /// The driver tells ns-3 where a round's data end when it begins: what asks whether they are acknowledged hears yes
    /// at the first acknowledgement, and again at the last.
    first_ends: bool,
}

const fn row(
    name: &'static str,
    law: &'static str,
    options: &'static [(&'static str, f64)],
    steps: Steps,
) -> Row {
    Row { name, law, options, steps, known: ("", ""), left: Left::Bytes, first_ends: false }
}

/// Linux's Vegas, but ns-3's loss: down to the threshold, which it keeps at three quarters of the window.
const NS3_VEGAS: &[(&str, f64)] = &{
    let mut options = [("", 0.0); LINUX_VEGAS.len()];
    let mut i = 0;
    while i < options.len() {
        options[i] = LINUX_VEGAS[i];
        i += 1;
    }
    options[6] = ("loss", 0.75);
    options
};

const ROWS: &[Row] = &[
    row("TcpNewReno", "reno", &[], Steps::Bytes),
    row("TcpLinuxReno", "reno", &[], Steps::Counted(0.0)),
    row("TcpVegas", "vegas", NS3_VEGAS, Steps::Rounds),
    // ns-3 counts samples anew at each acknowledgement: growth never hears of the queue, losses do.
    row("TcpVeno", "veno", &[("warm_up", 1e9)], Steps::Bytes),
    row(
        "TcpBic",
        "bic",
        &[("smooth_part", 5.0), ("beta", 0.8), ("fast_convergence", 0.8)],
        Steps::Counted(1.0),
    ),
    Row {
        left: Left::Whole,
        known: (
            "2.0 segments off after round 81",
            "ns-3's CUBIC aims at whole segments and carries what acknowledgements of the plateau counted over the \
             loss: two segments ahead in the second round after it, within one in all others",
        ),
        ..row("TcpCubic", "cubic", &[("first_growth", 0.05), ("reno_friendly", 0.0)], Steps::Credit)
    },
    // ns-3 adds alpha as bytes an acknowledgement, and lets RTTmin/RTTmax be all that a loss leaves.
    row("TcpHtcp", "htcp", &[("unit", 1.0), ("beta_max", 1.0)], Steps::Bytes),
    row("TcpHybla", "hybla", &[("rtt0", 0.05)], Steps::Fractions),
    Row {
        left: Left::Whole,
        first_ends: true,
        // ns-3 cuts alpha to a whole number: below 1 nothing grows.
        ..row("TcpIllinois", "illinois", &[], Steps::WholeRounds)
    },
    Row { left: Left::WholeUp, ..row("TcpYeah", "yeah", &[], Steps::Counted(0.0)) },
    Row {
        left: Left::Whole,
        ..row("TcpHighSpeed", "highspeed", &[("steps", 1.0)], Steps::Fractions)
    },
    Row {
        left: Left::Whole,
        ..row("TcpScalable", "scalable", &[("ai", 0.02)], Steps::Counted(0.0))
    },
];

/// Runs a file of trajectories.
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
    judged(file, case, play(row, case)).defended(row.known.0, row.known.1)
}

/// A connection of the driver.
struct Driver {
    t: Trial,
    steps: Steps,
    first_ends: bool,
    count: f64,
}

impl Driver {
    fn round(&mut self, rtt: f64) {
        let n = floor(self.t.w.cwnd);
        for i in 1..=n as u64 {
            self.t.now += rtt / n;
            let last = i == n as u64;
            self.ack(rtt, last || (i == 1 && self.first_ends));
        }
    }

    fn ack(&mut self, rtt: f64, last: bool) {
        // ns-3's algorithms see whole segments.
        let whole = !matches!(self.steps, Steps::Bytes) && !self.t.w.in_slow_start();
        let part = if whole { self.t.w.cwnd - floor(self.t.w.cwnd) } else { 0.0 };
        self.t.w.cwnd -= part;
        let (threshold, lowered) = (self.t.w.ssthresh, self.t.w.ssthresh - part);
        self.t.w.ssthresh = lowered;
        self.step(rtt, last);
        if self.t.w.ssthresh == lowered {
            self.t.w.ssthresh = threshold;
        }
        // Vegas forgets the rest, the others keep it.
        let kept = !(last && matches!(self.steps, Steps::Rounds));
        self.t.w.cwnd += if kept { part } else { 0.0 };
    }

    fn step(&mut self, rtt: f64, last: bool) {
        let (before, slow) = (self.t.w.cwnd, self.t.w.in_slow_start());
        self.t.told.flight = before;
        if last {
            self.t.end_round(1.0, rtt);
        } else {
            self.t.ack(1.0, rtt);
        }
        let more = self.t.w.cwnd - before;
        self.t.w.cwnd = match self.steps {
            _ if slow || more < 0.0 => self.t.w.cwnd,
            Steps::Bytes => before + floor(more * MSS).max(1.0) / MSS,
            Steps::Rounds => self.t.w.cwnd,
            Steps::Counted(extra) => before + self.counted(more, floor(1.0 / more) + extra),
            Steps::Credit => before + self.credited(more),
            Steps::Fractions => before + self.whole(more),
            Steps::WholeRounds => before + self.whole(floor(more * before) / before),
        };
    }

    fn credited(&mut self, more: f64) -> f64 {
        self.count += 1.0;
        let needed = if more > 0.0 { floor(1.0 / more).max(1.0) } else { f64::INFINITY };
        let whole = libm::floor(self.count / needed);
        self.count -= if whole > 0.0 { whole * needed } else { 0.0 };
        whole
    }

    fn whole(&mut self, more: f64) -> f64 {
        self.count += more;
        let whole = libm::floor(self.count);
        self.count -= whole;
        whole
    }

    fn counted(&mut self, more: f64, needed: f64) -> f64 {
        self.count += 1.0;
        if more > 0.0 && self.count >= needed {
            self.count = 0.0;
            return 1.0_f64.max(libm::floor(more));
        }
        0.0
    }

    /// A loss before a round: the window is what the threshold is.
    fn lose(&mut self, rounded: Left) {
        if !matches!(
            self.steps,
            Steps::Bytes | Steps::Fractions | Steps::WholeRounds | Steps::Rounds
        ) {
            self.t.w.cwnd = floor(self.t.w.cwnd);
        }
        let left = self.t.lose(Loss::DupAcks);
        let left = match rounded {
            Left::Bytes => floor(left * MSS) / MSS,
            Left::Whole => floor(left),
            Left::WholeUp => libm::ceil(left),
        };
        (self.t.w.cwnd, self.t.w.ssthresh) = (left, left);
    }
}

fn play(row: &Row, case: &Value) -> Outcome {
    let rows = case.get("rows").and_then(Value::as_array).ok_or("no rows")?;
    let mut t = Trial::new(row.law, row.options, 10.0, 1.0)?;
    t.w.ssthresh = 40.0;
    t.told.mss = MSS as u32;
    if let AnyLaw::Htcp(law) = &mut t.law {
        // ns-3's is 0 before the first loss, so that alpha is doubled.
        law.beta = 0.0;
    }
    let mut driver = Driver { t, steps: row.steps, first_ends: row.first_ends, count: 0.0 };
    let (mut worst, mut at) = (0.0_f64, 0.0);
    let left = row.left;
    for row in rows {
        if row.get(0).and_then(Value::as_f64).is_none() {
            driver.lose(left);
            continue;
        }
        let rtt = row.get(4).and_then(Value::as_f64).filter(|rtt| (1e-6..=1000.0).contains(rtt));
        let rtt = rtt.ok_or("a row without a round-trip time")?;
        steps("segments of a round", driver.t.w.cwnd)?;
        driver.round(rtt);
        let want = row.get(2).and_then(Value::as_f64).ok_or("a row without a window")? / MSS;
        let off = (driver.t.w.cwnd - want).abs();
        if off > worst {
            (worst, at) = (off, row.get(0).and_then(Value::as_f64).unwrap_or(0.0));
        }
    }
    if worst > 1.0 + 1e-6 {
        return Err(format!("{worst:.1} segments off after round {at}"));
    }
    Ok(format!("within {worst:.2} segments"))
}
