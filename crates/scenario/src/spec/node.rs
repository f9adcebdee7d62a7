//! What is a node's own.

use super::{MobilitySpec, QueueSpec, RetryLimit, Rts, WaypointSpec};
use crate::table::{prose, table};
use crate::units::BitRate;
use crate::word::Word;
use wifi::rate::RateChoice;

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
        /// The rate of data frames between this station and its access point, in both directions.
        rate: BitRate = held prose("the cell's");
        /// How the rate of data frames between this station and its access point is chosen.
        rate_control: Word<RateChoice> = held prose("as in the cell");
        /// The smallest contention window of this station (aCWmin) in slots.
        cw_min: u32 = held prose("the cell's");
        /// The largest contention window of this station (aCWmax) in slots.
        cw_max: u32 = held prose("the cell's");
        /// When RTS/CTS precede a data frame of this station.
        rts: Rts = held prose("as in the cell");
        /// The retry limit of its RTS frames and of its data frames up to the RTS threshold, or "none".
        short_retry_limit: RetryLimit = held prose("the cell's");
        /// The retry limit of its data frames above the RTS threshold, or "none".
        long_retry_limit: RetryLimit = held prose("the cell's");
        /// Sets `short_retry_limit` and `long_retry_limit` at once, in their place.
        retry_limit: RetryLimit;
        /// The interface queue of this station.
        queue: QueueSpec = held prose("the cell's");
    }
}
