//! Scenarios with Mobile IP: what they mean, what they refuse, what comes of them.

use base::{NodeId, Seed, Span, Time};
use engine::Watch;
use mobileip::{Detection, Preset};
use net::{Direction, Header};
use scenario::check;
use std::collections::BTreeMap;
use world::{HandoffOutcome, MobileIpPlan, Note, Outcome, Plan, World};

const STANDARD: &str = include_str!("../../../../scenarios/mobile_ip.toml");
const NS2: &str = include_str!("../../../../scenarios/mobile_ip_ns2.toml");
const TWO_BASES: &str = include_str!("../../../../scenarios/mobile_ip_two_bases.toml");

fn checked(text: &str, overrides: &[&str]) -> Result<Plan, String> {
    let overrides: Vec<String> = overrides.iter().map(|&set| set.to_owned()).collect();
    check(text, "x.toml", &overrides)
        .map(|all| std::sync::Arc::unwrap_or_clone(all.plan))
        .map_err(|error| error.to_string())
}

fn plan(text: &str, overrides: &[&str]) -> Plan {
    checked(text, overrides).unwrap_or_else(|error| panic!("{error}"))
}

fn agents(text: &str, overrides: &[&str]) -> MobileIpPlan {
    plan(text, overrides).mobile_ip.expect("there are agents")
}

fn world(plan: &Plan, replication: u64) -> World {
    World::build(plan, Seed { seed: 1, replication }).expect("it is connected")
}

fn outcome(text: &str, overrides: &[&str]) -> Outcome {
    let mut world = world(&plan(text, overrides), 0);
    world.run();
    world.outcome()
}

/// Changes of agents: neither the first one nor another registration with the same.
fn changes(outcome: &Outcome) -> Vec<&HandoffOutcome> {
    let all = outcome.handoffs.iter().flatten();
    all.filter(|one| one.from.as_ref().is_some_and(|from| *from != one.to)).collect()
}

fn parts(one: &HandoffOutcome) -> f64 {
    let of_agents = [one.discovery_s, one.registration_s, one.resumption_s];
    let of_link = one.detection_s + one.scan_s + one.authentication_s + one.association_s;
    of_link + of_agents.iter().flatten().sum::<f64>()
}

#[test]
fn what_a_file_leaves_unsaid_is_the_presets() {
    let ip = agents(STANDARD, &[]);
    let mut rules = Preset::Rfc5944.settings();
    rules.mobile.link_trigger = true;
    assert_eq!(ip.settings, rules);
    // Nodes are numbered as they are named: server, core, home, west, east, car, desk.
    assert_eq!((ip.home_agent, ip.mobiles), (NodeId(2), vec![NodeId(5)]));
    assert_eq!(ip.foreign_agents, [NodeId(3), NodeId(4)]);
    // The conventions choose where the file does not.
    let bare = NS2.replace("preset = \"ns2\"\n", "");
    assert_eq!(agents(&bare, &[]).settings, Preset::Ns2.settings());
    let hidden = agents(STANDARD, &["mobile_ip.link_trigger=false"]).settings;
    assert_eq!(hidden, Preset::Rfc5944.settings());
}

