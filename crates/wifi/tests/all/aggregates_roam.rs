//! A station that aggregates walks to and fro between two access points: what becomes of its packets.

use crate::aggregates_apart::Log;
use crate::aggregates_equal::medium_of;
use crate::driver::{Input, Record, play, play_to, seed};
use crate::qos_saturation::cell;
use base::{PacketId, Span, StationId, Time};
use net::DropReason;
use radio::mobility::{Mobility, Track, Waypoint};
use radio::propagation::PathLoss;
use radio::{Position, Thresholds};
use wifi::mlme::{AccessPointConfig, AssociationConfig, Body, Elements, Role};
use wifi::phy::{Standard, Width};
use wifi::qos::{Agreements, Guard, QosCellConfig};
use wifi::{Medium, MediumConfig, Move, Reception, Sent};

const AP: StationId = StationId(0);
const STATION: StationId = StationId(1);
const OTHER: StationId = StationId(2);

/// 802.11ax, with agreements that are asked for.
const FRAMES: &str = "ax80, frames";

/// Access points 400 m apart on two channels, each of which reaches 250 m.
fn walk(cell: &QosCellConfig, seconds: u64) -> MediumConfig {
    let elements = Elements::of(Standard::Ofdm(Width::Mhz20));
    let thresholds = Thresholds { capture_ratio: f64::INFINITY, ..Thresholds::WAVELAN };
    let places = [0.0, 100.0, 400.0].map(|x_m| Position::flat(x_m, 0.0));
    let mut config = medium_of(cell, &places, Reception::Thresholds(thresholds));
    config.propagation.path_loss = PathLoss::ns2_two_ray(914e6);
    let turns: Vec<Waypoint> = (0..=seconds / 10)
        .map(|i| {
            let x_m = if i % 2 == 0 { 100.0 } else { 300.0 };
            let at = Time::ZERO + Span::secs(10 * i);
            Waypoint { at, place: Position::flat(x_m, 0.0) }
        })
        .collect();
    config.members[1].place = Mobility::Track(Track::through(&turns).expect("in order"));
    config.members[1].role = Role::Client(AssociationConfig {
        roam_below_dbm: Some(-60.0),
        ..AssociationConfig::new(vec![1, 11], elements)
    });
    for (ap, offset) in [(0, Span::ZERO), (2, Span::millis(50))] {
        let access_point = AccessPointConfig { offset, ..AccessPointConfig::new(elements) };
        config.members[ap].role = Role::AccessPoint(access_point);
    }
    config.members[2].is_access_point = true;
    config.members[2].channel = 11;
    config
}

/// Bursts each 30 ms, up and down. A packet's number says its way: 0 up, 1 down by the first access point, 2 by the other.
fn bursts(seconds: u64, each: u64) -> Vec<(Time, Input)> {
    let one = |i: u64| {
        [(STATION, AP), (AP, STATION), (OTHER, STATION)].into_iter().zip(0..).map(
            move |((from, to), way): (_, u32)| {
                let id = PacketId(3 * i as u32 + way);
                let at = Time::ZERO + Span::millis(30 * (i / each));
                (at, Input::Packet { from, to, id, bytes: 300 + 97 * (i as u32 % 9) })
            },
        )
    };
    (0..seconds * 1000 / 30 * each).flat_map(one).collect()
}

fn played(config: &MediumConfig, seconds: u64, each: u64) -> (Medium, Record, usize) {
    let inputs = bursts(seconds, each);
    let mut medium = Medium::new(config, seed(1));
    let until = Time::ZERO + Span::secs(seconds + 5);
    let record = play(&mut medium, until, &inputs, |_, _, _| {});
    (medium, record, inputs.len())
}

/// The times at which it joined an access point, and which.
fn joined(record: &Record) -> Vec<(Time, StationId)> {
    let of = |(at, news): &(Time, Move)| match news {
        Move::Joined(handoff) => Some((*at, handoff.to)),
        _ => None,
    };
    record.moves.iter().filter_map(of).collect()
}

