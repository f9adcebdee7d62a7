//! The parameters of a TCP connection, as plain values.

mod option_size;
mod sack;

pub use super::law::LawName;
use super::rtt::RtoConfig;
pub use super::window::SsthreshBase;
use super::window::{Window, WindowRules};
use base::{Options, Span, named};
use net::Segment;
pub use option_size::OptionSize;
pub use sack::{ExitGrowth, Reduction, SackConfig};

named! {
    /// What is retransmitted.
    pub enum Recovery, "recovery" {
        Tahoe = "tahoe": "fast retransmit, then slow start with go-back-N (Jacobson 1988)",
        Reno = "reno": "fast recovery that ends with the first new acknowledgement (RFC 5681)",
        NewReno = "newreno": "fast recovery that survives partial acknowledgements (RFC 6582)",
        Sack = "sack": "the receiver's report of what it holds decides what is sent again (RFC 2018, RFC 6675)",
        RackTlp = "rack_tlp": "SACK, where time decides what is lost and a probe finds a lost tail (RFC 8985)",
        SelectiveRepeat = "selective_repeat": "each packet is sent again after a fixed time until the receiver holds it; no loss reduces the window",
    }
}

impl Recovery {
    /// True where acknowledgements carry the SACK option.
    pub fn uses_sack(self) -> bool {
        matches!(self, Recovery::Sack | Recovery::RackTlp | Recovery::SelectiveRepeat)
    }
}

/// A connection's parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct TcpConfig {
    /// What is retransmitted.
    pub recovery: Recovery,
    /// How the window moves.
    pub law: LawName,
    /// The number of a law from outside, in place of `law`: [`Sender::with_law`](super::Sender::with_law) is given it.
    pub custom_law: Option<u32>,
    /// The law's parameters where they are not its defaults.
    pub law_options: Options,
    /// Largest payload of a segment, bytes.
    pub mss: u32,
    /// IP and TCP header together, bytes.
    pub header_bytes: u32,
    /// Congestion window at the start, segments.
    pub initial_window: u32,
    /// Slow-start threshold at the start, segments; `None`: as high as can be.
    pub initial_ssthresh: Option<f64>,
    /// The receiver's window, bytes; also the window limit of the papers.
    pub receive_window: u64,
    /// What the receiver can hold, bytes, where that is more than the window that it ever advertises. `None`: as much as
    /// `receive_window`.
    pub receive_buffer: Option<u64>,
    /// Opens with SYN and SYN-ACK; false: both ends begin established.
    pub handshake: bool,
    /// Retransmission timeout.
    pub rto: RtoConfig,
    /// Delayed acknowledgements; `None`: one for each segment.
    pub delayed_ack: Option<DelayedAck>,
    /// With delayed acknowledgements: Linux's occasions to send one at once, and its timer ([`super::quick`]).
    pub quick_ack: bool,
    /// Duplicate acknowledgements that tell of a loss: RFC 5681's three, RFC 6675's and RFC 8985's DupThresh, ns-2's
    /// `numdupacks_`.
    pub dup_thresh: u32,
    /// What a timeout leaves of the window, segments: RFC 5681 section 3.1's loss window of one; QUIC keeps two (RFC
    /// 9002 section 7.6.2).
    pub loss_window: u32,
    /// Timeouts are checked for being spurious (F-RTO, RFC 5682: section 2 without SACK, section 3 with it). `None`:
    /// with SACK, as Linux does, not without, as the RFCs of the recoveries without it have it.
    pub frto: Option<bool>,
    /// A cut that proves spurious is undone: by timestamps (RFC 3522, RFC 4015), F-RTO, and with SACK by DSACK (RFC
    /// 3708). `None` as for `frto`.
    pub undo: Option<bool>,
    /// A new segment on each of the first two duplicate acknowledgements (RFC 3042).
    pub limited_transmit: bool,
    /// What the slow-start threshold is half of.
    pub ssthresh_base: SsthreshBase,
    /// Whose rules a loss meets.
    pub loss_rules: LossRules,
    /// Slow start goes on while cwnd equals the threshold: RFC 5681 section 3.1 leaves it open; so did Linux up to 4.2.
    pub slow_start_at_threshold: bool,
    /// NewReno's choices.
    pub newreno: NewRenoConfig,
    /// What the recoveries with SACK may do.
    pub sack: SackConfig,
    /// Selective repeat's window and timer.
    pub repeat: RepeatConfig,
    /// The most segments that an acknowledgement lets the window grow for (RFC 3465's L): 1 as RFC 5681 says and
    /// ns-2 does; Linux counts all that is acknowledged (infinite).
    pub abc_limit: f64,
    /// After idling for a timeout the window is no larger than at first (RFC 5681 section 4.1).
    pub idle_restart: bool,
    /// How slow start ends before a loss. HyStart wants a sample an acknowledgement: SACK's recoveries have it, the
    /// others with `timestamps`.
    pub slow_start: SlowStart,
    /// What an application that offers data without end writes at a time, bytes: the segment with the end of a write
    /// carries PSH.
    pub write_size: u64,
    /// In slow start the window may grow to twice what was in flight, though it does not bind
    /// (`tcp_is_cwnd_limited` in Linux); false: only a window that binds grows (RFC 7661's spirit).
    pub grow_from_half: bool,
    /// The window is a number of whole segments: acknowledgements are counted until they make one (`snd_cwnd_cnt` in
    /// Linux), in slow start up to the threshold and beyond it in avoidance.
    pub whole_steps: bool,
    /// A law's round ends when something sent after its begin is acknowledged (Linux's `after(snd_una, end_seq)`);
    /// false: when all sent before is.
    pub round_beyond: bool,
    /// Segments are spread over the round trip; `None`: only where the law says a rate.
    pub pacing: Option<Pacing>,
    /// Timestamps with this tick (RFC 7323); Linux has 1 ms.
    pub timestamps: Option<Span>,
    /// Congestion marks instead of losses (RFC 3168).
    pub ecn: EcnMode,
    /// A duplicate that says that the loss was on the air ([`net::Flags::ELN`]) brings the segment again and cuts nothing
    /// (Balakrishnan 1997); without SACK only.
    pub eln: bool,
    /// How the application reads.
    pub reader: Reader,
    /// The window field is scaled (RFC 7323 section 2): false, and it ends at 65,535 B.
    pub window_scaling: bool,
    /// What comes twice is reported (RFC 2883).
    pub dsack: bool,
    /// How the options' bytes count in the size of a packet, beyond `header_bytes`.
    pub option_size: OptionSize,
}

