//! Movement of nodes.

use crate::kinds::kinds;
use crate::radio_units::{Speed, Speeds};
use crate::table::{prose, table};
use crate::units::Duration;
use crate::word::Word;
use radio::mobility::MovementFormat;

table! {
    /// A place to which a node moves.
    pub struct WaypointSpec {
        /// When the node sets off, counted from the start of the run. A node that is still under way turns from
        /// where it is.
        at: Duration = held prose("when it has arrived at the place before");
        /// The place in metres: [east, north], or [east, north, up].
        needed to: Vec<f64>;
        /// How fast the node moves there.
        needed speed: Speed;
    }
}

kinds! {
    /// A rule by which a node moves.
    pub enum MobilitySpec of MobilityName, "kind of mobility", "kind of mobility", "kinds of mobility" by "kind" {
        RandomWaypoint(RandomWaypointTable) = "random_waypoint": "the node moves to a random point of an area at a random speed, rests, and goes on to the next",
        Trace(TraceTable) = "trace": "the node moves as a trace file says",
    }
    allowed "a rule, such as { kind = \"random_waypoint\", area = [500, 300], speed = [\"1 m/s\", \"5 m/s\"] }";
    by_name false;
    lenient false;
}

table! {
    /// random_waypoint.
    pub struct RandomWaypointTable {
        /// The area in metres: [east, north] from the origin, or [west, south, east, north].
        needed area: Vec<f64>;
        /// The speed, or the smallest and the largest between which it is drawn, such as ["1 m/s", "5 m/s"].
        needed speed: Speeds;
        /// How long the node rests at every point.
        pause: Duration = "0 s";
        /// True: the movement begins in its stationary state (Navidi and Camp 2004). False: the node sets off at
        /// once from a uniformly drawn place; its mean speed then falls for a long time.
        steady_state: bool = true;
    }
}

table! {
    /// trace.
    pub struct TraceTable {
        /// The trace file, by its path from the scenario's folder.
        needed file: String;
        /// The format of the file.
        needed format: Word<MovementFormat>;
        /// The name that the file has for this node.
        node: String = held prose("the name of the node");
        /// With bonnmotion: how many coordinates a point has, 2 or 3.
        dimensions: u32 = 2;
    }
}
