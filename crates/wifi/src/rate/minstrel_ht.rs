//! Minstrel-HT: the rate with the most measured throughput where MPDUs are counted one by one, groups of rates by streams.
//!
//! After what is published of Linux's rate control (F. Fietkau, "mac80211: minstrel_ht", 2010, and the notes on the changes
//! of its sampling and averaging, 2021). Each 50 ms the shares of MPDUs that were acknowledged are averaged by a low-pass
//! filter; a rate's throughput counts its preamble, spaces and answer once in an aggregate of the average length, and a share
//! above 9/10 as 9/10. A PPDU goes at the best rate, after failures at the second best and at the surest. Each 20 ms a lone
//! MPDU is sent at a rate of interest, as ath9k sends its probes.
//!
//! *Deviations.* Guard interval and width are those of the station; Linux adds groups for narrower channels and for
//! the other guard interval. Linux has no groups of HE, whose drivers leave rate control to firmware: they follow the same
//! rules here.

use super::average::Average;
use super::minstrel::attempts;
use crate::config::PhyConfig;
use base::{Rng, Span, Time};

/// The parameters of Minstrel-HT.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MinstrelHtConfig {
    /// Time between two looks at the counts.
    pub interval: Span,
    /// Time between two probes.
    pub probing: Span,
    /// Cut-off of the low-pass filter, in looks.
    pub period: f64,
    /// Time for all attempts at one rate.
    pub segment: Span,
}

impl Default for MinstrelHtConfig {
    fn default() -> Self {
        MinstrelHtConfig {
            interval: Span::millis(50),
            probing: Span::millis(20),
            period: 16.0,
            segment: Span::millis(6),
        }
    }
}

/// The MPDU by which rates are compared, bytes.
pub(super) const AVERAGE_BYTES: u32 = 1200;
/// Below this share a rate has no throughput to speak of.
const USELESS: f64 = 0.1;
/// What is lost beyond this may be due to collisions.
const CREDITED: f64 = 0.9;
/// From here on a rate is as good as certain.
const CERTAIN: f64 = 0.95;
/// Weight of the past in the average length of aggregates.
const MEMORY: f64 = 0.75;

/// How long an MPDU takes at a rate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// Streams, which make a group.
    pub group: u8,
    /// Of [`AVERAGE_BYTES`] within an aggregate.
    pub payload: Span,
    /// Preamble, spaces and answer of a PPDU.
    pub overhead: Span,
}

#[derive(Clone, Copy, Debug)]
struct Measured {
    /// Streams, which make a group.
    group: u8,
    /// An MPDU within an aggregate.
    payload: Span,
    /// Preamble, spaces and answer of a PPDU.
    overhead: Span,
    sent: u32,
    acknowledged: u32,
    share: Option<Average>,
}

impl Measured {
    /// MPDUs a second in aggregates of this length, if such a share of them comes through.
    fn throughput_of(&self, share: f64, length: f64) -> f64 {
        let each_s = self.payload.as_secs() + self.overhead.as_secs() / length;
        if share < USELESS { 0.0 } else { share.min(CREDITED) / each_s }
    }

    fn share(&self) -> f64 {
        self.share.map_or(0.0, |share| share.now())
    }
}

/// What the next probe looks for, in turn.
const PROBES: [Probe; 4] = [Probe::Step, Probe::Leap, Probe::Step, Probe::Fallback];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Probe {
    /// The next faster rate of a group.
    Step,
    /// Any faster rate.
    Leap,
    /// A rate between the best and the one behind it.
    Fallback,
}

#[derive(Clone, Debug)]
pub(super) struct MinstrelHt {
    config: MinstrelHtConfig,
    rates: Vec<Measured>,
    /// Attempts that fit in a segment, by rate, with aggregates of the average length.
    attempts: Vec<u32>,
    contention: PhyConfig,
    /// Average length of aggregates.
    length: f64,
    /// MPDUs and PPDUs since the last look.
    counted: (u32, u32),
    /// Most throughput, second most, surest.
    best: [usize; 3],
    /// PPDUs in a row of which nothing came through.
    failures: u32,
    next_look: Time,
    next_probe: Time,
    probes: usize,
    /// The rates in the order in which they are looked at, and the place in it.
    order: Vec<usize>,
    place: usize,
    /// The exchange that runs is a probe.
    probes_now: bool,
    rng: Rng,
}

impl MinstrelHt {
    /// Of rates slow to fast, beginning with the `first`.
    pub fn new(
        config: MinstrelHtConfig,
        (paces, first): (&[Pace], usize),
        phy: PhyConfig,
        rng: Rng,
    ) -> MinstrelHt {
        let rates = paces.iter().map(|&Pace { group, payload, overhead }| Measured {
            group,
            payload,
            overhead,
            sent: 0,
            acknowledged: 0,
            share: None,
        });
        let rates: Vec<Measured> = rates.collect();
        let mut control = MinstrelHt {
            config,
            attempts: vec![1; rates.len()],
            order: (0..rates.len()).collect(),
            rates,
            contention: phy,
            length: 1.0,
            counted: (0, 0),
            best: [first; 3],
            failures: 0,
            next_look: Time::ZERO + config.interval,
            next_probe: Time::ZERO,
            probes: 0,
            place: 0,
            probes_now: false,
            rng,
        };
        control.rng.shuffle(&mut control.order);
        control.fit();
        control
    }

