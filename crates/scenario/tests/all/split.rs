//! Split connections (I-TCP): what they mean, what they refuse, what comes of them.

use base::{NodeId, Seed};
use scenario::check;
use transport::tcp::Reader;
use world::{FlowOutcome, Outcome, Plan, SplitOutcome, TransportPlan, World};

/// A wire, then the air.
const DOWNLOAD: &str = r#"
duration = "20 s"
[[link]]
ends = ["host", "ap"]
rate = "10 Mbps"
delay = "20 ms"
[[cell]]
access_point = "ap"
stations = ["mobile"]
[[flow]]
name = "ftp"
from = "host"
to = "mobile"
[tcp]
window = "30 packets"
"#;

const SPLIT: &str = "[[proxy]]\nkind = \"split\"\nat = \"ap\"\n";

fn checked(text: &str, overrides: &[&str]) -> Result<Plan, String> {
    let overrides: Vec<String> = overrides.iter().map(|&set| set.to_owned()).collect();
    check(text, "x.toml", &overrides).map(|all| all.plan).map_err(|error| error.to_string())
}

fn plan(text: &str, overrides: &[&str]) -> Plan {
    checked(text, overrides).unwrap_or_else(|error| panic!("{error}"))
}

fn run(text: &str, overrides: &[&str], replication: u64) -> Outcome {
    let seed = Seed { seed: 1, replication };
    let mut world = World::build(&plan(text, overrides), seed).expect("it is connected");
    world.run();
    world.outcome()
}

fn split_run(overrides: &[&str], replication: u64) -> Outcome {
    run(&format!("{DOWNLOAD}{SPLIT}"), overrides, replication)
}

fn split(outcome: &Outcome) -> (&FlowOutcome, &SplitOutcome) {
    let flow = &outcome.flows[0];
    (flow, flow.split.as_ref().expect("it has two legs"))
}

fn bytes(flow: &FlowOutcome, outcome: &Outcome) -> f64 {
    (flow.goodput_bps * outcome.measured_s / 8.0).round()
}

#[test]
fn a_flow_becomes_two_each_with_its_own_parameters() {
    let air = ["proxy.0.tcp.variant=sack", "proxy.0.tcp.mss=500 B", "proxy.0.buffer=20 kB"];
    let down = plan(&format!("{DOWNLOAD}{SPLIT}"), &[&air[..], &["tcp.read_rate=1 Mbps"]].concat());
    // Nodes are numbered as they are named: host, ap, mobile.
    let ends: Vec<_> = down.flows.iter().map(|flow| (flow.from, flow.to)).collect();
    assert_eq!(ends, [(NodeId(0), NodeId(1)), (NodeId(1), NodeId(2))]);
    assert_eq!(down.flows[1].name, "ftp/beyond");
    let leg = |plan: &Plan, i: usize| match plan.flows[i].transport.clone() {
        TransportPlan::Tcp { variant, config, .. } => (variant, config),
        TransportPlan::Udp { .. } => panic!("TCP"),
    };
    let ((wire, near), (radio, far)) = (leg(&down, 0), leg(&down, 1));
    assert_eq!((&*wire, near.mss, near.receive_window), ("newreno", 1460, 20_000));
    // The window of 30 packets is handed down, and counts in the leg's own packets.
    assert_eq!((&*radio, far.mss, far.receive_window), ("sack", 500, 15_000));
    // The node reads what it can pass on; the application reads as it did, at the end.
    assert_eq!((near.reader, far.reader), (Reader::Manual, Reader::Rate(125_000)));
    // Upwards the air comes first.
    let turned = [&air[..], &["flow.0.from=mobile", "flow.0.to=host"]].concat();
    let up = plan(&format!("{DOWNLOAD}{SPLIT}"), &turned);
    assert_eq!((leg(&up, 0).0, leg(&up, 1).0), ("sack".into(), "newreno".into()));
    assert_eq!((up.flows[0].to, up.flows[1].from), (NodeId(1), NodeId(1)));
}

#[test]
fn every_flow_that_passes_is_divided_and_no_other() {
    let others = r#"
[[link]]
ends = ["host", "other"]
rate = "10 Mbps"
delay = "1 ms"
[[flow]]
name = "wired"
from = "host"
to = "other"
[[flow]]
name = "up"
from = "mobile"
to = "other"
[[flow]]
name = "voice"
from = "host"
to = "mobile"
app = "voice"
[[flow]]
name = "here"
from = "ap"
to = "mobile"
"#;
    let plan = plan(&format!("{DOWNLOAD}{others}{SPLIT}"), &[]);
    let names: Vec<&str> = plan.flows.iter().map(|flow| &*flow.name).collect();
    assert_eq!(names, ["ftp", "wired", "up", "voice", "here", "ftp/beyond", "up/beyond"]);
}

