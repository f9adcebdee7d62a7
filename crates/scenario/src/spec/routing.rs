//! How packets find their way.

use crate::at::At;
use crate::radio_units::Length;
use crate::units::Duration;
use crate::word::Word;
use base::named;
use schemars::JsonSchema;
use serde::Deserialize;

named! {
    /// How packets find their way.
    pub enum RoutingName, "kind of routing" {
        Static = "static": "by the fewest hops over all links and cells, once for all",
        Shortest = "shortest": "by the fewest hops over the links that stations have where they are now",
    }
}

/// How packets find their way.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RoutingSpec {
    /// How packets find their way. Default: "static": all stations of an ad hoc cell are taken as neighbours.
    pub kind: Option<At<Word<RoutingName>>>,
    /// shortest: two stations have a link where mean power, without shadowing and fading, is so much above rx_threshold, dB.
    /// Default: 0.
    pub margin_db: Option<At<f64>>,
    /// shortest: two stations have a link up to this distance, in the place of margin_db.
    pub distance: Option<At<Length>>,
    /// shortest: so much later than links appear and break do packets go by them. Default: "0 s".
    pub delay: Option<At<Duration>>,
    /// The most hops that a packet makes, 1 to 255. Default: 64.
    pub ttl: Option<At<u32>>,
}

/// A next hop: at these nodes packets for those go to that neighbour, whatever else is shorter.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RouteSpec {
    /// At this node; a star stands for any text.
    pub from: At<String>,
    /// Packets for this node; a star stands for any text.
    pub to: At<String>,
    /// Go to this neighbour.
    pub via: At<String>,
}
