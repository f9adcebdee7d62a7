//! Packets in devices: they enter queues, pass links and the air, and arrive. And what the disciplines of queues do to
//! packets that wait.

use crate::cx::{Cx, Noting};
use crate::element::{Came, Due};
use crate::event::Event;
use crate::forward::At;
use crate::link_layer::Passage;
use crate::network::Network;
use crate::note::Note;
use base::{CellId, LinkId, PacketId, StationId};
use engine::Phase;
use net::{Arrival, Departure, DropReason, Ended, Fate, Hop, Offer, Packet, Step};

/// A packet as a queue sees it.
#[inline(always)]
fn arrival(id: PacketId, packet: &Packet) -> Arrival<'_> {
    Arrival { id, bytes: packet.bytes + packet.routing_header, packet: Some(packet) }
}

impl Network {
    // Wired links.

    /// The head of what is on a link arrives.
    pub(crate) fn on_wire_arrival(&mut self, cx: &mut Cx<impl Noting>, link: LinkId) {
        let wire = &mut self.wires[link.index()];
        let (fate, next) = wire.arrive(cx.now, &self.transits);
        if let Some((at, id)) = next {
            self.pool.touch(id);
            cx.schedule(at, Phase::Arrival, Event::WireArrival(link));
        }
        match fate {
            Some(Ok(id)) => self.forward_next(cx, id, At::Wire(link)),
            Some(Err(id)) => self.lose(cx, id, DropReason::WireLoss),
            None => {}
        }
    }

    /// Hands a packet to a link's device.
    #[inline(always)]
    pub(crate) fn give_to_wire(&mut self, cx: &mut Cx<impl Noting>, link: LinkId, id: PacketId) {
        let (wire, packet) = (&mut self.wires[link.index()], &mut self.pool[id]);
        let now = cx.now;
        let offer = wire.offer(now, packet.flow, &arrival(id, packet), &mut self.transits);
        cx.note(|| Note::WireQueue { link, packets: wire.backlog(now, &self.transits).packets });
        let (offer, marks) = match offer {
            Ok(taken) => taken,
            Err(reason) => return self.lose_on_wire(cx, link, id, reason),
        };
        if marks {
            packet.mark();
        }
        if cx.is_noting()
            && let Some(transit) = wire.transit(&self.transits)
        {
            cx.note(|| Note::WireIn { link, id, packet: *packet, transit });
        }
        match offer {
            Offer::Head(at) => cx.schedule(at, Phase::Arrival, Event::WireArrival(link)),
            Offer::Behind => {}
            _ => self.wait_for_wire(cx, link, id, offer),
        }
    }

    /// A packet has come to a queue whose discipline hands packets out.
    #[inline(never)]
    fn wait_for_wire(
        &mut self,
        cx: &mut Cx<impl Noting>,
        link: LinkId,
        id: PacketId,
        offer: Offer,
    ) {
        if offer == Offer::Due {
            self.on_wire_departure(cx, link);
            return self.give_to_wire(cx, link, id);
        }
        let tunnelled = self.pool[id].tunnel.is_some();
        cx.note(|| Note::WireWaits { id, tunnelled });
        if offer == Offer::Ready {
            self.on_wire_departure(cx, link);
        } else {
            self.settle_wire(cx, link);
        }
    }

    /// A link's device is free: the discipline says which packet is next.
    #[inline(never)]
    pub(crate) fn on_wire_departure(&mut self, cx: &mut Cx<impl Noting>, link: LinkId) {
        let now = cx.now;
        let wire = &mut self.wires[link.index()];
        let Departure { begins, head, next } = wire.depart(now, &mut self.transits);
        self.settle_wire(cx, link);
        if let Some((id, transit)) = begins {
            cx.note(|| Note::WireIn { link, id, packet: self.pool[id], transit });
        }
        if let Some(at) = head {
            cx.schedule(at, Phase::Arrival, Event::WireArrival(link));
        }
        if let Some(at) = next {
            cx.schedule(at, Phase::Completion, Event::WireDeparture(link));
        }
        let wire = &mut self.wires[link.index()];
        cx.note(|| Note::WireQueue { link, packets: wire.backlog(now, &self.transits).packets });
    }

