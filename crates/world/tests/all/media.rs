//! Cells with places: the fast way is taken where nothing is lost by it, and gives what the general way gives.

use crate::support::{bulk, cell, duplex, ns2, plan, saturated};
use base::{Seed, Span, StationId};
use net::QueueLimit;
use radio::mobility::Mobility;
use radio::propagation::{PathLoss, ShadowingConfig};
use radio::{ChannelConfig, Position, Thresholds};
use transport::tcp::Recovery;
use wifi::{Propagation, Reception};
use world::{MediumPlan, Outcome, Plan, World};

/// ns-2's WaveLAN; the stations of cell `index` at `places`, metres on a line.
fn place(plan: &mut Plan, index: usize, channel: u32, places: &[f64]) {
    let cell = &mut plan.cells[index];
    let place = |&x: &f64| Mobility::fixed(Position::flat(x, 0.0));
    let (path_loss, shadowing) = (PathLoss::ns2_two_ray(914e6), ShadowingConfig::Off);
    cell.medium = Some(MediumPlan {
        channel,
        propagation: Propagation { path_loss, shadowing, fading: None },
        transmit_w: Thresholds::WAVELAN_TRANSMIT_W,
        reception: Reception::Thresholds(Thresholds::WAVELAN),
        places: places.iter().map(place).collect(),
    });
}

fn run(plan: &Plan) -> Outcome {
    let mut world = World::build(plan, Seed { seed: 1, replication: 0 }).expect("it is connected");
    world.run();
    world.outcome()
}

/// Uploads and downloads by TCP through an access point, stations at about the same distance from each other.
fn tcp_cell() -> Plan {
    let mut plan = plan(5, 30);
    duplex(&mut plan, (0, 1), 5_000_000, Span::millis(2), QueueLimit::Packets(50));
    cell(&mut plan, 1..5, 2_000_000, ChannelConfig::Ideal);
    for station in 2..4 {
        bulk(&mut plan, (0, station), ns2(Recovery::Reno, 500, 10));
        bulk(&mut plan, (station + 1, 0), ns2(Recovery::NewReno, 1000, 10));
    }
    plan.warmup = Span::secs(2);
    plan
}

#[test]
fn a_level_cell_is_the_cell_in_which_all_hear_all() {
    let bare = run(&tcp_cell());
    let mut placed = tcp_cell();
    place(&mut placed, 0, 1, &[0.0, 10.0, 20.0, 30.0]);
    let medium = placed.cells[0].medium.as_ref().expect("it was placed");
    assert!(medium.is_level());
    assert_eq!(run(&placed), bare);
}

#[test]
fn tcp_through_the_general_way_gives_what_the_cell_gives() {
    let bare = run(&tcp_cell());
    // Stations of another cell, which are heard and not decoded, and silent, take the fast way away.
    let mut general = tcp_cell();
    general.nodes.extend(["far".to_owned(), "away".to_owned()]);
    cell(&mut general, 5..7, 2_000_000, ChannelConfig::Ideal);
    place(&mut general, 0, 1, &[0.0, 10.0, 20.0, 30.0]);
    place(&mut general, 1, 1, &[400.0, 410.0]);
    assert_eq!(general.channels(), [[0, 1]]);
    let general = run(&general);
    for (a, b) in bare.flows.iter().zip(&general.flows) {
        let off = b.goodput_bps / a.goodput_bps - 1.0;
        println!("{}: {:.0} and {:.0} bit/s", a.name, a.goodput_bps, b.goodput_bps);
        assert!(off.abs() < 0.002, "{}: {off}", a.name);
    }
    let p = general.packets;
    assert_eq!(p.made, p.delivered + p.dropped + p.in_flight);
}

/// Two saturated cells 20 m apart.
fn neighbours(channels: [u32; 2]) -> f64 {
    let mut plan = plan(4, 20);
    for first in [0, 2] {
        cell(&mut plan, first..first + 2, 2_000_000, ChannelConfig::Ideal);
        saturated(&mut plan, (first + 1, first), 1500);
    }
    place(&mut plan, 0, channels[0], &[0.0, 10.0]);
    place(&mut plan, 1, channels[1], &[20.0, 30.0]);
    let outcome = run(&plan);
    assert!(outcome.jain.expect("all deliver") > 0.99);
    outcome.flows.iter().map(|flow| flow.goodput_bps).sum()
}

