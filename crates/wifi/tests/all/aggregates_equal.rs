//! Where all hear all at the same strength, the medium and the cell with access categories deliver the same packets at the
//! same nanoseconds: categories, internal collisions, aggregates, block acknowledgements and requests, TXOPs, RTS.

use crate::aggregates_apart::Log;
use crate::driver::{Record, level, member, play, seed};
use crate::qos_saturation::cell;
use base::{CellId, FlowId, PacketId, Span, StationId, Time};
use net::{Arrival, Datagram, Direction, Header, Interfaces, Mark, Out, Packet, Socket};
use radio::{ChannelConfig, HazardTables, Position, Sampling, StatePer, Thresholds};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;
use wifi::qos::{Categories, Category, Guard, HandingUp, QosCell, QosCellConfig};
use wifi::{
    BystanderRule, ErrorConfig, ErrorScope, Medium, MediumConfig, Member, MemberAccess, Reception,
    Witness,
};

/// A packet that is there from the beginning, or comes later, between two exchanges.
#[derive(Clone, Copy, Debug)]
pub struct Offer {
    pub at: Time,
    pub way: (StationId, StationId),
    pub category: Category,
    pub bytes: u32,
}

/// A packet of a category, where flows have the categories of their numbers.
pub fn packet(category: Category, bytes: u32) -> Packet {
    Packet {
        born: Time::ZERO,
        header: Header::Udp(Datagram { number: 0, len: bytes }),
        flow: FlowId(category as u32),
        bytes,
        routing_header: 0,
        mark: Mark::default(),
        direction: Direction::Forward,
        tunnel: None,
        socket: Socket::default(),
    }
}

impl Offer {
    /// Puts it into a queue, as packet `number`.
    pub fn put(&self, air: &mut impl Interfaces, number: usize) {
        let (id, packet) = (PacketId(number as u32), packet(self.category, self.bytes));
        let arrival = Arrival { id, bytes: self.bytes, packet: Some(&packet) };
        air.offer(self.at, self.way, &arrival).expect("queues without limit");
    }
}

/// Packets of several lengths in several categories, as many on each of these ways.
pub fn offers(ways: &[(u32, u32)], categories: &[Category], each: usize) -> Vec<Offer> {
    let of = |k: usize| {
        let (from, to) = ways[k % ways.len()];
        let category = categories[k / ways.len() % categories.len()];
        let (way, bytes) = ((StationId(from), StationId(to)), 200 + 311 * (k as u32 % 5));
        Offer { at: Time::ZERO, way, category, bytes }
    };
    (0..each * ways.len()).map(of).collect()
}

/// The stations of such a cell as those of a medium, at these places.
pub fn medium_of(cell: &QosCellConfig, places: &[Position], reception: Reception) -> MediumConfig {
    let one = |(i, place): (usize, &Position)| Member {
        station: cell.stations[i].clone(),
        is_access_point: cell.access_point == Some(StationId(i as u32)),
        access: Some(MemberAccess {
            categories: cell.categories[i],
            weight: cell.weights[i],
            accepts_agreements: cell.accept_agreements[i],
            qos: cell.qos,
        }),
        ..member(i, *place, *cell.stations[i].ladder.phy(), cell.stations[i].mac)
    };
    MediumConfig {
        members: places.iter().enumerate().map(one).collect(),
        propagation: level(),
        transmit_w: Thresholds::WAVELAN_TRANSMIT_W,
        reception,
        errors: cell.errors.clone(),
        of_flow: cell.of_flow.clone(),
        hazards: HazardTables::default(),
        end: Time::NEVER,
    }
}

fn run_cell(config: &QosCellConfig, offers: &[Offer], until: Time) -> (QosCell, Record) {
    watch_cell(config, offers, until, &mut ())
}

/// The frames of a cell.
pub fn cell_log(config: &QosCellConfig, offers: &[Offer], until: Time) -> Log {
    let mut log = Log::default();
    watch_cell(config, offers, until, &mut log);
    log
}

