//! The scenario format: what a TOML file may say. The doc comments become the JSON Schema's descriptions.
//!
//! Nothing is decided here: a value that a file leaves out stays `None`, and `check` fills it in from the conventions.

mod acks;
mod apps;
mod association;
mod cell;
mod channel;
mod clusters;
mod lan;
mod law;
mod medium;
mod mobile_ip;
mod motion;
mod node;
mod policy;
mod proxy;
mod queue;
mod routing;
mod tcp;
mod topology;
mod traffic;
mod wimax;

pub use acks::{DelayedAckSpec, DelayedAckTable, ExitGrowsSpec};
pub use apps::{
    AppKind, AppSpec, BulkTable, CbrTable, CodecSpec, CodecTable, GameDirectionName, GameTable,
    Offset, OnOffTable, OnTimesSpec, PeriodicTable, RequestResponseTable, SaturatedTable,
    ShortFlowsTable, TimesName, VideoTable, VoiceTable, WebModelName, WebTable,
};
pub use association::{AssociationName, AssociationSpec, ScanName};
pub use cell::{
    CellSpec, CountName, MacSpec, PhySpec, ProtectionName, RetryLimit, Rts, StandardName, Stations,
};
pub use channel::{
    BernoulliTable, BitErrorsTable, ChannelModelName, ChannelSpec, FecSpec, GilbertElliottTable,
    IdealTable,
};
pub use clusters::ClustersSpec;
pub use lan::LanSpec;
pub use law::{CountLaw, DistributionName, Drawn, LawTable, Number, Quantity, SizeLaw, TimeLaw};
pub use medium::{FadingName, MediumSpec, PathLossName, Placement, ReceptionName};
pub use mobile_ip::MobileIpSpec;
pub use motion::{MobilityName, MobilitySpec, RandomWaypointTable, TraceTable, WaypointSpec};
pub use node::NodeSpec;
pub use policy::{PickedVariant, PolicySpec, PolicyTable, RuleSpec, WhenSpec};
pub use proxy::{MtcpTable, Places, ProxyName, ProxySpec, SnoopTable, SplitTable};
pub use queue::{LimitSpec, QueueCounts, QueueSpec};
pub use routing::{RouteSpec, RoutingName, RoutingSpec};
pub use tcp::{
    AUTO, LawKey, LawValue, Outside, TcpSpec, Threshold, TimestampsSpec, UdpSpec, VariantKey,
};
pub use topology::{BurstSpec, DirectionName, DropSpec, LinkSpec, LossDirection};
pub use traffic::{FlowSpec, TransportName};
pub use wimax::{ArqSpec, PrefixName, Ratio, ServiceSpec, SignalSpec, SubscriberSpec, WimaxSpec};

pub use crate::conventions::Conventions;
use crate::table::{prose, table};
use crate::units::Duration;
use crate::word::Word;
use record::MeasureName;

table! {
    /// A lasthop scenario: a network, its traffic, and how long to simulate.
    ///
    /// Top-level tables (queue, phy, mac, channel, fec, tcp, udp) are defaults for all links, cells and flows, each of
    /// which can say otherwise in a table of its own.
    pub struct ScenarioSpec {
        /// A name for results.
        name: String;
        /// What the scenario shows, in a sentence or two.
        description: String;
        /// How long to simulate, such as "100 s".
        needed duration: Duration;
        /// How much of the start is left out of every measure; less than the duration.
        warmup: Duration = "0 s";
        /// The root of all random numbers; --seed overrides it.
        seed: i64 = 1;
        /// Where values that the file leaves out come from.
        conventions: Word<Conventions> = "standard";
        /// Measures beside the usual ones, which make a run slower. Default: none.
        list measures: Word<MeasureName>;
        /// Wired links.
        list link: LinkSpec;
        /// The queue of every interface that does not say otherwise.
        queue: QueueSpec = "50 packets";
        /// 802.11 cells.
        list cell: CellSpec;
        /// 802.16 cells.
        list wimax: WimaxSpec;
        /// Shared wired LANs.
        list lan: LanSpec;
        /// Who hears whom how strongly.
        medium: MediumSpec = held prose("all stations of a cell hear each other, cells do not");
        /// Who belongs to which access point.
        association: AssociationSpec = held prose("stations to their cell's, for ever, without beacons");
        /// Nodes that keep their address while they go from agent to agent.
        mobile_ip: MobileIpSpec = held prose("there are none");
        /// Places of nodes.
        list node: NodeSpec;
        /// How packets find their way.
        routing: RoutingSpec;
        /// Next hops that are set.
        list route: RouteSpec;
        /// 802.11 timing and rates.
        phy: PhySpec;
        /// 802.11 rules and limits.
        mac: MacSpec;
        /// How a cell's air loses bits.
        channel: ChannelSpec = held prose("it loses none");
        /// Forward error correction in the air.
        fec: FecSpec = held prose("none");
        /// TCP's parameters.
        tcp: TcpSpec;
        /// UDP's parameters.
        udp: UdpSpec;
        /// Who talks to whom.
        list flow: FlowSpec;
        /// Parts of nodes that take part in the transport of flows that pass there.
        list proxy: ProxySpec;
    }
}