impl TcpConfig {
    /// What the RFCs say, for any recovery and law.
    ///
    /// Segments of 1460 B and 40 B of headers (Ethernet without options), 10 segments at first (RFC 6928),
    /// timeouts of 1 s at first, 1 s at least and 60 s at most (RFC 6298, clock of 1 ms), limited transmit (RFC
    /// 3042), the impatient NewReno with the careful exit (RFC 6582). The receiver's window of 4 MiB is meant not
    /// to bind, and each segment is acknowledged: say `delayed_ack` for RFC 1122's every second.
    pub fn standard(recovery: Recovery, law: LawName) -> TcpConfig {
        TcpConfig {
            recovery,
            law,
            custom_law: None,
            law_options: Options::default(),
            mss: 1460,
            header_bytes: 40,
            initial_window: 10,
            initial_ssthresh: None,
            receive_window: 4 << 20,
            receive_buffer: None,
            handshake: true,
            rto: RtoConfig::standard(),
            delayed_ack: None,
            quick_ack: false,
            dup_thresh: 3,
            loss_window: 1,
            frto: None,
            undo: None,
            limited_transmit: true,
            ssthresh_base: SsthreshBase::FlightSize,
            loss_rules: LossRules::Rfc,
            slow_start_at_threshold: false,
            newreno: NewRenoConfig {
                timer: PartialAckTimer::First,
                deflate: true,
                careful_exit: true,
            },
            sack: SackConfig::standard(),
            repeat: RepeatConfig { window: 8, after: Span::millis(200) },
            abc_limit: 1.0,
            idle_restart: true,
            slow_start: SlowStart::Standard,
            write_size: 128 << 10,
            grow_from_half: false,
            whole_steps: false,
            round_beyond: false,
            pacing: None,
            timestamps: None,
            ecn: EcnMode::Off,
            eln: false,
            reader: Reader::Immediate,
            window_scaling: true,
            dsack: true,
            option_size: OptionSize::Padded,
        }
    }

    /// The defaults of ns-2.35's one-way agents (Agent/TCP, Reno, Newreno) with `packet` bytes of payload
    /// (`packetSize_`) and a window of `window` packets (`window_`), which is also the first threshold.
    pub fn ns2(recovery: Recovery, packet: u32, window: u32) -> TcpConfig {
        TcpConfig {
            mss: packet,
            initial_window: 2,
            initial_ssthresh: Some(f64::from(window)),
            receive_window: u64::from(packet) * u64::from(window),
            rto: RtoConfig {
                initial: Span::secs(3),
                min: Span::millis(200),
                granularity: Span::millis(10),
                round_samples: true,
                ..RtoConfig::standard()
            },
            ssthresh_base: SsthreshBase::Window,
            loss_rules: LossRules::Ns2,
            newreno: NewRenoConfig {
                timer: PartialAckTimer::First,
                deflate: true,
                careful_exit: false,
            },
            sack: SackConfig { most_blocks: 3, ..SackConfig::standard() },
            dsack: false,
            option_size: OptionSize::Blocks,
            ..TcpConfig::standard(recovery, LawName::Reno)
        }
    }
}

