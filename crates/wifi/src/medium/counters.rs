//! The backoffs of a station with access functions that senses the medium for itself.

use super::counter::Counter;
use crate::config::AccessRule;
use base::{Span, StationId, Time};

/// The backoff of an access function.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    /// Slots to go.
    pub counter: Counter,
    /// SIFS and AIFSN slots.
    pub space: Span,
    /// Boundaries of slots count it down (EDCA), not idle slots (DCF).
    pub by_boundaries: bool,
}

/// The backoffs of all functions of a station.
#[derive(Clone, Debug)]
pub struct Counters {
    /// By function.
    pub functions: Vec<Function>,
    slot: Span,
    /// The station has a TXOP in which it sends again without contention: nothing counts.
    pub is_held: bool,
    /// The station answers with a CTS, whose data begin at this time if they come.
    pub promised: Time,
    /// Since when nobody is noticed, if nobody is.
    pub idle_since: Time,
    /// Who made the reservation that its NAV holds (the TXOP holder of 802.11-2020, 10.23.2.4).
    pub reserved_by: StationId,
}

impl Counters {
    /// Of functions with nothing to send, each with its space and whether boundaries count.
    pub fn new(waits: impl Iterator<Item = (Span, bool)>, slot: Span) -> Counters {
        let function =
            |(space, by_boundaries)| Function { counter: Counter::idle(), space, by_boundaries };
        Counters {
            functions: waits.map(function).collect(),
            slot,
            is_held: false,
            promised: Time::ZERO,
            idle_since: Time::ZERO,
            reserved_by: StationId(u32::MAX),
        }
    }

    /// Each has another space from now on, and other boundaries count.
    pub fn wait(&mut self, waits: impl Iterator<Item = (Span, bool)>) {
        for (function, (space, by_boundaries)) in self.functions.iter_mut().zip(waits) {
            (function.space, function.by_boundaries) = (space, by_boundaries);
        }
    }

    /// Time at which the first of them begins to transmit if the medium stays as it is.
    pub fn start(&self) -> Time {
        let starts = self.functions.iter().map(|function| function.counter.start(self.slot));
        starts.min().unwrap_or(Time::NEVER)
    }

    /// True where a function begins at `now`.
    pub fn begins(&self, function: usize, now: Time) -> bool {
        self.functions[function].counter.start(self.slot) == now
    }

    /// The medium becomes busy at `now`.
    pub fn freeze(&mut self, now: Time) {
        for Function { counter, by_boundaries, .. } in &mut self.functions {
            counter.freeze_at(now, self.slot, *by_boundaries);
        }
    }

    /// Nothing counts from now on; nothing has counted since the medium became idle.
    pub fn hold(&mut self) {
        self.is_held = true;
        self.functions.iter_mut().for_each(|function| function.counter.resume(Time::NEVER));
    }

    /// The medium is idle: slots pass for each function from when its space is over, as `ends` says.
    pub fn resume(&mut self, ends: impl Fn(Span) -> Time) {
        if !self.is_held {
            let functions = self.functions.iter_mut();
            functions.for_each(|function| function.counter.resume(ends(function.space)));
        }
    }

    /// A function that had nothing to send has something at `now`. Where the medium is idle it begins at the next boundary of
    /// a slot (802.11-2020, 10.23.2.4); else `draw` gives the slots of a backoff.
    pub fn request(
        &mut self,
        function: usize,
        (now, is_idle): (Time, bool),
        draw: impl FnOnce() -> u32,
    ) {
        let (slot, counter) = (self.slot, &mut self.functions[function].counter);
        if counter.is_finished(now, slot) {
            if is_idle {
                let ends = counter.runs_from();
                counter.draw(0);
                counter.defer(AccessRule::SlotBoundary.earliest(now, ends, (Span::ZERO, slot)));
            } else {
                counter.draw(draw());
            }
        }
        counter.arm();
    }

    /// A function backs off by `slots`, with something to send behind it or not.
    pub fn draw(&mut self, function: usize, (slots, contends): (u32, bool)) {
        let counter = &mut self.functions[function].counter;
        counter.draw(slots);
        if contends {
            counter.arm();
        }
    }
}
