//! Mobile IPv4.

use crate::at::At;
use crate::table::{prose, table};
use crate::units::Duration;
use crate::word::Word;
use mobileip::{Detection, Preset};

table! {
    /// Mobile IPv4 (RFC 5944): nodes that keep their address while they go from agent to agent.
    pub struct MobileIpSpec {
        /// Where the parameters come from that are not given here.
        preset: Word<Preset> = "rfc5944", ns2 "ns2";
        /// The node to which packets for mobile nodes go first. Where it is an access point, its cell is their home.
        needed home_agent: String;
        /// Access points that take visitors; a star stands for any text.
        foreign_agents: Vec<At<String>> = held prose("all but the home agent");
        /// The nodes that move, stations of cells; a star stands for any text.
        needed mobile_nodes: Vec<At<String>>;
        /// The longest time between two advertisements of an agent; with rfc5944 it is drawn from three quarters of
        /// it on. With ns2 also how often a node looks for agents that it has not heard for so long.
        advertisement_interval: Duration = held "1 s";
        /// For how long an advertisement holds.
        advertisement_lifetime: Duration = held prose("3 intervals"), "preset = ns2" prose("2 intervals");
        /// For how long a registration holds.
        registration_lifetime: Duration = held "60 s", "preset = ns2" "2 s";
        /// From a request to its first repetition; doubled each time with rfc5944.
        registration_retransmit: Duration = held "1 s", "preset = ns2" "0.5 s";
        /// When a node goes to an agent that it hears beside its own.
        detection: Word<Detection> = held "lazy", "preset = ns2" "eager" => "ns-2: as its code has it";
        /// A node asks for agents as soon as its station has associated with another access point.
        link_trigger: bool = held prose("true with rfc5944 where stations associate by signal");
    }
}
