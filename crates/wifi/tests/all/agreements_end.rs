//! Agreements that are refused, and that end because nothing has come for too long.

use crate::aggregates_apart::Log;
use crate::aggregates_equal::{Offer, watch_cell};
use crate::agreements::{all_hear_all, around, asked, packets, played};
use crate::driver::{Input, Record};
use base::{PacketId, Span, StationId, Time};
use wifi::mlme::{Body, Delba, Reason, Status};
use wifi::qos::{Category, QosCellConfig};
use wifi::{FrameKind, Sent};

const AP: StationId = StationId(0);
const STATION: StationId = StationId(1);

fn at(ms: f64) -> Time {
    Time((ms * 1e6) as u64)
}

/// The same packets for cell and medium, in the order of their times.
fn offers(of: &[(StationId, StationId, u64)]) -> Vec<Offer> {
    let category = Category::BestEffort;
    let one = |&(from, to, ms): &(StationId, StationId, u64)| {
        let at = Time::ZERO + Span::millis(ms);
        Offer { at, way: (from, to), category, bytes: 500 }
    };
    of.iter().map(one).collect()
}

/// A cell and a medium in which all hear all deliver the same packets at the same times, by the same frames.
fn same(config: &QosCellConfig, of: &[(StationId, StationId, u64)], until: Time) -> (Record, Log) {
    let mut log = Log::default();
    let (_, record) = watch_cell(config, &offers(of), until, &mut log);
    let (other, other_log) = played(&all_hear_all(config), &packets(of), until);
    let frames = |log: &Log| -> Vec<_> {
        let began = |sent: &&Sent| sent.start < until;
        let all = log.0.iter().map(|(sent, _)| sent).filter(began);
        all.map(|sent| (sent.start, sent.from, sent.to, sent.kind, sent.management)).collect()
    };
    let both = frames(&log).into_iter().zip(frames(&other_log)).enumerate();
    assert_eq!(both.into_iter().find(|(_, (a, b))| a != b), None);
    assert_eq!(log.0.len(), other_log.0.len());
    assert_eq!(record.delivered, other.delivered);
    assert_eq!(record.dropped, other.dropped);
    (record, log)
}

/// What DELBA frames say, with those that are repeated.
fn ends(Log(frames): &Log) -> Vec<(Sent, Delba)> {
    let says = |sent: &Sent| match sent.management?.body {
        Body::Delba(delba) => Some((*sent, delba)),
        _ => None,
    };
    frames.iter().filter_map(|(sent, _)| says(sent)).collect()
}

/// The numbers of MPDUs in data frames that begin between two times, ms.
fn sizes(Log(frames): &Log, from: f64, until: f64) -> Vec<usize> {
    let within = |sent: &Sent| sent.start >= at(from) && sent.start < at(until);
    let data = |sent: &Sent| sent.kind == FrameKind::Data && sent.management.is_none();
    let own = frames.iter().filter(|(sent, _)| data(sent) && within(sent));
    own.map(|(_, mpdus)| mpdus.len()).collect()
}

/// When ADDBA Requests begin that are not repeated, ms.
fn requests(log: &Log) -> Vec<u64> {
    let requests = asked(log).into_iter().filter(|own| own.1 && !own.0.retry);
    requests.map(|own| own.0.start.0 / 1_000_000).collect()
}

fn with_timeout(stations: usize, units: u64) -> QosCellConfig {
    let mut config = around(stations);
    config.qos.settings.block_ack_timeout = Span::micros(1024 * units);
    config
}

/// Four packets each 10 ms, and each second later on: the first of each asks, four times as fast as packets come and then each 15 s
/// (Linux's limits). All go alone, and none waits for longer than it takes to be refused.
#[test]
fn a_station_that_refuses_gets_single_frames_and_is_asked_again() {
    let mut config = around(1);
    config.accept_agreements[STATION.index()] = false;
    let times = (0..10).map(|k| 10 * k).chain((1..20).map(|k| 1000 * k));
    let of: Vec<_> = times.flat_map(|ms| [(AP, STATION, ms); 4]).collect();
    let (record, log) = same(&config, &of, at(19_900.0));
    assert_eq!(requests(&log), [0, 10, 20, 30, 16_000]);
    let statuses = log.0.iter().filter_map(|(sent, _)| match sent.management?.body {
        Body::AddbaResponse(_, status) => Some(status),
        _ => None,
    });
    assert_eq!(statuses.collect::<Vec<_>>(), [Status::Declined; 5]);
    assert_eq!(sizes(&log, 0.0, 19_900.0), vec![1; of.len()]);
    assert_eq!(log.0.iter().filter(|(sent, _)| sent.kind == FrameKind::BlockAck).count(), 0);
    for (when, _, PacketId(id)) in record.delivered {
        let waited = when.since(offers(&of)[id as usize].at);
        assert!(waited < Span::millis(2), "{id} {waited:?}");
    }
}

/// The other direction has an agreement all the same.
#[test]
fn a_station_that_refuses_may_ask() {
    let mut config = around(1);
    config.accept_agreements[STATION.index()] = false;
    let (_, log) = same(&config, &[(STATION, AP, 1); 8], at(50.0));
    assert_eq!(sizes(&log, 0.0, 50.0), [8]);
}

