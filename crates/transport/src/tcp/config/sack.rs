//! The parameters of the recoveries with SACK.

use base::{Form, Given, Kind, Refused, Span, named, settings};

settings! {
    /// The parameters of the recoveries with SACK. The defaults are the RFCs' recommendations.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct SackConfig {
        /// With SACK: how many blocks an acknowledgement has at most, or one less beside timestamps (RFC 2018
        /// section 3).
        most_blocks: u8 = 4, "sack_blocks", 1..=4;
        /// Whether SACK blocks include the sequence number of a FIN that arrived beyond a gap (Linux), and not data
        /// only (RFC 2018 section 3).
        blocks_count_fin: bool = false, "sack_fin";
        /// The rule for the amount sent in a recovery with SACK. Laws that model the path (bbr, bbr3) ignore
        /// it, because their window decides that.
        reduction: Reduction = Reduction::Prr, "sack_reduction";
        /// With SACK: whether every acknowledgement gives a sample of the round-trip time, and not one segment in a
        /// round trip (RFC 6298 section 3).
        sample_every_ack: bool = true, "sample_every_ack";
        /// With SACK: whether the round-trip time is smoothed from the oldest segment that an acknowledgement
        /// covers (Linux), and not from the newest. The least round-trip time and the laws use the newest.
        smooth_oldest: bool = false, "smooth_oldest";
        /// With SACK: whether a law also gets a round-trip time of what an acknowledgement only SACKs, and not just of the
        /// last segment that it covers (Linux 2.6).
        sample_sacked: bool = true, "sample_sacked";
        /// With SACK: what the acknowledgement that ends a recovery lets the window grow for. It is false (nothing,
        /// RFC 5681 section 3.2), "delivered" (the data that it newly reports, as in Linux), or "covered" or true
        /// (all that it covers, as in ns-3).
        exit_grows: ExitGrowth = ExitGrowth::Nothing, "exit_grows";
        /// With SACK: whether a retransmission counts as lost when data arrive that were first sent after it (Linux
        /// up to 4.14).
        detect_lost_retransmits: bool = false, "detect_lost_retransmits";
        /// With rack_tlp: whether a probe repairs a loss at the tail (RFC 8985 section 7).
        tail_probe: bool = true, "tail_probe";
        /// With rack_tlp: the longest delay of an acknowledgement that the sender assumes at the receiver (RFC 8985
        /// section 7.2).
        max_ack_delay: Span = Span::millis(200), "max_ack_delay";
        /// With rack_tlp: what an operating system adds to the reordering timer. Linux has two ticks
        /// (`TCP_TIMEOUT_MIN`).
        timer_slack: Span = Span::ZERO, "rack_timer_slack";
        /// With rack_tlp: the operating system's tick, to which the reordering timer is rounded up. With "0 s" it
        /// is not rounded.
        timer_tick: Span = Span::ZERO, "rack_timer_tick";
    }
}

/// The data for which the acknowledgement that ends a recovery lets the window grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitGrowth {
    /// Nothing (RFC 5681 section 3.2).
    Nothing,
    /// The data that it newly delivers (Linux since 4.6).
    Delivered,
    /// All that it covers (ns-3; Linux 2.6's bytes).
    Covered,
}

impl Kind<ExitGrowth> for ExitGrowth {
    const FORM: Form = Form::Either(
        "false, \"delivered\", or \"covered\" (true)",
        &[Form::Flag, Form::Words(&["delivered", "covered"])],
    );

    fn take(given: &Given) -> Result<ExitGrowth, Refused> {
        match given {
            Given::Flag(false) => Ok(ExitGrowth::Nothing),
            Given::Flag(true) => Ok(ExitGrowth::Covered),
            Given::Word(word) if word == "delivered" => Ok(ExitGrowth::Delivered),
            Given::Word(word) if word == "covered" => Ok(ExitGrowth::Covered),
            _ => Err(Refused::Form),
        }
    }

    fn give(value: &ExitGrowth) -> Given {
        match value {
            ExitGrowth::Nothing => Given::Flag(false),
            ExitGrowth::Delivered => Given::Word("delivered".into()),
            ExitGrowth::Covered => Given::Word("covered".into()),
        }
    }
}

named! {
    /// The rule for the amount sent in recovery.
    pub enum Reduction, "reduction" {
            ///
            /// Half a round trip of silence, then a segment an acknowledgement. For laws that mind their window in recovery
            /// themselves.
        Pipe = "pipe": "as much as fits the window at once (RFC 6675 section 5)",
        Prr = "prr": "in proportion to what is delivered (RFC 9937)",
        PrrNs3 = "prr_ns3": "as prr, but a duplicate also counts as a segment besides what it SACKs, in 32 bits (ns-3.44)",
            ///
            /// So does ns-2's TCP/Linux.
        RateHalving = "rate_halving": "one segment for every two that left, down to half the threshold (Linux 2.6)",
            ///
            /// In Linux 2.6 laws without a `min_cwnd`: Veno, BIC, CUBIC.
        ThresholdHalving = "threshold_halving": "one segment for every two that left, down to the threshold (Linux 2.6)",
    }
}
