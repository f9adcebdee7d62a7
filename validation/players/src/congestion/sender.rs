//! The parts of the sender that are not the law's: inflation in fast recovery, PRR, the estimator of the
//! round trip.

use super::given::mss;
use crate::trial::{Outcome, near, need, number, numbers, span, steps};
use base::{Span, Time};
use net::{Flags, Segment};
use serde_json::Value;
use transport::tcp::law::LawName;
use transport::tcp::{Prr, Recovery, RtoConfig, Rtt, Sender, TcpConfig};

/// Fast recovery of a real sender with twice the threshold in flight: the inflated window is seen by when it sends
/// a new segment again.
pub fn fast_recovery(case: &Value) -> Outcome {
    let mss = mss(case)?;
    let threshold = number(case, "/in/dupack_threshold").unwrap_or(3.0);
    let left = need(case, "/in/ssthresh_bytes_after_loss")?;
    let (enter, dup) = (
        need(case, "/expect/enter/inflated_cwnd")?,
        need(case, "/expect/after_dupack/inflated_cwnd")?,
    );
    near("inflation", enter, left + threshold * mss, 0.0)?;
    near("inflation by a duplicate", dup, enter + mss, 0.0)?;
    let flight = libm::round(2.0 * left / mss);
    steps("segments in flight", flight)?;
    if !(1.0..=flight.max(1.0)).contains(&threshold) {
        return Err(format!("a threshold of {threshold} duplicates with {flight} in flight"));
    }
    let config = TcpConfig {
        mss: mss as u32,
        initial_window: flight as u32,
        receive_window: u64::from(u32::MAX),
        handshake: false,
        dup_thresh: threshold as u32,
        limited_transmit: false,
        ..TcpConfig::standard(Recovery::Reno, LawName::Reno)
    };
    let mut sender = Sender::new(&config);
    let mut out = vec![];
    sender.write(Time::ZERO, u64::MAX, &mut out);
    sender.open(Time::ZERO, &mut out);
    let threshold = threshold as u64;
    for i in 1..threshold {
        let (new, again) = hear(&mut sender, 1, i);
        near(&format!("segments at duplicate {i}"), new + again, 0.0, 0.0)?;
    }
    let (mut sent, again) = hear(&mut sender, 1, threshold);
    near("retransmissions at the threshold", again, 1.0, 0.0)?;
    for further in 1..=flight as u64 {
        sent += hear(&mut sender, 1, threshold + further).0;
        let window = libm::floor(left / mss + (threshold + further) as f64);
        near("new segments", sent, (window - flight).max(0.0), 0.0)?;
    }
    hear(&mut sender, 1 + (flight * mss) as u64, 1000);
    let exit = need(case, "/expect/exit/cwnd")?;
    near("cwnd after it", sender.snapshot().cwnd * mss, exit, 0.0)?;
    Ok("inflation as seen by when new segments go".to_owned())
}

/// An acknowledgement at `ms` milliseconds: how many new segments it sends, and how many again.
fn hear(sender: &mut Sender, ack: u64, ms: u64) -> (f64, f64) {
    let segment = Segment { ack, window: u32::MAX, flags: Flags::ACK, ..Segment::default() };
    let mut out = vec![];
    sender.on_segment(Time::ZERO + Span::millis(ms), &segment, &mut out);
    let again = out.iter().filter(|segment| segment.retransmission).count();
    ((out.len() - again) as f64, again as f64)
}

/// PRR's window after an acknowledgement in recovery.
pub fn prr(case: &Value) -> Outcome {
    let whole = |key: &str| need(case, &format!("/in/{key}")).map(|bytes| bytes as u64);
    let (mss, pipe) = (whole("mss")?, whole("bytes_in_flight")?);
    let mut prr = Prr::new(pipe, whole("ssthresh")?);
    // The duplicate that began the recovery delivered a segment.
    prr.on_ack(mss, pipe, false, mss);
    prr.on_send(whole("sent_in_recovery")?);
    prr.on_ack(whole("acked_delivered")?, pipe, false, mss);
    near("cwnd", (pipe + prr.allowance()) as f64, need(case, "/expect/cwnd")?, 0.0)?;
    Ok(String::new())
}

/// RFC 6298's estimator, with the gains of the case.
pub fn rtt(case: &Value) -> Outcome {
    let standard = RtoConfig::default();
    let gain = |name, otherwise| number(case, &format!("/parameters/{name}")).unwrap_or(otherwise);
    let (alpha, beta) = (gain("alpha", standard.alpha), gain("beta", standard.beta));
    if ![alpha, beta].iter().all(|gain| (0.0..=1.0).contains(gain)) {
        return Err(format!("gains of {alpha} and {beta}; from 0 to 1 are needed"));
    }
    let mut rtt = Rtt::new(RtoConfig { alpha, beta, ..standard });
    let (srtt, rttvar) = (numbers(case, "/expect/srtt_ms"), numbers(case, "/expect/rttvar_ms"));
    for (i, ms) in numbers(case, "/in/samples_ms").iter().enumerate() {
        rtt.sample(span(ms / 1000.0));
        let ms = |of: Option<Span>| of.map_or(0.0, |span| span.as_secs() * 1000.0);
        near("SRTT", ms(rtt.srtt()), srtt.get(i).copied().unwrap_or(0.0), 1e-5)?;
        near("RTTVAR", ms(rtt.rttvar()), rttvar.get(i).copied().unwrap_or(0.0), 1e-5)?;
    }
    Ok(String::new())
}
