//! One 802.16 cell: a base station, which schedules all transmissions, and its subscriber stations.
//!
//! The world asks for the moment of the next decision ([`Cell::next_decision`]): the start of a frame, its region of
//! requests, the start of each burst of the uplink. Packets that a decision puts on the air arrive later, one after the
//! other ([`Cell::next_arrival`]). Decisions see what came before their instant: they are the first events of it.

mod burst;
mod down;
mod grants;
mod map;
mod told;
mod up;

use told::Sender;
pub use told::{Filled, FramePart, Request, Served, Told, Use};

use crate::allot::Allotment;
use crate::config::{
    EntryConfig, FrameConfig, PduConfig, RequestConfig, Scheduling, ServiceConfig, SubscriberConfig,
};
use crate::connection::Connection;
use crate::entry::{Entry, EntryTimes};
use crate::errors::{ErrorChannels, ErrorConfig};
use crate::frame::Layout;
use crate::landed::{BASE, Landed};
use crate::phy::{Clock, Coding, Way};
use crate::schedule::Scheduler;
use crate::signal::{Signal, SignalConfig};
use crate::stats::{Begun, FrameStats, StationStats};
use crate::subscriber::{Streams, Subscriber};
use base::{PacketId, Seed, StationId, Time};
use net::{Arrival, DropReason, Fate, Interfaces, QueueStats};
use std::collections::VecDeque;

/// Configuration of a cell.
#[derive(Clone, Debug)]
pub struct CellConfig {
    /// The frame.
    pub frame: FrameConfig,
    /// PDUs.
    pub pdus: PduConfig,
    /// Requests.
    pub requests: RequestConfig,
    /// Packet error model.
    pub errors: ErrorConfig,
    /// Places and powers, where burst profiles or losses hang on them.
    pub signal: Option<SignalConfig>,
    /// Network entry of stations; `None`: all are in the network from the start.
    pub entry: Option<EntryConfig>,
    /// Schedulers of the downlink and the uplink.
    pub schedulers: (Scheduling, Scheduling),
    /// Service flows beside best effort.
    pub services: Vec<ServiceConfig>,
    /// The subscriber stations: [`StationId`] 1 and on. The base station is 0.
    pub subscribers: Vec<SubscriberConfig>,
}

impl CellConfig {
    /// The layout of its frames, where contention is priced at the most robust burst profile of its stations.
    pub fn layout(&self) -> Layout {
        let profiles = self.subscribers.iter().map(|station| station.up);
        let robust = profiles.min_by_key(|up| up.bytes()).unwrap_or(self.frame.broadcast);
        Layout::new(&self.frame, &self.requests, robust)
    }
}

/// A burst of the present frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapElement {
    /// The subscriber station.
    pub station: StationId,
    /// Its first symbol, counted from the start of its direction.
    pub start: u32,
    /// Number of symbols, preamble included.
    pub symbols: u32,
}

/// The next decision of the cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Decision {
    /// The next frame.
    Frame,
    /// Senders of requests.
    Requests,
    /// Contents of the grant with this number.
    Burst(usize),
}

/// A cell at work.
#[derive(Clone, Debug)]
pub struct Cell {
    pdus: PduConfig,
    requests: RequestConfig,
    layout: Layout,
    clock: Clock,
    /// The number of the present frame, and whether there has been one.
    frame: u64,
    has_begun: bool,
    /// T16 in frames.
    patience: u64,
    next: Decision,
    /// Time of the next decision.
    next_at: Time,
    subscribers: Vec<Subscriber>,
    errors: ErrorChannels,
    signal: Option<Box<Signal>>,
    entry: Option<Box<Entry>>,
    /// The services, best effort first.
    services: Vec<ServiceConfig>,
    /// Service numbers in the order of their priority.
    ranks: Vec<usize>,
    /// By flow: its service, where that is not best effort.
    service_of: Vec<u8>,
    /// By station: its share.
    weights: Vec<u32>,
    down: Side,
    up: Side,
    /// By station: bytes that it wants, while a direction is given out.
    wants: Vec<u64>,
    /// Downlink map of the present frame.
    down_map: Vec<MapElement>,
    up_map: Vec<MapElement>,
    /// Senders, by opportunity.
    contenders: Vec<Contender>,
    flying: VecDeque<Landed>,
    /// Marks and drops that queue disciplines applied to waiting packets.
    fates: Vec<(StationId, PacketId, Fate)>,
    /// Packets given up.
    dropped: Vec<(StationId, PacketId, DropReason)>,
    served: Vec<Served>,
    /// Opportunities of ranging in a frame.
    ranging: u32,
    /// Senders in the contention regions of this frame.
    senders: Vec<Sender>,
    stats: Begun<FrameStats>,
}

