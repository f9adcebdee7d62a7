//! Packets followed from transport to transport: where each is, and what its time went to.

use crate::header::About;
use crate::kinds::{Kind, Kinds};
use crate::split::{Away, Clock, Part};
use base::{CellId, FlowId, NodeId, PacketId, Span, StationId, Time};
use net::{Direction, DropReason};
use wifi::{FrameKind, Sent};
use world::{Note, Plan};

/// A packet on its way, or at the end of it.
#[derive(Clone, Copy, Debug)]
pub struct Journey {
    /// Counts packets from 0, in the order in which they were sent.
    pub number: u64,
    /// Its flow.
    pub flow: FlowId,
    /// Its direction.
    pub direction: Direction,
    /// What tables say of its transport header as it was sent.
    pub about: About,
    /// Network-layer bytes.
    pub bytes: u32,
    /// Time at which it was sent.
    pub born: Time,
    /// Exchanges that failed for it.
    pub retries: u32,
    /// Its time, by part.
    pub clock: Clock,
    /// Its time in cells of 802.16, by what it waited for.
    pub waits: Waits,
    place: Place,
}

/// Time in cells of 802.16.
#[derive(Clone, Copy, Debug, Default)]
pub struct Waits {
    /// Time until the base station knew of the packet.
    pub request: Span,
    /// From then to its first symbol.
    pub grant: Span,
    /// To its last.
    pub transmission: Span,
}

#[derive(Clone, Copy, Debug)]
enum Place {
    /// At a node, its time assigned up to now.
    Node(NodeId),
    /// On a wired link, or in its queue, toward this node.
    Wire(NodeId),
    /// At this node, in the queue of a wired link whose discipline will let it go; what that time counts as.
    Queue(NodeId, Part),
    /// In a station's queue or service.
    Air(CellId, StationId, StationId),
    /// In the link layer of this node, after its way over the air.
    LinkLayer(NodeId),
}

impl Journey {
    /// True on the way along its flow: no acknowledgement.
    pub fn is_data(&self) -> bool {
        self.direction == Direction::Forward
    }
}

/// End of a journey.
#[derive(Clone, Copy, Debug)]
pub enum End {
    /// At its transport.
    Delivered,
    /// Lost, at this node or, on a wired link, before it.
    Dropped(DropReason, NodeId),
}

/// A station as packets meet it.
#[derive(Clone, Debug, Default)]
struct Station {
    /// The packet in service.
    serves: Option<PacketId>,
    /// Start of its present exchange, and whether that is for the packet in service.
    exchange: Option<(Time, bool)>,
    /// End of its last exchange for a packet.
    ended: Time,
    away: Away,
}

/// All packets on their way.
#[derive(Clone, Debug)]
pub struct Journeys {
    made: u64,
    /// By [`PacketId`].
    under_way: Vec<Option<Journey>>,
    /// By element of the air, then by station.
    stations: Vec<Vec<Station>>,
    nodes: Vec<Vec<NodeId>>,
    /// By element of the air: its frames are aggregates.
    aggregating: Vec<bool>,
    /// By link: where it leads.
    links: Vec<NodeId>,
    /// By flow: its ends.
    ends: Vec<(NodeId, NodeId)>,
}

impl Journeys {
    /// The notes that it is shown.
    pub const SEES: Kinds = Kinds::of(&[
        Kind::AirIn,
        Kind::AirOut,
        Kind::Associated,
        Kind::Carried,
        Kind::Delivered,
        Kind::Dropped,
        Kind::ExchangeEnded,
        Kind::FrameSent,
        Kind::Sent,
        Kind::WireIn,
        Kind::WireWaits,
    ]);

    /// Creates the journeys of a run of `plan`.
    pub fn new(plan: &Plan) -> Journeys {
        let nodes = plan.by_element(|part| part.stations.iter().copied());
        let points: Vec<NodeId> =
            plan.parts().iter().filter_map(|part| Some(part.access_point()?.1)).collect();
        let station = |node: &NodeId| {
            let mut station = Station::default();
            if plan.roams() && !points.contains(node) {
                station.away.begin(Time::ZERO);
            }
            station
        };
        let aggregates = plan.by_element(|part| [part.aggregates()]);
        let aggregating = aggregates.iter().map(|parts| parts.contains(&true)).collect();
        let stations = nodes.iter().map(|nodes| nodes.iter().map(station).collect()).collect();
        Journeys {
            made: 0,
            under_way: Vec::new(),
            stations,
            nodes,
            aggregating,
            links: plan.links.iter().map(|link| link.to).collect(),
            ends: plan.flows.iter().map(|flow| (flow.from, flow.to)).collect(),
        }
    }