pub fn watch_cell(
    config: &QosCellConfig,
    offers: &[Offer],
    until: Time,
    witness: &mut impl Witness,
) -> (QosCell, Record) {
    let mut cell = QosCell::new(config, seed(1), CellId(0));
    let mut offers = offers.iter().enumerate().peekable();
    let (mut record, mut out) = (Record::default(), Out::<()>::default());
    let mut alarms = BinaryHeap::new();
    let (mut landing, mut end) = (Time::NEVER, Time::NEVER);
    loop {
        alarms.extend(cell.alarms().map(Reverse));
        let alarm = alarms.peek().map_or(Time::NEVER, |alarm| alarm.0);
        let due = landing.min(end).min(alarm);
        let is_next =
            |(_, offer): &(usize, &Offer)| offer.at < due && offer.at <= cell.next_start();
        if let Some((i, offer)) = offers.next_if(is_next) {
            offer.put(&mut cell, i);
            continue;
        }
        let now = due.min(cell.next_start());
        if now >= until {
            return (cell, record);
        }
        if now < due {
            let exchange = cell.on_start(&mut out, witness);
            (landing, end) = (exchange.data_end.unwrap_or(Time::NEVER), exchange.end);
        } else if now == landing {
            landing = cell.on_landing(now, &mut out.landed).unwrap_or(Time::NEVER);
        } else if now == alarm {
            alarms.pop();
            cell.on_alarm(now);
        } else {
            end = cell.on_end(now, &mut out, witness).unwrap_or(Time::NEVER);
        }
        out.ended.clear();
        record.lose(now, &mut out.lost);
        record.delivered.extend(out.landed.drain(..).map(|(id, to)| (now, to, id)));
    }
}

pub fn run_medium(config: &MediumConfig, offers: &[Offer], until: Time) -> (Medium, Record) {
    let mut medium = Medium::new(config, seed(1));
    offers.iter().enumerate().for_each(|(i, offer)| offer.put(&mut medium, i));
    let record = play(&mut medium, until, &[], |_, _, _| ());
    (medium, record)
}

pub fn by_category() -> Categories {
    Categories::new(Category::EVERY.to_vec())
}

pub fn compare(what: &str, config: &QosCellConfig, offers: &[Offer]) {
    let until = Time::ZERO + Span::millis(1500);
    let (stations, never) = (config.stations.len(), f64::INFINITY);
    let reception =
        Reception::Thresholds(Thresholds { capture_ratio: never, ..Thresholds::WAVELAN });
    let level = medium_of(config, &vec![Position::default(); stations], reception);
    let (cell, a) = run_cell(config, offers, until);
    let (medium, b) = run_medium(&level, offers, until);
    let access = medium.access().expect("it has categories");
    let both = a.delivered.iter().zip(&b.delivered).enumerate();
    let differ = both.into_iter().find(|(_, (a, b))| a != b);
    assert_eq!(differ, None, "{what}");
    assert!(a.delivered.len().abs_diff(b.delivered.len()) <= 300, "{what}");
    assert!(a.delivered.len() > 50, "{what}: {}", a.delivered.len());
    for station in (0..stations as u32).map(StationId) {
        for ((_, a), (_, b)) in cell.stations().categories(station).zip(access.categories(station))
        {
            let close = |a: u64, b: u64| a.abs_diff(b) <= 1;
            assert!(close(a.attempts, b.attempts), "{what}: {a:?} {b:?}");
            assert!(close(a.requests, b.requests), "{what}: {a:?} {b:?}");
            assert!(close(a.collisions, b.collisions + b.hidden), "{what}: {a:?} {b:?}");
            assert!(close(a.channel_errors, b.channel_errors), "{what}: {a:?} {b:?}");
            assert!(close(a.internal_collisions, b.internal_collisions), "{what}: {a:?} {b:?}");
        }
    }
}

pub fn up_and_down(stations: u32) -> Vec<(u32, u32)> {
    (1..stations).flat_map(|i| [(i, 0), (0, i)]).collect()
}

#[test]
fn aggregates_of_stations_that_contend() {
    use Category::{BestEffort, Video, Voice};
    for (name, ampdu, amsdu) in
        [("n20", 0, 0), ("n40", 65_535, 0), ("ac80", 1_048_575, 0), ("ax80", 24_702, 4000)]
    {
        for (stations, rts, guard, rule) in [
            (2, u32::MAX, Guard::RtsCts, BystanderRule::Eifs),
            (5, 500, Guard::RtsCts, BystanderRule::Eifs),
            (9, 0, Guard::RtsCts, BystanderRule::Difs),
            (9, u32::MAX, Guard::RtsCts, BystanderRule::Eifs),
            (5, 0, Guard::CtsToSelf, BystanderRule::Difs),
            (9, 500, Guard::CtsToSelf, BystanderRule::Eifs),
        ] {
            for categories in [&[BestEffort][..], &[BestEffort, Video, Voice, Category::Background]]
            {
                let mut config = cell(name, stations - 1, ampdu, amsdu);
                config.of_flow = by_category();
                config.qos.settings.guard = guard;
                for station in &mut config.stations {
                    (station.mac.rts_threshold, station.mac.bystanders) = (rts, rule);
                }
                let offers = offers(&up_and_down(stations as u32), categories, 400);
                for hand_up in [HandingUp::Ppdu, HandingUp::Mpdu] {
                    config.qos.settings.hand_up = hand_up;
                    let what =
                        format!("{name} {stations} {rts} {guard:?} {categories:?} {hand_up:?}");
                    compare(&what, &config, &offers);
                }
            }
        }
    }
}

