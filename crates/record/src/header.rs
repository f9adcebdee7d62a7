//! Contents of transport headers, in the form of tables.

use net::{Flags, Header, Segment};

/// What tables say of a header: a journey is copied some times, and a header is long.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// The kind, for people.
    pub kind: &'static str,
    /// The number.
    pub number: u64,
    /// Bytes of payload.
    pub payload: u32,
    /// Data that is sent again.
    pub is_again: bool,
}

impl About {
    pub fn of(header: &Header) -> About {
        About {
            kind: kind(header),
            number: number(header),
            payload: payload(header),
            is_again: is_again(header),
        }
    }
}

/// True for data that is sent again.
pub fn is_again(header: &Header) -> bool {
    matches!(header, Header::Tcp(segment) if segment.retransmission)
}

/// Bytes of payload.
pub fn payload(header: &Header) -> u32 {
    match header {
        Header::Tcp(segment) => segment.len,
        Header::Udp(datagram) => datagram.len,
    }
}

/// Kind of segment or datagram, for people.
fn kind(header: &Header) -> &'static str {
    match header {
        Header::Udp(_) => "datagram",
        Header::Tcp(segment) if segment.flags.has(Flags::SYN) => "syn",
        Header::Tcp(segment) if segment.flags.has(Flags::FIN) => "fin",
        Header::Tcp(segment) if segment.len == 0 => "ack",
        Header::Tcp(_) => "data",
    }
}

/// Its number: of an acknowledgement the one that it acknowledges.
fn number(header: &Header) -> u64 {
    match header {
        Header::Udp(datagram) => datagram.number,
        Header::Tcp(segment) if kind(header) == "ack" => segment.ack,
        Header::Tcp(segment) => segment.seq,
    }
}

/// One past the last number that a segment of data takes, its FIN included.
pub fn end_of(segment: &Segment) -> u64 {
    segment.seq + u64::from(segment.len) + u64::from(segment.flags.has(Flags::FIN))
}
