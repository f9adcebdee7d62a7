//! An element of the air at work, and what the network keeps beside it.

use crate::air::{Air, Started};
use crate::cx::{Cx, Noting};
use crate::event::{Event, MediumDue};
use crate::link_layer::LinkLayer;
use crate::note::Note;
use crate::plan::CellPlan;
use base::{CellId, FlowId, Named, PacketId, StationId};
use engine::{Phase, Timer, Wake};
use net::{DropReason, Pool};
use wifi::{Due, Happened, Heard, Sent, Witness};

/// What stations share: a cell in which all hear all, all cells on a channel, an 802.16 cell, a wired LAN.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    pub air: Air,
    id: CellId,
    /// Stands for `air.next_start()`.
    start_timer: Timer,
    /// By station: flows that keep it saturated.
    saturated: Vec<Vec<FlowId>>,
    /// By station: packets lost there since the measurement began, by reason.
    lost: Vec<[u64; DropReason::ALL.len()]>,
    /// By station: what its network layer adds to packets that begin there, bytes.
    routing_header: Vec<u32>,
    /// Packets between network layers and interfaces, where that takes time.
    link_layer: Option<Box<LinkLayer>>,
}

impl Element {
    pub fn new(air: Air, id: CellId, cells: &[&CellPlan]) -> Element {
        let stations = cells.iter().map(|cell| cell.stations.len()).sum();
        Element {
            routing_header: cells.iter().flat_map(|cell| cell.routing_headers()).collect(),
            link_layer: LinkLayer::new(cells).map(Box::new),
            ..Element::plain(air, id, stations)
        }
    }

    /// The same with link layers of its own.
    pub fn with_link_layer(self, link_layer: Option<LinkLayer>) -> Element {
        Element { link_layer: link_layer.map(Box::new), ..self }
    }

    /// One whose network layers add nothing and take no time.
    pub fn plain(air: Air, id: CellId, stations: usize) -> Element {
        Element {
            air,
            id,
            start_timer: Timer::default(),
            saturated: vec![Vec::new(); stations],
            lost: vec![Default::default(); stations],
            routing_header: vec![0; stations],
            link_layer: None,
        }
    }

    /// Which of all elements it is.
    pub fn id(&self) -> CellId {
        self.id
    }

    // Turns on the air.

    /// Brings its event in line with its next start.
    #[inline]
    pub fn arm(&mut self, cx: &mut Cx<impl Noting>) {
        if let Air::Lan(lan) = &mut self.air
            && let Some(end) = lan.moved_end()
        {
            cx.schedule(end, Phase::Completion, Event::CellEnd(self.id));
        }
        if let Some(at) = self.start_timer.set(self.air.next_start()) {
            cx.schedule(at, Phase::Contention, Event::CellStart(self.id));
        }
    }

    /// The event of its next start has come up.
    #[inline]
    pub fn on_start(&mut self, cx: &mut Cx<impl Noting>, pool: &Pool) {
        let now = cx.now;
        match self.start_timer.wake(now) {
            Wake::Stale => {}
            Wake::Later(at) => cx.schedule(at, Phase::Contention, Event::CellStart(self.id)),
            Wake::Fire => {
                let mut witness = Witnessing { cx, cell: self.id, pool };
                match self.air.on_start(now, &mut witness) {
                    Started::Exchange(exchange) => {
                        if let Some(at) = exchange.data_end {
                            cx.schedule(at, Phase::Arrival, Event::CellData(self.id));
                        }
                        cx.schedule(exchange.end, Phase::Completion, Event::CellEnd(self.id));
                    }
                    Started::Frames => {
                        self.schedule_dues(cx);
                        self.arm(cx);
                    }
                }
            }
        }
    }

    /// Something that a medium waits for has come.
    pub fn on_due(
        &mut self,
        cx: &mut Cx<impl Noting>,
        due: Due,
        pool: &Pool,
        happened: &mut Happened,
    ) {
        let now = cx.now;
        if let Air::Medium(medium) = &mut self.air {
            let mut witness = Witnessing { cx, cell: self.id, pool };
            medium.on_due(now, due, happened, &mut witness);
        }
    }

