//! Cells with aggregation against closed forms of saturation.

use base::{CellId, PacketId, Seed, Span, StationId, Time};
use net::{Arrival, Interfaces, Out, QueueLimit};
use std::sync::Arc;
use wifi::phy::{Generation, Modern, Ofdm, OfdmKind, PreambleRule, Width};
use wifi::qos::{
    AIRTIME_WEIGHT, AccessParameters, Categories, Category, Guard, QosCell, QosCellConfig,
    QosConfig, QosGeneration, QosSettings, parameters,
};
use wifi::{BystanderRule, ErrorConfig, MacConfig, PhyConfig, StationConfig};

fn phy(data: Modern) -> PhyConfig {
    let legacy = |mbps: u64| {
        let mode = Ofdm::new(OfdmKind::Ofdm, base::Rate(mbps * 1_000_000), Width::Mhz20);
        mode.expect("a rate of the set").airtime()
    };
    PhyConfig {
        slot: Span::micros(9),
        sifs: Span::micros(16),
        plcp_bits: 0,
        data: data.airtime(),
        control: legacy(24),
        lowest: legacy(6),
        cw_min: 15,
        cw_max: 1023,
        sense_time: Span::ZERO,
        rx_start_delay: Span::micros(20),
    }
}

fn profile(name: &str) -> (Modern, QosGeneration) {
    let mode = |generation, mcs, streams, width, guard| {
        Modern::new(generation, mcs, streams, width, Span(guard), PreambleRule::Ns3)
            .expect("a mode of the standard")
    };
    match name {
        "n20" => (mode(Generation::Ht, 7, 1, 20, 800), QosGeneration::Ht),
        "n40" => (mode(Generation::Ht, 7, 2, 40, 400), QosGeneration::Ht),
        "ac80" => (mode(Generation::Vht, 9, 2, 80, 400), QosGeneration::Vht),
        _ => (mode(Generation::He, 11, 2, 80, 800), QosGeneration::He),
    }
}

/// A cell of an access point and `n` stations that send best effort to it, ns-3's rules.
pub fn cell(name: &str, n: usize, ampdu: u32, amsdu: u32) -> QosCellConfig {
    let (data, generation) = profile(name);
    let mac = MacConfig {
        mac_header: 30,
        short_retry_limit: if ampdu > 0 { None } else { Some(7) },
        bystanders: BystanderRule::Difs,
        ..MacConfig::default()
    };
    let phy = phy(data);
    let mut station = StationConfig::fixed(phy, mac, QueueLimit::Unlimited);
    Arc::make_mut(&mut station.ladder.rungs)[0].mode = Some(data);
    let change = |own: AccessParameters| AccessParameters { ampdu, amsdu, txop: Span::ZERO, ..own };
    let own = parameters(&Default::default(), &phy, (generation, false)).map(change);
    let settings = QosSettings {
        block_ack_window: Some(64),
        lifetime: Span::secs(1000),
        ..QosSettings::default()
    };
    QosCellConfig {
        stations: vec![station; n + 1],
        categories: vec![Some(own); n + 1],
        weights: vec![AIRTIME_WEIGHT; n + 1],
        accept_agreements: vec![true; n + 1],
        access_point: Some(StationId(0)),
        errors: ErrorConfig::IDEAL,
        qos: QosConfig { generation, settings },
        of_flow: Categories::default(),
    }
}

/// Packets delivered in a time, after a tenth of it.
fn saturate(config: &QosCellConfig, seconds: f64, bytes: u32) -> f64 {
    let n = config.stations.len() as u32 - 1;
    let mut cell = QosCell::new(config, Seed { seed: 1, replication: 0 }, CellId(0));
    let mut next = 0;
    let mut feed = |cell: &mut QosCell, now: Time, station: StationId| {
        while cell.stations().lacking((station, StationId(0)), Category::BestEffort, 0) > 0 {
            let arrival: Arrival<'_> = (PacketId(next), bytes).into();
            next += 1;
            cell.offer(now, (station, StationId(0)), &arrival).expect("there is room");
        }
    };
    (1..=n).for_each(|station| feed(&mut cell, Time::ZERO, StationId(station)));
    let warm = Time::ZERO + Span((seconds * 1e8) as u64);
    let end = warm + Span((seconds * 1e9) as u64);
    let (mut delivered, mut out, mut landed) = (0_u64, Out::<()>::default(), Vec::new());
    while cell.next_start() < end {
        let mut exchange = cell.on_start(&mut out, &mut ());
        while let Some(at) = exchange.data_end {
            exchange.data_end = cell.on_landing(at, &mut landed);
            delivered += landed.drain(..).filter(|_| at > warm && at <= end).count() as u64;
        }
        let mut at = exchange.end;
        while let Some(again) = cell.on_end(at, &mut out, &mut ()) {
            at = again;
        }
        for ended in out.ended.drain(..) {
            feed(&mut cell, at, ended.station);
        }
    }
    delivered as f64 / seconds
}

