//! Round-trip time and retransmission timeout (RFC 6298).
//!
//! The estimator runs in integers: SRTT times 8 and RTTVAR times 4, in nanoseconds, so that the gains of 1/8 and
//! 1/4 lose next to nothing and the same bits come out on every machine. In ns-2's way the unit is the tick instead.
//! Other gains are multiplied, and what comes out is rounded to the same units.
//! One segment is timed at a time, and never one that was retransmitted (Karn's algorithm, section 3).

use base::{Span, Time, settings};

/// ns-2 (as BSD before it) doubles at most this often. RFC 6298 knows the upper bound only, for which 16 is enough.
const NS2_DOUBLINGS: u32 = 6;
const DOUBLINGS: u32 = 16;

/// The gains of SRTT and RTTVAR, which are shifts of integers, and how many RTTVAR the timeout lies above SRTT (section 2).
const ALPHA: f64 = 0.125;
const BETA: f64 = 0.25;
const K: f64 = 4.0;

/// Shorter timeouts than this, where nothing comes back, make a run crawl through retransmissions.
const SHORTEST: Span = Span::millis(1);

/// Section 5.7: the timeout with which data begin after a SYN was lost.
const AFTER_LOST_SYN: Span = Span::secs(3);

settings! {
    /// Retransmission timeout (RFC 6298).
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct RtoConfig {
        /// The retransmission timeout before the first sample of the round-trip time (RFC 6298 section 2.1).
        initial: Span = Span::secs(1), "rto_initial", SHORTEST..;
        /// The smallest retransmission timeout (RFC 6298 section 2.4).
        min: Span = Span::secs(1), "rto_min";
        /// The largest retransmission timeout (RFC 6298 section 2.5).
        max: Span = Span::secs(60), "rto_max", SHORTEST..;
        /// The least distance of the timeout from the smoothed round-trip time, where 4 RTTVAR is smaller. Linux
        /// has "200 ms" (`tcp_rto_min`); RFC 6298 has none.
        min_spread: Span = Span::ZERO, "rto_min_spread";
        /// The granularity of the clock that times segments (G of RFC 6298).
        granularity: Span = Span::millis(1), "rto_granularity", Span(1)..;
        /// Whether each sample of the round-trip time is rounded to the granularity, to at least one tick (ns-2).
        round_samples: bool = false, "rto_round_samples";
        /// The gain of the smoothed round-trip time (RFC 6298 section 2.3).
        alpha: f64 = ALPHA, "rto_alpha", 0.001..=1.0;
        /// The gain of the variation of the round-trip time (RFC 6298 section 2.3).
        beta: f64 = BETA, "rto_beta", 0.001..=1.0;
        /// The multiple of the variation in the timeout above the smoothed round-trip time (RFC 6298 section
        /// 2.2).
        k: f64 = K, "rto_k", 0.0..=100.0;
        /// Whether the handshake gives a sample of the round-trip time. Linux before 3.1 took none without
        /// timestamps.
        times_handshake: bool = true, "rto_times_handshake";
    }
}

/// The estimator of one connection.
#[derive(Clone, Debug)]
pub struct Rtt {
    config: RtoConfig,
    /// Nanoseconds in the unit of `srtt8` and `var4`.
    unit: u64,
    srtt8: u64,
    var4: u64,
    sampled: bool,
    min: Span,
    max: Span,
    latest: Span,
    /// Before doubling and bounds.
    base: Span,
    doublings: u32,
    rto: Span,
    /// The sequence number that ends the segment being timed, or 0.
    timed_end: u64,
    timed_at: Time,
}

impl Rtt {
    /// No sample yet.
    pub fn new(config: RtoConfig) -> Rtt {
        let unit = if config.round_samples { config.granularity.0.max(1) } else { 1 };
        Rtt {
            config,
            unit,
            srtt8: 0,
            var4: 0,
            sampled: false,
            min: Span(u64::MAX),
            max: Span::ZERO,
            latest: Span::ZERO,
            base: config.initial,
            doublings: 0,
            rto: config.initial.min(config.max),
            timed_end: 0,
            timed_at: Time::ZERO,
        }
    }

    /// The retransmission timeout, with its doublings and bounds.
    pub fn rto(&self) -> Span {
        self.rto
    }

    /// Smoothed round-trip time; `None` before the first sample.
    pub fn srtt(&self) -> Option<Span> {
        self.sampled.then(|| Span(self.srtt8 * self.unit / 8))
    }

    /// Mean deviation; `None` before the first sample.
    pub fn rttvar(&self) -> Option<Span> {
        self.sampled.then(|| Span(self.var4 * self.unit / 4))
    }

