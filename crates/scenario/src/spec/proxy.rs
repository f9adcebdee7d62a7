//! Proxies: parts of nodes that take part in the transport of flows that pass there.

use super::TcpSpec;
use crate::at::At;
use crate::kinds::kinds;
use crate::table::{prose, table};
use crate::units::{Duration, Size};
use crate::value::{NoTable, Value, values};
use schemars::{Schema, SchemaGenerator, json_schema};

kinds! {
    /// A part of a node that takes part in the transport of flows that pass there.
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
        /// The node, or the nodes between which a mobile moves: access points, base stations, or other nodes with a station.
        needed at: Places;
        /// Names of flows, and of [[flow]] that make several; a star stands for any text.
        flows: Vec<At<String>> = held prose("every TCP flow that passes there and has one end that is a station beyond");
        /// The most that the node holds of a flow in one direction: what has come to it and is not acknowledged beyond.
        buffer: Size = "64 kB";
        /// Where there are several nodes: the image of a socket, which goes to the next node with what the node holds.
        socket: Size = "1 kB";
        /// When the state has come to the next node, what is outstanding over the air is sent again at once, as after a
        /// timeout; false: when its timer goes off.
        resend: bool = true;
        /// When the node, whichever it is then, loses all that it knows: both connections are reset.
        list dies: Duration;
        /// So long after that the source opens its connection anew.
        restart: Duration = "1 s";
        /// TCP over the air, between the node and the station; what is left out comes from the top-level table. The flow's
        /// own parameters are those of the other leg.
        tcp: TcpSpec;
    }
}

table! {
    /// snoop.
    pub struct SnoopTable {
        /// The node, or the nodes between which a mobile moves: access points or base stations. Each knows what it has seen.
        needed at: Places;
        /// Names of flows, and of [[flow]] that make several; a star stands for any text.
        flows: Vec<At<String>> = held prose("every TCP flow that passes there and has one end that is a station beyond");
        /// Nodes that are taken for mobiles though they have no station: the last hop is a link.
        mobiles: Vec<At<String>> = held prose("none: stations are mobiles");
        /// Most packets of a connection that are kept.
        cache: u32 = 100;
        /// How often a packet is sent again from here, until its sender sends it again.
        retries: u32 = 10;
        /// With so many duplicate acknowledgements it is sent again.
        dup_thresh: u32 = 1;
        /// The least time without an acknowledgement after which the oldest is sent again.
        min_timeout: Duration = "100 ms";
        /// When the nodes forget all that they know of connections.
        restarts: Vec<At<Duration>> = held prose("never");
    }
}

table! {
    /// mtcp.
    pub struct MtcpTable {
        /// The nodes of the supervisor host: the access point or base station, or all of them between which a mobile moves.
        needed at: Places;
        /// Names of flows, and of [[flow]] that make several; a star stands for any text.
        flows: Vec<At<String>> = held prose("every TCP flow that passes there and has one end that is a station beyond");
        /// Nodes that are taken for mobiles though they have no station: the last hop is a link.
        mobiles: Vec<At<String>> = held prose("none: stations are mobiles");
        /// A mobile that owes acknowledgements and is silent for so long is gone.
        silence: Duration = "300 ms";
        /// When it owes none for so long its last byte is acknowledged too.
        hold: Duration = "100 ms";
        /// While it is gone what it waits for is sent so often.
        probe: Duration = "200 ms";
        /// Most packets of a connection that are kept.
        cache: u32 = 100;
        /// How often a packet is sent again from here, until its sender sends it again.
        retries: u32 = 10;
        /// With so many duplicate acknowledgements it is sent again.
        dup_thresh: u32 = 1;
        /// The least time without an acknowledgement after which the oldest is sent again.
        min_timeout: Duration = "100 ms";
        /// When the nodes forget all that they know of connections.
        restarts: Vec<At<Duration>> = held prose("never");
    }
}

/// One node or several.
#[derive(Clone, Debug, PartialEq)]
pub enum Places {
    /// This one.
    One(String),
    /// These.
    Several(Vec<At<String>>),
}

impl At<Places> {
    /// The names, each where it stands.
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

    fn from_text(text: &str) -> Result<Self, String> {
        Ok(Places::One(text.to_owned()))
    }
    fn from_list(list: Vec<At<String>>) -> Result<Self, String> {
        match list.is_empty() {
            true => Err("no node; allowed: one or more".into()),
            false => Ok(Places::Several(list)),
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
