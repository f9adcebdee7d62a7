//! What every run keeps: packets, order, determinism, forks.

use crate::support::{bulk, cell, duplex, gilbert_elliott, ns2, plan, saturated};
use base::{Seed, Span, Time};
use net::QueueLimit;
use radio::ChannelConfig;
use transport::tcp::Recovery;
use world::{Note, Outcome, Plan, World};

/// Two flows up, two down, over petrovic2003's cell, at a wire that also loses packets.
fn mixed() -> Plan {
    let mut plan = plan(6, 20);
    duplex(&mut plan, (0, 1), 5_000_000, Span::millis(2), QueueLimit::Packets(50));
    plan.links[0].loss = 0.01;
    cell(&mut plan, 1..6, 2_000_000, gilbert_elliott());
    for station in 2..4 {
        bulk(&mut plan, (0, station), ns2(Recovery::Reno, 500, 10));
        bulk(&mut plan, (station + 2, 0), ns2(Recovery::Tahoe, 1000, 10));
    }
    plan.warmup = Span::secs(2);
    plan
}

fn seed(seed: u64) -> Seed {
    Seed { seed, replication: 0 }
}

fn run(plan: &Plan, seed_: u64) -> Outcome {
    let mut world = World::build(plan, seed(seed_)).expect("it is connected");
    world.run();
    world.outcome()
}

#[test]
fn packets_are_conserved_and_each_loss_has_a_reason() {
    let outcome = run(&mixed(), 1);
    let p = outcome.packets;
    assert_eq!(p.made, p.delivered + p.dropped + p.in_flight);
    assert!(p.delivered > 1000 && p.dropped > 10);
    let reasons: Vec<&str> = outcome
        .flows
        .iter()
        .flat_map(|f| f.packets_lost.iter())
        .filter(|l| l.1 > 0)
        .map(|l| l.0)
        .collect();
    assert!(reasons.contains(&"retry_limit_channel") && reasons.contains(&"wire_loss"));
}

#[test]
fn the_same_seed_gives_the_same_outcome_and_another_does_not() {
    assert_eq!(run(&mixed(), 1), run(&mixed(), 1));
    assert_ne!(run(&mixed(), 1).events, run(&mixed(), 2).events);
}

#[test]
fn a_probe_changes_nothing() {
    let mut watched = World::build(&mixed(), seed(1)).expect("it is connected");
    let mut notes: Vec<(Time, Note)> = Vec::new();
    watched.run_watched(Time::ZERO + Span::secs(20), &mut notes);
    assert!(notes.iter().any(|(_, note)| matches!(note, Note::Dropped { .. })));
    assert_eq!(watched.outcome(), run(&mixed(), 1));
}

#[test]
fn a_run_in_steps_and_its_fork_end_like_a_run_in_one_go() {
    let mut world = World::build(&mixed(), seed(1)).expect("it is connected");
    world.run_until(Time::ZERO + Span::millis(7_321));
    let mut fork = world.clone();
    for world in [&mut world, &mut fork] {
        world.run();
        assert_eq!(world.outcome(), run(&mixed(), 1));
    }
}

#[test]
fn airtime_and_link_time_stay_within_the_clock() {
    let outcome = run(&mixed(), 3);
    for station in &outcome.stations {
        assert!((0.0..=1.0).contains(&station.airtime_share), "{station:?}");
        assert!((0.0..=1.0).contains(&station.cell_busy_share));
    }
    assert!(outcome.links.iter().all(|link| (0.0..=1.0).contains(&link.utilisation)));
}

#[test]
fn a_saturated_cell_run_by_the_world_carries_what_it_carries_alone() {
    // Five saturated stations, 1500 B at 2 Mbit/s: Bianchi with EIFS says 1.617 Mbit/s (see wifi's own test).
    let mut plan = plan(6, 200);
    cell(&mut plan, 0..6, 2_000_000, ChannelConfig::Ideal);
    for station in &mut plan.cells[0].configs {
        station.mac.short_retry_limit = None;
    }
    for station in 1..6 {
        saturated(&mut plan, (station, 0), 1500);
    }
    let outcome = run(&plan, 1);
    let total: f64 = outcome.flows.iter().map(|flow| flow.goodput_bps).sum();
    assert!((total / 1.617e6 - 1.0).abs() < 0.02, "{total}");
    assert!(outcome.jain.expect("all deliver") > 0.99);
    assert!(outcome.queues.iter().all(|queue| queue.drops == 0));
}