    /// The smallest sample; `None` before the first.
    pub fn min_rtt(&self) -> Option<Span> {
        self.sampled.then_some(self.min)
    }

    /// True where the latest sample lies in the lowest `part` of the range of all samples: hardly any queue stands.
    pub fn in_lowest(&self, part: f64) -> bool {
        let above = |sample: Span| sample.0.saturating_sub(self.min.0) as f64;
        self.sampled && above(self.latest) <= part * above(self.max)
    }

    /// A segment that ends before `end` is sent for the first time: it is timed, unless another is.
    pub fn on_send(&mut self, now: Time, end: u64) {
        if self.timed_end == 0 {
            self.timed_end = end;
            self.timed_at = now;
        }
    }

    /// A retransmission: the segment being timed can no longer be distinguished from it.
    pub fn stop_timing(&mut self) {
        self.timed_end = 0;
    }

    /// `ack` arrives; the sample that it gives, where it covers the timed segment.
    pub fn on_ack(&mut self, now: Time, ack: u64) -> Option<Span> {
        if self.timed_end == 0 || ack < self.timed_end {
            return None;
        }
        self.timed_end = 0;
        let sample = now.since(self.timed_at);
        self.sample(sample);
        Some(sample)
    }

    /// Takes a sample, and with it the doublings back (section 5: they stay until a new measurement).
    pub fn sample(&mut self, sample: Span) {
        self.sample_both(sample, sample);
    }

    /// Takes a sample for the smoothed round trip, and another of the same acknowledgement for the least.
    pub fn sample_both(&mut self, sample: Span, least: Span) {
        self.min = self.min.min(least);
        self.max = self.max.max(sample);
        self.latest = sample;
        let r = match self.config.round_samples {
            true => ((sample.0 + self.unit / 2) / self.unit).max(1),
            false => sample.0,
        };
        if self.sampled {
            self.smooth(r);
        } else {
            // (2.2): SRTT = R, RTTVAR = R/2.
            self.srtt8 = 8 * r;
            self.var4 = 2 * r;
            self.sampled = true;
        }
        // (2.3): RTO = SRTT + max(G, 4 RTTVAR), (2.4): not below the minimum.
        let least = self.config.granularity.max(self.config.min_spread);
        let spread = match self.config.k == K {
            true => self.var4 * self.unit,
            false => weighted(self.config.k / K, self.var4 * self.unit),
        };
        let spread = spread.max(least.0);
        let rto = Span(self.srtt8 / 8 * self.unit + spread);
        self.base = rto.max(self.config.min);
        self.doublings = 0;
        self.update();
    }

    /// The timer has expired: twice as long from now on (5.5).
    pub fn back_off(&mut self) {
        let most = if self.config.round_samples { NS2_DOUBLINGS } else { DOUBLINGS };
        self.doublings = (self.doublings + 1).min(most);
        self.update();
    }

    /// A handshake ends whose SYN was sent more than once: 3 s, where less was in use (5.7).
    pub fn after_lost_syn(&mut self) {
        if self.config.initial < AFTER_LOST_SYN {
            self.base = AFTER_LOST_SYN;
            self.doublings = 0;
            self.update();
        }
    }

    /// (2.3), RTTVAR first: it takes the old SRTT.
    fn smooth(&mut self, r: u64) {
        let srtt = self.srtt8 / 8;
        let error = r.abs_diff(srtt);
        let RtoConfig { alpha, beta, .. } = self.config;
        (self.var4, self.srtt8) = if (alpha, beta) == (ALPHA, BETA) {
            (self.var4 - self.var4 / 4 + error, self.srtt8 - srtt + r)
        } else {
            let var4 = weighted(1.0 - beta, self.var4) + weighted(beta, 4 * error);
            (var4, weighted(1.0 - alpha, self.srtt8) + weighted(alpha, 8 * r))
        };
        // As in BSD, neither comes down to zero.
        (self.var4, self.srtt8) = (self.var4.max(1), self.srtt8.max(1));
    }

    fn update(&mut self) {
        let doubled = self.base.0.saturating_mul(1 << self.doublings);
        self.rto = Span(doubled).min(self.config.max);
    }
}

