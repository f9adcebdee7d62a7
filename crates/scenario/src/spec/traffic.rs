//! Flows.

use super::{AppSpec, CodePoint, TcpSpec, UdpSpec};
use crate::table::{prose, table};
use crate::units::Duration;
use crate::word::Word;
use base::named;
use wifi::qos::Category;

named! {
    /// The transport of a flow.
    pub enum TransportName, "transport" {
        Tcp = "tcp": "Transmission Control Protocol: reliable, in order, congestion controlled",
        Udp = "udp": "User Datagram Protocol: datagrams that are neither acknowledged nor sent again",
    }
}

table! {
    /// A flow: one application between two nodes. Its data go one way, and acknowledgements and requests go back.
    pub struct FlowSpec {
        /// The name of the flow, which results carry.
        name: String = held prose("\"flow1\", \"flow2\", ... by position");
        /// The node where the data come from. A star stands for any text and makes a flow for each node that
        /// matches, named NAME-1, NAME-2, ...
        needed from: String;
        /// The node to which the data go. A star works as in `from`.
        needed to: String;
        /// How many flows there are from each source to each sink, named NAME-1, NAME-2, ... With 0 there is none,
        /// which a study may want.
        count: u32 = held prose("one, named NAME");
        /// Nodes that packets pass on the way, in order. Default: none; packets take the path with the fewest hops.
        list via: String;
        /// The transport protocol.
        transport: Word<TransportName> = held prose("what the application needs");
        /// The traffic of the flow: the name of an application, or a table with its `kind`.
        app: AppSpec = held "bulk";
        /// When the flow begins.
        start: Duration = "0 s";
        /// When the application stops offering data.
        stop: Duration = held prose("at the end");
        /// The access category of its packets in both directions, where cells have categories. It takes the place of
        /// the one that `dscp` gives.
        access_category: Word<Category> = held prose("by `dscp`");
        /// The differentiated services code point of its packets, which gives their access category (RFC 8325) and their
        /// tin in queues of CAKE. It is a number or a name: "EF" (46) for calls, "AF41" (34) for video, "CS1" (8) for background.
        dscp: CodePoint = 0;
        /// The time over which the starts are spread of the n flows that a star or `count` makes: each begins this
        /// time divided by n after the one before.
        start_spread: Duration = "0 s";
        /// The TCP parameters of this flow. What is left out comes from the top-level `tcp`.
        tcp: TcpSpec;
        /// The UDP parameters of this flow. What is left out comes from the top-level `udp`.
        udp: UdpSpec;
    }
}