/// Working state for the allocation of one direction.
#[derive(Clone, Debug)]
struct Side {
    /// By station: burst profile and tail byte.
    codings: Vec<Coding>,
    /// By station: the signal does not carry its burst profile.
    deaf: Vec<bool>,
    /// By service.
    schedulers: Vec<Scheduler>,
    allotment: Allotment,
}

impl Side {
    fn new(codings: Vec<Coding>, rule: Scheduling, services: usize) -> Side {
        let schedulers = vec![Scheduler::new(rule, codings.len()); services];
        let (allotment, deaf) = (Allotment::new(codings.len()), vec![false; codings.len()]);
        Side { allotment, codings, deaf, schedulers }
    }
}

/// An opportunity of a region.
#[derive(Clone, Copy, Debug, Default)]
struct Contender {
    senders: u32,
    /// The last of them, and for which service.
    station: usize,
    service: usize,
}

impl Interfaces for Cell {
    #[inline]
    fn offer(
        &mut self,
        now: Time,
        (from, to): (StationId, StationId),
        arrival: &Arrival<'_>,
    ) -> Result<bool, DropReason> {
        let fates = &mut self.fates;
        let told = |id, fate| fates.push((from, id, fate));
        let flow = arrival.packet.map_or(u32::MAX, |packet| packet.flow.0);
        let service = self.service_of.get(flow as usize).map_or(0, |&service| usize::from(service));
        if from == BASE {
            self.subscribers[to.index() - 1].down[service].offer(now, arrival, told)
        } else {
            self.subscribers[from.index() - 1].up[service].connection.offer(now, arrival, told)
        }
    }

    fn fates(&mut self) -> &mut Vec<(StationId, PacketId, Fate)> {
        &mut self.fates
    }

    fn begin_measurement(&mut self, now: Time) {
        self.stats.begin_measurement(now);
        for subscriber in &mut self.subscribers {
            subscriber.stats.begin_measurement(now);
            subscriber.down.iter_mut().for_each(|down| down.begin_measurement(now));
            subscriber.up.iter_mut().for_each(|up| up.connection.begin_measurement(now));
        }
    }

    /// Nobody keeps such a station saturated.
    fn waiting(&self, _station: StationId) -> usize {
        0
    }
}

impl Cell {
    /// A cell before its first frame, which begins at time zero; `stream` numbers its base station's random numbers.
    pub fn new(config: &CellConfig, seed: Seed, stream: u64) -> Cell {
        let layout = config.layout();
        let count = config.subscribers.len();
        let mut services = vec![ServiceConfig::best_effort()];
        services.extend(config.services.iter().cloned());
        let mut ranks: Vec<usize> = (0..services.len()).collect();
        ranks.sort_by_key(|&i| services[i].class as u8);
        let subscriber = |(i, own): (usize, &SubscriberConfig)| {
            let streams = Streams { seed, station: stream + 1 + i as u64 };
            let mut subscriber =
                Subscriber::new(own, &services, (i, &config.frame, config.pdus.arq), streams);
            if config.entry.is_some() {
                subscriber.leave();
            }
            subscriber
        };
        let entry = |entry: &EntryConfig| {
            let rules = (&config.requests, config.frame.phy.frame, config.frame.ranging);
            Box::new(Entry::new(entry, rules, count, (seed, stream + 1)))
        };
        let (tail, own) = (config.frame.tail, &config.subscribers);
        let down = own.iter().map(|own| Coding { mcs: own.down, tail }).collect();
        let up = own.iter().map(|own| Coding { mcs: own.up, tail }).collect();
        let (down_rule, up_rule) = config.schedulers;
        Cell {
            pdus: config.pdus,
            requests: config.requests,
            clock: Clock::new(config.frame.phy, layout.down),
            layout,
            frame: 0,
            has_begun: false,
            patience: config.requests.timeout.0.div_ceil(config.frame.phy.frame.0),
            next: Decision::Frame,
            next_at: Time::ZERO,
            subscribers: config.subscribers.iter().enumerate().map(subscriber).collect(),
            errors: ErrorChannels::new(
                (&config.errors, config.pdus.arq.is_some()),
                count,
                seed,
                stream,
            ),
            entry: config.entry.as_ref().map(entry),
            signal: config
                .signal
                .as_ref()
                .map(|signal| Box::new(Signal::new(signal, config.frame.phy.bandwidth))),
            service_of: ServiceConfig::by_flow(&services),
            down: Side::new(down, down_rule, services.len()),
            up: Side::new(up, up_rule, services.len()),
            weights: own.iter().map(|own| own.weight).collect(),
            wants: vec![0; count],
            services,
            ranks,
            down_map: Vec::with_capacity(count),
            up_map: Vec::with_capacity(count),
            contenders: vec![Contender::default(); config.requests.opportunities as usize],
            flying: VecDeque::new(),
            fates: Vec::new(),
            dropped: Vec::new(),
            served: Vec::new(),
            ranging: config.frame.ranging,
            senders: Vec::with_capacity(count),
            stats: Begun::default(),
        }
    }

