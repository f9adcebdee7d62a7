//! The plan from which a world is built: checked plain values, indices instead of names. The scenario crate
//! makes it.

mod chance;
mod clusters;
mod components;
mod filtered;
mod headers;
mod parts;
mod proxy;
mod reach;
mod upper;

pub use clusters::{ClustersPlan, Election, Organisation};
pub(crate) use components::Components;
pub use parts::{Part, Technology};
pub use proxy::{GuardKind, GuardPlan, ProxyKind, ProxyPlan, SplitFlow, SplitPlan};
pub use upper::UpperSettings;

use apps::AppConfig;
use base::{FlowId, NodeId, Rate, Span, StationId, Time};
use net::{BurstConfig, CourseConfig, JitterConfig, LanConfig, LossPlace, QueueConfig};
use radio::mobility::Mobility;
use radio::{ChannelConfig, FecConfig, StatePer};
use std::sync::Arc;
use transport::tcp::TcpConfig;
use transport::tcp::auto::Policy;
use wifi::mlme::{AccessPointConfig, AssociationConfig};
use wifi::qos::{
    AIRTIME_WEIGHT, AccessParameters, Category, QosConfig, QosGeneration, QosSettings,
};
use wifi::{Propagation, Reception, StationConfig};

/// A whole network and its traffic.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The length of the run.
    pub duration: Span,
    /// The length of the start that no measure counts.
    pub warmup: Span,
    /// Names of the nodes, by [`NodeId`].
    pub nodes: Vec<String>,
    /// One-way links, by `LinkId`.
    pub links: Vec<LinkPlan>,
    /// 802.11 cells, by `CellId`.
    pub cells: Vec<CellPlan>,
    /// 802.16 cells.
    pub wimax: Vec<WimaxPlan>,
    /// Shared wired LANs.
    pub lans: Vec<LanPlan>,
    /// Flows, by `FlowId`.
    pub flows: Vec<FlowPlan>,
    /// The routing of packets.
    pub routing: RoutingPlan,
    /// The association of stations with access points, where it changes. `None`: stations belong to their
    /// cell's for ever.
    pub association: Option<AssociationPlan>,
    /// Nodes that keep their address wherever they are. `None`: there are none.
    pub mobile_ip: Option<MobileIpPlan>,
    /// Parts of nodes that take part in the transport of flows.
    pub proxies: Vec<ProxyPlan>,
    /// True where packets that stations of 802.11 give up are received all the same after their last attempt,
    /// at that time. False in any real network: see [`Plan::with_radio_losses_filtered`].
    pub radio_losses_filtered: bool,
}

/// Mobile IPv4: agents and mobile nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MobileIpPlan {
    /// Intervals, lifetimes, rules and sizes.
    pub settings: mobileip::Settings,
    /// The node of the home agent. Where it is an access point's, its cell is the mobile nodes' home.
    pub home_agent: NodeId,
    /// The nodes of foreign agents: access points.
    pub foreign_agents: Vec<NodeId>,
    /// The nodes that move.
    pub mobiles: Vec<NodeId>,
}

impl MobileIpPlan {
    /// The nodes of all agents, the home agent first.
    pub fn agents(&self) -> impl Iterator<Item = NodeId> {
        let foreign = self.foreign_agents.iter().copied().filter(|&at| at != self.home_agent);
        [self.home_agent].into_iter().chain(foreign)
    }

    /// The ways of its messages and tunnels, numbered as flows after those of the plan: from each agent to the home agent
    /// and back; from each mobile node, which has its link alone.
    pub fn ways(&self) -> impl Iterator<Item = (NodeId, NodeId)> {
        let wired = self.agents().map(|agent| (agent, self.home_agent));
        wired.chain(self.mobiles.iter().map(|&mobile| (mobile, mobile)))
    }
}

impl Plan {
    /// Returns a link's name in results: "from>to".
    pub fn link_name(&self, link: &LinkPlan) -> String {
        format!("{}>{}", self.nodes[link.from.index()], self.nodes[link.to.index()])
    }

    /// The nodes with a router of DSDV, which each has that has a station. Their updates are numbered as flows after those of
    /// the plan.
    pub fn routers(&self) -> impl Iterator<Item = NodeId> {
        let has_station =
            |node: &NodeId| self.cells.iter().any(|cell| cell.stations.contains(node));
        let nodes = (0..self.nodes.len() as u32).map(NodeId);
        nodes.filter(move |node| self.routing.dsdv.is_some() && has_station(node))
    }

