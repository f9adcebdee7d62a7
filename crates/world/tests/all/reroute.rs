//! Ways that change at an instant, with packets under way.

use crate::support::{bulk, cell, duplex, ns2, plan, saturated};
use apps::AppConfig;
use base::{CellId, LinkId, NodeId, Rate, Seed, Span, StationId, Time};
use net::{Hop, QueueLimit};
use radio::ChannelConfig;
use transport::tcp::Recovery;
use wifi::qos::Category;
use world::{FlowPlan, Outcome, Plan, TransportPlan, World};

const AT_ONE_SECOND: Time = Time(1_000_000_000);

/// A datagram every other millisecond from node 0 to `to`, 125 B long.
fn ticking(plan: &mut Plan, to: u32) {
    plan.flows.push(FlowPlan {
        name: "tick".into(),
        from: NodeId(0),
        to: NodeId(to),
        via: vec![],
        transport: TransportPlan::Udp { header_bytes: 0 },
        app: AppConfig::cbr(125, Rate(500_000)),
        start: Time::ZERO,
        stop: Time::NEVER,
        category: Category::BestEffort,
        dscp: 0,
    });
}

/// 0 to 3 by 1 (links 0>1, 1>3) or by 2; 1 ms of transmission and 10 ms of delay on each link.
fn square(seconds: u64) -> Plan {
    let mut plan = plan(4, seconds);
    for ends in [(0, 1), (1, 3), (0, 2), (2, 3)] {
        duplex(&mut plan, ends, 1_000_000, Span::millis(10), QueueLimit::Unlimited);
    }
    plan
}

/// Runs to one second, changes something, runs to the end.
fn run(plan: &Plan, change: impl Fn(&mut World)) -> Outcome {
    let mut world = World::build(plan, Seed { seed: 1, replication: 0 }).expect("it is connected");
    world.run_until(AT_ONE_SECOND);
    change(&mut world);
    world.reroute(AT_ONE_SECOND);
    world.run();
    world.outcome()
}

fn break_link(world: &mut World, from: u32, to: u32, link: u32) {
    assert!(world.set_edge(NodeId(from), NodeId(to), Hop::Wire(LinkId(link)), false));
}

fn lost(outcome: &Outcome, flow: usize, reason: &str) -> u64 {
    let lost = &outcome.flows[flow].packets_lost;
    *lost.get(reason).expect("a known reason")
}

/// How many packets the links of the square put on the wire: 0>1, 1>0, 1>3, 3>1, 0>2, 2>0, 2>3, 3>2.
fn on_links(outcome: &Outcome) -> Vec<u64> {
    outcome.links.iter().map(|link| link.packets).collect()
}

/// Datagrams leave at 0, 2, 4, ... ms, and each is at node 1 after 11 ms, at node 3 after 22 ms. Up to 1 s, 501 have left,
/// and those of 0 to 988 ms have been passed on at node 1. The other 6 turn back and take 44 ms.
#[test]
fn packets_under_way_go_on_from_where_they_are() {
    let mut plan = square(2);
    ticking(&mut plan, 3);
    let outcome = run(&plan, |world| break_link(world, 1, 3, 2));
    assert_eq!(on_links(&outcome)[..3], [501, 6, 495]);
    // All that left until 1.978 s are there at 2 s, the 6 among them.
    assert_eq!(outcome.flows[0].packets_delivered, 990);
    assert_eq!(outcome.flows[0].delay_s.expect("some arrive").max, 0.044);
}

#[test]
fn what_has_no_way_is_lost_for_that_reason() {
    let mut plan = square(2);
    ticking(&mut plan, 3);
    let outcome = run(&plan, |world| {
        break_link(world, 1, 3, 2);
        break_link(world, 1, 0, 1);
    });
    assert_eq!(lost(&outcome, 0, "no_route"), 6);
    assert_eq!(outcome.packets.dropped, 6);
    let outcome = run(&plan, |world| {
        break_link(world, 1, 3, 2);
        break_link(world, 2, 3, 6);
    });
    // 6 are under way to node 1; from 1.002 s to 2 s another 500 are sent.
    assert_eq!(lost(&outcome, 0, "no_route"), 506);
    assert_eq!(on_links(&outcome)[..4], [501, 0, 495, 0]);
}

#[test]
fn circles_end_after_64_hops() {
    let mut plan = square(3);
    plan.links.iter_mut().for_each(|link| link.rate = Rate(1_000_000_000));
    ticking(&mut plan, 3);
    plan.flows[0].start = AT_ONE_SECOND + Span::millis(1);
    plan.flows[0].stop = AT_ONE_SECOND + Span::millis(5);
    let outcome = run(&plan, |world| world.set_next(NodeId(1), NodeId(3), Some(NodeId(0))));
    assert_eq!((outcome.flows[0].packets_sent, lost(&outcome, 0, "ttl")), (2, 2));
    assert_eq!(on_links(&outcome)[..2], [64, 64]);
}

#[test]
fn tcp_goes_on_by_another_way() {
    let mut plan = square(30);
    bulk(&mut plan, (0, 3), ns2(Recovery::NewReno, 1000, 20));
    let steady = run(&plan, |_| {});
    let moved = run(&plan, |world| break_link(world, 1, 3, 2));
    assert!(on_links(&moved)[6] > 2000, "{:?}", on_links(&moved));
    assert!(moved.flows[0].goodput_bps > 0.95 * steady.flows[0].goodput_bps);
    let cut = run(&plan, |world| {
        break_link(world, 1, 3, 2);
        break_link(world, 0, 2, 4);
    });
    assert!(lost(&cut, 0, "no_route") > 2 && cut.flows[0].sender.timeouts > 2);
}

/// A saturated station whose way is gone waits, and begins again when there is one.
#[test]
fn a_saturated_source_waits_for_a_way() {
    let mut plan = plan(2, 4);
    cell(&mut plan, 0..2, 2_000_000, ChannelConfig::Ideal);
    saturated(&mut plan, (1, 0), 1500);
    let up = Hop::Air { cell: CellId(0), from: StationId(1), to: StationId(0) };
    let (ap, station) = (NodeId(0), NodeId(1));
    let mut world = World::build(&plan, Seed { seed: 1, replication: 0 }).expect("it is connected");
    world.run_until(AT_ONE_SECOND);
    let before = world.outcome().flows[0].packets_delivered;
    assert!(world.set_edge(station, ap, up, false));
    world.reroute(AT_ONE_SECOND);
    let silence = AT_ONE_SECOND + Span::secs(2);
    world.run_until(silence);
    let during = world.outcome().flows[0].packets_delivered;
    // What was in service and what waited behind it are sent.
    assert_eq!(during - before, 2);
    assert!(world.set_edge(station, ap, up, true));
    world.reroute(silence);
    world.run();
    let outcome = world.outcome();
    let after = outcome.flows[0].packets_delivered - during;
    assert!(after.abs_diff(before) < 20, "{before} in the first second, {after} in the last");
    assert_eq!(outcome.packets.dropped, 0);
}
