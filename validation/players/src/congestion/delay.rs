//! Laws that look at delay: Vegas, Veno, Illinois, YeAH, LEDBAT.

use super::given::{bytes, cwnd, mss, parameter, remark, ssthresh};
use crate::trial::{Outcome, Trial, floor, near, need, number, numbers, steps};
use serde_json::Value;
use transport::tcp::law::{AnyLaw, Loss};
use transport::tcp::variants::LINUX_VEGAS;

/// Milliseconds of the case, in seconds.
fn seconds(case: &Value, key: &str) -> Result<f64, String> {
    Ok(need(case, &format!("/in/{key}"))? / 1000.0)
}

fn acked(case: &Value) -> f64 {
    number(case, "/in/acked_segments").unwrap_or(1.0)
}

/// As many segments as ns-3 counts for an acknowledgement: one in slow start, else all.
fn limit(case: &Value) -> Result<f64, String> {
    Ok(if cwnd(case)? < ssthresh(case)? { 1.0 } else { f64::INFINITY })
}

fn trial(case: &Value, law: &str, options: &[(&str, f64)]) -> Result<Trial, String> {
    let mut t = Trial::new(law, options, cwnd(case)?, limit(case)?)?;
    t.w.ssthresh = ssthresh(case)?;
    Ok(t)
}

/// A baseline, the round's samples, its end.
pub fn vegas(case: &Value) -> Outcome {
    let mut options = LINUX_VEGAS.to_vec();
    options.retain(|(name, _)| !["alpha", "beta", "gamma"].contains(name));
    for (name, value) in [("alpha", 2.0), ("beta", 4.0), ("gamma", 1.0)] {
        options.push((name, parameter(case, name, value)));
    }
    let mut t = trial(case, "vegas", &options)?;
    t.sample(seconds(case, "base_rtt_ms")?, true);
    let samples = numbers(case, "/in/rtt_samples_ms");
    let (last, first) = samples.split_last().ok_or("no samples")?;
    first.iter().for_each(|ms| t.sample(ms / 1000.0, false));
    t.end_round(acked(case), last / 1000.0);
    let (mss, mut off) = (mss(case)?, false);
    bytes(case, "cwnd_bytes", floor(t.w.cwnd) * mss, &mut off)?;
    bytes(case, "ssthresh_bytes", floor(t.w.ssthresh * mss), &mut off)?;
    if let (AnyLaw::Vegas(law), Some(want)) = (&t.law, number(case, "/expect/backlog_packets")) {
        near("backlog", law.backlog, want, 1.0)?;
    }
    remark(off)
}

/// Rounds of an acknowledgement each, and a loss after the first.
pub fn veno(case: &Value) -> Outcome {
    // ns-3 starts to count its samples again at each increase; in these tests three rounds are Reno's.
    let options = [
        ("beta", parameter(case, "beta", 3.0)),
        ("random_loss", parameter(case, "non_congestive_factor", 0.8)),
        ("warm_up", 4.0),
    ];
    let mut t = trial(case, "veno", &options)?;
    t.sample(seconds(case, "base_rtt_ms")?, true);
    let (rtt, mss, mut off) = (seconds(case, "rtt_ms")?, mss(case)?, false);
    let acked = number(case, "/in/acked_segments_per_round").unwrap_or(1.0);
    let wanted = numbers(case, "/expect/cwnd_bytes_after_each_round");
    for (round, want) in wanted.iter().enumerate() {
        t.end_round(acked, rtt);
        near(&format!("round {}", round + 1), floor(t.w.cwnd * mss), *want, round as f64 + 1.0)?;
        if round == 0 {
            let lost = t.clone().lose(Loss::DupAcks) * mss;
            bytes(case, "ssthresh_bytes_on_loss_after_round_1", floor(lost), &mut off)?;
        }
    }
    if let (AnyLaw::Veno(law), Some(want)) = (&t.law, number(case, "/expect/backlog_packets")) {
        near("backlog", law.backlog, want, 1.0)?;
    }
    Ok("warm_up 4: ns-3 counts its samples anew at each increase".to_owned())
}

