//! The counts and the visible state of a sender.

use super::losses::Phase;
use base::Span;
use std::ops::Add;

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
    /// Of those, the cuts at which hardly any queue stood, by the round-trip times.
    pub queueless_cuts: u64,
    /// Duplicate acknowledgements that came.
    pub dup_acks: u64,
    /// Reports of data that came twice (DSACK).
    pub dsacks: u64,
    /// Window cuts that proved spurious and were undone.
    pub undone: u64,
    /// Tail loss probes (RFC 8985 section 7).
    pub tail_probes: u64,
    /// Probes of a closed window.
    pub window_probes: u64,
    /// Congestion marks that cut the window.
    pub marks: u64,
}

impl Add for SenderStats {
    type Output = SenderStats;

    fn add(self, other: SenderStats) -> SenderStats {
        SenderStats {
            segments_sent: self.segments_sent + other.segments_sent,
            retransmits: self.retransmits + other.retransmits,
            bytes_retransmitted: self.bytes_retransmitted + other.bytes_retransmitted,
            timeouts: self.timeouts + other.timeouts,
            fast_retransmits: self.fast_retransmits + other.fast_retransmits,
            window_cuts: self.window_cuts + other.window_cuts,
            queueless_cuts: self.queueless_cuts + other.queueless_cuts,
            dup_acks: self.dup_acks + other.dup_acks,
            dsacks: self.dsacks + other.dsacks,
            undone: self.undone + other.undone,
            tail_probes: self.tail_probes + other.tail_probes,
            window_probes: self.window_probes + other.window_probes,
            marks: self.marks + other.marks,
        }
    }
}

/// What keeps a sender from sending another segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// The application has offered nothing beyond what was sent.
    Application,
    /// The receiver's window has no room for a segment that the congestion window would let go.
    Receiver,
    /// The congestion window, or the pace of sending.
    Congestion,
}

/// A sender's state at an instant, for probes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Snapshot {
    /// Largest payload of a segment, bytes: what turns segments into bytes.
    pub mss: u64,
    /// Congestion window in segments, without the inflation of fast recovery.
    pub cwnd: f64,
    /// Slow-start threshold in segments; infinite until something bounds it.
    pub ssthresh: f64,
    /// Smoothed round-trip time; `None` before the first sample.
    pub srtt: Option<Span>,
    /// The smallest round-trip time measured; `None` before the first sample.
    pub min_rtt: Option<Span>,
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
    /// The phase of the sender between losses.
    pub phase: Phase,
    /// Bytes in the network, as far as is known: RFC 6675's pipe; without SACK the same as `flight`.
    pub pipe: u64,
    /// Bytes SACKed above `snd_una`.
    pub sacked: u64,
    /// The last valid sample of the delivery rate, segments/s; `None` before it, and where the sender has no
    /// scoreboard: see [`super::RateMeter`].
    pub delivery_rate: Option<f64>,
    /// The rate at which segments are spread out, segments/s; `None`: not paced.
    pub pacing_rate: Option<f64>,
    /// The law's state; empty where it has only one.
    pub law_state: &'static str,
    /// What it waits for.
    pub held: Held,
}
