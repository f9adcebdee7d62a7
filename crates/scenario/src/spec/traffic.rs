//! Flows.

use super::{AppSpec, TcpSpec, UdpSpec};
use crate::table::{prose, table};
use crate::units::Duration;
use crate::word::Word;
use base::named;

named! {
    /// Which transport a flow uses.
    pub enum TransportName, "transport" {
        Tcp = "tcp": "Transmission Control Protocol: reliable, in order, congestion controlled",
        Udp = "udp": "User Datagram Protocol: datagrams, no more",
    }
}

table! {
    /// A conversation: data one way, acknowledgements and requests back.
    pub struct FlowSpec {
        /// A name for results.
        name: String = held prose("\"flow1\", \"flow2\", ... by position");
        /// Where the data come from. A star stands for any text: one flow for each node that matches, named NAME-1,
        /// ...
        needed from: String;
        /// Where they go; a star as in `from`.
        needed to: String;
        /// So many flows from each source to each sink, named NAME-1, ...; 0: none, for studies over it.
        count: u32 = held prose("one, named NAME");
        /// Nodes to pass on the way, in order. Default: the path with the fewest hops.
        list via: String;
        /// What it goes over.
        transport: Word<TransportName> = held prose("what the application needs");
        /// What it carries: the name of an application, or a table with a kind.
        app: AppSpec = held "bulk";
        /// When it begins.
        start: Duration = "0 s";
        /// When the application stops offering data.
        stop: Duration = held prose("at the end");
        /// The n flows that a star or `count` makes begin one after the other, this long divided by n apart.
        start_spread: Duration = "0 s";
        /// This flow's TCP parameters; what is left out comes from the top-level table.
        tcp: TcpSpec;
        /// This flow's UDP parameters; what is left out comes from the top-level table.
        udp: UdpSpec;
    }
}