#[test]
fn what_cannot_be_divided_is_refused() {
    let text = format!("{DOWNLOAD}{SPLIT}");
    for (set, why) in [
        ("proxy.0.at=nowhere", "unknown node"),
        ("proxy.0.at=host", "no TCP flow passes there"),
        ("proxy.0.flows=[\"ftp\", \"x\"]", "unknown flow"),
        ("proxy.0.buffer=1 kB", "a buffer of 1000 B holds no segment of 1460 B"),
        ("proxy.0.kind=halved", "halved"),
        ("flow.0.app=web", "requests and responses"),
    ] {
        let error = checked(&text, &[set]).expect_err(set);
        assert!(error.contains(why), "{set}: {error}");
    }
    let twice = format!("{text}{SPLIT}flows = [\"ftp\"]\n");
    assert!(checked(&twice, &[]).is_err_and(|error| error.contains("proxy itself")));
}

/// With nothing lost and no window too small both legs together carry what one connection carries.
#[test]
fn without_loss_a_split_changes_nothing_that_can_be_seen() {
    for direction in [&[][..], &["flow.0.from=mobile", "flow.0.to=host"]] {
        let (plain, split) = (run(DOWNLOAD, direction, 0), split_run(direction, 0));
        let (before, after) = (plain.flows[0].goodput_bps, split.flows[0].goodput_bps);
        assert!((after / before - 1.0).abs() < 0.01, "{before} against {after}");
        assert_eq!(split.flows[0].retransmits() + plain.flows[0].retransmits(), 0);
    }
}

trait Retransmits {
    fn retransmits(&self) -> u64;
}

impl Retransmits for FlowOutcome {
    fn retransmits(&self) -> u64 {
        let beyond = self.split.as_ref().map_or(0, |split| split.beyond.sender.retransmits);
        self.sender.retransmits + beyond
    }
}

/// Two legs carry as much as the slower: the wire of 1 Mbit/s, or the air of 1 Mbit/s.
#[test]
fn two_legs_carry_what_the_slower_carries() {
    let wire = ["link.0.rate=1 Mbps", "phy.rate=11 Mbps", "phy.standard=802.11b"];
    let slow_wire = split_run(&wire, 0);
    // 1460 of 1500 bytes are payload; the first round trips are slow start's.
    let most = 1e6 * 1460.0 / 1500.0;
    let goodput = slow_wire.flows[0].goodput_bps;
    assert!(goodput < most && goodput > 0.98 * most, "{goodput}");
    let air = ["phy.rate=1 Mbps"];
    let alone = run(&DOWNLOAD.replace("\"host\"\nto", "\"ap\"\nto"), &air, 0);
    let (both, (flow, held)) = (split_run(&air, 0), (alone.flows[0].goodput_bps, 0.0));
    assert!((both.flows[0].goodput_bps / flow - 1.0).abs() < 0.01, "{flow} {held}");
}

/// Whatever is lost where, and however small the buffer: it is never overrun, and a slow leg fills it.
#[test]
fn what_is_held_is_bounded_by_the_buffer() {
    for (replication, buffer) in (0..12).zip([1500, 3000, 5000, 9000, 20_000, 64_000].repeat(2)) {
        let (lossy, reads) =
            (replication % 2 == 1, format!("tcp.window={} packets", 4 + 9 * (replication % 5)));
        let buffer_key = format!("proxy.0.buffer={buffer} B");
        let loss = if lossy { "link.0.loss=0.02" } else { "link.0.loss=0" };
        let outcome = split_run(&[&buffer_key, loss, &reads, "phy.rate=1 Mbps"], replication);
        let (_, split) = split(&outcome);
        assert!(split.held_max_bytes <= buffer, "{} of {buffer}", split.held_max_bytes);
        assert!(split.held_max_bytes + 2 * 1460 > buffer.min(4 * 1460), "{}", split.held_max_bytes);
    }
}

