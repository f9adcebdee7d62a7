//! What a run measured, from the end of the warm-up to now.

use crate::choices::ChoicesOutcome;
use crate::cuts::CutCause;
use crate::flow::{Application, Endpoints, Flow};
use crate::mobile_ip::MobileIpOutcome;
use crate::plan::{FlowPlan, TransportPlan};
use crate::playout::PlayoutOutcome;
use crate::roam::HandoffOutcome;
use crate::world::World;
use base::{DelayHistogram, StationId, Time, jain_index};
use net::{DropReason, Ledger, QueueStats};
use std::collections::BTreeMap;

/// A run's results. Times in seconds, rates in bit/s, sizes as named.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Simulated time, s.
    pub duration_s: f64,
    /// Of which measured (after the warm-up), s.
    pub measured_s: f64,
    /// Events handled, warm-up included.
    pub events: u64,
    /// By flow.
    pub flows: Vec<FlowOutcome>,
    /// By station of every cell, access points included.
    pub stations: Vec<StationOutcome>,
    /// By interface: wired links first, then stations.
    pub queues: Vec<QueueOutcome>,
    /// By wired link.
    pub links: Vec<LinkOutcome>,
    /// Jain's index of the flows' goodput; `None` where nothing was delivered.
    pub jain: Option<f64>,
    /// The balance of packets, warm-up included.
    pub packets: Balance,
    /// By time, warm-up included; `None` where stations do not look for their access point.
    pub handoffs: Option<Vec<HandoffOutcome>>,
    /// What Mobile IP has sent; `None` where there is none.
    pub mobile_ip: Option<MobileIpOutcome>,
}

/// Packets made and where they ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// Results of one flow.
#[derive(Clone, Debug, PartialEq)]
pub struct FlowOutcome {
    /// Its name.
    pub name: String,
    /// "tcp" or "udp".
    pub transport: &'static str,
    /// The TCP variant; empty for UDP.
    pub variant: String,
    /// Where the data come from.
    pub from: String,
    /// Where they go.
    pub to: String,
    /// Network-layer bits that reached the sink, a second: headers and duplicates included.
    pub throughput_bps: f64,
    /// Application bits that the sink got for the first time (in order for TCP), a second.
    pub goodput_bps: f64,
    /// Data packets handed to the network.
    pub packets_sent: u64,
    /// Data packets that reached the sink.
    pub packets_delivered: u64,
    /// Data packets lost, by reason.
    pub packets_lost: Vec<(&'static str, u64)>,
    /// Data packets that went through a tunnel; `None` without Mobile IP.
    pub packets_tunnelled: Option<u64>,
    /// Data packets made before their mobile node had registered that passed over its link afterwards; `None` without Mobile IP.
    pub packets_delayed: Option<u64>,
    /// Acknowledgements sent.
    pub acks_sent: u64,
    /// Acknowledgements lost.
    pub acks_lost: u64,
    /// TCP segments sent again.
    pub retransmits: u64,
    /// TCP retransmission timeouts.
    pub timeouts: u64,
    /// Duplicate acknowledgements that the TCP sender counted: RFC 5681 section 2; with SACK those that tell of more.
    pub dup_acks: u64,
    /// TCP window cuts, by cause.
    pub window_cuts: Vec<(&'static str, u64)>,
    /// One-way delay of data packets; `None` where none arrived.
    pub delay: Option<DelayOutcome>,
    /// Interarrival jitter (RFC 3550), s.
    pub jitter_s: f64,
    /// Objects of requests and responses; `None` where the flow is none of these.
    pub objects: Option<ResponseOutcome>,
    /// Pages; `None` where the flow has none.
    pub pages: Option<ResponseOutcome>,
    /// What the other end made of it; `None` where the application is none that is played.
    pub playout: Option<PlayoutOutcome>,
    /// What its connections have picked; `None` where the variant is fixed.
    pub choices: Option<ChoicesOutcome>,
}

/// What was asked for and what came.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResponseOutcome {
    /// How many came in the measured time.
    pub finished: u64,
    /// How many had been asked for at the end and were not there.
    pub unfinished: u64,
    /// From asking to the last byte, of those that came; `None` where none did.
    pub response_time: Option<DelayOutcome>,
}

/// A delay's distribution, s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DelayOutcome {
    /// Mean.
    pub mean: f64,
    /// Median.
    pub p50: f64,
    /// 95th percentile.
    pub p95: f64,
    /// 99th percentile.
    pub p99: f64,
    /// Largest.
    pub max: f64,
}

