//! ns-3's unit tests of congestion control (`ns3_congestion`): a state, an event, the window after it.
//!
//! ns-3 counts bytes and whole segments; a law counts fractions of segments. What it makes of the event is rounded as
//! ns-3 rounds it, and where that is not enough a case may be a segment off, which its reason says.

mod delay;
mod loss;
mod sender;

use crate::case::{Case, Error, cases};
use crate::trial::{Outcome, judged, near, need, number, unknown};
use serde_json::Value;

/// What runs the cases of an algorithm.
type One = fn(&Value) -> Outcome;

/// The algorithms.
const ALGORITHMS: &[(&str, One)] = &[
    ("vegas", delay::vegas),
    ("veno", delay::veno),
    ("illinois", delay::illinois),
    ("yeah", delay::yeah),
    ("ledbat", delay::ledbat),
    ("hybla", loss::hybla),
    ("bic", loss::bic),
    ("htcp", loss::htcp),
    ("highspeed", loss::highspeed),
    ("scalable", loss::scalable),
    ("linux_reno", loss::linux_reno),
    ("abe", loss::abe),
    ("lp", delay::lp),
    ("reno_fast_recovery", sender::fast_recovery),
    ("prr", sender::prr),
    ("rtt_rfc6298", sender::rtt),
];

/// Runs a file of such cases.
///
/// # Errors
/// Where the file has no list of cases.
pub fn run(file: &str, value: &Value) -> Result<Vec<Case>, Error> {
    Ok(cases(file, value)?.iter().map(|case| one(file, case)).collect())
}

fn one(file: &str, case: &Value) -> Case {
    let name = case.get("algorithm").and_then(Value::as_str).unwrap_or_default();
    let Some((_, run)) = ALGORITHMS.iter().find(|row| row.0 == name) else {
        let known = ALGORITHMS.iter().map(|row| row.0);
        return judged(file, case, Err(unknown("algorithm", name, known)));
    };
    judged(file, case, run(case))
}

/// The segment size of the case, bytes.
fn mss(case: &Value) -> Result<f64, String> {
    need(case, "/in/mss")
}

/// The window in segments.
fn cwnd(case: &Value) -> Result<f64, String> {
    match number(case, "/in/cwnd_segments") {
        Some(segments) => Ok(segments),
        None => Ok(need(case, "/in/cwnd_bytes")? / mss(case)?),
    }
}

/// The threshold in segments; 0 where none is given.
fn ssthresh(case: &Value) -> Result<f64, String> {
    let bytes = number(case, "/in/ssthresh_bytes").map(|bytes| Ok(bytes / mss(case)?));
    bytes.unwrap_or(Ok(number(case, "/in/ssthresh_segments").unwrap_or(0.0)))
}

/// A parameter of the case.
fn parameter(case: &Value, name: &str, otherwise: f64) -> f64 {
    number(case, &format!("/parameters/{name}")).unwrap_or(otherwise)
}

/// Compares bytes with what is expected, where it is: exactly but for a byte of rounding, else within a segment.
fn bytes(case: &Value, key: &str, got: f64, off: &mut bool) -> Result<(), String> {
    let Some(want) = number(case, &format!("/expect/{key}")) else { return Ok(()) };
    if near(key, got, want, 1.0 + 1e-6).is_err() {
        near(key, got, want, mss(case)? + 1e-6)?;
        *off = true;
    }
    Ok(())
}

/// The remark on a case that needed a segment's tolerance.
fn remark(off: bool) -> Outcome {
    let text = "within a segment: ns-3 counts whole segments, our law fractions of them";
    Ok(if off { text.to_owned() } else { String::new() })
}
