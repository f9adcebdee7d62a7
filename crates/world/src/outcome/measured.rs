//! What measures say of a flow where a scenario asks for them: who follows packets through a run fills it in.

use crate::playout::InterarrivalOutcome;
use schemars::JsonSchema;
use serde::Serialize;

/// What measures say of a flow.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct MeasuredOutcome {
    /// Its mean by causes; absent unless the scenario's `measures` have "delay_split", null where none arrived.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delay_split_s: Option<Option<DelaySplitOutcome>>,
    /// The sums over all packets; absent unless the scenario's `measures` have "delay_split".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delay_split_ns: Option<DelayPartsOutcome>,
    /// Times between arrivals, s, of a flow that is not played; absent unless the scenario's `measures` have "interarrival",
    /// null before the third arrival.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interarrival_s: Option<Option<InterarrivalOutcome>>,
}

/// Mean one-way delay of data packets by its causes, s. The parts add up to the mean, but for the rounding of each.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct DelaySplitOutcome {
    /// All of it: that of `delay_s`.
    pub mean: f64,
    /// Waiting in interface queues behind others.
    pub queueing: f64,
    /// At the head of an 802.11 queue until an exchange begins: inter-frame spaces, backoff, others' turns.
    pub access: f64,
    /// 802.11 exchanges that failed.
    pub retries: f64,
    /// From the start of an 802.11 exchange that succeeded to the last bit at the receiver.
    pub transmission: f64,
    /// Serialization and propagation on wired links.
    pub wire: f64,
    /// Waiting at a station without an access point; ways through tunnels, whole.
    pub handoff: f64,
}

/// The sums over all packets, whole ns: they add up to the sum of the delays exactly.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct DelayPartsOutcome {
    /// As in the means.
    pub queueing: u64,
    /// As in the means.
    pub access: u64,
    /// As in the means.
    pub retries: u64,
    /// As in the means.
    pub transmission: u64,
    /// As in the means.
    pub wire: u64,
    /// As in the means.
    pub handoff: u64,
}
