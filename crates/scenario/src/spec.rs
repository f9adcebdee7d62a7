//! The scenario format: the tables and keys of a TOML file. The doc comments become the JSON Schema's descriptions.
//!
//! Nothing is decided here: a value that a file leaves out stays `None`, and `check` fills it in from the conventions.

mod apps;
mod association;
mod cell;
mod channel;
mod clusters;
mod codepoint;
mod lan;
mod law;
mod medium;
mod mobile_ip;
mod motion;
mod node;
mod of_station;
mod overlay;
mod policy;
mod proxy;
mod qos;
mod queue;
mod routing;
mod tcp;
mod topology;
mod traffic;
mod wimax;

pub use apps::{
    AppKind, AppSpec, BulkTable, CbrTable, CodecSpec, CodecTable, GameDirectionName, GameTable,
    Offset, OnOffTable, OnTimesSpec, PeriodicTable, RequestResponseTable, SaturatedTable,
    ShortFlowsTable, TimesName, VideoTable, VoiceTable, WebModelName, WebTable,
};
pub use association::AssociationSpec;
pub use cell::{CellSpec, MacSpec, PhySpec, Stations};
pub use channel::{
    BernoulliTable, BitErrorsTable, ChannelModelName, ChannelSpec, FecSpec, GilbertElliottTable,
    IdealTable, MarkovTable,
};
pub use clusters::ClustersSpec;
pub use codepoint::CodePoint;
pub use lan::LanSpec;
pub use law::{CountLaw, DistributionName, Drawn, LawTable, Number, Quantity, SizeLaw, TimeLaw};
pub use medium::{MediumSpec, Placement};
pub use mobile_ip::MobileIpSpec;
pub use motion::{MobilityName, MobilitySpec, RandomWaypointTable, TraceTable, WaypointSpec};
pub use node::NodeSpec;
pub use overlay::{AppLayer, ChannelLayer, OverlaySpec, WimaxLayer};
pub use policy::{PickedVariant, PolicySpec, PolicyTable, RuleSpec, WhenSpec};
pub use proxy::{MtcpTable, Places, ProxyName, ProxySpec, SnoopTable, SplitTable};
pub use qos::{EdcaSpec, QosSpec};
pub use queue::{LimitSpec, QueueSpec};
pub use routing::{RouteSpec, RoutingName, RoutingSpec};
pub use tcp::{AUTO, LawKey, LawValue, Outside, TcpSpec, UdpSpec, VariantKey};
pub use topology::{
    BurstSpec, ChangeSpec, DirectionName, DropSpec, LinkSpec, LossDirection, TraceFormat,
};
pub use traffic::{FlowSpec, TransportName};
pub use wimax::{ArqSpec, EntrySpec, ServiceSpec, SignalSpec, SubscriberSpec, WimaxSpec};

pub use crate::conventions::{Conventions, ConventionsSpec, Layer};
use crate::table::{prose, table};
use crate::units::Duration;
use crate::word::Word;
use record::MeasureName;

table! {
    /// A lasthop scenario: a network, its traffic, and how long to simulate. The tables `queue`, `phy`, `mac`,
    /// `qos`, `channel`, `fec`, `tcp` and `udp` at the top of the file hold for all links, cells and flows; each link,
    /// cell and flow can have a table of its own that changes them.
    pub struct ScenarioSpec {
        /// The name of the scenario, which results carry.
        name: String;
        /// What the scenario shows, in a sentence or two.
        description: String;
        /// How long to simulate, such as "100 s". The warm-up is part of it.
        needed duration: Duration;
        /// How much of the start is left out of every measure. It must be shorter than the duration.
        warmup: Duration = "0 s";
        /// The seed from which all random numbers are derived. `--seed` overrides it.
        seed: i64 = 1;
        /// Where the values come from that the file leaves out: a name, a TOML file of one's own with tables of
        /// settings such as `[tcp]`, or a list of these, of which a later one counts more.
        conventions: ConventionsSpec = "standard";
        /// Measures that are taken beside the usual ones. They make a run slower. Default: none.
        list measures: Word<MeasureName>;
        /// The wired links.
        list link: LinkSpec;
        /// The queue of every interface that has none of its own.
        queue: QueueSpec = "50 packets";
        /// The 802.11 cells.
        list cell: CellSpec;
        /// The 802.16 cells.
        list wimax: WimaxSpec;
        /// The shared wired LANs.
        list lan: LanSpec;
        /// Path loss, fading and reception between stations that have places. It decides who hears whom, and how
        /// strongly.
        medium: MediumSpec = held prose("all stations of a cell hear each other, and cells do not");
        /// How stations find their access point and change it.
        association: AssociationSpec = held prose("each station belongs to the access point of its cell, and there are no beacons");
        /// Mobile IP: nodes keep their address while they move from one agent to another.
        mobile_ip: MobileIpSpec = held prose("there are none");
        /// The places of nodes, how they move, and settings of single stations.
        list node: NodeSpec;
        /// How packets find their path.
        routing: RoutingSpec;
        /// Next hops that are set by hand. They take precedence over routes that are computed.
        list route: RouteSpec;
        /// The timing and the rates of 802.11.
        phy: PhySpec;
        /// The access rules and the retry limits of 802.11.
        mac: MacSpec;
        /// The access categories, aggregation and block acknowledgements of 802.11.
        qos: QosSpec = held prose("as the standard has them");
        /// How frames are lost in the air of a cell, other than by collisions.
        channel: ChannelSpec = held prose("nothing is lost but by collisions");
        /// Forward error correction of data frames in the air.
        fec: FecSpec = held prose("none");
        /// The parameters of TCP.
        tcp: TcpSpec;
        /// The parameters of UDP.
        udp: UdpSpec;
        /// The flows: who sends what to whom.
        list flow: FlowSpec;
        /// Proxies: base stations that split the TCP connections that pass them, or watch over them.
        list proxy: ProxySpec;
    }
}
