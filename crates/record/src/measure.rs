//! Measures: numbers of each flow that cost time, so that a run has them only if its scenario asks.

use crate::journey::{End, Journey};
use crate::kinds::Kind;
use base::Time;
use world::{Note, Plan};

/// Takes a measure of all flows, note by note.
pub trait Measure: Clone + Sized {
    /// Keys that it adds to those that every flow has.
    type Of;

    /// The notes that it is shown: no others.
    const SEES: &'static [Kind] = &[];

    /// True if it needs the ends of packets' journeys, which are followed only on request.
    const FOLLOWS: bool = false;

    /// At the start of a run of `plan`.
    fn start(plan: &Plan) -> Self;

    /// Something of [`Self::SEES`] has happened; `measured`: in the measured time.
    fn see(&mut self, _now: Time, _note: &Note, _measured: bool) {}

    /// A packet has come to its end in the measured time.
    fn on_end(&mut self, _journey: &Journey, _end: End) {}

    /// Result for the flow of this number, if any.
    fn of(&self, flow: usize) -> Option<Self::Of>;
}
