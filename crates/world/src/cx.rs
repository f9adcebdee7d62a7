//! The context of every part of a world while an event is handled: the time, the agenda, and the probe.

use crate::event::Event;
use crate::note::Note;
use base::Time;
use engine::{Agenda, Phase, Probe};

/// A probe of the world's notes, on or off: a run is compiled for both.
pub(crate) trait Noting: Probe<Note> {}

impl<P: Probe<Note>> Noting for P {}

/// The moment of an event, and what may come of it.
pub(crate) struct Cx<'a, P> {
    /// The time of the event.
    pub now: Time,
    agenda: &'a mut Agenda,
    probe: &'a mut P,
}

impl<'a, P: Noting> Cx<'a, P> {
    /// At the time of the last event.
    pub fn new(agenda: &'a mut Agenda, probe: &'a mut P) -> Cx<'a, P> {
        Cx { now: agenda.now(), agenda, probe }
    }

    /// The same, for as long as it is lent.
    #[inline(always)]
    pub fn lent(&mut self) -> Cx<'_, P> {
        Cx { now: self.now, agenda: self.agenda, probe: self.probe }
    }

    /// The next event, not after `until`: its time is `now` from here on.
    #[inline(always)]
    pub fn next_event(&mut self, until: Time) -> Option<Event> {
        let (now, code) = self.agenda.next(until)?;
        self.now = now;
        Some(Event::from_code(code))
    }

    // A constant kind of event costs nothing to encode.
    #[inline(always)]
    pub fn schedule(&mut self, at: Time, phase: Phase, event: Event) {
        self.agenda.schedule(at, phase, event.code());
    }

    /// Tells the probe, if there is one, what has happened.
    #[inline(always)]
    pub fn note(&mut self, note: impl FnOnce() -> Note) {
        self.probe.record(self.now, note);
    }

    /// True where notes are made.
    #[inline(always)]
    pub fn is_noting(&self) -> bool {
        P::ON
    }
}
