//! Probes, and the set of those that are on.

use crate::columns::{Name, Table};
use crate::journey::{End, Journey};
use crate::kinds::Kind;
use crate::on_air::Settled;
use crate::wanted::Wanted;
use base::{Span, Time};
use engine::Watch;
use world::{Note, Plan};

/// Writes a table, note by note. A probe changes no result.
pub trait Tabulate: Watch<Note> + Clone + Sized {
    /// Its table.
    type Table: Table;

    /// The notes that it is shown: no others.
    const SEES: &'static [Kind];

    /// True if it needs the ends of packets' journeys, which are followed only on request.
    const FOLLOWS: bool = false;

    /// True if it needs the fates of frames on the air, which are followed only on request, once for all.
    const SETTLES: bool = false;

    /// Checks that the probe is possible in a run of `plan`.
    ///
    /// # Errors
    /// Says what is wrong, and what is allowed.
    fn refuse(_plan: &Plan, _step: Option<Span>) -> Result<(), String> {
        Ok(())
    }

    /// At the start of a run of `plan`, with at most a row of each owner in each `step`.
    fn start(plan: &Plan, step: Option<Span>) -> Self;

    /// The fate of a frame on the air is known, before it is shown the note that tells of it.
    fn on_settled(&mut self, _settled: &Settled) {}

    /// A packet has come to its end.
    fn on_end(&mut self, _now: Time, _journey: &Journey, _end: End) {}

    /// The table, at the end of the run.
    fn table(self, close: &Close<'_>) -> Self::Table;
}

/// State known at the end of a run.
#[derive(Clone, Copy, Debug)]
pub struct Close<'a> {
    /// The names of flows, by number.
    pub flows: &'a [Name],
    /// Those of queues: links come first.
    pub queues: &'a [Name],
    /// Those of nodes.
    pub nodes: &'a [Name],
    /// Packets that are still on their way, where they were followed.
    pub under_way: &'a [Journey],
    /// What is wanted of the tables.
    pub wanted: Wanted,
}
