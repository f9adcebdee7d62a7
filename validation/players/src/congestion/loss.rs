//! Laws that look at losses and time: BIC, Hybla, H-TCP, HighSpeed, Scalable, Linux's Reno; congestion marks.

use super::given::{bytes, cwnd, mss, parameter, remark, ssthresh};
use crate::trial::{Outcome, Trial, floor, near, need, number, steps};
use serde_json::Value;
use transport::tcp::law::{AnyLaw, Loss};

fn is_loss(case: &Value) -> bool {
    case.pointer("/in/event").is_some()
}

fn trial(case: &Value, law: &str, options: &[(&str, f64)]) -> Result<Trial, String> {
    let mut t = Trial::new(law, options, cwnd(case)?, f64::INFINITY)?;
    t.w.ssthresh = ssthresh(case)?;
    Ok(t)
}

/// ns-3's increase: a segment once more acknowledgements than `cnt` came.
pub fn bic(case: &Value) -> Outcome {
    let beta = parameter(case, "beta", 0.8);
    let fast = case.pointer("/parameters/fast_convergence").and_then(Value::as_bool) != Some(false);
    let options = [
        ("low_window", parameter(case, "low_window", 14.0)),
        ("b", parameter(case, "B", 4.0)),
        ("s_max", parameter(case, "S_max", 16.0)),
        ("smooth_part", parameter(case, "smooth_part", 5.0)),
        ("beta", beta),
        ("fast_convergence", if fast { beta } else { 1.0 }),
    ];
    let mut t = trial(case, "bic", &options)?;
    let AnyLaw::Bic(law) = &mut t.law else { return Err("not BIC".to_owned()) };
    law.w_max = number(case, "/in/last_max_cwnd_segments").unwrap_or(0.0);
    let (mss, mut off) = (mss(case)?, false);
    if is_loss(case) {
        bytes(case, "ssthresh_bytes", floor(t.lose(Loss::DupAcks) * mss), &mut off)?;
        let AnyLaw::Bic(law) = &t.law else { return Err("not BIC".to_owned()) };
        near("last_max", floor(law.w_max), need(case, "/expect/last_max_cwnd_segments")?, 0.0)?;
        return remark(off);
    }
    let count = floor(t.w.cwnd / law.increase(t.w.cwnd)).max(1.0);
    near(
        "acknowledgements",
        count,
        number(case, "/expect/acks_per_increment").unwrap_or(count),
        0.0,
    )?;
    let more = if need(case, "/in/acked_segments")? > count { 1.0 } else { 0.0 };
    bytes(case, "cwnd_bytes", (t.w.cwnd + more) * mss, &mut off)?;
    remark(off)
}

pub fn hybla(case: &Value) -> Outcome {
    let mut t = trial(case, "hybla", &[("rtt0", parameter(case, "rtt0_ms", 50.0) / 1000.0)])?;
    let before = t.w.cwnd;
    t.ack(need(case, "/in/acked_segments")?, need(case, "/in/rtt_ms")? / 1000.0);
    let (mss, mut off) = (mss(case)?, false);
    if let (AnyLaw::Hybla(law), Some(rho)) = (&t.law, number(case, "/expect/rho")) {
        near("rho", law.rho, rho, 1e-9)?;
    }
    bytes(case, "cwnd_bytes", floor(t.w.cwnd * mss), &mut off)?;
    if let Some(more) = number(case, "/expect/increment_segments") {
        near("increment", t.w.cwnd - before, more, 1e-6)?;
    }
    match number(case, "/expect/cwnd_bytes_max") {
        Some(most) if t.w.cwnd * mss > most => Err(format!("cwnd {} above {most}", t.w.cwnd * mss)),
        _ => remark(off),
    }
}

/// The window after a loss and acknowledgements, with alpha in ns-3's unit.
pub fn htcp(case: &Value) -> Outcome {
    let options = [
        ("beta_min", parameter(case, "default_backoff", 0.5)),
        ("change", parameter(case, "throughput_ratio", 0.2)),
        ("delta_l", parameter(case, "delta_l_s", 1.0)),
        ("unit", 1.0),
    ];
    let mut t = trial(case, "htcp", &options)?;
    let cwnd = t.w.cwnd;
    t.now = need(case, "/in/loss_at_ms")? / 1000.0;
    t.sample(0.1, true);
    t.lose(Loss::DupAcks);
    for event in case.pointer("/in/ack_events").and_then(Value::as_array).into_iter().flatten() {
        t.now = need(event, "/at_ms")? / 1000.0;
        t.sample(need(event, "/rtt_ms")? / 1000.0, false);
    }
    (t.w.cwnd, t.w.ssthresh) = (cwnd, 0.0);
    let mss = mss(case)?;
    t.told.mss = mss as u32;
    t.ack(1.0, 0.1);
    near("cwnd", floor(t.w.cwnd * mss), need(case, "/expect/cwnd_bytes")?, 0.0)?;
    Ok("unit = \"bytes\": ns-3 adds alpha as bytes an acknowledgement".to_owned())
}

