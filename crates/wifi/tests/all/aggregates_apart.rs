//! Aggregates among stations that do not all hear each other, by what a witness sees on the air.

use crate::aggregates_equal::{Offer, medium_of, offers, run_medium};
use crate::driver::{Record, play_to, seed};
use crate::qos_saturation::cell;
use base::{PacketId, Span, StationId, Time};
use proptest::prelude::*;
use radio::noise::sinr;
use radio::propagation::PathLoss;
use radio::{ChannelConfig, ErrorModel, HazardTables, Position, StatePer, Thresholds};
use std::collections::{BTreeMap, BTreeSet};
use wifi::qos::{Categories, Category, HandingUp, QosCellConfig};
use wifi::rate::{Ladder, Modulations};
use wifi::{
    BystanderRule, ErrorConfig, FrameKind, Heard, Medium, MediumConfig, Reception, Sent, SentMpdu,
    SinrConfig, Witness,
};

/// All frames, each with its MPDUs.
#[derive(Default)]
pub struct Log(pub Vec<(Sent, Vec<SentMpdu>)>);

impl Witness for Log {
    fn sent(&mut self, frame: impl FnOnce() -> Sent) {
        self.0.push((frame(), Vec::new()));
    }

    fn mpdu(&mut self, mpdu: SentMpdu) {
        let own = self.0.iter_mut().rev().find(|(sent, _)| sent.from == mpdu.from);
        own.expect("its frame").1.push(mpdu);
    }

    fn heard(&mut self, _by: impl Iterator<Item = Heard>) {}

    fn is_listening(&self) -> bool {
        true
    }
}

pub fn watch(config: &MediumConfig, offers: &[Offer], until: Time) -> (Medium, Record, Log) {
    let mut medium = Medium::new(config, seed(1));
    offers.iter().enumerate().for_each(|(i, offer)| offer.put(&mut medium, i));
    let mut log = Log::default();
    let record = play_to(&mut medium, until, &[], |_, _, _| (), &mut log);
    (medium, record, log)
}

/// Stations of 802.11ac at these places; frames are decoded and sensed up to 250 m, and nothing captures.
pub fn scene(places: &[(f64, f64)], rts: u32) -> (QosCellConfig, MediumConfig) {
    let mut cell = cell("ac80", places.len() - 1, 65_535, 0);
    cell.of_flow = Categories::new(Category::EVERY.to_vec());
    for station in &mut cell.stations {
        station.mac.rts_threshold = rts;
        (station.mac.short_retry_limit, station.mac.bystanders) = (Some(7), BystanderRule::Eifs);
    }
    let near = Thresholds::WAVELAN.receive_w;
    let thresholds = Thresholds { receive_w: near, sense_w: near, capture_ratio: f64::INFINITY };
    let places: Vec<Position> = places.iter().map(|&(x, y)| Position::flat(x, y)).collect();
    let mut config = medium_of(&cell, &places, Reception::Thresholds(thresholds));
    config.propagation.path_loss = PathLoss::ns2_two_ray(914e6);
    (cell, config)
}

const HIDDEN: [(f64, f64); 3] = [(0.0, 0.0), (200.0, 0.0), (-200.0, 0.0)];