/// `weight` times `of`, to the nearest unit.
fn weighted(weight: f64, of: u64) -> u64 {
    (weight * of as f64 + 0.5) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::TcpConfig;

    fn rfc() -> Rtt {
        Rtt::new(TcpConfig::default().rto)
    }

    /// RFC 6298 section 2, worked by hand.
    #[test]
    fn three_samples_give_the_worked_numbers() {
        let mut rtt = rfc();
        assert_eq!(rtt.rto(), Span::secs(1));
        let worked = [(1000, 1000.0, 500.0), (1200, 1025.0, 425.0), (900, 1009.375, 350.0)];
        for (sample, srtt, var) in worked {
            rtt.sample(Span::millis(sample));
            assert_eq!(rtt.srtt(), Some(Span::from_secs(srtt / 1e3)));
            assert_eq!(rtt.rttvar(), Some(Span::from_secs(var / 1e3)));
        }
        assert_eq!(rtt.rto(), Span::from_secs(2.409_375));
        assert_eq!(rtt.min_rtt(), Some(Span::millis(900)));
    }

    #[test]
    fn a_sample_is_in_the_lowest_part_of_the_range() {
        let mut rtt = rfc();
        assert!(!rtt.in_lowest(0.3), "there is none");
        let taken = [(20, true), (120, false), (50, true), (51, false), (320, false), (110, true)];
        for (sample, is_low) in taken {
            rtt.sample(Span::millis(sample));
            assert_eq!(rtt.in_lowest(0.3), is_low, "{sample}");
        }
    }

    /// ns-3's rtt-test: gains of 0.1, worked by hand.
    #[test]
    fn other_gains_give_their_worked_numbers() {
        let config = RtoConfig { alpha: 0.1, beta: 0.1, k: 2.0, ..RtoConfig::default() };
        let mut rtt = Rtt::new(config);
        for (sample, srtt, var) in
            [(1200, 1200.0, 600.0), (950, 1175.0, 565.0), (1400, 1197.5, 531.0)]
        {
            rtt.sample(Span::millis(sample));
            let near =
                |got: Option<Span>, ms: f64| (got.unwrap().as_secs() * 1e3 - ms).abs() < 2e-6;
            assert!(near(rtt.srtt(), srtt) && near(rtt.rttvar(), var), "{rtt:?}");
        }
        assert!((rtt.rto().as_secs() - (1.1975 + 2.0 * 0.531)).abs() < 1e-8);
    }

    #[test]
    fn the_timeout_keeps_its_bounds() {
        let mut rtt = rfc();
        rtt.sample(Span::millis(1));
        assert_eq!(rtt.rto(), Span::secs(1));
        for _ in 0..30 {
            rtt.back_off();
        }
        assert_eq!(rtt.rto(), Span::secs(60));
    }

    #[test]
    fn doublings_stay_until_a_valid_sample() {
        let mut rtt = rfc();
        rtt.on_send(Time(0), 100);
        rtt.back_off();
        rtt.stop_timing();
        assert_eq!(rtt.on_ack(Time(1), 100), None);
        assert_eq!(rtt.rto(), Span::secs(2));
        rtt.on_send(Time(10), 200);
        assert_eq!(rtt.on_ack(Time(20), 200), Some(Span(10)));
        assert_eq!(rtt.rto(), Span::secs(1));
    }

    #[test]
    fn one_segment_is_timed_at_a_time() {
        let mut rtt = rfc();
        rtt.on_send(Time(0), 100);
        rtt.on_send(Time(5), 200);
        assert_eq!(rtt.on_ack(Time(6), 99), None);
        assert_eq!(rtt.on_ack(Time(7), 200), Some(Span(7)));
        assert_eq!(rtt.on_ack(Time(8), 200), None);
    }

    #[test]
    fn after_a_lost_syn_data_begin_with_three_seconds() {
        let mut rtt = rfc();
        rtt.back_off();
        rtt.after_lost_syn();
        assert_eq!(rtt.rto(), Span::secs(3));
    }

    /// 44 ms are 4 ticks of 10 ms: SRTT 40 ms, RTTVAR 20 ms, RTO 40 + 80 = 120, at least 200 ms.
    #[test]
    fn ns2_counts_in_ticks() {
        let mut rtt = Rtt::new(RtoConfig {
            initial: Span::secs(3),
            min: Span::millis(200),
            granularity: Span::millis(10),
            round_samples: true,
            ..RtoConfig::default()
        });
        assert_eq!(rtt.rto(), Span::secs(3));
        rtt.sample(Span::millis(44));
        assert_eq!(rtt.srtt(), Some(Span::millis(40)));
        assert_eq!(rtt.rto(), Span::millis(200));
        rtt.sample(Span::millis(164));
        // 16 ticks: error 12, var4 = 8 - 2 + 12 = 18; srtt8 = 32 - 4 + 16 = 44, so 5 ticks + 18 ticks.
        assert_eq!(rtt.rto(), Span::millis(230));
    }
}
