//! Bursts of datagrams at a constant rate, and idle times between them: exponential or heavy-tailed.

use crate::cbr::Cbr;
use crate::times::Times;
use base::{Rate, Rng, Span, Time, named, settings};

named! {
    /// Rule for the datagrams of a burst.
    pub enum BurstRule, "rule for bursts" {
        Time = "time": "a datagram is sent when its bits are complete; the rest of a burst waits for the next, so that the mean rate is exact",
            ///
            /// Each an interval after the one before or after the end of the idle time (`tools/expoo.cc` and `tools/pareto.cc`).
        Packets = "packets": "a burst has as many datagrams as fit, rounded to a whole number, and at least one (ns-2)",
    }
}

named! {
    /// State in which a source starts.
    pub enum Begins, "way to begin" {
            ///
            /// In a burst with the probability that bursts have, and then some way into it.
        Stationary = "stationary": "in its stationary state, as if it had always run",
        Burst = "burst": "with a burst",
        Idle = "idle": "with an idle time (ns-2)",
    }
}

settings! {
    /// Habits of an on/off source.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct OnOffRules {
        /// How a burst of random length becomes whole datagrams.
        bursts: BurstRule = BurstRule::Time, "bursts";
        /// The state in which the source begins.
        begins: Begins = Begins::Stationary, "begins";
    }
}

settings! {
    /// Habits of a caller.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct VoiceRules {
        /// How a talk spurt of random length becomes whole datagrams.
        bursts: BurstRule = BurstRule::Packets, "bursts";
        /// The state in which the call begins.
        begins: Begins = Begins::Stationary, "begins";
    }
}

settings! {
    /// Habits of a transfer that has data now and then.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct OnTimesRules {
        /// The state in which the transfer begins.
        begins: Begins = Begins::Stationary, "begins";
    }
}

/// An on/off source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OnOffConfig {
    /// Payload of a datagram, bytes.
    pub payload: u32,
    /// Bits per second of payload in a burst.
    pub rate: Rate,
    /// Durations of bursts; more than zero.
    pub burst: Times,
    /// Durations of the times between them.
    pub idle: Times,
    /// Rule for the datagrams of a burst.
    pub rule: BurstRule,
    /// State in which it starts.
    pub begins: Begins,
}

/// An on/off source at work.
#[derive(Clone, Debug)]
pub struct OnOff {
    config: OnOffConfig,
    /// The times within a burst.
    pace: Cbr,
    rng: Rng,
    begun: bool,
    /// Left of the burst after the next datagram.
    left: Span,
    /// The same in datagrams, for [`BurstRule::Packets`].
    packets: u64,
}

impl OnOff {
    /// From its plan and its stream.
    pub fn new(config: OnOffConfig, rng: Rng) -> OnOff {
        let pace = Cbr::new(config.payload, config.rate);
        OnOff { config, pace, rng, begun: false, left: Span::ZERO, packets: 0 }
    }

    /// Payload to send at `now`, bytes, and when it acts next.
    pub fn act(&mut self, now: Time) -> (u32, Time) {
        let payload = if self.begun { self.config.payload } else { 0 };
        let from = if self.begun { now } else { self.begin(now) };
        self.begun = true;
        let next = match self.config.rule {
            BurstRule::Time => self.after_time(from),
            BurstRule::Packets => self.after_packets(from),
        };
        (payload, next)
    }

    /// From when on the first burst is counted; draws what is left of it.
    fn begin(&mut self, now: Time) -> Time {
        let OnOffConfig { burst, idle, begins, .. } = self.config;
        let share = burst.mean.as_secs() / (burst.mean + idle.mean).as_secs();
        let in_burst = match begins {
            Begins::Stationary => self.rng.chance(share),
            Begins::Burst => true,
            Begins::Idle => false,
        };
        let (times, stationary) =
            (if in_burst { burst } else { idle }, begins == Begins::Stationary);
        let rest =
            if stationary { times.residual(&mut self.rng) } else { times.draw(&mut self.rng) };
        let length = if in_burst { rest } else { burst.draw(&mut self.rng) };
        self.take_burst(length);
        if in_burst { now } else { now + rest }
    }

    fn take_burst(&mut self, length: Span) {
        self.left = length;
        let interval = f64::from(self.config.payload) * 8.0 / self.config.rate.0 as f64;
        self.packets = ((length.as_secs() / interval + 0.5) as u64).max(1);
    }

    /// Goes through bursts until the bits of a datagram are there.
    fn after_time(&mut self, from: Time) -> Time {
        let (mut at, mut need) = (from, self.pace.step());
        while need > self.left {
            need = need - self.left;
            at = at + self.left + self.config.idle.draw(&mut self.rng);
            self.left = self.config.burst.draw(&mut self.rng);
        }
        self.left = self.left - need;
        at + need
    }

