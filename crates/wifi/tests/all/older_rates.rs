//! Cells of 802.11n with a station at 1 Mbit/s against a Monte Carlo of the access rules that shares no code with them, and against
//! a hand calculation. Durations are worked out by hand from 802.11-2020, 16.3.4, 18.5.3 and 19.4.3.

use crate::arrivals_equal::age;
use crate::qos_saturation::cell;
use base::{CellId, PacketId, Rng, Seed, StationId, Time};
use net::{Arrival, Interfaces, Out};
use wifi::qos::{Category, QosCell, QosCellConfig};

/// A packet of 1500 bytes with headers of 38.
const BYTES: u32 = 1500;
/// 192 us and 8 bits for each of 1538 bytes; SIFS and an acknowledgement of 14 bytes.
const OLD: Sender = Sender { frame: 12_496, answer: 10 + 304, timeout: 10 + 9 + 192, packets: 1 };
/// 36 us, 48 symbols and 6 us; SIFS and 20 us, 2 symbols and 6 us.
const SINGLE: Sender = Sender { frame: 234, answer: 10 + 34, timeout: 10 + 9 + 20, packets: 1 };
/// 36 us, 1331 symbols of 260 bits for 27 * 1544 + 1542 bytes, and 6 us; a block acknowledgement of 32 bytes has 3 symbols.
const AGGREGATE: Sender = Sender { frame: 5366, answer: 10 + 38, timeout: 39, packets: 28 };
/// SIFS and three slots.
const AIFS: u64 = 10 + 3 * 9;
const SLOT: u64 = 9;

/// What a station sends, in us.
#[derive(Clone, Copy)]
struct Sender {
    frame: u64,
    /// SIFS and answer.
    answer: u64,
    /// After which it knows that none comes.
    timeout: u64,
    packets: u64,
}

/// Packets a second of each station, all of which always have some, count boundaries of slots, wait for no EIFS, and begin anew with
/// the smallest window after seven failures in a row (802.11-2020, 10.23.2.2).
fn by_access_rules(senders: &[Sender], seconds: u64) -> Vec<f64> {
    let mut rng: Rng = Seed { seed: 7, replication: 0 }.stream(base::Purpose::AccessBackoff, 99);
    let mut draw = |cw: u64| rng.below(cw as u32 + 1).into();
    let n = senders.len();
    // When slots begin to count, the boundaries left, and the failures in a row, of each.
    let (mut free, mut left, mut failures) = (vec![AIFS; n], vec![0_u64; n], vec![0_u32; n]);
    left.iter_mut().for_each(|left| *left = draw(15));
    let mut delivered = vec![0_u64; n];
    loop {
        let starts: Vec<u64> =
            free.iter().zip(&left).map(|(free, left)| free + left * SLOT).collect();
        let now = *starts.iter().min().expect("there are senders");
        if now > seconds * 1_000_000 {
            return delivered.iter().map(|&packets| packets as f64 / seconds as f64).collect();
        }
        let winners: Vec<usize> = (0..n).filter(|&i| starts[i] == now).collect();
        let mut end = now + winners.iter().map(|&i| senders[i].frame).max().expect("one begins");
        let is_answered = winners.len() == 1;
        if is_answered {
            end += senders[winners[0]].answer;
        }
        for i in 0..n {
            if !winners.contains(&i) {
                left[i] -= if now < free[i] { 0 } else { (now - free[i]) / SLOT + 1 };
                free[i] = end + AIFS;
                continue;
            }
            let own = senders[i];
            failures[i] = if is_answered { 0 } else { (failures[i] + 1) % 7 };
            delivered[i] += if is_answered { own.packets } else { 0 };
            left[i] = draw((16 << failures[i]) - 1);
            let waits = if is_answered { end } else { now + own.frame + own.timeout };
            free[i] = end.max(waits) + AIFS;
        }
    }
}