/// One sender: AIFS, mean backoff, PPDU, SIFS, answer. Durations as in the standard's formulas, by hand.
#[test]
fn one_station_gets_what_the_hand_calculation_says() {
    for (name, ampdu, amsdu, ppdu_us, packets, answer_us) in [
        ("n20", 0, 0, 228.0, 1.0, 28.0),
        ("n20", 65_535, 0, 5360.0, 28.0, 32.0),
        ("n20", 0, 7935, 980.0, 5.0, 28.0),
        ("n40", 65_535, 0, 1771.6, 42.0, 32.0),
        ("ac80", 0, 0, 54.4, 1.0, 28.0),
        ("ac80", 1_048_575, 0, 954.4, 64.0, 32.0),
        ("ax80", 0, 7935, 106.4, 5.0, 28.0),
        ("ax80", 4_000_000, 0, 718.4, 64.0, 32.0),
    ] {
        let cycle_us = 16.0 + 3.0 * 9.0 + 7.5 * 9.0 + ppdu_us + 16.0 + answer_us;
        let got = saturate(&cell(name, 1, ampdu, amsdu), 20.0, 1500);
        let expected = packets / cycle_us * 1e6;
        assert!((got / expected - 1.0).abs() < 3e-3, "{name} {ampdu}: {got} against {expected}");
    }
}

/// A Monte Carlo of the access rules, written by others (payload Mbit/s of 1472 B; intervals of 0.3 to 1.6 %): stations that
/// count boundaries, ask for missed block acknowledgements in a contention of their own, and wait no EIFS.
#[test]
fn many_stations_share_as_the_access_rules_say() {
    for (name, ampdu, amsdu, n, expected) in [
        ("n20", 0, 0, 2, 31.5622),
        ("n20", 0, 0, 10, 28.8198),
        ("n20", 0, 0, 20, 26.6372),
        ("n20", 0, 7935, 5, 46.4870),
        ("n20", 0, 7935, 50, 32.6006),
        ("n40", 65_535, 0, 2, 241.5371),
        ("n40", 65_535, 0, 10, 184.0639),
        ("ac80", 0, 0, 5, 64.9733),
        ("ac80", 24_702, 0, 2, 423.2238),
        ("ac80", 1_048_575, 0, 20, 419.5228),
        ("ax80", 24_702, 0, 10, 353.1353),
        ("ax80", 0, 7935, 2, 241.2340),
    ] {
        let seconds = if ampdu > 0 { 60.0 } else { 20.0 };
        let got = saturate(&cell(name, n, ampdu, amsdu), seconds, 1500) * 1472.0 * 8.0 / 1e6;
        let off = got / expected - 1.0;
        eprintln!("{name} {ampdu} {amsdu} {n}: {got} against {expected}: {:.2} %", off * 100.0);
        assert!(off.abs() < 0.02, "{name} {ampdu} {amsdu} {n}: {got} against {expected}");
    }
}

/// Behind a CTS to oneself: 28 us at 24 Mbit/s and a SIFS more, whatever follows.
#[test]
fn a_cts_to_oneself_costs_one_station_its_duration_and_a_sifs() {
    for (name, ampdu, ppdu_us, packets, answer_us) in [
        ("n20", 0, 228.0, 1.0, 28.0),
        ("n20", 65_535, 5360.0, 28.0, 32.0),
        ("ax80", 4_000_000, 718.4, 64.0, 32.0),
    ] {
        let mut config = cell(name, 1, ampdu, 0);
        announce(&mut config);
        let cycle_us = 16.0 + 3.0 * 9.0 + 7.5 * 9.0 + 28.0 + 16.0 + ppdu_us + 16.0 + answer_us;
        let got = saturate(&config, 20.0, 1500);
        let expected = packets / cycle_us * 1e6;
        assert!((got / expected - 1.0).abs() < 3e-3, "{name} {ampdu}: {got} against {expected}");
    }
}

fn announce(config: &mut QosCellConfig) {
    config.qos.settings.guard = Guard::CtsToSelf;
    config.stations.iter_mut().for_each(|station| station.mac.rts_threshold = 0);
}

/// The chance that a saturated station begins in a slot (Bianchi 2000, equation 9, with 7 attempts).
fn bianchi(n: usize) -> f64 {
    let tau = |p: f64| {
        let stages = (0..7).map(|stage| {
            let cw = f64::from(16_u32 << stage) - 1.0;
            (p.powi(stage), p.powi(stage) * (1.0 + cw.min(1023.0) / 2.0))
        });
        let (a, b) = stages.fold((0.0, 0.0), |(a, b), (x, y)| (a + x, b + y));
        a / b
    };
    let mut p = 0.5;
    for _ in 0..1000 {
        p = 0.5 * (p + 1.0 - (1.0 - tau(p)).powi(n as i32 - 1));
    }
    tau(p)
}

/// Nobody answers a CTS to oneself, so a collision lasts as long as it, a SIFS and the data: it costs more than it saves
/// where all hear all. The bound is that of cells without protection: the model's chain does not know that stations which
/// have collided wait longer than the others.
#[test]
fn stations_that_announce_their_data_share_as_bianchis_model_says() {
    for (name, n, ppdu_us) in
        [("n20", 2, 228.0), ("n20", 10, 228.0), ("n20", 50, 228.0), ("ac80", 10, 54.4)]
    {
        let mut config = cell(name, n, 0, 0);
        announce(&mut config);
        let got = saturate(&config, 20.0, 1500);
        let tau = bianchi(n);
        let idle = (1.0 - tau).powi(n as i32);
        let alone = n as f64 * tau * (1.0 - tau).powi(n as i32 - 1);
        let (aifs, announced) = (16.0 + 27.0, 28.0 + 16.0 + ppdu_us);
        let cycle = idle * 9.0
            + alone * (announced + 16.0 + 28.0 + aifs)
            + (1.0 - idle - alone) * (announced + aifs);
        let expected = alone / cycle * 1e6;
        eprintln!("{name} {n}: {got} against {expected}: {:.2} %", (got / expected - 1.0) * 100.0);
        assert!((got / expected - 1.0).abs() < 0.02, "{name} {n}: {got} against {expected}");
    }
}