#[test]
fn what_is_given_goes_before_the_preset() {
    let given =
        |text, key: &str, value| agents(text, &[&format!("mobile_ip.{key}={value}")]).settings;
    let slow = given(STANDARD, "advertisement_interval", "4 s").agent;
    assert_eq!((slow.min_interval, slow.max_interval), (Span::secs(3), Span::secs(4)));
    assert_eq!(slow.advertisement_lifetime, Span::secs(12));
    let slow = given(NS2, "advertisement_interval", "4 s");
    assert_eq!(
        (slow.agent.min_interval, slow.agent.advertisement_lifetime),
        (Span::secs(4), Span::secs(8))
    );
    assert_eq!(slow.mobile.expiry, mobileip::Expiry::Check(Span::secs(4)));
    let short = given(STANDARD, "advertisement_lifetime", "1500 ms").agent;
    assert_eq!(short.advertisement_lifetime, Span::millis(1500));
    let brief = given(STANDARD, "registration_lifetime", "20 s");
    assert_eq!(
        (brief.agent.registration_lifetime, brief.mobile.lifetime),
        (Span::secs(20), Span::secs(20))
    );
    assert_eq!(
        given(NS2, "registration_retransmit", "200 ms").mobile.retransmit,
        Span::millis(200)
    );
    assert_eq!(given(NS2, "detection", "lazy").mobile.detection, Detection::Lazy);
    assert_eq!(given(STANDARD, "detection", "eager").mobile.detection, Detection::Eager);
    let one = agents(NS2, &["mobile_ip.foreign_agents=[\"ea*\"]"]);
    assert_eq!(one.foreign_agents, [NodeId(4)]);
}

/// Each with what the file says in its place, and what the error then says; the line is that of the wrong value.
#[test]
fn wrong_tables_are_refused_with_line_and_nearest_name() {
    let home = "home_agent = \"home\"";
    let car = "mobile_nodes = [\"car\"]";
    let preset = "preset = \"rfc5944\"";
    for (old, new, says) in [
        (preset, "preset = \"rfc5994\"", "rfc5944"),
        (preset, "detecton = \"lazy\"", "detection"),
        (preset, "detection = \"lazzy\"", "lazy"),
        (preset, "advertisement_interval = \"5 ms\"", "10 ms"),
        (preset, "advertisement_lifetime = \"500 ms\"", "1000 ms"),
        (preset, "registration_lifetime = \"50 ms\"", "100 ms"),
        (preset, "registration_retransmit = \"500 ms\"", "3.6.3"),
        (preset, "registration_lifetime = 60", "has no unit"),
        (preset, "foreign_agents = [\"core\"]", "west, east"),
        (preset, "foreign_agents = [\"wst\"]", "west"),
        (preset, "foreign_agents = []", "no foreign agent"),
        (home, "home_agent = \"hom\"", "home"),
        (home, "", "home_agent"),
        (car, "mobile_nodes = [\"cat\"]", "car"),
        (car, "mobile_nodes = []", "one or more"),
        (car, "mobile_nodes = [\"west\"]", "is an agent"),
        (car, "mobile_nodes = [\"server\"]", "not a station"),
        (car, "mobile_nodes = [\"bus*\"]", "no node matches"),
    ] {
        let text = STANDARD.replace(old, new);
        let line = STANDARD.lines().position(|line| line == old).expect("it is there") + 1;
        let error = checked(&text, &[]).expect_err(new);
        assert!(error.contains(says), "{new}: {error}");
        // A key that is missing is missed in its table, two or three lines before.
        let lines = if new.is_empty() { line - 2..line } else { line..line + 1 };
        assert!(
            lines.into_iter().any(|line| error.contains(&format!("x.toml:{line}:"))),
            "{new}: {error}"
        );
    }
}

#[test]
fn what_does_not_go_together_is_refused() {
    let apart = STANDARD.replace("[\"core\", \"home\"]", "[\"elsewhere\", \"home\"]");
    assert!(
        checked(&apart, &[]).is_err_and(|error| error.contains("no path between the home agent"))
    );
    let other_channel = checked(NS2, &["cell.1.channel_number=6"]);
    assert!(other_channel.is_err_and(|error| error.contains("never hears \"east\"")));
    let trigger = checked(NS2, &["mobile_ip.link_trigger=true"]);
    assert!(trigger.is_err_and(|error| error.contains("add [association]")));
    let oracle = checked(NS2, &["routing.kind=shortest"]);
    assert!(oracle.is_err_and(|error| error.contains("agents decide where nodes are")));
    let placeless = "duration = \"1 s\"\n[[cell]]\naccess_point = \"ap\"\nstations = [\"a\"]\n\
        [mobile_ip]\nhome_agent = \"ap\"\nmobile_nodes = [\"a\"]\n";
    assert!(checked(placeless, &[]).is_err_and(|error| error.contains("add a [medium]")));
}