    /// Time at which [`Cell::decide`] is due.
    pub fn next_decision(&self) -> Time {
        self.next_at
    }

    fn time_of_next(&self) -> Time {
        match self.next {
            Decision::Frame => self.clock.next(),
            Decision::Requests => self.clock.up(self.layout.ranging),
            Decision::Burst(number) => self.clock.up(self.up_map[number].start),
        }
    }

    /// Returns true if the next decision is the contention region's.
    pub fn is_at_region(&self) -> bool {
        self.next == Decision::Requests
    }

    /// Decides what is due now.
    pub fn decide(&mut self, now: Time) {
        self.served.clear();
        match self.next {
            Decision::Frame => self.open_frame(now),
            Decision::Requests => self.hold_contention(now),
            Decision::Burst(number) => self.send_up(now, number),
        }
        self.next_at = self.time_of_next();
    }

    /// Time of the next packet's arrival.
    pub fn next_arrival(&self) -> Option<Time> {
        self.flying.front().map(|flying| flying.at)
    }

    /// The packet that comes to its end now.
    pub fn land(&mut self) -> Option<Landed> {
        let landed = self.flying.pop_front()?;
        let (way, station) =
            if landed.from == BASE { (Way::Down, landed.to) } else { (Way::Up, landed.from) };
        self.subscribers[station.index() - 1].stats.count(way, &landed);
        Some(landed)
    }

    /// Packets given up, and where.
    pub fn dropped(&mut self) -> &mut Vec<(StationId, PacketId, DropReason)> {
        &mut self.dropped
    }

    /// Queues that have given packets away in the last decision.
    pub fn served(&self) -> &[Served] {
        &self.served
    }

    /// Number of services of a station, best effort included.
    pub fn services(&self) -> usize {
        self.services.len()
    }

    /// Packets queued for a subscriber station, or at it, including the one in service.
    pub fn queued(&self, station: StationId, is_down: bool) -> usize {
        let subscriber = &self.subscribers[station.index() - 1];
        if is_down {
            subscriber.down.iter().map(Connection::packets).sum()
        } else {
            subscriber.up.iter().map(|up| up.connection.packets()).sum()
        }
    }

    /// The layout of its frames.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The bursts of the present frame: downlink and uplink.
    pub fn maps(&self) -> (&[MapElement], &[MapElement]) {
        (&self.down_map, &self.up_map)
    }

    /// Symbols of the frames that began before `now` since the measurement began.
    pub fn frame_stats_by(&self, now: Time) -> FrameStats {
        self.stats.before(now)
    }

    /// Counts of one subscriber station since the measurement began.
    pub fn stats(&self, station: StationId) -> &StationStats {
        &self.subscribers[station.index() - 1].stats
    }

    /// Network entry times of a subscriber station; `None` if it was in the network from the start.
    pub fn entry(&self, station: StationId) -> Option<&EntryTimes> {
        self.entry.as_ref().map(|entry| entry.times(station.index() - 1))
    }

    /// By service, best effort first: counts of the base station's queue for a subscriber station up to `now`, and of its own.
    pub fn queue_stats_by(
        &self,
        station: StationId,
        now: Time,
    ) -> impl Iterator<Item = (QueueStats, QueueStats)> {
        let subscriber = &self.subscribers[station.index() - 1];
        let queues = subscriber.down.iter().zip(&subscriber.up);
        queues.map(move |(down, up)| (down.queue_stats_by(now), up.connection.queue_stats_by(now)))
    }
}
