//! What a run tells of a handoff.

use schemars::JsonSchema;
use serde::Serialize;

/// One association of a station, or with Mobile IP one registration: its parts add up to the total, and with Mobile IP,
/// where they begin with the last packet before, to the gap.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct HandoffOutcome {
    /// The station.
    pub station: String,
    /// The access point or agent before; null: this is the first.
    pub from: Option<String>,
    /// The access point or agent from then on.
    pub to: String,
    /// Why: "start", "missed_beacons", "failed_packets", "weak_signal", "deauthenticated"; with Mobile IP also
    /// "agent_lost", "new_agent", "home_agent" or "link".
    pub trigger: &'static str,
    /// When it was associated or registered, s.
    pub at_s: f64,
    /// From the last beacon heard, or with Mobile IP the last packet, to the decision to look for another, s.
    pub detection_s: f64,
    /// Looking, changes of channel included, s.
    pub scan_s: f64,
    /// Authentication, s.
    pub authentication_s: f64,
    /// Association or reassociation, s.
    pub association_s: f64,
    /// Mobile IP: from the association or the decision to the request for registration, s.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub discovery_s: Option<f64>,
    /// Mobile IP: from the request to the reply, s.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub registration_s: Option<f64>,
    /// Mobile IP: from the reply to the first packet, s.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resumption_s: Option<f64>,
    /// All parts, s.
    pub total_s: f64,
    /// From the last data frame that passed before to the first that passed after, s; null where none has.
    pub gap_s: Option<f64>,
    /// Mobile IP: packets from the station or for it that were lost in the gap, or came to the old agent too late.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost: Option<u64>,
    /// Mobile IP: packets made before it could be reached again that passed over its link afterwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delayed: Option<u64>,
    /// Mobile IP: packets that went through a tunnel to it, up to the next handoff.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tunnelled: Option<u64>,
}
