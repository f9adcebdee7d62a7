//! Runs a cell or a medium with an agenda of its own, and notes what is delivered when.

use crate::aggregates_equal::{Offer, packet};
use base::{CellId, PacketId, Rate, Seed, Span, StationId, Time};
use net::{Arrival, DropReason, Interfaces, QueueLimit};
use radio::mobility::Mobility;
use radio::propagation::{PathLoss, ShadowingConfig};
use radio::{HazardTables, Modulation, Position, Thresholds};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use wifi::mlme::Role;
use wifi::phy::Airtime;
use wifi::qos::Categories;
use wifi::rate::{Ladder, Modulations};
use wifi::{
    Cell, CellConfig, Channel, Due, ErrorConfig, Happened, MacConfig, Medium, MediumConfig, Member,
    Move, PhyConfig, Propagation, Reception, StationConfig, Witness,
};

/// Every station's queue.
pub const QUEUE: QueueLimit = QueueLimit::Packets(10);

/// Something from outside.
#[derive(Clone, Copy, Debug)]
pub enum Input {
    /// A packet of `bytes` bytes for a station's queue.
    Packet { from: StationId, to: StationId, id: PacketId, bytes: u32 },
    /// A packet of a category.
    Of(Offer, PacketId),
    /// A station is sent to another channel, deaf for so long.
    Tune(StationId, Channel, Span),
}

/// A delivered packet: time, receiver, number.
pub type Delivery = (Time, StationId, PacketId);

/// Record of a run.
#[derive(Clone, Debug, Default)]
pub struct Record {
    pub delivered: Vec<Delivery>,
    pub dropped: Vec<(PacketId, DropReason)>,
    /// When stations with access categories have given packets up.
    pub given_up: Vec<Time>,
    /// Group packets, the times at which they were sent, and the stations that heard them.
    pub broadcast: Vec<(Time, PacketId, Vec<StationId>)>,
    /// Changes of association, with their times.
    pub moves: Vec<(Time, Move)>,
}

impl Record {
    pub fn lose(&mut self, now: Time, lost: &mut Vec<(StationId, PacketId, DropReason)>) {
        self.given_up.extend(lost.iter().map(|_| now));
        self.dropped.extend(lost.drain(..).map(|(_, id, reason)| (id, reason)));
    }
}

/// 802.11 DSSS at 2 Mbit/s, long preamble (IEEE 802.11-2020, clause 15).
pub fn dsss() -> PhyConfig {
    let airtime = |rate| Airtime::plain(Span::micros(192), Rate(rate));
    PhyConfig {
        slot: Span::micros(20),
        sifs: Span::micros(10),
        plcp_bits: 192,
        data: airtime(2_000_000),
        control: airtime(2_000_000),
        lowest: airtime(1_000_000),
        cw_min: 31,
        cw_max: 1023,
        sense_time: Span::ZERO,
        rx_start_delay: Span::micros(192),
    }
}

/// The standard's rules.
pub fn mac(rts_threshold: u32) -> MacConfig {
    MacConfig { rts_threshold, ..MacConfig::default() }
}

/// A member of cell 0 with number `index`; the first is the access point.
pub fn member(index: usize, place: Position, phy: PhyConfig, mac: MacConfig) -> Member {
    Member {
        place: Mobility::fixed(place),
        station: StationConfig {
            ladder: Ladder::fixed(
                phy,
                Modulations { basic: Modulation::Dbpsk, ..Modulations::alike(Modulation::Dqpsk) },
            ),
            mac,
            queue: QUEUE.into(),
        },
        is_access_point: index == 0,
        stream: index as u64,
        channel: 1,
        role: Role::None,
        access: None,
    }
}

/// Everybody hears everybody at the same strength.
pub fn level() -> Propagation {
    let path_loss = PathLoss::LogDistance { exponent: 0.0, reference_m: 1.0, reference_db: 0.0 };
    Propagation { path_loss, shadowing: ShadowingConfig::Off, fading: None }
}