/// RFC 3649's table against its formulas.
pub fn highspeed(case: &Value) -> Outcome {
    let options = ["low_window", "high_window", "high_decrease"]
        .iter()
        .filter_map(|name| Some((*name, number(case, &format!("/parameters/{name}"))?)))
        .collect::<Vec<_>>();
    let w = need(case, "/in/cwnd_segments")?;
    let t = Trial::new("highspeed", &options, w, 1.0)?;
    let AnyLaw::HighSpeed(law) = &t.law else { return Err("not HighSpeed".to_owned()) };
    near("a(w)", law.increase(w), need(case, "/expect/a_of_w_row")?, 1.0)?;
    near("b(w)", law.decrease(w), need(case, "/expect/b_of_w")?, 0.01)?;
    Ok("from RFC 3649's formulas: a within 1 and b within 0.01 of its rounded table".to_owned())
}

pub fn scalable(case: &Value) -> Outcome {
    let options = [
        ("ai", 1.0 / parameter(case, "ai_factor", 50.0)),
        ("md", parameter(case, "md_factor", 0.125)),
    ];
    let mut t = trial(case, "scalable", &options)?;
    if is_loss(case) {
        let left = floor(t.lose(Loss::DupAcks));
        near("ssthresh", left, need(case, "/expect/ssthresh_segments")?, 0.0)?;
        return remark(false);
    }
    t.ack(need(case, "/in/acked_segments")?, 0.1);
    let mut off = false;
    bytes(case, "cwnd_bytes", floor(t.w.cwnd) * mss(case)?, &mut off)?;
    remark(off)
}

/// A whole transfer: each acknowledgement of `delayed_ack_segments` counts all its segments. In avoidance Linux
/// waits for a window of them.
pub fn linux_reno(case: &Value) -> Outcome {
    let (mss, writes) = (mss(case)?, need(case, "/in/app_writes")?);
    let per_ack = number(case, "/in/delayed_ack_segments").unwrap_or(1.0);
    let start = need(case, "/in/initial_cwnd_segments")?;
    let mut t = Trial::new("reno", &[], start, f64::INFINITY)?;
    let given = number(case, "/in/initial_ssthresh_as_given");
    t.w.ssthresh = given.map_or(f64::INFINITY, |bytes| bytes / mss);
    steps("writes", writes / per_ack)?;
    let (mut left, mut counted) = (writes, 0.0);
    while left > 0.0 {
        let acked = per_ack.min(left);
        left -= acked;
        if t.w.in_slow_start() {
            t.ack(acked, 0.1);
            continue;
        }
        let (whole, mut probe) = (t.w.cwnd, t.clone());
        probe.ack(1.0, 0.1);
        counted += acked;
        let count = floor(1.0 / (probe.w.cwnd - whole));
        if counted >= count {
            counted -= count;
            t.w.cwnd += 1.0;
        }
    }
    let mut off = false;
    bytes(case, "final_cwnd_bytes", t.w.cwnd * mss, &mut off)?;
    if off {
        remark(true)
    } else {
        Ok("in avoidance Linux waits for a window of segments: so does the test".to_owned())
    }
}

/// A congestion mark with and without RFC 8511.
pub fn abe(case: &Value) -> Outcome {
    let algorithm =
        case.pointer("/parameters/algorithm").and_then(Value::as_str).unwrap_or_default();
    let law = if algorithm == "cubic" { "cubic" } else { "reno" };
    let window = need(case, "/in/cwnd_bytes")?;
    // NewReno takes a part of what is in flight, Linux's laws of the window.
    let base = if algorithm == "newreno" { need(case, "/in/bytes_in_flight")? } else { window };
    for (key, kept) in [
        ("ssthresh_without_abe", if law == "cubic" { 0.7 } else { 0.5 }),
        ("ssthresh_with_abe", if law == "cubic" { 0.85 } else { 0.7 }),
    ] {
        let mut t = Trial::new(law, &[("beta_ecn", kept)], base, 1.0)?;
        near(key, t.lose(Loss::EcnMark), need(case, &format!("/expect/{key}"))?, 1e-6)?;
    }
    Ok("beta_ecn as ns-3 sets it: 0.7 for Reno, where RFC 8511 has 0.8".to_owned())
}
