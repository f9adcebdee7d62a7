//! Applications: each kind has a table of its own.

use super::law::{CountLaw, SizeLaw, TimeLaw};
use crate::kinds::kinds;
use crate::read::reads;
use crate::table::{prose, table, toml};
use crate::units::{BitRate, Duration, Size};
use crate::value::{NoTable, Value, values};
use crate::word::Word;
use apps::{Begins, BurstRule, FilmModel, GapFrom, KnownCodec, TraceFormat};
use base::named;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

named! {
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
    /// Whose pages.
    pub enum WebModelName, "web model" {
        WebTraf = "webtraf": "ns-2's PagePool/WebTraf: pages of one object, a connection for the request and another for the object",
        Modern = "modern": "pages as in the HTTP Archive of 2024: a document and some 65 objects over 6 connections that stay",
    }
}

kinds! {
    /// An application: its name, or a table.
    pub enum AppSpec of AppKind, "application", "app", "apps" by "kind" {
        Bulk(BulkTable) = "bulk": "a file over TCP, without end or of a given size",
        Cbr(CbrTable) = "cbr": "datagrams of one size at a constant rate",
        Saturated(SaturatedTable) = "saturated": "datagrams of one size, always one ready for its station of 802.11 or of a LAN",
        Periodic(PeriodicTable) = "periodic": "datagrams of one size at a fixed interval, with jitter",
        OnOff(OnOffTable) = "on_off": "bursts at a constant rate and idle times, exponential or Pareto",
        Voice(VoiceTable) = "voice": "talk spurts and silences, 32 kbit/s, a playout deadline",
        Game(GameTable) = "game": "42 B every 60 ms up, 200 B every 50 ms down",
        Video(VideoTable) = "video": "pictures by a trace or with the statistics of a film, in packets",
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
        /// How much to send: one size, no law.
        size: SizeLaw = held prose("without end");
        /// When it has data.
        on_times: OnTimesSpec = held prose("always");
    }
}

table! {
    /// When a bulk transfer has data: on-times, which pauses may interrupt, and idle times between.
    #[derive(PartialEq)]
    pub struct OnTimesSpec {
        /// Mean length of an on-time.
        needed burst: Duration;
        /// Mean time between an on-time, with its pauses, and the next.
        needed idle: Duration;
        /// How often a pause interrupts: so many further on-times follow before the idle time.
        pauses: u32 = 0;
        /// Mean length of a pause.
        pause: Duration = "1 s";
        /// How all these times are distributed.
        times: Word<TimesName> = "exponential";
        /// Pareto's shape, over 1.
        shape: f64 = 1.5 => "ns-2's";
        /// How it begins.
        begins: Word<Begins> = "stationary", ns2 "idle";
    }
}

table! {
    /// cbr.
    #[derive(Default, PartialEq)]
    pub struct CbrTable {
        /// Bits per second of payload.
        rate: BitRate = "448 kbps" => "ns-2's";
        /// Payload of a datagram.
        payload: Size = "210 B" => "ns-2's";
        /// Datagrams that come later count as `late`.
        deadline: Duration = held prose("none");
    }
}

table! {
    /// saturated.
    #[derive(Default, PartialEq)]
    pub struct SaturatedTable {
        /// Payload of a datagram.
        payload: Size = "1500 B";
    }
}

table! {
    /// periodic.
    #[derive(PartialEq)]
    pub struct PeriodicTable {
        /// From one datagram to the next.
        needed interval: Duration;
        /// Payload of a datagram.
        needed payload: Size;
        /// Each datagram goes later than its turn by a uniform time up to this.
        jitter: Duration = "0 s";
        /// Datagrams that come later count as `late`.
        deadline: Duration = held prose("none");
    }
}

table! {
    /// on_off.
    #[derive(Default, PartialEq)]
    pub struct OnOffTable {
        /// Bits per second of payload, in a burst.
        rate: BitRate = "64 kbps" => "ns-2's";
        /// Payload of a datagram.
        payload: Size = "210 B" => "ns-2's";
        /// Mean length of a burst.
        burst: Duration = "500 ms" => "ns-2's";
        /// Mean time between bursts.
        idle: Duration = "500 ms" => "ns-2's";
        /// How these times are distributed.
        times: Word<TimesName> = "exponential";
        /// Pareto's shape, over 1.
        shape: f64 = 1.5 => "ns-2's";
        /// Which datagrams a burst makes.
        bursts: Word<BurstRule> = "time", ns2 "packets";
        /// How it begins.
        begins: Word<Begins> = "stationary", ns2 "idle";
        /// Datagrams that come later count as `late`.
        deadline: Duration = held prose("none");
    }
}

table! {
    /// voice.
    #[derive(Default, PartialEq)]
    pub struct VoiceTable {
        /// Bits per second of payload, in a talk spurt.
        rate: BitRate = "32 kbps";
        /// Payload of a datagram.
        payload: Size = "80 B";
        /// Speech in a datagram, in place of its payload.
        interval: Duration;
        /// Mean length of a talk spurt.
        burst: Duration = "1 s";
        /// Mean time between talk spurts.
        idle: Duration = "1.35 s";
        /// How these times are distributed.
        times: Word<TimesName> = "exponential";
        /// Pareto's shape, over 1.
        shape: f64 = 1.5 => "ns-2's";
        /// Which datagrams a spurt makes: whole ones.
        bursts: Word<BurstRule> = "packets";
        /// How it begins.
        begins: Word<Begins> = "stationary", ns2 "idle";
        /// Datagrams that come later count as `late`: what the network and a phone's jitter buffer may take together.
        deadline: Duration = "150 ms" => "ITU-T G.114's";
        /// How its opinion score counts loss: a name, or ITU-T G.107's Ie and Bpl.
        codec: CodecSpec = "g726_32";
        /// The deadline counts from the first sample, so the time to fill a datagram too.
        count_packetisation: bool = false;
    }
}

