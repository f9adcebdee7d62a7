//! Between the network layer and the interface, where that takes time: ns-2's link layer holds every packet for 25 us on its
//! way down to the interface queue, and for as long on its way up from the MAC (`LL::sendDown`, `LL::sendUp`).

use crate::event::Event;
use crate::note::Note;
use crate::plan::CellPlan;
use crate::wires::arrival;
use crate::world::World;
use base::{CellId, PacketId, Span, StationId, Time};
use engine::{Phase, Probe};
use net::{Hop, Step};
use std::collections::VecDeque;

/// Which way a packet goes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Passage {
    /// To the interface queue of the first, for the second.
    Down { from: StationId, to: StationId },
    /// To the network layer.
    Up { at: StationId },
}

impl Passage {
    /// The station whose link layer it is.
    fn station(self) -> StationId {
        match self {
            Passage::Down { from, .. } => from,
            Passage::Up { at } => at,
        }
    }
}

/// The link layers of an element of the air.
#[derive(Clone, Debug)]
pub(crate) struct LinkLayer {
    /// By station: how long a packet is there.
    delays: Vec<Span>,
    /// In the order in which they leave; each has an event.
    passing: VecDeque<(Time, PacketId, Passage)>,
}

impl LinkLayer {
    /// Of the stations of these cells; `None` where they take no time.
    pub fn new(cells: &[&CellPlan]) -> Option<LinkLayer> {
        let of_cell = |cell: &&CellPlan| vec![cell.link_layer_delay; cell.stations.len()];
        let delays: Vec<Span> = cells.iter().flat_map(of_cell).collect();
        let takes_time = delays.iter().any(|&delay| delay > Span::ZERO);
        takes_time.then(|| LinkLayer { delays, passing: VecDeque::new() })
    }

    /// How many packets are on their way to a station's queue.
    pub fn coming(&self, station: StationId) -> usize {
        let down = |passage| matches!(passage, Passage::Down { from, .. } if from == station);
        self.passing.iter().filter(|passing| down(passing.2)).count()
    }

    /// Takes a packet; when it leaves.
    fn take(&mut self, now: Time, (id, passage): (PacketId, Passage)) -> Time {
        let at = now + self.delays[passage.station().index()];
        let place = self.passing.partition_point(|other| other.0 <= at);
        self.passing.insert(place, (at, id, passage));
        at
    }
}

impl World {
    /// What the network layer adds to a packet that begins with this step, bytes.
    #[inline]
    pub(crate) fn routing_header(&self, first: Step) -> u32 {
        match first {
            Step::Hop(Hop::Air { cell, from, .. }) => {
                self.cells[cell.index()].routing_header[from.index()]
            }
            _ => 0,
        }
    }

    /// Hands a packet to a station's interface, through its link layer.
    #[inline]
    pub(crate) fn give_to_air<P: Probe<Note>>(
        &mut self,
        now: Time,
        (cell, from, to): (CellId, StationId, StationId),
        id: PacketId,
        probe: &mut P,
    ) {
        probe.record(now, || Note::AirIn { cell, from, to, id });
        if self.cells[cell.index()].link_layer.is_some() {
            self.hold_on_the_way(now, cell, (id, Passage::Down { from, to }));
        } else {
            self.enter_air(now, (cell, from, to), id, probe);
        }
    }

    /// Puts a packet in a station's interface queue.
    #[inline]
    pub(crate) fn enter_air<P: Probe<Note>>(
        &mut self,
        now: Time,
        (cell, from, to): (CellId, StationId, StationId),
        id: PacketId,
        probe: &mut P,
    ) {
        let arrival = arrival(id, &self.pool[id]);
        match self.cells[cell.index()].air.enqueue(now, from, to, &arrival) {
            Ok(marks) => {
                if marks {
                    self.pool[id].mark();
                }
                self.settle_fates(now, cell, probe);
                self.arm_cell(cell);
            }
            Err(reason) => self.lose_at(now, (cell, from), (id, reason), probe),
        }
        self.note_station(now, cell, from, probe);
    }

    /// Puts a packet into a link layer.
    pub(crate) fn hold_on_the_way(&mut self, now: Time, cell: CellId, packet: (PacketId, Passage)) {
        let Some(layer) = &mut self.cells[cell.index()].link_layer else { return };
        let at = layer.take(now, packet);
        self.schedule(at, Phase::Arrival, Event::LinkLayer(cell));
    }

    /// The next packet leaves its link layer.
    pub(crate) fn on_link_layer<P: Probe<Note>>(&mut self, now: Time, cell: CellId, probe: &mut P) {
        let layer = self.cells[cell.index()].link_layer.as_mut();
        let Some((_, id, passage)) = layer.and_then(|layer| layer.passing.pop_front()) else {
            return;
        };
        match passage {
            Passage::Down { from, to } => self.enter_air(now, (cell, from, to), id, probe),
            Passage::Up { at } => self.on_air(now, id, (cell, at), probe),
        }
    }

    /// A packet has come over the air to a station.
    #[inline(always)]
    pub(crate) fn come_over_air<P: Probe<Note>>(
        &mut self,
        now: Time,
        id: PacketId,
        (cell, at): (CellId, StationId),
        probe: &mut P,
    ) {
        probe.record(now, || Note::AirOut { id });
        self.note_contact(now, id, (cell, at));
        if self.cells[cell.index()].link_layer.is_some() {
            self.hold_on_the_way(now, cell, (id, Passage::Up { at }));
        } else {
            self.on_air(now, id, (cell, at), probe);
        }
    }
}
