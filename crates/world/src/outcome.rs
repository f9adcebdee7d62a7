//! The measurements of a run, from the end of the warm-up to now.

mod choices;
mod flow;
mod reasons;
mod split;

pub(crate) use reasons::by_reason;

pub use choices::{ChoiceOutcome, ChoicesOutcome};
pub use flow::{FlowOutcome, ResponseOutcome, SenderOutcome, SplitOutcome};

use crate::clusters::ClustersOutcome;
use crate::element::Reports;
use crate::handoff::HandoffOutcome;
use crate::mobile_ip::MobileIpOutcome;
use crate::network::Network;
use crate::routers::DsdvOutcome;
use base::{FlowId, Time, jain_index, outcome};
use net::{LanOutcome, LanStationOutcome, Ledger, QueueStats};
use serde::Serialize;
use wifi::StationOutcome;
use wifi::qos::AccessOutcome;
use wimax::{SubscriberOutcome, WimaxOutcome};

outcome! {
    /// The measurements of a run: times in seconds, rates in bit/s. `M` is the type of other watchers'
    /// results for each flow.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct Outcome<M = ()> {
        /// Simulated time, s.
        duration_s: f64 = "simulated time";
        /// The measured part (after the warm-up), s.
        measured_s: f64 = "measured time";
        /// Events handled, warm-up included.
        events: u64 = "events";
        /// By flow.
        flows: Vec<FlowOutcome<M>> = "flow";
        /// By station of every 802.11 cell.
        stations: Vec<StationOutcome> = "station";
        /// By access category of every station of cells with access categories; absent where there are none.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        access: Vec<AccessOutcome> = "access";
        /// By 802.16 cell; absent where there is none.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        wimax: Vec<WimaxOutcome> = "wimax";
        /// By subscriber station of every 802.16 cell; absent where there is none.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        subscribers: Vec<SubscriberOutcome> = "subscriber";
        /// By shared wired LAN; absent where there is none.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        lans: Vec<LanOutcome> = "lan";
        /// By station of every shared wired LAN; absent where there is none.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        lan_stations: Vec<LanStationOutcome> = "lan_station";
        /// By interface.
        queues: Vec<QueueOutcome> = "queue";
        /// By one-way link.
        links: Vec<LinkOutcome> = "link";
        /// Jain's index of the flows' goodput; null where nothing was delivered.
        jain: Option<f64> = "Jain's index" in "1";
        /// The balance of packets, warm-up included.
        packets: Balance;
        /// Handoffs by time, warm-up included; absent where stations look neither for access points nor for agents.
        #[serde(skip_serializing_if = "Option::is_none")]
        handoffs: Option<Vec<HandoffOutcome>> = "handoff";
        /// The messages of Mobile IP, in the measured time; absent where there is none.
        #[serde(skip_serializing_if = "Option::is_none")]
        mobile_ip: Option<MobileIpOutcome>;
        /// The messages of DSDV routers, in the measured time; absent where there are none.
        #[serde(skip_serializing_if = "Option::is_none")]
        dsdv: Option<DsdvOutcome>;
        /// The counts of clusters; absent where there are none.
        #[serde(skip_serializing_if = "Option::is_none")]
        clusters: Option<ClustersOutcome>;
    }

    /// Packets made and where they ended.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
    pub struct Balance {
        /// Handed to the network.
        made: u64 = "packets made" in "packets";
        /// Reached their transport.
        delivered: u64 = "packets delivered" in "packets";
        /// Lost for a named reason.
        dropped: u64 = "packets dropped" in "packets";
        /// Still on their way.
        in_flight: u64 = "packets in flight" in "packets";
    }

    /// One interface queue.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct QueueOutcome {
        /// The link, or "cell/node".
        name: String;
        /// Packets that came.
        offered: u64 = "packets offered" in "packets", sum;
        /// Packets that found no room, or that the queue's discipline dropped.
        drops: u64 = "drops" in "packets", sum;
        /// Packets that got a congestion mark.
        marks: u64 = "marks" in "packets", sum;
        /// Mean number waiting.
        mean_packets: f64 = "mean queue" in "packets";
        /// Largest number waiting.
        max_packets: u32 = "longest queue" in "packets", max;
    }

    /// One one-way wired link.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct LinkOutcome {
        /// Its name, "a>b".
        name: String;
        /// Share of the measured time spent sending.
        utilisation: f64 = "utilisation" in "1";
        /// Packets put on the wire.
        packets: u64 = "packets" in "packets", sum;
    }
}

