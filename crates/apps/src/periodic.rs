//! Datagrams of one size at a fixed interval, each as late as chance has it.

use base::{Rng, Span, Time};

/// Periodic datagrams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PeriodicConfig {
    /// Payload of a datagram, bytes.
    pub payload: u32,
    /// From one datagram's turn to the next.
    pub interval: Span,
    /// Each goes later than its turn, by a uniform time up to this; at most the interval, so that none overtakes.
    pub jitter: Span,
}

/// Periodic datagrams at work: the n-th has its turn at n x interval.
#[derive(Clone, Debug)]
pub struct Periodic {
    config: PeriodicConfig,
    rng: Rng,
    /// The next datagram's turn; `None` before the first act.
    turn: Option<Time>,
}

impl Periodic {
    /// From its plan and its stream.
    pub fn new(config: PeriodicConfig, rng: Rng) -> Periodic {
        Periodic { config, rng, turn: None }
    }

    /// Payload to send at `now`, bytes, and when it acts next.
    pub fn act(&mut self, now: Time) -> (u32, Time) {
        let without = self.config.jitter == Span::ZERO;
        let (payload, turn) = match self.turn {
            Some(turn) => (self.config.payload, turn + self.config.interval),
            // Without jitter the first goes at once; else its own delay comes before it.
            None if without => (self.config.payload, now + self.config.interval),
            None => (0, now),
        };
        self.turn = Some(turn);
        let late = if without { 0.0 } else { self.rng.unit() };
        (payload, turn + Span::from_secs(late * self.config.jitter.as_secs()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::{Purpose, Seed};

    fn sends(jitter: Span, count: usize) -> Vec<Time> {
        let config = PeriodicConfig { payload: 42, interval: Span::millis(60), jitter };
        let rng = Seed { seed: 1, replication: 0 }.stream(Purpose::App, 0);
        let (mut periodic, mut now, mut sent) = (Periodic::new(config, rng), Time(7), vec![]);
        while sent.len() < count {
            let (payload, next) = periodic.act(now);
            assert!(next >= now && (payload == 42 || sent.is_empty()));
            if payload > 0 {
                sent.push(now);
            }
            now = next;
        }
        sent
    }

    #[test]
    fn without_jitter_they_are_even() {
        let sent = sends(Span::ZERO, 1000);
        assert!(sent.iter().zip(0_u64..).all(|(&at, n)| at == Time(7) + Span::millis(60 * n)));
    }

    /// Delays uniform on 0 to 60 ms: mean 30 ms, deviation 17.3 ms; four standard errors of 10,000.
    #[test]
    fn jitter_is_uniform_and_does_not_add_up() {
        let sent = sends(Span::millis(60), 10_000);
        let late = |(n, at): (u64, &Time)| at.since(Time(7) + Span::millis(60 * n)).as_secs();
        let late: Vec<f64> = (0..).zip(&sent).map(late).collect();
        assert!(late.iter().all(|&late| late <= 0.06));
        let mean = late.iter().sum::<f64>() / 1e4;
        assert!((mean - 0.03).abs() < 4.0 * 0.0173 / 100.0, "{mean}");
        let squares = late.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 1e4;
        assert!((squares.sqrt() / 0.01732 - 1.0).abs() < 0.03, "{squares}");
    }
}
