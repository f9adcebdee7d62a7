//! CAKE against the words of its paper and of tc-cake(8), and against calculations of its own.

use super::*;
use crate::queue::{Device, Discipline, IpHeader, Owner, Queue, QueueConfig, QueueLimit};
use crate::test_support::packet;
use crate::{Ecn, Header, Segment};
use base::{NodeId, PacketId, Purpose, Seed};

const MS: u64 = 1_000_000;
const SEED: Seed = Seed { seed: 1, replication: 0 };

/// Flows 0 to 7 go to host 10, all others to host 11, all from host 9; flows from 16 on have codepoints from 0 on.
fn headers() -> IpHeaders {
    let header = |flow: u32| IpHeader {
        source: NodeId(9),
        destination: NodeId(if flow < 8 { 10 } else { 11 }),
        dscp: flow.saturating_sub(16) as u8,
    };
    (0..80).map(header).collect()
}

fn cake(options: &[(&str, f64)]) -> Queue<()> {
    let config = QueueConfig {
        discipline: Discipline::Cake,
        options: Options::of(options),
        headers: headers(),
        ..QueueLimit::Packets(LIMIT).into()
    };
    check(&config.options).expect("they can be so");
    Queue::new(
        &config,
        Rate(10_000_000),
        Owner { seed: SEED, purpose: Purpose::LinkQueue, number: 0 },
    )
}

/// The place of a choice.
fn choice(of: &[&str], name: &str) -> f64 {
    of.iter().position(|known| *known == name).expect("it is known") as f64
}

/// A packet of 1500 B that comes while the device is busy.
fn push(queue: &mut Queue<()>, at: u64, (id, flow): (u32, u32), ecn: Ecn) {
    push_sized(queue, at, (id, flow), (1500, ecn));
}

fn push_sized(queue: &mut Queue<()>, at: u64, (id, flow): (u32, u32), (bytes, ecn): (u32, Ecn)) {
    let mut packet = packet(flow);
    packet.header = Header::Tcp(Segment { ecn, ..Segment::default() });
    let arrival = Arrival { id: PacketId(id), bytes, packet: Some(&packet) };
    queue.push(Time(at), (&arrival, ()), Device::Sending, |_, _| ()).expect("all may come");
}

/// Thirty packets deep and one a millisecond; the milliseconds in which it struck.
fn strikes(ecn: Ecn, end: u64) -> (Vec<u64>, Queue<()>) {
    let mut queue = cake(&[]);
    let (mut struck, mut id) = (Vec::new(), 0);
    for ms in 0..end {
        queue.pop(Time(ms * MS), |_, _| struck.push(ms));
        while queue.backlog().0 < 30 {
            id += 1;
            push(&mut queue, ms * MS, (id, 0), ecn);
        }
    }
    (struck, queue)
}

/// The control law by itself: the first drop an interval after the wait has passed the target, the next ones after
/// interval/sqrt(2), interval/sqrt(3), ...: where CoDel's code waits a whole interval twice, COBALT does so once.
#[test]
fn cobalt_drops_by_the_control_law() {
    let (found, queue) = strikes(Ecn::NotCapable, 1500);
    // Pushed at 0, the packet that leaves at 6 ms is the first that has waited longer than 5 ms.
    let mut due = 106.0;
    let mut expected = Vec::new();
    for count in 2.. {
        if due >= 1500.0 {
            break;
        }
        expected.push(f64::ceil(due - 1e-6) as u64);
        due += 100.0 / f64::from(count).sqrt();
    }
    assert!(expected.len() > 40, "{expected:?}");
    assert_eq!(found, expected);
    assert_eq!(
        (queue.stats_by(Time(0)).dropped, queue.stats_by(Time(0)).marked),
        (found.len() as u64, 0)
    );
}

#[test]
fn what_can_bear_a_mark_is_marked_at_the_same_times() {
    let (marks, queue) = strikes(Ecn::Capable, 1500);
    assert_eq!(marks, strikes(Ecn::NotCapable, 1500).0);
    assert_eq!(
        (queue.stats_by(Time(0)).dropped, queue.stats_by(Time(0)).marked),
        (0, marks.len() as u64)
    );
}

