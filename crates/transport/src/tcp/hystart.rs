//! Slow start that ends before a loss: HyStart++ (RFC 9406) when the round trip lengthens, and Linux's HyStart (Ha and
//! Rhee, 2011), which also ends it when acknowledgements come in one train for half of the least round trip. That of
//! ns-3 waits for twice the least round trip, or for a train as long as it.

use super::config::SlowStart;
use super::law::Ack;
use super::window::Window;
use base::{Span, Time};

/// N_RTT_SAMPLE (RFC 9406 section 4.3); HYSTART_MIN_SAMPLES in Linux.
const SAMPLES: u32 = 8;
/// MIN_RTT_THRESH and MAX_RTT_THRESH; an eighth of the round trip lies between.
const LEAST: Span = Span::millis(4);
const MOST: Span = Span::millis(16);
/// CSS_GROWTH_DIVISOR.
const DIVISOR: f64 = 4.0;
/// CSS_ROUNDS.
const CAUTIOUS_ROUNDS: u32 = 5;
/// The largest rise that ns-3 waits for (`HyStartDelayMax`); its least is that of Linux.
const MOST_OF_NS3: Span = Span::millis(1000);
/// Linux looks for the rise only from this window on (`hystart_low_window`), segments.
const LINUX_LOW_WINDOW: f64 = 16.0;
/// Acknowledgements as close as this are of one train (`hystart_ack_delta_us`).
const TRAIN: Span = Span::millis(2);
/// The allowance of a train for the bursts of a sender that hands on segments in batches
/// (`hystart_ack_delay`): this many bytes at the rate at which Linux would pace, up to a limit.
const BATCHES: f64 = 4.0 * 65_536.0;
const MOST_FOR_BATCHES: Span = Span::millis(1);
/// That rate, in windows a round trip.
const RATE: f64 = 2.0;

/// The state of the rounds.
#[derive(Clone, Copy, Debug)]
pub(super) struct HyStart {
    kind: SlowStart,
    last_min: Option<Span>,
    min: Option<Span>,
    samples: u32,
    /// Conservative slow start: the round trip at which it began, and the rounds it has lasted.
    cautious: Option<(Span, u32)>,
    /// The train: when the round began, and its last acknowledgement.
    began: Time,
    last: Time,
    /// Segments leave spread out, so that a train is as long as the round trip.
    paced: bool,
}

impl HyStart {
    /// `None` where slow start has no guard.
    pub fn new(kind: SlowStart, paced: bool) -> Option<Box<HyStart>> {
        if kind == SlowStart::Standard {
            return None;
        }
        let (began, last) = (Time::ZERO, Time::ZERO);
        let (min, last_min, samples, cautious) = (None, None, 0, None);
        let rounds = HyStart { kind, last_min, min, samples, cautious, began, last, paced };
        Some(Box::new(rounds))
    }

    /// Before the law grows: may end slow start.
    #[inline]
    pub fn before(&mut self, w: &mut Window, a: &Ack) {
        if !w.in_slow_start() {
            return;
        }
        self.look(w, a);
    }

    fn look(&mut self, w: &mut Window, a: &Ack) {
        if a.round_ended {
            self.on_round(w);
            (self.began, self.last) = (a.now, a.now);
        }
        let Some(rtt) = a.rtt.get() else { return };
        match self.kind {
            SlowStart::HyStart | SlowStart::HyStartNs3 => self.on_linux_sample(rtt, w, a),
            _ => self.on_sample(rtt),
        }
    }

    /// After the law has grown from `before`: conservative slow start keeps a quarter.
    #[inline]
    pub fn after(&self, w: &mut Window, before: f64) {
        if self.cautious.is_some() && w.cwnd > before {
            w.cwnd = before + (w.cwnd - before) / DIVISOR;
        }
    }

    fn on_round(&mut self, w: &mut Window) {
        self.last_min = self.min.or(self.last_min);
        (self.min, self.samples) = (None, 0);
        if let Some((_, rounds)) = &mut self.cautious {
            *rounds += 1;
            if *rounds >= CAUTIOUS_ROUNDS {
                w.ssthresh = w.cwnd;
                self.cautious = None;
            }
        }
    }

    /// RFC 9406 section 4.2.
    fn on_sample(&mut self, rtt: Span) {
        let min = self.min.map_or(rtt, |min| min.min(rtt));
        self.min = Some(min);
        self.samples += 1;
        if self.samples < SAMPLES {
            return;
        }
        match (self.cautious, self.last_min) {
            (None, Some(last)) if min >= last + threshold(last) => self.cautious = Some((min, 0)),
            (Some((baseline, _)), _) if min < baseline => self.cautious = None,
            _ => {}
        }
    }

