//! ns-3's congestion control round by round (`ns3_trajectories`): the driver that the file describes, over our laws.
//!
//! ns-3's window is whole: an acknowledgement adds a segment once enough of them came (Linux's algorithms),
//! or the whole bytes of a fraction. Our law gives the growth of a window of that size, and the driver
//! rounds it so. A loss is reported before the rounds in which it comes.

mod driver;

use crate::case::{Case, Error, Verdict, cases};
use crate::trial::{Outcome, Trial, judged, steps, unknown};
use driver::{Driver, Epoch, Left, MSS, Steps};
use serde_json::Value;
use transport::tcp::law::AnyLaw;
use transport::tcp::variants::LINUX_VEGAS;

/// An algorithm of ns-3: its name there, our law, its options, its rounding.
struct Row {
    name: &'static str,
    law: &'static str,
    options: &'static [(&'static str, f64)],
    steps: Steps,
    /// The rounding of the window after a loss.
    left: Left,
    /// The driver tells ns-3 where a round's data end when it begins: what asks whether they are acknowledged hears yes
    /// at the first acknowledgement, and again at the last.
    first_ends: bool,
    /// Differences of ns-3 from our law, which the driver can reproduce; empty: none. A case that agrees
    /// only with them differs for that reason.
    departs: &'static str,
}

const fn row(
    name: &'static str,
    law: &'static str,
    options: &'static [(&'static str, f64)],
    steps: Steps,
) -> Row {
    Row { name, law, options, steps, left: Left::Bytes, first_ends: false, departs: "" }
}

/// Linux's Vegas, but ns-3's loss: down to the threshold, which it keeps at three quarters of the window. And ns-3 cuts
/// what the path holds to whole segments, so that a part of a segment waits as a whole one: fewer than two wait where at
/// most one does. The rest is against rounding.
const NS3_VEGAS: &[(&str, f64)] = &{
    let mut options = [("", 0.0); LINUX_VEGAS.len()];
    let mut i = 0;
    while i < options.len() {
        options[i] = match LINUX_VEGAS[i].0.as_bytes() {
            b"alpha" => ("alpha", 1.0 + 1e-6),
            b"loss" => ("loss", 0.75),
            _ => LINUX_VEGAS[i],
        };
        i += 1;
    }
    options
};

/// ns-3 aims at whole segments, by the least round trip, and has no estimate of Reno.
const NS3_CUBIC: &[(&str, f64)] =
    &[("first_growth", 0.05), ("reno_friendly", 0.0), ("whole", 1.0), ("ahead", 1.0)];

const ROWS: &[Row] = &[
    row("TcpNewReno", "reno", &[], Steps::Bytes),
    row("TcpLinuxReno", "reno", &[], Steps::Counted(0.0)),
    Row { first_ends: true, ..row("TcpVegas", "vegas", NS3_VEGAS, Steps::Rounds) },
    // ns-3 counts samples anew at each acknowledgement: growth never hears of the queue, losses do.
    row("TcpVeno", "veno", &[("warm_up", 1e9)], Steps::Bytes),
    Row {
        left: Left::OfWhole,
        ..row(
            "TcpBic",
            "bic",
            &[("smooth_part", 5.0), ("beta", 0.8), ("fast_convergence", 0.8)],
            Steps::Counted(1.0),
        )
    },
    Row { left: Left::Whole, ..row("TcpCubic", "cubic", NS3_CUBIC, Steps::Credit) },
    Row {
        departs: "ns-3's H-TCP takes RTTmin and the throughput since the last loss, where ours has the least round trip \
                  ever and the last round's throughput, and halves where the throughput fell at all, since its \
                  difference has no sign; the draft halves where it changed by over a fifth",
        // ns-3 adds alpha as bytes an acknowledgement, and lets RTTmin/RTTmax be all that a loss leaves.
        ..row("TcpHtcp", "htcp", &[("unit", 1.0), ("beta_max", 1.0)], Steps::Bytes)
    },
    row("TcpHybla", "hybla", &[("rtt0", 0.05)], Steps::Fractions),
    Row {
        left: Left::Whole,
        first_ends: true,
        // ns-3 cuts alpha to a whole number: below 1 nothing grows.
        ..row("TcpIllinois", "illinois", &[], Steps::Units)
    },
    // ns-3 divides 1 by phi in whole numbers, which is 0 from 2 on: any delay is high.
    Row { left: Left::WholeCut, ..row("TcpYeah", "yeah", &[("phi", 1e9)], Steps::Modes) },
    Row { left: Left::Whole, ..row("TcpHighSpeed", "highspeed", &[("steps", 1.0)], Steps::Units) },
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
    let plain = judged(file, case, play(row, case, false));
    if plain.verdict != Verdict::Fail || row.departs.is_empty() {
        return plain;
    }
    match play(row, case, true) {
        Ok(near) => {
            let exactly = plain.reason.clone();
            plain.defended(&exactly, &format!("{}: with that, {near}", row.departs))
        }
        Err(_) => plain,
    }
}

/// The law in the driver before the first round, which takes `rtt`; `departing` as ns-3 departs from it.
fn begin(row: &Row, rtt: f64, departing: bool) -> Result<Driver, String> {
    let mut t = Trial::new(row.law, row.options, 10.0, 1.0)?;
    t.w.ssthresh = 40.0;
    t.told.mss = MSS as u32;
    if matches!(t.law, AnyLaw::Htcp(_)) {
        // ns-3 counts the time without a loss from the begin of the connection, ours from the first acknowledgement.
        t.sample(rtt, false);
    }
    if let AnyLaw::Htcp(law) = &mut t.law {
        // ns-3's is 0 before the first loss, so that alpha is doubled.
        law.beta = 0.0;
    }
    let epoch = departing.then(|| Epoch::new(0.0, 0.0));
    let Row { steps, left, first_ends, .. } = *row;
    Ok(Driver { t, steps, left, first_ends, count: 0.0, epoch })
}

fn play(row: &Row, case: &Value, departing: bool) -> Outcome {
    let rows = case.get("rows").and_then(Value::as_array).ok_or("no rows")?;
    let mut driver: Option<Driver> = None;
    let (mut worst, mut at) = (0.0_f64, 0.0);
    for each in rows {
        if each.get(0).and_then(Value::as_f64).is_none() {
            driver.as_mut().ok_or("a loss before the first round")?.lose();
            continue;
        }
        let rtt = each.get(4).and_then(Value::as_f64).filter(|rtt| (1e-6..=1000.0).contains(rtt));
        let rtt = rtt.ok_or("a row without a round-trip time")?;
        let driver = match &mut driver {
            Some(driver) => driver,
            None => driver.insert(begin(row, rtt, departing)?),
        };
        steps("segments of a round", driver.t.w.cwnd)?;
        driver.round(rtt);
        let want = each.get(2).and_then(Value::as_f64).ok_or("a row without a window")? / MSS;
        let off = (driver.t.w.cwnd - want).abs();
        if off > worst {
            (worst, at) = (off, each.get(0).and_then(Value::as_f64).unwrap_or(0.0));
        }
    }
    if worst > 1.0 + 1e-6 {
        return Err(format!("{worst:.1} segments off after round {at}"));
    }
    Ok(format!("within {worst:.2} segments"))
}
