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
    /// TCP's parameters.
    #[derive(Default)]
    pub struct TcpSpec {
        /// A named pair of recovery and law, or "auto": the endpoint picks one by `policy`.
        variant: VariantKey = held "newreno";
        /// By what "auto" picks: a table of rules, or the name of a file that holds one.
        policy: PolicySpec = held prose("a policy of lasthop's own");
        /// What is retransmitted, in place of a variant.
        recovery: Word<Recovery> = held "newreno", "a law that models the path (bbr, bbr3)" "rack_tlp";
        /// How the window moves, in place of a variant.
        law: LawKey;
        /// The law from outside that takes the place of any other; set by [`Laws`](crate::Laws), never by a file.
        unread outside: Option<Outside>;
        /// The law's parameters where they shall not be its defaults: numbers, or the names of choices; by name of a law
        /// a table of those of that law alone.
        several law_options: BTreeMap<String, At<LawValue>>;
        /// Largest payload of a segment.
        mss: Size = held "1460 B", ns2 "1000 B", "ns2.1b8" "960 B", "ns2.1b7" "960 B";
        /// IP and TCP header together.
        header: Size = "40 B";
        /// The receiver's window, such as "64 kB" or "10 packets".
        window: WindowSize = held "4 MiB", ns2 "20 packets";
        /// Congestion window at the start, segments.
        initial_window: Packets = held 10, ns2 2, "ns2.1b7" 1;
        /// Slow-start threshold at the start, segments, or "unlimited".
        initial_ssthresh: Threshold = held "unlimited", ns2 prose("the window");
        /// Open with SYN and SYN-ACK.
        handshake: bool = held true, "ns2.1b7" false;
        /// Duplicate acknowledgements that tell of a loss (RFC 5681, RFC 6675, RFC 8985: DupThresh).
        dup_thresh: u32 = held 3;
        /// What a timeout leaves of the window, segments (RFC 5681 section 3.1; QUIC keeps 2).
        loss_window: u32 = held 1;
        /// A new segment on each of the first two duplicate acknowledgements (RFC 3042).
        limited_transmit: bool = held true, "ns2.1b8" false, "ns2.1b7" false;
        /// Delayed acknowledgements: false, true (every second segment, 200 ms at most), "linux" (the same, but at
        /// once at first and while the window opens, and the wait follows the intervals), or a table.
        delayed_ack: DelayedAckSpec = held false, "linux-* variants" "linux";
        /// Retransmission timeout before the first sample.
        rto_initial: Duration = held "1 s", ns2 "3 s", "ns2.1b8" "6 s", "ns2.1b7" "6 s";
        /// Smallest retransmission timeout.
        rto_min: Duration = held "1 s", ns2 "200 ms", "ns2.1b8" "1 s";
        /// Largest retransmission timeout.
        rto_max: Duration = held "60 s";
        /// Lower bound of the part of the timeout that stands for the variation, 4 RTTVAR (Linux: "200 ms").
        rto_min_spread: Duration = held "0 s";
        /// Clock granularity.
        rto_granularity: Duration = held "1 ms", ns2 "10 ms", "ns2.1b8" "100 ms", "ns2.1b7" "100 ms";
        /// Round each sample to the granularity.
        rto_round_samples: bool = held false, ns2 true;
        /// Gain of the smoothed round-trip time, in (0, 1] (RFC 6298 section 2).
        rto_alpha: f64 = held 0.125;
        /// Gain of the round-trip time's variation, in (0, 1] (RFC 6298 section 2).
        rto_beta: f64 = held 0.25;
        /// How many variations the timeout lies above the smoothed round-trip time (RFC 6298 section 2).
        rto_k: f64 = held 4;
        /// What the slow-start threshold is half of after a loss.
        ssthresh_base: Word<SsthreshBase> = held "flight", ns2 "window";
        /// Whose rules a loss meets; ns-2's know neither F-RTO nor undo.
        loss_rules: Word<LossRules> = held "rfc", ns2 "ns2";
        /// Slow start goes on while cwnd equals the threshold (RFC 5681 leaves it open; Linux up to 4.2).
        slow_start_at_threshold: bool = held false;
        /// Most segments that an acknowledgement lets the window grow for (RFC 3465's L), or "unlimited".
        abc_limit: Threshold = held 1;
        /// With SACK, what the acknowledgement that ends a recovery lets the window grow for: false (nothing),
        /// "delivered" (what it newly delivers: Linux), or "covered" or true (all that it covers: ns-3).
        exit_grows: ExitGrowsSpec = held false;
        /// What an application without end writes at a time: the segment with the end of a write carries PSH, which
        /// `delayed_ack = "linux"` answers at once.
        write_size: Size = held "131072 B";
        /// In slow start the window may grow to twice what was in flight, though it does not bind (Linux).
        grow_from_half: bool = held false;
        /// The window is a number of whole segments: acknowledgements are counted until they make one (Linux).
        whole_steps: bool = held false;
        /// A law's round ends when something sent after its begin is acknowledged (Linux), not when all before is.
        round_beyond: bool = held false;
        /// With SACK, the round trip is smoothed from the oldest segment that an acknowledgement covers (Linux), not
        /// from the newest.
        smooth_oldest: bool = held false;
        /// With SACK, a retransmission is lost when what was first sent after it arrives (Linux up to 4.14).
        detect_lost_retransmits: bool = held false;
        /// When partial acknowledgements restart NewReno's timer.
        newreno_timer: Word<PartialAckTimer> = held "first", "ns2.1b8" "every", "ns2.1b7" "every";
        /// NewReno deflates the window by what a partial acknowledgement covers.
        newreno_deflate: bool = held true, "ns2.1b8" false, "ns2.1b7" false;
        /// NewReno leaves recovery with min(ssthresh, max(flight, mss) + mss).
        newreno_careful_exit: bool = held true, ns2 false;
        /// Timestamps (RFC 7323): false, true (1 ms), or a tick.
        timestamps: TimestampsSpec = held false;
        /// Explicit congestion notification; queues mark where they have `mark_above` or `ecn`.
        ecn: Word<EcnMode> = held "off";
        /// Explicit loss notification: a duplicate that a Snoop proxy has marked, because the loss was on the air, brings the
        /// segment again and cuts no window. Without SACK only.
        eln: bool = held false;
        /// How slow start ends before a loss.
        slow_start: Word<SlowStart> = held "standard";
        /// Spread segments over the round trip at 2 cwnd/SRTT in slow start and 1.2 after, as Linux does. Laws that
        /// say a rate of their own are paced anyway.
        pacing: bool = held false;
        /// After idling for a timeout the window is no larger than at first (RFC 5681 section 4.1).
        idle_restart: bool = held true;
        /// What comes twice is reported (RFC 2883).
        dsack: bool = held true, ns2 false;
        /// SACK blocks count the number of a FIN that came beyond a gap (Linux), not data only (RFC 2018).
        sack_fin: bool = held false;
        /// The window field is scaled (RFC 7323); false, and it ends at 65,535 B.
        window_scaling: bool = held true;
        /// How much is sent in a recovery with SACK. A law that models the path (bbr, bbr3) decides that by its window,
        /// whatever stands here.
        sack_reduction: Word<Reduction> = held "prr";
        /// A timeout that proves spurious is undone (F-RTO, RFC 5682).
        frto: bool = held prose("true with SACK, false without");
        /// A cut that timestamps, F-RTO or DSACK prove spurious is undone (RFC 4015, RFC 3708).
        undo: bool = held prose("true with SACK, false without");
        /// RACK's rescue of the tail (RFC 8985 section 7).
        tail_probe: bool = held true;
        /// With selective repeat: the most packets from the oldest that is not acknowledged on.
        repeat_window: Packets = held 8;
        /// With selective repeat: a packet is sent again when it was sent so long ago and is not acknowledged, for ever. It
        /// must be longer than a whole window takes on the link, or what waits there is sent again too.
        repeat_after: Duration = held "200 ms";
        /// How fast the application reads, such as "1 Mbps"; a slow one closes the window.
        read_rate: BitRate = held prose("at once");
    }
}

table! {
    /// UDP's parameters.
    #[derive(Default)]
    pub struct UdpSpec {
        /// IP and UDP header together.
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
        "a number, or the name of a choice; of a law's name a table of these";
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
