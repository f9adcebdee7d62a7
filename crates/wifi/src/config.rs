//! The parameters of 802.11 that change a result, as plain values.

mod kinds;

pub use kinds::{MOST_RETRIES, Protection, RetryLimit, Rts};

use crate::phy::Airtime;
use base::{Bytes, Maybe, Span, Time, named, settings};
use net::LARGEST_PACKET;

/// Timing of one PHY and its rates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PhyConfig {
    /// aSlotTime.
    pub slot: Span,
    /// aSIFSTime.
    pub sifs: Span,
    /// The PLCP preamble and header as a count of bits, for models that let errors hit them.
    pub plcp_bits: u32,
    /// Durations of data frames.
    pub data: Airtime,
    /// Durations of RTS, CTS and ACK.
    pub control: Airtime,
    /// Durations at the lowest basic rate: EIFS assumes an ACK at this one.
    pub lowest: Airtime,
    /// aCWmin, slots.
    pub cw_min: u32,
    /// aCWmax, slots.
    pub cw_max: u32,
    /// Time for which another station does not sense a frame that has begun and can still transmit (aCCATime).
    pub sense_time: Span,
    /// aPHY-RX-START-Delay: with SIFS and a slot, the CTS and ACK timeouts (802.11-2020, 10.3.2.9).
    pub rx_start_delay: Span,
}

settings! {
    /// Rules and limits of the MAC. The defaults are the standard's.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct MacConfig {
        /// When RTS/CTS precede a data frame: "always", "never", or for frames whose MPDU is longer than a size
        /// such as "300 B".
        rts_threshold: u32 as Rts = u32::MAX, "rts";
        /// The retry limit of RTS frames and of data frames up to the RTS threshold, or "none". Left out it is one
        /// less where `retry_limit_counts` is "retransmissions".
        short_retry_limit: Option<u32> as RetryLimit = Some(7), "short_retry_limit";
        /// The retry limit of data frames above the RTS threshold, or "none". Left out it is one less where
        /// `retry_limit_counts` is "retransmissions".
        long_retry_limit: Option<u32> as RetryLimit = Some(4), "long_retry_limit";
        /// The MAC header and the frame check sequence (FCS) of data frames.
        mac_header: u32 as Bytes = 28, "mac_header", 0..=LARGEST_PACKET;
        /// The LLC and SNAP header of data frames.
        llc_header: u32 as Bytes = 8, "llc_header", 0..=LARGEST_PACKET;
        /// When a station may send that finds the medium idle and has no backoff to finish.
        access: AccessRule = AccessRule::ImmediateAfterDifs, "access";
        /// The range from which a backoff is drawn.
        backoff: BackoffDraw = BackoffDraw::Inclusive, "backoff";
        /// How many of the slots that have passed count when another station begins and stops the countdown of a
        /// backoff.
        slots: SlotRule = SlotRule::All, "slots";
        /// How long a bystander waits after a frame that it could not decode.
        bystanders: BystanderRule = BystanderRule::Eifs, "bystanders";
        /// How long a sender waits when the CTS or ACK does not come.
        timeouts: TimeoutRule = TimeoutRule::TimeoutThenDifs, "timeouts";
        /// Whether the reservation of an RTS is given up when no exchange follows (802.11-2020, 10.3.2.4).
        nav_reset: bool = true, "nav_reset";
        /// When a station does not answer an RTS that is meant for it.
        silence: SilenceRule = SilenceRule::WhileNavIsSet, "silence";
        /// With "802.11bg", and where a `[[node]]` gives a station of a cell of 802.11n or later the standard "802.11" or
        /// "802.11b": what precedes OFDM data frames, so that such stations notice them.
        cts_to_self: bool as Protection = true, "protection";
        /// Frames and bits that errors can hit.
        internal errors: ErrorScope = ErrorScope::default();
    }
}

impl MacConfig {
    /// Returns the sum of MAC header, LLC and FCS: added to a network-layer packet to make a data MPDU, bytes.
    pub fn data_overhead(&self) -> u32 {
        self.mac_header + self.llc_header
    }
}

named! {
    /// Rule by which the addressee of an RTS does not answer it.
    pub enum SilenceRule, "silence rule" {
        WhileNavIsSet = "nav": "while its NAV is set (802.11-2020, 10.3.2.9)",
            ///
            /// It waits as long as that exchange would have lasted, and does not contend meanwhile either.
        WhileItAwaitsData = "awaiting_data": "while it waits for the data of a CTS that it sent; the NAV does not matter (ns-2)",
    }
}

