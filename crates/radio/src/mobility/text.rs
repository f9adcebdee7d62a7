//! Helpers that the parsers of traces share.

use super::track::{Track, Waypoint};
use crate::position::Position;
use base::Time;
use std::collections::BTreeMap;
use std::fmt;

/// A node of a trace and its way.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedTrack {
    /// Name in the trace.
    pub name: String,
    /// Its movement.
    pub track: Track,
}

/// Why a trace cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceError {
    /// Line in the text, from 1.
    pub line: usize,
    /// The value found and the values allowed.
    pub what: String,
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

impl std::error::Error for TraceError {}

/// An error at a line.
pub fn problem<T>(line: usize, what: impl Into<String>) -> Result<T, TraceError> {
    Err(TraceError { line, what: what.into() })
}

/// A finite number.
pub fn number(line: usize, field: &str, text: &str) -> Result<f64, TraceError> {
    match text.trim().parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => problem(line, format!("{field} is {text:?}; allowed: a number")),
    }
}

/// A time in seconds, not negative, exact to the nanosecond.
pub fn time(line: usize, field: &str, text: &str) -> Result<Time, TraceError> {
    let seconds = number(line, field, text)?;
    if !(0.0..1e9).contains(&seconds) {
        return problem(line, format!("{field} is {text} s; allowed: 0 to 10^9 s"));
    }
    Ok(Time::ZERO + base::Span::from_secs(seconds))
}

/// Gathers waypoints by node, in the order in which nodes first appear.
#[derive(Default)]
pub struct Gathered {
    places: BTreeMap<String, usize>,
    nodes: Vec<(String, Vec<Waypoint>)>,
}

impl Gathered {
    /// The node `name` is at `place` at `at`, no earlier than it was anywhere else.
    pub fn add(
        &mut self,
        line: usize,
        name: &str,
        at: Time,
        place: Position,
    ) -> Result<(), TraceError> {
        let index = match self.places.get(name) {
            Some(&index) => index,
            None => {
                self.places.insert(name.into(), self.nodes.len());
                self.nodes.push((name.into(), Vec::new()));
                self.nodes.len() - 1
            }
        };
        let waypoints = &mut self.nodes[index].1;
        if let Some(last) = waypoints.last().filter(|last| at < last.at) {
            let what =
                format!("{name:?} is back at {at} after {}; allowed: times that rise", last.at);
            return problem(line, what);
        }
        waypoints.push(Waypoint { at, place });
        Ok(())
    }

    /// The ways of all nodes; there as `presence` says.
    pub fn tracks(self, presence: Presence) -> Vec<NamedTrack> {
        let track = |(name, waypoints): (String, Vec<Waypoint>)| {
            let track = Track::through(&waypoints)?;
            let (first, last) = (waypoints.first()?.at, waypoints.last()?.at);
            let track = match presence {
                Presence::Always => track,
                Presence::WhileTraced => track.present(first, last),
            };
            Some(NamedTrack { name, track })
        };
        self.nodes.into_iter().filter_map(track).collect()
    }
}

/// Presence of a node of a trace.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// Always: it rests before its first and after its last waypoint.
    Always,
    /// From its first to its last waypoint.
    WhileTraced,
}