    fn after_packets(&mut self, from: Time) -> Time {
        let mut at = from;
        if self.packets == 0 {
            at += self.config.idle.draw(&mut self.rng);
            let length = self.config.burst.draw(&mut self.rng);
            self.take_burst(length);
        }
        self.packets -= 1;
        at + self.pace.step()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::times::Law;
    use base::{Purpose, Seed};

    const EXPONENTIAL: OnOffConfig = OnOffConfig {
        payload: 80,
        rate: Rate(32_000),
        burst: Times { law: Law::Exponential, mean: Span::secs(1) },
        idle: Times { law: Law::Exponential, mean: Span::millis(1350) },
        rule: BurstRule::Time,
        begins: Begins::Stationary,
    };

    /// Times at which datagrams are sent, up to `end`.
    fn sends(config: OnOffConfig, replication: u64, end: Span) -> Vec<f64> {
        let rng = Seed { seed: 1, replication }.stream(Purpose::App, 0);
        let (mut source, mut now, mut sent) = (OnOff::new(config, rng), Time::ZERO, vec![]);
        while now < Time::ZERO + end {
            let (payload, next) = source.act(now);
            assert!(next >= now);
            if payload > 0 {
                sent.push(now.as_secs());
            }
            now = next;
        }
        sent
    }

    /// petrovic2003's voice: 32 kbit/s for 0.4255 of the time. The share of `end` that an alternating renewal process is on
    /// has the variance 2 a^2 b^2 / ((a + b)^3 end) for exponential times with the means a and b.
    #[test]
    fn exponential_bursts_have_their_share_and_their_rate() {
        let (a, b, end) = (1.0_f64, 1.35_f64, 200_000.0);
        for (rule, begins) in [
            (BurstRule::Time, Begins::Stationary),
            (BurstRule::Packets, Begins::Idle),
            (BurstRule::Time, Begins::Burst),
        ] {
            let config = OnOffConfig { rule, begins, ..EXPONENTIAL };
            let sent = sends(config, 0, Span::from_secs(end));
            let share = sent.len() as f64 * 0.02 / end;
            let error = (2.0 * a * a * b * b / ((a + b).powi(3) * end)).sqrt();
            // A burst of less than half a packet counts as one in ns-2: 5e-5 of a packet more in each burst of 50.
            assert!((share - a / (a + b)).abs() < 4.0 * error + 1e-4, "{rule:?}: {share}");
        }
    }

    /// Within a burst datagrams are an interval apart, to the nanosecond; gaps longer than that are idle times.
    #[test]
    fn gaps_are_intervals_and_idle_times() {
        let sent =
            sends(OnOffConfig { rule: BurstRule::Packets, ..EXPONENTIAL }, 1, Span::secs(100_000));
        let gaps: Vec<f64> = sent.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let idle: Vec<f64> =
            gaps.iter().filter(|gap| **gap > 0.020_001).map(|g| g - 0.02).collect();
        let mean = idle.iter().sum::<f64>() / idle.len() as f64;
        let n = idle.len() as f64;
        // Idle times of less than a microsecond are not seen as such: 7e-7 of all.
        assert!((mean - 1.35).abs() < 4.0 * 1.35 / n.sqrt(), "{mean}");
        assert!(gaps.iter().all(|gap| *gap > 0.019_999_99));
        // As many bursts as the means say.
        assert!((n * 2.35 / 1e5 - 1.0).abs() < 4.0 / n.sqrt(), "{n} bursts");
    }

    /// In the stationary state the rate is the same at any instant, also at the first: over 4,000 sources 0.4255 x 50
    /// datagrams in the first second. ns-2's sources begin silent and have less.
    #[test]
    fn a_stationary_source_has_its_rate_from_the_start() {
        let pareto = Law::Pareto { shape: 1.5 };
        for law in [Law::Exponential, pareto] {
            let with = |begins| OnOffConfig {
                burst: Times { law, ..EXPONENTIAL.burst },
                idle: Times { law, ..EXPONENTIAL.idle },
                begins,
                ..EXPONENTIAL
            };
            let early = |begins| {
                let first = |i| sends(with(begins), i, Span::secs(1)).len() as f64;
                (0..4000).map(first).sum::<f64>() / 4000.0
            };
            let (expected, stationary, idle) =
                (50.0 / 2.35, early(Begins::Stationary), early(Begins::Idle));
            // A source has at most 50 in that second, so its deviation is below 25. The first packet's bits begin to come
            // at the start, which costs half a packet a source that is on.
            assert!((stationary - expected + 0.25).abs() < 0.25 + 4.0 * 25.0 / 4000_f64.sqrt());
            assert!(idle < expected - 3.0, "{law:?}: {idle} of {expected}");
        }
    }

    /// Counts of a source with heavy-tailed bursts stay bursty when they are added up: their variance grows as m^(3 - shape)
    /// (Taqqu, Willinger and Sherman 1997: H = (3 - shape) / 2), that of exponential bursts as m.
    #[test]
    fn heavy_tails_make_long_memory() {
        let growth = |law| {
            let config = OnOffConfig {
                burst: Times { law, mean: Span::millis(100) },
                idle: Times { law, mean: Span::millis(100) },
                ..EXPONENTIAL
            };
            let log_variances = |m: f64| {
                let mut squares = 0.0;
                let (mut n, mean) = (0.0, m * 0.5 / 0.02);
                for replication in 0..40 {
                    let sent = sends(config, replication, Span::secs(4000));
                    let mut counts = vec![0.0; (4000.0 / m) as usize];
                    for at in sent {
                        counts[(at / m) as usize] += 1.0;
                    }
                    squares += counts.iter().map(|c: &f64| (c - mean).powi(2)).sum::<f64>();
                    n += counts.len() as f64;
                }
                (squares / n).ln()
            };
            (log_variances(40.0) - log_variances(2.0)) / 20_f64.ln()
        };
        let (light, heavy) = (growth(Law::Exponential), growth(Law::Pareto { shape: 1.4 }));
        assert!((light - 1.0).abs() < 0.1, "exponential: {light}");
        assert!((heavy - 1.6).abs() < 0.15, "Pareto: {heavy}");
    }
}
