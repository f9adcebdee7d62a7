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
mod alone;
mod bits;
mod blame;
mod busy;
mod by_clock;
mod bystanders;
mod classes;
mod clock;
mod clusters;
mod collision;
mod config;
mod counter;
mod counters;
mod decoding;
mod each_mpdu;
mod ear;
mod edca;
mod employ;
mod event;
mod exchange;
mod frame;
mod functions;
mod glance;
mod handoff;
mod hazards;
mod links;
mod manage;
mod manager;
mod node;
mod one_clock;
mod parts;
mod places;
mod reach;
mod receiver;
mod referee;
mod settings;
mod solitude;
mod starts;
mod taken;
mod told;
mod tune;
mod verdict;

pub use access::Access;
pub(crate) use collision::Glance;
pub use config::{MediumConfig, Member, MemberAccess};
pub use event::{Due, Happened, MAX_MEDIUM_STATIONS, Move};
pub(crate) use hazards::Hazards;
pub(crate) use links::Links;
pub use links::Propagation;
pub(crate) use receiver::Levels;
pub use receiver::{Reception, SinrConfig};
pub(crate) use referee::{Begun, Lent, Referee};
pub use settings::{FadingName, LOWER_HZ, MediumSettings, PathLossName, ReceptionName, UPPER_HZ};
pub(crate) use verdict::Verdict;

use crate::errors::{ErrorChannels, Exposure};
use crate::mlme::Channel;
use crate::rates::Rates;
use crate::receiver::Receiver;
use crate::station::{Station, StationConfig, StationStats};
use crate::witness::Witness;
use base::{PacketId, Seed, Span, StationId, Time};
use busy::Busy;
use bystanders::Bystanders;
use classes::Classes;
use clusters::Clusters;
use edca::Edca;
use frame::Frames;
use manager::{Manager, Notice};
use net::{Arrival, DropReason, Fate, Interfaces, QueueStats};
use node::Node;
use radio::mobility::Mobility;
use solitude::Solitude;
use starts::Starts;

/// A medium at work.
#[derive(Clone, Debug)]
pub struct Medium {
    nodes: Vec<Node>,
    stations: Vec<Station>,
    rates: Rates,
    starts: Starts,
    /// Stations updated later; `None` if every station follows every frame.
    bystanders: Option<Bystanders>,
    /// Classes of stations that share a clock; `None` if each station counts for itself.
    classes: Option<Box<Classes>>,
    /// Classes of which a station begins now.
    due_classes: Vec<StationId>,
    /// Clusters of the episode with which stations are being updated.
    clusters: Clusters,
    /// The longest time in which a station notices a frame too late.
    sense_time: Span,
    /// True where an answer follows a frame before anybody else could begin.
    answers_first: bool,
    /// By station: where it listens and sends.
    channels: Vec<Channel>,
    /// True where all have always been on the same.
    is_one_channel: bool,
    frames: Frames,
    solitude: Solitude,
    links: Links,
    reception: Reception,
    levels: Levels,
    /// True where what disturbs a frame is counted bit by bit, or MPDU by MPDU.
    counts_hazards: bool,
    hazards: Hazards,
    /// Channel errors of frames that power and interference leave intact; `None`: there are none.
    errors: Option<Box<ErrorChannels>>,
    /// By channel in use.
    busy: Vec<Busy>,
    dues: Vec<(Time, Due)>,
    winners: Vec<StationId>,
    /// Marks and drops that queue disciplines applied to waiting packets.
    fates: Vec<(StationId, PacketId, Fate)>,
    /// By station; empty where nobody has one.
    managers: Vec<Manager>,
    /// Inputs waiting for the management entities.
    inbox: Vec<Notice>,
    /// The stations with access categories, where there are some; `stations` then have management frames alone.
    edca: Option<Box<Edca>>,
    /// Exchanges that have ended and that another tells their stations of; `None`: they are told at once.
    verdicts: Option<Vec<Verdict>>,
}