/// Ten time units after the only aggregate the recipient says that it has waited for long enough, and ten after its answer the
/// originator. What comes later is asked for anew.
#[test]
fn both_ends_give_an_agreement_up_when_nothing_comes() {
    let of = [(AP, STATION, 1), (AP, STATION, 1), (AP, STATION, 60), (AP, STATION, 60)];
    let (_, log) = same(&with_timeout(1, 10), &of, at(100.0));
    let answer = log.0.iter().find(|(sent, _)| sent.kind == FrameKind::BlockAck).expect("one");
    let timeout = Span::micros(10 * 1024);
    let came = Time(answer.0.start.0 - 16_000);
    let said = ends(&log);
    assert_eq!(said.len(), 4, "the second agreement ends too");
    let ways = [(STATION, AP, came), (AP, STATION, answer.0.start + answer.0.airtime)];
    for ((sent, own), (from, to, since)) in said.iter().zip(ways) {
        assert_eq!((sent.from, sent.to, sent.bytes), (from, to, 34));
        let category = Category::BestEffort;
        let reason = Reason::Timeout;
        assert_eq!(*own, Delba { category, by_originator: from == AP, reason });
        let late = sent.start.since(since + timeout);
        assert!(sent.start >= since + timeout && late < Span::micros(200), "{late:?}");
    }
    assert_eq!(requests(&log), [1, 60]);
    assert_eq!(sizes(&log, 0.0, 100.0), [2, 2]);
}

/// A single packet each 8 ms is enough for a timeout of ten time units, and not for one of five.
#[test]
fn traffic_keeps_an_agreement() {
    let of: Vec<_> = (0..50).map(|k| (AP, STATION, 1 + 8 * k)).collect();
    for (units, lasts) in [(10, true), (5, false)] {
        let (_, log) = same(&with_timeout(1, units), &of, at(400.0));
        assert_eq!(ends(&log).is_empty(), lasts, "{units}");
        assert_eq!(requests(&log).len(), if lasts { 1 } else { 50 }, "{units}");
    }
}

/// With timeouts not much longer than the waits for the medium, of stations that contend, frames of all kinds meet. Packets come in times
/// without collisions: a cell does not know that a station whose frame has just collided waits for the answer to it.
#[test]
fn with_places_and_without_all_ends_the_same() {
    for units in [3, 5, 20] {
        let mut config = with_timeout(6, units);
        config.accept_agreements[2] = false;
        let ways: Vec<_> = (1..7).flat_map(|i| [(StationId(i), AP), (AP, StationId(i))]).collect();
        let mut of = Vec::new();
        for ms in 0..700 {
            for (k, &(from, to)) in (0..).zip(&ways) {
                let several = if (ms * 7 + k * 5) % 61 < 2 { 1 + (ms + k) % 4 } else { 0 };
                of.extend((0..several).map(|_| (from, to, ms)));
            }
        }
        let (record, log) = same(&config, &of, at(800.0));
        assert_eq!(record.delivered.len(), of.len(), "{units}");
        assert!(ends(&log).len() > 20, "{units}: {}", ends(&log).len());
        assert!(ends(&log).iter().any(|own| own.0.retry), "{units}: some have collided");
        assert!(sizes(&log, 0.0, 800.0).iter().any(|&size| size > 2));
    }
}

/// The receiver goes away in the middle of an aggregate. Its sender asks what has come, in vain, until its timeout is over; so is its
/// DELBA frame. Then what has been sent in the aggregate goes on alone, with acknowledgements, and with the same numbers.
#[test]
fn what_an_aggregate_has_left_goes_alone() {
    let mut config = with_timeout(1, 20);
    config.stations.iter_mut().for_each(|station| station.mac.short_retry_limit = None);
    let times = [1, 1, 5, 5, 5, 5, 5, 5, 5, 5];
    let mut inputs = packets(&times.map(|ms| (AP, STATION, ms)));
    inputs.push((Time(5_000_001), Input::Tune(STATION, 6, Span::ZERO)));
    inputs.push((at(60.0), Input::Tune(STATION, 1, Span::ZERO)));
    let (record, log) = played(&all_hear_all(&config), &inputs, at(200.0));
    assert!(ends(&log).iter().any(|(sent, own)| sent.from == AP && own.by_originator));
    let requests = log.0.iter().filter(|(sent, _)| sent.kind == FrameKind::BlockAckRequest);
    let last = requests.map(|(sent, _)| sent.start).max().expect("requests");
    assert!(last < at(30.0), "none when the timeout is over: {last:?}");
    // The aggregate that is not answered, and then one each.
    assert_eq!(sizes(&log, 4.0, 20.0), [8]);
    assert!(sizes(&log, 30.0, 200.0).iter().all(|&size| size == 1));
    let later = log.0.iter().filter(|(sent, _)| sent.start >= at(30.0));
    let numbers = later.flat_map(|(_, mpdus)| mpdus.iter().map(|mpdu| (mpdu.number, mpdu.retry)));
    assert!(numbers.clone().all(|(number, retry)| (2..10).contains(&number) && retry));
    assert!(numbers.count() >= 8);
    let delivered: Vec<u32> = record.delivered.iter().map(|got| got.2.0).collect();
    assert_eq!(delivered, (0..10).collect::<Vec<_>>());
    assert!(record.dropped.is_empty());
}
