//! Settings of single nodes.

use super::of_station::{MacOfStation, PhyOfStation};
use super::{MobilitySpec, QueueSpec, WaypointSpec};
use crate::settings::Set;
use crate::table::{prose, table};

table! {
    /// Settings of one node, or of all that a name with a star matches: place, movement, rate, limits and queue.
    pub struct NodeSpec {
        /// The name of a node that a link or a cell names. A star stands for any text.
        needed name: String;
        /// The place in metres: [east, north], or [east, north, up]. It needs a [medium] or an 802.16 cell with a
        /// `signal`.
        position: Vec<f64>;
        /// The velocity in metres a second from the start on: [east, north], or [east, north, up].
        velocity: Vec<f64> = held prose("at rest");
        /// The places to which the node moves, one after the other. It stays at the last.
        list waypoints: WaypointSpec;
        /// A rule or a trace by which the node moves. It takes the place of `position`, `velocity` and `waypoints`.
        mobility: MobilitySpec;
        /// False: this station of a cell with access categories has none. It contends by DCF, and sends and gets single
        /// frames.
        qos: bool = true;
        /// False: this station declines each block-ack agreement that another asks it for (`agreements = "frames"` of `[qos]`), and
        /// gets single frames. It may send aggregates.
        accepts_agreements: bool = true;
        /// The share of airtime that a station with `queue = "mac80211"` gives this receiver beside others: its deficit grows
        /// by this number of microseconds in each of its turns.
        airtime_weight: u32 = held 256;
        /// Of its timing and rates.
        settings phy: Set<PhyOfStation>;
        /// Of its rules.
        settings mac: Set<MacOfStation>;
        /// The interface queue of this station.
        queue: QueueSpec = held prose("the cell's");
    }
}
