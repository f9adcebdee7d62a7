//! CUBIC in the suites of QUIC stacks (`cubic_quic`): bytes there, segments here.

use crate::case::{Case, Error, cases};
use crate::prose::in_units;
use crate::trial::{Outcome, Trial, floor, judged, near, need, number, numbers, steps};
use serde_json::Value;
use transport::tcp::TcpConfig;
use transport::tcp::law::{AnyLaw, Cubic, Loss};

/// Runs a file of CUBIC cases.
///
/// # Errors
/// Where the file has no list of cases.
pub fn run(file: &str, value: &Value) -> Result<Vec<Case>, Error> {
    Ok(cases(file, value)?.iter().map(|case| judged(file, case, one(case))).collect())
}

fn one(case: &Value) -> Outcome {
    let op = case.pointer("/in/op").and_then(Value::as_str).unwrap_or_default();
    match op {
        "multiplicative_decrease" => plateau(case),
        "w_cubic(t)" => cubic_at(case),
        "w_est(t,rtt)" => reno_at(case),
        "two successive losses" => two_losses(case),
        "loss" => loss(case),
        "ack" => ack(case),
        "persistent congestion" => timeout(case),
        "one ack in slow start then loss" => slow_start_loss(case),
        "growth" if number(case, "/in/t_seconds").is_some() => growth_to(case),
        "growth" => growth_by_rounds(case),
        "growth from cwnd=10, no w_max" => reno_phase(case),
        "ECN-CE" => mark(case),
        _ => Err(format!("an unknown operation: {op}")),
    }
}

/// C and beta of the case, and these.
fn options<'a>(case: &Value, more: &[(&'a str, f64)]) -> Vec<(&'a str, f64)> {
    let mut options = vec![
        ("c", number(case, "/in/C").unwrap_or(0.4)),
        ("beta", number(case, "/in/beta").unwrap_or(0.7)),
    ];
    options.extend(more);
    options
}

fn trial(case: &Value, cwnd: f64, more: &[(&str, f64)]) -> Result<Trial, String> {
    Trial::new("cubic", &options(case, more), cwnd, 1.0)
}

fn law(trial: &mut Trial) -> Result<&mut Cubic, String> {
    match &mut trial.law {
        AnyLaw::Cubic(cubic) => Ok(cubic),
        _ => Err("not CUBIC".to_owned()),
    }
}

fn mss(case: &Value) -> f64 {
    number(case, "/in/mss").unwrap_or(1200.0)
}

/// cwnd after a loss begins an epoch: K to the plateau.
fn plateau(case: &Value) -> Outcome {
    let tol = number(case, "/expect/tol").unwrap_or(0.001);
    let mut t = trial(case, need(case, "/in/cwnd_bytes")? / mss(case), &[])?;
    t.lose(Loss::DupAcks);
    t.ack(0.0, 0.1);
    let cubic = law(&mut t)?;
    near("w_max", cubic.w_max, need(case, "/expect/w_max_segments")?, tol)?;
    near("K", cubic.k, need(case, "/expect/K_seconds")?, tol)?;
    Ok(String::new())
}

/// At `t` seconds, a round trip of nothing: the window that many acknowledgements lead to.
fn settled(case: &Value, w_max: f64, cwnd: f64, more: &[(&str, f64)]) -> Result<f64, String> {
    let mut t = trial(case, cwnd, more)?;
    law(&mut t)?.w_max = w_max;
    t.ack(0.0, 0.0);
    t.now = need(case, "/in/t_seconds")?;
    for _ in 0..200_000 {
        t.ack(1.0, 0.0);
    }
    Ok(t.w.cwnd)
}

fn cubic_at(case: &Value) -> Outcome {
    let w_max = need(case, "/in/w_max_segments")?;
    // The window in which the epoch with this K began.
    let (k, c) = (need(case, "/in/K_seconds")?, number(case, "/in/C").unwrap_or(0.4));
    let began = w_max - c * k * k * k;
    let got = settled(case, w_max, began, &[("reno_friendly", 0.0)])?;
    let tol = number(case, "/expect/tol").unwrap_or(0.001);
    near("W(t)", got, need(case, "/expect/w_segments")?, tol)?;
    Ok(String::new())
}

fn growth_to(case: &Value) -> Outcome {
    let (w_max, cwnd) = (need(case, "/in/w_max_segments")?, need(case, "/in/cwnd_start_segments")?);
    let got = settled(case, w_max, cwnd, &[("reno_friendly", 0.0)])?;
    let want = need(case, "/expect/cwnd_segments")?;
    let tol = want * number(case, "/expect/rel_tol").unwrap_or(0.01);
    near("cwnd", got, want, tol)?;
    Ok("by the cubic alone: the round trip of no time has no Reno to be friendly to".to_owned())
}