    /// The rate of the PPDU that begins.
    pub fn choose(&mut self, now: Time) -> usize {
        if now >= self.next_look {
            self.look();
            self.next_look = now + self.config.interval;
        }
        self.probes_now = false;
        if now >= self.next_probe && self.failures == 0 {
            self.next_probe = now + self.config.probing;
            if let Some(rung) = self.probe() {
                self.probes_now = true;
                return rung;
            }
        }
        let chain = self.best.map(|rung| self.attempts[rung]);
        let failure = self.failures % chain.iter().sum::<u32>().max(1);
        match failure {
            failure if failure < chain[0] => self.best[0],
            failure if failure < chain[0] + chain[1] => self.best[1],
            _ => self.best[2],
        }
    }

    /// True where the exchange that runs is a probe.
    pub fn is_probing(&self) -> bool {
        self.probes_now
    }

    /// An aggregate at a rate has ended: how many MPDUs were sent, and how many acknowledged.
    pub fn conclude(&mut self, rung: usize, (sent, acknowledged): (u32, u32)) {
        let rate = &mut self.rates[rung];
        rate.sent += sent;
        rate.acknowledged += acknowledged;
        if std::mem::take(&mut self.probes_now) {
            return;
        }
        self.failures = if acknowledged > 0 { 0 } else { self.failures + 1 };
        self.counted = (self.counted.0 + sent, self.counted.1 + 1);
    }

    /// Averages the counts and ranks the rates.
    fn look(&mut self) {
        let (mpdus, ppdus) = std::mem::take(&mut self.counted);
        if ppdus > 0 {
            let length = f64::from(mpdus) / f64::from(ppdus);
            self.length = (MEMORY * self.length + (1.0 - MEMORY) * length).max(1.0);
        }
        for rate in self.rates.iter_mut().filter(|rate| rate.sent > 0) {
            let share = f64::from(rate.acknowledged.min(rate.sent)) / f64::from(rate.sent);
            rate.share = Some(Average::next(rate.share, share, self.config.period));
            (rate.sent, rate.acknowledged) = (0, 0);
        }
        self.rank();
        self.fit();
    }

    fn throughput(&self, rung: usize) -> f64 {
        let rate = &self.rates[rung];
        rate.throughput_of(rate.share(), self.length)
    }

    fn rank(&mut self) {
        let all = 0..self.rates.len();
        if all.clone().all(|rung| self.throughput(rung) == 0.0) {
            // Nothing gets through: the slowest rate is the surest.
            let is_known = self.rates.iter().any(|rate| rate.share.is_some());
            self.best = if is_known { [0; 3] } else { self.best };
            return;
        }
        // Among equals the slower is as good and surer.
        let highest = |value: &dyn Fn(usize) -> f64, but: Option<usize>| {
            let others = all.clone().filter(|&rung| Some(rung) != but);
            others.fold(None, |best: Option<usize>, rung| {
                let is_better = best.is_none_or(|best| value(rung) > value(best));
                if is_better { Some(rung) } else { best }
            })
        };
        let throughput = |rung: usize| self.throughput(rung);
        let first = highest(&throughput, None).unwrap_or(0);
        let second = highest(&throughput, Some(first)).filter(|&rung| throughput(rung) > 0.0);
        // Certain rates by their throughput, before all others by their share.
        let sureness = |rung: usize| match self.rates[rung].share() {
            share if share >= CERTAIN => 1.0 + throughput(rung),
            share => share,
        };
        let sure = highest(&sureness, None).unwrap_or(first);
        self.best = [first, second.unwrap_or(sure), sure];
    }

    /// Works out how often each rate may fail before the next has its turn.
    fn fit(&mut self) {
        for (rate, fitting) in self.rates.iter().zip(&mut self.attempts) {
            let exchange = rate.overhead.as_secs() + rate.payload.as_secs() * self.length;
            let exchange = Span((exchange * 1e9) as u64);
            *fitting = attempts(exchange, self.config.segment, &self.contention).max(2);
        }
    }