    /// Carries out what a link's discipline has done to packets that waited.
    fn settle_wire(&mut self, cx: &mut Cx<impl Noting>, link: LinkId) {
        let Some(told) = self.wires[link.index()].fates().filter(|told| !told.is_empty()) else {
            return;
        };
        let mut fates = std::mem::take(&mut self.fates);
        fates.append(told);
        for (id, fate) in fates.drain(..) {
            match fate {
                Fate::Marked => _ = self.pool[id].mark(),
                Fate::Dropped(reason) => self.lose_on_wire(cx, link, id, reason),
            }
        }
        self.fates = fates;
    }

    // To the air.

    /// Hands a packet to a station's interface, through its link layer.
    #[inline]
    pub(crate) fn give_to_air(
        &mut self,
        cx: &mut Cx<impl Noting>,
        cell: CellId,
        (from, to): (StationId, StationId),
        id: PacketId,
    ) {
        cx.note(|| Note::AirIn { cell, from, to, id });
        match self.element(cell).link_layer() {
            Some(layer) => layer.hold(cx, cell, id, Passage::Down { from, to }),
            None => self.enter_air(cx, cell, (from, to), id),
        }
    }

    /// Puts a packet in a station's interface queue.
    #[inline]
    fn enter_air(
        &mut self,
        cx: &mut Cx<impl Noting>,
        cell: CellId,
        (from, to): (StationId, StationId),
        id: PacketId,
    ) {
        let (element, arrival) = (&mut self.elements[cell.index()], arrival(id, &self.pool[id]));
        match element.offer(cx, (from, to), &arrival, &self.pool) {
            Ok(None) => element.note_queue(cx, (from, to)),
            decided => self.enter_judged(cx, cell, (from, to), id, decided),
        }
    }

    /// The same where the disciplines of stations have decided about packets.
    #[inline(never)]
    fn enter_judged(
        &mut self,
        cx: &mut Cx<impl Noting>,
        cell: CellId,
        (from, to): (StationId, StationId),
        id: PacketId,
        decided: Result<Option<bool>, DropReason>,
    ) {
        match decided {
            Ok(marks) => {
                if marks == Some(true) {
                    self.pool[id].mark();
                }
                self.settle_fates(cx, cell);
                self.elements[cell.index()].arm(cx, &self.pool);
            }
            Err(reason) => self.lose_at(cx, cell, from, id, reason),
        }
        self.element(cell).note_queue(cx, (from, to));
    }

    /// The next packet leaves its link layer.
    pub(crate) fn on_link_layer(&mut self, cx: &mut Cx<impl Noting>, cell: CellId) {
        let layer = self.element(cell).link_layer();
        match layer.and_then(|layer| layer.leave()) {
            None => {}
            Some((id, Passage::Down { from, to })) => self.enter_air(cx, cell, (from, to), id),
            Some((id, Passage::Up { at })) => self.come_up(cx, id, cell, at),
        }
    }

    /// Carries out what the disciplines of stations have done to packets that waited.
    #[inline(always)]
    pub(crate) fn settle_fates(&mut self, cx: &mut Cx<impl Noting>, cell: CellId) {
        if !self.element(cell).fates().is_empty() {
            self.settle_stations(cx, cell);
        }
    }

    #[inline(never)]
    fn settle_stations(&mut self, cx: &mut Cx<impl Noting>, cell: CellId) {
        let mut fates = std::mem::take(self.element(cell).fates());
        for (station, id, fate) in fates.drain(..) {
            match fate {
                Fate::Marked => _ = self.pool[id].mark(),
                Fate::Dropped(reason) => self.lose_at(cx, cell, station, id, reason),
            }
        }
        *self.element(cell).fates() = fates;
    }

    // What elements wait for.

    /// Something that an element has waited for.
    #[inline(always)]
    pub(crate) fn on_due(&mut self, cx: &mut Cx<impl Noting>, cell: CellId, due: Due) {
        match self.elements[cell.index()].handle(cx, due, &self.pool, &mut self.out) {
            Came::Nothing => {}
            Came::Arrived(id, at) => self.come_over_air(cx, id, cell, at),
            Came::Ended => self.after_turns(cx, cell),
            Came::More => self.carry_on(cx, cell),
        }
        debug_assert!(self.out.is_empty(), "an element says what it has put into its output");
    }