    /// Returns the flows that are divided, with the settings of their proxy.
    pub fn splits(&self) -> impl Iterator<Item = (&SplitPlan, SplitFlow)> {
        self.proxies.iter().flat_map(|proxy| {
            let split = match &proxy.kind {
                ProxyKind::Split(split) => Some(split),
                ProxyKind::Guard(_) => None,
            };
            split.into_iter().flat_map(|split| split.flows.iter().map(move |&flow| (split, flow)))
        })
    }

    /// The numbers of its flows.
    pub(crate) fn flow_ids(&self) -> impl Iterator<Item = FlowId> + use<> {
        (0..self.flows.len() as u32).map(FlowId)
    }

    /// True where a flow serves another: it is its second leg, or carries its state.
    pub fn is_of_another(&self, flow: FlowId) -> bool {
        self.splits().any(|(_, split)| split.beyond == flow || split.state == Some(flow))
    }

    /// True where a node is a mobile node of Mobile IP.
    pub fn is_mobile(&self, node: NodeId) -> bool {
        self.mobile_ip.as_ref().is_some_and(|plan| plan.mobiles.contains(&node))
    }
}

/// Beacons, and stations that look for their access point.
#[derive(Clone, Debug, PartialEq)]
pub struct AssociationPlan {
    /// By cell: its access point's part, where it has one.
    pub access_points: Vec<Option<AccessPointConfig>>,
    /// The behaviour of stations of cells with an access point, on the channels of all of them. `None`: they
    /// stay.
    pub stations: Option<AssociationConfig>,
}

/// The routing of packets.
#[derive(Clone, Debug)]
pub struct RoutingPlan {
    /// The most hops that a packet makes: its time to live when it is sent.
    pub ttl: u8,
    /// At the first node, packets for the second go to the third, a neighbour, whatever else is shorter.
    pub next_hops: Vec<(NodeId, NodeId, NodeId)>,
    /// The oracle, which knows at any time which stations reach each other. `None`: each reaches all that its
    /// cell lets it reach.
    pub oracle: Option<OraclePlan>,
    /// Each station of 802.11 has a router, and finds ways by what it hears. `None`: they are known.
    pub dsdv: Option<dsdv::Settings>,
    /// Stations of an ad hoc cell are in clusters. `None`: they are not.
    pub clusters: Option<ClustersPlan>,
}

impl Default for RoutingPlan {
    fn default() -> RoutingPlan {
        RoutingPlan {
            ttl: net::DEFAULT_TTL,
            next_hops: Vec::new(),
            oracle: None,
            dsdv: None,
            clusters: None,
        }
    }
}

/// A router that sees the distance of all stations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OraclePlan {
    /// The rule for a link between two stations.
    pub link: LinkRule,
    /// The delay after which packets use it.
    pub delay: Span,
}

/// The rule for a link between two stations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LinkRule {
    /// Mean power, without shadowing and fading, of this multiple of the power needed to receive.
    Power(f64),
    /// Up to this distance, metres.
    Distance(f64),
}

/// A one-way wired link, whose name in results is [`Plan::link_name`]. What few links have is boxed: large networks have
/// tens of thousands.
#[derive(Clone, Debug)]
pub struct LinkPlan {
    /// The sending end.
    pub from: NodeId,
    /// The receiving end.
    pub to: NodeId,
    /// Bits per second.
    pub rate: Rate,
    /// Propagation delay.
    pub delay: Span,
    /// Its queue, which links with the same settings share.
    pub queue: Arc<QueueConfig>,
    /// Probability of random loss.
    pub loss: f64,
    /// The place of losses.
    pub loss_place: LossPlace,
    /// Bursts of loss beside it.
    pub bursts: Option<Box<BurstConfig>>,
    /// (position in `Plan::flows`, ordinals from 0) of packets to drop on entering.
    pub drop_lists: Vec<(usize, Vec<u64>)>,
    /// What changes in the course of time, in the place of rate, delay and loss.
    pub course: Option<Box<CourseConfig>>,
    /// A delay of each packet's own.
    pub jitter: Option<Box<JitterConfig>>,
}

