//! A timer that re-arms lazily: a later deadline costs nothing until the event it already has in the agenda
//! comes up, and an earlier one leaves a stale event that dies when it is handed out.

use base::Time;

/// Meaning of this timer's event when it comes up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wake {
    /// The deadline has come: act.
    Fire,
    /// The deadline has moved: put the event back at this time.
    Later(Time),
    /// Superseded or cancelled: nothing to do.
    Stale,
}

/// A deadline and its one event in the agenda.
#[derive(Clone, Copy, Debug)]
pub struct Timer {
    deadline: Time,
    registered: Time,
}

impl Default for Timer {
    fn default() -> Self {
        Timer { deadline: Time::NEVER, registered: Time::NEVER }
    }
}

impl Timer {
    /// Moves the deadline ([`Time::NEVER`] cancels). Returns the time at which an event must be scheduled, if any.
    #[must_use]
    pub fn set(&mut self, deadline: Time) -> Option<Time> {
        self.deadline = deadline;
        if deadline < self.registered {
            self.registered = deadline;
            return Some(deadline);
        }
        None
    }

    /// Called when an event of this timer comes up at `now`. After [`Wake::Later`] the caller schedules again.
    #[must_use]
    pub fn wake(&mut self, now: Time) -> Wake {
        if now != self.registered {
            return Wake::Stale;
        }
        self.registered = Time::NEVER;
        if self.deadline == Time::NEVER {
            Wake::Stale
        } else if self.deadline > now {
            self.registered = self.deadline;
            Wake::Later(self.deadline)
        } else {
            self.deadline = Time::NEVER;
            Wake::Fire
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_deadline_needs_no_event_of_its_own() {
        let mut timer = Timer::default();
        assert_eq!(timer.set(Time(10)), Some(Time(10)));
        assert_eq!(timer.set(Time(30)), None);
        assert_eq!(timer.wake(Time(10)), Wake::Later(Time(30)));
        assert_eq!(timer.wake(Time(30)), Wake::Fire);
        assert_eq!(timer.wake(Time(30)), Wake::Stale);
    }

    #[test]
    fn an_earlier_deadline_makes_the_old_event_stale() {
        let mut timer = Timer::default();
        assert_eq!(timer.set(Time(30)), Some(Time(30)));
        assert_eq!(timer.set(Time(10)), Some(Time(10)));
        assert_eq!(timer.wake(Time(10)), Wake::Fire);
        assert_eq!(timer.wake(Time(30)), Wake::Stale);
    }

    #[test]
    fn a_cancelled_timer_stays_silent_and_can_be_set_again() {
        let mut timer = Timer::default();
        assert_eq!(timer.set(Time(10)), Some(Time(10)));
        assert_eq!(timer.set(Time::NEVER), None);
        assert_eq!(timer.wake(Time(10)), Wake::Stale);
        assert_eq!(timer.set(Time(20)), Some(Time(20)));
        assert_eq!(timer.wake(Time(20)), Wake::Fire);
    }
}
