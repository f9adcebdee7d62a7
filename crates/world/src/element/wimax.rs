//! 802.16 cells.

use super::contract::{Came, Contract, Desk, Due, Out};
use super::report::{Reports, Survey};
use crate::cx::Noting;
use crate::note::Note;
use crate::plan::{Part, Technology, WimaxPlan};
use base::{Seed, StationId, Time};
use engine::Phase;
use net::{DropReason, Hop, Topology};
use wimax::{BASE, Cell, Landed, Served, Told};

/// The streams of 802.16 cells are numbered apart from those of 802.11.
const STREAMS: u64 = 1 << 63;

/// A cell before its first frame.
pub(super) fn cell(plan: &WimaxPlan, part: &Part<'_>, seed: Seed) -> Cell {
    let mut config = plan.config.clone();
    if let Some(signal) = &mut config.signal {
        for (place, node) in signal.places.iter_mut().zip(part.stations) {
            *place = place.of(seed, node.0);
        }
    }
    Cell::new(&config, seed, STREAMS | (part.number as u64) << 32)
}

/// The air between the base station and each subscriber station.
pub(super) fn connect(part: &Part<'_>, topology: &mut Topology) {
    let (cell, base) = (part.element, part.stations[0]);
    for (there, node) in part.numbered().skip(1) {
        topology.connect(base, node, Hop::Air { cell, from: BASE, to: there });
        topology.connect(node, base, Hop::Air { cell, from: there, to: BASE });
    }
}

impl Contract for Cell {
    #[inline]
    fn due(&mut self, _desk: &mut Desk<'_, impl Noting>) -> Time {
        self.next_decision()
    }

    fn start_phase(&self) -> Phase {
        Phase::Frame
    }

    #[inline]
    fn handle(&mut self, due: Due, desk: &mut Desk<'_, impl Noting>, out: &mut Out) -> Came {
        match due {
            Due::Start => decide(self, desk, out),
            _ => return land(self, desk, out),
        }
        Came::More
    }

    fn queue(&self, (from, to): (StationId, StationId)) -> (usize, usize) {
        queue_of(self, from.max(to), from == BASE)
    }

    /// The queues are of each subscriber station and service, best effort first, the base station's and its own.
    fn report(&mut self, of: &Survey<'_>, into: &mut Reports) {
        let Technology::Wimax(plan) = of.part.technology else { return };
        into.wimax.push(self.outcome(plan.config.frame.phy, &of.whole()));
        let base = of.stations().next().map_or_else(String::new, |base| base.1.name);
        for (station, reported) in of.stations().skip(1) {
            let (cell, name) = (&reported.of, &reported.name);
            for (service, (down, up)) in self.queue_stats_by(station, of.end).enumerate() {
                let service = if service == 0 { String::new() } else { format!(":{service}") };
                into.queues.push((format!("{cell}/{base}>{name}{service}"), down));
                into.queues.push((format!("{cell}/{name}{service}"), up));
            }
            into.subscribers.push(self.subscriber_outcome(station, reported));
        }
    }
}

/// The queues of a station are known to probes by that of best effort, for all its services.
fn queue_of(cell: &Cell, station: StationId, is_down: bool) -> (usize, usize) {
    let first = 2 * cell.services() * (station.index() - 1);
    (first + usize::from(!is_down), cell.queued(station, is_down))
}

/// Lets the base station decide the next transmissions.
fn decide(cell: &mut Cell, desk: &mut Desk<'_, impl Noting>, out: &mut Out) {
    // Of the frame that begins with the last instant nothing is sent.
    let is_sent = desk.now() < desk.horizon;
    let (is_landing, was_at_region) = (cell.next_arrival().is_some(), cell.is_at_region());
    cell.decide(desk.now());
    if desk.is_noting() {
        let mut tell = |told| desk.note(|cell| Note::Frames { cell, told });
        if is_sent && cell.is_at_region() {
            cell.map(|part| tell(Told::Part(part)));
        }
        if was_at_region {
            cell.requests(|request| tell(Told::Asked(request)));
        }
    }
    // One event serves for everything on the air.
    if let Some(at) = cell.next_arrival().filter(|_| !is_landing) {
        desk.wake(at, Phase::Arrival, Due::Arrival);
    }
    std::mem::swap(cell.dropped(), &mut out.lost);
    if desk.is_noting() {
        for &Served { station, is_down, burst } in cell.served() {
            if let Some(burst) = burst.filter(|_| is_sent) {
                desk.note(|cell| Note::Frames { cell, told: Told::Filled(station, burst) });
            }
            let (queue, packets) = queue_of(cell, station, is_down);
            desk.note(|cell| Note::Queue { cell, queue: queue as u32, packets: packets as u32 });
        }
    }
}

/// Ends the transmission on the air.
fn land(cell: &mut Cell, desk: &mut Desk<'_, impl Noting>, out: &mut Out) -> Came {
    let landed = cell.land();
    if let Some(at) = cell.next_arrival() {
        desk.wake(at, Phase::Arrival, Due::Arrival);
    }
    let Some(Landed { id, from, to, is_lost, first_since, known_since, began, .. }) = landed else {
        return Came::Nothing;
    };
    desk.note(|_| Note::Carried { id, first_since, known_since: Some(known_since), began });
    if !is_lost {
        return Came::Arrived(id, to);
    }
    out.lost.push((from, id, DropReason::Air));
    Came::More
}
