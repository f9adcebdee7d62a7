//! A link whose rate, delay and loss change at known times: departures stay known when a packet comes, so that a change
//! costs no event.

use base::{Rate, Span, Time};
use std::sync::Arc;

/// From a time on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch {
    /// Its start.
    pub from: Time,
    /// Bits per second; zero: nothing is sent.
    pub rate: Rate,
    /// Propagation delay of packets that are sent to their end then.
    pub delay: Span,
    /// Probability that a packet is lost that comes then.
    pub loss: f64,
}

/// Times at which a link carries up to [`GRANT_BYTES`] each, over and over, as Mahimahi's traces have them
/// (Netravali et al., "Mahimahi: accurate record-and-replay for HTTP", USENIX ATC 2015).
#[derive(Clone, Debug, PartialEq)]
pub struct Grants {
    /// In order; several at one time are as many grants. At least one.
    pub times: Arc<[Span]>,
    /// After so long it begins again; more than zero, and not before the last grant.
    pub period: Span,
}

/// Bytes of a grant.
pub const GRANT_BYTES: u32 = 1500;

/// What happens to a link.
#[derive(Clone, Debug, PartialEq)]
pub struct CourseConfig {
    /// In order; the first begins at time zero, and the rate of the last is not zero.
    pub stretches: Arc<[Stretch]>,
    /// In the place of rates.
    pub grants: Option<Grants>,
}

/// It at work: it is asked in the order of time.
#[derive(Clone, Debug)]
pub(super) struct Course {
    config: CourseConfig,
    /// The stretch of the last departure, and that of the last coming.
    departs: usize,
    comes: usize,
    /// The grant in use: its number from time zero, and the bytes that are left of it.
    grant: (u64, u32),
}

impl Course {
    pub fn new(config: &CourseConfig) -> Course {
        Course { config: config.clone(), departs: 0, comes: 0, grant: (0, GRANT_BYTES) }
    }

    /// Probability that a packet is lost that comes at `now`.
    pub fn loss(&mut self, now: Time) -> f64 {
        let stretches = &self.config.stretches;
        while stretches.get(self.comes + 1).is_some_and(|next| next.from <= now) {
            self.comes += 1;
        }
        stretches[self.comes].loss
    }

    /// When a packet has been sent whose turn comes at `start`, and the propagation delay from there.
    pub fn send(&mut self, start: Time, bytes: u32) -> (Time, Span) {
        let departure = match &self.config.grants {
            Some(_) => self.by_grants(start, bytes),
            None => self.by_rates(start, bytes),
        };
        self.reach(departure);
        (departure, self.config.stretches[self.departs].delay)
    }

    /// The least propagation delay of all.
    pub fn least_delay(&self) -> Span {
        self.config.stretches.iter().map(|of| of.delay).min().unwrap_or(Span::ZERO)
    }

    fn reach(&mut self, at: Time) {
        let stretches = &self.config.stretches;
        while stretches.get(self.departs + 1).is_some_and(|next| next.from <= at) {
            self.departs += 1;
        }
    }

    fn by_rates(&mut self, start: Time, bytes: u32) -> Time {
        self.reach(start);
        // Bits times nanoseconds in a second, so that nothing is rounded but the end.
        let mut left = u128::from(bytes) * 8 * u128::from(Span::secs(1).0);
        let mut at = start;
        loop {
            let rate = u128::from(self.config.stretches[self.departs].rate.0);
            let next = self.config.stretches.get(self.departs + 1).map(|next| next.from);
            let fits = next.is_none_or(|next| left <= rate * u128::from(next.since(at).0));
            match next {
                Some(next) if !fits => {
                    left -= rate * u128::from(next.since(at).0);
                    (at, self.departs) = (next, self.departs + 1);
                }
                // The last rate is not zero; a packet without bytes takes no time.
                _ => return at + Span(left.div_ceil(rate.max(1)) as u64),
            }
        }
    }

    fn by_grants(&mut self, start: Time, bytes: u32) -> Time {
        let Some(grants) = &self.config.grants else { return start };
        let (count, period) = (grants.times.len() as u64, grants.period);
        let time = |number: u64| {
            Time::ZERO + Span(number / count * period.0) + grants.times[(number % count) as usize]
        };
        // Grants that came while nothing was there are lost. The last of a round is at its very end.
        let behind = start.0.saturating_sub(1) / period.0 * count;
        if self.grant.0 < behind {
            self.grant = (behind, GRANT_BYTES);
        }
        while time(self.grant.0) < start {
            self.grant = (self.grant.0 + 1, GRANT_BYTES);
        }
        let mut left = bytes;
        while left > self.grant.1 {
            left -= self.grant.1;
            self.grant = (self.grant.0 + 1, GRANT_BYTES);
        }
        self.grant.1 -= left;
        time(self.grant.0)
    }
}

