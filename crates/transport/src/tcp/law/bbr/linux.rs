//! Additions of Linux's BBR version 1 to the draft (net/ipv4/tcp_bbr.c): acknowledgements that come in
//! bunches, and segments that leave in bunches.
//!
//! | Linux | here |
//! |---|---|
//! | `bbr_update_ack_aggregation`: what is acknowledged beyond the estimated rate, the most of 5 to 10 rounds | `Bunches` |
//! | `bbr_ack_aggregation_cwnd`: the extra window, that of 100 ms at most | `Bunches::budget` |
//! | `bbr_quantization_budget`: three bunches more, an even number, two more while probing | `Bunches::budget` |
//! | `bbr_tso_segs_goal`: a bunch of about 1 ms at the pacing rate, two segments from 1.2 Mbit/s on | `Bunches::size` |
//! | `bbr_pacing_margin_percent`: a hundredth slower | `PACE` |
//! | `bbr_update_min_rtt`: only a shorter round trip renews the least (since 5.11); the handshake's is the first | `probe_rtt.rs` |
//!
//! *Deviations.* Long-term sampling against policers is left out; what pacing holds back counts as in flight.

use super::model::{Delivery, since};
use crate::tcp::law::interface::Ack;
use base::Time;

/// `bbr_pacing_margin_percent`.
const PACE: f64 = 0.99;
/// Rounds that each of the two maxima is of (`bbr_extra_acked_win_rtts`).
const ROUNDS: u32 = 5;
/// An epoch of this many segments begins anew (`bbr_ack_epoch_acked_reset_thresh`).
const LONGEST: f64 = 1_048_576.0;
/// The most that bunches add, s at the estimated rate (`bbr_extra_acked_max_us`).
const MOST: f64 = 0.1;
/// Bits a second from which a bunch is two segments at least (`bbr_min_tso_rate`).
const SINGLE_BELOW: f64 = 1.2e6;
/// A bunch is the pacing rate's part of a second (`sk_pacing_shift`), and no more than 64 kB.
const PART: f64 = 1024.0;
const LARGEST: f64 = 65_215.0;

/// Bursts of segments, and the lead of acknowledgements over the estimated rate.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bunches {
    /// Linux's habits are wanted.
    used: bool,
    /// Segments, the present maximum and the one before.
    most: [f64; 2],
    present: usize,
    rounds: u32,
    /// The beginning of the epoch, and the segments acknowledged in it.
    began: Option<Time>,
    acked: f64,
    /// Of a full segment, bytes.
    mss: f64,
}

impl Bunches {
    /// `used`: as Linux has them; else as the draft has it, a segment at a time.
    pub fn new(used: bool) -> Bunches {
        Bunches { used, ..Bunches::default() }
    }

    /// The part of the rate at which it sends.
    pub fn pace(&self) -> f64 {
        if self.used { PACE } else { 1.0 }
    }

    /// Takes in an acknowledgement, with an estimated rate of `bw` segments/s and a window of `cwnd`.
    pub fn follow(&mut self, a: &Ack, delivery: &Delivery, bw: f64, cwnd: f64) {
        self.mss = f64::from(a.mss.max(1));
        let acked = delivery.newly_delivered;
        if self.used && acked > 0.0 && a.delivery_rate.get().is_some() {
            self.on_ack(a.now, delivery.round_start, (acked, bw, cwnd));
        }
    }

    /// `acked` segments are newly delivered, at an estimated rate of `bw` a second, with a window of `cwnd`.
    fn on_ack(&mut self, now: Time, round_start: bool, (acked, bw, cwnd): (f64, f64, f64)) {
        if round_start {
            self.rounds += 1;
            if self.rounds >= ROUNDS {
                self.rounds = 0;
                self.present = 1 - self.present;
                self.most[self.present] = 0.0;
            }
        }
        let mut expected = self.began.map_or(0.0, |began| libm::floor(since(now, began) * bw));
        if self.acked <= expected || self.acked + acked >= LONGEST {
            (self.acked, self.began, expected) = (0.0, Some(now), 0.0);
        }
        self.acked += acked;
        let extra = (self.acked - expected).min(cwnd);
        self.most[self.present] = self.most[self.present].max(extra);
    }

    fn most(&self) -> f64 {
        self.most[0].max(self.most[1])
    }

    /// Segments that leave together at `rate` a second.
    pub fn size(&self, rate: f64) -> f64 {
        if !self.used {
            return 1.0;
        }
        let bytes = rate * self.mss;
        let least = if bytes * 8.0 < SINGLE_BELOW { 1.0 } else { 2.0 };
        libm::floor((bytes / PART).min(LARGEST) / self.mss.max(1.0)).clamp(least, 127.0)
    }

    /// The window for `bdp` segments: beside them what sender, receiver and the ways of both hold in bunches of `size`.
    /// `bw`: the estimated rate, once it is found; `up`: it is being probed.
    pub fn budget(&self, bdp: f64, bw: Option<f64>, size: f64, up: bool) -> f64 {
        if !self.used || !bdp.is_finite() {
            return bdp + 3.0;
        }
        let ahead = bw.map_or(0.0, |bw| self.most().min(bw * MOST));
        self.quantized(libm::ceil(bdp) + libm::floor(ahead), size, up)
    }

    /// The same without what acknowledgements run ahead: what is to be in flight.
    pub fn quantized(&self, segments: f64, size: f64, up: bool) -> f64 {
        if !self.used || !segments.is_finite() {
            return segments;
        }
        let even = 2.0 * libm::ceil((libm::ceil(segments) + 3.0 * size) / 2.0);
        even + if up { 2.0 } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Span;

    fn at(ms: u64) -> Time {
        Time::ZERO + Span::millis(ms)
    }

    /// 1,000 segments a second: one a millisecond is no bunch, 20 at once every 20 ms are 20 ahead of none.
    #[test]
    fn bunches_are_what_comes_ahead_of_the_rate() {
        let mut even = Bunches::default();
        (0..100).for_each(|ms| even.on_ack(at(ms), ms % 40 == 0, (1.0, 1000.0, 100.0)));
        assert_eq!(even.most(), 1.0);
        let mut bunched = Bunches::default();
        (0..5).for_each(|i| bunched.on_ack(at(20 * i), true, (20.0, 1000.0, 100.0)));
        assert_eq!(bunched.most(), 20.0);
        (0..10).for_each(|i| bunched.on_ack(at(100 + i), true, (1.0, 1000.0, 100.0)));
        assert!(bunched.most() < 20.0, "ten rounds forget");
    }
}