/// A packet for [`GROUP`](crate::GROUP) is one for all: sent once, at the lowest basic rate, without RTS and acknowledgement
/// (802.11-2020, 10.3.6). A station that looks for its access point itself sends to that one, whatever the packet says; an access
/// point refuses packets for a station that is not associated with it ([`DropReason::Handoff`]).
impl Interfaces for Medium {
    fn offer(
        &mut self,
        now: Time,
        (from, to): (StationId, StationId),
        arrival: &Arrival<'_>,
    ) -> Result<bool, DropReason> {
        let to = self.next_station(from, to)?;
        // Frames for all go as management frames do.
        if self.edca.is_some() && to != crate::mlme::GROUP {
            return self.offer_function(now, (from, to), arrival);
        }
        let marks = self.stations[from.index()].offer(now, to, arrival, |id, fate| {
            self.fates.push((from, id, fate));
        })?;
        if self.load(now, from) {
            self.tell_station(from);
            self.contend(now, from);
            self.starts.settle();
        }
        Ok(marks)
    }

    fn fates(&mut self) -> &mut Vec<(StationId, PacketId, Fate)> {
        match &mut self.edca {
            Some(edca) => &mut edca.stations.fates,
            None => &mut self.fates,
        }
    }

    fn waiting(&self, station: StationId) -> usize {
        match &self.edca {
            Some(edca) => edca.stations.waiting(station),
            None => self.stations[station.index()].waiting(),
        }
    }

    fn begin_measurement(&mut self, now: Time) {
        self.busy.iter_mut().for_each(|busy| busy.begin_measurement(now));
        for station in &mut self.stations {
            station.begin_measurement(now);
        }
        if let Some(edca) = &mut self.edca {
            edca.stations.begin_measurement(now);
        }
    }
}

impl Medium {
    /// A quiet medium.
    pub fn new(config: &MediumConfig, seed: Seed) -> Medium {
        let members = &config.members;
        let places: Vec<&Mobility> = members.iter().map(|member| &member.place).collect();
        let reception = config.reception.for_singles();
        let levels = Levels::new(&reception);
        let owner = members.first().map_or(0, |member| (member.stream >> 16) as u32);
        let node = |member: &Member| Node::new(member, seed);
        let station = |member: &Member| Station::new(&member.station, seed, member.stream);
        let mut rates = Rates::new(seed);
        for member in members {
            let StationConfig { ladder, mac, .. } = &member.station;
            rates.add(ladder, mac, member.is_access_point, member.stream);
        }
        let rungs = members.iter().flat_map(|member| member.station.ladder.rungs.iter());
        let mut medium = Medium {
            nodes: members.iter().map(node).collect(),
            stations: members.iter().map(station).collect(),
            rates,
            starts: Starts::new(members.len()),
            bystanders: None,
            classes: None,
            due_classes: Vec::new(),
            clusters: Clusters::default(),
            sense_time: Span::ZERO,
            channels: members.iter().map(|member| member.channel).collect(),
            is_one_channel: members.windows(2).all(|two| two[0].channel == two[1].channel),
            frames: Frames::new(members.len()),
            solitude: Solitude::default(),
            answers_first: false,
            links: Links::new(
                config.propagation,
                (config.transmit_w, &levels),
                &places,
                (seed, owner),
            ),
            reception,
            levels,
            hazards: Hazards::of_rungs(reception.error_model(), rungs, &config.hazards),
            errors: error_channels(config, seed),
            busy: Vec::new(),
            dues: Vec::new(),
            winners: Vec::new(),
            fates: Vec::new(),
            managers: Vec::new(),
            inbox: Vec::new(),
            edca: None,
            counts_hazards: levels.bit_by_bit,
            verdicts: None,
        };
        medium.employ(config, seed);
        medium.appoint(members);
        medium.let_bystanders_wait();
        medium
    }

    /// Time at which [`Medium::on_start`] is due, if nothing comes in between.
    pub fn next_start(&self) -> Time {
        self.starts.next()
    }

    /// Calls `told` with the events that must be scheduled since the last call.
    #[inline]
    pub fn each_due(&mut self, mut told: impl FnMut(Time, Due)) {
        self.dues.iter().for_each(|&(at, due)| told(at, due));
        self.dues.clear();
    }

