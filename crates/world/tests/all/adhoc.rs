//! Ad hoc cells over several hops: chains, relays, links that break and come back as stations move.

use crate::support::{bulk, cell, ns2, plan, saturated};
use apps::AppConfig;
use base::{NodeId, Rate, Seed, Span, StationId, Time};
use engine::Watch;
use net::Direction;
use radio::mobility::{Mobility, Track, Waypoint};
use radio::propagation::{PathLoss, ShadowingConfig};
use radio::{ChannelConfig, Position, Thresholds};
use transport::tcp::Recovery;
use wifi::qos::Category;
use wifi::{Propagation, Reception};
use world::{
    FlowPlan, LinkRule, MediumPlan, Note, OraclePlan, Outcome, Plan, TransportPlan, World,
};

/// 802.11 at 2 Mbit/s, ns-2's WaveLAN (250 m, 550 m), with an oracle; stations that move so.
fn adhoc(seconds: u64, places: Vec<Mobility>) -> Plan {
    let nodes = places.len();
    let mut plan = plan(nodes, seconds);
    cell(&mut plan, 0..nodes as u32, 2_000_000, ChannelConfig::Ideal);
    let cell = &mut plan.cells[0];
    cell.access_point = None;
    let (path_loss, shadowing) = (PathLoss::ns2_two_ray(914e6), ShadowingConfig::Off);
    cell.medium = Some(MediumPlan {
        channel: 1,
        propagation: Propagation { path_loss, shadowing, fading: None },
        transmit_w: Thresholds::WAVELAN_TRANSMIT_W,
        reception: Reception::Thresholds(Thresholds::WAVELAN),
        places,
    });
    plan.routing.oracle = Some(OraclePlan { link: LinkRule::Power(1.0), delay: Span::ZERO });
    plan
}

/// Stations 200 m apart on a line.
fn chain(seconds: u64, hops: usize) -> Plan {
    let place = |i: usize| Mobility::fixed(Position::flat(200.0 * i as f64, 0.0));
    adhoc(seconds, (0..=hops).map(place).collect())
}

fn cbr(plan: &mut Plan, (from, to): (u32, u32), (payload, rate): (u32, u64)) {
    plan.flows.push(FlowPlan {
        name: "cbr".into(),
        from: NodeId(from),
        to: NodeId(to),
        via: vec![],
        transport: TransportPlan::Udp { header_bytes: 0 },
        app: AppConfig::cbr(payload, Rate(rate)),
        start: Time::ZERO,
        stop: Time::NEVER,
        category: Category::BestEffort,
        dscp: 0,
    });
}

fn build(plan: &Plan) -> World {
    World::build(plan, Seed { seed: 1, replication: 0 }).expect("it may be connected")
}

fn run(plan: &Plan) -> Outcome {
    let mut world = build(plan);
    world.run();
    world.outcome()
}

fn lost(outcome: &Outcome, flow: usize, reason: &str) -> u64 {
    let lost = &outcome.flows[flow].packets_lost;
    *lost.get(reason).expect("a known reason")
}

/// When data arrived.
#[derive(Default)]
struct Arrivals(Vec<Time>);

impl Watch<Note> for Arrivals {
    fn see(&mut self, now: Time, note: &Note) {
        if let Note::Delivered { direction: Direction::Forward, .. } = *note {
            self.0.push(now);
        }
    }
}

/// A datagram at a time over two hops: 192 us + 536 B at 2 Mbit/s = 2336 us; the relay has it then, answers after a SIFS of
/// 10 us for 192 us + 14 B at 2 Mbit/s = 248 us, waits a DIFS of 50 us and a backoff of 0 to 31 slots of 20 us, and sends it on.
#[test]
fn two_hops_take_what_the_standard_says() {
    let mut plan = chain(200, 2);
    cbr(&mut plan, (0, 2), (500, 40_000));
    let mut arrivals = Arrivals::default();
    build(&plan).run_watched(Time::ZERO + plan.duration, &mut arrivals);
    assert_eq!(arrivals.0.len(), 2000);
    let mut seen = [0_u32; 32];
    for (i, at) in arrivals.0.iter().enumerate() {
        let delay_ns = at.0 - i as u64 * 100_000_000;
        let rest_ns = delay_ns - (2_336_000 + 10_000 + 248_000 + 50_000 + 2_336_000);
        assert_eq!(rest_ns % 20_000, 0, "{i}");
        seen[(rest_ns / 20_000) as usize] += 1;
    }
    // 62.5 of each expected; a standard deviation is 7.8.
    assert!(seen.iter().all(|&n| (30..100).contains(&n)), "{seen:?}");
}

