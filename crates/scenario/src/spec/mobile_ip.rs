//! Mobile IPv4.

use crate::at::At;
use crate::settings::Set;
use crate::table::{prose, table};
use crate::units::Duration;
use crate::word::Word;
use mobileip::{Detection, Rules};

table! {
    /// Mobile IPv4 (RFC 5944): nodes keep their address while they move from one agent to another.
    pub struct MobileIpSpec {
        /// The set of rules from which the defaults of other keys come.
        settings settings: Set<Rules>;
        /// The node to which packets for mobile nodes go first. Where it is an access point, its cell is their
        /// home.
        needed home_agent: String;
        /// The access points that are foreign agents. A star in a name stands for any text.
        foreign_agents: Vec<At<String>> = held prose("all but the home agent");
        /// The nodes that move. They are stations of cells. A star in a name stands for any text.
        needed mobile_nodes: Vec<At<String>>;
        /// The longest time between two advertisements of an agent. With rfc5944 each time is drawn from three
        /// quarters of it up to all of it. With ns2 it is also how often a node checks for agents that have been
        /// silent for so long.
        advertisement_interval: Duration = held "1 s";
        /// How long an advertisement is valid.
        advertisement_lifetime: Duration = held prose("3 intervals"), "preset = ns2" prose("2 intervals");
        /// How long a registration is valid.
        registration_lifetime: Duration = held "60 s", "preset = ns2" "2 s";
        /// The time from a registration request to its first repetition. With rfc5944 it doubles each time.
        registration_retransmit: Duration = held "1 s", "preset = ns2" "0.5 s";
        /// When a node changes to another agent that it hears.
        detection: Word<Detection> = held "lazy", "preset = ns2" "eager" => "ns2: what ns-2's code does";
        /// Whether a node looks for an agent as soon as its station has associated with another access point. It
        /// needs stations that associate by signal.
        link_trigger: bool = held prose("true with rfc5944 where stations associate by signal");
    }
}