    /// Stations begin to transmit, at [`Medium::next_start`]. `witness` hears of frames when they begin, of receptions at their end.
    pub fn on_start<W: Witness>(&mut self, now: Time, happened: &mut Happened, witness: &mut W) {
        let mut winners = std::mem::take(&mut self.winners);
        self.starts.due(now, &mut winners);
        self.call_members(&mut winners, now);
        if self.edca.is_some() {
            self.begin_functions(&mut winners, now, witness);
        } else {
            winners.iter().for_each(|of| self.nodes[of.index()].counter.begin());
        }
        self.begin_exchanges(&winners, now, witness);
        winners.clear();
        self.winners = winners;
        self.end_event(happened);
    }

    /// Something else is due.
    pub fn on_due<W: Witness>(
        &mut self,
        now: Time,
        due: Due,
        happened: &mut Happened,
        witness: &mut W,
    ) {
        match due {
            Due::Data(slot) | Due::Control(slot) => self.end_frame(slot, now, happened, witness),
            Due::Answer(station) => self.answer(station, now, witness),
            Due::Timeout(station) => self.time_out(station, now, happened),
            Due::Tuned(station) => self.arrive(station, now),
            Due::Manage(station) => self.inbox.push(Notice::Timeout(station)),
            Due::Unanswered => self.end_waits(now),
            Due::Mpdu(slot) => self.end_mpdu(slot, now, happened, witness),
        }
        if !self.inbox.is_empty() {
            self.attend(now, happened);
        }
        self.end_event(happened);
    }

    /// Counts of one station since the measurement began.
    pub fn stats(&self, station: StationId) -> &StationStats {
        &self.stations[station.index()].stats
    }

    /// Counts of a station's queue up to `now` since the measurement began.
    pub fn queue_stats_by(&self, station: StationId, now: Time) -> QueueStats {
        self.stations[station.index()].queue_stats_by(now)
    }

    /// Time that a station's exchanges took up to `now`, not before the last event, since the measurement began.
    pub fn airtime_by(&self, station: StationId, now: Time) -> Span {
        let present = self.present_exchange(station, now);
        let functions = self.edca.as_ref().map(|edca| edca.stations.airtime(station));
        self.stations[station.index()].airtime_by(now, present) + functions.unwrap_or_default()
    }

    #[inline(always)]
    fn load(&mut self, now: Time, station: StationId) -> bool {
        self.stations[station.index()].service.is_none() && self.load_next(now, station)
    }

    fn load_next(&mut self, now: Time, station: StationId) -> bool {
        self.stations[station.index()].load(now, |id, fate| self.fates.push((station, id, fate)))
    }

    /// A station that had nothing to send has something now.
    fn contend(&mut self, now: Time, station: StationId) {
        self.tell_past(station);
        self.leave_clock_in_time(station);
        let (node, rest) = (&mut self.nodes[station.index()], &mut self.stations[station.index()]);
        node.request(now, || rest.draw_backoff());
        self.note_start(station);
    }

    #[inline]
    fn note_start(&mut self, station: StationId) {
        let node = &self.nodes[station.index()];
        self.starts.set(station, node.start());
    }

    #[inline]
    fn schedule(&mut self, at: Time, due: Due) {
        self.dues.push((at, due));
    }
}

/// The channels of a medium, numbered as those of the cells that its members belong to.
fn error_channels(config: &MediumConfig, seed: Seed) -> Option<Box<ErrorChannels>> {
    let first = config.members.first().filter(|_| !config.errors.is_ideal())?;
    let (scope, plcp_bits) = (first.station.mac.errors, first.station.ladder.phy().plcp_bits);
    // Frames are asked for when they end, so one that began earlier can come after a shorter one.
    let exposure = Exposure { scope, plcp_bits, overlap: config.longest_frame() };
    let receiver = |member: &Member| Receiver {
        stream: member.stream,
        is_access_point: member.is_access_point,
    };
    let receivers: Vec<Receiver> = config.members.iter().map(receiver).collect();
    Some(Box::new(ErrorChannels::new(&config.errors, exposure, &receivers, seed)))
}
