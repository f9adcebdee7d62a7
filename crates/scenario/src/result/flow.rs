//! What a run gives of one flow.

use super::choices::ChoiceResult;
use crate::measures::{DelaySplitResult, PartsResult};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use world::{
    DelayOutcome, FlowOutcome, InterarrivalOutcome, PicturesOutcome, PlayoutOutcome,
    ResponseOutcome, SenderOutcome, SpeechOutcome,
};

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
    /// What became of pictures; those of which nothing was lost and something is missing are on their way.
    PicturesResult(PicturesOutcome) {
        /// Sent; those that were left out do not count.
        sent: u64,
        /// Arrived whole by the deadline; without one, whole.
        in_time: u64,
        /// Arrived whole after it.
        late: u64,
        /// A datagram was lost.
        broken: u64,
        /// Share of those late or broken, of those whose fate is known; null where there are none.
        unusable: Option<f64>,
    }
    /// How speech sounds (ITU-T G.107).
    SpeechResult(SpeechOutcome) {
        /// Transmission rating R, up to 93.2.
        r_factor: f64,
        /// Mean opinion score, 1 to 4.5.
        mos: f64,
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
    /// Transport-layer bits that reached the sink, a second: `throughput_bps` without IP headers.
    pub transport_throughput_bps: f64,
    /// How much of the measured time lies between the flow's start and its stop, s.
    pub active_s: f64,
    /// `throughput_bps` over `active_s`; null where that is 0.
    pub active_throughput_bps: Option<f64>,
    /// `goodput_bps` over `active_s`; null where that is 0.
    pub active_goodput_bps: Option<f64>,
    /// Application bits that the TCP sender has seen acknowledged, in order, over `active_s`; absent where the flow is not
    /// one TCP connection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub acked_goodput_bps: Option<f64>,
    /// Data packets handed to the network.
    pub packets_sent: u64,
    /// Data packets that reached the sink.
    pub packets_delivered: u64,
    /// Data packets lost, by reason.
    pub packets_lost: BTreeMap<&'static str, u64>,
    /// Data packets that went through a tunnel; absent without Mobile IP.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub packets_tunnelled: Option<u64>,
    /// Data packets that a handoff has held up: made before the mobile node could be reached again, and passed over its
    /// link afterwards; absent without Mobile IP.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub packets_delayed: Option<u64>,
    /// Acknowledgements sent.
    pub acks_sent: u64,
    /// Acknowledgements lost.
    pub acks_lost: u64,
    /// What the TCP senders of the data did.
    #[serde(flatten)]
    pub sender: SenderResult,
    /// What the senders at the other ends did, those of requests: in the direction of `acks_sent`; absent where connections
    /// do not come and go.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requests: Option<SenderResult>,
    /// One-way delay of data packets, s; null where none arrived.
    pub delay_s: Option<DelayResult>,
    /// Its mean by causes; absent unless the scenario's `measures` have "delay_split", null where none arrived.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delay_split_s: Option<Option<DelaySplitResult>>,
    /// The sums over all packets; absent unless the scenario's `measures` have "delay_split".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delay_split_ns: Option<PartsResult>,
    /// Times between arrivals, s, of a flow that is not played; absent unless the scenario's `measures` have "interarrival",
    /// null before the third arrival.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interarrival_s: Option<Option<InterarrivalResult>>,
    /// Interarrival jitter (RFC 3550), s.
    pub jitter_s: f64,
    /// Objects of requests and responses, or transfers; absent where the flow is neither.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objects: Option<ResponseResult>,
    /// Pages; absent where the flow has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pages: Option<ResponseResult>,
    /// What its connections have picked, warm-up included: by time, each that is not as the one before, a thousand at
    /// most; absent where the variant is fixed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choices: Option<Vec<ChoiceResult>>,
    /// How often each variant of the policy was picked; absent where the variant is fixed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picked: Option<BTreeMap<String, u64>>,
    /// What the host knows of the path at the end, as in `choices`; absent where the variant is fixed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measured: Option<BTreeMap<&'static str, f64>>,
    /// What the other end made of it; absent where the application is none that is played.
    #[serde(flatten)]
    pub playout: Option<PlayoutResult>,
}

/// What TCP senders did.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SenderResult {
    /// TCP segments sent again.
    pub retransmits: u64,
    /// TCP retransmission timeouts.
    pub timeouts: u64,
    /// Duplicate acknowledgements that the TCP sender counted: RFC 5681 section 2; with SACK those that tell of more.
    pub dup_acks: u64,
    /// TCP window cuts by cause: why the segment was lost, or ack_loss, reordering, spurious_timeout, ecn_mark.
    pub window_cuts: BTreeMap<&'static str, u64>,
}

impl From<&SenderOutcome> for SenderResult {
    fn from(outcome: &SenderOutcome) -> SenderResult {
        SenderResult {
            retransmits: outcome.retransmits,
            timeouts: outcome.timeouts,
            dup_acks: outcome.dup_acks,
            window_cuts: outcome.window_cuts.iter().copied().collect(),
        }
    }
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
    /// What became of pictures; absent where it is made of none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pictures: Option<PicturesResult>,
    /// Mean opinion score by the E-model (ITU-T G.107), 1 to 4.5; absent where it is no speech.
    #[serde(flatten)]
    pub speech: Option<SpeechResult>,
}

impl From<&PlayoutOutcome> for PlayoutResult {
    fn from(playout: &PlayoutOutcome) -> PlayoutResult {
        PlayoutResult {
            deadline_s: playout.deadline_s,
            late: playout.late,
            unusable: playout.unusable,
            interarrival_s: playout.interarrival.as_ref().map(InterarrivalResult::from),
            pictures: playout.pictures.as_ref().map(PicturesResult::from),
            speech: playout.speech.as_ref().map(SpeechResult::from),
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
            transport_throughput_bps: flow.transport_throughput_bps,
            active_s: flow.active_s,
            active_throughput_bps: flow.active_throughput_bps,
            active_goodput_bps: flow.active_goodput_bps,
            acked_goodput_bps: flow.acked_goodput_bps,
            packets_sent: flow.packets_sent,
            packets_delivered: flow.packets_delivered,
            packets_lost: flow.packets_lost.iter().copied().collect(),
            packets_tunnelled: flow.packets_tunnelled,
            packets_delayed: flow.packets_delayed,
            acks_sent: flow.acks_sent,
            acks_lost: flow.acks_lost,
            sender: SenderResult::from(&flow.sender),
            requests: flow.requests.as_ref().map(SenderResult::from),
            delay_s: flow.delay.as_ref().map(DelayResult::from),
            delay_split_s: None,
            delay_split_ns: None,
            interarrival_s: None,
            jitter_s: flow.jitter_s,
            objects: flow.objects.as_ref().map(ResponseResult::from),
            pages: flow.pages.as_ref().map(ResponseResult::from),
            choices: flow
                .choices
                .as_ref()
                .map(|picked| picked.choices.iter().map(ChoiceResult::from).collect()),
            picked: flow.choices.as_ref().map(|picked| picked.by_variant.iter().cloned().collect()),
            measured: flow.choices.as_ref().map(|picked| picked.measured.iter().copied().collect()),
            playout: flow.playout.as_ref().map(PlayoutResult::from),
        }
    }
}
