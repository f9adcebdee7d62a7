//! Flows and what they carry.

use super::law::{CountLaw, SizeLaw, TimeLaw};
use super::web::{ThinkFromName, WebModelName};
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
    #[derive(Default)]
    AppKind, "application" {
        #[default]
        Bulk = "bulk": "a file over TCP, without end or of a given size",
        Cbr = "cbr": "datagrams of one size at a constant rate",
        Saturated = "saturated": "datagrams of one size, always one ready for an 802.11 station",
        Web = "web": "pages of objects that `to` asks `from` for over TCP connections, with response times",
        RequestResponse = "request_response": "requests of `to` and responses of `from`, one after the other or several at once",
        ShortFlows = "short_flows": "TCP transfers of random size that begin at random times, with completion times",
    }
}

/// A conversation: data one way, acknowledgements and requests back.
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
    /// What it carries: the name of an application, or a table with a kind. Default: "bulk" over TCP.
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
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AppSpec(pub AppTable);

/// An application with its parameters.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AppTable {
    /// Which.
    pub kind: AppKind,
    /// cbr: bits per second of payload. Default: "448 kbps" (ns-2's).
    pub rate: Option<At<BitRate>>,
    /// cbr, saturated: payload of a datagram. Default: "210 B" for cbr (ns-2's), "1500 B" for saturated.
    pub payload: Option<At<Size>>,
    /// bulk: how much to send. Default: without end. web: an object. Default: pareto2 of mean 12 packets and shape 1.2
    /// (webtraf), lognormal of mean 35.3 kB and sigma 1.5 (modern). short_flows: a transfer. Default: "10 kB".
    pub size: Option<At<SizeLaw>>,
    /// web: where the defaults of all that follows come from. Default: "modern".
    pub model: Option<At<WebModelName>>,
    /// web: sessions, one after the other. Default: without end.
    pub sessions: Option<At<u32>>,
    /// web: pages in a session. Default: 250 (webtraf), without end (modern).
    pub pages: Option<At<CountLaw>>,
    /// web: from one session to the next. Default: exponential, mean 1 s.
    pub session_gap: Option<At<TimeLaw>>,
    /// web, request_response: from one page, or response, to the next. Default: exponential, mean 15 s (webtraf), 30 s
    /// (modern), "0 s" (request_response).
    pub think: Option<At<TimeLaw>>,
    /// web: what `think` and `session_gap` are counted from. Default: "page_end".
    pub think_from: Option<At<ThinkFromName>>,
    /// web: objects of a page, the main one included. Default: 1 (webtraf), lognormal of median 66 (modern).
    pub objects: Option<At<CountLaw>>,
    /// web: from asking for one object of a page to asking for the next. Default: exponential, mean 10 ms (webtraf), "0 s"
    /// (modern).
    pub object_gap: Option<At<TimeLaw>>,
    /// web: the first object of a page, which must be there before the others are asked for. Default: as all others, and
    /// they do not wait (webtraf), "18 kB" (modern).
    pub main_size: Option<At<SizeLaw>>,
    /// web, request_response: what is sent to ask. Default: "1 packet" (webtraf), "700 B" (modern), "300 B"
    /// (request_response).
    pub request: Option<At<SizeLaw>>,
    /// request_response: what is sent back. Default: "10 kB".
    pub response: Option<At<SizeLaw>>,
    /// request_response: how many requests are sent at once; `think` begins with the last response. Default: as many as
    /// `connections`.
    pub requests: Option<At<u32>>,
    /// short_flows: from the beginning of one transfer to that of the next. Default: exponential, mean 1 s.
    pub interarrival: Option<At<TimeLaw>>,
    /// The most connections at once that carry something; what comes meanwhile waits. Default: 100 (webtraf), 6 (modern), 1
    /// (request_response), 1000 (short_flows).
    pub connections: Option<At<u32>>,
    /// web, request_response: connections stay for the next object. Default: true; with false the server closes behind
    /// each.
    pub persistent: Option<At<bool>>,
    /// web, request_response: the server opens a connection of its own for each response, as ns-2's WebTraf does. Default:
    /// true (webtraf), false.
    pub request_apart: Option<At<bool>>,
}

impl Value for AppSpec {
    const ALLOWED: &'static str = "an application, such as \"bulk\" or { kind = \"cbr\", rate = \"32 kbps\", payload = \"200 B\" }";
    type Table = AppTable;

    fn from_text(text: &str) -> Result<Self, String> {
        let kind = AppKind::from_text(text)?;
        Ok(AppSpec(AppTable { kind, ..AppTable::default() }))
    }
    fn from_table(table: AppTable) -> Result<Self, String> {
        Ok(AppSpec(table))
    }
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        let (kind, table) =
            (generator.subschema_for::<AppKind>(), generator.subschema_for::<AppTable>());
        json_schema!({ "anyOf": [kind, table] })
    }
}

values!(AppSpec);
