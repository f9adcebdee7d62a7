//! How nodes move.

use crate::at::At;
use crate::radio_units::{Speed, Speeds};
use crate::units::Duration;
use crate::word::Word;
use base::named;
use radio::mobility::MovementFormat;
use schemars::JsonSchema;
use serde::Deserialize;

named! {
    /// By what rule a node moves.
    pub enum MobilityName, "kind of mobility" {
        RandomWaypoint = "random_waypoint": "to a uniform point of an area at a uniform speed, a pause, and on",
        Trace = "trace": "as a file says",
    }
}

/// A node sets off.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WaypointSpec {
    /// When, from the start of the run on; under way it turns from where it is. Default: when it has arrived where it went
    /// before.
    pub at: Option<At<Duration>>,
    /// Where to: east, north and, if not zero, up, metres.
    pub to: At<Vec<f64>>,
    /// How fast.
    pub speed: At<Speed>,
}

/// A rule by which a node moves.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MobilitySpec {
    /// By what rule a node moves.
    pub kind: At<Word<MobilityName>>,
    /// random_waypoint: where, metres: [east, north] from the origin, or [west, south, east, north].
    pub area: Option<At<Vec<f64>>>,
    /// random_waypoint: how fast, drawn uniformly between two speeds.
    pub speed: Option<At<Speeds>>,
    /// random_waypoint: how long it rests at every point. Default: "0 s".
    pub pause: Option<At<Duration>>,
    /// random_waypoint: begin as if it had gone on for ever (Navidi and Camp 2004); else at a uniform place, setting off at
    /// once, and slow down in the mean for long. Default: true.
    pub steady_state: Option<At<bool>>,
    /// trace: the file, as seen from the scenario's own folder.
    pub file: Option<At<String>>,
    /// trace: its form.
    pub format: Option<At<Word<MovementFormat>>>,
    /// trace: what the file calls this node. Default: its own name.
    pub node: Option<At<String>>,
    /// bonnmotion: coordinates of a point, 2 or 3. Default: 2.
    pub dimensions: Option<At<u32>>,
}