    /// Takes a note; a journey that has ended with it. Out of line, as probes look at notes.
    #[inline(never)]
    pub fn on(&mut self, now: Time, note: &Note) -> Option<(Journey, End)> {
        match note {
            Note::Sent { id, bytes, flow, direction, header } => {
                self.begin(now, *id, (*flow, *direction), (About::of(header), *bytes));
            }
            &Note::WireIn { link, id, packet, transit } => {
                let (tunnelled, to) = (packet.tunnel.is_some(), self.links[link.index()]);
                self.arrive(now, id);
                if let Some(journey) = self.of(id) {
                    let part = |part| if tunnelled { Part::Handoff } else { part };
                    journey.clock.spend(transit.start, part(Part::Queueing));
                    if let Some(arrival) = transit.arrival {
                        journey.clock.spend(arrival, part(Part::Wire));
                    }
                    journey.place = Place::Wire(to);
                }
            }
            &Note::WireWaits { id, tunnelled } => {
                self.arrive(now, id);
                if let Some(journey) = self.of(id)
                    && let Place::Node(at) = journey.place
                {
                    let part = if tunnelled { Part::Handoff } else { Part::Queueing };
                    journey.place = Place::Queue(at, part);
                }
            }
            &Note::AirIn { cell, from, to, id } => {
                self.arrive(now, id);
                if let Some(journey) = self.of(id) {
                    journey.place = Place::Air(cell, from, to);
                }
            }
            &Note::AirOut { id } => {
                self.arrive(now, id);
                if let Some(journey) = self.of(id)
                    && let Place::Node(at) = journey.place
                {
                    journey.place = Place::LinkLayer(at);
                }
            }
            &Note::Carried { id, first_since, known_since, began } => {
                if let Some(journey) = self.of(id) {
                    if let Some(known_since) = known_since {
                        let Waits { request, grant, transmission } = &mut journey.waits;
                        *request += known_since.since(journey.clock.mark);
                        *grant += began.since(known_since);
                        *transmission += now.since(began);
                    }
                    journey.clock.spend(first_since, Part::Queueing);
                    journey.clock.spend(began, Part::Access);
                    journey.clock.spend(now, Part::Transmission);
                }
            }
            Note::FrameSent { cell, frame, .. } => self.on_frame(*cell, frame),
            &Note::ExchangeEnded { cell, station } => self.on_exchange_end(now, (cell, station)),
            &Note::Associated { cell, station, is } => {
                let away = &mut self.stations[cell.index()][station.index()].away;
                if is { away.end(now) } else { away.begin(now) }
            }
            &Note::Delivered { id, .. } => {
                self.arrive(now, id);
                return Some((self.take(id)?, End::Delivered));
            }
            &Note::Dropped { id, reason, .. } => {
                let at = self.drop_place(now, id)?;
                return Some((self.take(id)?, End::Dropped(reason, at)));
            }
            _ => {}
        }
        None
    }

    /// The packets that are on their way.
    pub fn under_way(&self) -> impl Iterator<Item = &Journey> {
        self.under_way.iter().flatten()
    }

    fn of(&mut self, id: PacketId) -> Option<&mut Journey> {
        self.under_way.get_mut(id.index())?.as_mut()
    }

    fn take(&mut self, id: PacketId) -> Option<Journey> {
        self.under_way.get_mut(id.index())?.take()
    }

    fn begin(
        &mut self,
        born: Time,
        id: PacketId,
        (flow, direction): (FlowId, Direction),
        (about, bytes): (About, u32),
    ) {
        let (from, to) = self.ends[flow.index()];
        let at = if direction == Direction::Forward { from } else { to };
        let journey = Journey {
            number: self.made,
            flow,
            direction,
            about,
            bytes,
            born,
            retries: 0,
            clock: Clock::new(born),
            waits: Waits::default(),
            place: Place::Node(at),
        };
        self.made += 1;
        if self.under_way.len() <= id.index() {
            self.under_way.resize(id.index() + 1, None);
        }
        self.under_way[id.index()] = Some(journey);
    }

