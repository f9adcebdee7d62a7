//! Mobile IPv4.

use crate::at::At;
use crate::units::Duration;
use crate::word::Word;
use mobileip::{Detection, Preset};
use schemars::JsonSchema;
use serde::Deserialize;

/// Mobile IPv4 (RFC 5944): nodes that keep their address while they go from agent to agent.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MobileIpSpec {
    /// Where the parameters come from that are not given here. Default: "rfc5944", or "ns2" under conventions = "ns2".
    pub preset: Option<Word<Preset>>,
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
    pub detection: Option<Word<Detection>>,
    /// A node asks for agents as soon as its station has associated with another access point. Default: true with
    /// rfc5944 where stations associate by signal.
    pub link_trigger: Option<At<bool>>,
}
