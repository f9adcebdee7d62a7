//! Wired links: packets enter their queues, pass, and arrive. And what the disciplines of queues do to packets that wait,
//! at links and at stations.

use crate::event::Event;
use crate::note::Note;
use crate::world::{Whereabouts, World};
use base::{CellId, LinkId, PacketId, Time};
use engine::{Phase, Probe};
use net::{Arrival, Departure, DropReason, Fate, Offer, Packet};

/// A packet as a queue sees it.
#[inline(always)]
pub(crate) fn arrival(id: PacketId, packet: &Packet) -> Arrival<'_> {
    Arrival { id, bytes: packet.bytes + packet.routing_header, packet: Some(packet) }
}

impl World {
    /// The head of what is on a link arrives.
    pub(crate) fn on_wire_arrival<P: Probe<Note>>(
        &mut self,
        now: Time,
        link: LinkId,
        probe: &mut P,
    ) {
        let Some((fate, next)) = self.wires[link.index()].arrive() else { return };
        if let Some(at) = next {
            self.schedule(at, Phase::Arrival, Event::WireArrival(link));
        }
        match fate {
            Ok(id) => self.forward_next(now, id, Whereabouts::Wire(link), probe),
            Err(id) => self.lose(now, id, DropReason::WireLoss, probe),
        }
    }

    /// Hands a packet to a link's device.
    #[inline(always)]
    pub(crate) fn give_to_wire<P: Probe<Note>>(
        &mut self,
        now: Time,
        link: LinkId,
        id: PacketId,
        probe: &mut P,
    ) {
        let (wire, packet) = (&mut self.wires[link.index()], &mut self.pool[id]);
        let offer = wire.offer(now, packet.flow, &arrival(id, packet));
        probe.record(now, || Note::WireQueue { link, packets: wire.backlog(now).packets });
        let (offer, marks) = match offer {
            Ok(taken) => taken,
            Err(reason) => return self.lose(now, id, reason, probe),
        };
        if marks {
            packet.mark();
        }
        if P::ON
            && let Some(transit) = wire.transit()
        {
            probe.record(now, || Note::WireIn { link, id, packet: *packet, transit });
        }
        match offer {
            Offer::Head(at) => self.schedule(at, Phase::Arrival, Event::WireArrival(link)),
            Offer::Behind => {}
            _ => self.wait_for_wire(now, link, (id, offer), probe),
        }
    }

    /// A packet has come to a queue whose discipline hands packets out.
    #[inline(never)]
    fn wait_for_wire<P: Probe<Note>>(
        &mut self,
        now: Time,
        link: LinkId,
        (id, offer): (PacketId, Offer),
        probe: &mut P,
    ) {
        if offer == Offer::Due {
            self.on_wire_departure(now, link, probe);
            return self.give_to_wire(now, link, id, probe);
        }
        let tunnelled = self.pool[id].tunnel.is_some();
        probe.record(now, || Note::WireWaits { id, tunnelled });
        if offer == Offer::Ready {
            self.on_wire_departure(now, link, probe);
        } else {
            self.settle_wire(now, link, probe);
        }
    }

    /// A link's device is free: the discipline says which packet is next.
    #[inline(never)]
    pub(crate) fn on_wire_departure<P: Probe<Note>>(
        &mut self,
        now: Time,
        link: LinkId,
        probe: &mut P,
    ) {
        let Departure { begins, head, next } = self.wires[link.index()].depart(now);
        self.settle_wire(now, link, probe);
        if let Some((id, transit)) = begins {
            let packet = &self.pool[id];
            probe.record(now, || Note::WireIn { link, id, packet: *packet, transit });
        }
        if let Some(at) = head {
            self.schedule(at, Phase::Arrival, Event::WireArrival(link));
        }
        if let Some(at) = next {
            self.schedule(at, Phase::Completion, Event::WireDeparture(link));
        }
        let wire = &mut self.wires[link.index()];
        probe.record(now, || Note::WireQueue { link, packets: wire.backlog(now).packets });
    }

    /// Carries out what a link's discipline has done to packets that waited.
    fn settle_wire<P: Probe<Note>>(&mut self, now: Time, link: LinkId, probe: &mut P) {
        let mut fates = std::mem::take(&mut self.fates);
        fates.extend(self.wires[link.index()].fates());
        for (id, fate) in fates.drain(..) {
            match fate {
                Fate::Marked => _ = self.pool[id].mark(),
                Fate::Dropped(reason) => self.lose(now, id, reason, probe),
            }
        }
        self.fates = fates;
    }

    /// Carries out what the disciplines of stations have done to packets that waited.
    #[inline(always)]
    pub(crate) fn settle_fates<P: Probe<Note>>(&mut self, now: Time, cell: CellId, probe: &mut P) {
        if !self.cells[cell.index()].air.fates().is_empty() {
            self.settle_stations(now, cell, probe);
        }
    }

    #[inline(never)]
    fn settle_stations<P: Probe<Note>>(&mut self, now: Time, cell: CellId, probe: &mut P) {
        let mut fates = std::mem::take(self.cells[cell.index()].air.fates());
        for (station, id, fate) in fates.drain(..) {
            match fate {
                Fate::Marked => _ = self.pool[id].mark(),
                Fate::Dropped(reason) => self.lose_at(now, (cell, station), (id, reason), probe),
            }
        }
        *self.cells[cell.index()].air.fates() = fates;
    }
}