/// Li, Blake, De Couto, Lee and Morris (2001), section 3: a chain of nodes 200 m apart with ns-2's radio can use 1/4 of the
/// channel at best; 802.11 reaches about 1/7, since the first nodes send more than those behind them can pass on.
#[test]
fn a_chain_falls_to_between_a_seventh_and_a_quarter() {
    let goodput = |hops: usize| {
        let mut plan = chain(60, hops);
        saturated(&mut plan, (0, hops as u32), 1500);
        run(&plan).flows[0].goodput_bps
    };
    let by_hops: Vec<f64> = (1..=8).map(goodput).collect();
    let shares: Vec<f64> = by_hops.iter().map(|bps| bps / by_hops[0]).collect();
    println!("{shares:.3?}");
    for (hops, share) in (1..=8).zip(&shares) {
        // Neighbours up to two hops away hear each other, those three away disturb each other.
        assert!(*share <= 1.02 / f64::from(hops.min(4)), "{hops} hops: {share}");
        assert!(*share > 0.09, "{hops} hops: {share}");
    }
    assert!(shares[1] < 0.6 && shares[2] < shares[1] && shares[3] < shares[2]);
    assert!((shares[7] / shares[5] - 1.0).abs() < 0.3, "flat from some length on: {shares:?}");
}

/// Gerla, Tang and Bagrodia (1999): TCP over a chain falls with the number of hops too, and lives.
#[test]
fn tcp_crosses_a_chain() {
    let goodput = |hops: usize| {
        let mut plan = chain(60, hops);
        bulk(&mut plan, (0, hops as u32), ns2(Recovery::NewReno, 1460, 4));
        run(&plan).flows[0].goodput_bps
    };
    let by_hops: Vec<f64> = [1, 2, 4, 8].map(goodput).into();
    println!("{by_hops:.0?}");
    let share = |i: usize| by_hops[i] / by_hops[0];
    assert!((0.40..0.55).contains(&share(1)), "{by_hops:?}");
    assert!((0.10..0.30).contains(&share(2)), "{by_hops:?}");
    assert!((0.05..0.20).contains(&share(3)), "{by_hops:?}");
}

/// Along a line, there at these times, s.
fn walk(points: &[(u64, f64)]) -> Mobility {
    let point = |&(s, x_m): &(u64, f64)| Waypoint {
        at: Time::ZERO + Span::secs(s),
        place: Position::flat(x_m, 0.0),
    };
    let points: Vec<Waypoint> = points.iter().map(point).collect();
    Mobility::Track(Track::through(&points).expect("time rises"))
}

/// The range in closed form: h h' sqrt(P / threshold) under a square root.
fn range_m() -> f64 {
    let ratio = Thresholds::WAVELAN_TRANSMIT_W / Thresholds::WAVELAN.receive_w;
    (1.5 * 1.5 * ratio.sqrt()).sqrt()
}

/// 10 m/s from 50 m: out of range after (range - 50 m) / 10 m/s. A datagram each 10 ms.
#[test]
fn a_link_breaks_at_the_instant_of_the_closed_form() {
    let mut plan = adhoc(40, vec![walk(&[(0, 0.0)]), walk(&[(0, 50.0), (40, 450.0)])]);
    cbr(&mut plan, (0, 1), (500, 400_000));
    let mut arrivals = Arrivals::default();
    let mut world = build(&plan);
    world.run_watched(Time::ZERO + plan.duration, &mut arrivals);
    let outcome = world.outcome();
    let breaks_s = (range_m() - 50.0) / 10.0;
    let before = (breaks_s / 0.01).floor() as u64 + 1;
    assert_eq!(arrivals.0.len() as u64, before);
    assert_eq!(lost(&outcome, 0, "no_route"), 4001 - before);
    assert_eq!(outcome.packets.dropped, 4001 - before);
}

