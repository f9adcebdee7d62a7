//! What a run gives, as JSON: times in seconds, rates in bit/s.

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

mod choices;
mod flow;

pub use flow::{DelayResult, FlowResult, InterarrivalResult};

use crate::probe::ProbeTables;
pub use choices::ChoiceResult;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use world::{
    Balance, HandoffOutcome, LinkOutcome, MobileIpOutcome, Outcome, QueueOutcome, StationOutcome,
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

mirrors! {
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