/// Bytes sent to either host, with `flows` filling their queues, by 20 000 packets of different sizes.
fn shares(isolation: &str, flows: &[u32]) -> [f64; 2] {
    let mut queue = cake(&[("isolation", choice(ISOLATIONS, isolation)), ("rtt", 1e6)]);
    let bytes = |flow: u32| 700 + 100 * flow;
    let mut sent = [0.0; 2];
    for &flow in flows.repeat(5).iter() {
        push_sized(&mut queue, 0, (flow, flow), (bytes(flow), Ecn::NotCapable));
    }
    for n in 0..20_000_u64 {
        let next = queue.pop(Time(n), |_, _| ()).expect("some wait");
        let flow = next.id.0;
        sent[usize::from(flow >= 8)] += f64::from(next.bytes);
        push_sized(&mut queue, n, (flow, flow), (bytes(flow), Ecn::NotCapable));
    }
    let all = sent[0] + sent[1];
    sent.map(|bytes| bytes / all)
}

/// Eight flows to one host, one to another, all from one: each its ninth, or each host its half.
#[test]
fn hosts_get_their_shares() {
    let flows: Vec<u32> = (0..9).collect();
    for (isolation, other) in [
        ("flows", 1.0 / 9.0),
        ("dual-srchost", 1.0 / 9.0),
        ("dual-dsthost", 0.5),
        ("triple-isolate", 1.0 / 9.0),
        ("dsthost", 0.5),
        ("hosts", 0.5),
    ] {
        let [_, found] = shares(isolation, &flows);
        assert!((found / other - 1.0).abs() < 0.02, "{isolation}: {found}, not {other}");
    }
}

/// A host whose flows are fewer has no less: two flows to one, one to the other, whatever the sizes of their packets.
#[test]
fn the_load_is_that_of_flows_that_fill_their_queues() {
    let [_, found] = shares("dual-dsthost", &[0, 5, 8]);
    assert!((found - 0.5).abs() < 0.01, "{found}");
    let [_, found] = shares("flows", &[0, 5, 8]);
    assert!((found - 1.0 / 3.0).abs() < 0.01, "{found}");
}

/// Sources and destinations change places on the way back.
#[test]
fn the_way_back_has_its_ends_the_other_way_round() {
    let headers = headers();
    let mut packet = packet(8);
    let forth = isolation::ends(headers.of(&packet));
    packet.direction = crate::Direction::Reverse;
    assert_eq!((forth, isolation::ends(headers.of(&packet))), ([10, 12], [12, 10]));
    packet.flow = base::FlowId(80);
    assert_eq!(isolation::ends(headers.of(&packet)), [0, 0]);
}

/// A flow that sends less than its share never waits for more than the packet that is being sent.
#[test]
fn a_sparse_flow_goes_first() {
    let mut queue = cake(&[]);
    let mut id = 100;
    for flow in 0..8 {
        for _ in 0..20 {
            id += 1;
            push(&mut queue, 0, (id, flow), Ecn::NotCapable);
        }
    }
    for n in 1..100_u64 {
        if n % 10 == 0 {
            push_sized(&mut queue, n * MS, (1, 8), (200, Ecn::NotCapable));
        }
        let next = queue.pop(Time(n * MS), |_, _| ()).expect("some wait");
        assert_eq!(next.id.0 == 1, n % 10 == 0, "{n}");
    }
}

/// When each packet of these sizes leaves, with a device that asks whenever the shaper opens; and the last opening.
fn departures(options: &[(&str, f64)], sizes: &[u32]) -> (Vec<u64>, u64) {
    let mut queue = cake(options);
    for (id, &bytes) in (0..).zip(sizes) {
        push_sized(&mut queue, 0, (id, 0), (bytes, Ecn::NotCapable));
    }
    let mut times = Vec::new();
    while queue.backlog().0 > 0 {
        let now = queue.opens();
        assert!(now == Time(0) || queue.pop(Time(now.0 - 1), |_, _| ()).is_none());
        queue.pop(now, |_, _| ()).expect("it is open");
        times.push(now.0);
    }
    (times, queue.opens().0)
}

