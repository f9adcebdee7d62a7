//! One radio channel on which each station hears what its place lets it hear.
//!
//! [`Cell`](crate::Cell) is the fast way for stations that all hear each other. Here every station senses, receives and
//! counts slots for itself, and an exchange is played frame by frame: hidden and exposed stations, several cells on one
//! channel and capture come out by themselves. Both share queues, counters, windows, durations and rules, and where all
//! hear all at the same strength both deliver the same packets at the same nanoseconds.
//!
//! A frame is heard from its first instant (no propagation delay) with the power of that instant to its end.

mod access;
mod air;
mod blame;
mod counter;
mod exchange;
mod frame;
mod node;
mod reach;
mod receiver;

pub use access::Access;
pub use reach::Propagation;
pub use receiver::{Reception, SinrConfig};

use crate::cell::Ended;
use crate::config::{MacConfig, PhyConfig};
use crate::station::{Station, StationStats};
use base::{PacketId, Purpose, Seed, Span, StationId, Time};
use frame::{Frames, Slot};
use net::{DropReason, QueueLimit, QueueStats};
use node::Node;
use radio::Modulation;
use radio::mobility::Mobility;
use reach::Reach;
use receiver::Hazards;

/// A station of a medium.
#[derive(Clone, Debug)]
pub struct Member {
    /// Where it is.
    pub place: Mobility,
    /// Timing, and the rates of its exchanges; an access point uses those of its partner.
    pub phy: PhyConfig,
    /// How its data frames and the answers to them are sent; read where reception is by SINR.
    pub modulations: (Modulation, Modulation),
    /// Rules and limits.
    pub mac: MacConfig,
    /// Its interface queue.
    pub queue: QueueLimit,
    /// Bytes added to packets that it sends.
    pub extra_bytes: u32,
    /// True for an access point.
    pub is_access_point: bool,
    /// The number of its random streams.
    pub stream: u64,
}

/// What a medium is made of.
#[derive(Clone, Debug)]
pub struct MediumConfig {
    /// All stations on this channel, of whatever cell.
    pub members: Vec<Member>,
    /// What happens to power on its way.
    pub propagation: Propagation,
    /// Transmit power with antenna gains, W.
    pub transmit_w: f64,
    /// How frames are received.
    pub reception: Reception,
}

/// What a medium waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// A data frame ends.
    Data(u16),
    /// Another frame ends.
    Control(u16),
    /// A station sends an answer, or data after a CTS.
    Answer(StationId),
    /// A station has waited in vain.
    Timeout(StationId),
}

/// What has come of an event.
#[derive(Clone, Debug, Default)]
pub struct Happened {
    /// A packet and the station that now has it.
    pub delivered: Option<(PacketId, StationId)>,
    /// Senders whose exchange has ended.
    pub ended: Vec<Ended>,
}

/// For how long somebody has transmitted.
#[derive(Clone, Copy, Debug, Default)]
struct Busy {
    on_air: u32,
    since: Time,
    until: Time,
    time: Span,
}

/// A medium at work.
#[derive(Clone, Debug)]
pub struct Medium {
    nodes: Vec<Node>,
    stations: Vec<Station>,
    /// By station: when it begins to transmit, if nothing comes in between.
    starts: Vec<Time>,
    next_start: Time,
    frames: Frames,
    reach: Reach,
    reception: Reception,
    hazards: Hazards,
    busy: Busy,
    dues: Vec<(Time, Due)>,
    winners: Vec<StationId>,
}

impl Medium {
    /// A quiet medium.
    pub fn new(config: &MediumConfig, seed: Seed) -> Medium {
        let members = &config.members;
        let places: Vec<Mobility> = members.iter().map(|member| member.place.clone()).collect();
        let power = (config.transmit_w, config.reception.floor_w());
        let owner = members.first().map_or(0, |member| (member.stream >> 16) as u32);
        let node =
            |member: &Member| Node::new(member, seed.keyed(Purpose::ChannelError, member.stream));
        let station = |member: &Member| {
            let rng = seed.stream(Purpose::Backoff, member.stream);
            Station::new(member.queue, (member.phy.cw_min, member.phy.cw_max), rng)
        };
        let modulations: Vec<Modulation> = members
            .iter()
            .flat_map(|member| [member.modulations.0, member.modulations.1])
            .collect();
        Medium {
            nodes: members.iter().map(node).collect(),
            stations: members.iter().map(station).collect(),
            starts: vec![Time::NEVER; members.len()],
            next_start: Time::NEVER,
            frames: Frames::new(members.len()),
            reach: Reach::new(config.propagation, power, &places, (seed, owner)),
            reception: config.reception,
            hazards: match &config.reception {
                Reception::Thresholds(_) => Hazards::default(),
                Reception::Sinr(sinr) => Hazards::new(sinr.model, &modulations),
            },
            busy: Busy::default(),
            dues: Vec::new(),
            winners: Vec::new(),
        }
    }