table! {
    /// game.
    #[derive(PartialEq)]
    pub struct GameTable {
        /// "up" (42 B every 60 ms) or "down" (200 B every 50 ms): which of its two streams.
        needed direction: Word<GameDirectionName>;
        /// Payload of a datagram.
        payload: Size = held "42 B", "direction = down" "200 B";
        /// From one datagram to the next.
        interval: Duration = held "60 ms", "direction = down" "50 ms";
        /// Each datagram goes later than its turn by a uniform time up to this.
        jitter: Duration = "0 s";
        /// Datagrams that come later count as `late`.
        deadline: Duration = held prose("none");
    }
}

table! {
    /// video.
    #[derive(Default, PartialEq)]
    pub struct VideoTable {
        /// Whose statistics it has; or give a file.
        film: Word<FilmModel>;
        /// A trace, as seen from the scenario's own folder.
        file: String;
        /// The trace's form.
        format: Word<TraceFormat>;
        /// Payload of the largest datagram.
        payload: Size = "1000 B" => "ns-2's UDP";
        /// From one picture of a trace to the next.
        interval: Duration = held prose("as the file says");
        /// A trace begins again when it ends.
        r#loop: bool = true;
        /// Where a trace begins: so long after its first picture, or "drawn" for each flow and replication.
        offset: Offset = "0 s";
        /// Datagrams that come later count as `late`.
        deadline: Duration = held prose("none");
    }
}

table! {
    /// web.
    #[derive(Default, PartialEq)]
    pub struct WebTable {
        /// Where the defaults of all that follows come from.
        model: Word<WebModelName> = "modern";
        /// Sessions, one after the other.
        sessions: u32 = held prose("without end");
        /// Pages in a session.
        pages: CountLaw = held prose("without end"), "model = webtraf" 250;
        /// From one session to the next.
        session_gap: TimeLaw = held toml(r#"{ law = "exponential", mean = "1 s" }"#);
        /// From one page to the next.
        think: TimeLaw = held toml(r#"{ law = "exponential", mean = "30 s" }"#), "model = webtraf" toml(r#"{ law = "exponential", mean = "15 s" }"#);
        /// What `think` and `session_gap` are counted from.
        think_from: Word<GapFrom> = held "page_end";
        /// Objects of a page, the main one included.
        objects: CountLaw = held toml(r#"{ law = "lognormal", median = 66, sigma = 0.689, min = 1, max = 1000 }"#), "model = webtraf" 1;
        /// From asking for one object of a page to asking for the next.
        object_gap: TimeLaw = held "0 s", "model = webtraf" toml(r#"{ law = "exponential", mean = "10 ms" }"#);
        /// The first object of a page, which must be there before the others are asked for.
        main_size: SizeLaw = held "18 kB", "model = webtraf" prose("as all others, and they do not wait");
        /// An object.
        size: SizeLaw = held toml(r#"{ law = "lognormal", mean = "35.3 kB", sigma = 1.5, min = "100 B", max = "20 MB" }"#), "model = webtraf" toml(r#"{ law = "pareto2", mean = "12 packets", shape = 1.2 }"#);
        /// What is sent to ask.
        request: SizeLaw = held "700 B", "model = webtraf" "1 packet";
        /// The most connections at once that carry something; what comes meanwhile waits.
        connections: u32 = held 6, "model = webtraf" 100;
        /// Connections stay for the next object; with false the server closes behind each.
        persistent: bool = held true, "model = webtraf" prose("a connection for the request and another for the object");
        /// The server opens a connection of its own for each response, as ns-2's WebTraf does.
        request_apart: bool = held false, "model = webtraf" true;
    }
}

table! {
    /// request_response.
    #[derive(Default, PartialEq)]
    pub struct RequestResponseTable {
        /// What is sent to ask.
        request: SizeLaw = held "300 B";
        /// What is sent back.
        response: SizeLaw = held "10 kB";
        /// How many requests are sent at once; `think` begins with the last response.
        requests: u32 = held prose("as many as `connections`");
        /// From one response to the next request.
        think: TimeLaw = held "0 s";
        /// The most connections at once that carry something; what comes meanwhile waits.
        connections: u32 = held 1;
        /// Connections stay for the next object; with false the server closes behind each.
        persistent: bool = held true;
        /// The server opens a connection of its own for each response, as ns-2's WebTraf does.
        request_apart: bool = held false;
    }
}

table! {
    /// short_flows.
    #[derive(Default, PartialEq)]
    pub struct ShortFlowsTable {
        /// A transfer.
        size: SizeLaw = held "10 kB";
        /// From the beginning of one transfer to that of the next.
        interarrival: TimeLaw = held toml(r#"{ law = "exponential", mean = "1 s" }"#);
        /// The most connections at once that carry something; what comes meanwhile waits.
        connections: u32 = held 1000;
    }
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
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct CodecTable {
    /// Equipment impairment factor without loss, 0 to 95.
    pub ie: f64,
    /// Packet-loss robustness factor, per cent, more than 0.
    pub bpl: f64,
}

reads! { CodecTable { needed ie, needed bpl, } unread {} }

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

values!(CodecSpec, Offset);
