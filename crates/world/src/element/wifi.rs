//! 802.11: cells in which all hear all, and channels on which each station hears what it can.

use super::contract::{Came, Contract, Desk, Due, Out};
use super::report::{Reports, Survey};
use crate::cx::Noting;
use crate::note::Note;
use crate::plan::{CellPlan, Part, Plan, QosPlan, Technology};
use base::{CellId, FlowId, PacketId, Seed, Span, StationId, Time};
use engine::Phase;
use net::{Hop, QueueStats, Reported, Topology};
use radio::HazardTables;
use wifi::mlme::Role;
use wifi::qos::{AccessOutcome, Categories, QosCell, QosCellConfig, Stations};
use wifi::{
    Cell, CellConfig, Due as MediumDue, ErrorConfig, Exchange, Heard, Medium, MediumConfig, Member,
    MemberAccess, Sent, SentMpdu, StationOutcome, StationStats, Witness,
};

/// What stations of 802.11 share. A world has few, so the size of the larger matters less than a step through a pointer.
#[allow(clippy::large_enum_variant, reason = "few of them, and on the packet path")]
pub(super) enum Shared {
    /// One clock, and exchanges decided when they begin.
    Cell(Cell),
    /// Each station senses for itself.
    Medium(Medium),
    /// One clock, and aggregates.
    Qos(QosCell),
}