    /// The rate of a probe, if there is one of interest.
    fn probe(&mut self) -> Option<usize> {
        let kind = PROBES[self.probes % PROBES.len()];
        self.probes += 1;
        let best = self.rates[self.best[0]].payload;
        let second = self.rates[self.best[1]].payload.max(self.rates[self.best[2]].payload);
        let is_of_interest = |rung: usize| {
            let rate = &self.rates[rung];
            match kind {
                Probe::Leap => rate.payload < best,
                Probe::Fallback => {
                    rung != self.best[0] && rate.payload >= best && rate.payload <= second
                }
                // None of its group that is slower is faster than the best.
                Probe::Step => {
                    let slower = self.rates[..rung].iter().filter(|of| of.group == rate.group);
                    rate.payload < best && slower.clone().all(|of| of.payload >= best)
                }
            }
        };
        let count = self.order.len();
        let next = (0..count).find(|step| is_of_interest(self.order[(self.place + step) % count]));
        let step = next?;
        let rung = self.order[(self.place + step) % count];
        self.place += step + 1;
        if self.place >= count {
            self.place = 0;
            self.rng.shuffle(&mut self.order);
        }
        Some(rung)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phy::PhySettings;
    use crate::rate::{Ladder, RateRule};
    use base::{Purpose, Seed};

    /// 802.11n, 20 MHz, one and two streams: 6.5 to 130 Mbit/s.
    fn ladder() -> Ladder {
        let settings = PhySettings {
            standard: crate::phy::StandardName::N,
            width_hz: Some(20e6),
            ..PhySettings::default()
        };
        let rungs = settings.rungs_of_all_streams().unwrap().into();
        Ladder { rungs, first: 0, rule: RateRule::MinstrelHt(MinstrelHtConfig::default()) }
    }

    fn control() -> MinstrelHt {
        let rng = Seed { seed: 1, replication: 0 }.stream(Purpose::RateControl, 0);
        MinstrelHt::new(MinstrelHtConfig::default(), (&ladder().paces(), 0), *ladder().phy(), rng)
    }

    /// Sends aggregates of 16, one a millisecond, of which `share` of the rate comes through. Counts the PPDUs of each rate
    /// in the second half, and the probes.
    fn send(control: &mut MinstrelHt, ppdus: u64, share: impl Fn(usize) -> f64) -> (Vec<u64>, u64) {
        let (mut used, mut probes) = (vec![0; control.rates.len()], 0);
        let mut come = vec![0.0; used.len()];
        for ppdu in 0..ppdus {
            let rung = control.choose(Time::ZERO + Span::millis(ppdu));
            let sent = if control.probes_now { 1 } else { 16 };
            if ppdu >= ppdus / 2 {
                used[rung] += 1;
                probes += u64::from(control.probes_now);
            }
            // What comes through is as even as whole MPDUs allow.
            come[rung] += f64::from(sent) * share(rung);
            let acknowledged = come[rung] as u32;
            come[rung] -= f64::from(acknowledged);
            control.conclude(rung, (sent, acknowledged));
        }
        (used, probes)
    }

    #[test]
    fn it_finds_the_fastest_rate_that_works_and_probes_each_twenty_milliseconds() {
        let ladder = ladder();
        let works = |rung: usize| {
            let mode = ladder.rungs[rung].mode.unwrap();
            f64::from(mode.mcs() <= if mode.streams() == 1 { 7 } else { 4 })
        };
        let (used, probes) = send(&mut control(), 10_000, works);
        let best = ladder
            .rungs
            .iter()
            .position(|rung| rung.mode.is_some_and(|mode| (mode.streams(), mode.mcs()) == (2, 4)));
        assert!(used[best.unwrap()] > 4_650, "{used:?}");
        assert!((200..=251).contains(&probes), "{probes}");
    }

    /// 13 Mbit/s of which all come through carry less than 19.5 Mbit/s of which four in five do, but more than that at a third.
    #[test]
    fn lost_mpdus_count_by_throughput() {
        for (share, faster) in [(0.8, true), (0.33, false)] {
            let of = |rung: usize| match rung {
                0..=2 => 1.0,
                3 => share,
                _ => 0.0,
            };
            let (used, _) = send(&mut control(), 20_000, of);
            let most = used.iter().max();
            let place = used.iter().position(|count| Some(count) == most);
            assert_eq!(place == Some(3), faster, "{used:?}");
        }
    }

    #[test]
    fn failures_in_a_row_go_down_the_chain_and_begin_again() {
        let mut control = control();
        control.best = [9, 5, 0];
        control.attempts = vec![2; control.rates.len()];
        control.next_probe = Time::NEVER;
        let rungs: Vec<usize> = (0..8)
            .map(|_| {
                let rung = control.choose(Time::ZERO);
                control.conclude(rung, (16, 0));
                rung
            })
            .collect();
        assert_eq!(rungs, [9, 9, 5, 5, 0, 0, 9, 9]);
    }

    #[test]
    fn where_nothing_works_it_ends_at_the_slowest_and_comes_back() {
        let mut control = control();
        send(&mut control, 2000, |_| 0.0);
        assert_eq!(control.best, [0; 3]);
        let (used, _) = send(&mut control, 20_000, |_| 1.0);
        assert!(used[used.len() - 1] > 9_000, "{used:?}");
    }
}
