//! What a run gives, as JSON: times in seconds, rates in bit/s.

use crate::probe::ProbeTables;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use world::{
    Balance, DelayOutcome, FlowOutcome, HandoffOutcome, InterarrivalOutcome, LinkOutcome, Outcome,
    PlayoutOutcome, QueueOutcome, ResponseOutcome, StationOutcome,
};

/// One run.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RunResult {
    /// The scenario's name, or an empty string.
    pub scenario: String,
    /// The root of the random numbers.
    pub seed: u64,
    /// Which of the independent runs of this seed, from 0.
    pub replication: u64,
    /// Simulated time, s.
    pub duration_s: f64,
    /// Of which measured (after the warm-up), s.
    pub measured_s: f64,
    /// Events handled, warm-up included.
    pub events: u64,
    /// By flow.
    pub flows: Vec<FlowResult>,
    /// By station of every cell.
    pub stations: Vec<StationResult>,
    /// By interface.
    pub queues: Vec<QueueResult>,
    /// By one-way link.
    pub links: Vec<LinkResult>,
    /// Jain's index of the flows' goodput; null where nothing was delivered.
    pub jain: Option<f64>,
    /// The balance of packets, warm-up included.
    pub packets: PacketsResult,
    /// Associations by time, warm-up included; absent where stations do not look for their access point.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handoffs: Option<Vec<HandoffResult>>,
    /// What probes wrote down; absent where none was on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probes: Option<ProbeTables>,
}

