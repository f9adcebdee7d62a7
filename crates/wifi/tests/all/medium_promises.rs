//! Invariants of the medium at any places of stations: each packet has one fate, time always advances, a fork and a second
//! run end alike.

use crate::driver::{dsss, mac, run, seed, wavelan};
use base::{PacketId, Span, StationId, Time};
use net::{Interfaces, QueueLimit};
use proptest::prelude::*;
use radio::noise::{noise_w, w_from_dbm};
use radio::propagation::{FadingConfig, ShadowingConfig};
use radio::{ErrorModel, Position, Thresholds};
use wifi::{Medium, MediumConfig, Reception, SilenceRule, SinrConfig};

/// Stations anywhere on a square of 800 m, all that can go wrong at once.
fn anywhere(spots: &[(f64, f64)], rts: bool, sinr: bool, ns2: bool) -> MediumConfig {
    let places: Vec<Position> = spots.iter().map(|&(x, y)| Position::flat(x, y)).collect();
    let mut mac = mac(if rts { 300 } else { u32::MAX });
    if ns2 {
        mac.silence = SilenceRule::WhileItAwaitsData;
        mac.nav_reset = false;
    }
    let mut config = wavelan(&places, dsss(), mac);
    for member in &mut config.members {
        member.station.queue = QueueLimit::Unlimited.into();
    }
    config.propagation.shadowing = ShadowingConfig::Fresh { sigma_db: 4.0 };
    let (k_factor, wavelength_m, doppler_hz) = (0.0, 0.33, 10.0);
    config.propagation.fading = sinr.then_some(FadingConfig { k_factor, wavelength_m, doppler_hz });
    if sinr {
        config.reception = Reception::Sinr(SinrConfig {
            detect_w: Thresholds::WAVELAN.receive_w,
            sense_w: Thresholds::WAVELAN.sense_w,
            noise_w: noise_w(22e6, 7.0).max(w_from_dbm(-80.0)),
            model: ErrorModel::Nist,
            capture_ratio: Some(10.0),
        });
    }
    config
}

proptest! {
    /// Each packet is handed over once, or reported dropped once, and the stations fall silent when all is done.
    #[test]
    fn every_packet_is_delivered_once_or_reported(
        number in 0_u64..1000,
        spots in proptest::collection::vec((0.0_f64..800.0, 0.0_f64..800.0), 2..8),
        (rts, sinr, ns2) in any::<(bool, bool, bool)>(),
        packets in proptest::collection::vec((any::<u32>(), any::<u32>(), 40_u32..1500), 1..60),
    ) {
        let config = anywhere(&spots, rts, sinr, ns2);
        let stations = spots.len() as u32;
        let mut medium = Medium::new(&config, seed(number));
        let mut fates = vec![0_u32; packets.len()];
        let mut records = Vec::new();
        for (id, &(from, to, bytes)) in packets.iter().enumerate() {
            let from = from % stations;
            let to = (from + 1 + to % (stations - 1)) % stations;
            let packet = (PacketId(id as u32), bytes);
            medium.offer(Time::ZERO, (StationId(from), StationId(to)), &packet.into()).expect("no limit");
        }
        let end = Time::ZERO + Span::secs(600);
        let mut fork = medium.clone();
        records.push(run(&mut medium, end, |_, _, _| {}));
        records.push(run(&mut fork, end, |_, _, _| {}));
        prop_assert_eq!(&records[0].delivered, &records[1].delivered);
        let delivered = records[0].delivered.iter().map(|delivery| delivery.2);
        for PacketId(id) in delivered.chain(records[0].dropped.iter().map(|dropped| dropped.0)) {
            fates[id as usize] += 1;
        }
        prop_assert!(fates.iter().all(|&n| n == 1), "{fates:?}");
        prop_assert_eq!(medium.next_start(), Time::NEVER);
        for station in (0..stations).map(StationId) {
            let stats = medium.stations_stats(station);
            prop_assert_eq!(stats.0, stats.1, "every failure has one cause");
            prop_assert!(medium.airtime_by(station, end) <= end.since(Time::ZERO));
        }
        prop_assert!(medium.busy_by(1, end) <= end.since(Time::ZERO));
    }
}

/// Attempts that failed, and the sum of their causes.
trait Causes {
    fn stations_stats(&self, station: StationId) -> (u64, u64);
}

impl Causes for Medium {
    fn stations_stats(&self, station: StationId) -> (u64, u64) {
        let stats = self.stats(station);
        let causes = stats.collisions + stats.channel_errors + stats.hidden + stats.out_of_range;
        let causes = causes + stats.away;
        (stats.attempts - stats.successes, causes)
    }
}