/// When MPDUs go up changes nothing on the air: the same frames go, the same MPDUs come, and each packet goes up when its MPDU, and all
/// before it, have come. Hidden stations spoil some by interference bit by bit, or by overlapping at all.
#[test]
fn mpdus_that_go_up_one_by_one_are_those_of_whole_ppdus() {
    let (_, config) = scene(&HIDDEN, u32::MAX);
    let offers = offers(&[(1, 0), (2, 0), (0, 1)], &[Category::BestEffort], 3000);
    let channel = ChannelConfig::BitErrors { ber: 4e-6 };
    let lossy = ErrorConfig { channel, state_per: StatePer::Station, fec: None };
    let bit_by_bit = Reception::Sinr(SinrConfig {
        detect_w: Thresholds::WAVELAN.receive_w,
        sense_w: Thresholds::WAVELAN.receive_w,
        noise_w: 1e-16,
        model: ErrorModel::Soft,
        capture_ratio: Some(10.0),
    });
    for (errors, reception) in [
        (ErrorConfig::IDEAL, config.reception),
        (lossy.clone(), config.reception),
        (lossy, bit_by_bit),
    ] {
        let config = MediumConfig { reception, errors, ..config.clone() };
        let run = |hand_up| {
            let mut config = config.clone();
            for access in config.members.iter_mut().filter_map(|member| member.access.as_mut()) {
                access.qos.settings.hand_up = hand_up;
            }
            let (_, record, Log(frames)) = watch(&config, &offers, Time::ZERO + Span::millis(700));
            (record, frames)
        };
        let ((whole, frames), (each, same)) = (run(HandingUp::Ppdu), run(HandingUp::Mpdu));
        assert_eq!(frames.len(), same.len());
        let (mut early, mut some) = (0, 0);
        for ((a, before), (b, after)) in frames.iter().zip(&same) {
            assert_eq!((a.start, a.from, a.kind, a.bytes), (b.start, b.from, b.kind, b.bytes));
            let of = |mpdu: &SentMpdu| (mpdu.number, mpdu.lost, mpdu.retry, mpdu.for_all);
            let all = |mpdus: &[SentMpdu]| mpdus.iter().map(of).collect::<Vec<_>>();
            assert_eq!(all(before), all(after));
            assert!(after.iter().is_sorted_by_key(|mpdu| mpdu.up));
            early += after.iter().filter(|mpdu| mpdu.up < b.start + b.airtime).count();
            let lost = after.iter().filter(|mpdu| mpdu.lost).count();
            some += usize::from(lost > 0 && lost < after.len());
        }
        assert!(early > 1000 && some > 10, "{early} {some}");
        let sorted = |record: &Record| {
            let mut ids: Vec<_> = record.delivered.iter().map(|got| (got.1, got.2)).collect();
            ids.sort_unstable_by_key(|own| (own.0.0, own.1.0));
            ids
        };
        assert_eq!(sorted(&whole), sorted(&each));
        let ups: BTreeSet<Time> =
            same.iter().flat_map(|(_, mpdus)| mpdus.iter().map(|mpdu| mpdu.up)).collect();
        let by_mpdu = each.delivered.iter().filter(|got| ups.contains(&got.0)).count();
        assert!(by_mpdu * 100 > each.delivered.len() * 95, "{by_mpdu}");
        for (way, of) in [(1, 0), (2, 0), (0, 1)].into_iter().zip(0..) {
            let mine = |got: &&(Time, StationId, PacketId)| got.2.0 as usize % 3 == of;
            let order = each.delivered.iter().filter(mine).map(|got| got.2.0);
            assert!(order.is_sorted(), "{way:?}");
        }
    }
}

