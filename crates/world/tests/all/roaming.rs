//! Stations that go from one access point to another and back: traffic goes on, and what is lost has a name.

use crate::support::{bulk, cell, duplex, ns2, plan, saturated};
use base::{Seed, Span, Time};
use net::QueueLimit;
use radio::mobility::{Mobility, Track, Waypoint};
use radio::propagation::{PathLoss, ShadowingConfig};
use radio::{ChannelConfig, Position, Thresholds};
use transport::tcp::Recovery;
use wifi::mlme::{AccessPointConfig, AssociationConfig, Elements};
use wifi::phy::{Preamble, Standard};
use wifi::{Propagation, Reception};
use world::{AssociationPlan, MediumPlan, Outcome, Plan, World};

const SERVER: u32 = 0;
const WALKER: u32 = 3;

fn at_x(x_m: f64) -> Position {
    Position::flat(x_m, 0.0)
}

/// A walk to and fro between 100 m and 300 m at 10 m/s.
fn walk(times: u64) -> Mobility {
    let turn = |i: u64| Waypoint {
        at: Time::ZERO + Span::secs(20 * i),
        place: at_x(if i % 2 == 0 { 100.0 } else { 300.0 }),
    };
    let turns: Vec<_> = (0..=times).map(turn).collect();
    Mobility::Track(Track::through(&turns).expect("in order"))
}

/// Server 0 behind router 1; access point 2 with walker 3 at 0 m on channel 1, access point 4 with station 5 at 400 m on
/// channel 11. ns-2's WaveLAN: 250 m.
fn two_cells(walks: u64) -> Plan {
    let mut plan = plan(6, 20 * walks + 5);
    duplex(&mut plan, (SERVER, 1), 100_000_000, Span::millis(5), QueueLimit::Packets(100));
    duplex(&mut plan, (1, 2), 100_000_000, Span::micros(10), QueueLimit::Packets(100));
    duplex(&mut plan, (1, 4), 100_000_000, Span::micros(10), QueueLimit::Packets(100));
    let places = [
        [Mobility::fixed(at_x(0.0)), walk(walks)],
        [400.0, 410.0].map(|x| Mobility::fixed(at_x(x))),
    ];
    for (first, (channel, places)) in [2, 4].into_iter().zip([1, 11].into_iter().zip(places)) {
        cell(&mut plan, first..first + 2, 11_000_000, ChannelConfig::Ideal);
        let cell = plan.cells.last_mut().expect("made above");
        let (path_loss, shadowing) = (PathLoss::ns2_two_ray(914e6), ShadowingConfig::Off);
        cell.medium = Some(MediumPlan {
            channel,
            propagation: Propagation { path_loss, shadowing, fading: None },
            transmit_w: Thresholds::WAVELAN_TRANSMIT_W,
            reception: Reception::Thresholds(Thresholds::WAVELAN),
            places: places.into(),
        });
    }
    let elements = Elements::of(Standard::HrDsss(Preamble::Long));
    let access_point = Some(AccessPointConfig::new(elements));
    plan.association = Some(AssociationPlan {
        access_points: vec![access_point; 2],
        stations: Some(AssociationConfig {
            roam_below_dbm: Some(-60.0),
            ..AssociationConfig::new(vec![1, 11], elements)
        }),
    });
    plan
}

fn run(plan: &Plan) -> Outcome {
    let mut world = World::build(plan, SEED).expect("it is connected");
    world.run();
    world.outcome()
}

const SEED: Seed = Seed { seed: 1, replication: 0 };

/// The walker's handoffs, without its first association.
fn changes(outcome: &Outcome) -> Vec<&world::HandoffOutcome> {
    let all = outcome.handoffs.iter().flatten();
    all.filter(|handoff| handoff.station == "n3" && handoff.from.is_some()).collect()
}

/// Data packets that the only flow has delivered by then.
fn delivered_by(world: &mut World, seconds: u64) -> u64 {
    world.run_until(Time::ZERO + Span::secs(seconds));
    world.outcome().flows[0].packets_delivered
}

#[test]
fn tcp_survives_a_hundred_handoffs_in_a_row() {
    let mut plan = two_cells(100);
    bulk(&mut plan, (SERVER, WALKER), ns2(Recovery::NewReno, 1000, 20));
    let mut world = World::build(&plan, SEED).expect("it is connected");
    let [first, before, last] = [200, 1800, 2000].map(|at| delivered_by(&mut world, at));
    world.run();
    let outcome = world.outcome();
    let changes = changes(&outcome);
    assert!((100..105).contains(&changes.len()), "{}", changes.len());
    // One way after the other, and back.
    let turns = changes.windows(2).all(|pair| pair[0].to != pair[1].to);
    assert!(turns && changes.iter().all(|change| change.from.as_ref() != Some(&change.to)));
    // It goes on after the last as before the first.
    let last = last - before;
    assert!(last * 10 > first * 9 && first > 200 * 200, "{first} {last}");
}

#[test]
fn a_run_with_handoffs_is_the_same_again() {
    let mut plan = two_cells(4);
    bulk(&mut plan, (SERVER, WALKER), ns2(Recovery::NewReno, 1000, 20));
    saturated(&mut plan, (WALKER, SERVER), 1000);
    assert_eq!(run(&plan), run(&plan));
}

/// Each way a change of access points interrupts: its gap is that of its parts, give or take what traffic leaves open.
#[test]
fn the_gap_in_the_data_is_the_sum_of_its_parts() {
    let mut plan = two_cells(4);
    if let Some(AssociationPlan { stations: Some(config), .. }) = &mut plan.association {
        config.roam_below_dbm = None;
    }
    saturated(&mut plan, (WALKER, SERVER), 1000);
    let outcome = run(&plan);
    let changes = changes(&outcome);
    assert!(changes.len() >= 4, "{changes:?}");
    assert!(outcome.flows[0].goodput_bps > 3e6, "{}", outcome.flows[0].goodput_bps);
    for change in changes {
        let parts =
            change.detection_s + change.scan_s + change.authentication_s + change.association_s;
        assert!((parts - change.total_s).abs() < 1e-9);
        assert_eq!(change.trigger, "missed_beacons");
        let gap_s = change.gap_s.expect("it goes on");
        // The last packet came up to a beacon interval after the last beacon; the first, retried while its queue was held
        // back or not, within a frame and the largest backoff.
        assert!(gap_s < change.total_s + 0.03 && gap_s > change.total_s - 0.1024, "{change:?}");
    }
}