impl Network {
    /// Returns the measurements up to now, after `events` events, with other watchers' results for the flow
    /// of each number. What they are taken from is let go on the way: large networks would else be held twice.
    pub(crate) fn into_outcome<M>(
        mut self,
        now: Time,
        events: u64,
        measured: impl Fn(usize) -> M,
    ) -> Outcome<M> {
        let end = Time::ZERO + self.plan.duration;
        let measured_s = end.since(self.measuring_since).as_secs();
        let Reports { stations, access, wimax, subscribers, lans, lan_stations, queues } =
            self.reports(measured_s);
        let Ledger { made, delivered, dropped } = self.pool.ledger();
        let packets = Balance { made, delivered, dropped, in_flight: self.pool.in_flight() };
        self.pool = Default::default();
        let (queues, links) =
            (self.queue_outcomes(end, queues), self.link_outcomes(end, measured_s));
        (self.transits, self.wires) = Default::default();
        let flows = self.flow_outcomes(now, measured_s, measured);
        let goodputs: Vec<f64> = flows.iter().map(|flow| flow.goodput_bps).collect();
        Outcome {
            duration_s: self.plan.duration.as_secs(),
            measured_s,
            events,
            jain: jain_index(&goodputs),
            flows,
            stations,
            access,
            wimax,
            subscribers,
            lans,
            lan_stations,
            queues,
            links,
            packets,
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

    /// Returns the outcomes of all flows but the second legs of others, and lets each one's connections go.
    fn flow_outcomes<M>(
        &mut self,
        now: Time,
        measured_s: f64,
        measured: impl Fn(usize) -> M,
    ) -> Vec<FlowOutcome<M>> {
        let numbers = (0..self.plan.flows.len() as u32).map(FlowId);
        let own: Vec<FlowId> = numbers.filter(|&flow| !self.plan.is_of_another(flow)).collect();
        let outcome = |flow| {
            let one = |flow: FlowId| self.flow_outcome_with(flow, now, measured_s, &measured);
            let outcome = self.with_split(one(flow), flow, now, one);
            self.flows.let_go(flow);
            outcome
        };
        own.into_iter().map(outcome).collect()
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

    /// Returns the reports of the elements.
    fn reports(&self, measured_s: f64) -> Reports {
        let mut reports = Reports::default();
        for part in self.plan.parts() {
            let element = &self.elements[part.element.index()];
            element.report(&self.plan, &part, measured_s, &mut reports);
        }
        reports
    }

    /// The queues of wires, then those of elements.
    fn queue_outcomes(
        &self,
        end: Time,
        of_elements: Vec<(String, QueueStats)>,
    ) -> Vec<QueueOutcome> {
        let wires = self.wires.iter().zip(&self.plan.links);
        let wires = wires.map(|(wire, link)| {
            (self.plan.link_name(link), wire.stats_by(end, &self.transits).queue)
        });
        let outcome = |(name, stats): (String, QueueStats)| QueueOutcome {
            name,
            offered: stats.offered,
            drops: stats.dropped,
            marks: stats.marked,
            mean_packets: stats.mean_packets(end),
            max_packets: stats.max_packets,
        };
        wires.chain(of_elements).map(outcome).collect()
    }

    fn link_outcomes(&self, end: Time, measured_s: f64) -> Vec<LinkOutcome> {
        let links = self.wires.iter().zip(&self.plan.links);
        links
            .map(|(wire, link)| {
                let stats = wire.stats_by(end, &self.transits);
                LinkOutcome {
                    name: self.plan.link_name(link),
                    utilisation: stats.busy.as_secs() / measured_s,
                    packets: stats.packets,
                }
            })
            .collect()
    }
}
