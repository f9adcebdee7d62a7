//! Mobile nodes that go from one foreign agent to another and back: what reaches them, when, and what is lost.

use crate::support::{bulk, cell, duplex, ns2, plan};
use apps::AppConfig;
use base::{NodeId, Rate, Seed, Span, Time};
use engine::Watch;
use mobileip::{Detection, Preset};
use net::{Direction, QueueLimit};
use radio::mobility::{Mobility, Track, Waypoint};
use radio::propagation::{PathLoss, ShadowingConfig};
use radio::{ChannelConfig, Position, Thresholds};
use transport::tcp::Recovery;
use wifi::mlme::{AccessPointConfig, AssociationConfig, Elements};
use wifi::phy::{Preamble, Standard};
use wifi::qos::Category;
use wifi::{Propagation, Reception};
use world::{
    AssociationPlan, FlowPlan, HandoffOutcome, MediumPlan, MobileIpPlan, Note, Outcome, Plan,
    TransportPlan, World,
};

const SERVER: u32 = 0;
const ROUTER: u32 = 1;
const HOME: u32 = 2;
const WEST: u32 = 3;
const WALKER: u32 = 4;
const EAST: u32 = 5;

fn at_x(x_m: f64) -> Position {
    Position::flat(x_m, 0.0)
}

/// A drive to and fro between 100 m and 400 m at 15 m/s.
fn walk(times: u64) -> Mobility {
    let turn = |i: u64| Waypoint {
        at: Time::ZERO + Span::secs(20 * i),
        place: at_x(if i % 2 == 0 { 100.0 } else { 400.0 }),
    };
    let turns: Vec<_> = (0..=times).map(turn).collect();
    Mobility::Track(Track::through(&turns).expect("in order"))
}

/// Server, home agent and two access points, 500 m apart, at one router; the walker is in the first cell by its plan. ns-2's
/// WaveLAN reaches 250 m: exactly one access point hears the walker.
fn two_agents(walks: u64, preset: Preset) -> Plan {
    let mut plan = plan(7, 20 * walks + 15);
    let queue = QueueLimit::Packets(100);
    for (node, delay) in [(SERVER, 5_000), (HOME, 10_000), (WEST, 1_000), (EAST, 1_000)] {
        duplex(&mut plan, (ROUTER, node), 100_000_000, Span::micros(delay), queue);
    }
    let places = [
        [Mobility::fixed(at_x(0.0)), walk(walks)],
        [500.0, 510.0].map(|x| Mobility::fixed(at_x(x))),
    ];
    for (first, places) in [WEST, EAST].into_iter().zip(places) {
        cell(&mut plan, first..first + 2, 11_000_000, ChannelConfig::Ideal);
        let (path_loss, shadowing) = (PathLoss::ns2_two_ray(914e6), ShadowingConfig::Off);
        plan.cells.last_mut().expect("made above").medium = Some(MediumPlan {
            channel: 1,
            propagation: Propagation { path_loss, shadowing, fading: None },
            transmit_w: Thresholds::WAVELAN_TRANSMIT_W,
            reception: Reception::Thresholds(Thresholds::WAVELAN),
            places: places.into(),
        });
    }
    plan.mobile_ip = Some(MobileIpPlan {
        settings: preset.settings(),
        home_agent: NodeId(HOME),
        foreign_agents: vec![NodeId(WEST), NodeId(EAST)],
        mobiles: vec![NodeId(WALKER)],
    });
    plan
}

/// A datagram of 500 B every 5 ms.
fn stream(plan: &mut Plan, (from, to): (u32, u32)) {
    plan.flows.push(FlowPlan {
        name: format!("f{}", plan.flows.len()),
        from: NodeId(from),
        to: NodeId(to),
        via: vec![],
        transport: TransportPlan::Udp { header_bytes: 28 },
        app: AppConfig::cbr(472, Rate(472 * 8 * 200)),
        start: Time::ZERO + Span::secs(3),
        stop: Time::NEVER,
        category: Category::BestEffort,
        dscp: 0,
    });
}

const SEED: Seed = Seed { seed: 1, replication: 0 };

fn run(plan: &Plan) -> Outcome {
    let mut world = World::build(plan, SEED).expect("it is connected");
    world.run();
    world.outcome()
}

/// The walker's changes of agents. Under load ns-2's nodes forget an agent now and then whose advertisement waits in its
/// queue, and register with the same again.
fn changes(outcome: &Outcome) -> Vec<&HandoffOutcome> {
    let all = outcome.handoffs.iter().flatten();
    all.filter(|one| one.from.as_ref().is_some_and(|from| *from != one.to)).collect()
}

fn parts(handoff: &HandoffOutcome) -> f64 {
    let of_agents = [handoff.discovery_s, handoff.registration_s, handoff.resumption_s];
    let of_link =
        [handoff.detection_s, handoff.scan_s, handoff.authentication_s, handoff.association_s];
    of_link.iter().sum::<f64>() + of_agents.iter().flatten().sum::<f64>()
}