#[test]
fn txops_of_an_access_point() {
    for (name, ampdu) in [("n20", 0), ("ac80", 20_000), ("ax80", 100_000)] {
        for (rts, guard) in [(u32::MAX, Guard::RtsCts), (0, Guard::RtsCts), (0, Guard::CtsToSelf)] {
            let mut config = cell(name, 3, ampdu, 0);
            config.qos.settings.guard = guard;
            config.of_flow = by_category();
            for own in config.categories.iter_mut().flatten().flatten() {
                own.txop = Span::micros(2528);
            }
            config.stations.iter_mut().for_each(|station| station.mac.rts_threshold = rts);
            let offers = offers(&[(0, 1), (0, 2), (0, 3)], &Category::EVERY, 800);
            compare(&format!("{name} {rts} {guard:?}"), &config, &offers);
        }
    }
}

/// All share a channel, so that bystanders lose the data that the addressee does.
#[test]
fn channels_that_lose_mpdus() {
    let means = [Span::millis(60), Span::millis(15)];
    let bursts = ChannelConfig::gilbert_elliott(means, [1e-6, 2e-4], [0.0; 2], Sampling::EachBit);
    for channel in [ChannelConfig::BitErrors { ber: 2e-5 }, bursts] {
        for (ampdu, rts, guard) in [
            (0, u32::MAX, Guard::RtsCts),
            (65_535, u32::MAX, Guard::RtsCts),
            (65_535, 0, Guard::RtsCts),
            (65_535, 0, Guard::CtsToSelf),
        ] {
            let errors =
                ErrorConfig { channel: channel.clone(), state_per: StatePer::Cell, fec: None };
            let mut config = QosCellConfig { errors, ..cell("ac80", 5, ampdu, 0) };
            config.qos.settings.guard = guard;
            for station in &mut config.stations {
                (station.mac.rts_threshold, station.mac.bystanders) = (rts, BystanderRule::Eifs);
                station.mac.errors = ErrorScope { control_frames: false, plcp: false };
            }
            let offers = offers(&up_and_down(6), &[Category::BestEffort], 600);
            for hand_up in [HandingUp::Ppdu, HandingUp::Mpdu] {
                config.qos.settings.hand_up = hand_up;
                let what = format!("{channel:?} {ampdu} {rts} {guard:?} {hand_up:?}");
                compare(&what, &config, &offers);
            }
        }
    }
}

/// Slots of the holder of a TXOP and of bystanders, and of senders in vain and bystanders in EIFS, are a part of `sense_time`
/// apart: who begins so late has not noticed the other.
#[test]
fn stations_that_have_not_sensed_each_other() {
    let channel = ChannelConfig::BitErrors { ber: 2e-5 };
    for (name, ampdu, txop_us, errors) in [
        ("n20", 24_702, 4096, ErrorConfig::IDEAL),
        ("ac80", 24_702, 1504, ErrorConfig::IDEAL),
        ("n20", 0, 0, ErrorConfig { channel, state_per: StatePer::Cell, fec: None }),
    ] {
        let mut config = QosCellConfig { errors, ..cell(name, 4, ampdu, 0) };
        for station in &mut config.stations {
            Arc::make_mut(&mut station.ladder.rungs)[0].phy.sense_time = Span::micros(4);
            station.mac.errors = ErrorScope { control_frames: false, plcp: false };
            station.mac.bystanders = BystanderRule::Eifs;
        }
        for own in config.categories.iter_mut().flatten().flatten() {
            own.txop = Span::micros(txop_us);
        }
        let offers = offers(&[(1, 0), (2, 0), (3, 0), (4, 0)], &[Category::BestEffort], 3000);
        let Log(frames) = cell_log(&config, &offers, Time::ZERO + Span::millis(1500));
        let starts = frames.windows(2).map(|two| two[1].0.start.since(two[0].0.start));
        let late = starts.filter(|&later| Span::ZERO < later && later < Span::micros(4)).count();
        assert!(late > 0, "{name}");
        compare(&format!("{name} {txop_us}"), &config, &offers);
    }
}
