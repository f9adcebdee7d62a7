//! Ways that change while packets are under way.
//!
//! A packet at a node goes on by the ways that hold when it gets there. One that waits in a device's queue stays there:
//! the device has its next hop already, as in a real host.

use crate::flow::{Application, Saturated};
use crate::note::Note;
use crate::world::{Whereabouts, World};
use base::{CellId, FlowId, NodeId, PacketId, StationId, Time};
use engine::Probe;
use net::{Direction, DropReason, Hop, Step};

impl World {
    /// Puts a packet on the way that holds now.
    #[cold]
    pub(crate) fn redirect(&mut self, id: PacketId, at: Whereabouts) -> Step {
        let here = match at {
            Whereabouts::Wire(link) => self.plan.links[link.index()].to,
            Whereabouts::Air(cell, station) => self.cells[cell.index()].nodes[station.index()],
        };
        let packet = &mut self.pool[id];
        let of = match packet.tunnel {
            Some(tunnel) => (tunnel, Direction::Reverse),
            None => (packet.flow, packet.direction),
        };
        let (mark, step) = self.routes.go_on(of, here, packet.mark);
        packet.mark = mark;
        step
    }

    /// A packet cannot go on from the node where it is. It counts at the first station there, if there is one.
    #[cold]
    pub(crate) fn strand<P: Probe<Note>>(
        &mut self,
        now: Time,
        id: PacketId,
        (reason, here): (DropReason, NodeId),
        probe: &mut P,
    ) {
        // A mobile node without an agent has no router.
        let is_cut_off = reason == DropReason::NoRoute && self.plan.is_mobile(here);
        let reason = if is_cut_off { DropReason::Handoff } else { reason };
        let station = self.cells.iter().enumerate().find_map(|(cell, place)| {
            let station = place.nodes.iter().position(|&node| node == here)?;
            Some((CellId(cell as u32), StationId(station as u32)))
        });
        match station {
            Some(station) => self.lose_at(now, station, (id, reason), probe),
            None => self.lose(now, id, reason, probe),
        }
    }

    /// Lets the way from one node to a neighbour be used or not, from the next [`World::reroute`] on; one that the plan
    /// does not have comes to be. True where that changes something.
    pub fn set_edge(&mut self, from: NodeId, to: NodeId, hop: Hop, up: bool) -> bool {
        self.routes.topology_mut().set_edge(from, to, hop, up)
    }

    /// From the next [`World::reroute`] on packets for `to` that are at `at` go to the neighbour `next`, whatever else is
    /// shorter; `None`: by the fewest hops again.
    pub fn set_next(&mut self, at: NodeId, to: NodeId, next: Option<NodeId>) {
        self.routes.topology_mut().set_next(at, to, next);
    }

    /// From now on all ways are those of the edges and next hops as they are set now.
    pub fn reroute(&mut self, now: Time) {
        self.renew_ways(now, &mut ());
    }

    pub(crate) fn renew_ways<P: Probe<Note>>(&mut self, now: Time, probe: &mut P) {
        self.routes.renew();
        for id in (0..self.flows.len()).map(|i| FlowId(i as u32)) {
            let Application::Saturated { station, .. } = self.flows[id.index()].application else {
                continue;
            };
            if station != Saturated::Off {
                self.saturate(now, id, probe);
            }
        }
    }
}