    /// Offers a packet of `bytes` (network layer) to the interface queue of `from`.
    ///
    /// # Errors
    /// [`DropReason::Queue`] where it is full.
    pub fn enqueue(
        &mut self,
        now: Time,
        from: StationId,
        to: StationId,
        (id, bytes): (PacketId, u32),
    ) -> Result<(), DropReason> {
        self.stations[from.index()].offer(now, to, id, bytes)?;
        if self.load(now, from) {
            self.contend(now, from);
            self.settle();
        }
        Ok(())
    }

    /// When [`Medium::on_start`] is due, if nothing comes in between.
    pub fn next_start(&self) -> Time {
        self.next_start
    }

    /// What must be scheduled since the last call: take all.
    pub fn dues(&mut self) -> std::vec::Drain<'_, (Time, Due)> {
        self.dues.drain(..)
    }

    /// One or several stations begin, at [`Medium::next_start`].
    pub fn on_start(&mut self, now: Time) {
        let mut winners = std::mem::take(&mut self.winners);
        let begin = (0..self.starts.len()).filter(|&i| self.starts[i] == now);
        winners.extend(begin.map(|i| StationId(i as u32)));
        for &station in &winners {
            self.nodes[station.index()].counter.begin();
        }
        self.begin_exchanges(&winners, now);
        winners.clear();
        self.winners = winners;
        self.settle();
    }

    /// Something else is due.
    pub fn on_due(&mut self, now: Time, due: Due, happened: &mut Happened) {
        match due {
            Due::Data(slot) | Due::Control(slot) => self.end_frame(slot, now, happened),
            Due::Answer(station) => self.answer(station, now),
            Due::Timeout(station) => self.time_out(station, now, happened),
        }
        self.settle();
    }

    /// How many packets wait at `station` behind the one in service.
    pub fn waiting(&self, station: StationId) -> usize {
        self.stations[station.index()].waiting()
    }

    /// Counts of one station and of its queue since the measurement began.
    pub fn stats(&self, station: StationId) -> (&StationStats, &QueueStats) {
        let station = &self.stations[station.index()];
        (&station.stats, &station.queue_stats)
    }

    /// Time for which somebody transmitted up to `now` since the measurement began; the SIFS between two frames counts.
    pub fn busy_by(&self, now: Time) -> Span {
        let running = if self.busy.on_air > 0 { now.since(self.busy.since) } else { Span::ZERO };
        self.busy.time + running
    }

    /// Forgets the counts so far: the warm-up is over at `now`.
    pub fn begin_measurement(&mut self, now: Time) {
        self.busy.time = Span::ZERO;
        self.busy.since = now;
        for station in &mut self.stations {
            station.begin_measurement();
        }
    }

    fn load(&mut self, now: Time, station: StationId) -> bool {
        let node = &self.nodes[station.index()];
        self.stations[station.index()].load(now, &node.mac, node.extra_bytes)
    }

    /// A station that had nothing to send has something now.
    fn contend(&mut self, now: Time, station: StationId) {
        let (node, rest) = (&mut self.nodes[station.index()], &mut self.stations[station.index()]);
        let range = node.mac.backoff;
        node.request(now, || rest.draw_backoff(range));
        self.note_start(station);
    }

    fn note_start(&mut self, station: StationId) {
        let node = &self.nodes[station.index()];
        self.starts[station.index()] = node.counter.start(node.slot);
    }

    /// Works out the next start.
    fn settle(&mut self) {
        self.next_start = self.starts.iter().copied().min().unwrap_or(Time::NEVER);
    }

    fn schedule(&mut self, at: Time, due: Due) {
        self.dues.push((at, due));
    }

    fn end_due(kind: frame::Kind, slot: Slot) -> Due {
        if kind == frame::Kind::Data { Due::Data(slot) } else { Due::Control(slot) }
    }
}