/// Each packet moves the clock by its size over the rate: no burst, and the rate is exact to the packet.
#[test]
fn the_shaper_is_exact_to_the_packet() {
    let slow = ("rtt", 1e6);
    let (found, _) = departures(&[("bandwidth", 8e6), slow], &[1500, 500, 64, 1500, 1500]);
    assert_eq!(found, [0, 1_500_000, 2_000_000, 2_064_000, 3_564_000]);
    let size = |options: &[(&str, f64)], bytes: u32| {
        let with: Vec<_> = [("bandwidth", 8e6), slow].iter().chain(options).copied().collect();
        departures(&with, &[bytes]).1 / 1000
    };
    assert_eq!(size(&[("overhead", 38.0), ("mpu", 84.0)], 1500), 1538);
    assert_eq!(size(&[("overhead", 38.0), ("mpu", 84.0)], 40), 84);
    // 1500 + 40 bytes are 33 cells (32 and 4 bytes); 24 blocks of 64 and one of 4.
    assert_eq!(size(&[("overhead", 40.0), ("framing", choice(FRAMINGS, "atm"))], 1500), 33 * 53);
    assert_eq!(size(&[("overhead", 40.0), ("framing", choice(FRAMINGS, "ptm"))], 1500), 1565);
}

/// What is not used is lost: no burst follows a pause.
#[test]
fn a_pause_is_not_saved_up() {
    let mut queue = cake(&[("bandwidth", 8e6)]);
    push(&mut queue, 0, (0, 0), Ecn::NotCapable);
    queue.pop(Time(0), |_, _| ()).expect("one");
    for id in 1..4 {
        push(&mut queue, 10 * MS, (id, 0), Ecn::NotCapable);
    }
    assert!(queue.pop(Time(10 * MS), |_, _| ()).is_some());
    assert_eq!(queue.opens(), Time(11_500_000));
}

/// tc-cake(8): at 100 Mbit/s diffserv3 has tins of 100, 6.25 and 25 Mbit/s with turns of 1514, 300 and 762 bytes (here the MTU is
/// 1500 B without Ethernet's header), and a memory of 5 000 000 bytes.
#[test]
fn tins_have_the_numbers_of_the_manual() {
    let options = Options::of(&[("bandwidth", 1e8)]);
    let p = Params::new(&options);
    let rates = Classes::Three.shares().into_iter().map(|share| Rate((1e8 * share.rate) as u64));
    let rates: Vec<Rate> = rates.collect();
    assert_eq!(rates, [Rate(100_000_000), Rate(6_250_000), Rate(25_000_000)]);
    let turns: Vec<u32> = rates.into_iter().map(|rate| quantum(Some(rate))).collect();
    assert_eq!(turns, [1500, 300, 762]);
    assert_eq!((memory(&p), memory(&Params::default())), (5_000_000, 15_360_000));
    // At 1 Mbit/s an MTU takes 12 ms: the target is one and a half of these.
    let slow = times(&p, Some(Rate(1_000_000)), false);
    assert_eq!((slow.target, slow.interval), (Span::millis(18), Span::millis(113)));
    let quick = times(&p, None, true);
    assert_eq!((quick.target, quick.interval), (Span::millis(5), Span::millis(10)));
}

