//! Applications: each kind has a table of its own.

use super::law::{CountLaw, SizeLaw, TimeLaw};
use crate::at::Reason;
use crate::code::Code;
use crate::kinds::kinds;
use crate::read::reads;
use crate::resolved::json;
use crate::settings::Set;
use crate::table::{prose, table, toml};
use crate::units::{BitRate, Duration, Size};
use crate::value::{NoTable, Value, values};
use crate::word::Word;
use apps::{FilmModel, GapFrom, KnownCodec, OnOffRules, OnTimesRules, TraceFormat, VoiceRules};
use base::{Named, named};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::Value as Json;

named! {
    /// How times are distributed.
    pub enum TimesName, "distribution of times" {
        Exponential = "exponential": "exponential: without memory",
        Pareto = "pareto": "heavy-tailed: many such flows together have long memory where the shape is below 2",
    }
    /// A stream of a game.
    pub enum GameDirectionName, "direction of a game" {
        Up = "up": "player to server: 42 B every 60 ms",
        Down = "down": "server to player: 200 B every 50 ms",
    }
    /// Whose pages.
    pub enum WebModelName, "web model" {
        WebTraf = "webtraf": "ns-2's PagePool/WebTraf: pages of one object, a connection for the request and another for the object",
        Modern = "modern": "pages as in the HTTP Archive of 2024: a document and some 65 objects over 6 persistent connections",
    }
}

kinds! {
    /// An application: its name, or a table with its `kind` and its settings.
    pub enum AppSpec of AppKind, "application", "app", "apps" by "kind" {
        Bulk(BulkTable) = "bulk": "a file over TCP, without end or of a given size",
        Cbr(CbrTable) = "cbr": "datagrams of one size at a constant rate",
        Saturated(SaturatedTable) = "saturated": "datagrams of one size, of which one is always ready for its station of 802.11 or of a LAN",
        Periodic(PeriodicTable) = "periodic": "datagrams of one size at a fixed interval, with jitter",
        OnOff(OnOffTable) = "on_off": "bursts at a constant rate and idle times, both exponential or Pareto",
        Voice(VoiceTable) = "voice": "a call: talk spurts of 32 kbit/s, silences, and a playout deadline",
        Game(GameTable) = "game": "an online game: 42 B every 60 ms up, 200 B every 50 ms down",
        Video(VideoTable) = "video": "a film: pictures from a trace or with the statistics of a film, in packets",
        Web(WebTable) = "web": "pages of objects that `to` asks `from` for over TCP connections, with response times",
        RequestResponse(RequestResponseTable) = "request_response": "requests of `to` and responses of `from`, one after the other or several at once",
        ShortFlows(ShortFlowsTable) = "short_flows": "TCP transfers of random size that begin at random times, with completion times",
    }
    allowed "an application, such as \"bulk\" or { kind = \"cbr\", rate = \"32 kbps\", payload = \"200 B\" }";
    by_name true;
    lenient false;
}

impl Default for AppSpec {
    fn default() -> AppSpec {
        AppSpec::Bulk(BulkTable::default())
    }
}

table! {
    /// bulk.
    #[derive(Default, PartialEq)]
    pub struct BulkTable {
        /// How much to send: one size, such as "1 MB", not a distribution. It cannot be combined with `on_times`.
        size: SizeLaw = held prose("without end");
        /// When the application has data: on-times and idle times alternate. Without it there are always data.
        on_times: OnTimesSpec = held prose("always");
    }
}

table! {
    /// When a bulk transfer has data. On-times alternate with idle times, and pauses may interrupt an on-time.
    #[derive(PartialEq)]
    pub struct OnTimesSpec {
        /// The mean length of an on-time.
        needed burst: Duration;
        /// The mean time between an on-time, with all its pauses, and the next.
        needed idle: Duration;
        /// How often a pause interrupts, up to 1000: each pause is followed by a further on-time, and the idle time
        /// begins after the last.
        pauses: u32 = 0;
        /// The mean length of a pause. It is given only where `pauses` is.
        pause: Duration = "1 s";
        /// The distribution of all these times.
        times: Word<TimesName> = "exponential";
        /// The shape parameter of the Pareto distribution, above 1. Only `times = "pareto"` uses it.
        shape: f64 = 1.5 => "as in ns-2";
        /// The rest.
        settings settings: Set<OnTimesRules>;
    }
}