/// A round with one sample of the baseline and the others of the greatest delay.
pub fn illinois(case: &Value) -> Outcome {
    let options: Vec<_> = [
        ("alpha_min", "alpha_min", 0.3),
        ("alpha_max", "alpha_max", 10.0),
        ("beta_min", "beta_min", 0.125),
        ("beta_max", "beta_max", 0.5),
        ("low_window", "win_thresh", 15.0),
        ("theta", "theta", 5.0),
    ]
    .map(|(ours, theirs, value)| (ours, parameter(case, theirs, value)))
    .to_vec();
    let mut t = trial(case, "illinois", &options)?;
    let (base, max) = (need(case, "/in/base_rtt_ms")?, need(case, "/in/max_rtt_ms")?);
    let n = number(case, "/in/rtt_samples_in_round").unwrap_or(2.0);
    // ns-3 takes the mean in whole milliseconds: a last sample brings ours there.
    let mean = libm::floor((base + (n - 1.0) * max) / n);
    let last = (n + 1.0) * mean - base - (n - 1.0) * max;
    t.sample(base / 1000.0, false);
    for _ in 1..steps("samples", n)? {
        t.sample(max / 1000.0, false);
    }
    t.end_round(acked(case), last / 1000.0);
    if let AnyLaw::Illinois(law) = &t.law {
        near("alpha", law.alpha, number(case, "/expect/alpha").unwrap_or(law.alpha), 1e-6)?;
        near("beta", law.beta, number(case, "/expect/beta").unwrap_or(law.beta), 1e-6)?;
    }
    let (mss, mut off) = (mss(case)?, false);
    t.w.cwnd = floor(t.w.cwnd);
    bytes(case, "cwnd_bytes", t.w.cwnd * mss, &mut off)?;
    bytes(case, "ssthresh_bytes_on_loss", floor(t.lose(Loss::DupAcks)) * mss, &mut off)?;
    remark(off)
}

/// An acknowledgement in a round with this least delay, or a loss after it.
pub fn yeah(case: &Value) -> Outcome {
    let mut options: Vec<_> = ["alpha", "gamma", "delta", "epsilon", "rho", "zeta"]
        .iter()
        .filter_map(|name| Some((*name, number(case, &format!("/parameters/{name}"))?)))
        .collect();
    options.push(("phi", parameter(case, "phy", 8.0)));
    options.push(("ai", 1.0 / parameter(case, "stcp_ai", 100.0)));
    let mut t = trial(case, "yeah", &options)?;
    t.sample(seconds(case, "base_rtt_ms")?, true);
    let (rtt, mss, mut off) = (seconds(case, "min_rtt_ms")?, mss(case)?, false);
    for _ in 0..3 {
        t.sample(rtt, false);
    }
    if case.pointer("/in/event").is_some() {
        let cwnd = t.w.cwnd;
        t.end_round(0.0, rtt);
        t.w.cwnd = cwnd;
        let left = floor(t.lose(Loss::DupAcks));
        bytes(case, "ssthresh_bytes", left * mss, &mut off)?;
        return remark(off);
    }
    let ended = case.pointer("/in/end_of_round").and_then(Value::as_bool) == Some(true);
    if ended {
        t.end_round(acked(case), rtt)
    } else {
        t.ack(acked(case), rtt)
    }
    bytes(case, "cwnd_bytes", floor(t.w.cwnd) * mss, &mut off)?;
    remark(off)
}

/// One acknowledgement with this delay; one-way delays replace round trips.
pub fn ledbat(case: &Value) -> Outcome {
    let options = [
        ("target", parameter(case, "target_ms", 100.0) / 1000.0),
        ("gain", parameter(case, "gain", 1.0)),
        ("allowed_increase", parameter(case, "allowed_increase", 1.0)),
        ("min_cwnd", parameter(case, "min_cwnd_segments", 2.0)),
        ("noise_filter", parameter(case, "noise_filter", 1.0)),
    ];
    let mut t = trial(case, "ledbat", &options)?;
    t.sample(seconds(case, "base_one_way_delay_ms")?, false);
    let mss = mss(case)?;
    t.told.flight = need(case, "/in/bytes_in_flight_after_ack")? / mss + acked(case);
    t.ack(acked(case), seconds(case, "current_one_way_delay_ms")?);
    let mut off = false;
    bytes(case, "cwnd_bytes", floor(t.w.cwnd * mss), &mut off)?;
    remark(off)
}

/// Acknowledgements with these delays, one after another within the inference phase.
pub fn lp(case: &Value) -> Outcome {
    let mut t = trial(case, "lp", &[])?;
    let delays = numbers(case, "/in/one_way_delay_ms_sequence");
    for delay in &delays {
        t.now += 0.001;
        t.ack(0.0, delay / 1000.0);
    }
    let mut off = false;
    bytes(case, "cwnd_bytes", floor(t.w.cwnd) * mss(case)?, &mut off)?;
    remark(off)
}
