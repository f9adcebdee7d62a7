//! DualPI2 against RFC 9332, and what other disciplines make of ECT(1).

use super::tests::{MS, queue};
use super::*;
use crate::test_support::packet;
use crate::{Header, Segment};
use base::Span;

fn dual(options: &[(&str, f64)]) -> Queue<()> {
    queue(Discipline::DualPi2, options)
}

/// A packet with this codepoint comes while the device is busy.
fn push(queue: &mut Queue<()>, at: Time, id: u32, ecn: Ecn) -> Result<bool, DropReason> {
    let mut packet = packet(0);
    packet.header = Header::Tcp(Segment { ecn, ..Segment::default() });
    let arrival = Arrival { id: PacketId(id), bytes: 1500, packet: Some(&packet) };
    queue.push(at, (&arrival, ()), Device::Sending, |_, _| ())
}

/// What is sent at `at`, and what became of it and of those before.
fn pop(queue: &mut Queue<()>, at: Time) -> (Option<u32>, Vec<(u32, Fate)>) {
    let mut fates = Vec::new();
    let next = queue.pop(at, |id, fate| fates.push((id.0, fate)));
    (next.map(|next| next.id.0), fates)
}

/// Appendix A.1: a ramp from 0.8 to 1.2 ms; likelihoods add up, so that of half each second packet is marked.
#[test]
fn the_l_queue_marks_along_its_ramp() {
    let marked = |wait: u64, options: &[(&str, f64)]| {
        let mut dual = dual(options);
        for id in 0..203 {
            push(&mut dual, Time(0), id, Ecn::Scalable).expect("room");
        }
        let marks = (0..200).filter(|_| !pop(&mut dual, Time(wait)).1.is_empty()).count();
        assert_eq!(dual.stats_by(Time(wait)).marked, marks as u64);
        marks
    };
    let shares = [700_000, 900_000, 1_000_000, 1_100_000, 1_300_000].map(|wait| marked(wait, &[]));
    // The first likelihoods only add up to one: two marks may be missing at the beginning.
    for (found, expected) in shares.into_iter().zip([0, 50, 100, 150, 200]) {
        assert!(found <= expected && found + 2 >= expected, "{found}, not {expected}");
    }
    let step = [("min_threshold", 0.001), ("range", 0.0)];
    assert_eq!((marked(990_000, &step), marked(1_010_000, &step)), (0, 199));
    // With up to 300 packets behind it a delay is none of its own.
    assert_eq!(marked(1_300_000, &[("min_length", 300.0)]), 0);
}

/// Section 2.3: ECT(1) and CE are served from the L queue, in their order, and first.
#[test]
fn codepoints_choose_the_queue() {
    let mut dual = dual(&[]);
    for (id, ecn) in
        [Ecn::NotCapable, Ecn::Capable, Ecn::Scalable, Ecn::Marked].into_iter().enumerate()
    {
        push(&mut dual, Time(0), id as u32, ecn).expect("room");
    }
    let order: Vec<_> = std::iter::from_fn(|| pop(&mut dual, Time(0)).0).collect();
    assert_eq!(order, [2, 0, 3, 1]);
    assert_eq!(dual.backlog(), (0, 0));
}

/// Appendix A.1, by hand: p' += alpha (d - target) + beta (d - before), at each whole multiple of `update`.
#[test]
fn the_base_probability_moves_as_the_rfc_says() {
    let mut dual = dual(&[]);
    let base = |queue: &Queue<()>| match &queue.store {
        store::Store::Apart(apart) => match &**apart {
            store::Apart::Classed(store::Classed::Dual(dual)) => dual.coupled_probability() / 2.0,
            _ => f64::NAN,
        },
        _ => f64::NAN,
    };
    for id in 0..10 {
        push(&mut dual, Time(MS), id, Ecn::NotCapable).expect("room");
    }
    // At 15 ms its head has waited 14 ms, at 30 ms 29 ms.
    pop(&mut dual, Time(31 * MS));
    let first = 0.15 * (0.014 - 0.015) + 3.0 * 0.014;
    let second = first + 0.15 * (0.029 - 0.015) + 3.0 * 0.015;
    assert!((base(&dual) - second).abs() < 1e-12, "{} {second}", base(&dual));
    while pop(&mut dual, Time(31 * MS)).0.is_some() {}
    // Both are empty: it falls back to nothing.
    push(&mut dual, Time(60_000 * MS), 99, Ecn::NotCapable).expect("room");
    assert_eq!(base(&dual), 0.0);
}

