//! The parameters of a TCP connection, as plain values.

mod kinds;
mod option_size;
mod recovery;
mod sack;
mod ssthresh_base;

pub use super::law::LawName;
use super::rtt::RtoConfig;
use super::window::{Window, WindowRules};
use base::{Bytes, Count, Options, Span, named, settings};
pub use kinds::{DelayedAck, Pacing, Reader, Threshold, Where};
use kinds::{Segments, Tick};
use net::{LARGEST_PACKET, Segment};
pub use option_size::OptionSize;
pub use recovery::Recovery;
pub use sack::{ExitGrowth, Reduction, SackConfig};
pub use ssthresh_base::SsthreshBase;

settings! {
    /// A connection's parameters. The defaults are what the RFCs say, for any recovery and law.
    #[derive(Clone, Debug, PartialEq)]
    pub struct TcpConfig {
        /// The recovery.
        internal recovery: Recovery = Recovery::NewReno;
        /// The congestion control law.
        internal law: LawName = LawName::Reno;
        /// The number of a law from outside, in place of `law`: [`Sender::with_law`](super::Sender::with_law) is given
        /// it.
        internal custom_law: Option<u32> = None;
        /// The law's parameters where they are not its defaults.
        internal law_options: Options = Options::default();
        /// The capacity of the receiver, bytes, where it is more than the largest window that it advertises.
        /// `None`: as much as `receive_window`.
        internal receive_buffer: Option<u64> = None;
        /// The largest payload of a segment. The default is Ethernet's 1500 B without headers (RFC 879).
        mss: u32 as Bytes = 1460, "mss", 1..=LARGEST_PACKET;
        /// The size of the IP and TCP headers together, without options.
        header_bytes: u32 as Bytes = 40, "header", 0..=LARGEST_PACKET;
        /// The receive window, such as "64 kB" or "10 packets".
        receive_window: u64 as base::Window = 4 << 20, "window";
        /// The congestion window at the start in segments (RFC 6928).
        initial_window: u32 as Count = 10, "initial_window", 1..=LARGEST_INITIAL_WINDOW;
        /// The slow-start threshold at the start in segments, "unlimited" (RFC 5681 section 3.1), or "window", which
        /// is the receive window in whole segments.
        initial_ssthresh: Threshold = Threshold::Unlimited, "initial_ssthresh";
        /// Whether a connection opens with SYN and SYN-ACK.
        handshake: bool = true, "handshake";
        /// The number of duplicate acknowledgements that indicates a loss (DupThresh of RFC 5681, RFC 6675
        /// and RFC 8985).
        dup_thresh: u32 = 3, "dup_thresh", 1..=MOST_SEGMENTS;
        /// The congestion window after a timeout in segments (RFC 5681 section 3.1). QUIC has 2 (RFC 9002 section
        /// 7.6.2).
        loss_window: u32 = 1, "loss_window", 1..=MOST_SEGMENTS;
        /// Whether each of the first two duplicate acknowledgements lets a new segment leave (RFC 3042).
        limited_transmit: bool = true, "limited_transmit";
        /// Delayed acknowledgements (RFC 5681 section 4.2). False: every segment is acknowledged. True: every second
        /// one is, and each after `delayed_ack_timeout` at most. "linux": as true with 200 ms, but at once at first
        /// and while the window opens, and with a wait that follows the intervals between segments. A table sets the
        /// numbers.
        delayed_ack: Option<DelayedAck> as DelayedAck = None, "delayed_ack";
        /// The longest delay of an acknowledgement where `delayed_ack` does not set it (RFC 5681 section 4.2 allows
        /// up to 500 ms).
        delayed_ack_timeout: Span = Span::millis(200), "delayed_ack_timeout";
        /// The quantity of which a loss takes a part: with Reno's rule the slow-start threshold becomes half of it.
        ssthresh_base: SsthreshBase = SsthreshBase::FlightSize, "ssthresh_base";
        /// The rules by which a loss is repaired. Those of ns-2 have neither F-RTO nor undo, and none of SACK's
        /// choices here; they suit neither RACK-TLP nor a law that models the path.
        loss_rules: LossRules = LossRules::Rfc, "loss_rules";
        /// Whether slow start continues while cwnd equals the threshold. RFC 5681 leaves it open; Linux did so up
        /// to 4.2.
        slow_start_at_threshold: bool = false, "slow_start_at_threshold";
        /// The largest number of segments that one acknowledgement counts for where the window grows (L of
        /// RFC 3465), or "unlimited".
        abc_limit: f64 as Segments = 1.0, "abc_limit";
        /// The size of the writes of an application without end. The segment with the end of a write carries
        /// PSH, and `delayed_ack = "linux"` acknowledges it at once.
        write_size: u64 as Bytes = 128 << 10, "write_size";
        /// Whether the window may grow in slow start up to twice the data in flight, even when it is not full
        /// (Linux).
        grow_from_half: bool = false, "grow_from_half";
        /// Whether the window changes by whole segments only: acknowledgements are counted until they make one
        /// (Linux).
        whole_steps: bool = false, "whole_steps";
        /// True: a round of the law ends when something is acknowledged that was sent after the round began
        /// (Linux). False: it ends when all that was sent before is acknowledged.
        round_beyond: bool = false, "round_beyond";
        /// Timestamps (RFC 7323): false, true (with a tick of 1 ms), or the tick.
        timestamps: Option<Span> as Tick = None, "timestamps";
        /// Explicit congestion notification. Queues mark packets where they have `mark_above` or `ecn`.
        ecn: EcnMode = EcnMode::Off, "ecn";
        /// Explicit loss notification, without SACK only. A duplicate acknowledgement that a Snoop proxy has
        /// marked, because the loss was on the air, makes the sender repeat the segment without reducing its
        /// window (Balakrishnan 1997).
        eln: bool = false, "eln";
        /// The end of slow start without a loss.
        slow_start: SlowStart = SlowStart::Standard, "slow_start";
        /// Whether segments are spread over the round trip, at 2 cwnd/SRTT in slow start and 1.2 cwnd/SRTT after
        /// it, as in Linux. Laws that set a rate themselves are always paced.
        pacing: Option<Pacing> as Pacing = None, "pacing";
        /// Whether the window is at most the initial one after an idle time longer than the timeout (RFC 5681
        /// section 4.1).
        idle_restart: bool = true, "idle_restart";
        /// Whether the receiver reports data that arrive twice (RFC 2883).
        dsack: bool = true, "dsack";
        /// Whether the window field is scaled (RFC 7323). Without scaling the window is at most 65,535 B.
        window_scaling: bool = true, "window_scaling";
        /// Whether a timeout is undone that proves spurious by F-RTO (RFC 5682): always, never, or with which
        /// recoveries.
        frto: Where = Where::WithSack, "frto";
        /// Whether a reduction of the window is undone that timestamps, F-RTO or DSACK prove spurious (RFC 4015,
        /// RFC 3708): always, never, or with which recoveries.
        undo: Where = Where::WithSack, "undo";
        /// The speed at which the receiving application reads, such as "1 Mbps". A slow one closes the
        /// window.
        reader: Reader = Reader::Immediate, "read_rate";
        /// The share of the options' bytes in the size of a packet, beyond `header`.
        option_size: OptionSize = OptionSize::Padded, "option_size";
        /// Retransmission timeout.
        nested rto: RtoConfig;
        /// NewReno's choices.
        nested newreno: NewRenoConfig;
        /// The parameters of the recoveries with SACK.
        nested sack: SackConfig;
        /// Selective repeat's window and timer.
        nested repeat: RepeatConfig;
    }
}

