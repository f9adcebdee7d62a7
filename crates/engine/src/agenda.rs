//! The event queue: one u128 an event (time 56 bits, phase 4, sequence 40, code 28) in std's binary heap.
//!
//! The order of equal times is part of the key: first the phase, then the order of insertion. 56 bits of
//! nanoseconds are 2.28 years of simulated time; 40 bits of sequence are 10^12 events.

use base::Time;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Order among events of the same instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Phase {
    /// A frame begins, with what came before this instant.
    Frame = 0,
    /// Packets reach a node.
    Arrival = 1,
    /// A device or a medium becomes free.
    Completion = 2,
    /// Protocol timers expire.
    Timer = 3,
    /// Applications act.
    Application = 4,
    /// Stations decide to transmit: after all that may still join them at this instant.
    Contention = 5,
    /// Measurements: they see all that happened up to and at this instant.
    Measurement = 6,
}

/// Target and reason of an event, in 29 bits: the world packs and unpacks it.
pub type EventCode = u32;

const CODE_BITS: u32 = 29;
const SEQUENCE_BITS: u32 = 40;
const PHASE_BITS: u32 = 3;
const TIME_SHIFT: u32 = CODE_BITS + SEQUENCE_BITS + PHASE_BITS;

/// The events to come, soonest first.
#[derive(Clone, Debug, Default)]
pub struct Agenda {
    heap: BinaryHeap<Reverse<u128>>,
    sequence: u64,
    now: Time,
    /// The top was handed out and waits to be replaced by the next insertion, which is cheaper than pop and push.
    top_is_spent: bool,
    handled: u64,
}

impl Agenda {
    /// The time of the event handed out last.
    pub fn now(&self) -> Time {
        self.now
    }

    /// Number of events handed out.
    pub fn handled(&self) -> u64 {
        self.handled
    }

    /// Adds an event. Equal times keep the order (phase, insertion).
    ///
    /// # Panics
    /// In debug builds, when `at` is in the past.
    #[inline(never)]
    pub fn schedule(&mut self, at: Time, phase: Phase, code: EventCode) {
        debug_assert!(at >= self.now, "an event in the past: {at} < {}", self.now);
        debug_assert!(code >> CODE_BITS == 0 && at.0 >> 56 == 0);
        let key = u128::from(at.0) << TIME_SHIFT
            | u128::from((phase as u64) << SEQUENCE_BITS | self.sequence) << CODE_BITS
            | u128::from(code);
        self.sequence += 1;
        if self.top_is_spent {
            self.top_is_spent = false;
            if let Some(mut top) = self.heap.peek_mut() {
                *top = Reverse(key);
                return;
            }
        }
        self.heap.push(Reverse(key));
    }

    /// The codes of the events to come, in no order.
    pub fn codes(&self) -> impl Iterator<Item = EventCode> + '_ {
        let spent = self.top_is_spent.then(|| self.heap.peek()).flatten();
        let to_come = self.heap.iter().filter(move |&key| Some(key) != spent);
        to_come.map(|key| code_of(key.0))
    }

    /// Forgets all events to come but those that `keeps` names. The order of the others stays.
    pub fn retain(&mut self, mut keeps: impl FnMut(EventCode) -> bool) {
        if std::mem::take(&mut self.top_is_spent) {
            self.heap.pop();
        }
        self.heap.retain(|key| keeps(code_of(key.0)));
    }

    /// Hands out the next event not after `until`, or `None`.
    // Two instances of the run loop call it, with and without a probe: compilers inline by themselves what has one caller.
    #[inline(always)]
    pub fn next(&mut self, until: Time) -> Option<(Time, EventCode)> {
        if self.top_is_spent {
            self.top_is_spent = false;
            self.heap.pop();
        }
        let key = self.heap.peek()?.0;
        let time = Time((key >> TIME_SHIFT) as u64);
        if time > until {
            return None;
        }
        self.top_is_spent = true;
        self.now = time;
        self.handled += 1;
        Some((time, code_of(key)))
    }
}

#[inline(always)]
fn code_of(key: u128) -> EventCode {
    (key & ((1 << CODE_BITS) - 1)) as EventCode
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_times_keep_phase_then_insertion() {
        let mut agenda = Agenda::default();
        agenda.schedule(Time(5), Phase::Contention, 1);
        agenda.schedule(Time(5), Phase::Timer, 2);
        agenda.schedule(Time(5), Phase::Arrival, 3);
        agenda.schedule(Time(5), Phase::Timer, 4);
        agenda.schedule(Time(4), Phase::Contention, 5);
        let order: Vec<_> =
            std::iter::from_fn(|| agenda.next(Time::NEVER)).map(|(_, code)| code).collect();
        assert_eq!(order, [5, 3, 2, 4, 1]);
        assert_eq!(agenda.handled(), 5);
    }

    #[test]
    fn an_insertion_after_a_hand_out_replaces_the_top_and_keeps_the_order() {
        let mut agenda = Agenda::default();
        for t in [10, 20, 30] {
            agenda.schedule(Time(t), Phase::Arrival, t as u32);
        }
        assert_eq!(agenda.next(Time::NEVER), Some((Time(10), 10)));
        agenda.schedule(Time(25), Phase::Arrival, 25);
        agenda.schedule(Time(15), Phase::Arrival, 15);
        let order: Vec<_> =
            std::iter::from_fn(|| agenda.next(Time::NEVER)).map(|(_, code)| code).collect();
        assert_eq!(order, [15, 20, 25, 30]);
    }

    #[test]
    fn what_is_kept_keeps_its_order_and_what_was_handed_out_does_not_come_again() {
        let mut agenda = Agenda::default();
        for code in [1, 2, 3, 4, 5] {
            agenda.schedule(Time(7), Phase::Arrival, code);
        }
        assert_eq!(agenda.next(Time::NEVER), Some((Time(7), 1)));
        let mut codes: Vec<_> = agenda.codes().collect();
        codes.sort_unstable();
        assert_eq!(codes, [2, 3, 4, 5]);
        agenda.retain(|code| code != 3);
        agenda.schedule(Time(7), Phase::Arrival, 6);
        let order: Vec<_> = std::iter::from_fn(|| agenda.next(Time::NEVER)).collect();
        assert_eq!(order, [2, 4, 5, 6].map(|code| (Time(7), code)));
        assert_eq!(agenda.handled(), 5);
    }

    #[test]
    fn stops_at_the_horizon_and_goes_on_later() {
        let mut agenda = Agenda::default();
        agenda.schedule(Time(10), Phase::Arrival, 1);
        assert_eq!(agenda.next(Time(9)), None);
        assert_eq!(agenda.next(Time(10)), Some((Time(10), 1)));
        assert_eq!(agenda.next(Time(99)), None);
    }
}