/// A flood of Classic packets, 1 + `excess` for each that is sent, and an ECT(1) packet in each tenth round for the L queue:
/// share of Classic packets dropped, of L4S packets marked, mean delay of the Classic queue, ms.
fn flood(excess: f64, options: &[(&str, f64)]) -> (f64, f64, f64) {
    let mut dual = dual(options);
    let (mut due, mut classic, mut dropped, mut l4s, mut marked) = (0.0, 0.0, 0.0, 0.0, 0.0);
    let mut waits = 0.0;
    let rounds = 200_000_u64;
    for round in 0..rounds {
        let now = Time(round * MS);
        let measures = round > rounds / 4;
        due += 1.0 + excess - 0.1;
        while due >= 1.0 {
            due -= 1.0;
            push(&mut dual, now, 0, Ecn::NotCapable).expect("room");
            classic += f64::from(u8::from(measures));
        }
        if round % 10 == 0 {
            push(&mut dual, now, 1, Ecn::Scalable).expect("room");
            l4s += f64::from(u8::from(measures));
        }
        let mut fates = Vec::new();
        let next = dual.pop(now, |id, fate| fates.push((id.0, fate)));
        if measures {
            dropped += fates.iter().filter(|(id, _)| *id == 0).count() as f64;
            marked += fates.iter().filter(|(id, _)| *id == 1).count() as f64;
            waits += next
                .filter(|next| next.id.0 == 0)
                .map_or(0.0, |next| now.since(next.since).as_secs() * 1e3);
        }
    }
    (dropped / classic, marked / l4s, waits / (classic - dropped))
}

/// Section 2.1, equation 1: p_C = (p_CL / k)^2, and the delay is held at its target.
#[test]
fn drops_are_the_square_of_half_the_marks() {
    for (excess, k) in [(0.05, 2.0), (0.1, 2.0), (0.05, 1.0)] {
        let (dropped, marked, delay) = flood(excess, &[("coupling", k)]);
        let expected = excess / (0.9 + excess);
        assert!((dropped / expected - 1.0).abs() < 0.01, "{excess}: {dropped}, not {expected}");
        let coupled = k * expected.sqrt();
        assert!((marked / coupled - 1.0).abs() < 0.03, "{excess}: {marked}, not {coupled}");
        assert!((delay / 15.0 - 1.0).abs() < 0.05, "{excess}: {delay} ms");
    }
}

/// Appendix A.2: once all of its packets would be marked, the L queue is dropped from as the Classic one is.
#[test]
fn an_overload_drops_from_both() {
    let found = |overload_drops| {
        let mut dual = dual(&[("overload_drops", overload_drops), ("coupling", 2.0)]);
        let mut sent = [0; 2];
        for round in 0..100_000_u64 {
            for (id, ecn) in [Ecn::NotCapable, Ecn::Scalable].into_iter().enumerate() {
                _ = push(&mut dual, Time(round * MS), id as u32, ecn);
            }
            if let Some(next) = pop(&mut dual, Time(round * MS)).0 {
                sent[next as usize] += 1;
            }
        }
        (sent, dual.stats_by(Time(100_000 * MS)))
    };
    let (sent, stats) = found(1.0);
    // Half of all has to go, of each kind: p_C = 1/2, beyond p_Cmax = 1/4.
    let share = f64::from(sent[1]) / f64::from(sent[0] + sent[1]);
    assert!((share - 0.5).abs() < 0.02, "{share}");
    assert!(stats.max_packets < 2000, "{}", stats.max_packets);
    // Without it only the limit stops the L queue, which gets 15/16.
    let (sent, stats) = found(0.0);
    assert!(sent[1] > sent[0], "{sent:?}");
    assert_eq!(stats.max_packets, 10_000);
}

