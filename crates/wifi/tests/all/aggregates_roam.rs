//! A station that aggregates walks to and fro between two access points: what becomes of its packets.

use crate::aggregates_apart::Log;
use crate::aggregates_equal::{Offer, by_category, medium_of};
use crate::driver::{Input, Record, play, play_to, seed};
use crate::qos_saturation::cell;
use base::{PacketId, Span, StationId, Time};
use net::DropReason;
use radio::mobility::{Mobility, Track, Waypoint};
use radio::propagation::PathLoss;
use radio::{Position, Thresholds};
use wifi::mlme::{AccessPointConfig, AssociationConfig, Body, Elements, Role};
use wifi::phy::{Standard, Width};
use wifi::qos::{Agreements, Category, Guard, QosCellConfig};
use wifi::{FrameKind, Medium, MediumConfig, Move, Reception, Sent};

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

/// One access point has access categories, the other has none: a station has them at the first alone. There packets of a higher category
/// overtake others, in aggregates that have been agreed on; at the other all go in the order in which they came, alone and without
/// agreements, behind spaces of DIFS and more. None is lost but by its lifetime, or at an access point that its station has left.
#[test]
fn a_station_has_categories_where_its_access_point_has_some() {
    const SECONDS: u64 = 80;
    let mut cell = cell("n20", 2, 65_535, 0);
    (cell.qos.settings.agreements, cell.of_flow) = (Agreements::Frames, by_category());
    cell.qos.settings.lifetime = Span::secs(2);
    cell.stations.iter_mut().for_each(|station| station.mac.short_retry_limit = None);
    cell.categories[OTHER.index()] = None;
    let kinds = [Category::Background, Category::Voice, Category::BestEffort, Category::Video];
    let of = |(when, input): (Time, Input)| {
        let Input::Packet { from, to, id, bytes } = input else { unreachable!() };
        let category = kinds[(id.0 / 3 % 4) as usize];
        (when, Input::Of(Offer { at: when, way: (from, to), category, bytes }, id))
    };
    let inputs: Vec<_> = bursts(SECONDS, 24).into_iter().map(of).collect();
    let mut medium = Medium::new(&walk(&cell, SECONDS), seed(1));
    let (mut log, until) = (Log::default(), Time::ZERO + Span::secs(SECONDS + 5));
    let record = play_to(&mut medium, until, &inputs, |_, _, _| {}, &mut log);
    let handoffs = joined(&record);
    assert!((8..11).contains(&handoffs.len()), "{handoffs:?}");
    let mut fates = vec![0_u32; inputs.len()];
    let ends = record.dropped.iter().map(|lost| lost.0);
    ends.chain(record.delivered.iter().map(|got| got.2)).for_each(|id| fates[id.0 as usize] += 1);
    assert_eq!(fates.iter().position(|&times| times != 1), None);
    let up = |id: &PacketId| id.0 % 3 == 0;
    assert!(!record.dropped.iter().any(|lost| up(&lost.0)), "a client takes its packets along");
    let [mut together, mut alone, mut overtaken] = [0; 3];
    let ends = handoffs.iter().skip(1).map(|handoff| handoff.0).chain([until]);
    for (&(from, ap), end) in handoffs.iter().zip(ends) {
        let is_of = |sent: &Sent| {
            sent.start > from && sent.start < end && [sent.from, sent.to].contains(&ap)
        };
        let frames = log.0.iter().filter(|(sent, _)| is_of(sent));
        let bodies = frames.clone().filter_map(|(sent, _)| Some(sent.management?.body));
        let asks = bodies.filter(|body| matches!(body, Body::AddbaRequest(_))).count();
        let largest = frames.clone().map(|(_, mpdus)| mpdus.len()).max();
        let answers = frames.filter(|(sent, _)| sent.kind == FrameKind::BlockAck).count();
        // What came first within its time at this access point, up.
        let within =
            |got: &&(Time, StationId, PacketId)| got.0 > from && got.0 < end && got.1 == ap;
        let ids = record.delivered.iter().filter(within).map(|got| got.2.0);
        let late = ids.is_sorted();
        match ap {
            AP => {
                assert!(asks >= 6 && largest > Some(2) && answers > 100, "{asks} {largest:?}");
                together += 1;
                overtaken += usize::from(!late);
            }
            _ => {
                assert_eq!((asks, largest, answers), (0, Some(1), 0));
                alone += 1;
            }
        }
    }
    assert!(together > 3 && alone > 3 && overtaken == together, "{together} {alone} {overtaken}");
}
