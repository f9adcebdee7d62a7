//! Routing of packets.

use super::ClustersSpec;
use crate::radio_units::Length;
use crate::settings::Set;
use crate::table::{prose, table};
use crate::units::Duration;
use crate::word::Word;
use base::named;
use dsdv::Settings;

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
    /// How packets find their path.
    #[derive(Default)]
    pub struct RoutingSpec {
        /// Who finds the routes, and when.
        kind: Word<RoutingName> = held "static" => "all stations of an ad hoc cell count as neighbours";
        /// With shortest: two stations have a link where the mean power, without shadowing and fading, is above
        /// `rx_threshold` by at least this; dB, -100 to 100.
        margin_db: f64 = held 0;
        /// With shortest: two stations have a link up to this distance. It takes the place of `margin_db`.
        distance: Length;
        /// With shortest: how long after a link appears or breaks packets follow the new routes.
        delay: Duration = "0 s";
        /// With dsdv: its constants.
        settings dsdv: Set<Settings>;
        /// With clusters: how clusters are formed, and who speaks for them.
        clusters: ClustersSpec = held prose("the defaults of its keys");
        /// How many hops a packet makes at most, 1 to 255.
        ttl: u32 = held 64;
    }
}

table! {
    /// A next hop that is set by hand. It takes precedence over shorter routes.
    pub struct RouteSpec {
        /// The node at which the packets are. A star stands for any text.
        needed from: String;
        /// The node for which the packets are. A star stands for any text.
        needed to: String;
        /// The neighbour to which the packets go.
        needed via: String;
    }
}
