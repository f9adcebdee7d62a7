//! The scenario format: what a TOML file may say. The doc comments become the JSON Schema's descriptions.
//!
//! Nothing is decided here: a value that a file leaves out stays `None`, and `check` fills it in from the conventions.

mod acks;
mod association;
mod cell;
mod law;
mod medium;
mod mobile_ip;
mod motion;
mod policy;
mod queue;
mod routing;
mod tcp;
mod topology;
mod traffic;
mod web;

pub use acks::{DelayedAckSpec, DelayedAckTable, ExitGrowsSpec};
pub use association::{AssociationName, AssociationSpec, ScanName};
pub use cell::{
    CellSpec, ChannelModelName, ChannelSpec, CountName, FecSpec, MacSpec, PhySpec, ProtectionName,
    RetryLimit, Rts, StandardName, Stations,
};
pub use law::{CountLaw, DistributionName, Drawn, LawTable, Number, Quantity, SizeLaw, TimeLaw};
pub use medium::{FadingName, MediumSpec, NodeSpec, PathLossName, Placement, ReceptionName};
pub use mobile_ip::MobileIpSpec;
pub use motion::{MobilityName, MobilitySpec, WaypointSpec};
pub use policy::{PickedVariant, PolicySpec, PolicyTable, RuleSpec, WhenSpec};
pub use queue::{LimitSpec, QueueCounts, QueueSpec};
pub use routing::{RouteSpec, RoutingName, RoutingSpec};
pub use tcp::{
    AUTO, LawKey, LawValue, Outside, TcpSpec, Threshold, TimestampsSpec, UdpSpec, VariantKey,
};
pub use topology::{DirectionName, DropSpec, LinkSpec, LossDirection};
pub use traffic::{
    AppKind, AppSpec, AppTable, CodecSpec, FlowSpec, GameDirectionName, Offset, TimesName,
    TransportName,
};
pub use web::WebModelName;

use crate::at::At;
use crate::units::Duration;
use crate::word::Word;
use base::named;
use schemars::JsonSchema;
use serde::Deserialize;

named! {
    /// Where the unsaid comes from.
    pub enum ConventionsName, "set of conventions" {
        Standard = "standard": "the standards: IEEE 802.11-2020 and the RFCs",
        Ns2 = "ns2": "ns-2.35's ways where they differ, for comparison with published studies",
    }
}

named! {
    /// A measure that costs time.
    pub enum MeasureName, "measure" {
        DelaySplit = "delay_split": "the delay of each flow by its causes: queueing, access, retries, transmission, wire, handoff",
        Interarrival = "interarrival": "times between the arrivals of each flow's packets, of those that have none without being asked (TCP, saturated)",
    }
}

/// A lasthop scenario: a network, its traffic, and how long to simulate.
///
/// Top-level tables (queue, phy, mac, channel, fec, tcp, udp) are defaults for all links, cells and flows, each of
/// which can say otherwise in a table of its own.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScenarioSpec {
    /// A name for results.
    pub name: Option<String>,
    /// What the scenario shows, in a sentence or two.
    pub description: Option<String>,
    /// How long to simulate, such as "100 s".
    pub duration: At<Duration>,
    /// How much of the start is left out of every measure; less than the duration. Default: "0 s".
    pub warmup: Option<At<Duration>>,
    /// The root of all random numbers; --seed overrides it. Default: 1.
    pub seed: Option<At<i64>>,
    /// Where values that the file leaves out come from. Default: "standard".
    pub conventions: Option<Word<ConventionsName>>,
    /// Measures beside the usual ones, which make a run slower. Default: none.
    #[serde(default)]
    pub measures: Vec<At<Word<MeasureName>>>,
    /// Wired links.
    #[serde(default)]
    pub link: Vec<At<LinkSpec>>,
    /// The queue of every interface that does not say otherwise. Default: 50 packets.
    pub queue: Option<At<QueueSpec>>,
    /// 802.11 cells.
    #[serde(default)]
    pub cell: Vec<At<CellSpec>>,
    /// Who hears whom how strongly. Default: all stations of a cell hear each other, cells do not.
    pub medium: Option<At<MediumSpec>>,
    /// Who belongs to which access point. Default: stations to their cell's, for ever, without beacons.
    pub association: Option<At<AssociationSpec>>,
    /// Nodes that keep their address while they go from agent to agent. Default: there are none.
    pub mobile_ip: Option<At<MobileIpSpec>>,
    /// Places of nodes.
    #[serde(default)]
    pub node: Vec<At<NodeSpec>>,
    /// How packets find their way.
    pub routing: Option<At<RoutingSpec>>,
    /// Next hops that are set.
    #[serde(default)]
    pub route: Vec<At<RouteSpec>>,
    /// 802.11 timing and rates.
    pub phy: Option<At<PhySpec>>,
    /// 802.11 rules and limits.
    pub mac: Option<At<MacSpec>>,
    /// How a cell's air loses bits. Default: it loses none.
    pub channel: Option<At<ChannelSpec>>,
    /// Forward error correction in the air. Default: none.
    pub fec: Option<At<FecSpec>>,
    /// TCP's parameters.
    pub tcp: Option<At<TcpSpec>>,
    /// UDP's parameters.
    pub udp: Option<At<UdpSpec>>,
    /// Who talks to whom.
    #[serde(default)]
    pub flow: Vec<At<FlowSpec>>,
}
