//! What a run measured, from the end of the warm-up to now.

mod choices;
mod flow;
mod lan;
mod reasons;
mod split;
mod subscriber;

pub use choices::{ChoiceOutcome, ChoicesOutcome};
pub use flow::{DelayOutcome, FlowOutcome, ResponseOutcome, SenderOutcome, SplitOutcome};
pub use lan::{LanOutcome, LanStationOutcome};
pub use subscriber::{RequestOutcome, SubscriberOutcome, WaitOutcome, WayOutcome, WimaxOutcome};

use crate::air::Counted;
use crate::clusters::ClustersOutcome;
use crate::handoff::HandoffOutcome;
use crate::mobile_ip::MobileIpOutcome;
use crate::network::Network;
use crate::routers::DsdvOutcome;
use base::{FlowId, StationId, Time, jain_index};
use net::{Ledger, QueueStats};
use reasons::by_reason;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// What a run measured: times in seconds, rates in bit/s. `M` is what others say of each flow, who have watched the run.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Outcome<M = ()> {
    /// Simulated time, s.
    pub duration_s: f64,
    /// Of which measured (after the warm-up), s.
    pub measured_s: f64,
    /// Events handled, warm-up included.
    pub events: u64,
    /// By flow.
    pub flows: Vec<FlowOutcome<M>>,
    /// By station of every 802.11 cell.
    pub stations: Vec<StationOutcome>,
    /// By 802.16 cell; absent where there is none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub wimax: Vec<WimaxOutcome>,
    /// By subscriber station of every 802.16 cell; absent where there is none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub subscribers: Vec<SubscriberOutcome>,
    /// By shared wired LAN; absent where there is none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lans: Vec<LanOutcome>,
    /// By station of every shared wired LAN; absent where there is none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lan_stations: Vec<LanStationOutcome>,
    /// By interface.
    pub queues: Vec<QueueOutcome>,
    /// By one-way link.
    pub links: Vec<LinkOutcome>,
    /// Jain's index of the flows' goodput; null where nothing was delivered.
    pub jain: Option<f64>,
    /// The balance of packets, warm-up included.
    pub packets: Balance,
    /// Handoffs by time, warm-up included; absent where stations look neither for access points nor for agents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handoffs: Option<Vec<HandoffOutcome>>,
    /// What Mobile IP has sent, in the measured time; absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mobile_ip: Option<MobileIpOutcome>,
    /// What routers of DSDV have said, in the measured time; absent where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dsdv: Option<DsdvOutcome>,
    /// What came of clusters; absent where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clusters: Option<ClustersOutcome>,
}

/// Packets made and where they ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Balance {
    /// Handed to the network.
    pub made: u64,
    /// Reached their transport.
    pub delivered: u64,
    /// Lost for a named reason.
    pub dropped: u64,
    /// Still on their way.
    pub in_flight: u64,
}

/// One 802.11 station.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct StationOutcome {
    /// Its cell.
    pub cell: String,
    /// Its node.
    pub name: String,
    /// Exchanges begun.
    pub attempts: u64,
    /// Mean data rate of these, bit/s; null where there were none.
    pub mean_rate_bps: Option<f64>,
    /// Of those, for a frame that had failed before.
    pub retries: u64,
    /// Acknowledged exchanges.
    pub successes: u64,
    /// Frames given up at a retry limit.
    pub retry_drops: u64,
    /// Packets lost at it, of any flow and direction, by reason.
    pub packets_lost: BTreeMap<&'static str, u64>,
    /// Exchanges that collided.
    pub collisions: u64,
    /// Exchanges that failed by bit errors.
    pub channel_errors: u64,
    /// Exchanges that failed by a station that the sender could not notice.
    pub hidden: u64,
    /// Exchanges with a receiver that is too far away.
    pub out_of_range: u64,
    /// Exchanges with a receiver on another channel; absent where nobody changes channels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub away: Option<u64>,
    /// Frames received more than once.
    pub duplicates: u64,
    /// Share of the measured time that its exchanges took.
    pub airtime_share: f64,
    /// Share of the measured time for which the cell's medium was taken by anybody, of whatever cell.
    pub cell_busy_share: f64,
}

/// One interface queue.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct QueueOutcome {
    /// The link, or "cell/node".
    pub name: String,
    /// Packets that came.
    pub offered: u64,
    /// Packets that found no room, or that the queue's discipline dropped.
    pub drops: u64,
    /// Packets that got a congestion mark.
    pub marks: u64,
    /// Mean number waiting.
    pub mean_packets: f64,
    /// Largest number waiting.
    pub max_packets: u32,
}

/// One one-way wired link.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct LinkOutcome {
    /// Its name, "a>b".
    pub name: String,
    /// Share of the measured time spent sending.
    pub utilisation: f64,
    /// Packets put on the wire.
    pub packets: u64,
}

