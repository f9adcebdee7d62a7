//! Wired links: packets enter their queues, and arrive.

use crate::event::Event;
use crate::note::Note;
use crate::world::{Whereabouts, World};
use base::{LinkId, PacketId, Time};
use engine::{Phase, Probe};
use net::{DropReason, Offer};

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
        let bytes = packet.bytes + packet.routing_header;
        let offer = wire.offer(now, id, packet.flow, bytes);
        probe.record(now, || Note::WireQueue { link, packets: wire.backlog(now).packets });
        if let Offer::Dropped(reason) = offer {
            return self.lose(now, id, reason, probe);
        }
        if wire.marks() {
            packet.mark();
        }
        if let Some(transit) = wire.transit() {
            probe.record(now, || Note::WireIn { link, id, packet: *packet, transit });
        }
        if let Offer::Head(at) = offer {
            self.schedule(at, Phase::Arrival, Event::WireArrival(link));
        }
    }
}