/// The same with a router that is a second late: what is sent meanwhile ends at the retry limit, out of range.
#[test]
fn a_late_router_sends_out_of_range() {
    let mut plan = adhoc(40, vec![walk(&[(0, 0.0)]), walk(&[(0, 50.0), (40, 450.0)])]);
    cbr(&mut plan, (0, 1), (500, 40_000));
    let prompt = run(&plan);
    assert_eq!(lost(&prompt, 0, "out_of_range"), 0);
    plan.routing.oracle = Some(OraclePlan { link: LinkRule::Power(1.0), delay: Span::secs(1) });
    let late = run(&plan);
    assert_eq!(lost(&late, 0, "out_of_range"), 10);
    assert_eq!(late.stations[0].packets_lost["out_of_range"], 10);
    assert_eq!(lost(&late, 0, "no_route"), lost(&prompt, 0, "no_route") - 10);
}

/// Away from 10 s to 20 s: TCP's segments have no route, and it goes on when the station is back.
#[test]
fn tcp_goes_on_when_the_station_is_back() {
    let mut plan = adhoc(
        60,
        vec![
            walk(&[(0, 0.0)]),
            walk(&[(0, 200.0), (10, 200.0), (11, 400.0), (19, 400.0), (20, 200.0)]),
        ],
    );
    bulk(&mut plan, (0, 1), ns2(Recovery::NewReno, 1460, 20));
    let mut arrivals = Arrivals::default();
    let mut world = build(&plan);
    world.run_watched(Time::ZERO + plan.duration, &mut arrivals);
    let outcome = world.outcome();
    assert!(lost(&outcome, 0, "no_route") > 2 && outcome.flows[0].sender.timeouts > 2);
    // Near from 400 m - 200 m (t - 19 s) on: a quarter of a second before 20 s.
    let (left_s, back_s) = (10.0 + (range_m() - 200.0) / 200.0, 20.0 - (range_m() - 200.0) / 200.0);
    let seconds = |at: &Time| at.0 as f64 / 1e9;
    let away = arrivals.0.iter().filter(|at| (left_s + 0.02..back_s).contains(&seconds(at)));
    assert_eq!(away.count(), 0);
    let after = arrivals.0.iter().filter(|at| seconds(at) > back_s).count();
    let before = arrivals.0.iter().filter(|at| seconds(at) < left_s).count();
    // Nine seconds of silence back the timer off to 16 s at most: 20 s at least are left, twice those before.
    assert!(after > 3 * before / 2, "{before} before, {after} after");
}

/// 0 and 2 are 400 m apart; 1 stands between them, and goes.
#[test]
fn who_stands_between_relays() {
    let mut plan = adhoc(
        20,
        vec![
            walk(&[(0, 0.0)]),
            walk(&[(0, 200.0), (10, 200.0), (10, 2000.0)]),
            walk(&[(0, 400.0)]),
        ],
    );
    cbr(&mut plan, (0, 2), (500, 40_000));
    let outcome = run(&plan);
    assert_eq!(outcome.flows[0].packets_delivered, 100);
    assert_eq!(lost(&outcome, 0, "no_route"), 101);
    assert_eq!(outcome.stations[StationId(1).index()].successes, 100);
    assert_eq!(outcome.packets.dropped, 101);
    assert_eq!(outcome.stations[0].packets_lost["no_route"], 101);
}

/// A distance in the place of the power, and next hops that are set.
#[test]
fn rules_of_the_route() {
    let mut plan = chain(10, 2);
    cbr(&mut plan, (0, 2), (500, 40_000));
    let relayed = run(&plan);
    assert_eq!(relayed.stations[1].successes, 100);
    plan.routing.oracle = Some(OraclePlan { link: LinkRule::Distance(401.0), delay: Span::ZERO });
    let direct = run(&plan);
    assert_eq!(direct.stations[1].attempts, 0);
    assert!(lost(&direct, 0, "out_of_range") > 90);
    plan.routing.next_hops = vec![(NodeId(0), NodeId(2), NodeId(1))];
    assert_eq!(run(&plan).stations[1].successes, 100);
    plan.routing.oracle = None;
    assert_eq!(run(&plan).stations[1].successes, 100);
    plan.routing.ttl = 1;
    plan.routing.oracle = Some(OraclePlan { link: LinkRule::Power(1.0), delay: Span::ZERO });
    assert!(World::build(&plan, Seed { seed: 1, replication: 0 }).is_err(), "farther than one hop");
}
