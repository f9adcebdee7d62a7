//! A queue discipline above a driver's queue, and a receiver that does not answer: what others get meanwhile.

use crate::aggregates_apart::scene;
use crate::agreements::all_hear_all;
use crate::driver::{Input, Record, play, seed};
use base::{PacketId, Span, StationId, Time};
use net::{Discipline, DropReason, Fate, Interfaces, QueueConfig, QueueLimit};
use wifi::qos::Agreements;
use wifi::{Medium, MediumConfig};

const AP: StationId = StationId(0);
const GONE: StationId = StationId(1);
const THERE: StationId = StationId(2);

/// An access point with this discipline above a driver's queue of 128 packets, and two stations, the first of which is on another
/// channel.
fn access_point(discipline: Discipline, agreements: Agreements) -> MediumConfig {
    let (mut cell, _) = scene(&[(0.0, 0.0); 3], u32::MAX);
    (cell.qos.settings.agreements, cell.qos.settings.lifetime) = (agreements, Span::millis(500));
    cell.stations[0].queue =
        QueueConfig { discipline, ..QueueConfig::from(QueueLimit::Packets(1000)) };
    all_hear_all(&cell)
}

/// Packets for the one that is gone, and some for the other, each of these at its millisecond.
fn run_at(config: &MediumConfig, gone: u32, there: &[u64]) -> (Medium, Record) {
    let tune = (Time::ZERO, Input::Tune(GONE, 6, Span::ZERO));
    let packet = |(id, to, ms)| {
        let input = Input::Packet { from: AP, to, id: PacketId(id), bytes: 1000 };
        (Time::ZERO + Span::millis(ms), input)
    };
    let first = (0..gone).map(|id| packet((id, GONE, 1)));
    let second = (gone..).zip(there).map(|(id, &ms)| packet((id, THERE, ms)));
    let inputs: Vec<_> = std::iter::once(tune).chain(first).chain(second).collect();
    let mut medium = Medium::new(config, seed(1));
    let record = play(&mut medium, Time::ZERO + Span::secs(3), &inputs, |_, _, _| ());
    (medium, record)
}

/// Packets for the one that is gone, and 10 ms later some for the other.
fn run(config: &MediumConfig, gone: u32, there: usize) -> (Medium, Record) {
    run_at(config, gone, &vec![11; there])
}

/// What waits for an ADDBA Response is not in the driver, which therefore goes on with what is for others.
#[test]
fn who_waits_for_an_agreement_does_not_block_others() {
    let (_, record) = run(&access_point(Discipline::Codel, Agreements::Frames), 300, 20);
    let soon = Time::ZERO + Span::millis(30);
    let came = record.delivered.iter().filter(|(at, to, _)| *to == THERE && *at < soon).count();
    assert_eq!(came, 20, "{:?}", record.delivered);
}

/// Linux keeps 64 of them (`STA_MAX_TX_BUFFER`), and drops the oldest for a further one.
#[test]
fn no_more_than_64_packets_wait_for_an_agreement() {
    let (mut medium, record) = run(&access_point(Discipline::Codel, Agreements::Frames), 100, 0);
    let full = (0..36).map(|id| (AP, PacketId(id), Fate::Dropped(DropReason::Queue)));
    assert_eq!(*medium.fates(), full.collect::<Vec<_>>());
    assert_eq!(record.dropped.len(), 64, "none comes through in the end");
}

/// A receiver whose request is put off has had its turn, also where an aggregate alone is built ahead.
#[test]
fn a_receiver_that_has_gone_keeps_no_turn() {
    let mut config = access_point(Discipline::Mac80211, Agreements::Start);
    for access in config.members.iter_mut().filter_map(|member| member.access.as_mut()) {
        access.qos.settings.sharing.hardware_aggregates = Some(1);
    }
    let (_, record) = run_at(&config, 1, &[11, 1000, 1001, 2000]);
    let came: Vec<u64> = record.delivered.iter().map(|own| own.0.0 / 1_000_000).collect();
    assert_eq!(came.len(), 4, "{came:?}");
    assert!(came[0] < 30 && came[1..] == [1000, 1001, 2000], "{came:?}");
}

/// With an agreement from the start, what has failed is asked about for a lifetime before anything else goes, as in ns-3, unless
/// Linux keeps a queue for each receiver. It is not the places in the driver that others lack.
#[test]
fn a_receiver_that_has_gone_holds_others_up_for_a_lifetime_in_queues_for_all() {
    for (discipline, expected) in [
        (Discipline::DropTail, 500..530),
        (Discipline::Codel, 500..530),
        (Discipline::Mac80211, 11..30),
    ] {
        for gone in [1, 100] {
            let (_, record) = run(&access_point(discipline, Agreements::Start), gone, 20);
            let first = record.delivered.first().map(|own| own.0.0 / 1_000_000);
            let is_expected = first.is_some_and(|ms| expected.contains(&ms));
            assert!(is_expected, "{discipline:?} {gone} {first:?}");
        }
    }
}
