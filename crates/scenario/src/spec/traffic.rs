//! Flows and what they carry.

use super::law::{CountLaw, SizeLaw, TimeLaw};
use super::web::WebModelName;
use super::{TcpSpec, UdpSpec};
use crate::at::At;
use crate::units::{BitRate, Duration, Size};
use crate::value::{NoTable, Value, values};
use crate::word::Word;
use apps::{Begins, BurstRule, FilmModel, GapFrom, KnownCodec, TraceFormat};
use base::named;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;

named! {
    /// Which transport a flow uses.
    pub enum TransportName, "transport" {
        Tcp = "tcp": "Transmission Control Protocol: reliable, in order, congestion controlled",
        Udp = "udp": "User Datagram Protocol: datagrams, no more",
    }
    /// What a flow carries.
    #[derive(Default)]
    pub enum AppKind, "application" {
        #[default]
        Bulk = "bulk": "a file over TCP, without end or of a given size",
        Cbr = "cbr": "datagrams of one size at a constant rate",
        Saturated = "saturated": "datagrams of one size, always one ready for an 802.11 station",
        Periodic = "periodic": "datagrams of one size at a fixed interval, with jitter",
        OnOff = "on_off": "bursts at a constant rate and idle times, exponential or Pareto",
        Voice = "voice": "talk spurts and silences, 32 kbit/s, a playout deadline",
        Game = "game": "42 B every 60 ms up, 200 B every 50 ms down",
        Video = "video": "pictures by a trace or with the statistics of a film, in packets",
        Web = "web": "pages of objects that `to` asks `from` for over TCP connections, with response times",
        RequestResponse = "request_response": "requests of `to` and responses of `from`, one after the other or several at once",
        ShortFlows = "short_flows": "TCP transfers of random size that begin at random times, with completion times",
    }
    /// How times are distributed.
    pub enum TimesName, "distribution of times" {
        Exponential = "exponential": "without memory",
        Pareto = "pareto": "heavy tails: of long memory in sum for a shape below 2",
    }
    /// Which of a game's two streams.
    pub enum GameDirectionName, "direction of a game" {
        Up = "up": "player to server: 42 B every 60 ms",
        Down = "down": "server to player: 200 B every 50 ms",
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
    pub transport: Option<At<Word<TransportName>>>,
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

/// An application with its parameters.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AppTable {
    /// Which.
    pub kind: Word<AppKind>,
    /// cbr, on_off, voice: bits per second of payload, in a burst. Default: "448 kbps" for cbr and "64 kbps" for on_off
    /// (ns-2's), "32 kbps" for voice.
    pub rate: Option<At<BitRate>>,
    /// Payload of a datagram, for video of the largest. Default: "1000 B" for video (ns-2's UDP), "210 B" for cbr and on_off (ns-2's), "80 B" for voice, "1500 B" for saturated; game:
    /// "42 B" up, "200 B" down.
    pub payload: Option<At<Size>>,
    /// bulk: how much to send. Default: without end. web: an object. Default: pareto2 of mean 12 packets and shape 1.2
    /// (webtraf), lognormal of mean 35.3 kB and sigma 1.5 (modern). short_flows: a transfer. Default: "10 kB".
    pub size: Option<At<SizeLaw>>,
    /// web: where the defaults of all that follows come from. Default: "modern".
    pub model: Option<At<Word<WebModelName>>>,
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
    pub think_from: Option<At<Word<GapFrom>>>,
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
    /// on_off, voice: mean length of a burst or talk spurt. Default: "500 ms" (ns-2's); voice: "1 s".
    pub burst: Option<At<Duration>>,
    /// on_off, voice: mean time between bursts. Default: "500 ms" (ns-2's); voice: "1.35 s".
    pub idle: Option<At<Duration>>,
    /// on_off, voice: how these times are distributed. Default: "exponential".
    pub times: Option<At<Word<TimesName>>>,
    /// on_off, voice: Pareto's shape, over 1. Default: 1.5 (ns-2's).
    pub shape: Option<At<f64>>,
    /// on_off, voice: which datagrams a burst makes. Default: "time"; "packets" for voice and with ns-2's conventions.
    pub bursts: Option<At<Word<BurstRule>>>,
    /// on_off, voice: how it begins. Default: "stationary"; "idle" with ns-2's conventions.
    pub begins: Option<At<Word<Begins>>>,
    /// periodic, game: from one datagram to the next; game: "60 ms" up, "50 ms" down. voice: speech in a datagram, in place of
    /// its payload. video: from one picture of a trace to the next. Default: as the file says.
    pub interval: Option<At<Duration>>,
    /// periodic, game: each datagram goes later than its turn by a uniform time up to this. Default: "0 s".
    pub jitter: Option<At<Duration>>,
    /// game: which of its two streams.
    pub direction: Option<At<Word<GameDirectionName>>>,
    /// voice: how its opinion score counts loss: a name, or ITU-T G.107's Ie and Bpl. Default: "g726_32".
    pub codec: Option<At<CodecSpec>>,
    /// video: whose statistics it has; or give a file.
    pub film: Option<At<Word<FilmModel>>>,
    /// video: a trace, as seen from the scenario's own folder.
    pub file: Option<At<String>>,
    /// video: the trace's form.
    pub format: Option<At<Word<TraceFormat>>>,
    /// video: a trace begins again when it ends. Default: true.
    #[serde(rename = "loop")]
    pub looped: Option<At<bool>>,
    /// video: where a trace begins: so long after its first picture, or "drawn" for each flow and replication. Default:
    /// "0 s".
    pub offset: Option<At<Offset>>,
    /// Datagrams that come later count as `late`. Default: "500 ms" for voice (petrovic2003), none for others.
    pub deadline: Option<At<Duration>>,
    /// voice: the deadline counts from the first sample, so the time to fill a datagram too. Default: false.
    pub count_packetisation: Option<At<bool>>,
}

/// Where a trace begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Offset {
    /// So long after its first picture.
    At(Duration),
    /// With any picture.
    Drawn,
}

