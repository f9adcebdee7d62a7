//! The parameters of a TCP connection, as plain values.

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

/// How the window moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LawName {
    /// Additive increase, multiplicative decrease by half (RFC 5681).
    Reno,
}

/// A connection's parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct TcpConfig {
    /// What is retransmitted.
    pub recovery: Recovery,
    /// How the window moves.
    pub law: LawName,
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
    /// The window that may be used, min(cwnd, receiver's window), halved and rounded down (ns-2).
    Window,
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