/// How many times each packet with data was sent, and how many times it arrived.
#[derive(Default)]
struct Copies {
    sent: BTreeMap<(u32, u64), u32>,
    came: BTreeMap<(u32, u64), u32>,
}

impl Watch<Note> for Copies {
    fn see(&mut self, _: Time, note: &Note) {
        let number = |header| match header {
            Header::Udp(datagram) => Some(datagram.number),
            Header::Tcp(segment) => (segment.len > 0).then_some(segment.seq),
        };
        let (map, flow, header) = match *note {
            Note::Sent { direction: Direction::Forward, flow, header, .. } => {
                (&mut self.sent, flow, header)
            }
            Note::Delivered { direction: Direction::Forward, flow, header, .. } => {
                (&mut self.came, flow, header)
            }
            _ => return,
        };
        if let Some(number) = number(header) {
            *map.entry((flow.0, number)).or_default() += 1;
        }
    }
}

#[test]
fn nothing_is_delivered_more_often_than_it_was_sent_and_all_that_was_lost_has_a_cause() {
    for text in [STANDARD, NS2] {
        let plan = plan(text, &[]);
        let (mut world, mut copies) = (world(&plan, 0), Copies::default());
        world.run_watched(Time::ZERO + plan.duration, &mut copies);
        assert!(copies.came.len() > 5000);
        for (key, &times) in &copies.came {
            assert!(times <= copies.sent[key], "{key:?}: {times}");
        }
        let outcome = world.outcome();
        // Datagrams are sent once.
        assert!(copies.came.iter().all(|(key, &times)| key.0 == 0 || times == 1));
        let packets = outcome.packets;
        assert_eq!(packets.made, packets.delivered + packets.dropped + packets.in_flight);
        for flow in &outcome.flows {
            let lost: u64 = flow.packets_lost.iter().map(|lost| lost.1).sum();
            let under_way = flow.packets_sent - flow.packets_delivered - lost;
            assert!(lost > 0 && under_way < 60, "{}: {lost} {under_way}", flow.name);
        }
        let again = self::world(&plan, 0);
        let again = {
            let mut again = again;
            again.run();
            again.outcome()
        };
        // A medium that is watched wakes its stations more often (decision 1).
        assert_eq!(Outcome { events: outcome.events, ..again }, outcome);
    }
}

#[test]
fn the_ready_scenario_has_handoffs_with_every_part_and_the_parts_are_the_gap() {
    let outcome = outcome(STANDARD, &[]);
    let changes = changes(&outcome);
    let ways: Vec<_> =
        changes.iter().map(|one| (one.from.as_deref(), one.to.as_str(), one.trigger)).collect();
    assert_eq!(
        ways,
        [(Some("west"), "east", "weak_signal"), (Some("east"), "west", "weak_signal")]
    );
    for one in changes {
        assert!((parts(one) - one.gap_s.expect("it goes on")).abs() < 1e-9, "{one:?}");
        assert!(
            one.scan_s > 0.0 && one.authentication_s > 0.0 && one.association_s > 0.0,
            "{one:?}"
        );
        // From the car to its home and back through the core, 22 ms on wires, and four frames.
        let registration = one.registration_s.expect("there are agents");
        assert!(registration > 0.022 && registration < 0.03, "{one:?}");
        assert!(one.lost > Some(0) && one.tunnelled > Some(1000), "{one:?}");
    }
    // Two agents, an advertisement each 0.875 s in the mean, and one for each of three solicitations.
    let ip = outcome.mobile_ip.expect("there are agents");
    assert!((130..150).contains(&ip.advertisements), "{ip:?}");
    assert_eq!((ip.solicitations, ip.requests, ip.replies), (3, 6, 6));
}

