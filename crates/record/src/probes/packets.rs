//! A row for each packet: when it was sent, what became of it, where its time went.

use crate::columns::columns;
use crate::header::{is_again, kind, number, payload};
use crate::journey::{End, Journey};
use crate::probe::{Close, Tabulate};
use crate::split::Part;
use base::{Named, NodeId, Span, Time};
use engine::Watch;
use net::{Direction, DropReason};
use world::{Note, Plan};

columns! {
    /// PacketProbe in the order in which they were sent, acknowledgements included.
    pub struct PacketTable {
        /// Time at which the transport handed it to the network, s.
        time_s: f64,
        /// The flow's name.
        flow: String,
        /// "data" along the flow, "ack" the other way.
        direction: &'static str,
        /// "syn", "fin", "ack" (a TCP segment without payload), "data" or "datagram".
        kind: &'static str,
        /// The TCP sequence number of its first byte (the SYN is 0), of an "ack" the number that it acknowledges; the datagram's
        /// number, from 0.
        number: u64,
        /// Network-layer size, bytes.
        bytes: u32,
        /// Payload among these.
        payload_bytes: u32,
        /// True for data that TCP sends again.
        retransmission: bool,
        /// Exchanges of 802.11 that failed for it.
        retries: u32,
        /// Time at which it reached its transport, s; null if it has not.
        received_s: Option<f64>,
        /// Time at which it was lost, s; null if it was not.
        dropped_s: Option<f64>,
        /// The reason, as in `packets_lost` of a flow; null where it was not lost.
        dropped: Option<&'static str>,
        /// The node where it was lost, on a wired link the one that it went to; null where it was not lost.
        dropped_at: Option<String>,
        /// Part of its time spent in queues behind others, s.
        queueing_s: f64,
        /// Waiting for the medium, s.
        access_s: f64,
        /// Exchanges that failed, s.
        retries_s: f64,
        /// Exchanges that succeeded, s.
        transmission_s: f64,
        /// Wired links, s.
        wire_s: f64,
        /// Handoffs and tunnels, s.
        handoff_s: f64,
    }
}

/// A journey, and when and how it ended; `None`: it has not.
type Row = (Journey, Option<(Time, End)>);

/// Keeps all journeys.
#[derive(Clone, Debug, Default)]
pub struct PacketProbe(Vec<Row>);

impl Watch<Note> for PacketProbe {
    fn see(&mut self, _: Time, _: &Note) {}
}

impl Tabulate for PacketProbe {
    type Table = PacketTable;
    const FOLLOWS: bool = true;

    fn start(_: &Plan, _: Option<Span>) -> PacketProbe {
        PacketProbe::default()
    }

    fn on_end(&mut self, now: Time, journey: &Journey, end: End) {
        self.0.push((*journey, Some((now, end))));
    }

    fn table(self, close: &Close<'_>) -> PacketTable {
        fn column<T>(rows: &[Row], of: impl Fn(&Row) -> T) -> Vec<T> {
            rows.iter().map(of).collect()
        }
        let mut rows = self.0;
        rows.extend(close.under_way.iter().map(|journey| (*journey, None)));
        rows.sort_by_key(|row| row.0.number);
        let part =
            |part: Part| column(&rows, |row| Span(row.0.clock.parts[part as usize]).as_secs());
        PacketTable {
            time_s: column(&rows, |row| row.0.born.as_secs()),
            flow: column(&rows, |row| close.flows[row.0.flow.index()].clone()),
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
            dropped_at: column(&rows, |row| {
                dropped(row).map(|lost| close.nodes[lost.2.index()].clone())
            }),
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