/// By the times that frames share at the access point, worked out from what was sent: an MPDU is lost where another sender is
/// on the air in its own time, and all are where one is in the preamble or the access point itself sends.
#[test]
fn hidden_stations_spoil_the_mpdus_that_they_overlap() {
    let (_, config) = scene(&HIDDEN, u32::MAX);
    let offers = offers(&[(1, 0), (2, 0)], &[Category::BestEffort], 60_000);
    let (medium, _, Log(frames)) = watch(&config, &offers, Time::ZERO + Span::secs(1));
    let (mut whole, mut partly, mut none) = (0, 0, 0);
    for (i, (frame, mpdus)) in frames.iter().enumerate() {
        let end = frame.start + frame.airtime;
        if mpdus.is_empty() || frame.kind != FrameKind::Data {
            continue;
        }
        let others: Vec<_> =
            frames.iter().enumerate().filter(|(k, _)| *k != i).map(|(_, f)| &f.0).collect();
        let meets =
            |a: Time, b: Time| others.iter().any(|o| o.start < b && o.start + o.airtime > a);
        let deaf = others
            .iter()
            .any(|o| o.from == StationId(0) && o.start < end && o.start + o.airtime > frame.start);
        let all = deaf || meets(frame.start, frame.start + frame.plcp);
        let bytes = mpdus
            .iter()
            .fold(0_u64, |sum, mpdu| sum.next_multiple_of(4) + 4 + u64::from(mpdu.bytes));
        let (body, from) =
            ((frame.airtime.0 - frame.plcp.0) as f64, (frame.start + frame.plcp).0 as f64);
        let at = |sent: u64| Time((from + body * sent as f64 / bytes as f64) as u64);
        let (mut sent, mut lost) = (0_u64, 0);
        for mpdu in mpdus {
            let begins = sent;
            sent = sent.next_multiple_of(4) + 4 + u64::from(mpdu.bytes);
            assert_eq!(mpdu.lost, all || meets(at(begins), at(sent)), "{frame:?} {mpdu:?}");
            lost += usize::from(mpdu.lost);
        }
        *(if lost == 0 {
            &mut whole
        } else if lost < mpdus.len() {
            &mut partly
        } else {
            &mut none
        }) += 1;
    }
    assert!(whole > 20 && partly > 20 && none > 20, "{whole} {partly} {none}");
    let stats = medium.access().expect("categories").stats(StationId(1));
    assert!(stats.hidden > 20 && stats.collisions == 0, "{stats:?}");
}

/// The bytes that come through in a time; by station.
fn carried(config: &MediumConfig, offers: &[Offer]) -> (Medium, BTreeMap<u32, usize>) {
    let (medium, record) = run_medium(config, offers, Time::ZERO + Span::secs(1));
    let mut by = BTreeMap::new();
    for (.., id) in record.delivered {
        *by.entry(offers[id.index()].way.0.0).or_default() += 1;
    }
    (medium, by)
}

#[test]
fn an_rts_protects_aggregates_from_hidden_stations() {
    let offers = offers(&[(1, 0), (2, 0)], &[Category::BestEffort], 60_000);
    let again = |rts| {
        let medium = carried(&scene(&HIDDEN, rts).1, &offers).0;
        let stations = medium.access().expect("categories");
        let of = |at| stations.categories(StationId(at)).map(|(_, all)| (all.mpdus, all.retries));
        let (mpdus, retries) = of(1).chain(of(2)).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        retries as f64 / mpdus as f64
    };
    let (bare, protected) = (again(u32::MAX), again(0));
    assert!(bare > 0.05 && protected < bare / 10.0, "{bare} {protected}");
}

/// The nearer of two that begin together captures the receiver.
#[test]
fn the_nearer_station_captures() {
    let (_, mut config) = scene(&[(0.0, 0.0), (20.0, 0.0), (0.0, 200.0)], u32::MAX);
    let offers = offers(&[(1, 0), (2, 0)], &[Category::BestEffort], 60_000);
    let even = carried(&config, &offers).1;
    config.reception = Reception::Sinr(SinrConfig {
        detect_w: Thresholds::WAVELAN.receive_w,
        sense_w: Thresholds::WAVELAN.sense_w,
        noise_w: 1e-16,
        model: ErrorModel::Soft,
        capture_ratio: Some(10.0),
    });
    let (medium, uneven) = carried(&config, &offers);
    let ratio = |of: &BTreeMap<u32, usize>| of[&1] as f64 / of[&2] as f64;
    assert!((ratio(&even) - 1.0).abs() < 0.05, "{even:?}");
    assert!(ratio(&uneven) > 1.1, "{uneven:?}");
    let stats = |at| medium.access().expect("categories").stats(StationId(at));
    assert!(stats(2).collisions > 5 * stats(1).collisions, "{:?} {:?}", stats(1), stats(2));
}

