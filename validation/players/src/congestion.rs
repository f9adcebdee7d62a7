//! ns-3's unit tests of congestion control (`ns3_congestion`): a state, an event, the window after it.
//!
//! ns-3 counts bytes and whole segments; a law counts fractions of segments. What it makes of the event is rounded as
//! ns-3 rounds it, and where that is not enough a case may be a segment off, which its reason says.

mod delay;
mod given;
mod loss;
mod sender;

use crate::case::{Case, Error, cases};
use crate::trial::{Outcome, judged, unknown};
use serde_json::Value;

/// The player of the cases of an algorithm.
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