    /// Puts in the agenda what a medium waits for.
    pub fn schedule_dues(&mut self, cx: &mut Cx<impl Noting>) {
        let Air::Medium(medium) = &mut self.air else { return };
        for (at, due) in medium.dues() {
            let phase = match due {
                Due::Data(_) => Phase::Arrival,
                Due::Manage(_) => Phase::Timer,
                _ => Phase::Completion,
            };
            cx.schedule(at, phase, Event::Medium(MediumDue::new(self.id, due)));
        }
    }

    /// Tells a probe how many packets wait at a station.
    #[inline]
    pub fn note_queue(&self, cx: &mut Cx<impl Noting>, (station, to): (StationId, StationId)) {
        let cell = self.id;
        if let Air::Wimax(_) = self.air {
            let is_down = station == wimax::BASE;
            return self.note_subscriber_queue(cx, station.max(to), is_down);
        }
        cx.note(|| {
            let packets = self.air.waiting(station) as u32;
            Note::StationQueue { cell, station, packets }
        });
    }

    // The network layer of its stations.

    /// What a station's network layer adds to packets that begin there, bytes.
    #[inline]
    pub fn routing_header(&self, station: StationId) -> u32 {
        self.routing_header[station.index()]
    }

    /// The link layers of its stations, where packets take time in them.
    #[inline]
    pub fn link_layer(&mut self) -> Option<&mut LinkLayer> {
        self.link_layer.as_deref_mut()
    }

    /// Packets that wait at a station, or are on their way to its queue.
    #[inline]
    pub fn backlog(&self, station: StationId) -> usize {
        let coming = self.link_layer.as_ref().map_or(0, |layer| layer.coming(station));
        self.air.waiting(station) + coming
    }

    /// A packet is lost at a station.
    #[inline]
    pub fn count_lost(&mut self, station: StationId, reason: DropReason) {
        self.lost[station.index()][reason as usize] += 1;
    }

    /// Packets lost at a station since the measurement began, by reason.
    pub fn lost(&self, station: StationId) -> &[u64; DropReason::ALL.len()] {
        &self.lost[station.index()]
    }

    pub fn begin_measurement(&mut self, cx: &Cx<impl Noting>) {
        self.air.begin_measurement(cx.now);
        self.lost.fill(Default::default());
    }

    // Flows that keep a station busy.

    /// How many flows keep a station busy.
    #[inline]
    pub fn saturating(&self, station: StationId) -> usize {
        self.saturated[station.index()].len()
    }

    /// The flow that keeps a station busy in this turn; another begins the next round.
    pub fn saturating_in(&mut self, station: StationId, turn: usize) -> FlowId {
        let flows = &mut self.saturated[station.index()];
        let flow = flows[turn];
        flows.rotate_left(1);
        flow
    }

    pub fn begin_saturating(&mut self, station: StationId, flow: FlowId) {
        self.saturated[station.index()].push(flow);
    }

    pub fn end_saturating(&mut self, station: StationId, flow: FlowId) {
        self.saturated[station.index()].retain(|&other| other != flow);
    }
}

/// Tells a probe what is heard on the air, with the packets that frames carry.
struct Witnessing<'a, 'b, P> {
    cx: &'a mut Cx<'b, P>,
    cell: CellId,
    pool: &'a Pool,
}

impl<P: Noting> Witness for Witnessing<'_, '_, P> {
    #[inline]
    fn sent(&mut self, frame: impl FnOnce() -> Sent) {
        let (cell, pool) = (self.cell, self.pool);
        self.cx.note(|| {
            let frame = frame();
            let packet = frame.opens.map(|id: PacketId| pool[id]);
            Note::FrameSent { cell, frame, packet }
        });
    }

    #[inline]
    fn heard(&mut self, by: impl Iterator<Item = Heard>) {
        let cell = self.cell;
        if self.cx.is_noting() {
            by.for_each(|heard| self.cx.note(|| Note::FrameHeard { cell, heard }));
        }
    }

    #[inline]
    fn is_listening(&self) -> bool {
        self.cx.is_noting()
    }
}
