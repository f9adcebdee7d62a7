//! An element of the network at work, and what the network keeps beside it.

mod air;
mod contract;
mod lan;
mod report;
mod wifi;
mod wimax;

pub(crate) use air::connect;
pub(crate) use contract::{Came, Due, Out};
pub(crate) use report::Reports;

use crate::cx::{Cx, Noting};
use crate::event::Event;
use crate::link_layer::LinkLayer;
use crate::note::Note;
use crate::plan::{Part, Plan};
use air::{Air, ask};
use base::{CellId, FlowId, Named, PacketId, Seed, StationId, Time};
use contract::{Contract, Desk};
use engine::{Timer, Wake};
use net::{Arrival, DropReason, Fate, Interfaces, Pool};
use radio::HazardTables;
use report::Survey;

/// Shared media: a cell in which all hear all, all cells on a channel, an 802.16 cell, a wired LAN.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    air: Air,
    id: CellId,
    /// The end of the run.
    horizon: Time,
    /// The timer of its next start.
    start_timer: Timer,
    /// By station: flows that keep it saturated, and the stations that they send to.
    saturated: Vec<Vec<(FlowId, StationId)>>,
    /// By station: packets lost there since the measurement began, by reason.
    lost: Vec<[u64; DropReason::ALL.len()]>,
    /// By station: what its network layer adds to packets that begin there, bytes.
    routing_header: Vec<u32>,
    /// Packets between network layers and interfaces, where that takes time.
    link_layer: Option<Box<LinkLayer>>,
}

