//! Where all hear all at the same strength, the medium of stations that sense for themselves and the cell's one clock
//! deliver the same packets at the same nanoseconds.
//!
//! What may differ, and why: a sender whose answer does not come learns of it after its timeout, in the cell at the end of
//! its frame, since the cell knows. So a packet given up leaves the queue later by that; and a frame that comes when the
//! medium is idle for less than its inter-frame space draws a backoff if another station begins before that has passed
//! (802.11-2020, 10.3.4.2); in the cell it does not.

use crate::driver::{Saturated, cell_of, dsss, level, mac, seed, wavelan};
use base::{Span, StationId, Time};
use radio::{Chain, ChannelConfig, FecConfig, FecModel, Position, Sampling, State, StatePer};
use std::sync::Arc;
use wifi::phy::{Preamble, Standard, Width};
use wifi::{
    AccessRule, BackoffDraw, BystanderRule, CellConfig, ErrorConfig, ErrorScope, MacConfig,
    PhyConfig, SilenceRule, SlotRule, TimeoutRule,
};

/// Stations with frames of several lengths, up and down.
fn ways(stations: u32) -> Vec<(StationId, StationId, u32)> {
    let up = (1..stations).map(|i| (StationId(i), StationId(0), 300 + 400 * (i % 3)));
    up.chain([(StationId(0), StationId(1), 900)]).collect()
}

fn compare(stations: u32, phy: PhyConfig, mac: MacConfig, seconds: u64) {
    compare_over(ErrorConfig::IDEAL, (stations, phy, mac), seconds);
}

/// The same over channels that lose frames.
fn compare_over(
    errors: ErrorConfig,
    (stations, phy, mac): (u32, PhyConfig, MacConfig),
    seconds: u64,
) {
    let until = Time::ZERO + Span::secs(seconds);
    let places = vec![Position::default(); stations as usize];
    let mut config = wavelan(&places, phy, mac);
    config.propagation = level();
    let what = format!("{stations} stations, {mac:?}, {errors:?}");
    let is_ideal = errors.is_ideal();
    config.errors = errors.clone();
    let cell_config = CellConfig { errors, ..cell_of(stations as usize, phy, mac) };
    let saturated = || Saturated::new(ways(stations));
    let (cell, a) = saturated().run_cell(cell_config, until, seed(1));
    let (medium, b) = saturated().run_medium(&config, until, seed(1));
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
        assert!(close(a.duplicates, b.duplicates), "{what}: {a:?} {b:?}");
        assert!(close(a.channel_errors, b.channel_errors + b.hidden), "{what}: {a:?} {b:?}");
        assert_eq!(b.out_of_range, 0, "{what}");
        assert!(is_ideal == (a.channel_errors == 0), "{what}: {a:?}");
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

/// A state between the good and the bad one, from which either follows.
fn three_states() -> ChannelConfig {
    let state = |(ms, ber, next): (u64, f64, [f64; 3])| State {
        mean: Span::millis(ms),
        ber,
        frame_loss: 0.0,
        next: next.to_vec(),
    };
    let states =
        [(60, 0.0, [0.0, 1.0, 0.0]), (10, 2e-5, [0.6, 0.0, 0.4]), (5, 5e-4, [0.0, 1.0, 0.0])];
    let states = states.map(state).to_vec();
    ChannelConfig::Markov(Arc::new(Chain { states, sampling: Sampling::EachBit }))
}

/// Every law of losses, however its state is shared; a station then meets the same bursts in both.
#[test]
fn every_channel() {
    let means = [Span::millis(60), Span::millis(15)];
    let bursts = |sampling| ChannelConfig::gilbert_elliott(means, [1e-6, 5e-4], [0.0; 2], sampling);
    let channels = [
        ChannelConfig::Bernoulli { frame_loss: 0.1 },
        ChannelConfig::BitErrors { ber: 2e-5 },
        bursts(Sampling::EachBit),
        bursts(Sampling::FrameStart),
        three_states(),
    ];
    for channel in channels {
        for state_per in [StatePer::Cell, StatePer::Receiver, StatePer::Station] {
            for rts in [u32::MAX, 500] {
                let errors = ErrorConfig { channel: channel.clone(), state_per, fec: None };
                compare_over(errors.clone(), (6, dsss(), mac(rts)), 5);
                let scope = ErrorScope { control_frames: false, plcp: true };
                let spared = MacConfig { errors: scope, ..mac(rts) };
                compare_over(errors.clone(), (6, dsss(), spared), 5);
                let ns2 = MacConfig {
                    access: AccessRule::AlwaysBackoff,
                    backoff: BackoffDraw::Exclusive,
                    silence: SilenceRule::WhileItAwaitsData,
                    bystanders: BystanderRule::EifsThenDifs,
                    timeouts: TimeoutRule::WholeAnswer,
                    nav_reset: false,
                    ..mac(rts)
                };
                compare_over(errors, (6, dsss(), ns2), 5);
            }
        }
    }
}

/// A code, always or by the estimate that is fed back; an RTS announces how long coded data will take.
#[test]
fn every_code() {
    let means = [Span::millis(60), Span::millis(15)];
    let channel = ChannelConfig::gilbert_elliott(means, [1e-6, 1e-2], [0.0; 2], Sampling::EachBit);
    for model in [FecModel::Block, FecModel::ResidualBer] {
        for adaptive in [false, true] {
            for state_per in [StatePer::Cell, StatePer::Station] {
                let feedback_delay = Span::millis(5);
                let (n, k, symbol_bits, protects_plcp) = (255, 223, 8, true);
                let fec =
                    FecConfig { n, k, symbol_bits, model, adaptive, protects_plcp, feedback_delay };
                let errors = ErrorConfig { channel: channel.clone(), state_per, fec: Some(fec) };
                for rts in [u32::MAX, 500] {
                    compare_over(errors.clone(), (6, dsss(), mac(rts)), 5);
                }
            }
        }
    }
}
