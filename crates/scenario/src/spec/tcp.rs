//! The transports.

use super::acks::{DelayedAckSpec, ExitGrowsSpec};
use super::policy::PolicySpec;
use crate::at::At;
use crate::nearest::unknown;
use crate::units::{BitRate, Duration, Packets, Size, WindowSize};
use crate::value::{NoTable, Value, values};
use crate::word::Word;
use base::Span;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use std::collections::BTreeMap;
use transport::tcp::variants::{self, Variant};
use transport::tcp::{
    EcnMode, LawName, PartialAckTimer, Recovery, Reduction, SlowStart, SsthreshBase,
};

/// TCP's parameters.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TcpSpec {
    /// A named pair of recovery and law, or "auto": the endpoint picks one by `policy`. Default: "newreno".
    pub variant: Option<At<VariantKey>>,
    /// By what "auto" picks: a table of rules, or the name of a file that holds one. Default: a policy of lasthop's own.
    pub policy: Option<At<PolicySpec>>,
    /// What is retransmitted, in place of a variant. Default: "newreno"; "rack_tlp" for a law that models the path
    /// (bbr, bbr3).
    pub recovery: Option<At<Word<Recovery>>>,
    /// How the window moves, in place of a variant.
    pub law: Option<At<LawKey>>,
    /// The law from outside that takes the place of any other; set by [`Laws`](crate::Laws), never by a file.
    #[serde(skip)]
    pub outside: Option<Outside>,
    /// The law's parameters where they shall not be its defaults: numbers, or the names of choices.
    #[serde(default)]
    pub law_options: BTreeMap<String, At<LawValue>>,
    /// Largest payload of a segment. Default: "1460 B" ("1000 B" with ns-2's conventions).
    pub mss: Option<At<Size>>,
    /// IP and TCP header together. Default: "40 B".
    pub header: Option<At<Size>>,
    /// The receiver's window, such as "64 kB" or "10 packets". Default: "4 MiB" ("20 packets" with ns-2's conventions).
    pub window: Option<At<WindowSize>>,
    /// Congestion window at the start, segments. Default: 10 (2 with ns-2's conventions).
    pub initial_window: Option<At<Packets>>,
    /// Slow-start threshold at the start, segments, or "unlimited". Default: "unlimited" (the window with ns-2's
    /// conventions).
    pub initial_ssthresh: Option<At<Threshold>>,
    /// Open with SYN and SYN-ACK. Default: true.
    pub handshake: Option<bool>,
    /// Duplicate acknowledgements that tell of a loss (RFC 5681, RFC 6675, RFC 8985: DupThresh). Default: 3.
    pub dup_thresh: Option<At<u32>>,
    /// What a timeout leaves of the window, segments (RFC 5681 section 3.1; QUIC keeps 2). Default: 1.
    pub loss_window: Option<At<u32>>,
    /// A new segment on each of the first two duplicate acknowledgements (RFC 3042). Default: true.
    pub limited_transmit: Option<bool>,
    /// Delayed acknowledgements: false, true (every second segment, 200 ms at most), "linux" (the same, but at once at first
    /// and while the window opens, and the wait follows the intervals), or a table. Default: false ("linux" with
    /// linux-* variants).
    pub delayed_ack: Option<At<DelayedAckSpec>>,
    /// Retransmission timeout before the first sample. Default: "1 s" ("3 s" with ns-2's conventions).
    pub rto_initial: Option<At<Duration>>,
    /// Smallest retransmission timeout. Default: "1 s" ("200 ms" with ns-2's conventions).
    pub rto_min: Option<At<Duration>>,
    /// Largest retransmission timeout. Default: "60 s".
    pub rto_max: Option<At<Duration>>,
    /// Lower bound of the part of the timeout that stands for the variation, 4 RTTVAR (Linux: "200 ms"). Default: "0 s".
    pub rto_min_spread: Option<At<Duration>>,
    /// Clock granularity. Default: "1 ms" ("10 ms" with ns-2's conventions).
    pub rto_granularity: Option<At<Duration>>,
    /// Round each sample to the granularity. Default: false (true with ns-2's conventions).
    pub rto_round_samples: Option<bool>,
    /// Gain of the smoothed round-trip time, in (0, 1] (RFC 6298 section 2). Default: 0.125.
    pub rto_alpha: Option<At<f64>>,
    /// Gain of the round-trip time's variation, in (0, 1] (RFC 6298 section 2). Default: 0.25.
    pub rto_beta: Option<At<f64>>,
    /// How many variations the timeout lies above the smoothed round-trip time (RFC 6298 section 2). Default: 4.
    pub rto_k: Option<At<f64>>,
    /// What the slow-start threshold is half of after a loss. Default: "flight" ("window" with ns-2's conventions).
    pub ssthresh_base: Option<Word<SsthreshBase>>,
    /// Slow start goes on while cwnd equals the threshold (RFC 5681 leaves it open; Linux up to 4.2). Default: false.
    pub slow_start_at_threshold: Option<bool>,
    /// Most segments that an acknowledgement lets the window grow for (RFC 3465's L), or "unlimited". Default: 1.
    pub abc_limit: Option<At<Threshold>>,
    /// With SACK, what the acknowledgement that ends a recovery lets the window grow for: false (nothing), "delivered" (what
    /// it newly delivers: Linux), or "covered" or true (all that it covers: ns-3). Default: false.
    pub exit_grows: Option<At<ExitGrowsSpec>>,
    /// What an application without end writes at a time: the segment with the end of a write carries PSH, which
    /// `delayed_ack = "linux"` answers at once. Default: "131072 B".
    pub write_size: Option<At<Size>>,
    /// In slow start the window may grow to twice what was in flight, though it does not bind (Linux). Default: false.
    pub grow_from_half: Option<bool>,
    /// The window is a number of whole segments: acknowledgements are counted until they make one (Linux). Default: false.
    pub whole_steps: Option<bool>,
    /// A law's round ends when something sent after its begin is acknowledged (Linux), not when all before is. Default:
    /// false.
    pub round_beyond: Option<bool>,
    /// With SACK, the round trip is smoothed from the oldest segment that an acknowledgement covers (Linux), not from the
    /// newest. Default: false.
    pub smooth_oldest: Option<bool>,
    /// With SACK, a retransmission is lost when what was first sent after it arrives (Linux up to 4.14). Default: false.
    pub detect_lost_retransmits: Option<bool>,
    /// When partial acknowledgements restart NewReno's timer. Default: "first".
    pub newreno_timer: Option<Word<PartialAckTimer>>,
    /// NewReno deflates the window by what a partial acknowledgement covers. Default: true.
    pub newreno_deflate: Option<bool>,
    /// NewReno leaves recovery with min(ssthresh, max(flight, mss) + mss). Default: true (false with ns-2's).
    pub newreno_careful_exit: Option<bool>,
    /// Timestamps (RFC 7323): false, true (1 ms), or a tick. Default: false.
    pub timestamps: Option<At<TimestampsSpec>>,
    /// Explicit congestion notification; queues mark where they have `mark_above` or `ecn`. Default: "off".
    pub ecn: Option<Word<EcnMode>>,
    /// How slow start ends before a loss. Default: "standard".
    pub slow_start: Option<Word<SlowStart>>,
    /// Spread segments over the round trip at 2 cwnd/SRTT in slow start and 1.2 after, as Linux does. Laws that say a
    /// rate of their own are paced anyway. Default: false.
    pub pacing: Option<bool>,
    /// After idling for a timeout the window is no larger than at first (RFC 5681 section 4.1). Default: true.
    pub idle_restart: Option<bool>,
    /// What comes twice is reported (RFC 2883). Default: true (false with ns-2's conventions).
    pub dsack: Option<bool>,
    /// SACK blocks count the number of a FIN that came beyond a gap (Linux), not data only (RFC 2018). Default: false.
    pub sack_fin: Option<bool>,
    /// The window field is scaled (RFC 7323); false, and it ends at 65,535 B. Default: true.
    pub window_scaling: Option<bool>,
    /// How much is sent in a recovery with SACK. Default: "prr". A law that models the path (bbr, bbr3) decides that
    /// by its window, whatever stands here.
    pub sack_reduction: Option<Word<Reduction>>,
    /// A timeout that proves spurious is undone (F-RTO, RFC 5682). Default: true with SACK, false without.
    pub frto: Option<bool>,
    /// A cut that timestamps, F-RTO or DSACK prove spurious is undone (RFC 4015, RFC 3708). Default: true with SACK,
    /// false without.
    pub undo: Option<bool>,
    /// RACK's rescue of the tail (RFC 8985 section 7). Default: true.
    pub tail_probe: Option<bool>,
    /// How fast the application reads, such as "1 Mbps"; a slow one closes the window. Default: at once.
    pub read_rate: Option<At<BitRate>>,
}

