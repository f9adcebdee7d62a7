//! Wired links and queues.

use crate::at::At;
use crate::units::{BitRate, Duration, Packets, Probability, Size};
use crate::value::{Value, values};
use crate::word::Word;
use base::named;
use net::LossPlace;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;

named! {
    /// What a limit in packets counts.
    pub enum QueueCounts, "way of counting" {
        Waiting = "waiting": "packets that wait; the one being sent does not count (ns-3's device queue)",
        WithService = "with_service": "packets that wait and the one being sent (ns-2's DropTail)",
    }
    /// Which way of a duplex link loses packets at random.
    pub enum LossDirection, "direction" {
        Both = "both": "both ways",
        Forward = "forward": "from the first end to the second",
        Reverse = "reverse": "from the second end to the first",
    }
    /// One way of a duplex link.
    pub enum DirectionName, "direction" {
        Forward = "forward": "from the first end to the second",
        Reverse = "reverse": "from the second end to the first",
    }
}

/// A wired link: two one-way links "a>b" and "b>a", first in, first out.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LinkSpec {
    /// The two nodes that it joins. A node comes to be by being named in a link or a cell.
    pub ends: At<Vec<At<String>>>,
    /// Bits per second of network-layer packets, such as "5 Mbps".
    pub rate: At<BitRate>,
    /// Propagation delay, such as "2 ms". Default: none.
    pub delay: Option<At<Duration>>,
    /// The queue at each end. Default: the top-level queue.
    pub queue: Option<At<QueueSpec>>,
    /// Probability that a packet is lost, such as 0.01 or "1 %". Default: 0.
    pub loss: Option<At<Probability>>,
    /// Where random loss strikes. Default: "leaving".
    pub loss_at: Option<Word<LossPlace>>,
    /// Which way random loss strikes. Default: "both".
    pub loss_direction: Option<Word<LossDirection>>,
    /// Packets of flows with `tcp.ecn` get a congestion mark when more than this many wait in the link's queue (RFC
    /// 8257 section 3.1). Default: never.
    pub mark_above: Option<At<Packets>>,
    /// Packets to drop by their number.
    #[serde(default)]
    pub drop: Vec<At<DropSpec>>,
    /// Only the way from the first end to the second exists. Default: false.
    pub one_way: Option<At<bool>>,
    /// Rate of the way back. Default: `rate`.
    pub reverse_rate: Option<At<BitRate>>,
    /// Delay of the way back. Default: `delay`.
    pub reverse_delay: Option<At<Duration>>,
    /// Queue of the way back. Default: `queue`.
    pub reverse_queue: Option<At<QueueSpec>>,
    /// Random loss of the way back. Default: `loss`.
    pub reverse_loss: Option<At<Probability>>,
}

/// Drops exactly these packets of a flow as they enter a link.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DropSpec {
    /// The flow; a name with a star stands for each flow that it made.
    pub flow: At<String>,
    /// Numbers of the flow's packets that enter this way of the link, counted from 0 (a SYN counts).
    pub packets: At<Vec<u64>>,
    /// Which way. Default: "forward".
    pub direction: Option<At<Word<DirectionName>>>,
}

/// How much a queue holds.
#[derive(Clone, Debug, PartialEq)]
pub enum QueueSpec {
    /// So many packets.
    Packets(u32, Option<Word<QueueCounts>>),
    /// So many waiting bytes.
    Bytes(u64),
    /// No limit.
    Unlimited,
}

/// A queue's table: one of packets, bytes, unlimited.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QueueTable {
    /// The limit in packets, such as 50.
    pub packets: Option<Packets>,
    /// The limit in waiting bytes, such as "64 kB".
    pub bytes: Option<Size>,
    /// True: no limit.
    pub unlimited: Option<bool>,
    /// What a limit in packets counts. Default: "waiting" ("with_service" with ns-2's conventions).
    pub counts: Option<Word<QueueCounts>>,
}

impl Value for QueueSpec {
    const ALLOWED: &'static str = "a queue, such as { packets = 50 }, { bytes = \"64 kB\" }, { unlimited = true }, \
                                   or \"50 packets\", \"64 kB\", \"unlimited\"";
    type Table = QueueTable;

    fn from_text(text: &str) -> Result<Self, String> {
        if text == "unlimited" {
            return Ok(QueueSpec::Unlimited);
        }
        match crate::units::WindowSize::from_text(text)? {
            crate::units::WindowSize::Bytes(bytes) => Ok(QueueSpec::Bytes(bytes)),
            crate::units::WindowSize::Packets(packets) => Ok(QueueSpec::Packets(packets, None)),
        }
    }
    fn from_integer(number: i64) -> Result<Self, String> {
        Packets::from_integer(number).map(|packets| QueueSpec::Packets(packets.0, None))
    }
    fn from_table(table: QueueTable) -> Result<Self, String> {
        match (table.packets, table.bytes, table.unlimited, table.counts) {
            (Some(packets), None, None, counts) => Ok(QueueSpec::Packets(packets.0, counts)),
            (None, Some(bytes), None, None) => Ok(QueueSpec::Bytes(bytes.0)),
            (None, None, Some(true), None) => Ok(QueueSpec::Unlimited),
            (None, _, _, Some(_)) => {
                Err("counts is for a limit in packets; give packets too, or leave it out".into())
            }
            _ => Err("a queue needs exactly one of: packets, bytes, unlimited = true".into()),
        }
    }
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        let table = generator.subschema_for::<QueueTable>();
        let window = generator.subschema_for::<crate::units::WindowSize>();
        json_schema!({ "anyOf": [table, window, { "const": "unlimited" }] })
    }
}

values!(QueueSpec);