table! {
    /// cbr.
    #[derive(Default, PartialEq)]
    pub struct CbrTable {
        /// The rate of the payload, without IP and UDP headers.
        rate: BitRate = "448 kbps" => "as in ns-2";
        /// The payload of a datagram.
        payload: Size = "210 B" => "as in ns-2";
        /// A datagram that is older than this when it arrives counts as `late`.
        deadline: Duration = held prose("none");
    }
}

table! {
    /// saturated.
    #[derive(Default, PartialEq)]
    pub struct SaturatedTable {
        /// The payload of a datagram.
        payload: Size = "1500 B";
    }
}

table! {
    /// periodic.
    #[derive(PartialEq)]
    pub struct PeriodicTable {
        /// The time from one datagram to the next.
        needed interval: Duration;
        /// The payload of a datagram.
        needed payload: Size;
        /// The longest random delay of a datagram. Each one is sent later than its turn by a uniform time from 0 to
        /// this; it is at most the interval.
        jitter: Duration = "0 s";
        /// A datagram that is older than this when it arrives counts as `late`.
        deadline: Duration = held prose("none");
    }
}

table! {
    /// on_off.
    #[derive(Default, PartialEq)]
    pub struct OnOffTable {
        /// The rate of the payload during a burst.
        rate: BitRate = "64 kbps" => "as in ns-2";
        /// The payload of a datagram.
        payload: Size = "210 B" => "as in ns-2";
        /// The mean length of a burst.
        burst: Duration = "500 ms" => "as in ns-2";
        /// The mean time between two bursts.
        idle: Duration = "500 ms" => "as in ns-2";
        /// The distribution of the lengths of bursts and idle times.
        times: Word<TimesName> = "exponential";
        /// The shape parameter of the Pareto distribution, above 1. Only `times = "pareto"` uses it.
        shape: f64 = 1.5 => "as in ns-2";
        /// The rest.
        settings settings: Set<OnOffRules>;
        /// A datagram that is older than this when it arrives counts as `late`.
        deadline: Duration = held prose("none");
    }
}

table! {
    /// voice.
    #[derive(Default, PartialEq)]
    pub struct VoiceTable {
        /// The rate of the payload during a talk spurt.
        rate: BitRate = "32 kbps";
        /// The payload of a datagram. At the default rate 80 B are 20 ms of speech.
        payload: Size = "80 B";
        /// How much speech a datagram carries, such as "20 ms". It takes the place of `payload`.
        interval: Duration;
        /// The mean length of a talk spurt.
        burst: Duration = "1 s";
        /// The mean length of a silence between talk spurts.
        idle: Duration = "1.35 s";
        /// The distribution of the lengths of talk spurts and silences.
        times: Word<TimesName> = "exponential";
        /// The shape parameter of the Pareto distribution, above 1. Only `times = "pareto"` uses it.
        shape: f64 = 1.5 => "as in ns-2";
        /// The rest.
        settings settings: Set<VoiceRules>;
        /// The time that the network and the jitter buffer of the phone may take together. A datagram that is older
        /// when it arrives counts as `late`.
        deadline: Duration = "150 ms" => "ITU-T G.114";
        /// The codec, which decides how much the speech quality (MOS) suffers from loss: a name, or the values Ie
        /// and Bpl of ITU-T G.107.
        codec: CodecSpec = "g726_32";
        /// True: the age of a datagram counts from its first sample, so that the time to fill the datagram is part
        /// of it. False: it counts from when the datagram is handed to UDP.
        count_packetisation: bool = false;
    }
}

