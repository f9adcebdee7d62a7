//! What is a node's own.

use super::{MobilitySpec, QueueSpec, RetryLimit, Rts, WaypointSpec};
use crate::table::{prose, table};
use crate::units::BitRate;
use crate::word::Word;
use wifi::rate::RateChoice;

table! {
    /// What is a node's own: place, rate, limits, queue.
    pub struct NodeSpec {
        /// A node that a link or a cell names; a star stands for any text.
        needed name: String;
        /// East, north and, if not zero, up, metres: [10, 0].
        position: Vec<f64>;
        /// Metres a second, east, north and up, from time zero on.
        velocity: Vec<f64> = held prose("at rest");
        /// Where it goes, one place after the other, from its position on; it rests at the last.
        list waypoints: WaypointSpec;
        /// A rule by which it moves, in the place of position, velocity and waypoints.
        mobility: MobilitySpec;
        /// Rate of data frames between this station and its access point.
        rate: BitRate = held prose("the cell's");
        /// How the rate of data frames between this station and its access point is chosen.
        rate_control: Word<RateChoice> = held prose("as in the cell");
        /// Its aCWmin, slots.
        cw_min: u32 = held prose("the cell's");
        /// Its aCWmax, slots.
        cw_max: u32 = held prose("the cell's");
        /// When RTS/CTS precede what it sends.
        rts: Rts = held prose("as in the cell");
        /// Its limit for RTS frames and data up to the RTS threshold, or "none".
        short_retry_limit: RetryLimit = held prose("the cell's");
        /// Its limit for data above the RTS threshold, or "none".
        long_retry_limit: RetryLimit = held prose("the cell's");
        /// Both of its limits at once.
        retry_limit: RetryLimit;
        /// Its interface queue.
        queue: QueueSpec = held prose("the cell's");
    }
}