#[test]
fn codepoints_have_the_tins_of_the_manual() {
    let tins = |classes: Classes| {
        move |codes: &[u8]| -> Vec<usize> { codes.iter().map(|&code| classes.tin(code)).collect() }
    };
    // CS1, LE; CS0, AF11; CS7, CS6, EF, VA, TOS4.
    let three = tins(Classes::Three);
    assert_eq!(three(&[8, 1, 0, 10, 34]), [1, 1, 0, 0, 0]);
    assert_eq!(three(&[56, 48, 46, 44, 4]), [2; 5]);
    let four = tins(Classes::Four);
    assert_eq!(four(&[8, 1, 0, 10, 12]), [1, 1, 0, 0, 0]);
    assert_eq!(four(&[34, 38, 26, 24, 18, 16, 4]), [2; 7]);
    assert_eq!(four(&[56, 48, 46, 44, 40, 32]), [3; 6]);
    assert_eq!(tins(Classes::Precedence)(&[0, 8, 34, 46, 56]), [0, 1, 4, 5, 7]);
    assert_eq!(tins(Classes::Eight)(&[8, 10, 0, 34, 18, 16, 46, 48]), [0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(tins(Classes::BestEffort)(&[0, 8, 46]), [0; 3]);
}

/// The parts of best effort, bulk (CS1) and voice (EF), all of which always wait.
fn by_tin(options: &[(&str, f64)]) -> [f64; 3] {
    let with: Vec<_> = options.iter().copied().chain([("rtt", 1e6)]).collect();
    let mut queue = cake(&with);
    let flows = [0, 16 + 8, 16 + 46];
    let mut sent = [0.0; 3];
    for at in 0..3 {
        (0..5).for_each(|_| push(&mut queue, 0, (at, flows[at as usize]), Ecn::NotCapable));
    }
    let mut now = Time(0);
    for _ in 0..20_000 {
        now = now.max(queue.opens());
        let at = queue.pop(now, |_, _| ()).expect("some wait").id.0;
        sent[at as usize] += 1.0;
        push(&mut queue, now.0, (at, flows[at as usize]), Ecn::NotCapable);
    }
    let all: f64 = sent.iter().sum();
    sent.map(|bytes| bytes / all)
}

/// With a shaper voice and bulk get what they are due of the bandwidth, and best effort the rest; without one, parts by weight.
#[test]
fn tins_share_by_their_clocks_or_by_their_weights() {
    let near = |found: [f64; 3], expected: [f64; 3]| {
        let off =
            found.iter().zip(expected).map(|(found, expected)| (found / expected - 1.0).abs());
        off.fold(0.0, f64::max) < 0.01
    };
    let shaped = by_tin(&[("bandwidth", 1e8)]);
    assert!(near(shaped, [0.6875, 0.0625, 0.25]), "{shaped:?}");
    let free = by_tin(&[]);
    assert!(near(free, [1024.0 / 1344.0, 64.0 / 1344.0, 256.0 / 1344.0]), "{free:?}");
    let one = by_tin(&[("tins", choice(TINS, "besteffort"))]);
    assert!(near(one, [1.0 / 3.0; 3]), "{one:?}");
}

/// Where the memory is full the longest queue loses its head, whoever comes; what is offered is taken, dropped or there.
#[test]
fn a_full_memory_takes_from_the_longest() {
    let mut queue = cake(&[("memory", 65_535.0)]);
    let mut gone = Vec::new();
    let mut come = |queue: &mut Queue<()>, id: u32, flow: u32| {
        let packet = packet(flow);
        let arrival = Arrival { id: PacketId(id), bytes: 1500, packet: Some(&packet) };
        let told = |id: PacketId, fate| gone.push((id.0, fate));
        queue.push(Time(MS), (&arrival, ()), Device::Sending, told).expect("all may come");
    };
    // 43 packets of 1500 B fit.
    (0..43).for_each(|id| come(&mut queue, id, 0));
    (100..103).for_each(|id| come(&mut queue, id, 8));
    let full = Fate::Dropped(crate::DropReason::Queue);
    assert_eq!(gone, [(0, full), (1, full), (2, full)]);
    let stats = queue.stats_by(Time(MS));
    assert_eq!((stats.offered, stats.dropped, queue.backlog()), (46, 3, (43, 64_500)));
    let sent = std::iter::from_fn(|| queue.pop(Time(MS), |_, _| ())).count();
    assert_eq!((sent, queue.backlog()), (43, (0, 0)));
}

/// More flows than queues: flows that find their set full share a queue, and nothing is lost or left behind.
#[test]
fn flows_share_queues_where_sets_are_full() {
    let mut queue = cake(&[]);
    for flow in 0..5000 {
        push(&mut queue, 0, (flow, flow), Ecn::NotCapable);
    }
    queue.take_out(Time(0), |waiting| waiting.id.0 % 2 == 1);
    assert_eq!(queue.backlog(), (2500, 2500 * 1500));
    let mut sent: Vec<u32> =
        std::iter::from_fn(|| queue.pop(Time(0), |_, _| ())).map(|next| next.id.0).collect();
    sent.sort_unstable();
    assert_eq!(sent, (0..2500).map(|id| 2 * id).collect::<Vec<_>>());
}

/// The same packets, the same decisions.
#[test]
fn the_same_seed_gives_the_same() {
    let played = || {
        let mut queue = cake(&[("memory", 65_535.0), ("bandwidth", 1e7)]);
        let mut story = Vec::new();
        for n in 0..20_000_u32 {
            let now = u64::from(n) * MS / 2;
            push(
                &mut queue,
                now,
                (n, n % 11),
                if n % 3 == 0 { Ecn::Capable } else { Ecn::NotCapable },
            );
            story.extend(queue.pop(Time(now), |_, _| ()).map(|next| next.id.0));
        }
        let stats = queue.stats_by(Time(10_000 * MS));
        assert_eq!(
            stats.offered,
            story.len() as u64 + stats.dropped + u64::from(queue.backlog().0)
        );
        assert!(stats.dropped > 1000 && stats.marked > 0, "{stats:?}");
        (story, stats.dropped, stats.marked)
    };
    assert_eq!(played(), played());
}