/// A window that a full buffer has closed opens again: the source is told, or asks.
#[test]
fn a_closed_window_opens_again() {
    let outcome = split_run(&["proxy.0.buffer=3 kB", "tcp.read_rate=80 kbps"], 0);
    let (flow, split) = split(&outcome);
    // What the application reads, and what lies at the node and in the mobile's buffer of 30 packets.
    let read = 20.0 * 80e3 / 8.0;
    let most = read + 30.0 * 1460.0;
    let got = bytes(flow, &outcome);
    assert!(got > 0.98 * read && got <= most, "{got} of {read}");
    assert!(split.held_max_bytes > 1460, "{}", split.held_max_bytes);
}

/// A file comes whole and once, whatever is lost on the wire and in the air.
#[test]
fn every_byte_comes_once_under_random_losses() {
    let base = [
        "flow.0.app={ kind = \"bulk\", size = \"300 kB\" }",
        "duration=200 s",
        "mac.retry_limit=2",
        "channel={ model = \"bit_errors\", ber = 3e-5 }",
    ];
    let turned = ["flow.0.from=mobile", "flow.0.to=host"];
    for replication in 0..6 {
        let loss = format!("link.0.loss={}", [0.0, 0.01, 0.05][replication as usize % 3]);
        let way = if replication < 3 { &[][..] } else { &turned[..] };
        let outcome = split_run(&[&base[..], &[&loss], way].concat(), replication);
        let (flow, split) = split(&outcome);
        assert_eq!(bytes(flow, &outcome), 300e3);
        assert_eq!((split.undelivered_bytes, split.at.as_str()), (0, "ap"));
        let lost: u64 = flow.packets_lost.values().chain(split.beyond.packets_lost.values()).sum();
        assert!(lost > 0);
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let lossy = ["channel={ model = \"bit_errors\", ber = 3e-5 }"];
    assert_eq!(split_run(&lossy, 3), split_run(&lossy, 3));
    assert_ne!(split_run(&lossy, 3), split_run(&lossy, 4));
}

/// A window of one packet is stop-and-wait: a loss costs the timer, what comes a round trip (Bertsekas and Gallager, section
/// 2.4.1). More packets carry as much more, up to the link's rate.
#[test]
fn selective_repeat_carries_what_its_closed_form_says() {
    let text = "duration = \"400 s\"\n[[link]]\nends = [\"a\", \"b\"]\nrate = \"10 Mbps\"\ndelay = \"5 ms\"\nloss = 0.1\n\
                loss_direction = \"forward\"\n[[flow]]\nname = \"f\"\nfrom = \"a\"\nto = \"b\"\n";
    let run = |sets: &[&str]| {
        let all = ["tcp.variant=selective-repeat", "tcp.repeat_after=40 ms"];
        run(text, &[&all[..], sets].concat(), 0).flows.remove(0)
    };
    let (bits, round_trip) = (1460.0 * 8.0, 0.010 + (1500.0 + 40.0) * 8.0 / 10e6);
    let alone = run(&["tcp.repeat_window=1"]);
    let expected = bits / (0.1 / 0.9 * 0.040 + round_trip);
    // 25,000 packets, of which 2,800 are lost give or take 50: 0.5 % of the time.
    assert!((alone.goodput_bps / expected - 1.0).abs() < 0.02, "{} {expected}", alone.goodput_bps);
    assert_eq!(
        (&*alone.variant, alone.sender.window_cuts.values().sum()),
        ("selective-repeat", 0_u64)
    );
    let four = run(&["tcp.repeat_window=4", "link.0.loss=0"]).goodput_bps;
    assert!((four * round_trip / (4.0 * bits) - 1.0).abs() < 0.01, "{four}");
}

/// Two base stations, a switch and a host; the car leaves the one for the other.
const ROAD: &str = r#"
duration = "30 s"
[phy]
standard = "802.11b"
rate = "2 Mbps"
[medium]
exponent = 3.5
reception = "thresholds"
rx_threshold = "-82 dBm"
[association]
mode = "signal"
[[link]]
ends = ["host", "switch"]
rate = "10 Mbps"
delay = "10 ms"
[[link]]
ends = ["switch", "west"]
rate = "10 Mbps"
delay = "1 ms"
[[link]]
ends = ["switch", "east"]
rate = "10 Mbps"
delay = "1 ms"
[[cell]]
access_point = "west"
stations = ["car"]
channel_number = 1
[[cell]]
access_point = "east"
stations = ["desk"]
channel_number = 6
[[node]]
name = "west"
position = [0, 0]
[[node]]
name = "east"
position = [60, 0]
[[node]]
name = "desk"
position = [62, 0]
[[node]]
name = "car"
position = [5, 0]
waypoints = [{ at = "2 s", to = [55, 0], speed = "5 m/s" }, { at = "16 s", to = [5, 0], speed = "5 m/s" }]
[[flow]]
name = "ftp"
from = "host"
to = "car"
start = "1 s"
[tcp]
window = "20 packets"
[[proxy]]
kind = "split"
at = ["west", "east"]
"#;

const UP: [&str; 2] = ["flow.0.from=car", "flow.0.to=host"];

/// The state goes along, over the wires, and takes its time; nothing is lost and nothing comes twice.
#[test]
fn connections_follow_the_mobile_from_base_to_base() {
    for way in [&[][..], &UP[..]] {
        let size = ["flow.0.app={ kind = \"bulk\", size = \"2 MB\" }"];
        let outcome = run(ROAD, &[&size[..], way].concat(), 0);
        let (flow, split) = split(&outcome);
        let changes: Vec<_> =
            outcome.handoffs.iter().flatten().filter(|one| one.from.is_some()).collect();
        assert_eq!(changes.len(), 2);
        assert_eq!((split.moves, split.at.as_str()), (2, "west"), "{way:?}");
        assert_eq!((bytes(flow, &outcome), split.undelivered_bytes, split.lost_bytes), (2e6, 0, 0));
        // Two images of 1 kB, and what the node holds.
        let each = split.moved_bytes as f64 / 2.0;
        assert!((2000.0..=66_000.0).contains(&each), "{each}");
        // A handshake of two ways of 2 ms, then the bytes at 10 Mbit/s; the window opens from ten packets on.
        let least = 2.0 * 0.006 + split.moved_bytes as f64 * 8.0 / 10e6;
        assert!(
            split.frozen_s > least && split.frozen_s < least + 0.03,
            "{} {least}",
            split.frozen_s
        );
        let state = split.state.as_ref().expect("it moves");
        assert_eq!(bytes(state, &outcome), split.moved_bytes as f64);
    }
}

#[test]
fn where_the_mobile_stays_nothing_moves() {
    let outcome = run(ROAD, &["node.car.waypoints=[]"], 0);
    assert_eq!(split(&outcome).1.moves, 0);
}

/// A base station that dies takes with it what it had acknowledged and not delivered: the file is short by that.
#[test]
fn what_a_dead_base_had_acknowledged_is_lost_and_counted() {
    let mut lost_at_all = 0;
    let up = ["flow.0.from=mobile", "flow.0.to=host"];
    for (replication, way) in (0..6).zip([&[][..], &up[..]].repeat(3)) {
        let sets = [
            "flow.0.app={ kind = \"bulk\", size = \"400 kB\" }",
            "duration=120 s",
            "phy.rate=1 Mbps",
            "channel={ model = \"bit_errors\", ber = 2e-5 }",
            "proxy.0.dies=[\"1 s\", \"2.2 s\", \"5 s\"]",
            "proxy.0.restart=300 ms",
        ];
        let outcome = split_run(&[&sets[..], way].concat(), replication);
        let (flow, split) = split(&outcome);
        assert_eq!(split.resets, 3);
        assert_eq!(bytes(flow, &outcome) + split.lost_bytes as f64, 400e3, "{replication}");
        assert_eq!(split.undelivered_bytes, 0);
        lost_at_all += split.lost_bytes;
    }
    assert!(lost_at_all > 20_000, "{lost_at_all}");
}

/// Handoffs with gaps, losses on wires and in the air, a state that is lost in part, deaths in between: all bytes once, but
/// for those that died.
#[test]
fn every_byte_comes_once_whatever_happens_on_the_road() {
    for replication in 0..24 {
        let east = format!("node.east.position=[{}, 0]", 60 + 15 * (replication % 4));
        let dies = if replication % 3 == 2 { "proxy.0.dies=[\"5 s\", \"14 s\"]" } else { "seed=1" };
        let sets = [
            "flow.0.app={ kind = \"bulk\", size = \"600 kB\" }",
            "duration=200 s",
            "channel={ model = \"bit_errors\", ber = 2e-5 }",
            "link.0.loss=0.01",
            "link.1.loss=0.05",
            "link.2.loss=0.05",
            &east,
            dies,
        ];
        let way = if replication % 2 == 0 { &[][..] } else { &UP[..] };
        let outcome = run(ROAD, &[&sets[..], way].concat(), replication);
        let (flow, split) = split(&outcome);
        let all = bytes(flow, &outcome) + split.lost_bytes as f64;
        assert_eq!((all, split.undelivered_bytes), (600e3, 0), "{replication}");
        assert!(split.moves > 0 || replication % 4 > 1, "{replication}");
    }
}

/// A mobile node of Mobile IP keeps its address, and the legs need no tunnel: each ends at a base station.
#[test]
fn a_split_follows_a_mobile_node_without_a_tunnel() {
    let road = include_str!("../../../../scenarios/mobile_ip.toml");
    let proxy = "[[proxy]]\nkind = \"split\"\nat = [\"west\", \"east\"]\n";
    let (plain, divided) = (run(road, &[], 0), run(&format!("{road}{proxy}"), &[], 0));
    let (flow, split) = split(&divided);
    assert!(plain.flows[0].packets_tunnelled > Some(1000));
    assert_eq!((flow.packets_tunnelled, split.beyond.packets_tunnelled), (Some(0), Some(0)));
    assert_eq!((split.moves, split.at.as_str(), split.lost_bytes), (2, "west", 0));
    let (before, after) = (plain.flows[0].goodput_bps, flow.goodput_bps);
    assert!(after > 0.9 * before, "{after} against {before}");
}

/// The node knows of the handoff, and need not wait for a timer that has been doubled meanwhile.
#[test]
fn after_a_handoff_a_download_goes_on_at_once() {
    let gap = [
        "node.east.position=[120, 0]",
        "node.car.waypoints=[{ at = \"2 s\", to = [115, 0], speed = \"8 m/s\" }]",
    ];
    let of = |resend: &str| {
        let outcome = run(ROAD, &[&gap[..], &[resend]].concat(), 0);
        assert_eq!(split(&outcome).1.moves, 1);
        bytes(&outcome.flows[0], &outcome)
    };
    let (at_once, by_timer) = (of("proxy.0.resend=true"), of("proxy.0.resend=false"));
    assert!(at_once > by_timer, "{at_once} {by_timer}");
}

/// Half a second away a window of 20 packets decides: a split takes nothing of it, and its round trip is the wire's alone.
#[test]
fn a_leg_that_its_window_limits_has_the_whole_window() {
    let far = [
        "link.0.delay=250 ms",
        "tcp.window=20 packets",
        "duration=100 s",
        "warmup=10 s",
        "phy.rate=2 Mbps",
    ];
    let (plain, split) = (run(DOWNLOAD, &far, 0), split_run(&far, 0));
    // There 1500 B at 10 Mbit/s and 250 ms, back 40 B and as long.
    let round_trip = 0.5 + (1500.0 + 40.0) * 8.0 / 10e6;
    let expected = 20.0 * 1460.0 * 8.0 / round_trip;
    let (with, without) = (split.flows[0].goodput_bps, plain.flows[0].goodput_bps);
    assert!((with / expected - 1.0).abs() < 0.01, "{with} {expected}");
    assert!(with > without, "{with} {without}");
}

/// Far away, with losses in the air that the MAC does not repair: one connection is held to what a loss costs over the whole round
/// trip (Mathis et al. 1997), two to what it costs over the air, which is next to nothing.
#[test]
fn a_loss_in_the_air_costs_a_round_trip_over_the_air() {
    let far = [
        "link.0.delay=100 ms",
        "tcp.window=60 packets",
        "duration=200 s",
        "warmup=10 s",
        "phy.rate=2 Mbps",
        "mac.retry_limit=1",
        "channel={ model = \"bernoulli\", frame_loss = 0.02 }",
    ];
    let (plain, divided) = (run(DOWNLOAD, &far, 0), split_run(&far, 0));
    let losses: u64 = plain.flows[0].packets_lost.values().sum();
    let rate = losses as f64 / plain.flows[0].packets_sent as f64;
    // RTT sqrt(2 p / 3) a segment: each acknowledged, losses one by one.
    let most = 1460.0 * 8.0 / (0.21 * (2.0 * rate / 3.0).sqrt());
    let one = plain.flows[0].goodput_bps;
    assert!((0.5 * most..1.1 * most).contains(&one), "{one} {most}");
    let (flow, parts) = split(&divided);
    assert!(flow.goodput_bps > 2.0 * one, "{} {one}", flow.goodput_bps);
    // The wire loses nothing, and its window is what holds the source: the air is the slower leg.
    assert_eq!((flow.sender.retransmits, flow.sender.timeouts), (0, 0));
    assert!(parts.beyond.sender.retransmits > 500);
}
