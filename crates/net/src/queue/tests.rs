//! Disciplines against their documents.

use super::*;
use crate::test_support::packet;
use base::{Span, Time};

pub(super) const MS: u64 = 1_000_000;
const SEED: Seed = Seed { seed: 1, replication: 0 };

pub(super) fn queue(discipline: Discipline, options: &[(&str, f64)]) -> Queue<()> {
    let limit = QueueLimit::Packets(discipline.row().limit.unwrap_or(1000));
    let config = QueueConfig { discipline, options: Options::of(options), ..limit.into() };
    config.discipline.check(&config.options).expect("they can be so");
    let owner = Owner { seed: SEED, purpose: Purpose::LinkQueue, number: 0 };
    Queue::new(&config, Rate(10_000_000), owner)
}

/// A packet of a flow that comes at `ms` while the device is busy; whether it is marked.
fn push(queue: &mut Queue<()>, at: Time, id: u32, flow: u32) -> Result<bool, DropReason> {
    let packet = packet(flow);
    let arrival = Arrival { id: PacketId(id), bytes: 1500, packet: Some(&packet) };
    queue.push(at, (&arrival, ()), Device::Sending, |_, _| ())
}

/// A packet comes and one is asked for in each millisecond, after `depth` that came at the begin; when disciplines struck.
fn strikes(queue: &mut Queue<()>, depth: u32, times: std::ops::Range<u64>) -> Vec<u64> {
    let mut struck = Vec::new();
    let mut id = 0;
    for _ in 0..depth {
        id += 1;
        push(queue, Time(times.start * MS), id, 0).expect("there is room");
    }
    for ms in times {
        let mut told = |_, _| struck.push(ms);
        queue.pop(Time(ms * MS), &mut told);
        // Keeps the queue as deep as it was.
        while queue.backlog().0 < depth {
            id += 1;
            push(queue, Time(ms * MS), id, 0).expect("there is room");
        }
    }
    struck
}

/// RFC 8289, section 5: the first drop comes an interval after the wait has been above the target, the next ones after
/// interval/sqrt(1), interval/sqrt(2), ...
#[test]
fn codel_drops_by_the_schedule_of_the_rfc() {
    let mut codel = queue(Discipline::Codel, &[]);
    // Thirty packets deep and one a millisecond: the wait passes 5 ms at 5 ms.
    let found = strikes(&mut codel, 30, 0..1500);
    let mut due = 105.0;
    let mut expected = vec![105];
    for count in 1.. {
        due += 100.0 / f64::from(count).sqrt();
        if due >= 1500.0 {
            break;
        }
        expected.push(f64::ceil(due - 1e-9) as u64);
    }
    assert!(expected.len() > 40, "{expected:?}");
    assert_eq!(found, expected);
}

/// Section 5.5: where it begins anew soon, it begins at the rate at which it stopped.
#[test]
fn codel_remembers_the_rate_that_controlled_the_queue() {
    let mut codel = queue(Discipline::Codel, &[]);
    let first = strikes(&mut codel, 30, 0..1000);
    while codel.pop(Time(1000 * MS), |_, _| ()).is_some() {}
    let again = strikes(&mut codel, 30, 1010..1200);
    // The count goes on with the drops of the last time, less the first of it: the second drop comes sooner than an interval.
    let count = (first.len() - 1) as f64;
    let gap = f64::ceil(100.0 / count.sqrt()) as u64;
    assert_eq!(again[..2], [1115, 1115 + gap], "{count} drops before");
}

/// Section 5.4: an MTU or less behind the head is no standing queue, whatever it has waited.
#[test]
fn codel_leaves_a_short_queue_alone() {
    let mut codel = queue(Discipline::Codel, &[]);
    assert!(strikes(&mut codel, 2, 0..1000).is_empty());
    let mut small = queue(Discipline::Codel, &[("target", 0.001), ("mtu", 1499.0)]);
    assert!(!strikes(&mut small, 2, 0..1000).is_empty());
}

#[test]
fn codel_marks_what_can_bear_it_and_loses_nothing() {
    let mut codel = queue(Discipline::Codel, &[("ecn", 1.0)]);
    let marks = strikes(&mut codel, 30, 0..1500);
    let mut drops = queue(Discipline::Codel, &[]);
    assert_eq!(marks, strikes(&mut drops, 30, 0..1500));
    let (marking, dropping) = (codel.stats_by(Time(0)), drops.stats_by(Time(0)));
    assert_eq!((marking.dropped, marking.marked), (0, marks.len() as u64));
    assert_eq!((dropping.dropped, dropping.marked), (marks.len() as u64, 0));
}

