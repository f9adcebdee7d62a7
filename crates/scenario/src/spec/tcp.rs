//! The transports.

use super::acks::{DelayedAckSpec, ExitGrowsSpec};
use super::policy::PolicySpec;
use crate::at::At;
use crate::nearest::unknown;
use crate::table::{prose, table};
use crate::units::{BitRate, Duration, Packets, Size, WindowSize};
use crate::value::{NoTable, Value, values};
use crate::word::Word;
use base::Span;
use schemars::{Schema, SchemaGenerator, json_schema};
use std::collections::BTreeMap;
use transport::tcp::variants::{self, Variant};
use transport::tcp::{
    EcnMode, LawName, LossRules, PartialAckTimer, Recovery, Reduction, SlowStart, SsthreshBase,
};

table! {
    /// The parameters of TCP. The variants linux-* and linux26-* bring their own values for many of these keys; a
    /// key that is given counts more than the variant.
    #[derive(Default)]
    pub struct TcpSpec {
        /// The variant: a named pair of a recovery and a law. With "auto" the endpoint picks one for each
        /// connection by its `policy`.
        variant: VariantKey = held "newreno";
        /// The policy by which "auto" picks a variant: a table of rules, or the name of a file that holds one.
        policy: PolicySpec = held prose("lasthop's own policy");
        /// The recovery, which decides what is retransmitted. With `law` it takes the place of `variant`.
        recovery: Word<Recovery> = held "newreno", "a law that models the path (bbr, bbr3)" "rack_tlp";
        /// The law, which decides how the congestion window changes. With `recovery` it takes the place of
        /// `variant`.
        law: LawKey;
        /// The law from outside that takes the place of any other; set by [`Laws`](crate::Laws), never by a file.
        unread outside: Option<Outside>;
        /// The parameters of the law that differ from its defaults: numbers or names of choices. A table under the
        /// name of a law holds only where that law is in use.
        several law_options: BTreeMap<String, At<LawValue>>;
        /// The largest payload of a segment.
        mss: Size = held "1460 B", ns2 "1000 B", "ns2.1b8" "960 B", "ns2.1b7" "960 B";
        /// The size of the IP and TCP headers together.
        header: Size = "40 B";
        /// The receive window, such as "64 kB" or "10 packets".
        window: WindowSize = held "4 MiB", ns2 "20 packets";
        /// The congestion window at the start in segments.
        initial_window: Packets = held 10, ns2 2, "ns2.1b7" 1;
        /// The slow-start threshold at the start in segments, or "unlimited".
        initial_ssthresh: Threshold = held "unlimited", ns2 prose("the window");
        /// Whether a connection opens with SYN and SYN-ACK.
        handshake: bool = held true, "ns2.1b7" false;
        /// How many duplicate acknowledgements indicate a loss (DupThresh of RFC 5681, RFC 6675 and RFC 8985).
        dup_thresh: u32 = held 3;
        /// The congestion window after a timeout in segments (RFC 5681 section 3.1). QUIC has 2.
        loss_window: u32 = held 1;
        /// Whether each of the first two duplicate acknowledgements lets a new segment leave (RFC 3042).
        limited_transmit: bool = held true, "ns2.1b8" false, "ns2.1b7" false;
        /// Delayed acknowledgements. False: every segment is acknowledged. True: every second one is, and each
        /// after 200 ms at most. "linux": as true, but at once at first and while the window opens, and with a wait
        /// that follows the intervals between segments. A table sets the numbers.
        delayed_ack: DelayedAckSpec = held false, "linux-* variants" "linux";
        /// The retransmission timeout before the first sample of the round-trip time.
        rto_initial: Duration = held "1 s", ns2 "3 s", "ns2.1b8" "6 s", "ns2.1b7" "6 s";
        /// The smallest retransmission timeout.
        rto_min: Duration = held "1 s", ns2 "200 ms", "ns2.1b8" "1 s";
        /// The largest retransmission timeout.
        rto_max: Duration = held "60 s";
        /// The least distance of the timeout from the smoothed round-trip time, where 4 RTTVAR is smaller. Linux
        /// has "200 ms".
        rto_min_spread: Duration = held "0 s";
        /// The granularity of the clock that times segments.
        rto_granularity: Duration = held "1 ms", ns2 "10 ms", "ns2.1b8" "100 ms", "ns2.1b7" "100 ms";
        /// Whether each sample of the round-trip time is rounded to the granularity.
        rto_round_samples: bool = held false, ns2 true;
        /// The gain of the smoothed round-trip time, 0.001 to 1 (RFC 6298 section 2).
        rto_alpha: f64 = held 0.125;
        /// The gain of the variation of the round-trip time, 0.001 to 1 (RFC 6298 section 2).
        rto_beta: f64 = held 0.25;
        /// How many times the variation the timeout lies above the smoothed round-trip time (RFC 6298 section 2).
        rto_k: f64 = held 4;
        /// The quantity of which a loss takes a part: with Reno's rule the slow-start threshold becomes half of it.
        ssthresh_base: Word<SsthreshBase> = held "flight", ns2 "window";
        /// The rules by which a loss is repaired. Those of ns-2 have neither F-RTO nor undo.
        loss_rules: Word<LossRules> = held "rfc", ns2 "ns2";
        /// Whether slow start continues while cwnd equals the threshold. RFC 5681 leaves it open; Linux did so up
        /// to 4.2.
        slow_start_at_threshold: bool = held false;
        /// How many segments one acknowledgement counts for at most where the window grows (L of RFC 3465), or
        /// "unlimited".
        abc_limit: Threshold = held 1;
        /// With SACK: what the acknowledgement that ends a recovery lets the window grow for. It is false
        /// (nothing), "delivered" (the data that it newly reports, as in Linux), or "covered" or true (all that it
        /// covers, as in ns-3).
        exit_grows: ExitGrowsSpec = held false;
        /// How much an application without end writes at a time. The segment with the end of a write carries PSH,
        /// and `delayed_ack = "linux"` acknowledges it at once.
        write_size: Size = held "131072 B";
        /// Whether the window may grow in slow start up to twice the data in flight, even when it is not full
        /// (Linux).
        grow_from_half: bool = held false;
        /// Whether the window changes by whole segments only: acknowledgements are counted until they make one
        /// (Linux).
        whole_steps: bool = held false;
        /// True: a round of the law ends when something is acknowledged that was sent after the round began
        /// (Linux). False: it ends when all that was sent before is acknowledged.
        round_beyond: bool = held false;
        /// With SACK: whether the round-trip time is smoothed from the oldest segment that an acknowledgement
        /// covers (Linux), and not from the newest.
        smooth_oldest: bool = held false;
        /// With SACK: whether a retransmission counts as lost when data arrive that were first sent after it (Linux
        /// up to 4.14).
        detect_lost_retransmits: bool = held false;
        /// Which partial acknowledgements restart NewReno's retransmission timer.
        newreno_timer: Word<PartialAckTimer> = held "first", "ns2.1b8" "every", "ns2.1b7" "every";
        /// Whether NewReno reduces the inflated window by what a partial acknowledgement covers.
        newreno_deflate: bool = held true, "ns2.1b8" false, "ns2.1b7" false;
        /// Whether NewReno leaves recovery with min(ssthresh, max(flight, mss) + mss), and not with ssthresh.
        newreno_careful_exit: bool = held true, ns2 false;
        /// Timestamps (RFC 7323): false, true (with a tick of 1 ms), or the tick.
        timestamps: TimestampsSpec = held false;
        /// Explicit congestion notification. Queues mark packets where they have `mark_above` or `ecn`.
        ecn: Word<EcnMode> = held "off";
        /// Explicit loss notification, without SACK only. A duplicate acknowledgement that a Snoop proxy has
        /// marked, because the loss was on the air, makes the sender repeat the segment without reducing its
        /// window.
        eln: bool = held false;
        /// How slow start ends where no loss ends it.
        slow_start: Word<SlowStart> = held "standard";
        /// Whether segments are spread over the round trip, at 2 cwnd/SRTT in slow start and 1.2 cwnd/SRTT after
        /// it, as in Linux. Laws that set a rate themselves are always paced.
        pacing: bool = held false;
        /// Whether the window is at most the initial one after an idle time longer than the timeout (RFC 5681
        /// section 4.1).
        idle_restart: bool = held true;
        /// Whether the receiver reports data that arrive twice (RFC 2883).
        dsack: bool = held true, ns2 false;
        /// Whether SACK blocks include the sequence number of a FIN that arrived beyond a gap (Linux), and not data
        /// only (RFC 2018).
        sack_fin: bool = held false;
        /// Whether the window field is scaled (RFC 7323). Without scaling the window is at most 65,535 B.
        window_scaling: bool = held true;
        /// How much is sent in a recovery with SACK. Laws that model the path (bbr, bbr3) ignore it, because their
        /// window decides that.
        sack_reduction: Word<Reduction> = held "prr";
        /// Whether a timeout is undone that proves spurious by F-RTO (RFC 5682).
        frto: bool = held prose("true with SACK, false without it");
        /// Whether a reduction of the window is undone that timestamps, F-RTO or DSACK prove spurious (RFC 4015,
        /// RFC 3708).
        undo: bool = held prose("true with SACK, false without it");
        /// With rack_tlp: whether a probe repairs a loss at the tail (RFC 8985 section 7).
        tail_probe: bool = held true;
        /// With selective_repeat: the largest number of packets sent, counted from the oldest that is not
        /// acknowledged.
        repeat_window: Packets = held 8;
        /// With selective_repeat: how long after its last transmission a packet is sent again that is not
        /// acknowledged, without limit. It must be longer than a whole window takes on the link; otherwise packets
        /// are sent again while they still wait in a queue.
        repeat_after: Duration = held "200 ms";
        /// How fast the receiving application reads, such as "1 Mbps". A slow one closes the window.
        read_rate: BitRate = held prose("at once");
    }
}

table! {
    /// The parameters of UDP.
    #[derive(Default)]
    pub struct UdpSpec {
        /// The size of the IP and UDP headers together.
        header: Size = "28 B", ns2 "0 B" => "ns-2 counts a datagram as the application's size";
    }
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
    /// Parameters of the law of this name, which hold where the law is that one.
    OfLaw(BTreeMap<String, At<LawValue>>),
}

impl Value for LawValue {
    const ALLOWED: &'static str =
        "a number, or the name of a choice, or a table of these under the name of a law";
    type Table = BTreeMap<String, At<LawValue>>;

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
    fn from_table(table: Self::Table) -> Result<Self, String> {
        Ok(LawValue::OfLaw(table))
    }
    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["number", "string", "boolean", "object"] })
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