/// The largest initial window, segments: all of them are sent at one instant and kept in memory.
const LARGEST_INITIAL_WINDOW: u32 = 100_000;

/// The highest duplicate threshold, the largest loss window and the largest window of selective repeat.
const MOST_SEGMENTS: u32 = 1000;

impl TcpConfig {
    /// The defaults, with this recovery and law.
    pub fn standard(recovery: Recovery, law: LawName) -> TcpConfig {
        TcpConfig { recovery, law, ..TcpConfig::default() }
    }
}

impl TcpConfig {
    /// Returns true where ns-2's rules at a loss replace the RFCs'.
    pub fn keeps_ns2_rules(&self) -> bool {
        self.loss_rules.of(self.recovery, self.law) == LossRules::Ns2
    }

    /// True where F-RTO follows a timeout; never by ns-2's rules.
    pub fn detects_spurious_timeouts(&self) -> bool {
        self.frto.holds(self.recovery) && !self.keeps_ns2_rules()
    }

    /// True where a cut that proves spurious is undone; never by ns-2's rules.
    pub fn undoes_spurious_cuts(&self) -> bool {
        self.undo.holds(self.recovery) && !self.keeps_ns2_rules()
    }

    /// The longest delay of an acknowledgement, where any is delayed.
    pub fn ack_timeout(&self) -> Span {
        self.delayed_ack.and_then(|delayed| delayed.timeout).unwrap_or(self.delayed_ack_timeout)
    }