/// A bystander that senses an exchange and decodes none of it waits SIFS, an ACK at 6 Mbit/s and AIFS, and its backoff.
#[test]
fn bystanders_that_decode_nothing_wait_for_eifs() {
    let (_, mut config) = scene(&[(0.0, 0.0), (100.0, 0.0), (500.0, 0.0), (720.0, 0.0)], u32::MAX);
    let wide = Thresholds { sense_w: Thresholds::WAVELAN.sense_w, ..Thresholds::WAVELAN };
    config.reception = Reception::Thresholds(Thresholds { capture_ratio: f64::INFINITY, ..wide });
    let offers = offers(&[(1, 0), (2, 3)], &[Category::BestEffort], 4000);
    let (.., Log(frames)) = watch(&config, &offers, Time::ZERO + Span::secs(1));
    let aifs = Span::micros(16 + 3 * 9);
    let ack = config.members[0].station.ladder.phy().lowest.of_bytes(14);
    let mut least = [Span(u64::MAX); 2];
    for two in frames.windows(2) {
        let (last, next) = (&two[0].0, &two[1].0);
        let follows = last.from == StationId(0) && next.kind == FrameKind::Data;
        if follows && let 1 | 2 = next.from.0 {
            let place = next.from.index() - 1;
            least[place] = least[place].min(next.start.since(last.start + last.airtime));
        }
    }
    assert_eq!(least, [aifs, Span::micros(16) + ack + aifs]);
}

/// One sender near the limit of its range: the share of MPDUs that comes through is that of their bits.
#[test]
fn noise_loses_mpdus_as_the_closed_form_says() {
    let (_, mut config) = scene(&[(0.0, 0.0), (100.0, 0.0)], u32::MAX);
    let model = ErrorModel::Nist;
    let noise_w = 1e-12;
    let power_w = 1e-9;
    config.propagation.path_loss =
        PathLoss::LogDistance { exponent: 0.0, reference_m: 1.0, reference_db: 0.0 };
    let modulations = Modulations {
        data: radio::Modulation::Dqpsk,
        ..Modulations::alike(radio::Modulation::Dbpsk)
    };
    let hazard = |noise_w: f64| {
        HazardTables::default().of(model, modulations.data).bit_hazard(sinr(power_w, 0.0, noise_w))
    };
    // The noise at which an MPDU of 1538 bytes is lost in three of ten cases.
    let (bits, mut low, mut high) = (1538.0 * 8.0, noise_w, power_w);
    for _ in 0..100 {
        let middle = (low * high).sqrt();
        *(if hazard(middle) * bits > -(0.7_f64.ln()) { &mut high } else { &mut low }) = middle;
    }
    config.transmit_w = power_w;
    let (detect_w, capture_ratio) = (power_w / 2.0, None);
    config.reception = Reception::Sinr(SinrConfig {
        detect_w,
        sense_w: detect_w,
        noise_w: low,
        model,
        capture_ratio,
    });
    for member in &mut config.members {
        member.station.ladder = Ladder::fixed(*member.station.ladder.phy(), modulations);
    }
    let offers = offers(&[(1, 0)], &[Category::BestEffort], 30_000);
    let (.., Log(frames)) = watch(&config, &offers, Time::ZERO + Span::secs(2));
    let mut seen: BTreeMap<u32, (f64, f64)> = BTreeMap::new();
    for mpdu in frames.iter().flat_map(|frame| &frame.1) {
        let (all, lost) = seen.entry(mpdu.bytes).or_default();
        (*all, *lost) = (*all + 1.0, *lost + f64::from(u8::from(mpdu.lost)));
    }
    for (bytes, (all, lost)) in seen {
        let expected = 1.0 - (-hazard(low) * f64::from(bytes) * 8.0).exp();
        let deviation = (expected * (1.0 - expected) / all).sqrt();
        assert!(all > 1000.0, "{bytes} {all}");
        assert!(
            (lost / all - expected).abs() < 4.0 * deviation,
            "{bytes}: {} {expected}",
            lost / all
        );
    }
}

