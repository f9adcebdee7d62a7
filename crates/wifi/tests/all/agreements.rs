//! Agreements that stations ask for with frames: when aggregates begin, and what becomes of frames that are lost.

use crate::aggregates_apart::{Log, scene, watch};
use crate::aggregates_equal::{by_category, cell_log, compare, medium_of, offers, up_and_down};
use crate::driver::{Input, Record, play_to, seed};
use crate::qos_saturation::cell;
use base::{PacketId, Span, StationId, Time};
use net::{Discipline, QueueConfig, QueueLimit};
use radio::{ChannelConfig, Position, StatePer, Thresholds};
use std::collections::BTreeMap;
use wifi::mlme::{Addba, Body};
use wifi::qos::{Agreements, Category, Guard, QosCellConfig};
use wifi::{BystanderRule, ErrorConfig, ErrorScope, FrameKind, Medium, Reception, Sent};

const AP: StationId = StationId(0);
const STATION: StationId = StationId(1);

pub fn asking(mut config: QosCellConfig) -> QosCellConfig {
    config.qos.settings.agreements = Agreements::Frames;
    config.of_flow = by_category();
    config.stations.iter_mut().for_each(|station| station.mac.short_retry_limit = Some(7));
    config
}

/// What action frames of a log say, with those that are not repeated.
pub fn asked(Log(frames): &Log) -> Vec<(Sent, bool, Addba)> {
    let says = |sent: &Sent| match sent.management?.body {
        Body::AddbaRequest(addba) => Some((*sent, true, addba)),
        Body::AddbaResponse(addba, _) => Some((*sent, false, addba)),
        _ => None,
    };
    frames.iter().filter_map(|(sent, _)| says(sent)).collect()
}

pub fn all_hear_all(config: &QosCellConfig) -> wifi::MediumConfig {
    let capture_ratio = f64::INFINITY;
    let reception = Reception::Thresholds(Thresholds { capture_ratio, ..Thresholds::WAVELAN });
    medium_of(config, &vec![Position::default(); config.stations.len()], reception)
}

/// Both ways of playing it.
fn both(
    config: &QosCellConfig,
    offers: &[crate::aggregates_equal::Offer],
    until: Time,
) -> [Log; 2] {
    [cell_log(config, offers, until), watch(&all_hear_all(config), offers, until).2]
}

/// No backoff. Each action frame has 37 bytes: at 6 Mbit/s 20 us and 14 symbols of 4 us (16 + 296 + 6 bits), its ACK 20 us and
/// 6 symbols. The request begins on an idle medium, the response follows its ACK by AIFS of voice, 16 us + 2 * 9 us, the
/// aggregate by AIFS of best effort, 16 us + 3 * 9 us.
#[test]
fn the_first_aggregate_of_a_quiet_cell_begins_when_both_frames_are_over() {
    let mut config = asking(cell("n20", 1, 65_535, 0));
    for own in config.categories.iter_mut().flatten().flatten() {
        (own.cw_min, own.cw_max) = (0, 0);
    }
    let offers = offers(&[(1, 0)], &[Category::BestEffort], 10);
    for Log(frames) in both(&config, &offers, Time::ZERO + Span::millis(10)) {
        let us = |at: Time| at.0 as f64 / 1e3;
        let seen: Vec<_> = frames
            .iter()
            .map(|(sent, mpdus)| (us(sent.start), us(sent.start + sent.airtime), mpdus.len()))
            .collect();
        let exchange = |start: f64| [(start, start + 76.0, 0), (start + 92.0, start + 136.0, 0)];
        assert_eq!(seen[..2], exchange(0.0));
        assert_eq!(seen[2..4], exchange(136.0 + 34.0));
        assert_eq!((seen[4].0, seen[4].2), (306.0 + 43.0, 10));
        assert_eq!(frames[5].0.kind, FrameKind::BlockAck);
        assert_eq!(frames.len(), 6);
        assert!(frames.iter().take(4).step_by(2).all(|(sent, _)| sent.bytes == 37));
    }
}