impl Value for Offset {
    const ALLOWED: &'static str = "a time with its unit, such as \"10 min\", or \"drawn\"";
    type Table = NoTable;

    fn from_text(text: &str) -> Result<Self, String> {
        match text {
            "drawn" => Ok(Offset::Drawn),
            _ => Duration::from_text(text)
                .map(Offset::At)
                .map_err(|why| format!("{why}; allowed: {}", Offset::ALLOWED)),
        }
    }
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        let duration = generator.subschema_for::<Duration>();
        json_schema!({ "anyOf": [duration, { "const": "drawn" }] })
    }
}

/// A codec: its name, or its two numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CodecSpec {
    /// By name.
    Named(KnownCodec),
    /// By its numbers.
    Numbers(CodecTable),
}

/// A codec's numbers (ITU-T G.107).
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CodecTable {
    /// Equipment impairment factor without loss, 0 to 95.
    pub ie: f64,
    /// Packet-loss robustness factor, per cent, more than 0.
    pub bpl: f64,
}

impl Value for CodecSpec {
    const ALLOWED: &'static str = "a codec, such as \"g729a\" or { ie = 11, bpl = 19 }";
    type Table = CodecTable;

    fn from_text(text: &str) -> Result<Self, String> {
        Word::from_text(text).map(|name| CodecSpec::Named(name.0))
    }
    fn from_table(table: CodecTable) -> Result<Self, String> {
        let CodecTable { ie, bpl } = table;
        if !(0.0..=95.0).contains(&ie) || !(0.1..=1000.0).contains(&bpl) {
            return Err(format!(
                "ie = {ie}, bpl = {bpl}; allowed: ie from 0 to 95, bpl from 0.1 to 1000"
            ));
        }
        Ok(CodecSpec::Numbers(table))
    }
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        let (name, table) = (
            generator.subschema_for::<Word<KnownCodec>>(),
            generator.subschema_for::<CodecTable>(),
        );
        json_schema!({ "anyOf": [name, table] })
    }
}

/// An application: its name, or a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AppSpec(pub AppTable);

impl Value for AppSpec {
    const ALLOWED: &'static str = "an application, such as \"bulk\" or { kind = \"cbr\", rate = \"32 kbps\", payload = \"200 B\" }";
    type Table = AppTable;

    fn from_text(text: &str) -> Result<Self, String> {
        Ok(AppSpec(AppTable { kind: Word::from_text(text)?, ..AppTable::default() }))
    }
    fn from_table(table: AppTable) -> Result<Self, String> {
        Ok(AppSpec(table))
    }
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        let (kind, table) =
            (generator.subschema_for::<Word<AppKind>>(), generator.subschema_for::<AppTable>());
        json_schema!({ "anyOf": [kind, table] })
    }
}

values!(AppSpec, CodecSpec, Offset);