/// UDP's parameters.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UdpSpec {
    /// IP and UDP header together. Default: "28 B" ("0 B" with ns-2's conventions, which count a datagram as the
    /// application's size).
    pub header: Option<At<Size>>,
}

/// A TCP variant by name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum VariantKey {
    /// One for all connections.
    Named(&'static Variant),
    /// Each connection picks its own.
    Auto,
}

/// The name that stands for no variant but for picking one, and its idea in a line.
pub const AUTO: (&str, &str) =
    ("auto", "picks a variant for each connection, by rules over what was measured of the path");

impl Value for VariantKey {
    const ALLOWED: &'static str = "the name of a TCP variant, in quotes";
    type Table = NoTable;

    fn from_text(text: &str) -> Result<Self, String> {
        if text == AUTO.0 {
            return Ok(VariantKey::Auto);
        }
        let names = [variants::NAMES, &[AUTO.0]].concat();
        let found = variants::by_name(text).map(VariantKey::Named);
        found.ok_or_else(|| unknown("TCP variant", text, &names))
    }
    fn schema(_: &mut SchemaGenerator) -> Schema {
        let named = variants::VARIANTS.iter().map(|v| (v.name, v.idea));
        crate::word::schema_of_names(&named.chain([AUTO]).collect::<Vec<_>>())
    }
}

