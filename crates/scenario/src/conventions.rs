//! What a file leaves unsaid: one table for each set of conventions, side by side.

use crate::spec::{ConventionsName, QueueCounts};
use crate::word::Word;
use apps::{Begins, BurstRule};
use base::Span;
use radio::Sampling;
use transport::tcp::{LawName, Recovery, TcpConfig};
use wifi::{AccessRule, BackoffDraw, BystanderRule, SilenceRule, SlotRule, TimeoutRule};

/// Defaults that depend on the conventions. Sizes in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Conventions {
    /// What a queue's limit in packets counts.
    pub queue_counts: QueueCounts,
    /// MAC header and FCS of a data frame.
    pub mac_header: u32,
    /// LLC and SNAP header of a data frame.
    pub llc_header: u32,
    /// When a station without a pending backoff may begin.
    pub access: AccessRule,
    /// The range of a backoff draw.
    pub backoff: BackoffDraw,
    /// How many slots of an idle time count.
    pub slots: SlotRule,
    /// What bystanders wait after a frame that they could not decode.
    pub bystanders: BystanderRule,
    /// What a sender waits after a missing answer.
    pub timeouts: TimeoutRule,
    /// A reservation by RTS is given up when no exchange follows.
    pub nav_reset: bool,
    /// When a station does not answer an RTS.
    pub silence: SilenceRule,
    /// How a channel's state is applied to a frame.
    pub sampling: Sampling,
    /// Errors hit the PLCP preamble and header too.
    pub plcp_errors: bool,
    /// What a mobile's network layer adds where there is an access point.
    pub routing_header: u32,
    /// For how long a packet is between a station's network layer and its interface, each way.
    pub link_layer_delay: Span,
    /// Frames end at any nanosecond; else at the whole microsecond that the standard's length field can say.
    pub exact_airtime: bool,
    /// ns-2's radio: 914 MHz WaveLAN over two-ray ground, reception by thresholds.
    pub ns2_radio: bool,
    /// TCP's largest payload of a segment.
    pub mss: u32,
    /// IP and UDP header.
    pub udp_header: u32,
    /// The longest delay of an acknowledgement.
    pub delayed_ack: Span,
    /// Which datagrams a burst of an on/off source makes.
    pub bursts: BurstRule,
    /// How it begins.
    pub begins: Begins,
    ns2_tcp: bool,
}

/// IEEE 802.11-2020 and the RFCs.
const STANDARD: Conventions = Conventions {
    queue_counts: QueueCounts::Waiting,
    mac_header: 28, // three addresses: 24 B, FCS 4 B
    llc_header: 8,
    access: AccessRule::ImmediateAfterDifs,
    backoff: BackoffDraw::Inclusive,
    slots: SlotRule::All,
    bystanders: BystanderRule::Eifs,
    timeouts: TimeoutRule::TimeoutThenDifs,
    nav_reset: true,
    silence: SilenceRule::WhileNavIsSet,
    sampling: Sampling::EachBit,
    plcp_errors: false,
    routing_header: 0,
    link_layer_delay: Span::ZERO,
    exact_airtime: false,
    ns2_radio: false,
    mss: 1460,
    udp_header: 28,
    delayed_ack: Span::millis(200),
    bursts: BurstRule::Time,
    begins: Begins::Stationary,
    ns2_tcp: false,
};

/// ns-2.35's CMU wireless extensions and one-way TCP agents.
const NS2: Conventions = Conventions {
    queue_counts: QueueCounts::WithService,
    mac_header: 34, // four addresses: 30 B, FCS 4 B
    llc_header: 0,
    access: AccessRule::AlwaysBackoff,
    backoff: BackoffDraw::Exclusive,
    slots: SlotRule::Truncated,
    bystanders: BystanderRule::EifsThenDifs,
    timeouts: TimeoutRule::WholeAnswer,
    nav_reset: false,
    silence: SilenceRule::WhileItAwaitsData,
    sampling: Sampling::FrameStart,
    plcp_errors: true,
    routing_header: 20,
    link_layer_delay: Span::micros(25), // LL's delay_
    exact_airtime: true,
    ns2_radio: true,
    mss: 1000,
    udp_header: 0,
    delayed_ack: Span::millis(100),
    bursts: BurstRule::Packets,
    begins: Begins::Idle,
    ns2_tcp: true,
};

impl Conventions {
    /// The set of that name.
    pub fn of(name: Option<Word<ConventionsName>>) -> &'static Conventions {
        match name {
            None | Some(Word(ConventionsName::Standard)) => &STANDARD,
            Some(Word(ConventionsName::Ns2)) => &NS2,
        }
    }

    /// TCP with segments of `mss` bytes and a window of `window` bytes, where the file gives one.
    pub fn tcp(
        &self,
        (recovery, law): (Recovery, LawName),
        mss: u32,
        window: Option<u64>,
    ) -> TcpConfig {
        if self.ns2_tcp {
            // ns-2's first threshold is the window, in packets; `window_` is 20 unless set.
            let window = window.unwrap_or(20 * u64::from(mss));
            let packets = u32::try_from(window / u64::from(mss)).unwrap_or(u32::MAX);
            let ns2 = TcpConfig::ns2(recovery, mss, packets);
            TcpConfig { law, receive_window: window, ..ns2 }
        } else {
            let standard = TcpConfig::standard(recovery, law);
            let receive_window = window.unwrap_or(standard.receive_window);
            TcpConfig { mss, receive_window, ..standard }
        }
    }
}
