//! What a sender counts and shows.

use base::Span;

/// Counts since the connection was made. SYNs count as segments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SenderStats {
    /// Segments sent with data or SYN, retransmissions included.
    pub segments_sent: u64,
    /// Segments sent again.
    pub retransmits: u64,
    /// Payload bytes sent again.
    pub bytes_retransmitted: u64,
    /// Expirations of the retransmission timer.
    pub timeouts: u64,
    /// Retransmissions after three duplicate acknowledgements.
    pub fast_retransmits: u64,
    /// Times that a loss made the window smaller, by either way.
    pub window_cuts: u64,
    /// Duplicate acknowledgements that came.
    pub dup_acks: u64,
}

/// A sender's state at an instant, for probes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Snapshot {
    /// Congestion window in segments, without the inflation of fast recovery.
    pub cwnd: f64,
    /// Slow-start threshold in segments; infinite until something bounds it.
    pub ssthresh: f64,
    /// Smoothed round-trip time; `None` before the first sample.
    pub srtt: Option<Span>,
    /// Mean deviation of the round-trip time; `None` before the first sample.
    pub rttvar: Option<Span>,
    /// Retransmission timeout, doublings included.
    pub rto: Span,
    /// The oldest sequence number not acknowledged.
    pub snd_una: u64,
    /// The sequence number that is sent next.
    pub snd_nxt: u64,
    /// Bytes from `snd_una` to `snd_nxt`.
    pub flight: u64,
    /// True in fast recovery.
    pub in_recovery: bool,
}
