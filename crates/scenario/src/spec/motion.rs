//! How nodes move.

use crate::kinds::kinds;
use crate::radio_units::{Speed, Speeds};
use crate::table::{prose, table};
use crate::units::Duration;
use crate::word::Word;
use radio::mobility::MovementFormat;

table! {
    /// A node sets off.
    pub struct WaypointSpec {
        /// When, from the start of the run on; under way it turns from where it is.
        at: Duration = held prose("when it has arrived where it went before");
        /// Where to: east, north and, if not zero, up, metres.
        needed to: Vec<f64>;
        /// How fast.
        needed speed: Speed;
    }
}

kinds! {
    /// A rule by which a node moves.
    pub enum MobilitySpec of MobilityName, "kind of mobility", "kind of mobility", "kinds of mobility" by "kind" {
        RandomWaypoint(RandomWaypointTable) = "random_waypoint": "to a uniform point of an area at a uniform speed, a pause, and on",
        Trace(TraceTable) = "trace": "as a file says",
    }
    allowed "a rule, such as { kind = \"random_waypoint\", area = [500, 300], speed = [\"1 m/s\", \"5 m/s\"] }";
    by_name false;
    lenient false;
}

table! {
    /// random_waypoint.
    pub struct RandomWaypointTable {
        /// Where, metres: [east, north] from the origin, or [west, south, east, north], such as [500, 300].
        needed area: Vec<f64>;
        /// How fast, drawn uniformly between two speeds, such as ["1 m/s", "5 m/s"].
        needed speed: Speeds;
        /// How long it rests at every point.
        pause: Duration = "0 s";
        /// Begin as if it had gone on for ever (Navidi and Camp 2004); else at a uniform place, setting off at once, and
        /// slow down in the mean for long.
        steady_state: bool = true;
    }
}

table! {
    /// trace.
    pub struct TraceTable {
        /// The file, as seen from the scenario's own folder.
        needed file: String;
        /// Its form.
        needed format: Word<MovementFormat>;
        /// What the file calls this node.
        node: String = held prose("its own name");
        /// bonnmotion: coordinates of a point, 2 or 3.
        dimensions: u32 = 2;
    }
}
