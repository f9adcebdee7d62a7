//! A packet's delay by cause: every nanosecond from transport to transport belongs to one part, so the parts add up to
//! the delay exactly.

use base::{Span, Time};

/// Part of a packet's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Part {
    /// Waiting in an interface queue behind others.
    Queueing,
    /// At the head of a station's queue, until an exchange for it begins: inter-frame spaces, backoff, others' turns.
    Access,
    /// Exchanges that failed.
    Retries,
    /// From the start of the exchange that succeeded to the last bit of the packet at the receiver.
    Transmission,
    /// Serialization and propagation on wired links.
    Wire,
    /// Waiting at a station without an access point, and ways through a tunnel.
    Handoff,
}

impl Part {
    /// Number of parts.
    pub const COUNT: usize = 6;
}

/// Time by part, ns.
pub type Parts = [u64; Part::COUNT];

/// Assigns the time of one packet to its parts; the time from `mark` on is not yet assigned.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    /// Up to here all time is in `parts`.
    pub mark: Time,
    /// Time assigned so far.
    pub parts: Parts,
}

impl Clock {
    /// A packet that was handed to the network at `born`.
    pub fn new(born: Time) -> Clock {
        Clock { mark: born, parts: Parts::default() }
    }

    /// The time up to `until` goes to `part`.
    pub fn spend(&mut self, until: Time, part: Part) {
        self.parts[part as usize] += until.since(self.mark).0;
        self.mark = self.mark.max(until);
    }

    /// The same, but for the times in `away`, which are a handoff's.
    pub fn wait(&mut self, until: Time, part: Part, away: &Away) {
        let gone = away.within(self.mark, until);
        self.parts[Part::Handoff as usize] += gone.0;
        self.parts[part as usize] += until.since(self.mark).0 - gone.0;
        self.mark = self.mark.max(until);
    }
}

/// Times at which a station had no access point.
#[derive(Clone, Debug, Default)]
pub struct Away {
    /// From, to: the last one first begun last.
    over: Vec<(Time, Time)>,
    since: Option<Time>,
}

impl Away {
    /// Notes that it has none from now on, unless it had none.
    pub fn begin(&mut self, now: Time) {
        self.since.get_or_insert(now);
    }

    /// Notes that it has one from now on.
    pub fn end(&mut self, now: Time) {
        if let Some(since) = self.since.take() {
            self.over.push((since, now));
        }
    }

    /// Sum of these times between two instants, the later of which has come.
    pub fn within(&self, from: Time, to: Time) -> Span {
        let now = self.since.map(|since| (since, Time::NEVER));
        let last = self.over.iter().rev().take_while(|away| away.1 > from).copied();
        Span(now.into_iter().chain(last).map(|away| to.min(away.1).since(from.max(away.0)).0).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_divided_between_its_cause_and_the_handoff() {
        let mut away = Away::default();
        away.begin(Time(10));
        away.end(Time(20));
        away.begin(Time(50));
        assert_eq!(away.within(Time(0), Time(15)), Span(5));
        assert_eq!(away.within(Time(12), Time(60)), Span(18));
        assert_eq!(away.within(Time(20), Time(50)), Span(0));
        let mut clock = Clock::new(Time(5));
        clock.wait(Time(12), Part::Queueing, &away);
        clock.wait(Time(60), Part::Access, &away);
        assert_eq!(clock.parts, [5, 30, 0, 0, 0, 20]);
        assert_eq!(clock.parts.iter().sum::<u64>(), 60 - 5);
    }

    #[test]
    fn time_that_has_been_told_apart_is_not_told_apart_again() {
        let mut clock = Clock::new(Time(5));
        clock.spend(Time(9), Part::Wire);
        clock.spend(Time(7), Part::Retries);
        assert_eq!((clock.mark, clock.parts), (Time(9), [0, 0, 0, 0, 4, 0]));
    }
}
