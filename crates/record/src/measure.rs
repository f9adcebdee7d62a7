//! What a measure is: a number of each flow that costs time, so that a run has it only where its scenario asks.

use crate::journey::{End, Journey};
use base::Time;
use world::{Note, Plan};

/// What takes a measure of all flows, note by note.
pub trait Measure: Clone + Sized {
    /// What it gives of a flow: keys beside those that every flow has.
    type Of;

    /// It is told of the ends of packets' journeys: these are followed only where somebody wants them.
    const FOLLOWS: bool = false;

    /// At the start of a run of `plan`.
    fn start(plan: &Plan) -> Self;

    /// Something has happened; `measured`: in the measured time.
    fn see(&mut self, _now: Time, _note: &Note, _measured: bool) {}

    /// A packet has come to its end in the measured time.
    fn on_end(&mut self, _journey: &Journey, _end: End) {}

    /// What it says of the flow of this number; `None`: nothing.
    fn of(&self, flow: usize) -> Option<Self::Of>;
}