/// ns-2's WaveLAN over two-ray ground: 250 m and 550 m.
pub fn wavelan(places: &[Position], phy: PhyConfig, mac: MacConfig) -> MediumConfig {
    let path_loss = PathLoss::ns2_two_ray(914e6);
    let members = places.iter().enumerate().map(|(i, &place)| member(i, place, phy, mac));
    MediumConfig {
        members: members.collect(),
        propagation: Propagation { path_loss, ..level() },
        transmit_w: Thresholds::WAVELAN_TRANSMIT_W,
        reception: Reception::Thresholds(Thresholds::WAVELAN),
        errors: ErrorConfig::IDEAL,
        of_flow: Categories::default(),
        hazards: HazardTables::default(),
        end: Time::NEVER,
    }
}

/// The same stations as a cell in which all hear all.
pub fn cell_of(stations: usize, phy: PhyConfig, mac: MacConfig) -> CellConfig {
    CellConfig::alike(stations, &StationConfig::fixed(phy, mac, QUEUE))
}

pub fn seed(seed: u64) -> Seed {
    Seed { seed, replication: 0 }
}

/// Keeps every source of `ways` busy: whenever fewer than one packet waits behind the one in service, one more comes.
#[derive(Clone, Debug)]
pub struct Saturated {
    pub ways: Vec<(StationId, StationId, u32)>,
    next_id: u32,
}

impl Saturated {
    pub fn new(ways: Vec<(StationId, StationId, u32)>) -> Saturated {
        Saturated { ways, next_id: 0 }
    }

    fn refill(&mut self, from: StationId, mut offer: impl FnMut(StationId, (PacketId, u32))) {
        if let Some(&(_, to, bytes)) = self.ways.iter().find(|way| way.0 == from) {
            offer(to, (PacketId(self.next_id), bytes));
            self.next_id += 1;
        }
    }

    /// Packets carry numbers by source and order, so that two runs can be compared.
    pub fn run_cell(self, config: CellConfig, until: Time, of: Seed) -> (Cell, Record) {
        self.run(Cell::new(&config, of, CellId(0)), until)
    }

    /// The same where a medium sorts out what begins together.
    pub fn run_refereed(self, config: &MediumConfig, until: Time, of: Seed) -> (Cell, Record) {
        let mut medium = Medium::new(config, of);
        assert!(medium.has_one_clock(&config.members), "all decode all");
        self.run(Cell::refereed(medium, config, of), until)
    }

    fn run(mut self, mut cell: Cell, until: Time) -> (Cell, Record) {
        let (mut record, mut ended) = (Record::default(), Vec::new());
        for (from, ..) in self.ways.clone() {
            for _ in 0..2 {
                self.refill(from, |to, p| {
                    _ = cell.offer(Time::ZERO, (from, to), &p.into()).expect("room")
                });
            }
        }
        // At equal times what arrives comes first, then what ends, then starts.
        let mut agenda = BinaryHeap::new();
        loop {
            let due = agenda.peek().map_or(Time::NEVER, |Reverse((at, _))| *at);
            if due.min(cell.next_start()) >= until {
                return (cell, record);
            }
            if cell.next_start() < due {
                let exchange = cell.on_start(&mut ());
                agenda.extend(exchange.data_end.map(|at| Reverse((at, false))));
                agenda.push(Reverse((exchange.end, true)));
                continue;
            }
            let Some(Reverse((now, is_end))) = agenda.pop() else { continue };
            if is_end {
                agenda.extend(cell.on_end(now, &mut ended).map(|at| Reverse((at, true))));
            } else {
                record.delivered.extend(cell.on_data_end().map(|(id, to)| (now, to, id)));
                agenda.extend(cell.next_data_end().map(|at| Reverse((at, false))));
            }
            for done in ended.drain(..) {
                record.dropped.extend(done.dropped);
                let from = done.station;
                if cell.waiting(from) == 0 {
                    self.refill(from, |to, p| {
                        _ = cell.offer(now, (from, to), &p.into()).expect("room");
                    });
                }
            }
        }
    }