impl Element {
    /// Makes the shared media of these parts of a plan, at time zero.
    pub fn new(plan: &Plan, parts: &[Part<'_>], seed: Seed, hazards: &HazardTables) -> Element {
        let stations = parts.iter().map(|part| part.stations.len()).sum();
        Element {
            air: Air::build(plan, parts, seed, hazards),
            id: parts[0].element,
            horizon: Time::ZERO + plan.duration,
            start_timer: Timer::default(),
            saturated: vec![Vec::new(); stations],
            lost: vec![Default::default(); stations],
            routing_header: parts.iter().flat_map(Part::routing_headers).collect(),
            link_layer: LinkLayer::new(parts).map(Box::new),
        }
    }

    // Its stations' interfaces.

    /// Offers a packet to the queue of the first station for the second, and brings its event in line with that. Where disciplines
    /// have decided about packets, they are to be heard before: `Some`, with whether this one gets a congestion mark.
    #[inline(always)]
    pub fn offer(
        &mut self,
        cx: &mut Cx<impl Noting>,
        way: (StationId, StationId),
        arrival: &Arrival<'_>,
        pool: &Pool,
    ) -> Result<Option<bool>, DropReason> {
        let Element { id, horizon, .. } = *self;
        let now = cx.now;
        let due = ask!(&mut self.air, element => {
            let marks = element.offer(now, way, arrival)?;
            if marks || !element.fates().is_empty() {
                return Ok(Some(marks));
            }
            element.due(&mut Desk { cx: cx.lent(), id, pool, horizon })
        });
        self.set_start(cx, due);
        Ok(None)
    }

    /// The decisions of disciplines about waiting packets.
    #[inline(always)]
    pub fn fates(&mut self) -> &mut Vec<(StationId, PacketId, Fate)> {
        ask!(&mut self.air, element => element.fates())
    }

    // Turns.

    /// Brings its event in line with its next turn.
    #[inline(always)]
    pub fn arm(&mut self, cx: &mut Cx<impl Noting>, pool: &Pool) {
        let Element { id, horizon, .. } = *self;
        let desk = &mut Desk { cx: cx.lent(), id, pool, horizon };
        let due = ask!(&mut self.air, element => element.due(desk));
        self.set_start(cx, due);
    }

    /// An event has been carried on, or the run begins: what it waits for is put in the agenda.
    #[inline(always)]
    pub fn settle(&mut self, cx: &mut Cx<impl Noting>, pool: &Pool) {
        let Element { id, horizon, .. } = *self;
        let desk = &mut Desk { cx: cx.lent(), id, pool, horizon };
        let due = ask!(&mut self.air, element => {
            element.settle(desk);
            element.due(desk)
        });
        self.set_start(cx, due);
    }

    #[inline(always)]
    fn set_start(&mut self, cx: &mut Cx<impl Noting>, due: Time) {
        if let Some(at) = self.start_timer.set(due) {
            self.schedule_start(cx, at);
        }
    }

    #[inline(always)]
    fn schedule_start(&self, cx: &mut Cx<impl Noting>, at: Time) {
        let phase = ask!(&self.air, element => element.start_phase());
        cx.schedule(at, phase, Event::Start(self.id));
    }

    /// Does what is due now, unless that has been moved.
    #[inline(always)]
    pub fn handle(
        &mut self,
        cx: &mut Cx<impl Noting>,
        due: Due,
        pool: &Pool,
        out: &mut Out,
    ) -> Came {
        if due == Due::Start {
            match self.start_timer.wake(cx.now) {
                Wake::Fire => {}
                Wake::Stale => return Came::Nothing,
                Wake::Later(at) => {
                    self.schedule_start(cx, at);
                    return Came::Nothing;
                }
            }
        }
        let Element { id, horizon, .. } = *self;
        let desk = &mut Desk { cx: cx.lent(), id, pool, horizon };
        ask!(&mut self.air, element => element.handle(due, desk, out))
    }

    /// Tells a probe how many packets wait where those from one station to the other do.
    #[inline]
    pub fn note_queue(&self, cx: &mut Cx<impl Noting>, way: (StationId, StationId)) {
        let cell = self.id;
        cx.note(|| {
            let (queue, packets) = ask!(&self.air, element => element.queue(way));
            Note::Queue { cell, queue: queue as u32, packets: packets as u32 }
        });
    }

    // The network layer of its stations.

    /// The header that a station's network layer adds to packets that begin there, bytes.
    #[inline]
    pub fn routing_header(&self, station: StationId) -> u32 {
        self.routing_header[station.index()]
    }

    /// The link layers of its stations, where packets take time in them.
    #[inline]
    pub fn link_layer(&mut self) -> Option<&mut LinkLayer> {
        self.link_layer.as_deref_mut()
    }

    /// A packet is lost at a station.
    #[inline]
    pub fn count_lost(&mut self, station: StationId, reason: DropReason) {
        self.lost[station.index()][reason as usize] += 1;
    }

    /// Adds what was measured of one of its parts up to the end of the run.
    pub fn report(&mut self, plan: &Plan, part: &Part<'_>, measured_s: f64, into: &mut Reports) {
        let (names, lost, roams) = (&*plan.nodes, &*self.lost, plan.roams());
        let survey = Survey { part, names, lost, end: self.horizon, measured_s, roams };
        ask!(&mut self.air, element => element.report(&survey, into));
    }

    pub fn begin_measurement(&mut self, cx: &Cx<impl Noting>) {
        ask!(&mut self.air, element => element.begin_measurement(cx.now));
        self.lost.fill(Default::default());
    }

    // Flows that keep a station busy.

    /// The number of flows that keep a station busy.
    #[inline]
    pub fn saturating(&self, station: StationId) -> usize {
        self.saturated[station.index()].len()
    }

    /// The flow that keeps a station busy in this turn; another begins the next round.
    pub fn saturating_in(&mut self, station: StationId, turn: usize) -> FlowId {
        let flows = &mut self.saturated[station.index()];
        let (flow, _) = flows[turn];
        flows.rotate_left(1);
        flow
    }

    /// The flow of this turn, and how many packets it has too few there for aggregates.
    pub fn lacking(&self, station: StationId, turn: usize) -> (FlowId, usize) {
        let (flow, to) = self.saturated[station.index()][turn];
        let coming = self.coming(station);
        (flow, ask!(&self.air, element => element.lacking((station, to), flow, coming)))
    }

    /// Packets that wait at a station, or are on their way to its queue.
    #[inline(always)]
    pub fn backlog(&self, station: StationId) -> usize {
        ask!(&self.air, element => element.waiting(station)) + self.coming(station)
    }

    /// Packets on their way to the queue of a station.
    fn coming(&self, station: StationId) -> usize {
        self.link_layer.as_ref().map_or(0, |layer| layer.coming(station))
    }

    /// True where its saturated sources keep more than one packet waiting.
    #[inline]
    pub fn keeps_many(&self) -> bool {
        match &self.air {
            Air::Qos(_) => true,
            Air::Medium(medium) => medium.access().is_some(),
            _ => false,
        }
    }

    pub fn begin_saturating(&mut self, (from, to): (StationId, StationId), flow: FlowId) {
        self.saturated[from.index()].push((flow, to));
    }

    pub fn end_saturating(&mut self, station: StationId, flow: FlowId) {
        self.saturated[station.index()].retain(|&(other, _)| other != flow);
    }
}