/// Results of one 802.11 station.
#[derive(Clone, Debug, PartialEq)]
pub struct StationOutcome {
    /// Its cell.
    pub cell: String,
    /// Its node.
    pub name: String,
    /// Exchanges begun.
    pub attempts: u64,
    /// Mean data rate of these, bit/s; `None` where there were none.
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
    /// Exchanges that failed by a station, or its reservation, that the sender could not notice.
    pub hidden: u64,
    /// Exchanges with a receiver that is too far away.
    pub out_of_range: u64,
    /// Exchanges with a receiver on another channel; `None` where nobody changes channels.
    pub away: Option<u64>,
    /// Frames received more than once.
    pub duplicates: u64,
    /// Share of the measured time that its exchanges took (a collision counts for each collider).
    pub airtime_share: f64,
    /// Share of the measured time for which the cell's medium was taken by anybody; on a channel that cells share, by
    /// anybody of any.
    pub cell_busy_share: f64,
}

/// Results of one interface queue.
#[derive(Clone, Debug, PartialEq)]
pub struct QueueOutcome {
    /// The link, or "cell/node".
    pub name: String,
    /// Packets that came.
    pub offered: u64,
    /// Packets that found no room.
    pub drops: u64,
    /// Mean number waiting.
    pub mean_packets: f64,
    /// Largest number waiting.
    pub max_packets: u32,
}

/// Results of one wired link.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkOutcome {
    /// Its name.
    pub name: String,
    /// Share of the time spent sending.
    pub utilisation: f64,
    /// Packets put on the wire.
    pub packets: u64,
}

impl World {
    /// The warm-up is over: every count begins anew.
    pub(crate) fn begin_measurement(&mut self, now: Time) {
        self.measuring_since = now;
        for wire in &mut self.wires {
            wire.begin_measurement(now);
        }
        for place in &mut self.cells {
            place.air.begin_measurement(now);
            place.lost.fill(Default::default());
        }
        if let Some(ip) = &mut self.mobile_ip {
            ip.begin_measurement();
        }
        for flow in &mut self.flows {
            flow.score = Default::default();
            if let Application::Web(web) = &mut flow.application {
                web.begin_measurement();
            }
            if let Some(playout) = &mut flow.playout {
                playout.begin_measurement();
            }
            if let Endpoints::Tcp(tcp) = &mut flow.endpoints {
                tcp.at_start = *tcp.sender.stats();
                tcp.cuts.begin_measurement();
            }
        }
        self.begin_measuring_lanes();
    }

    /// What was measured up to now; after [`World::run`], up to the end of the plan.
    pub fn outcome(&self) -> Outcome {
        let end = Time::ZERO + self.plan.duration;
        let measured_s = end.since(self.measuring_since).as_secs();
        let flows: Vec<FlowOutcome> = self
            .flows
            .iter()
            .zip(&self.plan.flows)
            .enumerate()
            .map(|(i, (flow, plan))| FlowOutcome {
                choices: self.choices_outcome(i, plan),
                ..self.flow_outcome(flow, plan, measured_s)
            })
            .collect();
        let goodputs: Vec<f64> = flows.iter().map(|flow| flow.goodput_bps).collect();
        let Ledger { made, delivered, dropped } = self.pool.ledger();
        let in_flight = self.pool.in_flight();
        Outcome {
            duration_s: self.plan.duration.as_secs(),
            measured_s,
            events: self.agenda.handled(),
            jain: jain_index(&goodputs),
            flows,
            stations: self.station_outcomes(end, measured_s),
            queues: self.queue_outcomes(end),
            links: self.link_outcomes(end, measured_s),
            packets: Balance { made, delivered, dropped, in_flight },
            handoffs: (self.plan.roams() || self.mobile_ip.is_some())
                .then(|| self.handoff_outcomes()),
            mobile_ip: self.mobile_ip_outcome(),
        }
    }

    fn flow_outcome(&self, flow: &Flow, plan: &FlowPlan, measured_s: f64) -> FlowOutcome {
        let score = &flow.score;
        let (transport, variant) = match &plan.transport {
            TransportPlan::Tcp { variant, .. } => ("tcp", variant.clone()),
            TransportPlan::Udp { .. } => ("udp", String::new()),
        };
        let (stats, before) = match &flow.endpoints {
            Endpoints::Tcp(tcp) => (*tcp.sender.stats(), tcp.at_start),
            Endpoints::Lanes(lanes) => self.measured_of_lanes(lanes),
            Endpoints::Udp { .. } => Default::default(),
        };
        let cuts: Vec<_> = match &flow.endpoints {
            Endpoints::Tcp(tcp) => tcp.cuts.counts().collect(),
            Endpoints::Lanes(lanes) => self.cuts_of_lanes(lanes),
            Endpoints::Udp { .. } => CutCause::all().map(|cause| (cause, 0)).collect(),
        };
        let (objects, pages) = response_outcomes(&flow.application);
        FlowOutcome {
            name: plan.name.clone(),
            transport,
            variant,
            from: self.node_name(plan.from).to_owned(),
            to: self.node_name(plan.to).to_owned(),
            throughput_bps: score.delivered_bytes as f64 * 8.0 / measured_s,
            goodput_bps: score.goodput_bytes as f64 * 8.0 / measured_s,
            packets_sent: score.sent,
            packets_delivered: score.delivered,
            packets_lost: by_reason(&score.lost).collect(),
            packets_tunnelled: self.mobile_ip.as_ref().map(|_| score.tunnelled),
            packets_delayed: self.mobile_ip.as_ref().map(|_| score.delayed),
            acks_sent: score.acks_sent,
            acks_lost: score.acks_lost,
            retransmits: stats.retransmits - before.retransmits,
            timeouts: stats.timeouts - before.timeouts,
            dup_acks: stats.dup_acks - before.dup_acks,
            window_cuts: cuts.iter().map(|(cause, count)| (cause.name(), *count)).collect(),
            delay: delay_outcome(&flow.score.delay),
            jitter_s: flow.jitter.seconds(),
            objects,
            pages,
            playout: flow.playout.as_ref().map(|playout| PlayoutOutcome::new(playout, score)),
            choices: None,
        }
    }

