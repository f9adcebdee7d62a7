//! How packets find their way.

use super::ClustersSpec;
use crate::radio_units::Length;
use crate::table::{prose, table};
use crate::units::Duration;
use crate::word::Word;
use base::named;

named! {
    /// How packets find their way.
    pub enum RoutingName, "kind of routing" {
        Static = "static": "by the fewest hops over all links and cells, once for all",
        Shortest = "shortest": "by the fewest hops over the links that stations have where they are now",
        Dsdv = "dsdv": "by what stations tell each other in updates on the air: DSDV, as ns-2 has it",
        Clusters = "clusters": "within clusters directly, between them by clusterheads, elected by where stations are",
    }
}

table! {
    /// How packets find their way.
    #[derive(Default)]
    pub struct RoutingSpec {
        /// How packets find their way.
        kind: Word<RoutingName> = held "static" => "all stations of an ad hoc cell are taken as neighbours";
        /// shortest: two stations have a link where mean power, without shadowing and fading, is so much above
        /// rx_threshold, dB.
        margin_db: f64 = held 0;
        /// shortest: two stations have a link up to this distance, in the place of margin_db.
        distance: Length;
        /// shortest: so much later than links appear and break do packets go by them.
        delay: Duration = "0 s";
        /// dsdv: the longest time between two full updates of a station; the shortest is three quarters of it.
        update_period: Duration = "15 s";
        /// dsdv: the settling time of a destination that is new; twice as long a station waits before it tells of it.
        settling_time: Duration = "6 s";
        /// dsdv: a neighbour is lost that has not been heard for so many periods.
        missed_updates: u32 = 3;
        /// clusters: how they are formed, and who speaks for them.
        clusters: ClustersSpec = held prose("the defaults of its keys");
        /// The most hops that a packet makes, 1 to 255.
        ttl: u32 = held 64;
    }
}

table! {
    /// A next hop: at these nodes packets for those go to that neighbour, whatever else is shorter.
    pub struct RouteSpec {
        /// At this node; a star stands for any text.
        needed from: String;
        /// Packets for this node; a star stands for any text.
        needed to: String;
        /// Go to this neighbour.
        needed via: String;
    }
}