/// RFC 8312's closed form of the window that Reno would have.
fn reno_at(case: &Value) -> Outcome {
    let w_max = need(case, "/in/w_max_segments")?;
    let mut t = trial(case, 0.7 * w_max, &[("reno_friendly", 2.0)])?;
    law(&mut t)?.w_max = w_max;
    let rtt = need(case, "/in/rtt_seconds")?;
    t.ack(0.0, rtt);
    t.now = need(case, "/in/t_seconds")?;
    t.ack(1.0, rtt);
    let tol = number(case, "/expect/tol").unwrap_or(0.001);
    near("W_est", law(&mut t)?.w_est, need(case, "/expect/w_segments")?, tol)?;
    Ok("with reno_friendly = \"by-time\"; RFC 9438's default counts by acknowledgements".to_owned())
}

fn two_losses(case: &Value) -> Outcome {
    let mss = mss(case);
    let mut t = trial(case, 1.0, &[])?;
    law(&mut t)?.w_max = number(case, "/in/w_max_before_bytes").unwrap_or(0.0) / mss;
    let (after, w_max) =
        (numbers(case, "/expect/cwnd_after_bytes"), numbers(case, "/expect/w_max_bytes"));
    for (i, bytes) in numbers(case, "/in/cwnd_at_loss_bytes").iter().enumerate() {
        t.w.cwnd = bytes / mss;
        t.lose(Loss::DupAcks);
        near("cwnd", t.w.cwnd * mss, after.get(i).copied().unwrap_or(0.0), 1.0)?;
        near("w_max", law(&mut t)?.w_max * mss, w_max.get(i).copied().unwrap_or(0.0), 1.0)?;
    }
    Ok(String::new())
}

fn loss(case: &Value) -> Outcome {
    let unit = if number(case, "/in/cwnd_segments").is_some() { 1.0 } else { mss(case) };
    let either = |a: &str, b: &str| number(case, a).or(number(case, b));
    let cwnd = either("/in/cwnd_bytes", "/in/cwnd_segments").ok_or("no window")?;
    let mut t = trial(case, cwnd / unit, &[])?;
    let before = either("/in/w_last_max_bytes", "/in/w_max_segments_before").unwrap_or(0.0);
    law(&mut t)?.w_max = before / unit;
    let ssthresh = t.lose(Loss::DupAcks);
    if let Some(want) = either("/expect/cwnd_bytes", "/expect/cwnd_segments") {
        near("cwnd", t.w.cwnd * unit, want, 1.0)?;
    }
    if let Some(want) = number(case, "/expect/ssthresh_bytes") {
        near("ssthresh", ssthresh * unit, want, 1.0)?;
    }
    if let Some(want) = either("/expect/w_max_bytes", "/expect/w_max_segments") {
        near("w_max", law(&mut t)?.w_max * unit, want, unit.min(1.0))?;
    }
    Ok(String::new())
}

fn ack(case: &Value) -> Outcome {
    let mss = mss(case);
    let cwnd = need(case, "/in/cwnd_bytes")? / mss;
    let in_reno = case.pointer("/expect/region") == Some(&Value::from("reno_friendly"));
    let mut t = trial(case, cwnd, &[("reno_friendly", 2.0)])?;
    let w_max = number(case, "/in/w_max_segments");
    let w_max = w_max.or(number(case, "/in/w_max_bytes").map(|bytes| bytes / mss)).unwrap_or(cwnd);
    let (now, rtt) = (need(case, "/in/t_seconds")?, need(case, "/in/rtt_seconds")?);
    // The epoch began where the cubic with this plateau and K does.
    let began = number(case, "/in/K_seconds").map_or(w_max, |k| w_max - 0.4 * k * k * k);
    t.w.cwnd = began.max(0.1);
    law(&mut t)?.w_max = w_max;
    t.ack(0.0, rtt);
    (t.w.cwnd, t.now) = (cwnd, now);
    // In the two regions the stack adds as much for any acknowledgement; at its limit, by bytes.
    let part = need(case, "/in/acked_bytes")? / mss;
    let whole = number(case, "/expect/tol").is_some();
    t.ack(if whole { 1.0 } else { part }, rtt);
    let (got, unit) = match number(case, "/expect/cwnd_segments") {
        Some(_) => (t.w.cwnd, 1.0),
        None => (t.w.cwnd * mss, mss),
    };
    let got = got.min(number(case, "/in/max_cwnd_bytes").unwrap_or(f64::INFINITY));
    let want = number(case, "/expect/cwnd_segments").or(number(case, "/expect/cwnd_bytes"));
    let tol = number(case, "/expect/tol").unwrap_or(if unit == 1.0 { 0.001 } else { 1.0 });
    near("cwnd", got, want.ok_or("no window expected")?, tol)?;
    Ok(match (in_reno, whole && part < 1.0) {
        (true, _) => "with reno_friendly = \"by-time\" (RFC 8312)".to_owned(),
        (_, true) => "one segment for the acknowledgement, as that stack counts".to_owned(),
        _ => String::new(),
    })
}

