//! The inputs of a case, in segments, and the comparison of the output.

use crate::trial::{Outcome, near, need, number};
use serde_json::Value;

/// The segment size of the case, bytes.
pub fn mss(case: &Value) -> Result<f64, String> {
    need(case, "/in/mss")
}

/// The window in segments.
pub fn cwnd(case: &Value) -> Result<f64, String> {
    match number(case, "/in/cwnd_segments") {
        Some(segments) => Ok(segments),
        None => Ok(need(case, "/in/cwnd_bytes")? / mss(case)?),
    }
}

/// The threshold in segments; 0 where none is given.
pub fn ssthresh(case: &Value) -> Result<f64, String> {
    let bytes = number(case, "/in/ssthresh_bytes").map(|bytes| Ok(bytes / mss(case)?));
    bytes.unwrap_or(Ok(number(case, "/in/ssthresh_segments").unwrap_or(0.0)))
}

/// A parameter of the case.
pub fn parameter(case: &Value, name: &str, otherwise: f64) -> f64 {
    number(case, &format!("/parameters/{name}")).unwrap_or(otherwise)
}

/// Compares bytes with what is expected, where it is: exactly but for a byte of rounding, else within a segment.
pub fn bytes(case: &Value, key: &str, got: f64, off: &mut bool) -> Result<(), String> {
    let Some(want) = number(case, &format!("/expect/{key}")) else { return Ok(()) };
    if near(key, got, want, 1.0 + 1e-6).is_err() {
        near(key, got, want, mss(case)? + 1e-6)?;
        *off = true;
    }
    Ok(())
}

/// The remark on a case that needed a segment's tolerance.
pub fn remark(off: bool) -> Outcome {
    let text = "within a segment: ns-3 counts whole segments, our law fractions of them";
    Ok(if off { text.to_owned() } else { String::new() })
}