    /// Linux's `hystart_update` and ns-3's `HystartUpdate`: against the smallest round trip of the connection.
    fn on_linux_sample(&mut self, rtt: Span, w: &mut Window, a: &Ack) {
        let Some(base) = a.min_rtt.get().filter(|_| w.cwnd >= LINUX_LOW_WINDOW) else { return };
        if self.is_long_train(base, w, a) {
            w.ssthresh = w.cwnd;
        }
        let is_ns3 = self.kind == SlowStart::HyStartNs3;
        if self.samples < SAMPLES || !is_ns3 {
            self.min = Some(self.min.map_or(rtt, |min| min.min(rtt)));
        }
        if self.samples < SAMPLES {
            self.samples += 1;
            return;
        }
        let rise = if is_ns3 { base.clamp(LEAST, MOST_OF_NS3) } else { threshold(base) };
        if self.min.is_some_and(|min| min > base + rise) {
            w.ssthresh = w.cwnd;
        }
    }

    /// Acknowledgements have come without a pause for so long that half of them wait in a queue.
    fn is_long_train(&mut self, base: Span, w: &Window, a: &Ack) -> bool {
        if a.now.since(self.last) > TRAIN {
            return false;
        }
        self.last = a.now;
        if self.kind == SlowStart::HyStartNs3 {
            return a.now.since(self.began) > base;
        }
        let rtt = a.srtt.get().unwrap_or(base).as_secs();
        let batches = Span::from_secs(BATCHES * rtt / (RATE * w.cwnd * f64::from(a.mss.max(1))));
        let whole = base + batches.min(MOST_FOR_BATCHES);
        let long = if self.paced { whole } else { Span(whole.0 / 2) };
        a.now.since(self.began) > long
    }
}

fn threshold(rtt: Span) -> Span {
    Span(rtt.0 / 8).clamp(LEAST, MOST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::TcpConfig;

    fn play(rounds: &[u64]) -> (Box<HyStart>, Window) {
        let mut w = TcpConfig::default().window();
        let mut h = HyStart::new(SlowStart::HyStartPlusPlus, false).expect("it has a guard");
        for &ms in rounds {
            for i in 0..10 {
                let rtt = Some(Span::millis(ms)).into();
                h.before(&mut w, &Ack { rtt, round_ended: i == 0, ..Ack::default() });
                let before = w.cwnd;
                if w.in_slow_start() {
                    w.cwnd += 1.0;
                }
                h.after(&mut w, before);
            }
        }
        (h, w)
    }

    /// An eighth of 100 ms is 12.5 ms: 112 ms is no rise, 113 ms is.
    #[test]
    fn a_rise_of_an_eighth_slows_the_growth_and_five_rounds_end_it() {
        assert!(play(&[100, 112]).0.cautious.is_none());
        let (h, w) = play(&[100, 113]);
        assert!(h.cautious.is_some() && w.ssthresh.is_infinite());
        // 10 and 7 whole steps, then quarters.
        assert_eq!(w.cwnd, 10.0 + 17.0 + 0.75);
        let (_, w) = play(&[100, 113, 113, 113, 113, 113, 113]);
        assert!(w.ssthresh.is_finite());
    }

    /// 10 ms apart 20 acknowledgements are no train; 1 ms apart the 22nd ends slow start: (40 + 1)/2 ms have passed.
    #[test]
    fn a_train_of_half_the_round_trip_ends_linuxs_slow_start() {
        for (gap, paced, left) in [(10, false, None), (1, false, Some(21)), (1, true, Some(42))] {
            let mut w = TcpConfig { initial_window: 16, ..TcpConfig::default() }.window();
            let mut h = HyStart::new(SlowStart::HyStart, paced).expect("it has a guard");
            let rtt = Some(Span::millis(40)).into();
            let at = (0..60).find(|&i| {
                let (now, round_ended) = (Time::ZERO + Span::millis(100 + gap * i), i == 0);
                let (min_rtt, srtt) = (rtt, rtt);
                h.before(&mut w, &Ack { now, rtt, min_rtt, srtt, round_ended, ..Ack::default() });
                w.ssthresh.is_finite()
            });
            assert_eq!(at, left, "{gap} ms");
        }
    }

    /// ns-3 waits for a whole round trip of 40 ms without a pause, and for twice the round trip where Linux waits for an
    /// eighth more.
    #[test]
    fn ns3_waits_for_a_whole_round_trip() {
        let end = |kind, gap: u64, rtt: u64| {
            let mut w = TcpConfig { initial_window: 16, ..TcpConfig::default() }.window();
            let mut h = HyStart::new(kind, false).expect("it has a guard");
            (0..60).find(|&i| {
                let (now, round_ended) = (Time::ZERO + Span::millis(100 + gap * i), i == 0);
                let min_rtt = Some(Span::millis(40)).into();
                let rtt = Some(Span::millis(rtt)).into();
                h.before(&mut w, &Ack { now, rtt, min_rtt, round_ended, ..Ack::default() });
                w.ssthresh.is_finite()
            })
        };
        assert_eq!(end(SlowStart::HyStartNs3, 1, 40), Some(41));
        assert_eq!(end(SlowStart::HyStartNs3, 10, 80), None);
        assert_eq!(end(SlowStart::HyStartNs3, 10, 81), Some(8));
        assert_eq!(end(SlowStart::HyStart, 10, 46), Some(8));
    }

    #[test]
    fn a_rise_that_passes_gives_slow_start_back() {
        let (h, w) = play(&[100, 113, 100]);
        assert!(h.cautious.is_none() && w.in_slow_start());
    }
}
