//! 802.16 cells in the run loop: their frames, and what lands.

use crate::air::Air;
use crate::cx::{Cx, Noting};
use crate::element::Element;
use crate::event::Event;
use crate::network::Network;
use crate::note::Note;
use crate::plan::WimaxPlan;
use base::{CellId, Seed, StationId};
use engine::Phase;
use net::{DropReason, Hop, Topology};
use wimax::{BASE, Landed, Served};

/// The streams of 802.16 cells are numbered apart from those of 802.11.
const STREAMS: u64 = 1 << 63;

impl WimaxPlan {
    /// The air between the base station and each subscriber station.
    pub(crate) fn connect(&self, topology: &mut Topology, cell: CellId) {
        let [base, subscribers @ ..] = self.stations.as_slice() else { return };
        for (&node, i) in subscribers.iter().zip(1..) {
            let there = StationId(i);
            topology.connect(*base, node, Hop::Air { cell, from: BASE, to: there });
            topology.connect(node, *base, Hop::Air { cell, from: there, to: BASE });
        }
    }
}

impl Element {
    /// The element of an 802.16 cell, the one of this number in the plan.
    pub(crate) fn of_wimax(plan: &WimaxPlan, id: CellId, seed: Seed, number: usize) -> Element {
        let mut config = plan.config.clone();
        if let Some(signal) = &mut config.signal {
            for (place, node) in signal.places.iter_mut().zip(&plan.stations) {
                *place = place.of(seed, node.0);
            }
        }
        let cell = wimax::Cell::new(&config, seed, STREAMS | (number as u64) << 32);
        Element::plain(Air::Wimax(cell), id, plan.stations.len())
    }

    /// Tells a probe how many packets wait for a subscriber station, or at it.
    pub(crate) fn note_subscriber_queue(
        &self,
        cx: &mut Cx<impl Noting>,
        station: StationId,
        is_down: bool,
    ) {
        if let Air::Wimax(air) = &self.air {
            let cell = self.id();
            let packets = air.queued(station, is_down) as u32;
            cx.note(|| Note::SubscriberQueue { cell, station, is_down, packets });
        }
    }

    /// Puts the next decision of an 802.16 cell in the agenda.
    pub(crate) fn schedule_frame(&mut self, cx: &mut Cx<impl Noting>) {
        if let Air::Wimax(cell) = &self.air {
            cx.schedule(cell.next_decision(), Phase::Frame, Event::Frame(self.id()));
        }
    }
}

impl Network {
    /// An 802.16 cell decides.
    pub(crate) fn on_frame(&mut self, cx: &mut Cx<impl Noting>, id: CellId) {
        let Air::Wimax(cell) = &mut self.element(id).air else { return };
        let (is_landing, was_at_region) = (cell.next_arrival().is_some(), cell.is_at_region());
        cell.decide(cx.now);
        if cx.is_noting() && cell.is_at_region() {
            cell.map(|part| cx.note(|| Note::FramePart { cell: id, part }));
        }
        if cx.is_noting() && was_at_region {
            cell.requests(|request| cx.note(|| Note::Asked { cell: id, request }));
        }
        cx.schedule(cell.next_decision(), Phase::Frame, Event::Frame(id));
        // One event stands for all that is on the air.
        if let Some(at) = cell.next_arrival().filter(|_| !is_landing) {
            cx.schedule(at, Phase::Arrival, Event::Landing(id));
        }
        let mut dropped = std::mem::take(cell.dropped());
        let mut served = std::mem::take(cell.served());
        self.settle_fates(cx, id);
        for (station, packet, reason) in dropped.drain(..) {
            self.lose_at(cx, id, station, packet, reason);
        }
        for Served { station, is_down, burst } in served.drain(..) {
            if let Some(burst) = burst {
                cx.note(|| Note::BurstFilled { cell: id, station, burst });
            }
            self.element(id).note_subscriber_queue(cx, station, is_down);
        }
        if let Air::Wimax(cell) = &mut self.element(id).air {
            (*cell.dropped(), *cell.served()) = (dropped, served);
        }
    }

    /// What is on the air of an 802.16 cell comes to its end.
    pub(crate) fn on_landing(&mut self, cx: &mut Cx<impl Noting>, id: CellId) {
        let Air::Wimax(cell) = &mut self.element(id).air else { return };
        let landed = cell.land();
        if let Some(at) = cell.next_arrival() {
            cx.schedule(at, Phase::Arrival, Event::Landing(id));
        }
        let Some(landed) = landed else { return };
        let Landed { id: packet, from, to, is_lost, .. } = landed;
        cx.note(|| {
            let Landed { first_since, known_since, began, .. } = landed;
            Note::Carried { id: packet, first_since, known_since, began }
        });
        if is_lost {
            self.lose_at(cx, id, from, packet, DropReason::Air);
        } else {
            self.come_over_air(cx, packet, id, to);
        }
    }
}
