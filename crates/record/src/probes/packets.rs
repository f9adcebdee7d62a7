//! A row for each packet: when it was sent, what became of it, where its time went.

use crate::columns::{Name, columns};
use crate::header::About;
use crate::journey::{End, Journey};
use crate::kinds::Kind;
use crate::probe::{Close, Tabulate};
use crate::split::{Part, Parts};
use crate::wanted::Wanted;
use base::{FlowId, Named, NodeId, Span, Time};
use engine::Watch;
use net::{Direction, DropReason};
use world::{Note, Plan};

columns! {
    /// PacketProbe in the order in which they were sent, acknowledgements included.
    pub struct PacketTable {
        /// Time at which the transport handed it to the network, s.
        time_s: f64,
        /// The flow's name.
        flow: Name,
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
        dropped_at: Option<Name>,
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

/// What a row says of a journey. A run has hundreds of thousands of them, so it is small.
#[derive(Clone, Debug)]
struct Row {
    born: Time,
    about: About,
    parts: Parts,
    flow: FlowId,
    bytes: u32,
    retries: u32,
    direction: Direction,
    /// When and how it ended; `None`: it has not.
    end: Option<(Time, End)>,
}

impl Row {
    fn of(journey: &Journey, end: Option<(Time, End)>) -> Row {
        Row {
            born: journey.born,
            parts: journey.clock.parts,
            flow: journey.flow,
            bytes: journey.bytes,
            retries: journey.retries,
            direction: journey.direction,
            about: journey.about,
            end,
        }
    }
}

/// Keeps all journeys.
#[derive(Clone, Debug, Default)]
pub struct PacketProbe {
    /// At the place that a journey's number says.
    rows: Vec<Option<Row>>,
}

impl PacketProbe {
    fn keep(&mut self, journey: &Journey, end: Option<(Time, End)>) {
        let place = journey.number as usize;
        if place >= self.rows.len() {
            self.rows.resize(place + 1, None);
        }
        self.rows[place] = Some(Row::of(journey, end));
    }
}

impl Watch<Note> for PacketProbe {
    fn see(&mut self, _: Time, _: &Note) {}
}

impl Tabulate for PacketProbe {
    type Table = PacketTable;
    const SEES: &'static [Kind] = &[];
    const FOLLOWS: bool = true;

    fn start(_: &Plan, _: Option<Span>) -> PacketProbe {
        PacketProbe::default()
    }

    fn on_end(&mut self, now: Time, journey: &Journey, end: End) {
        self.keep(journey, Some((now, end)));
    }

    fn table(mut self, close: &Close<'_>) -> PacketTable {
        close.under_way.iter().for_each(|journey| self.keep(journey, None));
        let rows: Vec<Row> = self.rows.into_iter().flatten().collect();
        let of = Columns { rows: &rows, wanted: close.wanted };
        let part =
            |name, part: Part| of.column(name, |row| Span(row.parts[part as usize]).as_secs());
        PacketTable {
            time_s: of.column("time_s", |row| row.born.as_secs()),
            flow: of.column("flow", |row| close.flows[row.flow.index()].clone()),
            direction: of.column("direction", |row| match row.direction {
                Direction::Forward => "data",
                Direction::Reverse => "ack",
            }),
            kind: of.column("kind", |row| row.about.kind),
            number: of.column("number", |row| row.about.number),
            bytes: of.column("bytes", |row| row.bytes),
            payload_bytes: of.column("payload_bytes", |row| row.about.payload),
            retransmission: of.column("retransmission", |row| row.about.is_again),
            retries: of.column("retries", |row| row.retries),
            received_s: of.column("received_s", |row| received(row).map(Time::as_secs)),
            dropped_s: of.column("dropped_s", |row| dropped(row).map(|lost| lost.0.as_secs())),
            dropped: of.column("dropped", |row| dropped(row).map(|lost| lost.1.name())),
            dropped_at: of.column("dropped_at", |row| {
                dropped(row).map(|lost| close.nodes[lost.2.index()].clone())
            }),
            queueing_s: part("queueing_s", Part::Queueing),
            access_s: part("access_s", Part::Access),
            retries_s: part("retries_s", Part::Retries),
            transmission_s: part("transmission_s", Part::Transmission),
            wire_s: part("wire_s", Part::Wire),
            handoff_s: part("handoff_s", Part::Handoff),
        }
    }
}

/// The rows, as columns of which only those are filled that are wanted.
struct Columns<'a> {
    rows: &'a [Row],
    wanted: Wanted,
}

impl Columns<'_> {
    fn column<T>(&self, name: &str, of: impl Fn(&Row) -> T) -> Vec<T> {
        let rows = if self.wanted.fills("packets", name) { self.rows } else { &[] };
        rows.iter().map(of).collect()
    }
}

fn received(row: &Row) -> Option<Time> {
    match row.end {
        Some((at, End::Delivered)) => Some(at),
        _ => None,
    }
}

fn dropped(row: &Row) -> Option<(Time, DropReason, NodeId)> {
    match row.end {
        Some((at, End::Dropped(reason, node))) => Some((at, reason, node)),
        _ => None,
    }
}
