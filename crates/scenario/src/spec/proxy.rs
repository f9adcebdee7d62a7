//! Proxies: parts of nodes that take part in the transport of flows that pass there.

use super::TcpSpec;
use crate::at::{At, Reason};
use crate::code::Code;
use crate::kinds::kinds;
use crate::table::{prose, table};
use crate::units::{Duration, Size};
use crate::value::{NoTable, Value, values};
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::Value as Json;

kinds! {
    /// A proxy at a node, which splits the TCP connections that pass there or watches over them.
    pub enum ProxySpec of ProxyName, "kind of proxy", "kind of proxy", "kinds of proxy" by "kind" {
        Split(SplitTable) = "split": "a flow in two connections that meet there, each with its own parameters (I-TCP)",
        Snoop(SnoopTable) = "snoop": "losses on the air repaired by the base station, which keeps what is not acknowledged (Snoop)",
        Mtcp(MtcpTable) = "mtcp": "a mobile that is gone stops its sender with a window of zero (M-TCP)",
    }
    allowed "a table with a kind, such as { kind = \"split\", at = \"ap\" }";
    by_name false;
    lenient false;
}

table! {
    /// split.
    pub struct SplitTable {
        /// The node where connections are split, or the nodes between which a mobile moves: access points, base
        /// stations, or other nodes with a station.
        needed at: Places;
        /// The flows that the proxy serves: names of flows, or of a [[flow]] that makes several. A star stands for
        /// any text.
        flows: Vec<At<String>> = held prose("every TCP flow that passes there and has one end that is a station beyond");
        /// How many bytes of a flow the node holds at most in one direction: data that have arrived and that the
        /// second connection has not acknowledged.
        buffer: Size = "64 kB";
        /// The size of the image of a socket. With several nodes it goes to the next node in a handoff, with the
        /// contents of the buffer.
        socket: Size = "1 kB";
        /// True: when the state has reached the next node, the data that are outstanding over the air are sent
        /// again at once, as after a timeout. False: they are sent again when their timer expires.
        resend: bool = true;
        /// The times at which the node, whichever it is then, loses its state. Both connections are then reset.
        list dies: Duration;
        /// How long after such a failure the source opens its connection anew.
        restart: Duration = "1 s";
        /// The TCP parameters of the connection over the air, between the node and the station. What is left out
        /// comes from the top-level `tcp`. The other connection has the flow's own parameters.
        tcp: TcpSpec;
    }
}

table! {
    /// snoop.
    pub struct SnoopTable {
        /// The node that watches, or the nodes between which a mobile moves: access points or base stations. Each
        /// knows only what has passed it.
        needed at: Places;
        /// The flows that the proxy serves: names of flows, or of a [[flow]] that makes several. A star stands for
        /// any text.
        flows: Vec<At<String>> = held prose("every TCP flow that passes there and has one end that is a station beyond");
        /// Nodes that count as mobiles although they are no stations, because the last hop is a wired link. A star
        /// stands for any text.
        mobiles: Vec<At<String>> = held prose("none: stations are mobiles");
        /// How many packets of a connection the node keeps at most.
        cache: u32 = 100;
        /// How often the node sends a packet again. After that it forwards duplicate acknowledgements until the
        /// sender itself sends the packet again.
        retries: u32 = 10;
        /// How many duplicate acknowledgements make the node send a packet again.
        dup_thresh: u32 = 1;
        /// The least value of the local timer, after which the node sends the oldest packet again that is not
        /// acknowledged.
        min_timeout: Duration = "100 ms";
        /// The times at which the nodes forget all that they know of connections.
        restarts: Vec<At<Duration>> = held prose("never");
    }
}

table! {
    /// mtcp.
    pub struct MtcpTable {
        /// The node that watches (the paper's supervisor host), or all the nodes between which a mobile moves:
        /// access points or base stations. They share their state.
        needed at: Places;
        /// The flows that the proxy serves: names of flows, or of a [[flow]] that makes several. A star stands for
        /// any text.
        flows: Vec<At<String>> = held prose("every TCP flow that passes there and has one end that is a station beyond");
        /// Nodes that count as mobiles although they are no stations, because the last hop is a wired link. A star
        /// stands for any text.
        mobiles: Vec<At<String>> = held prose("none: stations are mobiles");
        /// How long a mobile that owes acknowledgements is silent before it counts as gone.
        silence: Duration = "300 ms";
        /// How long a mobile has owed nothing when the node acknowledges the last byte, which it had held back.
        hold: Duration = "100 ms";
        /// How often the node sends what a mobile is missing while the mobile is gone.
        probe: Duration = "200 ms";
        /// How many packets of a connection the node keeps at most.
        cache: u32 = 100;
        /// How often the node sends a packet again. After that it forwards duplicate acknowledgements until the
        /// sender itself sends the packet again.
        retries: u32 = 10;
        /// How many duplicate acknowledgements make the node send a packet again.
        dup_thresh: u32 = 1;
        /// The least value of the local timer, after which the node sends the oldest packet again that is not
        /// acknowledged.
        min_timeout: Duration = "100 ms";
        /// The times at which the nodes forget all that they know of connections.
        restarts: Vec<At<Duration>> = held prose("never");
    }
}

/// One node or several.
#[derive(Clone, Debug, PartialEq)]
pub enum Places {
    /// One node.
    One(String),
    /// Several nodes.
    Several(Vec<At<String>>),
}

impl At<Places> {
    /// Returns the names, each with its place.
    pub fn names(&self) -> Vec<At<String>> {
        match &self.value {
            Places::One(name) => vec![self.with(name.clone())],
            Places::Several(names) => names.clone(),
        }
    }
}

impl Value for Places {
    const ALLOWED: &'static str = "the name of a node, or a list of names";
    type Table = NoTable;

    fn from_text(text: &str) -> Result<Self, Reason> {
        Ok(Places::One(text.to_owned()))
    }
    fn from_list(list: Vec<At<String>>) -> Result<Self, Reason> {
        match list.is_empty() {
            true => Err(Code::OutOfRange.says("no node; allowed: one or more")),
            false => Ok(Places::Several(list)),
        }
    }
    fn written(&self) -> Json {
        match self {
            Places::One(name) => vec![name.as_str()].into(),
            Places::Several(names) => names.iter().map(|at| Json::from(at.as_str())).collect(),
        }
    }
    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [
            { "type": "string" },
            { "type": "array", "items": { "type": "string" }, "minItems": 1 },
        ]})
    }
}

values!(Places);
