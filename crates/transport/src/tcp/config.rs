//! The parameters of a TCP connection, as plain values.

pub use super::law::{LawName, LawOptions};
use base::Span;

/// What is retransmitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recovery {
    /// Fast retransmit, then slow start from one segment with go-back-N (Jacobson 1988).
    Tahoe,
    /// Fast recovery that ends with the first new acknowledgement (RFC 5681).
    Reno,
    /// Fast recovery that survives partial acknowledgements (RFC 6582).
    NewReno,
}

/// A connection's parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct TcpConfig {
    /// What is retransmitted.
    pub recovery: Recovery,
    /// How the window moves.
    pub law: LawName,
    /// The law's parameters where they are not its defaults.
    pub law_options: LawOptions,
    /// The most segments that an acknowledgement lets the window grow for (RFC 3465's L): 1 as RFC 5681 says and
    /// ns-2 does; Linux counts all that is acknowledged (infinite).
    pub abc_limit: f64,
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
    /// Opens with SYN and SYN-ACK; false: both ends begin established.
    pub handshake: bool,
    /// Retransmission timeout.
    pub rto: RtoConfig,
    /// Delayed acknowledgements; `None`: one for each segment.
    pub delayed_ack: Option<DelayedAck>,
    /// A new segment on each of the first two duplicate acknowledgements (RFC 3042).
    pub limited_transmit: bool,
    /// What the slow-start threshold is half of.
    pub ssthresh_base: SsthreshBase,
    /// NewReno's choices.
    pub newreno: NewRenoConfig,
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
            law_options: LawOptions::default(),
            abc_limit: 1.0,
            mss: 1460,
            header_bytes: 40,
            initial_window: 10,
            initial_ssthresh: None,
            receive_window: 4 << 20,
            handshake: true,
            rto: RtoConfig {
                initial: Span::secs(1),
                min: Span::secs(1),
                max: Span::secs(60),
                granularity: Span::millis(1),
                round_samples: false,
            },
            delayed_ack: None,
            limited_transmit: true,
            ssthresh_base: SsthreshBase::FlightSize,
            newreno: NewRenoConfig {
                timer: PartialAckTimer::First,
                deflate: true,
                careful_exit: true,
            },
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
                max: Span::secs(60),
                granularity: Span::millis(10),
                round_samples: true,
            },
            ssthresh_base: SsthreshBase::Window,
            newreno: NewRenoConfig {
                timer: PartialAckTimer::First,
                deflate: true,
                careful_exit: false,
            },
            ..TcpConfig::standard(recovery, LawName::Reno)
        }
    }
}

impl Default for TcpConfig {
    /// NewReno by the RFCs.
    fn default() -> TcpConfig {
        TcpConfig::standard(Recovery::NewReno, LawName::Reno)
    }
}

/// Retransmission timeout (RFC 6298).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RtoConfig {
    /// Before the first sample.
    pub initial: Span,
    /// Lower bound.
    pub min: Span,
    /// Upper bound.
    pub max: Span,
    /// Clock granularity G.
    pub granularity: Span,
    /// Round each sample to the granularity, at least one tick (ns-2).
    pub round_samples: bool,
}

/// Delayed acknowledgements (RFC 5681 section 4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DelayedAck {
    /// An acknowledgement at every this many full-sized segments.
    pub segments: u32,
    /// The longest delay.
    pub timeout: Span,
}

/// What the slow-start threshold is half of after a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SsthreshBase {
    /// Data in flight (RFC 5681 equation 4).
    FlightSize,
    /// The window that may be used, min(cwnd, receiver's window), halved and rounded down: ns-2's way.
    ///
    /// With it come ns-2's other habits at a loss, which only make sense together: cwnd keeps the fraction that
    /// the threshold loses; the acknowledgement that ends a recovery grows the window, which is not set back to
    /// the threshold; the threshold is halved again at each timeout in a row; limited transmit goes as far
    /// beyond cwnd as there are duplicates, and may send again what go-back-N has not reached yet.
    Window,
    /// The same, with cwnd rounded down too: ns-2 with `precisionReduce_` off, its default before 2006 and in its
    /// test suites since.
    WholeWindow,
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

/// When partial acknowledgements restart the retransmission timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartialAckTimer {
    /// The first only ("impatient").
    First,
    /// Every one ("slow but steady").
    Every,
}