    fn station_outcomes(&self, end: Time, measured_s: f64) -> Vec<StationOutcome> {
        let mut outcomes = Vec::new();
        for (&(id, first), plan) in self.of_cell.iter().zip(&self.plan.cells) {
            let air = &self.cells[id.index()].air;
            let cell_busy_share = air.busy_by(plan.channel_number(), end).as_secs() / measured_s;
            for (i, &node) in plan.stations.iter().enumerate() {
                let (stats, _) = air.stats(StationId(first + i as u32));
                outcomes.push(StationOutcome {
                    cell: plan.name.clone(),
                    name: self.node_name(node).to_owned(),
                    attempts: stats.attempts,
                    mean_rate_bps: (stats.attempts > 0)
                        .then(|| stats.rates_bps as f64 / stats.attempts as f64),
                    retries: stats.retries,
                    successes: stats.successes,
                    retry_drops: stats.retry_drops,
                    packets_lost: by_reason(&self.cells[id.index()].lost[first as usize + i])
                        .collect(),
                    collisions: stats.collisions,
                    channel_errors: stats.channel_errors,
                    hidden: stats.hidden,
                    out_of_range: stats.out_of_range,
                    away: self.plan.roams().then_some(stats.away),
                    duplicates: stats.duplicates,
                    airtime_share: stats.airtime.as_secs() / measured_s,
                    cell_busy_share,
                });
            }
        }
        outcomes
    }

    fn queue_outcomes(&self, end: Time) -> Vec<QueueOutcome> {
        let outcome = |name: String, stats: &QueueStats| QueueOutcome {
            name,
            offered: stats.offered,
            drops: stats.dropped,
            mean_packets: stats.mean_packets(self.measuring_since, end),
            max_packets: stats.max_packets,
        };
        let wires = self.wires.iter().zip(&self.plan.links);
        let mut outcomes: Vec<QueueOutcome> =
            wires.map(|(wire, plan)| outcome(plan.name.clone(), &wire.stats().queue)).collect();
        for (&(id, first), plan) in self.of_cell.iter().zip(&self.plan.cells) {
            for (i, &node) in plan.stations.iter().enumerate() {
                let (_, queue) = self.cells[id.index()].air.stats(StationId(first + i as u32));
                let name = format!("{}/{}", plan.name, self.node_name(node));
                outcomes.push(outcome(name, queue));
            }
        }
        outcomes
    }

    fn link_outcomes(&self, end: Time, measured_s: f64) -> Vec<LinkOutcome> {
        let links = self.wires.iter().zip(&self.plan.links);
        links
            .map(|(wire, plan)| LinkOutcome {
                name: plan.name.clone(),
                utilisation: wire.busy_by(end).as_secs() / measured_s,
                packets: wire.stats().packets,
            })
            .collect()
    }
}

type ByReason = [u64; DropReason::ALL.len()];

fn by_reason(lost: &ByReason) -> impl Iterator<Item = (&'static str, u64)> {
    DropReason::ALL.into_iter().map(|reason| (reason.name(), lost[reason as usize]))
}

fn delay_outcome(delay: &DelayHistogram) -> Option<DelayOutcome> {
    Some(DelayOutcome {
        mean: delay.mean_s()?,
        p50: delay.quantile_s(0.50)?,
        p95: delay.quantile_s(0.95)?,
        p99: delay.quantile_s(0.99)?,
        max: delay.max().as_secs(),
    })
}

/// Of objects and of pages.
fn response_outcomes(
    application: &Application,
) -> (Option<ResponseOutcome>, Option<ResponseOutcome>) {
    let Application::Web(web) = application else { return (None, None) };
    let outcome = |times: &DelayHistogram, unfinished| ResponseOutcome {
        finished: times.count(),
        unfinished,
        response_time: delay_outcome(times),
    };
    let (objects, pages) = web.unfinished();
    (Some(outcome(&web.objects, objects)), web.paged.then(|| outcome(&web.pages, pages)))
}