/// Builds what the stations of these cells share: a medium where what they hear can differ or change, else a cell.
pub(super) fn shared(
    plan: &Plan,
    parts: &[Part<'_>],
    seed: Seed,
    hazards: &HazardTables,
) -> Shared {
    let first = &plan.cells[parts[0].number];
    if let (Some(qos), None) = (&first.qos, &first.medium) {
        return Shared::Qos(qos_cell(plan, (qos, parts[0].number), seed));
    }
    let Some(medium) = &first.medium else {
        return Shared::Cell(cell(first, parts[0].number, seed));
    };
    let stays = plan.association.is_none() && plan.mobile_ip.is_none();
    let is_calm = stays && plan.routing.dsdv.is_none() && first.qos.is_none();
    if is_calm && parts.len() == 1 && medium.is_level() {
        return Shared::Cell(cell(first, parts[0].number, seed));
    }
    let config = MediumConfig {
        members: parts.iter().flat_map(|part| members(plan, part.number, seed)).collect(),
        propagation: medium.propagation,
        transmit_w: medium.transmit_w,
        reception: medium.reception,
        errors: errors(first),
        of_flow: categories(plan),
        hazards: hazards.clone(),
        end: Time::ZERO + plan.duration,
    };
    let mut medium = Medium::new(&config, seed);
    if is_calm && medium.has_one_clock(&config.members) {
        return Shared::Cell(Cell::refereed(medium, &config, seed));
    }
    medium.share_clocks(&config);
    Shared::Medium(medium)
}

/// Builds a cell in which all hear all.
fn cell(plan: &CellPlan, number: usize, seed: Seed) -> Cell {
    let config = CellConfig {
        stations: plan.configs.clone(),
        access_point: plan.access_point,
        errors: errors(plan),
    };
    Cell::new(&config, seed, CellId(number as u32))
}

/// Builds a cell with access categories.
fn qos_cell(plan: &Plan, (qos, number): (&QosPlan, usize), seed: Seed) -> QosCell {
    let cell = &plan.cells[number];
    let config = QosCellConfig {
        stations: cell.configs.clone(),
        categories: qos.categories.clone(),
        weights: qos.weights.clone(),
        accept_agreements: qos.accept_agreements.clone(),
        access_point: cell.access_point,
        errors: errors(cell),
        qos: qos.config,
        of_flow: categories(plan),
    };
    QosCell::new(&config, seed, CellId(number as u32))
}

/// The access categories of all flows.
fn categories(plan: &Plan) -> Categories {
    Categories::new(plan.flows.iter().map(|flow| flow.category).collect())
}

fn members(plan: &Plan, index: usize, seed: Seed) -> impl Iterator<Item = Member> {
    let cell = &plan.cells[index];
    let places = cell.medium.iter().flat_map(|medium| &medium.places);
    places.zip(&cell.configs).enumerate().map(move |(i, (place, station))| {
        let is_access_point = cell.access_point == Some(StationId(i as u32));
        Member {
            place: place.of(seed, cell.stations[i].0),
            station: station.clone(),
            is_access_point,
            stream: (index as u64) << 32 | i as u64,
            channel: cell.channel_number(),
            role: role(plan, index, is_access_point),
            access: cell.qos.as_ref().map(|qos| MemberAccess {
                categories: qos.categories[i],
                weight: qos.weights[i],
                accepts_agreements: qos.accept_agreements[i],
                qos: qos.config,
            }),
        }
    })
}

fn role(plan: &Plan, cell: usize, is_access_point: bool) -> Role {
    let Some(association) = &plan.association else { return Role::None };
    let Some(Some(access_point)) = association.access_points.get(cell) else {
        return Role::None;
    };
    match &association.stations {
        _ if is_access_point => Role::AccessPoint(*access_point),
        Some(config) => Role::Client(config.clone()),
        None => Role::None,
    }
}

/// Returns the bit error model of the channels of a cell.
fn errors(plan: &CellPlan) -> ErrorConfig {
    ErrorConfig { channel: plan.channel.clone(), state_per: plan.state_per, fec: plan.fec }
}

/// The air between each station and its access point (between all stations of an ad hoc cell). Packets come to a mobile node
/// of Mobile IP by its home agent alone.
pub(super) fn connect(plan: &Plan, part: &Part<'_>, topology: &mut Topology) {
    let (cell, access_point) = (part.element, part.access_point().map(|own| own.0));
    for (from, from_node) in part.numbered() {
        for (to, to_node) in part.numbered() {
            let joined = access_point.is_none_or(|ap| ap == from || ap == to);
            if from != to && joined && !plan.is_mobile(to_node) {
                topology.connect(from_node, to_node, Hop::Air { cell, from, to });
            }
        }
    }
}

impl Contract for Cell {
    #[inline(always)]
    fn due(&mut self, _desk: &mut Desk<'_, impl Noting>) -> Time {
        self.next_start()
    }

    #[inline(always)]
    fn handle(&mut self, due: Due, desk: &mut Desk<'_, impl Noting>, out: &mut Out) -> Came {
        match due {
            Due::Start => {
                let Exchange { data_end, end } = self.on_start(desk);
                if let Some(at) = data_end {
                    desk.wake(at, Phase::Arrival, Due::Arrival);
                }
                desk.wake(end, Phase::Completion, Due::End);
                Came::Nothing
            }
            Due::Arrival => {
                let delivery = self.on_data_end();
                if let Some(at) = self.next_data_end() {
                    desk.wake(at, Phase::Arrival, Due::Arrival);
                }
                delivery.map_or(Came::Nothing, |(id, at)| Came::Arrived(id, at))
            }
            _ => {
                if let Some(at) = self.on_end(desk.now(), &mut out.ended) {
                    desk.wake(at, Phase::Completion, Due::End);
                }
                Came::Ended
            }
        }
    }

    fn report(&mut self, of: &Survey<'_>, into: &mut Reports) {
        self.dismiss_referee();
        // All hear all: there is but one channel.
        let busy = self.busy_by(of.end);
        for (station, reported) in of.stations() {
            let queue = self.queue_stats_by(station, of.end);
            let times = (self.airtime_by(station, of.end), busy);
            report(of, reported, (self.stats(station), queue, times), into);
        }
    }
}

impl Contract for QosCell {
    fn due(&mut self, _desk: &mut Desk<'_, impl Noting>) -> Time {
        self.next_start()
    }

    fn settle(&mut self, desk: &mut Desk<'_, impl Noting>) {
        for at in self.alarms() {
            desk.wake(at, Phase::Completion, Due::Own(0));
        }
    }

    fn handle(&mut self, due: Due, desk: &mut Desk<'_, impl Noting>, out: &mut Out) -> Came {
        match due {
            Due::Start => {
                let Exchange { data_end, end } = self.on_start(out, desk);
                if let Some(at) = data_end {
                    desk.wake(at, Phase::Arrival, Due::Arrival);
                }
                desk.wake(end, Phase::Completion, Due::End);
                return Came::More;
            }
            Due::Own(_) => self.on_alarm(desk.now()),
            Due::Arrival => {
                if let Some(at) = self.on_landing(desk.now(), &mut out.landed) {
                    desk.wake(at, Phase::Arrival, Due::Arrival);
                }
            }
            _ => {
                if let Some(at) = self.on_end(desk.now(), out, desk) {
                    desk.wake(at, Phase::Completion, Due::End);
                }
            }
        }
        Came::More
    }

    fn lacking(&self, way: (StationId, StationId), flow: FlowId, coming: usize) -> usize {
        let stations = self.stations();
        stations.lacking(way, stations.category(flow), coming)
    }

    fn report(&mut self, of: &Survey<'_>, into: &mut Reports) {
        let busy = self.busy_by(of.end);
        for (station, reported) in of.stations() {
            let times = (self.airtime_by(station, of.end), busy);
            report_access(of, (station, reported), (self.stations(), times), into);
        }
    }
}

impl Contract for Medium {
    #[inline]
    fn due(&mut self, _desk: &mut Desk<'_, impl Noting>) -> Time {
        self.next_start()
    }

    #[inline]
    fn settle(&mut self, desk: &mut Desk<'_, impl Noting>) {
        self.each_due(|at, due| {
            let phase = match due {
                MediumDue::Data(_) | MediumDue::Mpdu(_) => Phase::Arrival,
                MediumDue::Manage(_) => Phase::Timer,
                _ => Phase::Completion,
            };
            desk.wake(at, phase, Due::Own(due.code()));
        });
    }

    #[inline]
    fn handle(&mut self, due: Due, desk: &mut Desk<'_, impl Noting>, out: &mut Out) -> Came {
        let now = desk.now();
        match due {
            Due::Own(code) => self.on_due(now, MediumDue::from_code(code), out, desk),
            _ => self.on_start(now, out, desk),
        }
        Came::More
    }

    fn lacking(&self, way: (StationId, StationId), flow: FlowId, coming: usize) -> usize {
        self.access().map_or(0, |all| all.lacking(way, all.category(flow), coming))
    }

    fn report(&mut self, of: &Survey<'_>, into: &mut Reports) {
        let Technology::Wifi(plan) = of.part.technology else { return };
        let busy = self.busy_by(plan.channel_number(), of.end);
        for (station, reported) in of.stations() {
            let times = (self.airtime_by(station, of.end), busy);
            if let Some(stations) = self.access() {
                report_access(of, (station, reported), (stations, times), into);
                continue;
            }
            let queue = self.queue_stats_by(station, of.end);
            report(of, reported, (self.stats(station), queue, times), into);
        }
    }
}

/// Adds what is counted of a station and of each of its access categories.
fn report_access(
    of: &Survey<'_>,
    (station, reported): (StationId, Reported),
    (stations, times): (&Stations, (Span, Span)),
    into: &mut Reports,
) {
    let mut all: Option<QueueStats> = None;
    for (category, stats) in stations.categories(station) {
        let queue = stations.queue_stats_by(station, category, of.end);
        all = Some(all.map_or(queue, |all| all.with(queue)));
        into.access.push(AccessOutcome::new(&reported, category, (stats, &queue)));
    }
    let queue = all.unwrap_or_default();
    report(of, reported, (&stations.stats(station), queue, times), into);
}

/// Adds what is counted of a station: its exchanges and its queue, for how long its exchanges took the air, and for how long
/// anybody took its channel.
fn report(
    of: &Survey<'_>,
    station: Reported,
    (stats, queue, times): (&StationStats, QueueStats, (Span, Span)),
    into: &mut Reports,
) {
    into.queues.push((format!("{}/{}", station.of, station.name), queue));
    into.stations.push(StationOutcome::new(station, stats, times, of.roams));
}

/// Tells a probe what is heard on the air, with the packets that frames carry.
impl<P: Noting> Witness for Desk<'_, P> {
    #[inline]
    fn sent(&mut self, frame: impl FnOnce() -> Sent) {
        let pool = self.pool;
        self.note(|cell| {
            let frame = frame();
            let packet = frame.opens.map(|id: PacketId| pool[id]);
            Note::FrameSent { cell, frame, packet }
        });
    }

    #[inline]
    fn msdu(&mut self, from: StationId, packet: PacketId) {
        let pool = self.pool;
        self.note(|cell| Note::MsduSent { cell, from, packet: pool[packet] });
    }

    #[inline]
    fn mpdu(&mut self, mpdu: SentMpdu) {
        self.note(|cell| Note::MpduSent { cell, mpdu });
    }

    #[inline]
    fn heard(&mut self, by: impl Iterator<Item = Heard>) {
        if self.is_noting() {
            by.for_each(|heard| self.note(|cell| Note::FrameHeard { cell, heard }));
        }
    }

    #[inline]
    fn is_listening(&self) -> bool {
        self.is_noting()
    }
}