table! {
    /// game.
    #[derive(PartialEq)]
    pub struct GameTable {
        /// The stream of the game that this flow carries: "up" (42 B every 60 ms) or "down" (200 B every 50 ms).
        needed direction: Word<GameDirectionName>;
        /// The payload of a datagram.
        payload: Size = held "42 B", "direction = down" "200 B";
        /// The time from one datagram to the next.
        interval: Duration = held "60 ms", "direction = down" "50 ms";
        /// The longest random delay of a datagram. Each one is sent later than its turn by a uniform time from 0 to
        /// this; it is at most the interval.
        jitter: Duration = "0 s";
        /// A datagram that is older than this when it arrives counts as `late`.
        deadline: Duration = held prose("none");
    }
}

table! {
    /// video.
    #[derive(Default, PartialEq)]
    pub struct VideoTable {
        /// The film whose statistics the pictures have. Give this or `file`.
        film: Word<FilmModel>;
        /// A trace file with the sizes of pictures, by its path from the scenario's folder. Give this or `film`.
        file: String;
        /// The format of the trace file.
        format: Word<TraceFormat>;
        /// The largest payload of a datagram. A larger picture is sent as several datagrams.
        payload: Size = "1000 B" => "as in ns-2's UDP";
        /// The time from one picture of the trace to the next.
        interval: Duration = held prose("as in the file");
        /// True: the trace begins again when it ends. False: the flow then falls silent.
        r#loop: bool = true;
        /// Where in the trace the flow begins: a time after its first picture, or "drawn", which takes a random
        /// picture for each flow and replication.
        offset: Offset = "0 s";
        /// A datagram that is older than this when it arrives counts as `late`.
        deadline: Duration = held prose("none");
    }
}

