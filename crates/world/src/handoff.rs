//! The results of a handoff.

use base::outcome;
use serde::Serialize;

outcome! {
    /// One association of a station, or with Mobile IP one registration: its parts add up to the total, and with Mobile IP,
    /// where they begin with the last packet before, to the gap.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct HandoffOutcome {
        /// The station.
        station: String;
        /// The access point or agent before; null: this is the first.
        from: Option<String>;
        /// The access point or agent from then on.
        to: String;
        /// The reason: "start", "missed_beacons", "failed_packets", "weak_signal", "deauthenticated"; with
        /// Mobile IP also "agent_lost", "new_agent", "home_agent" or "link".
        trigger: &'static str;
        /// The time of association or registration, s.
        at_s: f64 = "moment of a handoff";
        /// From the last beacon heard, or with Mobile IP the last packet, to the decision to look for another, s.
        detection_s: f64 = "detection time of a handoff";
        /// Looking, changes of channel included, s.
        scan_s: f64 = "scan time of a handoff";
        /// Authentication, s.
        authentication_s: f64 = "authentication time of a handoff";
        /// Association or reassociation, s.
        association_s: f64 = "association time of a handoff";
        /// Mobile IP: from the association or the decision to the request for registration, s.
        #[serde(skip_serializing_if = "Option::is_none")]
        discovery_s: Option<f64> = "discovery time of a handoff";
        /// Mobile IP: from the request to the reply, s.
        #[serde(skip_serializing_if = "Option::is_none")]
        registration_s: Option<f64> = "registration time of a handoff";
        /// Mobile IP: from the reply to the first packet, s.
        #[serde(skip_serializing_if = "Option::is_none")]
        resumption_s: Option<f64> = "resumption time of a handoff";
        /// All parts, s.
        total_s: f64 = "time of a handoff";
        /// From the last data frame that passed before to the first that passed after, s; null where none has.
        gap_s: Option<f64> = "gap of a handoff";
        /// Mobile IP: packets from the station or for it that were lost in the gap, or came to the old agent too late.
        #[serde(skip_serializing_if = "Option::is_none")]
        lost: Option<u64> = "packets lost by a handoff" in "packets";
        /// Mobile IP: packets made before it could be reached again that passed over its link afterwards.
        #[serde(skip_serializing_if = "Option::is_none")]
        delayed: Option<u64> = "packets delayed by a handoff" in "packets";
        /// Mobile IP: packets that went through a tunnel to it, up to the next handoff.
        #[serde(skip_serializing_if = "Option::is_none")]
        tunnelled: Option<u64> = "packets tunnelled after a handoff" in "packets";
    }
}
