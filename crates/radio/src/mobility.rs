//! Positions of nodes at any instant: exact, with no ticking. Traces are parsed from text that the caller has read.
//!
//! A [`Mobility`] gives the place at a time and the distance travelled until then; two together give the instant at which
//! they cross a distance.

mod bonnmotion;
mod crossing;
mod csv;
mod fcd;
mod random_waypoint;
mod setdest;
mod text;
mod track;

pub use crossing::{Crossing, next_crossing};
pub use random_waypoint::{RandomWaypoint, RandomWaypointConfig, WaypointStart};
pub use text::{NamedTrack, TraceError};
pub use track::{Leg, Track, Waypoint};

use crate::position::Position;
use base::{Seed, Time, named};
use bonnmotion::parse_bonnmotion;
use csv::parse_csv;
use fcd::parse_fcd;
use setdest::parse_setdest;

named! {
    /// Format of a file with movements.
    pub enum MovementFormat, "trace format" {
        Setdest = "setdest": "ns-2: $ns_ at T \"$node_(I) setdest X Y SPEED\"",
        BonnMotion = "bonnmotion": "BonnMotion's .movements: a line for each node, time x y (z) time x y (z) ...",
        Fcd = "fcd": "SUMO's floating car data, XML",
        Csv = "csv": "a header with the columns node, time_s, x_m, y_m and, if there are heights, z_m",
    }
}

impl MovementFormat {
    /// Parses the nodes of a file and their tracks; BonnMotion's points have `axes` axes.
    ///
    /// # Errors
    /// The text is not in this format.
    pub fn read(self, text: &str, axes: usize) -> Result<Vec<NamedTrack>, TraceError> {
        match self {
            MovementFormat::Setdest => parse_setdest(text),
            MovementFormat::BonnMotion => parse_bonnmotion(text, axes),
            MovementFormat::Fcd => parse_fcd(text),
            MovementFormat::Csv => parse_csv(text),
        }
    }
}

/// Movement of a node.
#[derive(Clone, Debug)]
pub enum Mobility {
    /// Along a path known in advance: at rest, at a constant velocity, by waypoints, from a trace.
    Track(Track),
    /// Random waypoint, drawn as time goes on.
    RandomWaypoint(Box<RandomWaypoint>),
}

impl Mobility {
    /// At rest.
    pub fn fixed(at: Position) -> Mobility {
        Mobility::Track(Track::fixed(at))
    }

    /// The movement of `node` in the run of `seed`, by the rules of this one: what is drawn is drawn anew.
    pub fn of(&self, seed: Seed, node: u32) -> Mobility {
        match self {
            Mobility::Track(track) => Mobility::Track(track.clone()),
            Mobility::RandomWaypoint(walk) => {
                Mobility::RandomWaypoint(Box::new(walk.anew(seed, node)))
            }
        }
    }

    /// The piece of straight way on which the node is at `now`.
    pub fn leg(&mut self, now: Time) -> Leg {
        match self {
            Mobility::Track(track) => track.leg(now),
            Mobility::RandomWaypoint(walk) => walk.leg(now),
        }
    }

    /// Position of the node at `now`.
    #[inline]
    pub fn position(&mut self, now: Time) -> Position {
        self.leg(now).position(now)
    }

    /// The way travelled since time zero, metres: what correlated shadowing and fading follow.
    pub fn travelled_m(&mut self, now: Time) -> f64 {
        self.leg(now).travelled_m(now)
    }

    /// False before a trace's node appears and after it has left.
    pub fn is_present(&self, now: Time) -> bool {
        match self {
            Mobility::Track(track) => track.is_present(now),
            Mobility::RandomWaypoint(_) => true,
        }
    }

    /// The next time after `after` at which the node appears or has left.
    pub fn next_appearance(&self, after: Time) -> Option<Time> {
        match self {
            Mobility::Track(track) => track.next_appearance(after),
            Mobility::RandomWaypoint(_) => None,
        }
    }
}