/// Without a hint of its link a node counts on its old agent until the lifetime of its advertisement is over.
#[test]
fn a_node_that_is_told_nothing_by_its_link_notices_later() {
    let told = outcome(STANDARD, &[]);
    let untold = outcome(STANDARD, &["mobile_ip.link_trigger=false"]);
    let gap = |outcome: &Outcome| changes(outcome)[0].gap_s.expect("it goes on");
    assert!(gap(&told) < 0.2, "{}", gap(&told));
    assert!(gap(&untold) > 1.9 && gap(&untold) < 5.0, "{}", gap(&untold));
}

/// The link to the home agent loses half of all packets: the request is repeated after 1, 2, 4 s and so on, and the node is
/// registered by the first exchange that gets through.
#[test]
fn a_registration_that_is_lost_is_repeated_until_it_is_granted() {
    let plan = plan(&lossy(), &["duration=40 s", "node.3.waypoints=[]"]);
    let mut repeated = 0;
    for replication in 0..12 {
        let mut world = world(&plan, replication);
        world.run();
        let outcome = world.outcome();
        let own = |one: &&HandoffOutcome| one.station == "car";
        let Some(first) = outcome.handoffs.iter().flatten().find(own) else { continue };
        let waited_s = first.registration_s.expect("there are agents");
        // There and back, or not at all, this number of times before.
        let before = (waited_s + 1.0).log2().round();
        let exchange_s = waited_s - (before.exp2() - 1.0);
        assert!(exchange_s > 0.022 && exchange_s < 0.03, "{waited_s}");
        let ip = outcome.mobile_ip.expect("there are agents");
        assert!(ip.messages_lost >= before as u64, "{ip:?}");
        repeated += u32::from(before > 0.0);
    }
    assert!(repeated >= 4, "{repeated}");
}

fn lossy() -> String {
    let link = "ends = [\"core\", \"home\"]\n";
    STANDARD.replace(link, &format!("{link}loss = 0.5\n"))
}

#[test]
fn registrations_are_renewed_before_their_lifetime_is_over_and_nothing_is_lost_by_it() {
    let still = ["node.3.waypoints=[]", "mobile_ip.registration_lifetime=4 s", "duration=31 s"];
    let outcome = outcome(STANDARD, &still);
    let ip = outcome.mobile_ip.expect("there are agents");
    // At first, and each 2 s: two hops there, two hops back.
    assert_eq!((ip.requests, ip.replies), (32, 32));
    let lost: u64 = outcome.flows[1].packets_lost.iter().map(|lost| lost.1).sum();
    assert_eq!((lost, changes(&outcome).len()), (0, 0));
}

/// Two base stations 20 m apart: the node hears both all the way, so that it changes not where it moves, but when an
/// advertisement is late or lost. The other agent knows of it already and takes over without a loss.
#[test]
fn between_two_bases_that_are_both_heard_changes_cost_next_to_nothing() {
    let plan = plan(TWO_BASES, &["tcp.window=50 packets"]);
    let mut seen = 0;
    // One to eight a run.
    for replication in 0..6 {
        let mut world = world(&plan, replication);
        world.run();
        let outcome = world.outcome();
        // Before the transfer begins there are no packets to have a gap between.
        for one in changes(&outcome).into_iter().filter(|one| one.at_s > 36.0) {
            let gap_s = one.gap_s.expect("it goes on");
            assert!((parts(one) - gap_s).abs() < 1e-9 && gap_s < 0.1, "{one:?}");
            assert!(one.lost == Some(0) && one.scan_s + one.association_s == 0.0, "{one:?}");
            seen += 1;
        }
        let lost: u64 = outcome.flows[0].packets_lost.iter().map(|lost| lost.1).sum();
        assert_eq!((outcome.flows[0].sender.timeouts, lost), (0, 0));
    }
    assert!(seen > 3, "{seen}");
}