/// Appendix A.1: while both wait, the Classic queue gets its share of the bytes.
#[test]
fn the_classic_queue_keeps_its_share() {
    for (options, expected) in
        [(&[][..], 1.0 / 16.0), (&[("classic_share", 0.1), ("alpha", 0.0)][..], 0.1)]
    {
        let mut dual = dual(options);
        for id in 0..2000 {
            push(
                &mut dual,
                Time(0),
                id % 2,
                if id % 2 == 0 { Ecn::NotCapable } else { Ecn::Scalable },
            )
            .expect("room");
        }
        let classic = (0..960).filter(|_| pop(&mut dual, Time(0)).0 == Some(0)).count();
        assert!((classic as f64 / 960.0 - expected).abs() < 0.003, "{classic}");
    }
    let mut shifted = dual(&[("scheduler", 1.0), ("time_shift", 0.01), ("beta", 0.0)]);
    push(&mut shifted, Time(0), 0, Ecn::NotCapable).expect("room");
    push(&mut shifted, Time(9 * MS), 1, Ecn::Scalable).expect("room");
    push(&mut shifted, Time(9 * MS), 2, Ecn::Scalable).expect("room");
    assert_eq!(pop(&mut shifted, Time(9 * MS)).0, Some(1));
    push(&mut shifted, Time(0) + Span::millis(11), 3, Ecn::Scalable).expect("room");
    pop(&mut shifted, Time(11 * MS));
    assert_eq!(pop(&mut shifted, Time(11 * MS)).0, Some(0));
}

/// Linux's fq_codel: what has waited longer than `ce_threshold` is marked, all of it or L4S packets only; drops go on.
#[test]
fn a_threshold_marks_l4s_packets_in_fq_codel() {
    for (only_l4s, marked) in [(0.0, [18, 18, 0]), (1.0, [0, 18, 0])] {
        let options = [("ce_threshold", 0.001), ("ce_threshold_l4s", only_l4s)];
        let mut fair = queue(Discipline::FqCodel, &options);
        for id in 0..60 {
            let ecn = [Ecn::Capable, Ecn::Scalable, Ecn::NotCapable][id as usize % 3];
            push(&mut fair, Time(0), id, ecn).expect("room");
        }
        assert!((0..6).all(|_| pop(&mut fair, Time(MS)).1.is_empty()));
        let fates: Vec<_> = (6..60).flat_map(|_| pop(&mut fair, Time(MS + 1)).1).collect();
        let of = |kind| fates.iter().filter(|(id, _)| id % 3 == kind).count();
        assert_eq!([of(0), of(1), of(2)], marked);
        assert!(fates.iter().all(|(_, fate)| *fate == Fate::Marked));
    }
}

#[test]
fn a_full_dual_queue_refuses_who_comes() {
    let limit = QueueLimit::Packets(3);
    let config = QueueConfig { discipline: Discipline::DualPi2, ..limit.into() };
    let seed = Seed { seed: 1, replication: 0 };
    let owner = Owner { seed, purpose: Purpose::LinkQueue, number: 0 };
    let mut dual: Queue<()> = Queue::new(&config, Rate(10_000_000), owner);
    for id in 0..3 {
        push(&mut dual, Time(0), id, Ecn::NotCapable).expect("room");
    }
    assert_eq!(push(&mut dual, Time(0), 3, Ecn::Scalable), Err(DropReason::Queue));
    assert_eq!((dual.backlog().0, dual.stats_by(Time(0)).dropped), (3, 1));
}
