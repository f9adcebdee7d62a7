//! Fall and Floyd's one to four drops (Simulation-based Comparisons of Tahoe, Reno, and SACK TCP, CCR 26(3), 1996), as
//! ns-2's test suite has them: how far each variant comes by 6 s, and when it sends again what was lost.

use base::Span;
use players::three_nodes::{ThreeNodes, Trace};
use transport::tcp::{PartialAckTimer, SsthreshBase};

/// Packets of one window that are dropped: 14, and those of the list.
const DROPS: [&[u64]; 4] = [&[14], &[14, 28], &[14, 26, 28], &[14, 24, 26, 28]];

fn trace(variant: &str, drops: &[u64]) -> Trace {
    let table = format!("variant = \"{variant}\"\nwindow = \"28 packets\"");
    let mut config = scenario::tcp_config("ns2.35", &table).expect("a known name");
    config.rto.initial = Span::secs(6);
    config.rto.min = Span::secs(1);
    config.limited_transmit = false;
    config.newreno.timer = PartialAckTimer::Every;
    config.newreno.deflate = false;
    config.ssthresh_base = SsthreshBase::WholeWindow;
    ThreeNodes { drops: drops.to_vec(), ..ThreeNodes::default() }.run(&config)
}

/// When `number` entered the bottleneck for the first time after `after` seconds.
fn sent(trace: &Trace, number: u64, after: f64) -> f64 {
    let row = trace.enqueued.iter().find(|row| row.1 == number && row.0 > after);
    row.expect("it is sent").0
}

#[track_caller]
fn assert_near(got: f64, expected: f64) {
    assert!((got - expected).abs() < 1e-5, "{got} instead of {expected}");
}

#[track_caller]
fn comes_to(variant: &str, expected: [u64; 4]) {
    let reached = DROPS.map(|drops| trace(variant, drops).acks.last().map(|row| row.1));
    assert_eq!(reached, expected.map(Some));
}

#[test]
fn tahoe_comes_as_far_as_in_ns2() {
    comes_to("tahoe", [233, 232, 223, 216]);
}

#[test]
fn reno_comes_as_far_as_in_ns2() {
    comes_to("reno", [282, 111, 104, 95]);
}

#[test]
fn newreno_comes_as_far_as_in_ns2() {
    comes_to("newreno", [282, 270, 241, 216]);
}

#[test]
fn sack_comes_as_far_as_in_ns2() {
    comes_to("sack", [280, 264, 262, 260]);
}

/// SYN 40 B: 40 us at 8 Mb/s. Its acknowledgement: 400 us and 100 ms both ways, 40 us; then 1040 B in 1.04 ms.
#[test]
fn the_first_packets_leave_when_the_arithmetic_says() {
    let trace = trace("tahoe", &[]);
    for (number, time) in [(0, 1.000_04), (1, 1.201_92), (2, 1.202_96), (3, 1.413_8)] {
        assert_near(sent(&trace, number, 0.0), time);
    }
    assert_near(trace.acks[0].0, 1.100_44);
}

#[test]
fn tahoe_slow_starts_from_one_segment_after_a_single_drop() {
    let trace = trace("tahoe", DROPS[0]);
    assert_near(sent(&trace, 14, 0.0), 2.070_24);
    // All else had arrived: 29 and 30 follow together, a round trip later.
    assert_near(sent(&trace, 29, 0.0), 2.282_12);
    assert_near(sent(&trace, 30, 0.0), 2.283_16);
}

#[test]
fn reno_sends_on_after_one_drop_and_waits_for_the_timer_after_three() {
    let one = trace("reno", DROPS[0]);
    assert_near(sent(&one, 14, 0.0), 2.070_24);
    assert_near(sent(&one, 29, 0.0), 2.132_64);
    assert_near(sent(&trace("reno", DROPS[2]), 26, 0.0), 3.282_12);
}

#[test]
fn newreno_sends_a_hole_each_round_trip() {
    let trace = trace("newreno", DROPS[3]);
    let holes = [14, 24, 26, 28].map(|number| sent(&trace, number, 2.0));
    assert_near(holes[0], 2.070_24);
    for pair in holes.windows(2) {
        assert_near(pair[1] - pair[0], 0.211_88);
    }
}
