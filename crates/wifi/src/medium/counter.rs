//! The backoff of one station that senses the medium for itself.

use base::{Span, Time};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// No backoff, no frame.
    Idle,
    /// A backoff that runs after an exchange with no frame behind it.
    PostBackoff,
    /// A backoff with a frame to send at its end.
    Armed,
    /// A frame that found the medium idle: no backoff, unless it becomes busy first.
    Immediate,
}

/// Slots to go, and since when they run.
#[derive(Clone, Copy, Debug)]
pub struct Counter {
    state: State,
    slots: u32,
    /// Time at which slots begin to pass; [`Time::NEVER`] while the medium is busy.
    runs_from: Time,
}

/// The rest of a backoff that has been drawn.
#[derive(Clone, Copy, Debug)]
pub struct Left {
    /// Slots to go.
    pub slots: u32,
    /// A frame waits for its end.
    pub is_armed: bool,
}

impl Counter {
    /// Creates a counter with what is left of a backoff, if there is one, and slots that pass from `runs_from` on.
    pub fn with(left: Option<Left>, runs_from: Time) -> Counter {
        let (state, slots) = match left {
            None => (State::Idle, 0),
            Some(Left { slots, is_armed: true }) => (State::Armed, slots),
            Some(Left { slots, is_armed: false }) => (State::PostBackoff, slots),
        };
        Counter { state, slots, runs_from }
    }

    /// Returns what is left of a backoff, if there is one, where slots do not pass.
    pub fn left(&self) -> Option<Left> {
        let is_armed = self.state == State::Armed;
        let is_drawn = is_armed || self.state == State::PostBackoff;
        is_drawn.then_some(Left { slots: self.slots, is_armed })
    }

    /// Creates the counter of a station with nothing to send on a medium that has long been idle.
    pub fn idle() -> Counter {
        Counter { state: State::Idle, slots: 0, runs_from: Time::ZERO }
    }

    fn runs(&self) -> bool {
        self.runs_from != Time::NEVER
    }

    /// Time at which slots begin to pass, or began; [`Time::NEVER`] while the station senses the medium busy.
    pub fn runs_from(&self) -> Time {
        self.runs_from
    }

    /// Time at which the station begins to transmit if the medium stays as it is.
    pub fn start(&self, slot: Span) -> Time {
        let ready = matches!(self.state, State::Armed | State::Immediate);
        if ready && self.runs() { self.end(slot) } else { Time::NEVER }
    }

    /// True where no backoff is left to finish at `now`.
    pub fn is_finished(&mut self, now: Time, slot: Span) -> bool {
        let run_out = self.runs() && self.end(slot) <= now;
        if self.state == State::PostBackoff && run_out {
            self.state = State::Idle;
        }
        self.state == State::Idle
    }

    /// A backoff of `slots` from here on; it has no frame until [`Counter::arm`].
    pub fn draw(&mut self, slots: u32) {
        (self.state, self.slots) = (State::PostBackoff, slots);
    }

    /// There is a frame to send at the end of the backoff.
    pub fn arm(&mut self) {
        if self.state == State::PostBackoff {
            self.state = State::Armed;
        }
    }

    /// There is no frame any more; a backoff that has begun goes on.
    pub fn disarm(&mut self) {
        self.state = match self.state {
            State::Armed => State::PostBackoff,
            State::Immediate => State::Idle,
            state => state,
        };
    }

    /// There is a frame to be sent when slots would begin to pass.
    pub fn arm_at_once(&mut self) {
        (self.state, self.slots) = (State::Immediate, 0);
    }

    /// Slots do not pass before `from`.
    pub fn defer(&mut self, from: Time) {
        self.runs_from = self.runs_from.max(from);
    }

    /// The station transmits: nothing is left to count.
    pub fn begin(&mut self) {
        self.state = State::Idle;
    }

    /// The medium becomes busy at `now` for an access function. Where boundaries of slots count, that at the end of the
    /// inter-frame space does too, and so does the one at which another begins (802.11-2020, 10.23.2.4).
    pub fn freeze_at(&mut self, now: Time, slot: Span, by_boundaries: bool) {
        if !self.runs() {
            return;
        }
        let is_one_more = by_boundaries && now >= self.runs_from;
        let finished = self.freeze(now, slot);
        debug_assert!(!finished, "a function never begins without a backoff");
        if is_one_more {
            self.slots = self.slots.saturating_sub(1);
        }
        if self.state == State::PostBackoff && self.slots == 0 {
            self.state = State::Idle;
        }
    }

    /// The medium becomes busy at `now`. True where a frame now needs a backoff that it had no need of before.
    pub fn freeze(&mut self, now: Time, slot: Span) -> bool {
        if !self.runs() {
            return false;
        }
        if now > self.runs_from {
            let passed = now.since(self.runs_from).0 / slot.0;
            self.slots = self.slots.saturating_sub(u32::try_from(passed).unwrap_or(u32::MAX));
        }
        self.runs_from = Time::NEVER;
        match self.state {
            State::PostBackoff if self.slots == 0 => self.state = State::Idle,
            State::Immediate => return true,
            _ => {}
        }
        false
    }

    /// Adds one slot back to a stopped counter that has slots left.
    pub fn give_back(&mut self) {
        let counts = matches!(self.state, State::PostBackoff | State::Armed);
        if counts && !self.runs() && self.slots > 0 {
            self.slots += 1;
        }
    }

    /// The medium is idle, and slots pass from `from` on.
    pub fn resume(&mut self, from: Time) {
        self.runs_from = from;
    }

    fn end(&self, slot: Span) -> Time {
        self.runs_from + slot * u64::from(self.slots)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SLOT: Span = Span(20);

    #[test]
    fn whole_idle_slots_count_and_the_rest_is_kept() {
        let mut counter = Counter::idle();
        counter.draw(3);
        counter.arm();
        assert_eq!(counter.start(SLOT), Time(60));
        assert!(!counter.freeze(Time(39), SLOT));
        assert_eq!(counter.start(SLOT), Time::NEVER);
        counter.resume(Time(100));
        assert_eq!(counter.start(SLOT), Time(140));
    }

    #[test]
    fn a_frame_that_waits_for_an_idle_medium_backs_off_when_it_becomes_busy() {
        let mut counter = Counter::idle();
        counter.resume(Time(50));
        counter.arm_at_once();
        assert_eq!(counter.start(SLOT), Time(50));
        assert!(counter.freeze(Time(40), SLOT));
    }

    #[test]
    fn a_backoff_without_a_frame_runs_out() {
        let mut counter = Counter::idle();
        counter.draw(2);
        assert!(!counter.is_finished(Time(39), SLOT));
        assert!(counter.is_finished(Time(40), SLOT));
    }
}
