//! A row for each packet: when it was sent, what became of it, where its time went.

use super::journey::{End, Journey};
use super::split::Part;
use base::{Named, NodeId, Span, Time};
use net::{Direction, DropReason, Flags, Header};
use schemars::JsonSchema;
use serde::Serialize;

/// Packets in the order in which they were sent, acknowledgements included.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct PacketTable {
    /// When the transport handed it to the network, s.
    pub time_s: Vec<f64>,
    /// The flow's name.
    pub flow: Vec<String>,
    /// "data" along the flow, "ack" the other way.
    pub direction: Vec<&'static str>,
    /// "syn", "fin", "ack" (a TCP segment without payload), "data" or "datagram".
    pub kind: Vec<&'static str>,
    /// The TCP sequence number of its first byte (the SYN is 0), of an "ack" the number that it acknowledges; the datagram's
    /// number, from 0.
    pub number: Vec<u64>,
    /// Network-layer size, bytes.
    pub bytes: Vec<u32>,
    /// Of which payload.
    pub payload_bytes: Vec<u32>,
    /// True for data that TCP sends again.
    pub retransmission: Vec<bool>,
    /// Exchanges of 802.11 that failed for it.
    pub retries: Vec<u32>,
    /// When it reached its transport, s; null where it has not.
    pub received_s: Vec<Option<f64>>,
    /// When it was lost, s; null where it was not.
    pub dropped_s: Vec<Option<f64>>,
    /// Why, as in `packets_lost` of a flow; null where it was not lost.
    pub dropped: Vec<Option<&'static str>>,
    /// The node where it was lost, on a wired link the one that it went to; null where it was not lost.
    pub dropped_at: Vec<Option<String>>,
    /// Of its time, up to its end: waiting in queues behind others, s.
    pub queueing_s: Vec<f64>,
    /// Waiting for the medium, s.
    pub access_s: Vec<f64>,
    /// Exchanges that failed, s.
    pub retries_s: Vec<f64>,
    /// Exchanges that succeeded, s.
    pub transmission_s: Vec<f64>,
    /// Wired links, s.
    pub wire_s: Vec<f64>,
    /// Handoffs and tunnels, s.
    pub handoff_s: Vec<f64>,
}

/// A journey, and when and how it ended; `None`: it has not.
pub(super) type Row = (Journey, Option<(Time, End)>);

impl PacketTable {
    pub(super) fn new(mut rows: Vec<Row>, flows: &[String], nodes: &[String]) -> PacketTable {
        fn column<T>(rows: &[Row], of: impl Fn(&Row) -> T) -> Vec<T> {
            rows.iter().map(of).collect()
        }
        rows.sort_by_key(|row| row.0.number);
        let part =
            |part: Part| column(&rows, |row| Span(row.0.clock.parts[part as usize]).as_secs());
        PacketTable {
            time_s: column(&rows, |row| row.0.born.as_secs()),
            flow: column(&rows, |row| flows[row.0.flow.index()].clone()),
            direction: column(&rows, |row| match row.0.direction {
                Direction::Forward => "data",
                Direction::Reverse => "ack",
            }),
            kind: column(&rows, |row| kind(&row.0.header)),
            number: column(&rows, |row| number(&row.0.header)),
            bytes: column(&rows, |row| row.0.bytes),
            payload_bytes: column(&rows, |row| payload(&row.0.header)),
            retransmission: column(&rows, |row| is_again(&row.0.header)),
            retries: column(&rows, |row| row.0.retries),
            received_s: column(&rows, |row| received(row).map(Time::as_secs)),
            dropped_s: column(&rows, |row| dropped(row).map(|lost| lost.0.as_secs())),
            dropped: column(&rows, |row| dropped(row).map(|lost| lost.1.name())),
            dropped_at: column(&rows, |row| dropped(row).map(|lost| nodes[lost.2.index()].clone())),
            queueing_s: part(Part::Queueing),
            access_s: part(Part::Access),
            retries_s: part(Part::Retries),
            transmission_s: part(Part::Transmission),
            wire_s: part(Part::Wire),
            handoff_s: part(Part::Handoff),
        }
    }
}

fn received(row: &Row) -> Option<Time> {
    match row.1 {
        Some((at, End::Delivered)) => Some(at),
        _ => None,
    }
}

fn dropped(row: &Row) -> Option<(Time, DropReason, NodeId)> {
    match row.1 {
        Some((at, End::Dropped(reason, node))) => Some((at, reason, node)),
        _ => None,
    }
}

/// True for data that is sent again.
pub(super) fn is_again(header: &Header) -> bool {
    matches!(header, Header::Tcp(segment) if segment.retransmission)
}

/// Bytes of payload.
pub(super) fn payload(header: &Header) -> u32 {
    match header {
        Header::Tcp(segment) => segment.len,
        Header::Udp(datagram) => datagram.len,
    }
}

fn kind(header: &Header) -> &'static str {
    match header {
        Header::Udp(_) => "datagram",
        Header::Tcp(segment) if segment.flags.has(Flags::SYN) => "syn",
        Header::Tcp(segment) if segment.flags.has(Flags::FIN) => "fin",
        Header::Tcp(segment) if segment.len == 0 => "ack",
        Header::Tcp(_) => "data",
    }
}

fn number(header: &Header) -> u64 {
    match header {
        Header::Udp(datagram) => datagram.number,
        Header::Tcp(segment) if kind(header) == "ack" => segment.ack,
        Header::Tcp(segment) => segment.seq,
    }
}