    /// Most SACK blocks in an acknowledgement: 40 bytes of options hold three beside timestamps (RFC 2018 section
    /// 3), and one less beside AccECN's.
    pub fn most_sack_blocks(&self) -> u8 {
        let stamps = u8::from(self.timestamps.is_some());
        let room = 4 - stamps - u8::from(self.ecn.is_accurate());
        if self.recovery.uses_sack() { room.min(self.sack.most_blocks) } else { 0 }
    }
}

impl TcpConfig {
    /// The first slow-start threshold, as a number of segments where it is the receive window.
    pub fn first_threshold(&self) -> Threshold {
        match self.initial_ssthresh {
            Threshold::Window => {
                let segments = self.receive_window / u64::from(self.mss.max(1));
                let segments = u32::try_from(segments).unwrap_or(u32::MAX);
                Threshold::Segments(f64::from(segments))
            }
            other => other,
        }
    }

    /// The window of a connection that begins.
    pub fn window(&self) -> Window {
        let rules = WindowRules {
            abc_limit: self.abc_limit,
            loss_window: f64::from(self.loss_window),
            cut: self.ssthresh_base.cut(),
            whole_threshold: self.ssthresh_base.is_whole(),
            at_threshold: self.slow_start_at_threshold,
            whole_steps: self.whole_steps,
        };
        let ssthresh = match self.first_threshold() {
            Threshold::Segments(segments) => Some(segments),
            Threshold::Unlimited | Threshold::Window => None,
        };
        Window::new(f64::from(self.initial_window.max(1)), ssthresh, rules)
    }

    /// The network-layer size of a packet that carries `segment`, bytes.
    pub fn packet_bytes(&self, segment: &Segment) -> u32 {
        self.option_size.packet_bytes(self.header_bytes, segment)
    }
}

named! {
    /// The rules at a loss.
    pub enum LossRules, "rules at a loss" {
        Rfc = "rfc": "those of RFC 5681, 6582, 6675 and 8985",
            ///
            /// They only make sense together: the acknowledgement that ends a recovery grows the window, which is not set back to
            /// the threshold; the threshold is halved again at each timeout in a row; limited transmit goes as far beyond cwnd as
            /// there are duplicates, and may send again what go-back-N has not reached yet; SACK is ns-2's `sack1`.
        Ns2 = "ns2": "those of ns-2, without F-RTO and undo",
            ///
            /// Other laws run there in TCP-Linux, or not at all, and ns-2 has no RACK.
        Ns2Agents = "ns2_agents": "ns2 for the senders that ns-2 has itself (tahoe, reno, newreno, sack, vegas), rfc for all others",
    }
}