    /// The packet is at a node: what it has last done is over.
    fn arrive(&mut self, now: Time, id: PacketId) {
        let Some(journey) = self.under_way.get_mut(id.index()).and_then(Option::as_mut) else {
            return;
        };
        let at = match journey.place {
            Place::Node(at) | Place::Wire(at) => at,
            Place::Queue(at, part) => {
                journey.clock.spend(now, part);
                at
            }
            Place::LinkLayer(at) => {
                journey.clock.spend(now, Part::Transmission);
                at
            }
            Place::Air(cell, from, to) => {
                let station = &mut self.stations[cell.index()][from.index()];
                // Which packets an aggregate serves is not reported: they wait until the exchange begins that brings them.
                if self.aggregating[cell.index()]
                    && let Some((began, _)) = station.exchange
                {
                    journey.clock.wait(began, Part::Queueing, &station.away);
                    journey.clock.spend(now, Part::Transmission);
                }
                if station.serves.take_if(|serves| *serves == id).is_some()
                    && let Some((began, true)) = station.exchange
                {
                    journey.clock.wait(began, Part::Access, &station.away);
                    journey.clock.spend(now, Part::Transmission);
                }
                self.nodes[cell.index()][to.index()]
            }
        };
        // Nothing keeps a packet at a node: where something does, it is a handoff, or it waits for a way.
        journey.clock.spend(now, Part::Handoff);
        journey.place = Place::Node(at);
    }

    /// A frame goes on the air, or will within the exchange that has just begun.
    fn on_frame(&mut self, cell: CellId, frame: &Sent) {
        let begins = match frame.kind {
            FrameKind::Rts | FrameKind::Data | FrameKind::Group => true,
            FrameKind::Cts => frame.from == frame.to, // to itself
            FrameKind::BlockAckRequest => true,
            FrameKind::Ack | FrameKind::BlockAck | FrameKind::End => false,
        };
        if !begins {
            return;
        }
        let station = &mut self.stations[cell.index()][frame.from.index()];
        station.exchange.get_or_insert((frame.start, frame.management.is_none()));
        let Some(id) = frame.opens else { return };
        // Messages of Mobile IP and updates of routers are nobody's packets.
        let opened = self.under_way.get_mut(id.index()).and_then(Option::as_mut);
        let opened = opened.filter(|journey| matches!(journey.place, Place::Air(at, from, _) if (at, from) == (cell, frame.from)));
        station.serves = opened.is_some().then_some(id);
        if let Some(journey) = opened {
            let free = station.ended.max(journey.clock.mark);
            journey.clock.wait(free, Part::Queueing, &station.away);
        }
    }

    /// An exchange is over; where its packet is still there, it has failed.
    fn on_exchange_end(&mut self, now: Time, (cell, station): (CellId, StationId)) {
        let station = &mut self.stations[cell.index()][station.index()];
        let Some((began, for_packet)) = station.exchange.take() else { return };
        // A packet that a management frame delays is at the head already: it waits for access.
        if !for_packet {
            return;
        }
        station.ended = now;
        let Some(id) = station.serves else { return };
        if let Some(journey) = self.under_way.get_mut(id.index()).and_then(Option::as_mut) {
            journey.clock.wait(began, Part::Access, &station.away);
            journey.clock.spend(now, Part::Retries);
            journey.retries += 1;
        }
    }

    /// Place at which a packet is lost, once its time is assigned up to now.
    fn drop_place(&mut self, now: Time, id: PacketId) -> Option<NodeId> {
        let journey = self.under_way.get_mut(id.index())?.as_mut()?;
        let (cell, from, to) = match journey.place {
            Place::Air(cell, from, to) => (cell, from, to),
            Place::Node(at) => {
                journey.clock.spend(now, Part::Handoff);
                return Some(at);
            }
            Place::Queue(at, part) => {
                journey.clock.spend(now, part);
                return Some(at);
            }
            Place::LinkLayer(at) => {
                journey.clock.spend(now, Part::Transmission);
                return Some(at);
            }
            Place::Wire(at) => {
                journey.clock.spend(now, Part::Wire);
                return Some(at);
            }
        };
        let station = &mut self.stations[cell.index()][from.index()];
        let served = station.serves == Some(id);
        if served && station.exchange.is_some_and(|exchange| exchange.1) {
            self.arrive(now, id);
            return Some(self.nodes[cell.index()][to.index()]);
        }
        let part = if served { Part::Access } else { Part::Queueing };
        journey.clock.wait(now, part, &station.away);
        station.serves.take_if(|serves| *serves == id);
        Some(self.nodes[cell.index()][from.index()])
    }
}