#[test]
fn each_packet_has_one_fate_and_comes_in_its_turn() {
    const SECONDS: u64 = 200;
    for (name, ampdu, amsdu, guard, rts, txop) in [
        ("n20", 65_535, 0, Guard::RtsCts, u32::MAX, 0),
        (FRAMES, 65_535, 0, Guard::RtsCts, u32::MAX, 0),
        ("n20", 0, 0, Guard::RtsCts, u32::MAX, 0),
        ("ac80", 65_535, 4000, Guard::RtsCts, 0, 0),
        ("ax80", 65_535, 0, Guard::CtsToSelf, 500, 0),
        ("n20", 65_535, 0, Guard::RtsCts, u32::MAX, 2528),
    ] {
        let mut cell = cell(name, 2, ampdu, amsdu);
        if name == FRAMES {
            cell.qos.settings.agreements = Agreements::Frames;
        }
        cell.qos.settings.guard = guard;
        cell.qos.settings.lifetime = Span::millis(500);
        for own in cell.categories.iter_mut().flatten().flatten() {
            own.txop = Span::micros(txop);
        }
        for station in &mut cell.stations {
            station.mac.rts_threshold = rts;
            station.mac.short_retry_limit = Some(7);
        }
        let (medium, record, offered) = played(&walk(&cell, SECONDS), SECONDS, 12);
        let handoffs = joined(&record);
        // One each 10 s, and the first association.
        assert!((20..24).contains(&handoffs.len()), "{name}: {}", handoffs.len());
        let mut fates = vec![0_u32; offered];
        let ends = record.dropped.iter().map(|lost| lost.0);
        for PacketId(id) in ends.chain(record.delivered.iter().map(|got| got.2)) {
            fates[id as usize] += 1;
        }
        let without: Vec<usize> = (0..offered).filter(|&id| fates[id] != 1).collect();
        assert_eq!(without, [0; 0], "{name}: {:?}", medium.access());
        in_turn(&record, &handoffs);
        // An access point has dropped what came while its station was with the other, about a half, and nothing else but
        // what has waited too long.
        let by = |reason| record.dropped.iter().filter(|lost| lost.1 == reason).count();
        let (gone, late) = (by(DropReason::Handoff), by(DropReason::Lifetime));
        assert!((4..6).contains(&(gone * 15 / offered)), "{name}: {gone} of {offered}");
        assert!(late * 20 < offered, "{name}: {late} of {offered}");
    }
}

/// At each association the station asks its access point anew, and so does that: no aggregate goes either way before.
#[test]
fn agreements_are_asked_for_anew_after_a_handoff() {
    const SECONDS: u64 = 60;
    let mut cell = cell("n20", 2, 65_535, 0);
    cell.qos.settings.agreements = Agreements::Frames;
    cell.stations.iter_mut().for_each(|station| station.mac.short_retry_limit = Some(7));
    let (inputs, mut log) = (bursts(SECONDS, 12), Log::default());
    let mut medium = Medium::new(&walk(&cell, SECONDS), seed(1));
    let until = Time::ZERO + Span::secs(SECONDS);
    let record = play_to(&mut medium, until, &inputs, |_, _, _| {}, &mut log);
    let handoffs = joined(&record);
    assert!((6..9).contains(&handoffs.len()), "{handoffs:?}");
    let ends = handoffs.iter().skip(1).map(|handoff| handoff.0).chain([until]);
    for (&(from, ap), end) in handoffs.iter().zip(ends) {
        let within = log.0.iter().filter(|(sent, _)| sent.start > from && sent.start < end);
        for way in [(STATION, ap), (ap, STATION)] {
            let sent = within.clone().filter(|(sent, _)| (sent.from, sent.to) == way);
            let is = |sent: &Sent, asks: bool| match sent.management.map(|frame| frame.body) {
                Some(Body::AddbaRequest(_)) => asks && !sent.retry,
                Some(Body::AddbaResponse(..)) => !asks,
                _ => false,
            };
            assert_eq!(
                sent.clone().filter(|(sent, _)| is(sent, true)).count(),
                1,
                "{way:?} {from:?}"
            );
            let back = within.clone().filter(|(sent, _)| (sent.to, sent.from) == way);
            let made = back.clone().find(|(sent, _)| is(sent, false)).expect("a response").0.start;
            let mut aggregates = sent.filter(|(_, mpdus)| mpdus.len() > 1).peekable();
            assert!(aggregates.peek().is_some());
            assert!(aggregates.all(|(sent, _)| sent.start > made), "{way:?} {from:?}");
        }
    }
}

/// Between two handoffs, and on each way, packets come in the order of their numbers.
fn in_turn(record: &Record, handoffs: &[(Time, StationId)]) {
    for way in 0..3 {
        let mut last = (usize::MAX, 0);
        for (at, _, PacketId(id)) in record.delivered.iter().filter(|got| got.2.0 % 3 == way) {
            let since = handoffs.iter().filter(|handoff| handoff.0 < *at).count();
            assert!(since != last.0 || *id > last.1, "{id} behind {} at {at:?}", last.1);
            last = (since, *id);
        }
    }
}

/// What a client has not brought to one access point goes to the next: it loses nothing but by its lifetime.
#[test]
fn a_client_takes_its_packets_along() {
    let mut cell = cell("n20", 2, 65_535, 0);
    cell.qos.settings.lifetime = Span::secs(5);
    cell.stations.iter_mut().for_each(|station| station.mac.short_retry_limit = None);
    let (_, record, _) = played(&walk(&cell, 100), 100, 60);
    let lost = record.dropped.iter().filter(|lost| lost.0.0 % 3 == 0);
    assert_eq!(lost.collect::<Vec<_>>(), Vec::<&(PacketId, DropReason)>::new());
    // Both access points have got some.
    for ap in [AP, OTHER] {
        let up = |got: &&(Time, StationId, PacketId)| got.1 == ap && got.2.0 % 3 == 0;
        assert!(record.delivered.iter().filter(up).count() > 20_000, "{ap:?}");
    }
}