/// Packets a second of each station but the access point, to which they send.
fn saturated(config: &QosCellConfig, seconds: u64) -> Vec<f64> {
    let n = config.stations.len() as u32 - 1;
    let mut cell = QosCell::new(config, Seed { seed: 1, replication: 0 }, CellId(0));
    let (mut next, mut delivered) = (0, vec![0_u64; n as usize]);
    let mut of = Vec::new();
    let mut feed = |cell: &mut QosCell, of: &mut Vec<u32>, now: Time, station: StationId| {
        while cell.stations().lacking((station, StationId(0)), Category::BestEffort, 0) > 0 {
            let arrival: Arrival<'_> = (PacketId(next), BYTES).into();
            next += 1;
            of.push(station.0 - 1);
            cell.offer(now, (station, StationId(0)), &arrival).expect("there is room");
        }
    };
    (1..=n).for_each(|station| feed(&mut cell, &mut of, Time::ZERO, StationId(station)));
    let (mut out, mut landed) = (Out::<()>::default(), Vec::new());
    while cell.next_start() < Time(seconds * 1_000_000_000) {
        let mut exchange = cell.on_start(&mut out, &mut ());
        while let Some(at) = exchange.data_end {
            exchange.data_end = cell.on_landing(at, &mut landed);
            landed.drain(..).for_each(|(id, _)| delivered[of[id.0 as usize] as usize] += 1);
        }
        let mut at = exchange.end;
        while let Some(again) = cell.on_end(at, &mut out, &mut ()) {
            at = again;
        }
        for ended in out.ended.drain(..) {
            feed(&mut cell, &mut of, at, ended.station);
        }
    }
    delivered.iter().map(|&packets| packets as f64 / seconds as f64).collect()
}

/// A cell of `n` stations of 802.11n, of which the first `old` send at 1 Mbit/s.
fn mixed(n: usize, old: usize, ampdu: u32, beside_dsss: bool) -> QosCellConfig {
    let mut config = cell("n20", n, ampdu, 0);
    age(&mut config, "n20", (10, old, beside_dsss, false));
    config.stations.iter_mut().for_each(|station| station.mac.short_retry_limit = Some(7));
    config.qos.settings.request_after_miss = false;
    config
}

/// All have the medium equally often: the old station's frames take nearly all of the time.
#[test]
fn a_station_at_1_mbps_leaves_the_others_what_the_access_rules_say() {
    for (others, ampdu, fast) in
        [(1, 0, SINGLE), (4, 0, SINGLE), (1, 65_535, AGGREGATE), (4, 65_535, AGGREGATE)]
    {
        let senders: Vec<Sender> = [OLD].into_iter().chain(vec![fast; others]).collect();
        let (got, expected) = (
            saturated(&mixed(others + 1, 1, ampdu, false), 2000),
            by_access_rules(&senders, 10_000),
        );
        let sums = |all: &[f64]| [all[0], all[1..].iter().sum::<f64>()];
        for (got, expected) in sums(&got).into_iter().zip(sums(&expected)) {
            let off = got / expected - 1.0;
            eprintln!("{others} {ampdu}: {got:.2} against {expected:.2}: {:.2} %", off * 100.0);
            assert!(off.abs() < 0.015, "{others} {ampdu}: {got} against {expected}");
        }
    }
}

/// One sender of 802.11n beside a silent station of 802.11b: AIFS and 7.5 slots of 20 us, 192 us and 14 bytes at 11 Mbit/s of a CTS
/// to itself, SIFS, its frame, SIFS, an acknowledgement as long as the CTS.
#[test]
fn beside_802_11b_a_cts_to_oneself_and_long_slots_cost_what_the_hand_calculation_says() {
    let cycle = 10 + 3 * 20 + 150 + 203 + 10 + 234 + 10 + 203;
    let got = saturated(&mixed(1, 0, 0, true), 40)[0];
    let off = got * cycle as f64 / 1e6 - 1.0;
    assert!(off.abs() < 3e-3, "{got} a second");
}
