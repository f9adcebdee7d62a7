//! Fixtures of the tests of laws: an acknowledgement, a window, a connection that goes round by round.

use super::interface::{Ack, Law};
use crate::tcp::window::Loss;
use crate::tcp::{TcpConfig, window::Window};
use base::{Span, Time};

/// A segment acknowledged at 0 s, after `rtt_ms` milliseconds, that changes nothing else.
pub fn ack(rtt_ms: f64) -> Ack {
    let rtt = Some(Span::from_secs(rtt_ms / 1000.0)).into();
    Ack { rtt, srtt: rtt, min_rtt: rtt, flight: 10.0, ..Ack::default() }
}

/// A window of `cwnd` segments with a threshold of `ssthresh`.
pub fn window(cwnd: f64, ssthresh: f64) -> Window {
    let mut w = TcpConfig::default().window();
    (w.cwnd, w.ssthresh) = (cwnd, ssthresh);
    w
}

/// A connection with ideal recovery: a loss costs no round.
pub struct Rounds<L> {
    /// The law on trial.
    pub law: L,
    /// Its window.
    pub w: Window,
    /// The end of the last round.
    pub now: Time,
    delivered: f64,
    min_rtt: f64,
}

impl<L: Law> Rounds<L> {
    /// A connection with `cwnd` segments, and a threshold of `ssthresh`.
    pub fn new(law: L, cwnd: f64, ssthresh: f64) -> Rounds<L> {
        let w = window(cwnd, ssthresh);
        Rounds { law, w, now: Time::ZERO, delivered: 0.0, min_rtt: f64::INFINITY }
    }

    /// Plays a round: as many acknowledgements as the window has segments, evenly over `rtt_ms` milliseconds,
    /// each a segment and each a sample. The window at the end.
    pub fn round(&mut self, rtt_ms: f64) -> f64 {
        let n = self.w.cwnd as u64;
        let start = self.now;
        let at_send = self.delivered;
        self.min_rtt = self.min_rtt.min(rtt_ms);
        for i in 1..=n {
            self.now = start + Span::from_secs(rtt_ms / 1000.0 * i as f64 / n as f64);
            self.delivered += 1.0;
            let a = Ack {
                now: self.now,
                min_rtt: Some(Span::from_secs(self.min_rtt / 1000.0)).into(),
                flight: self.w.cwnd,
                inflight: self.w.cwnd - 1.0,
                round_ended: i == n,
                delivered: self.delivered,
                delivered_at_send: at_send,
                delivery_rate: Some(n as f64 / (rtt_ms / 1000.0)).into(),
                ..ack(rtt_ms)
            };
            self.law.on_ack(&mut self.w, &a);
        }
        self.w.cwnd
    }

    /// Plays rounds with these round-trip times, milliseconds: the window after each, to a tenth.
    pub fn play(&mut self, rtts_ms: &[f64]) -> Vec<f64> {
        rtts_ms.iter().map(|&rtt| libm::round(self.round(rtt) * 10.0) / 10.0).collect()
    }

    /// A loss that duplicates told of, with the whole window in flight. The window after it.
    pub fn lose(&mut self) -> f64 {
        let flight = self.w.cwnd;
        self.law.on_loss(&mut self.w, Loss::DupAcks, flight);
        self.w.cwnd
    }
}
