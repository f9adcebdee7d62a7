//! Westwood+ as Linux computes it: whole bytes a millisecond, whole milliseconds (net/ipv4/tcp_westwood.c).
//!
//! | Linux | here |
//! |---|---|
//! | `westwood_update_window`: a sample lasts more than the last round trip and 50 ms | `update` |
//! | `westwood_filter`: 7/8 twice, each rounded down | `update` |
//! | `westwood_acked_count`: a duplicate counts a segment, which later acknowledgements leave out | `count` |
//! | `westwood_fast_bw`: out of gaps all that is acknowledged counts | `on_ack` |
//! | `tcp_westwood_bw_rttmin`; after a timeout the least round trip is sought anew | `content`, `on_timeout` |

use crate::tcp::law::interface::Ack;

/// `TCP_WESTWOOD_RTT_MIN`, ms.
const SHORTEST_SAMPLE: u64 = 50;
/// `TCP_WESTWOOD_INIT_RTT`, ms.
const FIRST_RTT: u64 = 20_000;

/// Linux's estimate. Bytes and milliseconds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Estimate {
    inner: u64,
    outer: u64,
    /// The beginning of the sample.
    since: Option<u64>,
    acked: u64,
    /// Segments counted by duplicates and not yet by acknowledgements.
    accounted: u64,
    rtt: u64,
    rtt_min: u64,
    mss: u64,
}

impl Estimate {
    /// Takes in an acknowledgement.
    pub fn on_ack(&mut self, a: &Ack) {
        self.mss = u64::from(a.mss.max(1));
        if self.rtt == 0 {
            self.rtt = FIRST_RTT;
        }
        self.update(a.now.0 / 1_000_000, a);
        let advance = libm::round(a.covered * self.mss as f64) as u64;
        // The acknowledgement that fills a gap is on the slow path too: its window is less by what waits to be read.
        let slow_path = a.selective || self.accounted > 0;
        self.acked += if slow_path { self.count(advance) } else { advance };
        let known = if self.rtt_min == 0 { self.rtt } else { self.rtt_min };
        self.rtt_min = known.min(self.rtt);
        if let Some(rtt) = a.rtt.get() {
            self.rtt = rtt.0.div_ceil(1_000_000).max(1);
        }
    }

    fn update(&mut self, now: u64, a: &Ack) {
        // The estimate begins with the connection, a round trip before the first acknowledgement.
        let first = now.saturating_sub(a.rtt.get().map_or(0, |rtt| rtt.0 / 1_000_000));
        let delta = now - *self.since.get_or_insert(first);
        if delta <= self.rtt.max(SHORTEST_SAMPLE) {
            return;
        }
        let sample = self.acked / delta;
        if self.inner == 0 && self.outer == 0 {
            (self.inner, self.outer) = (sample, sample);
        } else {
            self.inner = (7 * self.inner + sample) / 8;
            self.outer = (7 * self.outer + self.inner) / 8;
        }
        (self.acked, self.since) = (0, Some(now));
    }

    fn count(&mut self, advance: u64) -> u64 {
        if advance == 0 {
            self.accounted += self.mss;
            return self.mss;
        }
        if advance <= self.mss {
            return advance;
        }
        if self.accounted >= advance {
            self.accounted -= advance;
            return self.mss;
        }
        advance - std::mem::take(&mut self.accounted)
    }

    /// Returns the content of the path, segments.
    pub fn content(&self) -> f64 {
        (self.outer * self.rtt_min / self.mss.max(1)).max(2) as f64
    }

    /// The next sample is the least round trip.
    pub fn on_timeout(&mut self) {
        self.rtt_min = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::{Span, Time};

    fn ack(ms: u64, covered: f64, selective: bool) -> Ack {
        let (now, rtt) = (Time::ZERO + Span::millis(ms), Some(Span(41_300_000)).into());
        Ack { now, rtt, covered, selective, mss: 1448, ..Ack::default() }
    }

    /// 1448 B each 1.2 ms are 1206 B/ms; each of the two filters loses a unit a step. 1205 x 42 / 1448 = 34.9.
    #[test]
    fn the_estimate_is_whole_and_a_little_low() {
        let mut e = Estimate::default();
        for i in 0..2000 {
            e.on_ack(&ack(41 + i * 12 / 10, 1.0, false));
        }
        assert!((1150..1206).contains(&e.outer), "{}", e.outer);
        assert_eq!(e.content(), (e.outer * 42 / 1448) as f64);
    }

    #[test]
    fn what_duplicates_counted_is_left_out_once() {
        let mut e = Estimate { mss: 1000, ..Estimate::default() };
        assert_eq!([e.count(0), e.count(0), e.count(1000)], [1000, 1000, 1000]);
        assert_eq!((e.count(5000), e.accounted), (3000, 0));
    }
}