/// One request and one response for each pair and category, and no data before.
#[test]
fn each_pair_and_category_agrees_once() {
    let mut config = asking(cell("ac80", 3, 65_535, 0));
    for own in config.categories.iter_mut().flatten() {
        own[Category::Voice as usize].ampdu = 0;
    }
    config.categories[3] = None;
    let kinds = [Category::BestEffort, Category::Video, Category::Voice];
    let offers = offers(&up_and_down(4), &kinds, 900);
    for log in both(&config, &offers, Time::ZERO + Span::secs(2)) {
        let mut agreed: BTreeMap<_, [Option<Time>; 2]> = BTreeMap::new();
        for (sent, is_request, addba) in asked(&log).into_iter().filter(|own| !own.0.retry) {
            let way = if is_request { (sent.from, sent.to) } else { (sent.to, sent.from) };
            let own = &mut agreed.entry((way, addba.category as usize)).or_default()
                [usize::from(is_request)];
            assert_eq!(own.replace(sent.start + sent.airtime), None, "{sent:?}");
        }
        // Two stations with QoS, both ways, two categories with aggregates.
        assert_eq!(agreed.len(), 2 * 2 * 2);
        let mut aggregates = 0;
        for (sent, mpdus) in log.0.iter().filter(|(sent, _)| sent.kind == FrameKind::Data) {
            let Some(qos) = sent.qos else { continue };
            aggregates += usize::from(mpdus.len() > 1);
            match agreed.get(&((sent.from, sent.to), qos.category as usize)) {
                Some([made, _]) => assert!(made.expect("a response") < sent.start, "{sent:?}"),
                None => assert_eq!(mpdus.len(), 1, "{sent:?}"),
            }
        }
        assert!(aggregates > 50, "{aggregates}");
    }
}

#[test]
fn with_places_and_without_all_is_the_same() {
    for (name, stations, rts, guard, txop) in [
        ("n20", 2, u32::MAX, Guard::RtsCts, 0),
        ("n20", 5, 0, Guard::RtsCts, 0),
        ("ac80", 9, u32::MAX, Guard::RtsCts, 0),
        ("ax80", 5, 0, Guard::CtsToSelf, 0),
    ] {
        for categories in [&[Category::BestEffort][..], &Category::EVERY] {
            let mut config = asking(cell(name, stations - 1, 65_535, 0));
            config.qos.settings.guard = guard;
            for own in config.categories.iter_mut().flatten().flatten() {
                own.txop = Span::micros(txop);
            }
            config.stations.iter_mut().for_each(|station| station.mac.rts_threshold = rts);
            let offers = offers(&up_and_down(stations as u32), categories, 400);
            compare(&format!("{name} {stations} {rts} {guard:?}"), &config, &offers);
        }
    }
}

#[test]
fn an_access_point_with_txops_and_queues_for_each_receiver_asks_each() {
    for (queue, txop) in
        [(Discipline::DropTail, 2528), (Discipline::Mac80211, 2528), (Discipline::Mac80211, 0)]
    {
        let mut config = asking(cell("ac80", 3, 65_535, 0));
        config.stations[0].queue =
            QueueConfig { discipline: queue, ..QueueConfig::from(QueueLimit::Packets(8192)) };
        for own in config.categories.iter_mut().flatten().flatten() {
            own.txop = Span::micros(txop);
        }
        let offers = offers(&[(0, 1), (0, 2), (0, 3)], &Category::EVERY, 300);
        compare(&format!("{queue:?} {txop}"), &config, &offers);
    }
}

/// All share a channel that loses action frames as it loses data, so that some are repeated, and some given up: a second passes
/// before what waits goes.
#[test]
fn a_channel_that_loses_action_frames_costs_both_the_same() {
    let channel = ChannelConfig::Bernoulli { frame_loss: 0.5 };
    let errors = ErrorConfig { channel, state_per: StatePer::Cell, fec: None };
    let mut config = QosCellConfig { errors, ..asking(cell("ac80", 5, 65_535, 0)) };
    for station in &mut config.stations {
        station.mac.bystanders = BystanderRule::Eifs;
        station.mac.short_retry_limit = Some(2);
        station.mac.errors = ErrorScope { control_frames: false, plcp: false };
    }
    let offers = offers(&up_and_down(6), &[Category::BestEffort], 600);
    compare("losses", &config, &offers);
    let log = cell_log(&config, &offers, Time::ZERO + Span::millis(1500));
    let of = |is_request| asked(&log).iter().filter(|own| own.1 == is_request).count();
    assert!(asked(&log).iter().any(|own| own.0.retry));
    assert!(of(false) < of(true), "some requests were not heard");
    let late = log
        .0
        .iter()
        .find(|(sent, mpdus)| mpdus.len() == 1 && sent.start > Time::ZERO + Span::secs(1));
    assert!(late.is_some(), "what was not agreed goes alone");
}