fn timeout(case: &Value) -> Outcome {
    let mut t = trial(case, 100.0, &[])?;
    let left = smallest(case)?;
    t.w = TcpConfig { loss_window: left as u32, ..TcpConfig::default() }.window();
    t.w.cwnd = 100.0;
    law(&mut t)?.w_max = 100.0;
    t.lose(Loss::Timeout);
    let slow_start = t.w.in_slow_start();
    let cubic = law(&mut t)?;
    near("w_max", cubic.w_max, number(case, "/expect/w_max").unwrap_or(0.0), 0.0)?;
    near("K", cubic.k, number(case, "/expect/K_seconds").unwrap_or(0.0), 0.0)?;
    if !slow_start {
        return Err("not in slow start".to_owned());
    }
    near("cwnd", t.w.cwnd, left, 0.0)?;
    Ok(format!(
        "loss_window = {left}: QUIC's minimum (RFC 9002), where TCP's timeout leaves one segment"
    ))
}

/// The segments that a timeout leaves: a number, or that of a sentence such as "minimum window (2 MSS)".
fn smallest(case: &Value) -> Result<f64, String> {
    let want = case.pointer("/expect/cwnd").ok_or("no window expected")?;
    let said = want.as_str().map(|text| in_units(text, &[("MSS", 1.0), ("segments", 1.0)]));
    let number = want.as_f64().or_else(|| said?.first().copied());
    number.filter(|&n| n >= 1.0).ok_or_else(|| format!("an unknown window {want}"))
}

fn slow_start_loss(case: &Value) -> Outcome {
    let mut t = trial(case, need(case, "/in/cwnd_segments")?, &[])?;
    t.w.ssthresh = f64::INFINITY;
    t.ack(1.0, 0.1);
    t.lose(Loss::DupAcks);
    near("cwnd", t.w.cwnd, need(case, "/expect/cwnd_segments")?, 0.001)?;
    near("w_max", law(&mut t)?.w_max, need(case, "/expect/w_max_segments")?, 0.001)?;
    Ok(String::new())
}

/// Rounds of a window each until K is over.
fn growth_by_rounds(case: &Value) -> Outcome {
    let rtt = need(case, "/in/rtt_seconds")?;
    let mut t = trial(case, need(case, "/in/cwnd_segments")?, &[])?;
    law(&mut t)?.w_max = need(case, "/in/w_max_segments")?;
    t.ack(0.0, rtt);
    let k = need(case, "/expect/K_seconds")?;
    near("K", law(&mut t)?.k, k, 0.001)?;
    for _ in 0..steps("rounds", libm::round(k / rtt))? {
        let n = floor(t.w.cwnd);
        for _ in 0..steps("acknowledgements", n)? {
            t.now += rtt / n;
            t.ack(1.0, rtt);
        }
    }
    let tol = number(case, "/expect/per_round_tolerance_segments").unwrap_or(1.0);
    near("cwnd at K", t.w.cwnd, need(case, "/expect/cwnd_segments_at_K")?, tol)?;
    Ok(String::new())
}

/// From the plateau Reno is faster, until the cubic overtakes it after sqrt(alpha^3/(C RTT^3)) segments.
fn reno_phase(case: &Value) -> Outcome {
    let (rtt, c) = (0.1, number(case, "/in/C").unwrap_or(0.4));
    let alpha = need(case, "/in/alpha")?;
    let mut t = trial(case, 10.0, &[])?;
    let handover = libm::floor(libm::sqrt(alpha * alpha * alpha / (c * rtt * rtt * rtt)));
    let mut risen = 0.0;
    for _ in 0..steps("segments until the cubic takes over", handover)? {
        let from = t.w.cwnd;
        let mut acks = 0.0;
        while t.w.cwnd < 10.0 + risen + 1.0 {
            t.now += rtt / t.w.cwnd;
            t.ack(1.0, rtt);
            acks += 1.0;
        }
        risen += 1.0;
        // Within a window's growth: QUIC's window stands still between two steps.
        near(&format!("acknowledgements of step {risen}"), acks, libm::round(from / alpha), 2.0)?;
    }
    let before = t.w.cwnd;
    for _ in 0..steps("acknowledgements", floor(3.0 * before))? {
        t.now += rtt / before;
        t.ack(1.0, rtt);
    }
    if t.w.cwnd - before <= 3.0 * alpha * 1.02 {
        return Err(format!("the cubic does not take over after {handover} segments"));
    }
    Ok("within 2 acknowledgements: the stack's window stands still between two steps".to_owned())
}

fn mark(case: &Value) -> Outcome {
    let mut t = trial(case, 100.0, &[("beta_ecn", need(case, "/in/beta_ecn")?)])?;
    t.lose(Loss::EcnMark);
    near("factor", t.w.cwnd / 100.0, need(case, "/expect/factor")?, 1e-9)?;
    Ok(String::new())
}