impl Network {
    /// What was measured up to now, after so many events, with what others have measured of the flow of each number.
    pub(crate) fn outcome<M>(
        &self,
        now: Time,
        events: u64,
        measured: impl Fn(usize) -> M,
    ) -> Outcome<M> {
        let end = Time::ZERO + self.plan.duration;
        let measured_s = end.since(self.measuring_since).as_secs();
        let one = |flow: FlowId| self.flow_outcome_with(flow, now, measured_s, &measured);
        let numbers = (0..self.plan.flows.len() as u32).map(FlowId);
        let own = numbers.filter(|&flow| !self.plan.is_of_another(flow));
        let flows: Vec<FlowOutcome<M>> =
            own.map(|flow| self.with_split(one(flow), flow, now, one)).collect();
        let goodputs: Vec<f64> = flows.iter().map(|flow| flow.goodput_bps).collect();
        let Ledger { made, delivered, dropped } = self.pool.ledger();
        let in_flight = self.pool.in_flight();
        Outcome {
            duration_s: self.plan.duration.as_secs(),
            measured_s,
            events,
            jain: jain_index(&goodputs),
            flows,
            stations: self.station_outcomes(end, measured_s),
            wimax: self.wimax_outcomes(),
            subscribers: self.subscriber_outcomes(measured_s),
            lans: self.lan_outcomes(end, measured_s),
            lan_stations: self.lan_station_outcomes(end, measured_s),
            queues: self.queue_outcomes(end),
            links: self.link_outcomes(end, measured_s),
            packets: Balance { made, delivered, dropped, in_flight },
            handoffs: (self.plan.roams() || self.mobile_ip.is_some())
                .then(|| self.handoff_outcomes()),
            mobile_ip: self.mobile_ip.as_ref().map(|ip| ip.outcome()),
            dsdv: self.routers.as_ref().map(|routers| routers.outcome()),
            clusters: self
                .clusters
                .as_ref()
                .map(|clusters| clusters.outcome(|node| self.node_name(node).to_owned())),
        }
    }

    fn flow_outcome_with<M>(
        &self,
        id: FlowId,
        now: Time,
        measured_s: f64,
        measured: &impl Fn(usize) -> M,
    ) -> FlowOutcome<M> {
        let (flow, plan) = (self.flows.get(id), &self.plan.flows[id.index()]);
        let name = |node| self.node_name(node).to_owned();
        let watched = self.guards.as_ref().and_then(|guards| guards.outcome(id, now, name));
        let (snoop, mtcp) = watched.unzip();
        FlowOutcome {
            choices: choices::outcome(&self.flows, flow, plan, now),
            snoop,
            mtcp: mtcp.flatten(),
            ..self.flow_outcome(flow, plan, measured_s, measured(id.index()))
        }
    }

    fn handoff_outcomes(&self) -> Vec<HandoffOutcome> {
        let name = |node| self.node_name(node).to_owned();
        let mut all: Vec<_> = self.roaming.outcomes(&self.sites, name).collect();
        all.extend(self.mobile_ip.iter().flat_map(|ip| ip.handoffs(name)));
        all.sort_by(|a, b| a.at_s.total_cmp(&b.at_s));
        all
    }

    fn station_outcomes(&self, end: Time, measured_s: f64) -> Vec<StationOutcome> {
        let mut outcomes = Vec::new();
        for (&(id, first), plan) in self.sites.of_cell().iter().zip(&self.plan.cells) {
            let element = &self.elements[id.index()];
            let air = &element.air;
            for (i, &node) in plan.stations.iter().enumerate() {
                let station = StationId(first + i as u32);
                let counted = air.station(station, plan.channel_number(), end);
                let Some(Counted { stats, airtime, busy, .. }) = counted else { continue };
                outcomes.push(StationOutcome {
                    cell: plan.name.clone(),
                    name: self.node_name(node).to_owned(),
                    attempts: stats.attempts,
                    mean_rate_bps: (stats.attempts > 0)
                        .then(|| stats.rates_bps as f64 / stats.attempts as f64),
                    retries: stats.retries,
                    successes: stats.successes,
                    retry_drops: stats.retry_drops,
                    packets_lost: by_reason(element.lost(station)).collect(),
                    collisions: stats.collisions,
                    channel_errors: stats.channel_errors,
                    hidden: stats.hidden,
                    out_of_range: stats.out_of_range,
                    away: self.plan.roams().then_some(stats.away),
                    duplicates: stats.duplicates,
                    airtime_share: airtime.as_secs() / measured_s,
                    cell_busy_share: busy.as_secs() / measured_s,
                });
            }
        }
        outcomes
    }

    fn queue_outcomes(&self, end: Time) -> Vec<QueueOutcome> {
        let outcome = |name: String, stats: QueueStats| QueueOutcome {
            name,
            offered: stats.offered,
            drops: stats.dropped,
            marks: stats.marked,
            mean_packets: stats.mean_packets(end),
            max_packets: stats.max_packets,
        };
        let wires = self.wires.iter().zip(&self.plan.links);
        let mut outcomes: Vec<QueueOutcome> = wires
            .map(|(wire, plan)| outcome(plan.name.clone(), wire.stats_by(end).queue))
            .collect();
        for (&(id, first), plan) in self.sites.of_cell().iter().zip(&self.plan.cells) {
            for (i, &node) in plan.stations.iter().enumerate() {
                let station = StationId(first + i as u32);
                let air = &self.elements[id.index()].air;
                let Some(counted) = air.station(station, plan.channel_number(), end) else {
                    continue;
                };
                let name = format!("{}/{}", plan.name, self.node_name(node));
                outcomes.push(outcome(name, counted.queue));
            }
        }
        let others = self.wimax_queues(end).chain(self.lan_queues(end));
        outcomes.extend(others.map(|(name, stats)| outcome(name, stats)));
        outcomes
    }

    fn link_outcomes(&self, end: Time, measured_s: f64) -> Vec<LinkOutcome> {
        let links = self.wires.iter().zip(&self.plan.links);
        links
            .map(|(wire, plan)| {
                let stats = wire.stats_by(end);
                LinkOutcome {
                    name: plan.name.clone(),
                    utilisation: stats.busy.as_secs() / measured_s,
                    packets: stats.packets,
                }
            })
            .collect()
    }
}