/// One 802.11 cell; without a medium all hear all.
#[derive(Clone, Debug)]
pub struct CellPlan {
    /// For results.
    pub name: String,
    /// The stations, access point included, by [`StationId`].
    pub stations: Vec<NodeId>,
    /// The access point among them. `None`: ad hoc, every station reaches every other in one hop.
    pub access_point: Option<StationId>,
    /// Timing, rates, rules, limits and queue, by [`StationId`].
    pub configs: Vec<StationConfig>,
    /// The model of bit losses.
    pub channel: ChannelConfig,
    /// The sharing of a channel state.
    pub state_per: StatePer,
    /// Forward error correction, where used.
    pub fec: Option<FecConfig>,
    /// The header that the network layer of a station that is no access point adds to packets that begin
    /// there, bytes: they carry it to their end (ns-2's routing agents add 20 B). Zero by default.
    pub routing_header: u32,
    /// For how long a packet is between the network layer and the interface queue, and again between the MAC and the network
    /// layer of the next station (ns-2's link layer: 25 us). Zero by default.
    pub link_layer_delay: Span,
    /// Places and propagation, where stations do not simply hear each other. Cells with one radio channel have `channel`,
    /// `state_per` and `fec` in common.
    pub medium: Option<MediumPlan>,
    /// Access categories and aggregation, where stations have them; then there is no medium and no code.
    pub qos: Option<QosPlan>,
}

/// Access categories and aggregation of a cell.
#[derive(Clone, Debug)]
pub struct QosPlan {
    /// Rules that all stations share.
    pub config: QosConfig,
    /// By station: parameters of its categories; `None`: it contends by DCF.
    pub categories: Vec<Option<[AccessParameters; Category::COUNT]>>,
    /// By station: its weight where airtime is shared among receivers.
    pub weights: Vec<u32>,
    /// By station: whether it agrees where others ask it for block-ack agreements.
    pub accept_agreements: Vec<bool>,
}

impl QosPlan {
    /// So many stations without categories beside others that have some.
    pub fn without(settings: QosSettings, stations: usize) -> QosPlan {
        QosPlan {
            config: QosConfig { generation: QosGeneration::Legacy, settings },
            categories: vec![None; stations],
            weights: vec![AIRTIME_WEIGHT; stations],
            accept_agreements: vec![true; stations],
        }
    }
}

/// One 802.16 cell.
#[derive(Clone, Debug)]
pub struct WimaxPlan {
    /// For results.
    pub name: String,
    /// The base station first, then the subscriber stations.
    pub stations: Vec<NodeId>,
    /// Its frame, rules and stations.
    pub config: wimax::CellConfig,
}

/// One shared wired LAN.
#[derive(Clone, Debug)]
pub struct LanPlan {
    /// For results.
    pub name: String,
    /// Its stations.
    pub stations: Vec<NodeId>,
    /// Its rate, lengths and rules.
    pub config: LanConfig,
    /// For how long a packet is between the network layer and the interface queue, and again between the MAC and the network
    /// layer of the next station.
    pub link_layer_delay: Span,
}

/// The positions of the stations of a cell, and the radio between them.
#[derive(Clone, Debug)]
pub struct MediumPlan {
    /// The radio channel: cells with the same number disturb each other, others do not. They share all but stations.
    pub channel: u32,
    /// The propagation of power.
    pub propagation: Propagation,
    /// Transmit power with antenna gains, W.
    pub transmit_w: f64,
    /// The reception of frames.
    pub reception: Reception,
    /// By [`StationId`].
    pub places: Vec<Mobility>,
}

/// A conversation.
#[derive(Clone, Debug)]
pub struct FlowPlan {
    /// For results.
    pub name: String,
    /// The source of the data.
    pub from: NodeId,
    /// The destination of the data.
    pub to: NodeId,
    /// Nodes to pass on the way, in order; empty: the shortest path.
    pub via: Vec<NodeId>,
    /// TCP or UDP.
    pub transport: TransportPlan,
    /// The application.
    pub app: AppConfig,
    /// The time at which it begins.
    pub start: Time,
    /// The time at which the application stops offering data ([`Time::NEVER`]: at the end).
    pub stop: Time,
    /// The access category of its packets, in both directions.
    pub category: Category,
    /// The differentiated services code point of its packets, in both directions.
    pub dscp: u8,
}

/// The transport of a flow.
#[derive(Clone, Debug)]
pub enum TransportPlan {
    /// A TCP connection; `variant` is its name in results.
    Tcp {
        /// The name in results, such as "newreno".
        variant: Arc<str>,
        /// Its parameters; with a policy, what both ends have agreed on whatever is picked.
        config: Arc<TcpConfig>,
        /// Picks the variant of each connection. `None`: it is `config`'s.
        policy: Option<Arc<Policy>>,
    },
    /// Datagrams.
    Udp {
        /// IP and UDP header together, bytes.
        header_bytes: u32,
    },
}