/// Serialisable mirrors of the world's outcome: the world knows no serde.
macro_rules! mirrors {
    ($($(#[$doc:meta])* $mirror:ident($outcome:ident) { $($(#[$field_doc:meta])* $field:ident: $type:ty,)+ })+) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, Serialize, JsonSchema)]
        pub struct $mirror { $($(#[$field_doc])* pub $field: $type,)+ }

        impl From<&$outcome> for $mirror {
            fn from(outcome: &$outcome) -> $mirror {
                $mirror { $($field: outcome.$field.clone(),)+ }
            }
        }
    )+};
}

mirrors! {
    /// A delay's distribution, s.
    DelayResult(DelayOutcome) {
        /// Mean.
        mean: f64,
        /// Median.
        p50: f64,
        /// 95th percentile.
        p95: f64,
        /// 99th percentile.
        p99: f64,
        /// Largest.
        max: f64,
    }
    /// Times between arrivals, s.
    InterarrivalResult(InterarrivalOutcome) {
        /// Mean.
        mean: f64,
        /// Standard deviation.
        std: f64,
        /// 95th percentile.
        p95: f64,
    }
    /// One 802.11 station.
    StationResult(StationOutcome) {
        /// Its cell.
        cell: String,
        /// Its node.
        name: String,
        /// Exchanges begun.
        attempts: u64,
        /// Mean data rate of these, bit/s; null where there were none.
        mean_rate_bps: Option<f64>,
        /// Of those, for a frame that had failed before.
        retries: u64,
        /// Acknowledged exchanges.
        successes: u64,
        /// Frames given up at a retry limit.
        retry_drops: u64,
        /// Packets lost at it, of any flow and direction, by reason.
        packets_lost: BTreeMap<&'static str, u64>,
        /// Exchanges that collided.
        collisions: u64,
        /// Exchanges that failed by bit errors.
        channel_errors: u64,
        /// Exchanges that failed by a station that the sender could not notice.
        hidden: u64,
        /// Exchanges with a receiver that is too far away.
        out_of_range: u64,
        /// Exchanges with a receiver on another channel; absent where nobody changes channels.
        #[serde(skip_serializing_if = "Option::is_none")]
        away: Option<u64>,
        /// Frames received more than once.
        duplicates: u64,
        /// Share of the measured time that its exchanges took.
        airtime_share: f64,
        /// Share of the measured time for which the cell's medium was taken by anybody, of whatever cell.
        cell_busy_share: f64,
    }
    /// One interface queue.
    QueueResult(QueueOutcome) {
        /// The link, or "cell/node".
        name: String,
        /// Packets that came.
        offered: u64,
        /// Packets that found no room.
        drops: u64,
        /// Mean number waiting.
        mean_packets: f64,
        /// Largest number waiting.
        max_packets: u32,
    }
    /// One one-way wired link.
    LinkResult(LinkOutcome) {
        /// Its name, "a>b".
        name: String,
        /// Share of the measured time spent sending.
        utilisation: f64,
        /// Packets put on the wire.
        packets: u64,
    }
    /// One association of a station: detection, scan, authentication and association add up to the total.
    HandoffResult(HandoffOutcome) {
        /// The station.
        station: String,
        /// The access point before; null: the first association.
        from: Option<String>,
        /// The access point from then on.
        to: String,
        /// Why: "start", "missed_beacons", "failed_packets", "weak_signal" or "deauthenticated".
        trigger: &'static str,
        /// When it was associated, s.
        at_s: f64,
        /// From the last beacon heard to the decision to look for another, s.
        detection_s: f64,
        /// Looking, changes of channel included, s.
        scan_s: f64,
        /// Authentication, s.
        authentication_s: f64,
        /// Association or reassociation, s.
        association_s: f64,
        /// All four, s.
        total_s: f64,
        /// From the last data frame that passed before to the first that passed after, s; null where none has.
        gap_s: Option<f64>,
    }
    /// Packets made and where they ended.
    PacketsResult(Balance) {
        /// Handed to the network.
        made: u64,
        /// Reached their transport.
        delivered: u64,
        /// Lost for a named reason.
        dropped: u64,
        /// Still on their way.
        in_flight: u64,
    }
}

/// One flow.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FlowResult {
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
    /// Application bits that the sink got for the first time, a second.
    pub goodput_bps: f64,
    /// Data packets handed to the network.
    pub packets_sent: u64,
    /// Data packets that reached the sink.
    pub packets_delivered: u64,
    /// Data packets lost, by reason.
    pub packets_lost: BTreeMap<&'static str, u64>,
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
    /// TCP window cuts by cause: why the segment was lost, or ack_loss, reordering, spurious_timeout, ecn_mark.
    pub window_cuts: BTreeMap<&'static str, u64>,
    /// One-way delay of data packets, s; null where none arrived.
    pub delay_s: Option<DelayResult>,
    /// Interarrival jitter (RFC 3550), s.
    pub jitter_s: f64,
    /// Objects of requests and responses, or transfers; absent where the flow is neither.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objects: Option<ResponseResult>,
    /// Pages; absent where the flow has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pages: Option<ResponseResult>,
    /// What the other end made of it; absent where the application is none that is played.
    #[serde(flatten)]
    pub playout: Option<PlayoutResult>,
}

/// How a stream that is played arrived.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PlayoutResult {
    /// Datagrams older than this are late, s; absent without a deadline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deadline_s: Option<f64>,
    /// Datagrams that came later than the deadline; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub late: Option<u64>,
    /// Share of datagrams lost or late, of those lost or arrived; null where there were none.
    pub unusable: Option<f64>,
    /// Times between arrivals, s; null before the third arrival.
    pub interarrival_s: Option<InterarrivalResult>,
}

impl From<&PlayoutOutcome> for PlayoutResult {
    fn from(playout: &PlayoutOutcome) -> PlayoutResult {
        PlayoutResult {
            deadline_s: playout.deadline_s,
            late: playout.late,
            unusable: playout.unusable,
            interarrival_s: playout.interarrival.as_ref().map(InterarrivalResult::from),
        }
    }
}

/// What was asked for and what came.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ResponseResult {
    /// How many came in the measured time.
    pub finished: u64,
    /// How many had been asked for at the end and were not there.
    pub unfinished: u64,
    /// From asking to the last byte, of those that came, s; null where none did.
    pub response_time_s: Option<DelayResult>,
}

impl From<&ResponseOutcome> for ResponseResult {
    fn from(outcome: &ResponseOutcome) -> ResponseResult {
        ResponseResult {
            finished: outcome.finished,
            unfinished: outcome.unfinished,
            response_time_s: outcome.response_time.as_ref().map(DelayResult::from),
        }
    }
}

impl From<&FlowOutcome> for FlowResult {
    fn from(flow: &FlowOutcome) -> FlowResult {
        FlowResult {
            name: flow.name.clone(),
            transport: flow.transport,
            variant: flow.variant.clone(),
            from: flow.from.clone(),
            to: flow.to.clone(),
            throughput_bps: flow.throughput_bps,
            goodput_bps: flow.goodput_bps,
            packets_sent: flow.packets_sent,
            packets_delivered: flow.packets_delivered,
            packets_lost: flow.packets_lost.iter().copied().collect(),
            acks_sent: flow.acks_sent,
            acks_lost: flow.acks_lost,
            retransmits: flow.retransmits,
            timeouts: flow.timeouts,
            dup_acks: flow.dup_acks,
            window_cuts: flow.window_cuts.iter().copied().collect(),
            delay_s: flow.delay.as_ref().map(DelayResult::from),
            jitter_s: flow.jitter_s,
            objects: flow.objects.as_ref().map(ResponseResult::from),
            pages: flow.pages.as_ref().map(ResponseResult::from),
            playout: flow.playout.as_ref().map(PlayoutResult::from),
        }
    }
}

impl RunResult {
    /// The result of a run from its outcome.
    pub fn new(scenario: &str, seed: base::Seed, outcome: &Outcome) -> RunResult {
        RunResult {
            scenario: scenario.to_owned(),
            seed: seed.seed,
            replication: seed.replication,
            duration_s: outcome.duration_s,
            measured_s: outcome.measured_s,
            events: outcome.events,
            flows: outcome.flows.iter().map(FlowResult::from).collect(),
            stations: outcome.stations.iter().map(StationResult::from).collect(),
            queues: outcome.queues.iter().map(QueueResult::from).collect(),
            links: outcome.links.iter().map(LinkResult::from).collect(),
            jain: outcome.jain,
            packets: PacketsResult::from(&outcome.packets),
            handoffs: outcome
                .handoffs
                .as_ref()
                .map(|handoffs| handoffs.iter().map(HandoffResult::from).collect()),
            probes: None,
        }
    }

    /// As one JSON document.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|_| "null".to_owned())
    }
}