impl CourseConfig {
    /// Bits per second up to `end`, on average: what a queue may expect of the link.
    pub fn mean_rate(&self, end: Time) -> Rate {
        if let Some(grants) = &self.grants {
            return grants.mean_rate();
        }
        let nexts = self.stretches[1..].iter().map(|next| next.from.min(end)).chain([end]);
        let sent = self.stretches.iter().zip(nexts);
        let bits = sent.map(|(of, next)| u128::from(of.rate.0) * u128::from(next.since(of.from).0));
        Rate((bits.sum::<u128>() / u128::from(end.0.max(1))) as u64)
    }
}

impl Grants {
    /// Makes them of times, in order, after the last of which they begin again; `None` where there is none, or only at zero.
    pub fn new(times: Vec<Span>) -> Option<Grants> {
        let period = *times.last().filter(|last| **last > Span::ZERO)?;
        Some(Grants { times: times.into(), period })
    }

    /// Bits per second on average; at least one.
    pub fn mean_rate(&self) -> Rate {
        let bits = self.times.len() as u128 * u128::from(GRANT_BYTES) * 8;
        let rate = bits * u128::from(Span::secs(1).0) / u128::from(self.period.0);
        Rate(rate.max(1) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    fn course(stretches: &[(u64, u64)]) -> Course {
        let stretch = |&(from_ms, rate): &(u64, u64)| Stretch {
            from: Time(from_ms * MS),
            rate: Rate(rate),
            delay: Span::millis(from_ms),
            loss: 0.0,
        };
        let stretches = stretches.iter().map(stretch).collect();
        Course::new(&CourseConfig { stretches, grants: None })
    }

    #[test]
    fn a_packet_goes_on_at_the_new_rate() {
        // 12,000 bits: 6 ms at 1 Mbit/s are half of them, 3 ms at 2 Mbit/s the rest.
        let mut course = course(&[(0, 1_000_000), (10, 2_000_000), (20, 0), (50, 12_000_000)]);
        assert_eq!(course.send(Time(4 * MS), 1500), (Time(13 * MS), Span::millis(10)));
        // 14 to 20 ms at 2 Mbit/s; the second packet waits for 50 ms.
        assert_eq!(course.send(Time(14 * MS), 1500), (Time(20 * MS), Span::millis(20)));
        assert_eq!(course.send(Time(20 * MS), 1500), (Time(51 * MS), Span::millis(50)));
    }

    #[test]
    fn a_constant_course_is_a_constant_rate() {
        let mut course = course(&[(0, 7_777_777)]);
        let mut at = Time(123);
        for bytes in [40, 1500, 1, 999] {
            let end = at + Rate(7_777_777).time_for(base::Bytes(bytes));
            assert_eq!(course.send(at, bytes).0, end);
            at = end;
        }
    }

    #[test]
    fn grants_carry_so_many_bytes_and_are_lost_where_nothing_waits() {
        let times = [1, 1, 4, 10].map(Span::millis).to_vec();
        let grants = Grants::new(times);
        let stretches = course(&[(0, 1)]).config.stretches;
        let mut course = Course::new(&CourseConfig { stretches, grants });
        let mut send = |at_ms: u64, bytes| course.send(Time(at_ms * MS), bytes).0.0 / MS;
        assert_eq!(send(0, 1500), 1);
        // The second grant of 1 ms takes 500 B of it and 1,000 B of the next.
        assert_eq!(send(1, 1000), 1);
        assert_eq!(send(1, 1500), 4);
        assert_eq!(send(4, 500), 4);
        // Nothing waits at 10 and 11 ms; at 12 ms the next grants are those of 14 and 20 ms.
        assert_eq!(send(12, 1500), 14);
        assert_eq!(send(14, 3000), 21);
        // 100 rounds later; the last grant of a round is at its end.
        assert_eq!(send(1_000, 100), 1_000);
        assert_eq!(send(1_000, 1500), 1_001);
    }

    #[test]
    fn the_mean_rate_counts_outages() {
        let config = course(&[(0, 10), (10, 0), (20, 40)]).config;
        assert_eq!(config.mean_rate(Time(40 * MS)), Rate(22));
        let grants = Grants::new([1, 1, 4, 10].map(Span::millis).to_vec());
        let config = CourseConfig { grants, ..config };
        assert_eq!(config.mean_rate(Time(40 * MS)), Rate(4_800_000));
    }
}
