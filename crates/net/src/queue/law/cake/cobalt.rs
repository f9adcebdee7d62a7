//! COBALT: CoDel's law of drops, which can also go back, and BLUE for flows that do not answer.

use crate::queue::manage::Verdict;
use base::{Rng, Span, Time};

/// Change of BLUE's probability where the queue overflows.
const MORE: f64 = 1.0 / 256.0;
/// Its change where the queue runs empty.
const LESS: f64 = 1.0 / 4096.0;

/// The times by which a queue is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Times {
    /// Acceptable standing delay.
    pub target: Span,
    /// Time until the first drop; the worst usual round trip.
    pub interval: Span,
    /// Transmission time of a packet of an MTU; zero without a shaper.
    pub mtu: Span,
}

impl Times {
    /// A wait of less than four packets of an MTU is none of a standing queue.
    fn is_long(&self, sojourn: Span) -> bool {
        sojourn > self.target && sojourn.0 > 4 * self.mtu.0
    }
}

/// COBALT of one queue.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cobalt {
    /// Number of the next drop: the square root of it divides the interval.
    count: u32,
    is_dropping: bool,
    /// Time of the next drop; where nothing is counted, the time until which the queue is in use.
    next: Time,
    /// BLUE's probability.
    blue: f64,
    /// Time of its last change.
    changed: Time,
}

impl Cobalt {
    fn control_law(&self, from: Time, times: &Times) -> Time {
        let interval = times.interval.0 as f64;
        from + Span((interval / libm::sqrt(f64::from(self.count.max(1)))) as u64)
    }

    fn is_due(&self, now: Time) -> bool {
        self.count > 0 && now >= self.next
    }

    /// Decides about a packet that has waited so long; it is one that can bear a mark, or not.
    pub fn judge(
        &mut self,
        now: Time,
        (sojourn, markable): (Span, bool),
        times: &Times,
        rng: &mut Rng,
    ) -> Verdict {
        let was_due = self.is_due(now);
        let is_long = times.is_long(sojourn);
        if is_long && !self.is_dropping {
            // The count goes on from where it has gone back to.
            self.next = self.control_law(now, times);
            self.count = self.count.max(1);
        }
        self.is_dropping = is_long;
        let mut verdict = Verdict::Take;
        if is_long && was_due {
            verdict = if markable { Verdict::Mark } else { Verdict::Drop };
            self.count = self.count.saturating_add(1);
            self.next = self.control_law(self.next, times);
        } else if !is_long {
            self.go_back(now, times);
        }
        // BLUE is for those whom signals do not move: marks are none of its means.
        if self.blue > 0.0 && rng.chance(self.blue) {
            verdict = Verdict::Drop;
        }
        if self.count == 0 {
            self.next = now + times.interval;
        } else if now > self.next && verdict != Verdict::Drop {
            self.next = now;
        }
        verdict
    }

    /// While the wait is short the count goes back by the steps by which it rose.
    fn go_back(&mut self, now: Time, times: &Times) {
        while self.is_due(now) {
            self.count -= 1;
            self.next = self.control_law(self.next, times);
        }
    }

    /// A packet of this queue had to go for others: the queue is over all bounds.
    pub fn overflows(&mut self, now: Time, times: &Times) {
        if now.since(self.changed) > times.target {
            self.blue = (self.blue + MORE).min(1.0);
            self.changed = now;
        }
        (self.is_dropping, self.next, self.count) = (true, now, self.count.max(1));
    }

    /// It is the queue's turn, and it is empty.
    pub fn empties(&mut self, now: Time, times: &Times) {
        if self.blue > 0.0 && now.since(self.changed) > times.target {
            self.blue = (self.blue - LESS).max(0.0);
            self.changed = now;
        }
        self.is_dropping = false;
        if self.is_due(now) {
            self.count -= 1;
            self.next = self.control_law(self.next, times);
        }
    }

    /// True where it has nothing to remember.
    pub fn is_at_rest(&self, now: Time) -> bool {
        self.blue == 0.0 && self.count == 0 && now >= self.next
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::{Purpose, Seed};

    const MS: u64 = 1_000_000;
    const SEED: Seed = Seed { seed: 1, replication: 0 };

    fn law() -> (Cobalt, Times, Rng) {
        let times = Times { target: Span::millis(5), interval: Span::millis(100), mtu: Span::ZERO };
        (Cobalt::default(), times, SEED.stream(Purpose::LinkQueue, 7))
    }

    /// Below the target the count goes back by the steps by which it rose, so that pressure that comes back finds it where the time
    /// between has left it.
    #[test]
    fn the_count_goes_back_while_the_wait_is_short() {
        let strikes = |pause: u64| {
            let (mut cobalt, times, mut rng) = law();
            let mut judge = |ms: u64, wait: u64| {
                cobalt.judge(Time(ms * MS), (Span(wait * MS), false), &times, &mut rng)
                    == Verdict::Drop
            };
            let first = (0..2000).filter(|&ms| judge(ms, 20)).count();
            (2000..2000 + pause).for_each(|ms| assert!(!judge(ms, 1)));
            let again = 2000 + pause..2500 + pause;
            (first, again.filter(|&ms| judge(ms, 20)).count())
        };
        let (first, [soon, later, much_later]) =
            (strikes(0).0, [1, 1000, 20_000].map(|pause| strikes(pause).1));
        assert!(first > 80, "{first}");
        assert!(soon > later + 10 && later > much_later, "{soon} {later} {much_later}");
        // All forgotten: 100, 170.7, 228.4, ... as at the beginning.
        let fresh = (0..).scan(100.0, |due, n| {
            let now = *due;
            *due += 100.0 / f64::from(n + 2).sqrt();
            Some(now)
        });
        assert_eq!(much_later, fresh.take_while(|&due| due < 500.0).count());
    }

    /// BLUE: 1/256 more in each target's time in which the queue overflows, 1/4096 less in each in which it is empty.
    #[test]
    fn blue_rises_where_the_queue_overflows_and_falls_where_it_is_empty() {
        let (mut cobalt, times, mut rng) = law();
        for ms in 100..160 {
            cobalt.overflows(Time(ms * MS), &times);
        }
        // Each 6 ms: the first at once.
        assert_eq!(cobalt.blue, 10.0 / 256.0);
        let drops = |cobalt: &mut Cobalt, rng: &mut Rng| {
            let judged =
                (0..100_000).map(|_| cobalt.judge(Time(160 * MS), (Span(0), true), &times, rng));
            judged.filter(|&verdict| verdict == Verdict::Drop).count() as f64 / 1e5
        };
        // Three standard errors of 100 000 draws are 0.0018. Marks are none of its means.
        let share = drops(&mut cobalt, &mut rng);
        assert!((share - 10.0 / 256.0).abs() < 0.0018, "{share}");
        for ms in 0..600 {
            cobalt.empties(Time((200 + ms) * MS), &times);
        }
        assert_eq!(cobalt.blue, 10.0 / 256.0 - 100.0 / 4096.0);
        (0..1200).for_each(|ms| cobalt.empties(Time((800 + ms) * MS), &times));
        assert_eq!(cobalt.blue, 0.0);
        assert!(cobalt.is_at_rest(Time(10_000 * MS)));
    }
}
