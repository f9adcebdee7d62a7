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
use crate::plan::Plan;
use crate::routers::DsdvOutcome;
use crate::shares::Whole;
use base::{FlowId, LinkId, Time, jain_index, outcome};
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

impl Whole {
    /// Returns the measurements up to now, with other watchers' results for the flow of each number, each from the share of
    /// the run that it happened in. What they are taken from is let go on the way: large networks would else be held twice.
    pub(crate) fn into_outcome<M>(mut self, measured: impl Fn(usize) -> M) -> Outcome<M> {
        let plan = self.shares[0].plan.clone();
        let end = Time::ZERO + plan.duration;
        let measured_s = end.since(self.shares[0].measuring_since).as_secs();
        let Reports { stations, access, wimax, subscribers, lans, lan_stations, queues } =
            self.reports(&plan, measured_s);
        let Ledger { made, delivered, dropped } = self.ledger;
        let packets = Balance { made, delivered, dropped, in_flight: made - delivered - dropped };
        for share in &mut self.shares {
            share.pool = Default::default();
        }
        let (queues, links) = self.wire_outcomes(&plan, (end, measured_s), queues);
        for share in &mut self.shares {
            (share.transits, share.wires, share.elements) = Default::default();
        }
        let flows = self.flow_outcomes(&plan, measured_s, measured);
        let goodputs: Vec<f64> = flows.iter().map(|flow| flow.goodput_bps).collect();
        // What follows is of networks that are never divided.
        let first = &self.shares[0];
        Outcome {
            duration_s: plan.duration.as_secs(),
            measured_s,
            events: self.events,
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
            handoffs: (plan.roams() || first.mobile_ip.is_some()).then(|| first.handoff_outcomes()),
            mobile_ip: first.mobile_ip.as_ref().map(|ip| ip.outcome()),
            dsdv: first.routers.as_ref().map(|routers| routers.outcome()),
            clusters: first
                .clusters
                .as_ref()
                .map(|clusters| clusters.outcome(|node| first.node_name(node).to_owned())),
        }
    }

    /// Returns the outcomes of all flows but the second legs of others, and lets each one's connections go.
    fn flow_outcomes<M>(
        &mut self,
        plan: &Plan,
        measured_s: f64,
        measured: impl Fn(usize) -> M,
    ) -> Vec<FlowOutcome<M>> {
        let now = self.now;
        let own: Vec<FlowId> = plan.flow_ids().filter(|&flow| !plan.is_of_another(flow)).collect();
        let outcome = |flow| {
            let network = &mut self.shares[self.owners.of_flow(plan, flow)];
            let one = |flow: FlowId| network.flow_outcome_with(flow, now, measured_s, &measured);
            let outcome = network.with_split(one(flow), flow, now, one);
            network.flows.let_go(flow);
            outcome
        };
        own.into_iter().map(outcome).collect()
    }

    /// Returns the reports of the elements.
    fn reports(&mut self, plan: &Plan, measured_s: f64) -> Reports {
        let mut reports = Reports::default();
        for part in plan.parts() {
            let owner = part.stations.first().map_or(0, |&node| self.owners.of_node(node));
            let element = &mut self.shares[owner].elements[part.element.index()];
            element.report(plan, &part, measured_s, &mut reports);
        }
        reports
    }

    /// The queues of wires, then those of elements; and the wires.
    fn wire_outcomes(
        &self,
        plan: &Plan,
        (end, measured_s): (Time, f64),
        of_elements: Vec<(String, QueueStats)>,
    ) -> (Vec<QueueOutcome>, Vec<LinkOutcome>) {
        let outcome = |(name, stats): (String, QueueStats)| QueueOutcome {
            name,
            offered: stats.offered,
            drops: stats.dropped,
            marks: stats.marked,
            mean_packets: stats.mean_packets(end),
            max_packets: stats.max_packets,
        };
        let (mut queues, mut links) = (Vec::new(), Vec::with_capacity(plan.links.len()));
        queues.reserve_exact(plan.links.len() + of_elements.len());
        for (link, number) in plan.links.iter().zip(0..) {
            let share = &self.shares[self.owners.of_link(plan, LinkId(number))];
            let stats = share.wires[number as usize].stats_by(end, &share.transits);
            let name = plan.link_name(link);
            let utilisation = stats.busy.as_secs() / measured_s;
            links.push(LinkOutcome { name: name.clone(), utilisation, packets: stats.packets });
            queues.push(outcome((name, stats.queue)));
        }
        queues.extend(of_elements.into_iter().map(outcome));
        (queues, links)
    }
}

impl Network {
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
            choices: choices::outcome(&self.flows, flow, plan, now).map(Box::new),
            snoop: snoop.map(Box::new),
            mtcp: mtcp.flatten().map(Box::new),
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
}
