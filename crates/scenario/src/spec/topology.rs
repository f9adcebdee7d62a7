//! Wired links.

use crate::at::At;
use crate::spec::QueueSpec;
use crate::table::{prose, table};
use crate::units::{BitRate, Duration, Probability};
use crate::word::Word;
use base::named;
use net::{JitterLaw, LossPlace};

named! {
    /// The direction of a duplex link in which packets are lost at random.
    pub enum LossDirection, "direction" {
        Both = "both": "both ways",
        Forward = "forward": "from the first end to the second",
        Reverse = "reverse": "from the second end to the first",
    }
    /// Format of a trace of a link.
    pub enum TraceFormat, "trace format" {
        Mahimahi = "mahimahi": "a line for each time, in ms, at which 1,500 bytes go; after the last it begins again",
        Csv = "csv": "a header with time_s and any of rate_mbps (0: an outage), delay_ms and loss; each line holds up to the next",
    }
    /// One way of a duplex link.
    pub enum DirectionName, "direction" {
        Forward = "forward": "from the first end to the second",
        Reverse = "reverse": "from the second end to the first",
    }
}

table! {
    /// A wired link. It consists of two one-way links, which results call "a>b" and "b>a". Packets leave in the
    /// order in which they arrive, unless the queue's discipline reorders them.
    pub struct LinkSpec {
        /// The two nodes that the link joins. A node exists as soon as a link or a cell names it.
        needed ends: Vec<At<String>>;
        /// The rate in bits of network-layer packets a second, such as "5 Mbps".
        rate: BitRate = held prose("that of the trace; without a trace the key is needed");
        /// The propagation delay, such as "2 ms".
        delay: Duration = "0 s";
        /// The queue at each end.
        queue: QueueSpec = held prose("the top-level queue");
        /// The probability that a packet is lost at random, such as 0.01 or "1 %".
        loss: Probability = held 0;
        /// Where random loss strikes.
        loss_at: Word<LossPlace> = "leaving";
        /// The direction in which random loss strikes, bursts included.
        loss_direction: Word<LossDirection> = "both";
        /// Losses in bursts, in addition to `loss`. Each direction alternates between a good and a bad state on its
        /// own.
        bursts: BurstSpec = held prose("none");
        /// Single packets to drop, by their number.
        list drop: DropSpec;
        /// What changes at a time.
        list change: ChangeSpec;
        /// A file with the course of the rate, by its path from the scenario's folder.
        trace: String = held prose("none");
        /// The format of the traces.
        trace_format: Word<TraceFormat> = "mahimahi";
        /// A delay that each packet has in addition, drawn for each: the most of it, or its mean.
        jitter: Duration = held prose("none");
        /// The law of the jitter.
        jitter_law: Word<JitterLaw> = "uniform";
        /// Whether packets overtake others that have a longer delay. Otherwise they wait for those before them.
        overtaking: bool = false;
        /// True: there is only the direction from the first end to the second.
        one_way: bool = false;
        /// The rate of the direction from the second end to the first.
        reverse_rate: BitRate = held prose("`rate`");
        /// The delay of the direction from the second end to the first.
        reverse_delay: Duration = held prose("`delay`");
        /// The queue of the direction from the second end to the first.
        reverse_queue: QueueSpec = held prose("`queue`");
        /// The random loss of the direction from the second end to the first.
        reverse_loss: Probability = held prose("`loss`");
        /// The trace of the direction from the second end to the first.
        reverse_trace: String = held prose("`trace`");
    }
}

table! {
    /// A change of a link at a time. What is not said stays as it is.
    pub struct ChangeSpec {
        /// The time of the change.
        needed at: Duration;
        /// The rate from there on. What is being sent goes on at it.
        rate: BitRate = held prose("as before");
        /// The propagation delay of packets that have been sent from there on.
        delay: Duration = held prose("as before");
        /// The probability that a packet is lost that comes from there on.
        loss: Probability = held prose("as before");
        /// True: nothing is sent from there on, up to a change without this. Packets wait.
        down: bool = false;
        /// The direction that changes.
        direction: Word<LossDirection> = "both";
    }
}

table! {
    /// Losses in bursts (Gilbert 1960, Elliott 1963). The times in each state are exponential. A packet meets the
    /// state in which its transmission begins.
    pub struct BurstSpec {
        /// The mean time in the good state.
        needed mean_good: Duration;
        /// The mean time in the bad state.
        needed mean_bad: Duration;
        /// The probability that a packet is lost in the good state.
        loss_good: Probability = 0;
        /// The probability that a packet is lost in the bad state.
        loss_bad: Probability = 1;
        /// The bit error rate in the good state, in addition. One error loses the packet, whose bits are those of its
        /// network layer.
        ber_good: Probability = 0;
        /// The bit error rate in the bad state, in addition.
        ber_bad: Probability = 0;
    }
}

table! {
    /// Drops exactly these packets of a flow as they enter the link.
    pub struct DropSpec {
        /// The name of the flow. The name of a [[flow]] that makes several stands for each of them.
        needed flow: String;
        /// The numbers of the packets of the flow that enter the link in this direction, counted from 0. A SYN
        /// counts.
        needed packets: Vec<u64>;
        /// The direction in which the packets pass the link.
        direction: Word<DirectionName> = "forward";
    }
}