/// When datagrams reach their sink, and how often each.
#[derive(Default)]
struct Arrivals {
    at: Vec<Time>,
    times: Vec<u32>,
}

impl Watch<Note> for Arrivals {
    fn see(&mut self, now: Time, note: &Note) {
        if let Note::Delivered { direction: Direction::Forward, header, .. } = *note {
            let net::Header::Udp(datagram) = header else { return };
            self.at.push(now);
            let number = datagram.number as usize;
            self.times.resize(self.times.len().max(number + 1), 0);
            self.times[number] += 1;
        }
    }
}

#[test]
fn tcp_survives_a_hundred_handoffs_in_a_row() {
    for preset in [Preset::Ns2, Preset::Rfc5944] {
        let mut plan = two_agents(100, preset);
        bulk(&mut plan, (SERVER, WALKER), ns2(Recovery::NewReno, 1000, 20));
        let mut world = World::build(&plan, SEED).expect("it is connected");
        let mut delivered_by = |seconds: u64| {
            world.run_until(Time::ZERO + Span::secs(seconds));
            world.outcome().flows[0].packets_delivered
        };
        let [first, before, last] = [200, 1800, 2000].map(&mut delivered_by);
        world.run();
        let outcome = world.outcome();
        let changes = changes(&outcome);
        assert!((100..103).contains(&changes.len()), "{preset:?}: {}", changes.len());
        assert!(changes.windows(2).all(|pair| pair[0].to != pair[1].to));
        let last = last - before;
        // It goes on after the last as before the first.
        assert!(last * 10 > first * 9 && first > 200 * 100, "{preset:?}: {first} {last}");
        let tunnelled = outcome.flows[0].packets_tunnelled.expect("there are agents");
        assert!(tunnelled >= outcome.flows[0].packets_delivered);
    }
}

#[test]
fn the_gap_is_that_between_two_deliveries_and_the_sum_of_its_parts_and_nothing_comes_twice() {
    for preset in [Preset::Ns2, Preset::Rfc5944] {
        let mut plan = two_agents(6, preset);
        stream(&mut plan, (SERVER, WALKER));
        let mut world = World::build(&plan, SEED).expect("it is connected");
        let mut arrivals = Arrivals::default();
        world.run_watched(Time::ZERO + plan.duration, &mut arrivals);
        let outcome = world.outcome();
        assert!(arrivals.times.iter().all(|&times| times <= 1), "{preset:?}");
        let mut gaps: Vec<f64> =
            arrivals.at.windows(2).map(|pair| (pair[1] - pair[0]).as_secs()).collect();
        gaps.sort_by(f64::total_cmp);
        let changes = changes(&outcome);
        assert_eq!(changes.len(), 6, "{preset:?}");
        let mut told: Vec<f64> = changes.iter().map(|one| one.gap_s.expect("it goes on")).collect();
        told.sort_by(f64::total_cmp);
        assert_eq!(gaps[gaps.len() - 6..], told, "{preset:?}");
        for one in &changes {
            assert!((parts(one) - one.total_s).abs() < 1e-9, "{one:?}");
            assert!((one.total_s - one.gap_s.unwrap_or(0.0)).abs() < 1e-9, "{one:?}");
        }
        // Each packet was delivered, or lost for a reason; all losses are those of handoffs.
        let flow = &outcome.flows[0];
        let lost: u64 = changes.iter().map(|one| one.lost.unwrap_or(0)).sum();
        let first: u64 = flow.packets_lost.iter().map(|reason| reason.1).sum();
        assert_eq!(lost, first, "{preset:?}: {changes:?} {:?}", flow.packets_lost);
        // So many were sent in the gaps, give or take the packets on their way at both ends.
        let sent_in_gaps = told.iter().sum::<f64>() * 200.0;
        assert!((lost as f64 - sent_in_gaps).abs() < 6.0 * 8.0, "{lost} {sent_in_gaps}");
    }
}

/// The walker leaves the reach of one agent as it comes into that of the other: the crossing is at 250 m, and the gap that of
/// ns-2's agents (at most 1 s), or with `lazy` up to 2 s, or with the RFC's up to 3 s; beside that there are only the ways of
/// the registration and of the first packet.
#[test]
fn gaps_are_as_long_as_the_rules_allow() {
    let limits = [(Preset::Ns2, None, 0.0, 1.1), (Preset::Ns2, Some(Detection::Lazy), 0.9, 2.1)];
    for (preset, detection, mean_least, most) in
        limits.into_iter().chain([(Preset::Rfc5944, None, 2.0, 3.1)])
    {
        let mut plan = two_agents(20, preset);
        if let (Some(ip), Some(detection)) = (&mut plan.mobile_ip, detection) {
            ip.settings.mobile.detection = detection;
        }
        stream(&mut plan, (SERVER, WALKER));
        let outcome = run(&plan);
        let changes = changes(&outcome);
        assert_eq!(changes.len(), 20, "{preset:?}");
        let gaps: Vec<f64> = changes.iter().filter_map(|one| one.gap_s).collect();
        assert!(gaps.iter().all(|&gap| gap < most), "{preset:?} {gaps:?}");
        let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
        assert!(mean > mean_least, "{preset:?} {detection:?} {mean}");
        // From the walker to the home agent and back: four times through the router, and twice over the air.
        for one in changes {
            let registration_s = one.registration_s.expect("there are agents");
            assert!(registration_s > 0.022 && registration_s < 0.05, "{one:?}");
        }
    }
}

