//! What is on the air: cells in which all hear all, and channels on which each station hears what it can.

use crate::event::Event;
use crate::note::Note;
use crate::plan::{CellPlan, MediumPlan, Plan};
use crate::world::World;
use base::{CellId, PacketId, Seed, Span, StationId, Time};
use engine::{Phase, Probe};
use net::{Arrival, DropReason, Fate, Pool, QueueStats};
use radio::mobility::Mobility;
use wifi::mlme::Role;
use wifi::{
    Cell, CellConfig, Channel, Due, Ended, Exchange, Heard, Medium, MediumConfig, Member,
    Reception, Sent, StationStats, Witness,
};

/// One of both, at work. A world has few, so the size of the larger matters less than a step through a pointer.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "few of them, and on the packet path")]
pub(crate) enum Air {
    /// All hear all.
    Cell(Cell),
    /// Each hears what it can; the stations of all cells on the channel, one cell after the other.
    Medium(Medium),
}

/// What the start of a turn asks the world to schedule.
pub(crate) enum Started {
    /// An exchange decided whole.
    Exchange(Exchange),
    /// Frames whose ends are among [`Medium::dues`].
    Frames,
}

impl Air {
    #[inline(always)]
    pub fn enqueue(
        &mut self,
        now: Time,
        from: StationId,
        to: StationId,
        arrival: &Arrival<'_>,
    ) -> Result<bool, DropReason> {
        match self {
            Air::Cell(cell) => cell.enqueue(now, from, to, arrival),
            Air::Medium(medium) => medium.enqueue(now, from, to, arrival),
        }
    }

    /// What the disciplines of queues have done to packets that waited.
    #[inline(always)]
    pub fn fates(&mut self) -> &mut Vec<(StationId, PacketId, Fate)> {
        match self {
            Air::Cell(cell) => cell.fates(),
            Air::Medium(medium) => medium.fates(),
        }
    }

    pub fn next_start(&self) -> Time {
        match self {
            Air::Cell(cell) => cell.next_start(),
            Air::Medium(medium) => medium.next_start(),
        }
    }

    #[inline(always)]
    pub fn on_start<W: Witness>(&mut self, now: Time, witness: &mut W) -> Started {
        match self {
            Air::Cell(cell) => Started::Exchange(cell.on_start(witness)),
            Air::Medium(medium) => {
                medium.on_start(now, witness);
                Started::Frames
            }
        }
    }

    pub fn on_data_end(&mut self) -> Option<(PacketId, StationId)> {
        match self {
            Air::Cell(cell) => cell.on_data_end(),
            Air::Medium(_) => None,
        }
    }

    #[inline(always)]
    pub fn on_end(&mut self, now: Time, ended: &mut Vec<Ended>) {
        if let Air::Cell(cell) = self {
            cell.on_end(now, ended);
        }
    }

    pub fn waiting(&self, station: StationId) -> usize {
        match self {
            Air::Cell(cell) => cell.waiting(station),
            Air::Medium(medium) => medium.waiting(station),
        }
    }

    pub fn stats(&self, station: StationId) -> &StationStats {
        match self {
            Air::Cell(cell) => cell.stats(station),
            Air::Medium(medium) => medium.stats(station),
        }
    }

    pub fn queue_stats_by(&self, station: StationId, now: Time) -> QueueStats {
        match self {
            Air::Cell(cell) => cell.queue_stats_by(station, now),
            Air::Medium(medium) => medium.queue_stats_by(station, now),
        }
    }

    pub fn airtime_by(&self, station: StationId, now: Time) -> Span {
        match self {
            Air::Cell(cell) => cell.airtime_by(station, now),
            Air::Medium(medium) => medium.airtime_by(station, now),
        }
    }

    /// For how long a channel was taken; a cell in which all hear all has but one.
    pub fn busy_by(&self, channel: Channel, now: Time) -> Span {
        match self {
            Air::Cell(cell) => cell.busy_by(now),
            Air::Medium(medium) => medium.busy_by(channel, now),
        }
    }