/// Three cells on one channel, of 550 m of reach: the last is heard by nobody, until one stands between.
#[test]
fn cells_out_of_reach_of_each_other_are_apart() {
    let elements = |xs: &[f64]| {
        let mut plan = plan(2 * xs.len(), 1);
        for (i, &x) in xs.iter().enumerate() {
            let first = 2 * i as u32;
            cell(&mut plan, first..first + 2, 2_000_000, ChannelConfig::Ideal);
            place(&mut plan, i, 1, &[x, x + 10.0]);
        }
        plan.channels()
    };
    assert_eq!(elements(&[0.0, 400.0, 2000.0]), [vec![0, 1], vec![2]]);
    assert_eq!(elements(&[0.0, 1000.0, 500.0]), [[0, 1, 2]]);
    assert_eq!(elements(&[0.0, 559.0]), [[0, 1]]);
    assert_eq!(elements(&[0.0, 571.0]), [[0], [1]]);
}

/// Apart, they are to each other as on two channels.
#[test]
fn a_cell_out_of_reach_changes_nothing() {
    let goodputs = |channels: [u32; 2]| -> Vec<f64> {
        let mut plan = plan(6, 10);
        for first in [0, 3] {
            cell(&mut plan, first..first + 3, 2_000_000, ChannelConfig::Ideal);
            saturated(&mut plan, (first + 1, first), 1500);
            saturated(&mut plan, (first + 2, first), 700);
        }
        place(&mut plan, 0, channels[0], &[0.0, 10.0, 40.0]);
        place(&mut plan, 1, channels[1], &[5000.0, 5010.0, 5040.0]);
        run(&plan).flows.iter().map(|flow| flow.goodput_bps).collect()
    };
    assert_eq!(goodputs([1, 1]), goodputs([1, 6]));
}

#[test]
fn cells_share_a_channel_and_do_not_share_two() {
    let (shared, apart) = (neighbours([1, 1]), neighbours([1, 6]));
    assert!((1.9..2.1).contains(&(apart / shared)), "{shared} {apart}");
}

#[test]
fn packets_for_a_station_out_of_range_are_lost_for_that_reason() {
    let mut plan = plan(3, 10);
    cell(&mut plan, 0..3, 2_000_000, ChannelConfig::Ideal);
    saturated(&mut plan, (1, 0), 500);
    saturated(&mut plan, (2, 0), 500);
    place(&mut plan, 0, 1, &[0.0, 100.0, 300.0]);
    let outcome = run(&plan);
    let lost = |flow: usize, reason: &str| {
        let lost = &outcome.flows[flow].packets_lost;
        lost.get(reason).copied().unwrap_or(0)
    };
    // It hears the other without decoding it, so it waits an EIFS each time and seldom has its turn.
    assert!(lost(1, "out_of_range") > 4 && outcome.flows[1].packets_delivered == 0);
    assert_eq!(lost(0, "out_of_range"), 0);
    assert_eq!(outcome.stations[2].collisions, 0);
    assert!(outcome.stations[2].out_of_range > 0 && outcome.stations[1].out_of_range == 0);
}

#[test]
fn a_station_that_walks_away_is_heard_for_as_long_as_it_is_near() {
    let mut plan = plan(2, 60);
    cell(&mut plan, 0..2, 2_000_000, ChannelConfig::Ideal);
    saturated(&mut plan, (1, 0), 1500);
    place(&mut plan, 0, 1, &[0.0, 50.0]);
    let still = run(&plan).flows[0].goodput_bps;
    let medium = plan.cells[0].medium.as_mut().expect("it was placed");
    // 10 m/s from 50 m: at 250.011 m after 20.001 s.
    let walk = radio::mobility::Track::constant_velocity(
        Position::flat(50.0, 0.0),
        Position::flat(10.0, 0.0),
    );
    medium.places[StationId(1).index()] = Mobility::Track(walk);
    let moved = run(&plan).flows[0].goodput_bps;
    assert!((moved / still - 20.001 / 60.0).abs() < 0.002, "{moved} {still}");
}