impl TcpConfig {
    /// True where F-RTO follows a timeout; never by ns-2's rules.
    pub fn detects_spurious_timeouts(&self) -> bool {
        self.frto.unwrap_or(self.recovery.uses_sack()) && self.loss_rules == LossRules::Rfc
    }

    /// True where a cut that proves spurious is undone; never by ns-2's rules.
    pub fn undoes_spurious_cuts(&self) -> bool {
        self.undo.unwrap_or(self.recovery.uses_sack()) && self.loss_rules == LossRules::Rfc
    }

    /// Most SACK blocks in an acknowledgement: 40 bytes of options hold three beside timestamps (RFC 2018 section
    /// 3).
    pub fn most_sack_blocks(&self) -> u8 {
        let room = if self.timestamps.is_some() { 3 } else { 4 };
        if self.recovery.uses_sack() { room.min(self.sack.most_blocks) } else { 0 }
    }
}

impl TcpConfig {
    /// The window of a connection that begins.
    pub fn window(&self) -> Window {
        let rules = WindowRules {
            rounding: self.ssthresh_base,
            abc_limit: self.abc_limit,
            at_threshold: self.slow_start_at_threshold,
            loss_window: f64::from(self.loss_window),
            whole_steps: self.whole_steps,
        };
        Window::new(f64::from(self.initial_window.max(1)), self.initial_ssthresh, rules)
    }

    /// The network-layer size of a packet that carries `segment`, bytes.
    pub fn packet_bytes(&self, segment: &Segment) -> u32 {
        self.option_size.packet_bytes(self.header_bytes, segment)
    }
}

impl Default for TcpConfig {
    /// NewReno by the RFCs.
    fn default() -> TcpConfig {
        TcpConfig::standard(Recovery::NewReno, LawName::Reno)
    }
}

/// Delayed acknowledgements (RFC 5681 section 4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DelayedAck {
    /// An acknowledgement at every this many full-sized segments.
    pub segments: u32,
    /// The longest delay.
    pub timeout: Span,
}

named! {
    /// Whose rules a loss meets.
    pub enum LossRules, "rules at a loss" {
        Rfc = "rfc": "those of RFC 5681, 6582, 6675 and 8985",
            ///
            /// They only make sense together: the acknowledgement that ends a recovery grows the window, which is not set back to
            /// the threshold; the threshold is halved again at each timeout in a row; limited transmit goes as far beyond cwnd as
            /// there are duplicates, and may send again what go-back-N has not reached yet; SACK is ns-2's `sack1`.
        Ns2 = "ns2": "those of ns-2, without F-RTO and undo",
    }
}

/// Selective repeat, which a link over the air may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RepeatConfig {
    /// The most packets from the oldest that is not acknowledged on.
    pub window: u32,
    /// A packet is sent again when it was sent so long ago and is not acknowledged, for ever.
    pub after: Span,
}

/// NewReno's choices (RFC 6582 sections 3.2 and 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewRenoConfig {
    /// When partial acknowledgements restart the retransmission timer.
    pub timer: PartialAckTimer,
    /// Deflate the window by the data that a partial acknowledgement covers.
    pub deflate: bool,
    /// Leave recovery with min(ssthresh, max(flight, MSS) + MSS) instead of ssthresh.
    pub careful_exit: bool,
}

named! {
    /// When partial acknowledgements restart the retransmission timer.
    pub enum PartialAckTimer, "NewReno timer" {
        First = "first": "the first only (impatient)",
        Every = "every": "every one (slow but steady)",
    }
}

named! {
    /// How slow start ends before a loss.
    pub enum SlowStart, "way to end slow start" {
        Standard = "standard": "a loss ends it",
            ///
            /// A train: without a pause for half of the round trip (Ha and Rhee, 2011).
        HyStart = "hystart": "it ends at once when the round trip lengthens or acknowledgements come in one train (Linux's CUBIC)",
        HyStartPlusPlus = "hystart++": "it passes into a slower slow start, from which it can return (RFC 9406)",
    }
}

/// Pacing from the window, in multiples of cwnd / SRTT. Linux has 2 and 1.2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pacing {
    /// In slow start.
    pub slow_start: f64,
    /// Else.
    pub avoidance: f64,
}

named! {
    /// Explicit congestion notification.
    pub enum EcnMode, "ECN mode" {
        Off = "off": "none",
        Classic = "classic": "a mark is echoed until the sender answers (RFC 3168)",
            ///
            /// Section 3.2.
        EveryMark = "every_mark": "each acknowledgement says whether what it covers was marked (RFC 8257)",
    }
}

/// How the application reads what is in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// At once: the window never closes.
    Immediate,
    /// At this many bytes a second.
    Rate(u64),
    /// When [`Receiver::read`](super::Receiver::read) is called.
    Manual,
}