    pub fn begin_measurement(&mut self, now: Time) {
        match self {
            Air::Cell(cell) => cell.begin_measurement(now),
            Air::Medium(medium) => medium.begin_measurement(now),
        }
    }
}

/// Passes what a witness is told on to a probe, with the packets that frames carry.
pub(crate) struct Told<'a, P> {
    pub now: Time,
    pub cell: CellId,
    pub pool: &'a Pool,
    pub probe: &'a mut P,
}

impl<P: Probe<Note>> Witness for Told<'_, P> {
    #[inline]
    fn sent(&mut self, frame: impl FnOnce() -> Sent) {
        let (cell, pool) = (self.cell, self.pool);
        self.probe.record(self.now, || {
            let frame = frame();
            Note::FrameSent { cell, frame, packet: frame.opens.map(|id| pool[id]) }
        });
    }

    #[inline]
    fn heard(&mut self, by: impl Iterator<Item = Heard>) {
        let cell = self.cell;
        if P::ON {
            by.for_each(|heard| self.probe.record(self.now, || Note::FrameHeard { cell, heard }));
        }
    }
}

/// Which cells are on the air together, and where each cell's stations stand among all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AirMap {
    /// By element of the air: its cells, by position in the plan.
    pub elements: Vec<Vec<usize>>,
    /// By cell: its element, and the number of its first station there.
    pub of_cell: Vec<(CellId, u32)>,
}

impl Plan {
    /// Cells with a medium and the same channel are on the air together, whatever the channel where stations go from one
    /// to another; every other cell is alone.
    pub fn air_map(&self) -> AirMap {
        let mut map = AirMap::default();
        let channel = |i: usize| {
            let medium = self.cells[i].medium.as_ref();
            medium.filter(|_| !self.roams()).map(|medium| medium.channel)
        };
        for (i, cell) in self.cells.iter().enumerate() {
            let shares =
                |element: &Vec<usize>| cell.medium.is_some() && channel(element[0]) == channel(i);
            let element = map.elements.iter().position(shares).unwrap_or_else(|| {
                map.elements.push(Vec::new());
                map.elements.len() - 1
            });
            let before = map.elements[element].iter().map(|&i| self.cells[i].stations.len() as u32);
            map.of_cell.push((CellId(element as u32), before.sum()));
            map.elements[element].push(i);
        }
        map
    }

    /// True where stations look for their access point.
    pub fn roams(&self) -> bool {
        self.association.as_ref().is_some_and(|association| association.stations.is_some())
    }

    fn role(&self, cell: usize, is_access_point: bool) -> Role {
        let Some(association) = &self.association else { return Role::None };
        let Some(Some(access_point)) = association.access_points.get(cell) else {
            return Role::None;
        };
        match &association.stations {
            _ if is_access_point => Role::AccessPoint(*access_point),
            Some(config) => Role::Client(config.clone()),
            None => Role::None,
        }
    }

    /// The element of the air that these cells share, at time zero.
    pub(crate) fn build_air(&self, cells: &[usize], seed: Seed) -> Air {
        let (&[first, ..], Some(medium)) = (cells, &self.cells[cells[0]].medium) else {
            return Air::Cell(build_cell(&self.cells[cells[0]], seed, cells[0]));
        };
        if cells.len() == 1
            && self.association.is_none()
            && self.mobile_ip.is_none()
            && medium.is_level()
        {
            return Air::Cell(build_cell(&self.cells[first], seed, first));
        }
        let config = MediumConfig {
            members: cells.iter().flat_map(|&i| self.members(i, seed)).collect(),
            propagation: medium.propagation,
            transmit_w: medium.transmit_w,
            reception: medium.reception,
        };
        Air::Medium(Medium::new(&config, seed))
    }
}