table! {
    /// web.
    #[derive(Default, PartialEq)]
    pub struct WebTable {
        /// The web model from which the defaults of all keys below come.
        model: Word<WebModelName> = "modern";
        /// How many sessions the user has, one after the other.
        sessions: u32 = held prose("without end");
        /// How many pages a session has.
        pages: CountLaw = held prose("without end"), "model = webtraf" 250;
        /// The time from one session to the next.
        session_gap: TimeLaw = held toml(r#"{ law = "exponential", mean = "1 s" }"#);
        /// The time that the user takes from one page to the next.
        think: TimeLaw = held toml(r#"{ law = "exponential", mean = "30 s" }"#), "model = webtraf" toml(r#"{ law = "exponential", mean = "15 s" }"#);
        /// The moment from which `think` and `session_gap` count.
        think_from: Word<GapFrom> = held "page_end";
        /// How many objects a page has, the main one included.
        objects: CountLaw = held toml(r#"{ law = "lognormal", median = 66, sigma = 0.689, min = 1, max = 1000 }"#), "model = webtraf" 1;
        /// The time from the request of one object of a page to the request of the next.
        object_gap: TimeLaw = held "0 s", "model = webtraf" toml(r#"{ law = "exponential", mean = "10 ms" }"#);
        /// The size of the first object of a page. The other objects are requested when it has arrived.
        main_size: SizeLaw = held "18 kB", "model = webtraf" prose("as any other object, and none waits");
        /// The size of an object.
        size: SizeLaw = held toml(r#"{ law = "lognormal", mean = "35.3 kB", sigma = 1.5, min = "100 B", max = "20 MB" }"#), "model = webtraf" toml(r#"{ law = "pareto2", mean = "12 packets", shape = 1.2 }"#);
        /// The size of a request.
        request: SizeLaw = held "700 B", "model = webtraf" "1 packet";
        /// How many connections may carry something at the same time. A request beyond that waits for one of them.
        connections: u32 = held 6, "model = webtraf" 100;
        /// True: a connection stays open and carries the next object too. False: the server closes it after each
        /// object, as in HTTP/1.0.
        persistent: bool = held true, "model = webtraf" prose("a connection for the request and another for the object");
        /// True: the server opens a connection of its own for each response, as ns-2's WebTraf does. It cannot be
        /// combined with `persistent = true`.
        request_apart: bool = held false, "model = webtraf" true;
    }
}

table! {
    /// request_response.
    #[derive(Default, PartialEq)]
    pub struct RequestResponseTable {
        /// The size of a request.
        request: SizeLaw = held "300 B";
        /// The size of a response.
        response: SizeLaw = held "10 kB";
        /// How many requests are sent at once. `think` begins when the last of their responses has arrived.
        requests: u32 = held prose("as many as `connections`");
        /// The time from the last response to the next request.
        think: TimeLaw = held "0 s";
        /// How many connections may carry something at the same time. A request beyond that waits for one of them.
        connections: u32 = held 1;
        /// True: a connection stays open and carries the next response too. False: the server closes it after each
        /// response, as in HTTP/1.0.
        persistent: bool = held true;
        /// True: the server opens a connection of its own for each response, as ns-2's WebTraf does. It cannot be
        /// combined with `persistent = true`.
        request_apart: bool = held false;
    }
}

table! {
    /// short_flows.
    #[derive(Default, PartialEq)]
    pub struct ShortFlowsTable {
        /// The size of a transfer.
        size: SizeLaw = held "10 kB";
        /// The time from the start of one transfer to the start of the next.
        interarrival: TimeLaw = held toml(r#"{ law = "exponential", mean = "1 s" }"#);
        /// How many transfers may be under way at the same time. A transfer beyond that waits.
        connections: u32 = held 1000;
    }
}

/// The start of a flow in a trace.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Offset {
    /// This long after its first picture.
    At(Duration),
    /// With a picture that is drawn.
    Drawn,
}

impl Value for Offset {
    const ALLOWED: &'static str = "a time with its unit, such as \"10 min\", or \"drawn\"";
    type Table = NoTable;

    fn from_text(text: &str) -> Result<Self, Reason> {
        match text {
            "drawn" => Ok(Offset::Drawn),
            _ => Duration::from_text(text)
                .map(Offset::At)
                .map_err(|why| why.reworded(|why| format!("{why}; allowed: {}", Offset::ALLOWED))),
        }
    }
    fn written(&self) -> Json {
        match self {
            Offset::At(time) => time.written(),
            Offset::Drawn => "drawn".into(),
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

/// The two values by which the E-model describes a codec (ITU-T G.107).
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct CodecTable {
    /// The equipment impairment factor Ie without loss, 0 to 95.
    pub ie: f64,
    /// The packet-loss robustness factor Bpl, 0.1 to 1000.
    pub bpl: f64,
}

reads! { CodecTable { needed ie, needed bpl, } unread {} }

impl Value for CodecSpec {
    const ALLOWED: &'static str = "a codec, such as \"g729a\" or { ie = 11, bpl = 19 }";
    type Table = CodecTable;

    fn from_text(text: &str) -> Result<Self, Reason> {
        Word::from_text(text).map(|name| CodecSpec::Named(name.0))
    }
    fn from_table(table: CodecTable) -> Result<Self, Reason> {
        let CodecTable { ie, bpl } = table;
        if !(0.0..=95.0).contains(&ie) || !(0.1..=1000.0).contains(&bpl) {
            return Err(Code::OutOfRange.says(format!(
                "ie = {ie}, bpl = {bpl}; allowed: ie from 0 to 95, bpl from 0.1 to 1000"
            )));
        }
        Ok(CodecSpec::Numbers(table))
    }
    fn written(&self) -> Json {
        match self {
            CodecSpec::Named(name) => name.name().into(),
            CodecSpec::Numbers(table) => json(table),
        }
    }
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        let (name, table) = (
            generator.subschema_for::<Word<KnownCodec>>(),
            generator.subschema_for::<CodecTable>(),
        );
        json_schema!({ "anyOf": [name, table] })
    }
}

values!(CodecSpec, Offset);
