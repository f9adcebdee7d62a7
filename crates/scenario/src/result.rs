//! What a run gives, as JSON: times in seconds, rates in bit/s.

mod choices;

use crate::probe::ProbeTables;
pub use choices::ChoiceResult;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use world::{
    Balance, DelayOutcome, FlowOutcome, HandoffOutcome, InterarrivalOutcome, LinkOutcome,
    MobileIpOutcome, Outcome, PicturesOutcome, PlayoutOutcome, QueueOutcome, ResponseOutcome,
    SpeechOutcome, StationOutcome,
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
    /// Handoffs by time, warm-up included; absent where stations look neither for access points nor for agents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handoffs: Option<Vec<HandoffResult>>,
    /// What Mobile IP has sent, in the measured time; absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mobile_ip: Option<MobileIpResult>,
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
    /// One association of a station, or with Mobile IP one registration: its parts add up to the total, and with Mobile IP,
    /// where they begin with the last packet before, to the gap.
    HandoffResult(HandoffOutcome) {
        /// The station.
        station: String,
        /// The access point or agent before; null: this is the first.
        from: Option<String>,
        /// The access point or agent from then on.
        to: String,
        /// Why: "start", "missed_beacons", "failed_packets", "weak_signal", "deauthenticated"; with Mobile IP also
        /// "agent_lost", "new_agent", "home_agent" or "link".
        trigger: &'static str,
        /// When it was associated or registered, s.
        at_s: f64,
        /// From the last beacon heard, or with Mobile IP the last packet, to the decision to look for another, s.
        detection_s: f64,
        /// Looking, changes of channel included, s.
        scan_s: f64,
        /// Authentication, s.
        authentication_s: f64,
        /// Association or reassociation, s.
        association_s: f64,
        /// Mobile IP: from the association or the decision to the request for registration, s.
        #[serde(skip_serializing_if = "Option::is_none")]
        discovery_s: Option<f64>,
        /// Mobile IP: from the request to the reply, s.
        #[serde(skip_serializing_if = "Option::is_none")]
        registration_s: Option<f64>,
        /// Mobile IP: from the reply to the first packet, s.
        #[serde(skip_serializing_if = "Option::is_none")]
        resumption_s: Option<f64>,
        /// All parts, s.
        total_s: f64,
        /// From the last data frame that passed before to the first that passed after, s; null where none has.
        gap_s: Option<f64>,
        /// Mobile IP: packets from the station or for it that were lost in the gap, or came to the old agent too late.
        #[serde(skip_serializing_if = "Option::is_none")]
        lost: Option<u64>,
        /// Mobile IP: packets made before it could be reached again that passed over its link afterwards.
        #[serde(skip_serializing_if = "Option::is_none")]
        delayed: Option<u64>,
        /// Mobile IP: packets that went through a tunnel to it, up to the next handoff.
        #[serde(skip_serializing_if = "Option::is_none")]
        tunnelled: Option<u64>,
    }
    /// What Mobile IP has sent in the measured time.
    MobileIpResult(MobileIpOutcome) {
        /// Agent advertisements sent.
        advertisements: u64,
        /// Solicitations sent.
        solicitations: u64,
        /// Registration requests; each hop between mobile node, foreign agent and home agent counts.
        requests: u64,
        /// Registration replies, counted alike.
        replies: u64,
        /// Network-layer bytes of all these messages.
        message_bytes: u64,
        /// Messages that did not arrive; an advertisement that nobody hears is not lost.
        messages_lost: u64,
        /// Packets that went through a tunnel, data and acknowledgements.
        packets_tunnelled: u64,
        /// Bytes of the tunnels' headers.
        tunnel_bytes: u64,
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
            packets_sent: flow.packets_sent,
            packets_delivered: flow.packets_delivered,
            packets_lost: flow.packets_lost.iter().copied().collect(),
            packets_tunnelled: flow.packets_tunnelled,
            packets_delayed: flow.packets_delayed,
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
            mobile_ip: outcome.mobile_ip.as_ref().map(MobileIpResult::from),
            probes: None,
        }
    }

    /// As one JSON document.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|_| "null".to_owned())
    }
}
