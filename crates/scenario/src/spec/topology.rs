//! Wired links.

use crate::at::At;
use crate::spec::QueueSpec;
use crate::units::{BitRate, Duration, Probability};
use crate::word::Word;
use base::named;
use net::LossPlace;
use schemars::JsonSchema;
use serde::Deserialize;

named! {
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