    /// Carries on all that can come of an element's event.
    #[inline(always)]
    fn carry_on(&mut self, cx: &mut Cx<impl Noting>, cell: CellId) {
        if let Some((id, at)) = self.out.arrived.take() {
            self.come_over_air(cx, id, cell, at);
        }
        if !self.out.landed.is_empty() {
            self.land_all(cx, cell);
        }
        if let Some(id) = self.out.broadcast.take() {
            let mut hearers = std::mem::take(&mut self.out.hearers);
            self.on_broadcast(cx, id, cell, &hearers);
            hearers.clear();
            self.out.hearers = hearers;
        }
        self.settle_fates(cx, cell);
        if !self.out.lost.is_empty() {
            self.lose_all(cx, cell);
        }
        if !self.out.ended.is_empty() {
            self.end_turns(cx, cell);
        }
        if !self.out.moves.is_empty() {
            let mut moves = std::mem::take(&mut self.out.moves);
            self.after_moves(cx, cell, &moves);
            moves.clear();
            self.out.moves = moves;
        }
        self.elements[cell.index()].settle(cx, &self.pool);
    }

    /// Packets of an aggregate come to their receiver.
    fn land_all(&mut self, cx: &mut Cx<impl Noting>, cell: CellId) {
        let mut landed = std::mem::take(&mut self.out.landed);
        for (id, at) in landed.drain(..) {
            self.come_over_air(cx, id, cell, at);
        }
        self.out.landed = landed;
    }

    /// Packets are lost at stations.
    #[inline(never)]
    fn lose_all(&mut self, cx: &mut Cx<impl Noting>, cell: CellId) {
        let mut lost = std::mem::take(&mut self.out.lost);
        for (station, id, reason) in lost.drain(..) {
            self.lose_at(cx, cell, station, id, reason);
        }
        self.out.lost = lost;
    }

    /// The same where nothing has come of it but that turns have ended.
    #[inline]
    fn after_turns(&mut self, cx: &mut Cx<impl Noting>, cell: CellId) {
        self.settle_fates(cx, cell);
        self.end_turns(cx, cell);
        self.elements[cell.index()].settle(cx, &self.pool);
    }

    /// Turns of stations have ended: there may be room for further packets.
    #[inline(always)]
    fn end_turns(&mut self, cx: &mut Cx<impl Noting>, cell: CellId) {
        let mut ended = std::mem::take(&mut self.out.ended);
        for &Ended { station, dropped } in &ended {
            cx.note(|| Note::ExchangeEnded { cell, station });
            if let Some((id, reason)) = dropped {
                self.give_up(cx, cell, station, (id, reason));
            }
            self.refill(cx, cell, station);
            self.element(cell).note_queue(cx, (station, station));
        }
        ended.clear();
        self.out.ended = ended;
    }

    /// A station has given a packet up.
    #[inline(never)]
    fn give_up(
        &mut self,
        cx: &mut Cx<impl Noting>,
        cell: CellId,
        station: StationId,
        (id, reason): (PacketId, DropReason),
    ) {
        use DropReason::{RetryChannel, RetryCollision, RetryHidden};
        let is_filtered = self.plan.radio_losses_filtered
            && matches!(reason, RetryChannel | RetryCollision | RetryHidden);
        match self.routes.step(self.pool[id].mark) {
            Some(Step::Hop(Hop::Air { to, .. })) if is_filtered => {
                self.come_over_air(cx, id, cell, to);
            }
            _ => self.lose_at(cx, cell, station, id, reason),
        }
    }

    /// A packet has come over the air to a station.
    #[inline(always)]
    pub(crate) fn come_over_air(
        &mut self,
        cx: &mut Cx<impl Noting>,
        id: PacketId,
        cell: CellId,
        at: StationId,
    ) {
        cx.note(|| Note::AirOut { id });
        if self.mobile_ip.is_some() {
            self.note_contact(cx.now, id, cell, at);
        }
        match self.element(cell).link_layer() {
            Some(layer) => layer.hold(cx, cell, id, Passage::Up { at }),
            None => self.come_up(cx, id, cell, at),
        }
    }

    /// A packet has come to the network layer of a station.
    #[inline(always)]
    fn come_up(&mut self, cx: &mut Cx<impl Noting>, id: PacketId, cell: CellId, at: StationId) {
        if self.clusters.is_some() && self.is_lost_at_head(id, cell, at) {
            return self.lose_at(cx, cell, at, id, DropReason::Clusterhead);
        }
        if self.mobile_ip.is_none() || !self.take_off_the_air(cx, id, cell, at) {
            self.forward_next(cx, id, At::Air(cell, at));
        }
    }
}
