//! Flows and what they carry.

use super::{TcpSpec, UdpSpec};
use crate::at::At;
use crate::named::named;
use crate::units::{BitRate, Duration, Size};
use crate::value::{Value, values};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;

named! {
    /// Which transport a flow uses.
    TransportName, "transport" {
        Tcp = "tcp": "Transmission Control Protocol: reliable, in order, congestion controlled",
        Udp = "udp": "User Datagram Protocol: datagrams, no more",
    }
    /// What a flow carries.
    AppKind, "application" {
        Bulk = "bulk": "a file over TCP, without end or of a given size",
        Cbr = "cbr": "datagrams of one size at a constant rate",
        Saturated = "saturated": "datagrams of one size, always one ready for an 802.11 station",
    }
}

/// A conversation: data one way, acknowledgements back.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FlowSpec {
    /// A name for results. Default: "flow1", "flow2", ... by position.
    pub name: Option<At<String>>,
    /// Where the data come from. A star stands for any text: one flow for each node that matches, named NAME-1, ...
    pub from: At<String>,
    /// Where they go; a star as in `from`.
    pub to: At<String>,
    /// Nodes to pass on the way, in order. Default: the path with the fewest hops.
    #[serde(default)]
    pub via: Vec<At<String>>,
    /// Default: what the application needs.
    pub transport: Option<At<TransportName>>,
    /// What it carries: "bulk", "cbr", "saturated", or a table with a kind. Default: "bulk" over TCP.
    pub app: Option<At<AppSpec>>,
    /// When it begins. Default: "0 s".
    pub start: Option<At<Duration>>,
    /// When the application stops offering data. Default: at the end.
    pub stop: Option<At<Duration>>,
    /// The n flows that a star makes begin one after the other, this long divided by n apart. Default: "0 s".
    pub start_spread: Option<At<Duration>>,
    /// This flow's TCP parameters; what is left out comes from the top-level table.
    pub tcp: Option<At<TcpSpec>>,
    /// This flow's UDP parameters; what is left out comes from the top-level table.
    pub udp: Option<At<UdpSpec>>,
}

/// An application.
#[derive(Clone, Debug, PartialEq)]
pub struct AppSpec {
    /// Which.
    pub kind: AppKind,
    /// Bits per second of payload.
    pub rate: Option<At<BitRate>>,
    /// Payload of a datagram, bytes.
    pub payload: Option<At<Size>>,
    /// Bytes in all.
    pub size: Option<At<Size>>,
}

/// An application with its parameters.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AppTable {
    /// Which.
    pub kind: AppKind,
    /// cbr: bits per second of payload. Default: "448 kbps" (ns-2's).
    pub rate: Option<At<BitRate>>,
    /// cbr, saturated: payload of a datagram. Default: "210 B" for cbr (ns-2's), "1500 B" for saturated.
    pub payload: Option<At<Size>>,
    /// bulk: how much to send. Default: without end.
    pub size: Option<At<Size>>,
}

impl Value for AppSpec {
    const ALLOWED: &'static str = "an application, such as \"bulk\" or { kind = \"cbr\", rate = \"32 kbps\", payload = \"200 B\" }";
    type Table = AppTable;

    fn from_text(text: &str) -> Result<Self, String> {
        let kind = AppKind::from_text(text)?;
        Ok(AppSpec { kind, rate: None, payload: None, size: None })
    }
    fn from_table(AppTable { kind, rate, payload, size }: AppTable) -> Result<Self, String> {
        Ok(AppSpec { kind, rate, payload, size })
    }
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        let (kind, table) =
            (generator.subschema_for::<AppKind>(), generator.subschema_for::<AppTable>());
        json_schema!({ "anyOf": [kind, table] })
    }
}

values!(AppSpec);
