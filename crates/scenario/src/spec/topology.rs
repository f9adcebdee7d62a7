//! Wired links.

use crate::at::At;
use crate::spec::QueueSpec;
use crate::table::{prose, table};
use crate::units::{BitRate, Duration, Probability};
use crate::word::Word;
use base::named;
use net::LossPlace;

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

table! {
    /// A wired link: two one-way links "a>b" and "b>a", first in, first out.
    pub struct LinkSpec {
        /// The two nodes that it joins. A node comes to be by being named in a link or a cell.
        needed ends: Vec<At<String>>;
        /// Bits per second of network-layer packets, such as "5 Mbps".
        needed rate: BitRate;
        /// Propagation delay, such as "2 ms".
        delay: Duration = "0 s";
        /// The queue at each end.
        queue: QueueSpec = held prose("the top-level queue");
        /// Probability that a packet is lost, such as 0.01 or "1 %".
        loss: Probability = held 0;
        /// Where random loss strikes.
        loss_at: Word<LossPlace> = "leaving";
        /// Which way random loss strikes, bursts included.
        loss_direction: Word<LossDirection> = "both";
        /// Loss in bursts, beside `loss`: a good and a bad state that take turns, each way on its own.
        bursts: BurstSpec = held prose("none");
        /// Packets to drop by their number.
        list drop: DropSpec;
        /// Only the way from the first end to the second exists.
        one_way: bool = false;
        /// Rate of the way back.
        reverse_rate: BitRate = held prose("`rate`");
        /// Delay of the way back.
        reverse_delay: Duration = held prose("`delay`");
        /// Queue of the way back.
        reverse_queue: QueueSpec = held prose("`queue`");
        /// Random loss of the way back.
        reverse_loss: Probability = held prose("`loss`");
    }
}

table! {
    /// Bursts of loss (Gilbert 1960, Elliott 1963): sojourns are exponential; a packet meets the state in which its transmission begins.
    pub struct BurstSpec {
        /// Mean sojourn in the good state.
        needed mean_good: Duration;
        /// Mean sojourn in the bad state.
        needed mean_bad: Duration;
        /// Probability that a packet is lost in the good state.
        loss_good: Probability = 0;
        /// Probability that a packet is lost in the bad state.
        loss_bad: Probability = 1;
    }
}

table! {
    /// Drops exactly these packets of a flow as they enter a link.
    pub struct DropSpec {
        /// The flow; a name with a star stands for each flow that it made.
        needed flow: String;
        /// Numbers of the flow's packets that enter this way of the link, counted from 0 (a SYN counts).
        needed packets: Vec<u64>;
        /// Which way.
        direction: Word<DirectionName> = "forward";
    }
}