named! {
    /// Rule for access without a pending backoff.
    pub enum AccessRule, "access rule" {
        ImmediateAfterDifs = "immediate": "at once when the medium has been idle for a DIFS (802.11-2020, 10.3.4.2)",
        AlwaysBackoff = "always_backoff": "a DIFS and a backoff before every frame (ns-2)",
            ///
            /// Where it becomes busy before, a DIFS after that, still without a backoff.
        DifsFromRequest = "difs_from_request": "a DIFS after the frame has arrived, however long the medium has been idle (ns-3's DCF)",
            ///
            /// Counted from the end of the inter-frame space; where the medium becomes busy before, after the next such space,
            /// without a backoff (802.11-2020, 10.23.2.2).
        SlotBoundary = "slot_boundary": "at the next slot boundary (EDCA, 802.11-2020, 10.23.2.4)",
    }
}

impl AccessRule {
    /// Before when a frame that comes at `now` does not go out, nor its backoff run: the medium is idle, no backoff is
    /// left to finish, and the inter-frame space ends, or has ended, at `space_ends`.
    pub(crate) fn earliest(self, now: Time, space_ends: Time, (difs, slot): (Span, Span)) -> Time {
        match self {
            AccessRule::ImmediateAfterDifs => now.max(space_ends),
            AccessRule::AlwaysBackoff | AccessRule::DifsFromRequest => space_ends.max(now + difs),
            AccessRule::SlotBoundary => {
                space_ends + slot * now.since(space_ends).0.div_ceil(slot.0)
            }
        }
    }
}

named! {
    /// The range of a backoff draw.
    pub enum BackoffDraw, "backoff range" {
        Inclusive = "0..cw": "0 to CW, both included (802.11-2020, 10.3.3)",
        Exclusive = "0..cw-1": "0 to CW - 1 (ns-2)",
    }
}

named! {
    /// Rule for counting the slots of an idle time, for stations whose backoff another stops.
    pub enum SlotRule, "slot rule" {
            ///
            /// 802.11-2020, 10.3.4.3.
        All = "all": "all whole slots that have passed (the standard)",
            ///
            /// ns-2 divides the idle time by the slot in floating point and drops the fraction (`BackoffTimer::pause`), and what is
            /// a whole number of slots, since both frames come the same way, is a hair less as often as not.
        Truncated = "truncated": "all, but half of the time one is lost where the station that sent the last acknowledgement begins next (ns-2)",
    }
}

named! {
    /// Wait of bystanders after a frame that they could not decode.
    pub enum BystanderRule, "bystander rule" {
        Eifs = "eifs": "EIFS (the standard)",
        Difs = "difs": "DIFS (ns-3 after collisions of equal power)",
        EifsThenDifs = "eifs+difs": "EIFS and then DIFS (ns-2)",
    }
}

named! {
    /// Wait of a sender after a missing CTS or ACK before its backoff runs.
    pub enum TimeoutRule, "timeout rule" {
        TimeoutThenDifs = "timeout+difs": "the CTS or ACK timeout, then DIFS (ns-3)",
        Timeout = "timeout": "the timeout alone, since the medium has been idle for a DIFS by then",
            ///
            /// A SIFS, the frame, and twice the 2 us that ns-2 allows for propagation.
        WholeAnswer = "answer": "as long as a whole CTS or ACK takes, and no DIFS (ns-2)",
    }
}

named! {
    /// What a retry limit counts.
    pub enum CountName, "way of counting" {
        Attempts = "attempts": "transmissions in all, the first included (dot11ShortRetryLimit)",
        Retransmissions = "retransmissions": "transmissions after the first",
    }
}

settings! {
    /// Rules and limits as files give them: the limits of both kinds of frames at once too, and counted in two ways.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct MacSettings {
        /// Sets `short_retry_limit` and `long_retry_limit` at once, in their place.
        retry_limit: Option<Option<u32>> as Maybe<RetryLimit> = None, "retry_limit";
        /// What the retry limits count.
        retry_limit_counts: CountName = CountName::Attempts, "retry_limit_counts";
        /// The rules, and the limits in attempts.
        nested mac: MacConfig;
    }
}

settings! {
    /// Frames and bits that errors can hit.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct ErrorScope {
        /// Whether errors can hit RTS, CTS and ACK frames too.
        control_frames: bool = true, "control_frames";
        /// Whether errors can hit the PLCP preamble and header too, counted as bits at the frame's own rate.
        plcp: bool = false, "plcp";
    }
}