impl Plan {
    fn members(&self, index: usize, seed: Seed) -> impl Iterator<Item = Member> {
        let plan = &self.cells[index];
        let places = plan.medium.iter().flat_map(|medium| &medium.places);
        places.zip(&plan.configs).enumerate().map(move |(i, (place, station))| {
            let is_access_point = plan.access_point == Some(StationId(i as u32));
            Member {
                place: place.of(seed, plan.stations[i].0),
                station: station.clone(),
                is_access_point,
                stream: (index as u64) << 32 | i as u64,
                channel: plan.channel_number(),
                role: self.role(index, is_access_point),
            }
        })
    }
}

impl CellPlan {
    /// Its radio channel.
    pub fn channel_number(&self) -> Channel {
        self.medium.as_ref().map_or(0, |medium| medium.channel)
    }

    /// By station: what its network layer adds to packets that begin there, bytes.
    pub(crate) fn routing_headers(&self) -> Vec<u32> {
        let mut headers = vec![self.routing_header; self.stations.len()];
        if let Some(access_point) = self.access_point {
            headers[access_point.index()] = 0;
        }
        headers
    }
}

impl MediumPlan {
    /// True where all stations rest, decode each other whatever happens, and cannot capture: then the cell in which all
    /// hear all gives the same packets at the same nanoseconds.
    pub fn is_level(&self) -> bool {
        let Reception::Thresholds(thresholds) = self.reception else { return false };
        let mut spots = Vec::new();
        for place in &self.places {
            let Mobility::Track(track) = place else { return false };
            let rests = track.legs().len() == 1 && track.legs()[0].velocity.squared() == 0.0;
            if !rests {
                return false;
            }
            spots.push(track.position(Time::ZERO));
        }
        let even = |at: usize| {
            let others = (0..spots.len()).filter(|&i| i != at);
            let power =
                |i: usize| self.transmit_w * self.propagation.path_loss.gain(spots[i], spots[at]);
            let (low, high) = others
                .map(power)
                .fold((f64::INFINITY, 0.0), |(low, high), w| (w.min(low), w.max(high)));
            low >= thresholds.receive_w && high / low < thresholds.capture_ratio
        };
        self.propagation.is_steady() && (0..spots.len()).all(even)
    }
}

fn build_cell(plan: &CellPlan, seed: Seed, index: usize) -> Cell {
    let config = CellConfig {
        stations: plan.configs.clone(),
        access_point: plan.access_point,
        channel: plan.channel,
        state_per: plan.state_per,
        fec: plan.fec,
    };
    Cell::new(&config, seed, CellId(index as u32))
}

impl World {
    /// Something that a medium has waited for.
    pub(crate) fn on_medium<P: Probe<Note>>(
        &mut self,
        now: Time,
        (id, due): (CellId, Due),
        probe: &mut P,
    ) {
        let mut happened = std::mem::take(&mut self.happened);
        if let Air::Medium(medium) = &mut self.cells[id.index()].air {
            let mut witness = Told { now, cell: id, pool: &self.pool, probe };
            medium.on_due(now, due, &mut happened, &mut witness);
        }
        if let Some((packet, at)) = happened.delivered.take() {
            self.come_over_air(now, packet, (id, at), probe);
        }
        if let Some(packet) = happened.broadcast.take() {
            self.on_broadcast(now, packet, (id, &happened.hearers), probe);
            happened.hearers.clear();
        }
        self.after_exchanges(now, id, &happened.ended, probe);
        happened.ended.clear();
        if !happened.moves.is_empty() {
            self.after_moves(now, id, &mut happened, probe);
        }
        self.happened = happened;
        self.schedule_dues(id);
        self.arm_cell(id);
    }

    /// Puts in the agenda what a medium waits for.
    pub(crate) fn schedule_dues(&mut self, id: CellId) {
        let Air::Medium(medium) = &mut self.cells[id.index()].air else { return };
        for (at, due) in medium.dues() {
            let phase = match due {
                Due::Data(_) => Phase::Arrival,
                Due::Manage(_) => Phase::Timer,
                _ => Phase::Completion,
            };
            self.agenda.schedule(at, phase, Event::Medium(id, due).code());
        }
    }
}
