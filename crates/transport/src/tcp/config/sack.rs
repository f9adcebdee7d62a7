//! What the recoveries with SACK may do.

use base::{Span, named};

/// What the recoveries with SACK may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SackConfig {
    /// Most blocks in an acknowledgement.
    pub most_blocks: u8,
    /// A block counts the number of a FIN that came beyond a gap (Linux); false: data only (RFC 2018 section 3; FreeBSD).
    pub blocks_count_fin: bool,
    /// How much is sent in recovery.
    pub reduction: Reduction,
    /// Every acknowledgement gives a sample of the round-trip time; false: one segment is timed at a time (as RFC
    /// 6298 has it at least).
    pub sample_every_ack: bool,
    /// The round trip is smoothed from the oldest segment that an acknowledgement covers, a delayed one's wait
    /// included, and where that was sent again from the timestamps (`tcp_ack_update_rtt` in Linux); the least round
    /// trip and the laws have the newest, as everything has otherwise.
    pub smooth_oldest: bool,
    /// What the acknowledgement that ends a recovery lets the window grow for.
    pub exit_grows: ExitGrowth,
    /// A retransmission is lost when what was first sent after it has arrived (Linux up to 4.14, ns-2's TCP/Linux).
    pub detect_lost_retransmits: bool,
    /// RACK's rescue of the tail: a probe after two round trips (RFC 8985 section 7).
    pub tail_probe: bool,
    /// The longest delay of an acknowledgement that the other side is taken to have (RFC 8985 section 7.2).
    pub max_ack_delay: Span,
    /// What an operating system adds to RACK's reordering timer: two ticks in Linux (`TCP_TIMEOUT_MIN`).
    pub timer_slack: Span,
    /// The operating system's tick, to which that timer is rounded up; zero: none.
    pub timer_tick: Span,
}

impl SackConfig {
    /// What the RFCs recommend.
    pub const fn standard() -> SackConfig {
        SackConfig {
            most_blocks: 4,
            blocks_count_fin: false,
            reduction: Reduction::Prr,
            sample_every_ack: true,
            smooth_oldest: false,
            exit_grows: ExitGrowth::Nothing,
            detect_lost_retransmits: false,
            tail_probe: true,
            max_ack_delay: Span::millis(200),
            timer_slack: Span::ZERO,
            timer_tick: Span::ZERO,
        }
    }
}

/// What the acknowledgement that ends a recovery lets the window grow for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitGrowth {
    /// Nothing (RFC 5681 section 3.2).
    Nothing,
    /// What it newly delivers (Linux since 4.6).
    Delivered,
    /// All that it covers (ns-3; Linux 2.6's bytes).
    Covered,
}

named! {
    /// How much is sent in recovery.
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
    }
}