fn packet(from: StationId, to: StationId, id: u32) -> Input {
    Input::Packet { from, to, id: PacketId(id), bytes: 500 }
}

/// Packets of these ways and times, ms.
pub fn packets(of: &[(StationId, StationId, u64)]) -> Vec<(Time, Input)> {
    let one = |(id, &(from, to, at)): (u32, &(StationId, StationId, u64))| {
        (Time::ZERO + Span::millis(at), packet(from, to, id))
    };
    (0..).zip(of).map(one).collect()
}

/// An access point and some stations that ask.
pub fn around(stations: usize) -> QosCellConfig {
    asking(scene(&vec![(0.0, 0.0); stations + 1], u32::MAX).0)
}

pub fn played(config: &wifi::MediumConfig, inputs: &[(Time, Input)], until: Time) -> (Record, Log) {
    let (mut medium, mut log) = (Medium::new(config, seed(1)), Log::default());
    let record = play_to(&mut medium, until, inputs, |_, _, _| (), &mut log);
    (record, log)
}

/// The requests of a log, by their addressee and the millisecond in which they begin.
fn requests(log: &Log) -> Vec<(StationId, u64)> {
    let requests = asked(log).into_iter().filter(|own| own.1);
    requests.map(|own| (own.0.to, own.0.start.0 / 1_000_000)).collect()
}

/// The receiver goes to another channel when it has acknowledged the request. What waited for its response goes alone a second
/// after the request, and the next packet asks again.
#[test]
fn without_a_response_data_wait_for_a_second() {
    let mut inputs = packets(&[0, 0, 0, 0, 1500, 1500, 1500, 1500].map(|at| (STATION, AP, at)));
    let away = [
        (Time(150_000), Input::Tune(AP, 6, Span::ZERO)),
        (Time(100_000_000), Input::Tune(AP, 1, Span::ZERO)),
    ];
    inputs.extend(away);
    inputs.sort_by_key(|(at, _)| *at);
    let until = Time::ZERO + Span::secs(2);
    let (record, log) = played(&all_hear_all(&around(1)), &inputs, until);
    assert_eq!(requests(&log), [(AP, 0), (AP, 1500)]);
    let data: Vec<_> = log
        .0
        .iter()
        .filter(|(sent, _)| sent.qos.is_some() && sent.kind == FrameKind::Data)
        .collect();
    let first = data[0].0.start;
    // It begins at a boundary of a slot.
    assert!(
        first >= Time::ZERO + Span::secs(1) && first < Time::ZERO + Span::secs(1) + Span::micros(9)
    );
    let mpdus: Vec<usize> = data.iter().map(|(_, mpdus)| mpdus.len()).collect();
    assert_eq!(mpdus, [1, 1, 1, 1, 4]);
    assert_eq!(record.delivered.len(), 8);
}

/// Packets have no limit here. A request has the standard's, and does not keep from others what waits behind it.
#[test]
fn a_receiver_that_is_not_there_is_asked_seven_times() {
    let other = StationId(2);
    let mut config = around(2);
    config.stations.iter_mut().for_each(|station| station.mac.short_retry_limit = None);
    let mut inputs = vec![(Time::ZERO, Input::Tune(STATION, 6, Span::ZERO))];
    inputs.extend(packets(&[(AP, STATION, 1), (AP, other, 1), (AP, other, 1)]));
    let (record, log) = played(&all_hear_all(&config), &inputs, Time::ZERO + Span::millis(900));
    let of = |to| requests(&log).iter().filter(|own| own.0 == to).count();
    assert_eq!((of(STATION), of(other)), (7, 1));
    assert_eq!(record.delivered.iter().map(|got| got.1).collect::<Vec<_>>(), [other; 2]);
}

