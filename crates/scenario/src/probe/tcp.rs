//! The state of TCP senders.

use base::{Span, Time};
use schemars::JsonSchema;
use serde::Serialize;
use transport::tcp::{Phase, Snapshot};

/// TCP senders after each change, or at the end of each step in which there was one. Names as in `ss -ti`.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct TcpTable {
    /// When, s.
    pub time_s: Vec<f64>,
    /// The flow's name.
    pub flow: Vec<String>,
    /// Congestion window, segments, without the inflation of fast recovery.
    pub snd_cwnd: Vec<f64>,
    /// Slow-start threshold, segments; null while nothing bounds it.
    pub ssthresh: Vec<Option<f64>>,
    /// Smoothed round-trip time, s; null before the first sample.
    pub srtt_s: Vec<Option<f64>>,
    /// Smallest round-trip time measured, s; null before the first sample.
    pub minrtt_s: Vec<Option<f64>>,
    /// Mean deviation of the round-trip time, s; null before the first sample.
    pub rttvar_s: Vec<Option<f64>>,
    /// Retransmission timeout, s, doublings included.
    pub rto_s: Vec<f64>,
    /// Oldest number not acknowledged; the SYN is 0, the first byte 1.
    pub snd_una: Vec<u64>,
    /// The number that is sent next.
    pub snd_nxt: Vec<u64>,
    /// Bytes from `snd_una` to `snd_nxt`.
    pub flight_bytes: Vec<u64>,
    /// Bytes in the network as far as the sender knows (RFC 6675's pipe); without SACK the same as `flight_bytes`.
    pub pipe_bytes: Vec<u64>,
    /// Bytes SACKed above `snd_una`.
    pub sacked_bytes: Vec<u64>,
    /// Last valid sample of the delivery rate (draft-cheng-iccrg-delivery-rate-estimation), bit/s of payload; null
    /// before it. Without SACK, what is acknowledged counts as delivered, and the
    /// repair of a loss gives no sample.
    pub delivery_rate_bps: Vec<Option<f64>>,
    /// Pacing rate, bit/s of payload; null where the flow is not paced.
    pub pacing_rate_bps: Vec<Option<f64>>,
    /// In fast recovery.
    pub in_recovery: Vec<bool>,
    /// "open", "recovery" (fast recovery) or "loss" (all is sent again: after a timeout, with Tahoe after any loss).
    pub state: Vec<&'static str>,
    /// The law's own state, such as BBR's; empty where it has only one.
    pub law_state: Vec<&'static str>,
    /// Maximum segment size, bytes.
    pub mss_bytes: Vec<u64>,
}

impl TcpTable {
    pub(super) fn new(rows: &[(Time, u32, Snapshot)], flows: &[String]) -> TcpTable {
        fn column<T>(rows: &[(Time, u32, Snapshot)], of: impl Fn(&Snapshot) -> T) -> Vec<T> {
            rows.iter().map(|row| of(&row.2)).collect()
        }
        let bps = |s: &Snapshot, rate: Option<f64>| rate.map(|rate| rate * s.mss as f64 * 8.0);
        TcpTable {
            time_s: rows.iter().map(|row| row.0.as_secs()).collect(),
            flow: rows.iter().map(|row| flows[row.1 as usize].clone()).collect(),
            snd_cwnd: column(rows, |s| s.cwnd),
            ssthresh: column(rows, |s| Some(s.ssthresh).filter(|s| s.is_finite())),
            srtt_s: column(rows, |s| s.srtt.map(Span::as_secs)),
            minrtt_s: column(rows, |s| s.min_rtt.map(Span::as_secs)),
            rttvar_s: column(rows, |s| s.rttvar.map(Span::as_secs)),
            rto_s: column(rows, |s| s.rto.as_secs()),
            snd_una: column(rows, |s| s.snd_una),
            snd_nxt: column(rows, |s| s.snd_nxt),
            flight_bytes: column(rows, |s| s.flight),
            pipe_bytes: column(rows, |s| s.pipe),
            sacked_bytes: column(rows, |s| s.sacked),
            delivery_rate_bps: column(rows, |s| bps(s, s.delivery_rate)),
            pacing_rate_bps: column(rows, |s| bps(s, s.pacing_rate)),
            in_recovery: column(rows, |s| s.in_recovery),
            state: column(rows, |s| match s.phase {
                Phase::Open => "open",
                Phase::Recovery => "recovery",
                Phase::Loss => "loss",
            }),
            law_state: column(rows, |s| s.law_state),
            mss_bytes: column(rows, |s| s.mss),
        }
    }
}
