//! On-times of a transfer: periods with data, which pauses may interrupt, and off-times between.
//!
//! An on/off session of files over TCP is one without pauses. With pauses it models such a session behind a base station
//! that splits its connection, where fades interrupt it (qaddoura2006: on t1, fades t2, then t3).

use crate::on_off::Begins;
use crate::times::Times;
use base::{Rng, Span, Time};

/// The lengths of its phases: an on-time, as often a pause and a further on-time, and an off-time; then again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OnTimesConfig {
    /// Durations of on-times.
    pub burst: Times,
    /// Number of pauses in an on-time.
    pub pauses: u32,
    /// Durations of pauses.
    pub pause: Times,
    /// Durations of off-times.
    pub idle: Times,
    /// Start: in a random phase, with an on-time, or with an off-time.
    pub begins: Begins,
}

/// Action of an application at a change of phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// From now on it has data without end; else it has none.
    pub writes: bool,
    /// Start of the next phase.
    pub next: Time,
}

/// The phases of one application.
#[derive(Clone, Debug)]
pub struct OnTimes {
    config: OnTimesConfig,
    rng: Rng,
    /// The phase that comes next: even numbers are on-times, the last odd one is the off-time.
    phase: u32,
    begun: bool,
}

impl OnTimes {
    /// From its plan and its stream.
    pub fn new(config: OnTimesConfig, rng: Rng) -> OnTimes {
        OnTimes { config, rng, phase: 0, begun: false }
    }

    /// A phase begins: what it is, and when the next does.
    pub fn act(&mut self, now: Time) -> Turn {
        let length = if self.begun { self.draw() } else { self.begin() };
        self.begun = true;
        let writes = self.phase % 2 == 0;
        self.phase = (self.phase + 1) % self.phases();
        Turn { writes, next: now + length }
    }

    fn phases(&self) -> u32 {
        2 * (self.config.pauses + 1)
    }

    /// The length of a phase, whole.
    fn draw(&mut self) -> Span {
        self.times(self.phase).draw(&mut self.rng)
    }

    fn times(&self, phase: u32) -> Times {
        match phase {
            phase if phase % 2 == 0 => self.config.burst,
            phase if phase + 1 == self.phases() => self.config.idle,
            _ => self.config.pause,
        }
    }

    /// Chooses the first phase; what is left of it.
    fn begin(&mut self) -> Span {
        match self.config.begins {
            Begins::Burst => self.draw(),
            Begins::Idle => {
                self.phase = self.phases() - 1;
                self.draw()
            }
            Begins::Stationary => {
                self.phase = self.phase_at_random();
                self.times(self.phase).residual(&mut self.rng)
            }
        }
    }

    /// Each phase with the share of the time that it has (renewal theorem; Cox 1962, section 7.1).
    fn phase_at_random(&mut self) -> u32 {
        let mean = |phase| self.times(phase).mean.as_secs();
        let all: f64 = (0..self.phases()).map(mean).sum();
        let at = self.rng.unit() * all;
        let mut ends = (0..self.phases()).scan(0.0, |end, phase| {
            *end += self.times(phase).mean.as_secs();
            Some((phase, *end))
        });
        ends.find(|&(_, end)| at < end).map_or(0, |(phase, _)| phase)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::times::Law;
    use base::{Purpose, Seed};

    fn times(mean: Span) -> Times {
        Times { law: Law::Exponential, mean }
    }

    fn on_times(pauses: u32, begins: Begins, owner: u64) -> OnTimes {
        let config = OnTimesConfig {
            burst: times(Span::secs(5)),
            pauses,
            pause: times(Span::secs(1)),
            idle: times(Span::secs(10)),
            begins,
        };
        OnTimes::new(config, Seed { seed: 1, replication: 0 }.stream(Purpose::App, owner))
    }

    #[test]
    fn phases_follow_each_other() {
        let mut turns = on_times(2, Begins::Burst, 0);
        let mut now = Time::ZERO;
        let mut lengths = Vec::new();
        for i in 0..60_000 {
            let turn = turns.act(now);
            assert_eq!(turn.writes, i % 2 == 0, "on-times and others take turns");
            lengths.push(turn.next.since(now).as_secs());
            now = turn.next;
        }
        let mean = |phase: usize| {
            let of: Vec<f64> = lengths.iter().skip(phase).step_by(6).copied().collect();
            of.iter().sum::<f64>() / of.len() as f64
        };
        for (phase, expected) in [5.0, 1.0, 5.0, 1.0, 5.0, 10.0].into_iter().enumerate() {
            assert!((mean(phase) / expected - 1.0).abs() < 0.05, "phase {phase}: {}", mean(phase));
        }
    }

    #[test]
    fn it_begins_as_it_is_told() {
        assert!(on_times(0, Begins::Burst, 0).act(Time::ZERO).writes);
        assert!(!on_times(3, Begins::Idle, 0).act(Time::ZERO).writes);
        // 15 s of 27 are on-times: 4 standard errors of 4,000 draws.
        let on = (0..4000)
            .filter(|&owner| on_times(2, Begins::Stationary, owner).act(Time::ZERO).writes)
            .count();
        assert!((on as f64 / 4000.0 - 15.0 / 27.0).abs() < 0.032, "{on} of 4000");
    }

    /// The stationary start: the share of on-times is the same at any instant.
    #[test]
    fn a_stationary_beginning_stays_stationary() {
        let is_on_at = |owner: u64, at: Time| {
            let mut turns = on_times(1, Begins::Stationary, owner);
            let mut turn = turns.act(Time::ZERO);
            while turn.next <= at {
                turn = turns.act(turn.next);
            }
            turn.writes
        };
        for at in [Span::secs(3), Span::secs(40)] {
            let on = (0..4000).filter(|&owner| is_on_at(owner, Time::ZERO + at)).count();
            assert!((on as f64 / 4000.0 - 10.0 / 21.0).abs() < 0.032, "{on} of 4000 at {at:?}");
        }
    }
}