/// RFC 8290, section 4.2: queues that have just begun go first, then each its quantum in turn.
#[test]
fn flows_take_turns_and_new_ones_go_first() {
    let mut fair = queue(Discipline::FqCodel, &[]);
    for id in 0..6 {
        push(&mut fair, Time(0), id, 1).expect("room");
    }
    for id in 10..13 {
        push(&mut fair, Time(0), id, 2).expect("room");
    }
    let mut order: Vec<u32> =
        (0..4).map(|_| fair.pop(Time(0), |_, _| ()).expect("one").id.0).collect();
    assert_eq!(order, [0, 10, 1, 11]);
    // A third flow goes before both.
    push(&mut fair, Time(0), 20, 3).expect("room");
    order = std::iter::from_fn(|| fair.pop(Time(0), |_, _| ())).map(|next| next.id.0).collect();
    assert_eq!(order, [20, 2, 12, 3, 4, 5]);
    assert_eq!(fair.backlog(), (0, 0));
}

/// Section 4.1.2: a full queue loses half of its longest flow, from the head.
#[test]
fn a_full_queue_of_flows_takes_from_the_longest() {
    let limit = QueueLimit::Packets(10);
    let config = QueueConfig { discipline: Discipline::FqCodel, ..limit.into() };
    let owner = Owner { seed: SEED, purpose: Purpose::LinkQueue, number: 0 };
    let mut fair: Queue<()> = Queue::new(&config, Rate(1), owner);
    for id in 0..9 {
        push(&mut fair, Time(0), id, 1).expect("room");
    }
    push(&mut fair, Time(0), 90, 2).expect("room");
    let mut gone = Vec::new();
    let packet = packet(2);
    let arrival = Arrival { id: PacketId(91), bytes: 1500, packet: Some(&packet) };
    let told = |id: PacketId, fate| gone.push((id.0, fate));
    assert_eq!(fair.push(Time(0), (&arrival, ()), Device::Sending, told), Ok(false));
    let expected: Vec<_> = (0..5).map(|id| (id, Fate::Dropped(DropReason::Queue))).collect();
    assert_eq!((gone, fair.backlog().0), (expected, 6));
}

/// RFC 8033, section 4.2, by hand: an update is alpha (d - target) + beta (d - before), slowed while the probability is small.
#[test]
fn pie_moves_its_probability_as_the_rfc_says() {
    let mut pie = queue(Discipline::Pie, &[("max_burst", 0.0)]);
    // One packet waits 45 ms and leaves another behind; no update before.
    push(&mut pie, Time(0), 1, 0).expect("room");
    push(&mut pie, Time(0), 2, 0).expect("room");
    let p = |queue: &Queue<()>| match &queue.door.law {
        AnyLaw::Pie(pie) => pie.probability(),
        _ => f64::NAN,
    };
    pie.pop(Time(44 * MS), |_, _| ()).expect("one");
    assert_eq!(p(&pie), 0.0);
    push(&mut pie, Time(45 * MS), 3, 0).expect("room");
    let first = (0.125 * (0.044 - 0.015) + 1.25 * 0.044) / 2048.0;
    assert!((p(&pie) - first).abs() < 1e-15, "{}", p(&pie));
    push(&mut pie, Time(60 * MS), 4, 0).expect("room");
    let second = first + 0.125 * (0.044 - 0.015) / 128.0;
    assert!((p(&pie) - second).abs() < 1e-15, "{}", p(&pie));
}

/// A flood of twice the rate: the drops settle where half goes, and the delay at the target.
#[test]
fn pie_holds_its_target() {
    for options in [&[][..], &[("derandomize", 0.0)]] {
        let mut pie = queue(Discipline::Pie, options);
        let (mut waits, mut served) = (0.0, 0);
        for tick in 0..120_000_u64 {
            let now = Time(tick * MS / 2);
            _ = push(&mut pie, now, 0, 0);
            if tick % 2 == 0
                && let Some(next) = pie.pop(now, |_, _| ())
                && tick > 20_000
            {
                waits += now.since(next.since).as_secs();
                served += 1;
            }
        }
        let stats = pie.stats_by(Time(0));
        let share = stats.dropped as f64 / stats.offered as f64;
        let mean = waits / f64::from(served);
        assert!((share - 0.5).abs() < 0.01, "{share}");
        assert!((mean - 0.015).abs() < 0.002, "{mean}");
    }
}

