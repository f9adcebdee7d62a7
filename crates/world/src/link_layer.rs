//! Between the network layer and the interface, where that takes time: ns-2's link layer holds every packet for 25 us on its
//! way down to the interface queue, and for as long on its way up from the MAC (`LL::sendDown`, `LL::sendUp`).

use crate::cx::{Cx, Noting};
use crate::event::Event;
use crate::plan::Part;
use base::{CellId, PacketId, Span, StationId, Time};
use engine::Phase;
use std::collections::VecDeque;

/// The direction of a packet.
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
    /// Of the stations of these parts; `None` where they take no time.
    pub fn new(parts: &[Part<'_>]) -> Option<LinkLayer> {
        let of_part = |part: &Part<'_>| vec![part.link_layer_delay; part.stations.len()];
        let delays: Vec<Span> = parts.iter().flat_map(of_part).collect();
        let takes_time = delays.iter().any(|&delay| delay > Span::ZERO);
        takes_time.then(|| LinkLayer { delays, passing: VecDeque::new() })
    }

    /// Returns the number of packets on their way to a station's queue.
    pub fn coming(&self, station: StationId) -> usize {
        let down = |passage| matches!(passage, Passage::Down { from, .. } if from == station);
        self.passing.iter().filter(|passing| down(passing.2)).count()
    }

    /// Takes a packet.
    pub fn hold(&mut self, cx: &mut Cx<impl Noting>, cell: CellId, id: PacketId, passage: Passage) {
        let at = cx.now + self.delays[passage.station().index()];
        let place = self.passing.partition_point(|other| other.0 <= at);
        self.passing.insert(place, (at, id, passage));
        cx.schedule(at, Phase::Arrival, Event::LinkLayer(cell));
    }

    /// The next packet leaves.
    pub fn leave(&mut self) -> Option<(PacketId, Passage)> {
        self.passing.pop_front().map(|(_, id, passage)| (id, passage))
    }
}