/// A law by name.
#[derive(Clone, Debug, PartialEq)]
pub enum LawKey {
    /// One of lasthop's own.
    Own(LawName),
    /// Another name: one from outside, or a mistake, which [`Laws`](crate::Laws) tells apart.
    Other(String),
}

/// A law from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outside {
    /// Its place among the laws that the user gave.
    pub number: u32,
    /// Its name.
    pub name: String,
    /// It holds a model of the path.
    pub model_based: bool,
}

impl Value for LawKey {
    const ALLOWED: &'static str = "the name of a TCP law, in quotes";
    type Table = NoTable;

    fn from_text(text: &str) -> Result<Self, String> {
        let own = LawName::by_name(text).map(LawKey::Own);
        Ok(own.unwrap_or_else(|| LawKey::Other(text.to_owned())))
    }
    fn schema(_: &mut SchemaGenerator) -> Schema {
        let rows: Vec<_> = LawName::ROWS.iter().map(|row| (row.name, row.idea)).collect();
        let other = "a law from outside: --law FILE.py:CLASS, or laws= in Python";
        json_schema!({ "anyOf": [
            crate::word::schema_of_names(&rows),
            { "type": "string", "description": other },
        ] })
    }
}

/// The value of a law's parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum LawValue {
    /// A number.
    Number(f64),
    /// The name of a choice, or "off" and "on".
    Choice(String),
}

impl Value for LawValue {
    const ALLOWED: &'static str = "a number, or the name of a choice";
    type Table = NoTable;

    fn from_text(text: &str) -> Result<Self, String> {
        Ok(LawValue::Choice(text.to_owned()))
    }
    fn from_integer(number: i64) -> Result<Self, String> {
        Ok(LawValue::Number(number as f64))
    }
    fn from_float(number: f64) -> Result<Self, String> {
        if number.is_finite() {
            Ok(LawValue::Number(number))
        } else {
            Err(crate::value::refuse::<Self>(&number.to_string()))
        }
    }
    fn from_bool(flag: bool) -> Result<Self, String> {
        Ok(LawValue::Number(f64::from(u8::from(flag))))
    }
    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["number", "string", "boolean"] })
    }
}

/// Timestamps: none, or with this tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimestampsSpec(pub Option<Duration>);

impl Value for TimestampsSpec {
    const ALLOWED: &'static str = "false, true, or a tick such as \"1 ms\"";
    type Table = NoTable;

    fn from_bool(flag: bool) -> Result<Self, String> {
        Ok(TimestampsSpec(flag.then_some(Duration(Span::millis(1)))))
    }
    fn from_text(text: &str) -> Result<Self, String> {
        match Duration::from_text(text)? {
            Duration(Span::ZERO) => Err("a tick of no time; allowed: more than \"0 s\"".into()),
            tick => Ok(TimestampsSpec(Some(tick))),
        }
    }
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        let tick = generator.subschema_for::<Duration>();
        json_schema!({ "anyOf": [{ "type": "boolean" }, tick] })
    }
}

/// A slow-start threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threshold(pub Option<u32>);

impl Value for Threshold {
    const ALLOWED: &'static str = "a number of segments, such as 64, or \"unlimited\"";
    type Table = NoTable;

    fn from_text(text: &str) -> Result<Self, String> {
        if text == "unlimited" {
            return Ok(Threshold(None));
        }
        Packets::from_text(text).map(|packets| Threshold(Some(packets.0)))
    }
    fn from_integer(number: i64) -> Result<Self, String> {
        Packets::from_integer(number).map(|packets| Threshold(Some(packets.0)))
    }
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        let packets = generator.subschema_for::<Packets>();
        json_schema!({ "anyOf": [packets, { "const": "unlimited" }] })
    }
}

values!(VariantKey, LawKey, LawValue, TimestampsSpec, Threshold);