/// Floyd and Jacobson 1993: a standing queue of 10 with thresholds 5 and 15 is struck at half the greatest probability, and
/// strikes spread evenly over the 1/p packets after the last; with `wait`, over the 1/p packets after those.
#[test]
fn red_strikes_by_its_mean() {
    for (wait, low, high) in [(0.0, 1, 19), (1.0, 20, 39)] {
        let mut red = queue(Discipline::Red, &[("weight", 1.0), ("wait", wait), ("ecn", 1.0)]);
        for id in 0..10 {
            push(&mut red, Time(0), id, 0).expect("below");
        }
        let mut gaps = Vec::new();
        let mut last = 0;
        for n in 0..40_000 {
            if push(&mut red, Time(0), n, 0) == Ok(true) {
                gaps.push(n - last);
                last = n;
            }
            // The next finds ten again.
            red.pop(Time(0), |_, _| ());
        }
        let gaps = &gaps[1..];
        let mean = f64::from(gaps.iter().sum::<u32>()) / gaps.len() as f64;
        assert!(gaps.iter().all(|gap| (low..=high).contains(gap)), "{wait}");
        // Standard errors of the means are below 0.2.
        let expected = f64::from(low + high) / 2.0;
        assert!((mean - expected).abs() < 0.7, "wait {wait}: {mean}, not {expected}");
    }
}

#[test]
fn red_drops_all_beyond_twice_the_maximum() {
    let mut red = queue(Discipline::Red, &[("weight", 1.0)]);
    let fates: Vec<_> = (0..100).map(|id| push(&mut red, Time(0), id, 0)).collect();
    assert!(fates[90..].iter().all(|fate| *fate == Err(DropReason::Aqm)));
    assert!((15..=31).contains(&red.backlog().0), "{}", red.backlog().0);
    assert_eq!(red.stats_by(Time(0)).dropped, 100 - u64::from(red.backlog().0));
}

/// Section 4: while the device is idle the mean falls as if small packets had passed.
#[test]
fn the_mean_of_red_falls_while_idle() {
    let mut red = queue(Discipline::Red, &[("weight", 0.1)]);
    for id in 0..12 {
        _ = push(&mut red, Time(0), id, 0);
    }
    while red.pop(Time(0), |_, _| ()).is_some() {}
    let mean = |queue: &Queue<()>| match &queue.door.law {
        AnyLaw::Red(red) => red.mean(),
        _ => f64::NAN,
    };
    let before = mean(&red);
    // 500 B at 10 Mbit/s take 0.4 ms: ten of them in 4 ms.
    let arrival = Arrival::from((PacketId(99), 1500));
    red.push(Time(0) + Span::millis(4), (&arrival, ()), Device::Idle, |_, _| ()).expect("room");
    let expected = before * 0.9_f64.powi(11);
    assert!((mean(&red) - expected).abs() < 1e-12, "{} {expected}", mean(&red));
}

/// Tins share the flows' queues: one that hashes to a queue of another tin gets its own tin's fallback. All share the limit, and
/// the longest flow loses, whoever comes.
#[test]
fn tins_share_a_table_and_a_limit() {
    let options = Options::of(&[("flows", 1.0)]);
    let discipline = Discipline::Mac80211;
    let config = QueueConfig { discipline, options, ..QueueLimit::Packets(5).into() };
    let owner = Owner { seed: SEED, purpose: Purpose::StationQueue, number: 0 };
    let mut tins = Tins::new(&config, Rate(1), owner);
    (0..10).for_each(|number| tins.add(number));
    let mut gone = Vec::new();
    for (id, tin, flow) in [(0, 7, 1), (1, 7, 1), (2, 7, 1), (3, 9, 2), (4, 9, 2), (5, 9, 3)] {
        let packet = packet(flow);
        let arrival = Arrival { id: PacketId(id), bytes: 1500, packet: Some(&packet) };
        tins.push(Time(0), (&arrival, tin), |id, fate| gone.push((id.0, fate)));
    }
    // Three in each: the queue of the higher number loses its oldest, here the fallback of the second tin.
    assert_eq!(gone, [(3, Fate::Dropped(DropReason::Queue))]);
    assert_eq!((tins.waiting(7), tins.waiting(9), tins.backlog()), (3, 2, 5));
    assert!(!tins.has_room(1500, 0));
    let mut left = |of: usize| tins.pop(Time(MS), of, |_, _| ()).map(|next| next.id.0);
    assert_eq!(
        [left(9), left(9), left(9), left(7), left(8)],
        [Some(4), Some(5), None, Some(0), None]
    );
    let stats = tins.stats_by(Time(MS), |tin| tin == 9);
    assert_eq!((stats.offered, stats.dropped, stats.mean_packets(Time(MS))), (3, 1, 2.0));
}
