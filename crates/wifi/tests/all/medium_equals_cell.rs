//! Where all hear all at the same strength, the medium of stations that sense for themselves and the cell's one clock
//! deliver the same packets at the same nanoseconds.
//!
//! What may differ, and why: a sender whose answer does not come learns of it after its timeout, in the cell at the end
//! of its frame, since the cell knows. So a packet given up leaves the queue so much later; and a frame that comes when the
//! medium is idle for less than its inter-frame space draws a backoff if somebody else begins before that has passed
//! (802.11-2020, 10.3.4.2), in the cell it does not.

use crate::driver::{Saturated, cell_of, dsss, level, mac, seed, wavelan};
use base::{Span, StationId, Time};
use radio::Position;
use wifi::phy::{Preamble, Standard, Width};
use wifi::{
    AccessRule, BackoffDraw, BystanderRule, MacConfig, PhyConfig, SilenceRule, SlotRule,
    TimeoutRule,
};

/// Stations with frames of several lengths, up and down.
fn ways(stations: u32) -> Vec<(StationId, StationId, u32)> {
    let up = (1..stations).map(|i| (StationId(i), StationId(0), 300 + 400 * (i % 3)));
    up.chain([(StationId(0), StationId(1), 900)]).collect()
}

fn compare(stations: u32, phy: PhyConfig, mac: MacConfig, seconds: u64) {
    let until = Time::ZERO + Span::secs(seconds);
    let places = vec![Position::default(); stations as usize];
    let mut config = wavelan(&places, phy, mac);
    config.propagation = level();
    let saturated = || Saturated::new(ways(stations));
    let (cell, a) = saturated().run_cell(cell_of(stations as usize, phy, mac), until, seed(1));
    let (medium, b) = saturated().run_medium(&config, until, seed(1));
    let what = format!("{stations} stations, {mac:?}");
    // Numbers are given when a queue has room, which the medium knows later: times and receivers are what counts.
    let times = |record: &crate::driver::Record| -> Vec<(Time, StationId)> {
        record.delivered.iter().map(|&(at, to, _)| (at, to)).filter(|d| d.0 < until).collect()
    };
    let (a_times, b_times) = (times(&a), times(&b));
    let differ = a_times.iter().zip(&b_times).find(|(a, b)| a != b);
    assert_eq!(differ, None, "{what}");
    assert!(a_times.len().abs_diff(b_times.len()) <= 1 && a_times.len() > 50, "{what}");
    for station in (0..stations).map(StationId) {
        let (a, b) = (cell.stats(station), medium.stats(station));
        let close = |a: u64, b: u64| a.abs_diff(b) <= 1;
        assert!(
            close(a.attempts, b.attempts) && close(a.retries, b.retries),
            "{what}: {a:?} {b:?}"
        );
        assert!(close(a.collisions, b.collisions), "{what}: {a:?} {b:?}");
        assert_eq!((b.channel_errors, b.hidden, b.out_of_range), (0, 0, 0));
    }
}

#[test]
fn a_cell_by_the_standards_rules() {
    for stations in [2, 3, 10, 30] {
        for rts in [u32::MAX, 500, 0] {
            compare(stations, dsss(), mac(rts), 10);
        }
    }
}

#[test]
fn every_rule_of_waiting_and_drawing() {
    use BystanderRule::{Difs, Eifs, EifsThenDifs};
    use TimeoutRule::{Timeout, TimeoutThenDifs, WholeAnswer};
    for bystanders in [Difs, Eifs, EifsThenDifs] {
        for timeouts in [Timeout, TimeoutThenDifs, WholeAnswer] {
            for rts in [u32::MAX, 500] {
                let ns2 = MacConfig {
                    access: AccessRule::AlwaysBackoff,
                    backoff: BackoffDraw::Exclusive,
                    slots: SlotRule::Truncated,
                    silence: SilenceRule::WhileItAwaitsData,
                    nav_reset: false,
                    bystanders,
                    timeouts,
                    ..mac(rts)
                };
                compare(8, dsss(), ns2, 5);
                compare(8, dsss(), MacConfig { bystanders, timeouts, ..mac(rts) }, 5);
            }
        }
    }
}

#[test]
fn every_rule_of_access() {
    for access in [AccessRule::DifsFromRequest, AccessRule::SlotBoundary] {
        compare(8, dsss(), MacConfig { access, ..mac(500) }, 5);
    }
}

/// 802.11g beside 802.11b: a CTS to oneself goes before OFDM data, and two that begin together go on to the end. Among
/// both frames with RTS and without, the medium lets data live that follow a CTS which met an RTS only; the cell does not.
#[test]
fn protection() {
    let standard = Standard::ErpMixed(Preamble::Long);
    let mode = standard.mode(base::Rate(54_000_000)).expect("802.11g has 54 Mbit/s");
    for rts in [u32::MAX, 0] {
        compare(10, PhyConfig::of(standard, mode, None), mac(rts), 5);
    }
}

#[test]
fn ofdm_and_starts_that_go_unnoticed_for_a_while() {
    let standard = Standard::Ofdm(Width::Mhz20);
    let mode = standard.mode(base::Rate(54_000_000)).expect("802.11a has 54 Mbit/s");
    let phy = PhyConfig::of(standard, mode, None);
    compare(10, phy, mac(u32::MAX), 3);
    compare(10, PhyConfig { sense_time: Span::micros(4), ..phy }, mac(u32::MAX), 3);
    compare(10, PhyConfig { sense_time: Span::micros(15), ..dsss() }, mac(500), 5);
}
