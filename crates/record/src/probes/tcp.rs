//! The state of TCP senders.

use crate::columns::{Name, columns};
use crate::header::end_of;
use crate::kinds::Kind;
use crate::probe::{Close, Tabulate};
use crate::series::Series;
use base::{Span, Time};
use engine::Watch;
use net::{Direction, Header};
use transport::tcp::{Phase, RateMeter, Snapshot};
use world::{Note, Plan};

columns! {
    /// TCP senders after each change, or at the end of each step in which there was one. Names as in `ss -ti`.
    pub struct TcpTable {
        /// Time, s.
        time_s: f64,
        /// The flow's name.
        flow: Name,
        /// Congestion window, segments, without the inflation of fast recovery.
        snd_cwnd: f64,
        /// Slow-start threshold, segments; null while nothing bounds it.
        ssthresh: Option<f64>,
        /// Smoothed round-trip time, s; null before the first sample.
        srtt_s: Option<f64>,
        /// Smallest round-trip time measured, s; null before the first sample.
        minrtt_s: Option<f64>,
        /// Mean deviation of the round-trip time, s; null before the first sample.
        rttvar_s: Option<f64>,
        /// Retransmission timeout, s, doublings included.
        rto_s: f64,
        /// Oldest number not acknowledged; the SYN is 0, the first byte 1.
        snd_una: u64,
        /// The number that is sent next.
        snd_nxt: u64,
        /// Bytes from `snd_una` to `snd_nxt`.
        flight_bytes: u64,
        /// Bytes in the network as far as the sender knows (RFC 6675's pipe); without SACK the same as `flight_bytes`.
        pipe_bytes: u64,
        /// Bytes SACKed above `snd_una`.
        sacked_bytes: u64,
        /// Last valid sample of the delivery rate (draft-cheng-iccrg-delivery-rate-estimation), bit/s of payload; null
        /// before it. Without SACK, what is acknowledged counts as delivered, and the
        /// repair of a loss gives no sample.
        delivery_rate_bps: Option<f64>,
        /// Pacing rate, bit/s of payload; null where the flow is not paced.
        pacing_rate_bps: Option<f64>,
        /// In fast recovery.
        in_recovery: bool,
        /// "open", "recovery" (fast recovery) or "loss" (all is sent again: after a timeout, with Tahoe after any loss).
        state: &'static str,
        /// The law's own state, such as BBR's; empty where it has only one.
        law_state: &'static str,
        /// Maximum segment size, bytes.
        mss_bytes: u64,
    }
}

/// Follows all senders.
#[derive(Clone, Debug)]
pub struct TcpProbe {
    series: Series<Snapshot>,
    /// By flow.
    rates: Vec<RateMeter>,
}

impl Watch<Note> for TcpProbe {
    fn see(&mut self, now: Time, note: &Note) {
        match *note {
            Note::Sent {
                flow,
                direction: Direction::Forward,
                header: Header::Tcp(segment),
                ..
            } => {
                let end = end_of(&segment);
                if end > segment.seq {
                    self.rates[flow.index()].on_send(now, end);
                }
            }
            Note::Tcp { flow, mut state } => {
                let seen = self.rates[flow.index()].on_ack(now, state.snd_una, state.min_rtt);
                let seen = seen.map(|rate| rate / state.mss as f64);
                state.delivery_rate = state.delivery_rate.or(seen);
                self.series.note(now, flow.0, state);
            }
            _ => {}
        }
    }
}

impl Tabulate for TcpProbe {
    type Table = TcpTable;
    const SEES: &'static [Kind] = &[Kind::Sent, Kind::Tcp];

    fn start(plan: &Plan, step: Option<Span>) -> TcpProbe {
        let flows = plan.flows.len();
        TcpProbe { series: Series::new(flows, step), rates: vec![RateMeter::default(); flows] }
    }

    fn table(self, close: &Close<'_>) -> TcpTable {
        fn column<T>(rows: &[(Time, u32, Snapshot)], of: impl Fn(&Snapshot) -> T) -> Vec<T> {
            rows.iter().map(|row| of(&row.2)).collect()
        }
        let rows = &self.series.finish();
        let bps = |s: &Snapshot, rate: Option<f64>| rate.map(|rate| rate * s.mss as f64 * 8.0);
        TcpTable {
            time_s: rows.iter().map(|row| row.0.as_secs()).collect(),
            flow: rows.iter().map(|row| close.flows[row.1 as usize].clone()).collect(),
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
