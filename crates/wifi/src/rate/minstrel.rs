//! Minstrel: the rate with the best measured throughput, and now and then another one to see how it does.
//!
//! After the description of its author (D. Smithies, "The Minstrel rate control algorithm for mac80211", 2005) and the
//! evaluation by Xia et al., "Evaluation of the Minstrel rate adaptation algorithm in IEEE 802.11g WLANs", ICC 2013:
//! success is counted for each rate, averaged every 100 ms with weight 1/4 for the new; each frame has a chain of four
//! rates, each for as many attempts as fit in 6 ms; one frame in ten is a sample.
//!
//! *Deviations.* The table of random columns is drawn anew for each round through the rates. A frame's chain holds from
//! its first attempt to its last. Retries that the MAC's limits forbid are not made.

use crate::config::PhyConfig;
use base::{Rng, Span, Time};

/// The parameters of Minstrel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MinstrelConfig {
    /// Time between two looks at the counts.
    pub interval: Span,
    /// Weight of the past in the moving average.
    pub memory: f64,
    /// Share of frames that look around.
    pub sampling: f64,
    /// Time for all attempts at one rate of a chain.
    pub segment: Span,
}

impl Default for MinstrelConfig {
    fn default() -> Self {
        MinstrelConfig {
            interval: Span::millis(100),
            memory: 0.75,
            sampling: 0.1,
            segment: Span::millis(6),
        }
    }
}

/// The most attempts at one rate of a chain.
const MOST_ATTEMPTS: u32 = 7;
/// Below this a rate has no throughput to speak of.
const USELESS: f64 = 0.1;
/// From here on a rate is as good as certain.
const CERTAIN: f64 = 0.95;

#[derive(Clone, Copy, Debug)]
struct Measured {
    exchange: Span,
    /// Attempts that fit in a segment.
    attempts: u32,
    tried: u32,
    acknowledged: u32,
    probability: Option<f64>,
}