#[test]
fn what_goes_to_a_mobile_node_makes_the_way_by_its_home_and_what_it_sends_does_not() {
    let mut plan = two_agents(0, Preset::Rfc5944);
    stream(&mut plan, (SERVER, WALKER));
    stream(&mut plan, (WALKER, SERVER));
    let outcome = run(&plan);
    let [down, up] = &outcome.flows[..] else { panic!("two flows") };
    let delay = |flow: &world::FlowOutcome| flow.delay_s.expect("delivered").mean;
    // 5 + 10 + 10 + 1 ms to it, 1 + 5 ms from it.
    assert!((delay(down) - delay(up) - 0.020).abs() < 0.002, "{} {}", delay(down), delay(up));
    // Eleven milliseconds through the tunnel, and the air: two or three are there at the end.
    let in_tunnel = down.packets_tunnelled.unwrap_or(0) - down.packets_delivered;
    assert!((2..=3).contains(&in_tunnel), "{in_tunnel}");
    assert_eq!(up.packets_tunnelled, Some(0));
    let ip = outcome.mobile_ip.expect("there are agents");
    assert_eq!(ip.tunnel_bytes, 20 * ip.packets_tunnelled);
    // The tunnel's header does not count at the end.
    assert!((down.throughput_bps / down.goodput_bps - 500.0 / 472.0).abs() < 1e-9);
    // One registration, four hops of requests and replies... and no renewal within half a minute.
    assert_eq!((ip.requests, ip.replies), (2, 2));
}

/// The home agent is an access point: at home packets go straight over its air, without a tunnel.
#[test]
fn who_is_at_home_needs_no_tunnel() {
    let mut plan = two_agents(4, Preset::Rfc5944);
    if let Some(ip) = &mut plan.mobile_ip {
        (ip.home_agent, ip.foreign_agents) = (NodeId(WEST), vec![NodeId(EAST)]);
    }
    stream(&mut plan, (SERVER, WALKER));
    let outcome = run(&plan);
    let flow = &outcome.flows[0];
    let changes = changes(&outcome);
    let homes: Vec<&str> = changes.iter().map(|one| one.to.as_str()).collect();
    assert_eq!(homes, ["n5", "n3", "n5", "n3"]);
    assert_eq!(changes[1].trigger, "home_agent");
    for one in &changes {
        assert_eq!(one.tunnelled == Some(0), one.to == "n3", "{one:?}");
    }
    let tunnelled = flow.packets_tunnelled.expect("there are agents");
    assert!(tunnelled > 0 && tunnelled < flow.packets_delivered);
}

/// Two channels: the walker scans, associates, and tells its agents as soon as it has.
#[test]
fn with_association_a_handoff_has_all_its_parts() {
    let mut plan = two_agents(6, Preset::Rfc5944);
    plan.cells[1].medium.as_mut().expect("it has places").channel = 11;
    let elements = Elements::of(Standard::HrDsss(Preamble::Long));
    plan.association = Some(AssociationPlan {
        access_points: vec![Some(AccessPointConfig::new(elements)); 2],
        stations: Some(AssociationConfig::new(vec![1, 11], elements)),
    });
    if let Some(ip) = &mut plan.mobile_ip {
        ip.settings.mobile.link_trigger = true;
    }
    stream(&mut plan, (SERVER, WALKER));
    let outcome = run(&plan);
    let changes = changes(&outcome);
    assert_eq!(changes.len(), 6, "{changes:?}");
    for one in changes {
        assert_eq!(one.trigger, "missed_beacons");
        assert!((parts(one) - one.gap_s.expect("it goes on")).abs() < 1e-9, "{one:?}");
        let (scan, discovery) = (one.scan_s, one.discovery_s.unwrap_or(0.0));
        assert!(one.detection_s > 0.5 && scan > 0.02 && one.association_s > 0.0, "{one:?}");
        // Asked and answered: a few frames.
        assert!(discovery > 0.0 && discovery < 0.02, "{one:?}");
    }
}

#[test]
fn a_run_is_the_same_again_and_may_be_forked() {
    let mut plan = two_agents(4, Preset::Ns2);
    bulk(&mut plan, (SERVER, WALKER), ns2(Recovery::NewReno, 1000, 20));
    stream(&mut plan, (WALKER, SERVER));
    let mut world = World::build(&plan, SEED).expect("it is connected");
    world.run_until(Time::ZERO + Span::secs(30));
    let mut fork = world.clone();
    world.run();
    fork.run();
    assert_eq!(world.outcome(), fork.outcome());
    assert_eq!(world.outcome(), run(&plan));
}