/// Where each frame and MPDU is lost once in ten, a block acknowledgement is asked for as often as one is lost: q / (1 - q)^2
/// for each PPDU, since a request and its answer can be lost too.
#[test]
fn lost_answers_are_asked_for_as_often_as_the_closed_form_says() {
    let (_, mut config) = scene(&[(0.0, 0.0), (100.0, 0.0)], u32::MAX);
    let channel = ChannelConfig::Bernoulli { frame_loss: 0.1 };
    config.errors = ErrorConfig { channel, state_per: StatePer::Receiver, fec: None };
    let offers = offers(&[(1, 0)], &[Category::BestEffort], 200_000);
    let medium = carried(&config, &offers).0;
    let stations = medium.access().expect("categories");
    let (ppdus, requests) = stations
        .categories(StationId(1))
        .fold((0, 0), |sum, (_, all)| (sum.0 + all.ppdus, sum.1 + all.requests));
    let (expected, n) = (0.1 / 0.81, ppdus as f64);
    let deviation = (expected * 2.0 / n).sqrt();
    assert!(n > 800.0, "{n}");
    assert!((requests as f64 / n - expected).abs() < 4.0 * deviation, "{requests} {ppdus}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    /// Anywhere, with all that can go wrong at once: each packet goes up once, in the order of its way and category, or is
    /// given up once; a witness changes nothing; and the air falls silent.
    #[test]
    fn mpdus_go_up_once_and_in_order(
        spots in proptest::collection::vec((0.0_f64..700.0, 0.0_f64..700.0), 2..7),
        (rts, sinr, loses, txop, asks) in any::<(bool, bool, bool, bool, bool)>(),
        (ampdu, amsdu) in (prop_oneof![Just(0_u32), 2000_u32..65_535], prop_oneof![Just(0_u32), Just(4000)]),
    ) {
        let stations = spots.len() as u32;
        let (mut cell, mut config) = scene(&spots, if rts { 500 } else { u32::MAX });
        cell.qos.settings.request_after_miss = asks;
        cell.qos.settings.lifetime = Span::millis(500);
        for member in &mut config.members {
            let access = member.access.as_mut().expect("categories");
            access.qos = cell.qos;
            for own in access.categories.iter_mut().flatten() {
                (own.ampdu, own.amsdu) = (ampdu, amsdu);
                own.txop = if txop { Span::micros(2528) } else { Span::ZERO };
            }
        }
        if sinr {
            config.reception = Reception::Sinr(SinrConfig {
                detect_w: Thresholds::WAVELAN.receive_w,
                sense_w: Thresholds::WAVELAN.sense_w,
                noise_w: Thresholds::WAVELAN.receive_w / 4.0,
                model: ErrorModel::Nist,
                capture_ratio: Some(10.0),
            });
        }
        if loses {
            let channel = ChannelConfig::BitErrors { ber: 2e-5 };
            config.errors = ErrorConfig { channel, state_per: StatePer::Receiver, fec: None };
        }
        let ways: Vec<_> = (1..stations).flat_map(|i| [(i, 0), (0, i), (i, i - 1)]).collect();
        let offers = offers(&ways, &Category::EVERY, 60);
        let until = Time::ZERO + Span::secs(600);
        let (medium, record) = run_medium(&config, &offers, until);
        let (_, watched, _) = watch(&config, &offers, until);
        prop_assert_eq!(&record.delivered, &watched.delivered);
        let mut fates = vec![0; offers.len()];
        let mut last = BTreeMap::new();
        for &(_, to, id) in &record.delivered {
            fates[id.index()] += 1;
            let offer = &offers[id.index()];
            prop_assert_eq!(to, offer.way.1);
            let before = last.insert((offer.way, offer.category as u8), id);
            prop_assert!(before.is_none_or(|before| before < id), "{:?} {:?}", before, id);
        }
        record.dropped.iter().for_each(|(id, _)| fates[id.index()] += 1);
        let held = fates.iter().filter(|&&fate| fate == 0).count();
        prop_assert!(fates.iter().all(|&fate| fate <= 1));
        prop_assert_eq!(held, 0, "held back or never settled");
        prop_assert_eq!(medium.next_start(), Time::NEVER);
        for station in (0..stations).map(StationId) {
            prop_assert!(medium.airtime_by(station, until) <= until.since(Time::ZERO));
        }
    }
}
