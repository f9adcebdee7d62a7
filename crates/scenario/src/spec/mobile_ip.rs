//! Mobile IPv4.

use crate::at::At;
use crate::named::named;
use crate::units::Duration;
use schemars::JsonSchema;
use serde::Deserialize;

named! {
    /// A named set of Mobile IP's parameters.
    MobileIpPreset, "Mobile IP preset" {
        Rfc5944 = "rfc5944": "RFC 5944 with an advertisement each second: an agent is left when its lifetime is over",
        Ns2 = "ns2": "ns-2.35: registrations of 2 s, agents forgotten after a second, new ones gone to at once",
    }
    /// When a mobile node goes to an agent that it hears beside its own.
    DetectionName, "movement detection" {
        Lazy = "lazy": "when its own can no longer be counted on (RFC 5944 section 2.4.2.1)",
        Eager = "eager": "when it hears one that it did not know",
    }
}

/// Mobile IPv4 (RFC 5944): nodes that keep their address while they go from agent to agent.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MobileIpSpec {
    /// Where the parameters come from that are not given here. Default: "rfc5944", or "ns2" under conventions = "ns2".
    pub preset: Option<MobileIpPreset>,
    /// The node to which packets for mobile nodes go first. Where it is an access point, its cell is their home.
    pub home_agent: At<String>,
    /// Access points that take visitors; a star stands for any text. Default: all but the home agent.
    pub foreign_agents: Option<At<Vec<At<String>>>>,
    /// The nodes that move, stations of cells; a star stands for any text.
    pub mobile_nodes: At<Vec<At<String>>>,
    /// The longest time between two advertisements of an agent; with rfc5944 it is drawn from three quarters of it on.
    /// With ns2 also how often a node looks for agents that it has not heard for so long. Default: "1 s".
    pub advertisement_interval: Option<At<Duration>>,
    /// For how long an advertisement holds. Default: 3 intervals, 2 with ns2.
    pub advertisement_lifetime: Option<At<Duration>>,
    /// For how long a registration holds. Default: "60 s"; "2 s" with ns2.
    pub registration_lifetime: Option<At<Duration>>,
    /// From a request to its first repetition; doubled each time with rfc5944. Default: "1 s"; "0.5 s" with ns2.
    pub registration_retransmit: Option<At<Duration>>,
    /// When a node goes to an agent that it hears beside its own. Default: "lazy"; "eager" with ns2, as its code has it.
    pub detection: Option<DetectionName>,
    /// A node asks for agents as soon as its station has associated with another access point. Default: true with
    /// rfc5944 where stations associate by signal.
    pub link_trigger: Option<At<bool>>,
}