    pub fn run_medium(mut self, config: &MediumConfig, until: Time, of: Seed) -> (Medium, Record) {
        let mut medium = Medium::new(config, of);
        for (from, ..) in self.ways.clone() {
            for _ in 0..2 {
                self.refill(from, |to, p| {
                    _ = medium.offer(Time::ZERO, (from, to), &p.into()).expect("room")
                });
            }
        }
        let record = run(&mut medium, until, |medium, now, from| {
            if medium.waiting(from) == 0 {
                self.refill(from, |to, p| {
                    _ = medium.offer(now, (from, to), &p.into()).expect("room")
                });
            }
        });
        (medium, record)
    }
}

/// Runs a medium until `until`; `ended` is called for each exchange that ends, with its station.
pub fn run(
    medium: &mut Medium,
    until: Time,
    ended: impl FnMut(&mut Medium, Time, StationId),
) -> Record {
    play(medium, until, &[], ended)
}

/// The same, with inputs in the order of their times. At equal times what is due comes first, then inputs, then starts.
pub fn play(
    medium: &mut Medium,
    until: Time,
    inputs: &[(Time, Input)],
    ended: impl FnMut(&mut Medium, Time, StationId),
) -> Record {
    play_to(medium, until, inputs, ended, &mut ())
}

/// The same, before a witness.
pub fn play_to(
    medium: &mut Medium,
    until: Time,
    mut inputs: &[(Time, Input)],
    mut ended: impl FnMut(&mut Medium, Time, StationId),
    witness: &mut impl Witness,
) -> Record {
    let (mut agenda, mut happened) = (BinaryHeap::new(), Happened::default());
    let (mut record, mut sequence) = (Record::default(), 0_u64);
    loop {
        medium.each_due(|at, due| {
            let phase = u8::from(!matches!(due, Due::Data(_) | Due::Mpdu(_)));
            agenda.push(Reverse((at, phase, sequence, due.code())));
            sequence += 1;
        });
        let due_at = agenda.peek().map_or(Time::NEVER, |Reverse(due)| due.0);
        let input_at = inputs.first().map_or(Time::NEVER, |input| input.0);
        let next = due_at.min(input_at).min(medium.next_start());
        if next >= until {
            return record;
        }
        if due_at > next && input_at > next {
            medium.on_start(next, &mut happened, witness);
            note(&mut record, next, &mut happened);
        } else if due_at > next {
            if let Some(((_, input), rest)) = inputs.split_first() {
                inputs = rest;
                put_in(medium, next, *input, &mut record);
            }
        } else if let Some(Reverse((_, _, _, code))) = agenda.pop() {
            medium.on_due(next, Due::from_code(code), &mut happened, witness);
            note(&mut record, next, &mut happened);
            for done in happened.ended.drain(..) {
                record.dropped.extend(done.dropped);
                ended(medium, next, done.station);
            }
        }
    }
}

fn put_in(medium: &mut Medium, now: Time, input: Input, record: &mut Record) {
    match input {
        Input::Packet { from, to, id, bytes } => {
            if let Err(reason) = medium.offer(now, (from, to), &(id, bytes).into()) {
                record.dropped.push((id, reason));
            }
        }
        Input::Of(Offer { way, bytes, category, .. }, id) => {
            let packet = packet(category, bytes);
            let arrival = Arrival { id, bytes, packet: Some(&packet) };
            if let Err(reason) = medium.offer(now, way, &arrival) {
                record.dropped.push((id, reason));
            }
        }
        Input::Tune(station, channel, switch) => medium.tune(now, station, channel, switch),
    }
}

fn note(record: &mut Record, now: Time, happened: &mut Happened) {
    if let Some((id, to)) = happened.arrived.take() {
        record.delivered.push((now, to, id));
    }
    record.delivered.extend(happened.landed.drain(..).map(|(id, to)| (now, to, id)));
    record.lose(now, &mut happened.lost);
    record.moves.extend(happened.moves.drain(..).map(|news| (now, news)));
    if let Some(id) = happened.broadcast.take() {
        record.broadcast.push((now, id, std::mem::take(&mut happened.hearers)));
    }
}
