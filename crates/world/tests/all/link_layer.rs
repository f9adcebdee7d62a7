//! ns-2's link layer, which holds packets each way, and the routing header that a mobile's packets keep on wires.

use crate::support::{cbr, cell, duplex, plan, saturated};
use base::{Seed, Span};
use net::QueueLimit;
use radio::ChannelConfig;
use world::{Outcome, Plan, World};

/// A server behind an access point and a station; one datagram of 1000 B at a time, up or down.
fn lone(ends: (u32, u32), routing_header: u32, delay: Span) -> Plan {
    let mut plan = plan(3, 10);
    duplex(&mut plan, (0, 1), 5_000_000, Span::millis(2), QueueLimit::Packets(50));
    cell(&mut plan, 1..3, 2_000_000, ChannelConfig::Ideal);
    (plan.cells[0].routing_header, plan.cells[0].link_layer_delay) = (routing_header, delay);
    cbr(&mut plan, ends, 1000, 100_000);
    plan
}

fn run(plan: &Plan) -> Outcome {
    let mut world = World::build(plan, Seed { seed: 1, replication: 0 }).expect("it is connected");
    world.run();
    world.outcome()
}

fn delay_us(plan: &Plan) -> f64 {
    let flow = &run(plan).flows[0];
    let delay = flow.delay_s.expect("it arrives");
    assert!((delay.mean - delay.max).abs() < 1e-9, "nothing is in its way: {delay:?}");
    delay.mean * 1e6
}

#[test]
fn a_packet_is_in_two_link_layers_a_hop_and_its_header_goes_on_by_wire() {
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-6, "{a} us, not {b} us");
    let (none, ll) = (Span::ZERO, Span::micros(25));
    let (up, down) = ((2, 0), (0, 2));
    // 1000 B: DIFS is over; 192 us and 1036 B at 2 Mbit/s; 1.6 ms and 2 ms on the wire.
    let plain = 192.0 + 4144.0 + 1600.0 + 2000.0;
    close(delay_us(&lone(up, 0, none)), plain);
    close(delay_us(&lone(up, 0, ll)), plain + 50.0);
    // 20 B are 80 us in the air and 32 us on the wire.
    close(delay_us(&lone(up, 20, none)), plain + 80.0 + 32.0);
    close(delay_us(&lone(up, 20, ll)), plain + 80.0 + 32.0 + 50.0);
    // What begins at the server has no such header.
    close(delay_us(&lone(down, 20, ll)), plain + 50.0);
}

#[test]
fn the_header_is_none_of_the_throughput() {
    let up = run(&lone((2, 0), 20, Span::micros(25))).flows[0].clone();
    assert_eq!(up.throughput_bps, up.goodput_bps);
}

/// Behind a link layer a saturated source has its next packet in time, and no more than it needs.
#[test]
fn saturated_sources_stay_so() {
    let goodput = |delay| {
        let mut plan = plan(4, 50);
        cell(&mut plan, 0..4, 2_000_000, ChannelConfig::Ideal);
        plan.cells[0].link_layer_delay = delay;
        for (from, to) in [(1, 0), (2, 0), (3, 0), (3, 1)] {
            saturated(&mut plan, (from, to), 1000);
        }
        let outcome = run(&plan);
        assert!(
            outcome.queues[1..].iter().all(|queue| queue.max_packets <= 2),
            "{:?}",
            outcome.queues
        );
        outcome.flows.iter().map(|flow| flow.goodput_bps).sum::<f64>()
    };
    let (without, with) = (goodput(Span::ZERO), goodput(Span::micros(25)));
    assert!((with / without - 1.0).abs() < 0.005, "{without} and {with} bit/s");
}