impl Measured {
    /// Frames a second, by the past.
    fn throughput(&self) -> f64 {
        let probability = self.probability.unwrap_or(0.0);
        if probability < USELESS { 0.0 } else { probability / self.exchange.as_secs() }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Minstrel {
    config: MinstrelConfig,
    rates: Vec<Measured>,
    /// Best throughput, second best, best probability.
    best: [usize; 3],
    chain: [usize; 4],
    attempt: u32,
    next_look: Time,
    frames: u64,
    samples: u64,
    /// The rates in the order in which they are sampled, and the place in it.
    order: Vec<usize>,
    place: usize,
    rng: Rng,
}

impl Minstrel {
    pub fn new(
        config: MinstrelConfig,
        (exchanges, first): (&[Span], usize),
        phy: &PhyConfig,
        rng: Rng,
    ) -> Minstrel {
        let rates = exchanges.iter().map(|&exchange| Measured {
            exchange,
            attempts: attempts(exchange, config.segment, phy),
            tried: 0,
            acknowledged: 0,
            probability: None,
        });
        let mut minstrel = Minstrel {
            config,
            rates: rates.collect(),
            best: [first; 3],
            chain: [first; 4],
            attempt: 0,
            next_look: Time::ZERO,
            frames: 0,
            samples: 0,
            order: (0..exchanges.len()).collect(),
            place: 0,
            rng,
        };
        minstrel.shuffle();
        minstrel
    }

    pub fn choose(&mut self, now: Time, fresh: bool) -> usize {
        if fresh {
            self.attempt = 0;
            if now >= self.next_look {
                self.look();
                self.next_look = now + self.config.interval;
            }
            self.frames += 1;
            self.set_chain();
        }
        let mut before = 0;
        for &rung in &self.chain {
            before += self.rates[rung].attempts;
            if self.attempt < before {
                return rung;
            }
        }
        self.chain[3]
    }

    pub fn conclude(&mut self, rung: usize, acknowledged: bool) {
        self.attempt += 1;
        self.rates[rung].tried += 1;
        self.rates[rung].acknowledged += u32::from(acknowledged);
    }

    /// Averages the counts and ranks the rates.
    fn look(&mut self) {
        for rate in self.rates.iter_mut().filter(|rate| rate.tried > 0) {
            let now = f64::from(rate.acknowledged) / f64::from(rate.tried);
            let memory = self.config.memory;
            let average = rate.probability.map_or(now, |was| memory * was + (1.0 - memory) * now);
            rate.probability = Some(average);
            (rate.tried, rate.acknowledged) = (0, 0);
        }
        if self.rates.iter().all(|rate| rate.throughput() == 0.0) {
            // Nothing gets through: the slowest rate is the surest.
            let known = self.rates.iter().any(|rate| rate.probability.is_some());
            self.best = if known { [0; 3] } else { self.best };
            return;
        }
        let throughput = |rung: usize| self.rates[rung].throughput();
        let first = self.highest(throughput, None);
        let second = self.highest(throughput, Some(first));
        let sure = self.highest(|rung| self.sureness(rung), None);
        self.best = [first, second, sure];
    }

    /// Certain rates by their throughput, before all others by their probability.
    fn sureness(&self, rung: usize) -> f64 {
        let rate = &self.rates[rung];
        match rate.probability {
            Some(probability) if probability >= CERTAIN => 1.0 + rate.throughput(),
            Some(probability) => probability,
            None => 0.0,
        }
    }

    /// The fastest among those with the highest value.
    fn highest(&self, value: impl Fn(usize) -> f64, but: Option<usize>) -> usize {
        let others = (0..self.rates.len()).filter(|&rung| Some(rung) != but);
        others.max_by(|&a, &b| value(a).total_cmp(&value(b))).unwrap_or(self.best[0])
    }

    /// The rates of the frame that begins: a sample that is slower than the best comes second, so that it costs
    /// nothing unless it is needed.
    fn set_chain(&mut self) {
        let [first, second, sure] = self.best;
        self.chain = match self.sample() {
            None => [first, second, sure, 0],
            Some(rung) if self.rates[rung].exchange < self.rates[first].exchange => {
                [rung, first, sure, 0]
            }
            Some(rung) => [first, rung, sure, 0],
        };
    }

    /// The rate to look at with this frame, if it is time to.
    fn sample(&mut self) -> Option<usize> {
        let due = (self.frames as f64 * self.config.sampling) as u64;
        if self.rates.len() < 2 || self.samples >= due {
            return None;
        }
        self.samples += 1;
        let rung = self.order[self.place];
        self.place += 1;
        if self.place == self.order.len() {
            self.place = 0;
            self.shuffle();
        }
        (rung != self.best[0]).then_some(rung)
    }

    fn shuffle(&mut self) {
        self.rng.shuffle(&mut self.order);
    }
}

/// Attempts with growing windows that fit in a segment; at least one.
pub(super) fn attempts(exchange: Span, segment: Span, phy: &PhyConfig) -> u32 {
    let mut cw = phy.cw_min;
    let (mut count, mut time) = (0, Span::ZERO);
    loop {
        time = time + exchange + phy.slot * u64::from(cw / 2);
        cw = (2 * cw + 1).min(phy.cw_max);
        if count > 0 && (time > segment || count == MOST_ATTEMPTS) {
            return count;
        }
        count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phy::{Preamble, Standard};
    use crate::rate::{Ladder, Modulations, RateRule, Rung};
    use base::{Purpose, Seed};

    /// 802.11b: 1, 2, 5.5 and 11 Mbit/s.
    fn ladder() -> Ladder {
        let standard = Standard::HrDsss(Preamble::Long);
        let rung = |mode: crate::phy::Mode| {
            let modulation = mode.modulation();
            let phy = PhyConfig::of(standard, mode, None);
            Rung { phy, modulations: Modulations::alike(modulation), mode: None }
        };
        let rungs = standard.modes().into_iter().map(rung).collect();
        Ladder { rungs, first: 0, rule: RateRule::Minstrel(MinstrelConfig::default()) }
    }

    fn minstrel() -> Minstrel {
        let rng = Seed { seed: 1, replication: 0 }.stream(Purpose::RateControl, 0);
        let ladder = ladder();
        Minstrel::new(MinstrelConfig::default(), (&ladder.exchanges(), 0), ladder.phy(), rng)
    }

    /// Sends frames, one a millisecond; a rate's attempts succeed when it is among `good`. Counts the rates of first
    /// attempts in the second half.
    fn send(minstrel: &mut Minstrel, frames: u64, good: &[usize]) -> [u64; 4] {
        let mut used = [0; 4];
        for frame in 0..frames {
            let mut fresh = true;
            for _ in 0..7 {
                let rung = minstrel.choose(Time::ZERO + Span::millis(frame), fresh);
                if fresh && frame >= frames / 2 {
                    used[rung] += 1;
                }
                fresh = false;
                minstrel.conclude(rung, good.contains(&rung));
                if good.contains(&rung) {
                    break;
                }
            }
        }
        used
    }

    #[test]
    fn it_finds_the_fastest_rate_that_works_and_spends_a_tenth_on_looking() {
        let used = send(&mut minstrel(), 10_000, &[0, 1, 2]);
        let all: u64 = used.iter().sum();
        assert!(used[2] * 100 > all * 96, "{used:?}");
        // One sample in four is the rate above, the others wait behind the best.
        assert!(used[3] * 1000 > all * 15 && used[3] * 1000 < all * 35, "{used:?}");
    }

    #[test]
    fn where_nothing_works_it_ends_at_the_slowest() {
        let mut minstrel = minstrel();
        send(&mut minstrel, 1000, &[]);
        assert_eq!(minstrel.best, [0; 3]);
        // And it comes back.
        let used = send(&mut minstrel, 10_000, &[0, 1, 2, 3]);
        assert!(used[3] * 10 > used.iter().sum::<u64>() * 9, "{used:?}");
    }

    #[test]
    fn a_chain_gives_each_rate_the_attempts_that_fit_its_segment() {
        let ladder = ladder();
        // 192 + 9600 / 11 + 10 + 248 us at 11 Mbit/s, and 192 + 9600 + 10 + 304 us at 1 Mbit/s.
        assert_eq!(ladder.exchanges()[3], Span::micros(1323));
        assert_eq!(ladder.exchanges()[0], Span::micros(10_106));
        // 1323 + 300, 1323 + 620, 1323 + 1260 us with windows of 31, 63, 127: two fit in 6 ms, a third does not.
        let fitting = |us| attempts(Span::micros(us), Span::millis(6), ladder.phy());
        assert_eq!((fitting(1323), fitting(10_106)), (2, 1));
        let mut minstrel = minstrel();
        minstrel.chain = [3, 2, 1, 0];
        let rungs = (0..6).map(|attempt| {
            minstrel.attempt = attempt;
            minstrel.choose(Time::ZERO, false)
        });
        assert_eq!(rungs.collect::<Vec<_>>(), [3, 3, 2, 2, 1, 0]);
    }
}
