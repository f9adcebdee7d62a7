//! The parameters of 802.11 that change a result, as plain values.

use crate::phy::Airtime;
use base::{Span, Time, named};

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

/// Rules and limits of the MAC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MacConfig {
    /// Data frames longer than this (bytes of MPDU) are sent after RTS/CTS.
    pub rts_threshold: u32,
    /// Attempts for RTS frames and for data frames up to the threshold. `None`: no limit.
    pub short_retry_limit: Option<u32>,
    /// Attempts for data frames above the threshold. `None`: no limit.
    pub long_retry_limit: Option<u32>,
    /// MAC header, LLC and FCS: added to a network-layer packet to make a data MPDU, bytes.
    pub data_overhead: u32,
    /// Rule for access without a pending backoff.
    pub access: AccessRule,
    /// The range of a backoff draw.
    pub backoff: BackoffDraw,
    /// Rule for counting the slots of an idle time.
    pub slots: SlotRule,
    /// Wait of bystanders after a frame that they could not decode.
    pub bystanders: BystanderRule,
    /// Wait of a sender after a missing CTS or ACK.
    pub timeouts: TimeoutRule,
    /// True: a NAV set by an RTS is given up when no exchange follows (802.11-2020, 10.3.2.4).
    pub nav_reset: bool,
    /// Rule for leaving an RTS unanswered.
    pub silence: SilenceRule,
    /// A CTS to oneself goes before OFDM data where control frames are DSSS (802.11-2020, 10.27): 802.11g beside 802.11b.
    pub cts_to_self: bool,
    /// Frames and bits that errors can hit.
    pub errors: ErrorScope,
}

impl Default for MacConfig {
    /// The standard's rules, limits of 7 and 4 attempts, no RTS, 28 B of MAC header and FCS and 8 B of LLC.
    fn default() -> MacConfig {
        MacConfig {
            rts_threshold: u32::MAX,
            short_retry_limit: Some(7),
            long_retry_limit: Some(4),
            data_overhead: 36,
            access: AccessRule::ImmediateAfterDifs,
            backoff: BackoffDraw::Inclusive,
            slots: SlotRule::All,
            bystanders: BystanderRule::Eifs,
            timeouts: TimeoutRule::TimeoutThenDifs,
            nav_reset: true,
            silence: SilenceRule::WhileNavIsSet,
            cts_to_self: true,
            errors: ErrorScope { control_frames: true, plcp: false },
        }
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

/// Frames and bits that errors can hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorScope {
    /// RTS, CTS and ACK can be hit too.
    pub control_frames: bool,
    /// True if the PLCP preamble and header can be hit, counted as bits at the frame's own rate.
    pub plcp: bool,
}