impl LossRules {
    /// Those that a sender of this recovery and law meets: `Rfc` or `Ns2`.
    pub fn of(self, recovery: Recovery, law: LawName) -> LossRules {
        let own = matches!(law, LawName::Reno | LawName::Vegas);
        match self {
            LossRules::Ns2Agents if own && LossRules::Ns2.suit(recovery, false) => LossRules::Ns2,
            LossRules::Ns2Agents => LossRules::Rfc,
            rules => rules,
        }
    }

    /// Returns whether a sender can keep them. ns-2's have no timers of RACK, and no rates for a law that
    /// models the path.
    pub fn suit(self, recovery: Recovery, model_based: bool) -> bool {
        let timed = matches!(recovery, Recovery::RackTlp | Recovery::SelectiveRepeat);
        self != LossRules::Ns2 || !(timed || model_based)
    }
}

settings! {
    /// Selective repeat, which a link over the air may use.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct RepeatConfig {
        /// With selective_repeat: the largest number of packets sent, counted from the oldest that is not
        /// acknowledged.
        window: u32 as Count = 8, "repeat_window", 1..=MOST_SEGMENTS;
        /// With selective_repeat: how long after its last transmission a packet is sent again that is not
        /// acknowledged, without limit. It must be longer than a whole window takes on the link; otherwise packets
        /// are sent again while they still wait in a queue.
        after: Span = Span::millis(200), "repeat_after", Span::millis(1)..;
    }
}

settings! {
    /// NewReno's choices (RFC 6582 sections 3.2 and 4).
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct NewRenoConfig {
        /// The partial acknowledgements that restart NewReno's retransmission timer (RFC 6582 section 4).
        timer: PartialAckTimer = PartialAckTimer::First, "newreno_timer";
        /// Whether NewReno reduces the inflated window by what a partial acknowledgement covers (RFC 6582 section
        /// 3.2).
        deflate: bool = true, "newreno_deflate";
        /// Whether NewReno leaves recovery with min(ssthresh, max(flight, mss) + mss), and not with ssthresh (RFC
        /// 6582 section 3.2).
        careful_exit: bool = true, "newreno_careful_exit";
    }
}

named! {
    /// The partial acknowledgements that restart the retransmission timer.
    pub enum PartialAckTimer, "NewReno timer" {
        First = "first": "the first only (impatient)",
        Every = "every": "every one (slow but steady)",
    }
}

named! {
    /// The end of slow start before a loss.
    pub enum SlowStart, "way to end slow start" {
        Standard = "standard": "a loss ends it",
            ///
            /// A train: without a pause for half of the round trip (Ha and Rhee, 2011).
        HyStart = "hystart": "it ends at once when the round trip lengthens or acknowledgements come in one train (Linux's CUBIC)",
            ///
            /// ns-3.37 `tcp-cubic.cc`, `HystartUpdate`.
        HyStartNs3 = "hystart_ns3": "as hystart, but after twice the least round trip or a train as long as it (ns-3.37)",
        HyStartPlusPlus = "hystart++": "it passes into a slower slow start, from which it can return (RFC 9406)",
    }
}

named! {
    /// Explicit congestion notification.
    pub enum EcnMode, "ECN mode" {
        Off = "off": "none",
        Classic = "classic": "a mark is echoed until the sender answers (RFC 3168)",
            ///
            /// Section 3.2.
        EveryMark = "every_mark": "each acknowledgement says whether what it covers was marked (RFC 8257)",
            ///
            /// Sections 3.2.2 and 3.2.3.
        Accurate = "accurate": "each acknowledgement counts marked packets and bytes (AccECN, RFC 9768)",
            ///
            /// For a law that answers each mark a little, as Prague and DCTCP do: routers with L4S mark such packets early.
        L4s = "l4s": "the same, and segments are sent as ECT(1) (RFC 9331)",
    }
}

impl EcnMode {
    /// True where acknowledgements count marks (RFC 9768).
    pub fn is_accurate(self) -> bool {
        matches!(self, EcnMode::Accurate | EcnMode::L4s)
    }
}
