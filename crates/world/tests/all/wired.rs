//! Tahoe, Reno, NewReno and SACK on the wire against ns-2.35: oracles, wired.csv. Goodput of 120 s over
//! s -100 Mb/s 1 ms- r -10 Mb/s 20 ms- d, 1000 B segments, no random loss, one run each (all is deterministic).

use crate::support::{bulk, duplex, ns2, plan};
use base::{Seed, Span};
use net::QueueLimit;
use std::sync::Arc;
use transport::tcp::{DelayedAck, Recovery};
use world::{Outcome, World};

fn run(recovery: Recovery, queue: u32, delayed: bool, loss: f64, seed: u64) -> Outcome {
    let mut plan = plan(3, 120);
    duplex(&mut plan, (0, 1), 100_000_000, Span::millis(1), QueueLimit::Unlimited);
    duplex(&mut plan, (1, 2), 10_000_000, Span::millis(20), QueueLimit::PacketsWithService(queue));
    plan.links[3].queue = Arc::new(QueueLimit::Unlimited.into());
    plan.links[2].loss = loss;
    let mut config = ns2(recovery, 1000, 10_000);
    config.delayed_ack = delayed.then_some(DelayedAck::every(2, Span::millis(100)));
    bulk(&mut plan, (0, 2), config);
    let mut world = World::build(&plan, Seed { seed, replication: 0 }).expect("it is connected");
    world.run();
    world.outcome()
}

#[test]
fn goodput_is_within_two_per_cent_of_ns2() {
    use Recovery::{NewReno, Reno, Sack, Tahoe};
    for (recovery, queue, delayed, expected) in [
        (Tahoe, 10, false, 5_880_266.7),
        (Tahoe, 25, false, 8_344_733.3),
        (Tahoe, 50, false, 9_018_533.3),
        (Tahoe, 100, false, 9_299_800.0),
        (Tahoe, 25, true, 8_407_733.3),
        (Tahoe, 100, true, 9_337_800.0),
        (Reno, 10, false, 8_091_733.3),
        (NewReno, 10, false, 8_069_866.7),
        (NewReno, 100, false, 9_549_066.7),
        (NewReno, 25, true, 8_952_533.3),
        (NewReno, 100, true, 9_546_400.0),
        (Sack, 25, false, 9_144_866.7),
        (Sack, 50, false, 9_566_400.0),
        (Sack, 100, false, 9_575_666.7),
        (Sack, 25, true, 9_082_466.7),
    ] {
        let got = run(recovery, queue, delayed, 0.0, 1).flows[0].goodput_bps;
        let off = got / expected - 1.0;
        println!(
            "{recovery:?} queue {queue} delayed {delayed}: {got:.0} ns-2 {expected} {:+.2} %",
            off * 100.0
        );
        assert!(off.abs() < 0.02, "{recovery:?} {queue} {delayed}: {got} against {expected}");
    }
}

/// Random loss: the mean of 20 runs within 2 % of ns-2's mean of ten plus four standard errors of both.
#[test]
fn goodput_under_random_loss_follows_ns2() {
    use Recovery::{NewReno, Reno, Sack, Tahoe};
    for (recovery, delayed, loss, expected, std) in [
        (Tahoe, false, 0.01, 1_786_906.7, 57_389.1),
        (Tahoe, false, 0.03, 929_333.3, 23_777.7),
        (Tahoe, true, 0.01, 1_170_560.0, 68_551.2),
        (Reno, false, 0.001, 6_863_633.3, 203_973.0),
        (Reno, false, 0.03, 905_753.3, 37_861.9),
        (Reno, true, 0.01, 1_299_280.0, 45_301.7),
        (Reno, false, 0.05, 583_566.7, 23_173.7),
        (NewReno, false, 0.01, 2_194_260.0, 71_102.7),
        (NewReno, true, 0.01, 1_414_866.7, 58_017.8),
        (NewReno, false, 0.03, 1_115_540.0, 31_471.2),
        (NewReno, true, 0.03, 714_520.0, 22_167.3),
        (Sack, false, 0.01, 2_188_160.0, 73_551.7),
        (Sack, false, 0.03, 1_099_693.3, 31_067.5),
        (Sack, true, 0.01, 1_380_586.7, 53_347.3),
    ] {
        let runs = 20;
        let sum: f64 = (0..runs)
            .map(|seed| run(recovery, 100, delayed, loss, seed).flows[0].goodput_bps)
            .sum();
        let got = sum / runs as f64;
        let error = 4.0 * std * (1.0 / 10.0 + 1.0 / runs as f64).sqrt();
        println!(
            "{recovery:?} delayed {delayed} p {loss}: {got:.0} ns-2 {expected} {:+.2} %",
            (got / expected - 1.0) * 100.0
        );
        assert!(
            (got - expected).abs() < 0.02 * expected + error,
            "{recovery:?} {delayed} {loss}: {got}"
        );
    }
}