/// The queue has room for one packet, which waits for a receiver that is not there.
#[test]
fn a_packet_that_is_refused_asks_for_nothing() {
    let other = StationId(2);
    let mut config = around(2);
    config.stations[0].queue = QueueLimit::Packets(1).into();
    let mut inputs = vec![(Time::ZERO, Input::Tune(STATION, 6, Span::ZERO))];
    inputs.extend(packets(&[(AP, STATION, 1), (AP, other, 500), (AP, other, 3000)]));
    let (record, log) = played(&all_hear_all(&config), &inputs, Time::ZERO + Span::secs(4));
    let of_other = requests(&log).into_iter().filter(|own| own.0 == other);
    assert_eq!(of_other.collect::<Vec<_>>(), [(other, 3000)]);
    assert_eq!(record.delivered.iter().map(|got| got.2).collect::<Vec<_>>(), [PacketId(2)]);
}

/// A second after the request, which nobody has answered, a frame goes alone, in vain. The next packet asks anew, so that what
/// is for another receiver, which has gone too, is sent first: it has all the attempts of the standard
/// (802.11-2020, 10.3.4.4 counts them for each frame).
#[test]
fn what_failed_for_one_receiver_does_not_count_for_another() {
    let other = StationId(2);
    let config = around(2);
    let us = |at: u64, input| (Time(at * 1000), input);
    let inputs = [
        us(0, Input::Tune(STATION, 6, Span::ZERO)),
        us(0, packet(AP, STATION, 0)),
        us(0, packet(AP, other, 1)),
        us(500_000, Input::Tune(other, 6, Span::ZERO)),
        us(1_000_400, packet(AP, STATION, 2)),
        us(1_000_400, packet(AP, other, 3)),
    ];
    let (record, log) = played(&all_hear_all(&config), &inputs, Time::ZERO + Span::millis(1900));
    assert_eq!(requests(&log).iter().filter(|own| own.0 == STATION).count(), 14);
    let alone = |to| {
        let all = log.0.iter().filter(move |(sent, mpdus)| sent.to == to && !mpdus.is_empty());
        all.map(|(sent, _)| sent.start.0 / 1000).collect::<Vec<_>>()
    };
    let (first, second) = (alone(STATION), alone(other));
    assert!((1..7).contains(&first.len()) && first[0] >= 1_000_000, "{first:?}");
    assert_eq!(second.len(), 1 + 7, "{second:?}");
    assert_eq!(record.dropped.iter().map(|lost| lost.0).collect::<Vec<_>>(), [PacketId(3)]);
}

/// As where a cell whose agreements exist from the start is asked by a station of another.
#[test]
fn a_receiver_that_asks_nobody_answers_at_once() {
    let mut config = all_hear_all(&around(1));
    let access = config.members[AP.index()].access.as_mut().expect("access categories");
    access.qos.settings.agreements = Agreements::Start;
    let inputs = packets(&[(STATION, AP, 0), (STATION, AP, 0)]);
    let (record, log) = played(&config, &inputs, Time::ZERO + Span::millis(10));
    assert_eq!(asked(&log).iter().map(|own| own.1).collect::<Vec<_>>(), [true, false]);
    assert_eq!(record.delivered.len(), 2);
}

/// A receiver without QoS, or a category without A-MPDUs, is asked nothing.
#[test]
fn nobody_asks_where_nothing_is_aggregated() {
    for (ampdu, with_qos) in [(0, true), (65_535, false)] {
        let mut config = asking(cell("n20", 1, ampdu, 0));
        if !with_qos {
            config.categories[0] = None;
        }
        let offers = offers(&up_and_down(2), &[Category::BestEffort], 50);
        for log in both(&config, &offers, Time::ZERO + Span::secs(1)) {
            assert!(asked(&log).is_empty());
            let data = log.0.iter().filter(|(sent, _)| sent.kind == FrameKind::Data);
            assert_eq!(data.filter(|(sent, _)| !sent.retry).count(), 100);
        }
    }
}
