//! Scenarios in which stations go from one access point to another: what they mean, what they refuse, what comes of them.

use base::Span;
use scenario::check;
use wifi::mlme::{AssociationConfig, Elements, ScanConfig};
use wifi::phy::{Preamble, Standard};
use world::{Outcome, Plan, World};

/// A station walks from one cell to the next at 20 m/s, 100 m to 400 m; each reaches 250 m.
const WALK: &str = r#"duration = "20 s"
[medium]
path_loss = "two_ray"
frequency = "914 MHz"
reception = "thresholds"
tx_power = "0.28183815 W"
rx_threshold = "3.652e-10 W"
cs_threshold = "1.559e-11 W"
[phy]
standard = "802.11b"
[association]
[[link]]
ends = ["server", "switch"]
rate = "100 Mbps"
delay = "5 ms"
[[link]]
ends = ["switch", "west"]
rate = "100 Mbps"
delay = "10 us"
[[link]]
ends = ["switch", "east"]
rate = "100 Mbps"
delay = "10 us"
[[cell]]
name = "first"
access_point = "west"
stations = ["walker"]
[[cell]]
name = "second"
access_point = "east"
stations = ["still"]
channel_number = 6
[[node]]
name = "west"
position = [0, 0]
[[node]]
name = "east"
position = [400, 0]
[[node]]
name = "still"
position = [410, 0]
[[node]]
name = "walker"
position = [100, 0]
velocity = [15, 0]
"#;

const CALLS: &str = r#"
[[flow]]
name = "down"
from = "server"
to = "walker"
transport = "udp"
app = { kind = "cbr", rate = "80 kbps", payload = "200 B" }
[[flow]]
name = "up"
from = "walker"
to = "server"
transport = "udp"
app = { kind = "cbr", rate = "80 kbps", payload = "200 B" }
"#;

const TRANSFER: &str = r#"
[[flow]]
name = "bulk"
from = "server"
to = "walker"
"#;

fn plan(text: &str, overrides: &[&str]) -> Plan {
    let overrides: Vec<String> = overrides.iter().map(|&o| o.to_owned()).collect();
    std::sync::Arc::unwrap_or_clone(
        check(text, "x.toml", &overrides).unwrap_or_else(|error| panic!("{error}")).plan,
    )
}

fn refused(text: &str) -> String {
    match check(text, "x.toml", &[]) {
        Ok(_) => panic!("accepted: {text}"),
        Err(error) => error.to_string(),
    }
}

fn outcome(text: &str, overrides: &[&str]) -> Outcome {
    let seed = base::Seed { seed: 1, replication: 0 };
    let mut world = World::build(&plan(text, overrides), seed).expect("it is connected");
    world.run();
    world.outcome()
}

fn stations(text: &str, overrides: &[&str]) -> AssociationConfig {
    plan(text, overrides).association.and_then(|plan| plan.stations).expect("stations roam")
}

#[test]
fn what_is_left_out_is_filled_in() {
    let plan = plan(&(WALK.to_owned() + CALLS), &[]);
    let association = plan.association.expect("it has one");
    // A name of 7; the second access point half an interval later.
    let elements = Elements { ssid_bytes: 7, standard: Standard::HrDsss(Preamble::Long) };
    let points: Vec<_> = association.access_points.iter().flatten().collect();
    assert_eq!(points[0].elements, elements);
    assert_eq!([points[0].offset, points[1].offset], [Span::ZERO, Span::micros(51_200)]);
    assert_eq!(association.stations, Some(AssociationConfig::new(vec![1, 6], elements)));
}

#[test]
fn what_is_said_is_taken() {
    let text = WALK.replace(
        "[association]",
        "[association]\nscan = \"passive\"\nchannels = [6, 1, 11]\nhysteresis_db = 3.0\nroam_below = \"-60 dBm\"",
    ) + CALLS;
    let config = stations(&text, &["association.missed_beacons=4"]);
    assert_eq!(config.scan, ScanConfig::Passive { dwell: Span::micros(112_640) });
    assert_eq!((config.channels, config.missed_beacons), (vec![6, 1, 11], 4));
    assert!((config.roam_below_dbm.expect("given") + 60.0).abs() < 1e-9);
    for (mode, has_beacons) in [("ns2", false), ("static", false)] {
        let mode = format!("association.mode={mode}");
        let fixed = plan(&(WALK.to_owned() + CALLS), &[&mode]);
        assert_eq!(fixed.association.is_some(), has_beacons);
    }
    let beacons = ["association.mode=static", "association.beacon_interval=100 ms"];
    let fixed = plan(&(WALK.to_owned() + CALLS), &beacons).association.expect("beacons");
    assert_eq!(fixed.stations, None);
}

#[test]
fn what_makes_no_sense_is_refused_where_it_stands() {
    let with = |line: &str| {
        let association = format!("[association]\n{line}");
        refused(&(WALK.replace("[association]", &association) + CALLS))
    };
    for (line, message) in [
        ("scan = \"lazy\"", "active"),
        ("dwell = \"1 s\"", "scan = \"passive\""),
        ("scan = \"passive\"\nprobe_delay = \"1 ms\"", "scan = \"active\""),
        ("scan = \"passive\"\ndwell = \"50 ms\"", "102.4 ms"),
        ("channels = []", "one or more"),
        ("channels = [1, 1]", "twice"),
        ("missed_beacons = 1", "2 to 1000"),
        ("max_channel_time = \"10 ms\"", "20 ms"),
        ("signal_weight = 2.0", "0.001 to 1"),
        ("beacon_interval = \"1 us\"", "1 ms"),
        ("roam_bellow = \"-70 dBm\"", "roam_below"),
        ("ssid_bytes = 33", "0 to 32"),
    ] {
        let error = with(line);
        assert!(error.contains(message) && error.contains("x.toml:"), "{line}: {error}");
    }
    let bare = "duration = \"1 s\"\n[association]\n[[cell]]\naccess_point = \"ap\"\nstations = 1\n";
    assert!(refused(bare).contains("[medium]"));
}

#[test]
fn a_walker_changes_cells_and_its_calls_go_on() {
    let outcome = outcome(&(WALK.to_owned() + CALLS), &[]);
    let handoffs = outcome.handoffs.expect("stations roam");
    let ways: Vec<_> = handoffs
        .iter()
        .map(|h| (h.station.as_str(), h.from.as_deref(), h.to.as_str(), h.trigger))
        .collect();
    let change = ("walker", Some("west"), "east", "missed_beacons");
    assert_eq!(ways.len(), 3);
    assert!(ways.contains(&("walker", None, "west", "start")), "{ways:?}");
    assert!(ways.contains(&("still", None, "east", "start")), "{ways:?}");
    assert_eq!(ways[2], change);
    let handoff = &handoffs[2];
    assert!((handoff.detection_s - 0.7168).abs() < 1e-9);
    let parts =
        handoff.detection_s + handoff.scan_s + handoff.authentication_s + handoff.association_s;
    assert!((parts - handoff.total_s).abs() < 1e-9);
    // Data stop with the range, within a packet interval of the last beacon or the next, and start again at once.
    let gap_s = handoff.gap_s.expect("data went on");
    assert!((gap_s - handoff.total_s).abs() < 0.0512 + 0.1024 + 0.02, "{gap_s} {handoff:?}");
    for flow in &outcome.flows {
        let lost: u64 = flow.packets_lost.values().sum();
        assert!(flow.packets_delivered > 900, "{}: {}", flow.name, flow.packets_delivered);
        assert!(lost > 10 && lost < 80, "{}: {lost}", flow.name);
    }
    // Packets for it were lost at the first access point before it was known to be with the second.
    let down = &outcome.flows[0].packets_lost;
    let of = |reason: &str| down.get(reason).copied().unwrap_or(0);
    assert!(of("handoff") + of("out_of_range") > 20, "{down:?}");
    assert_eq!(of("no_route"), 0);
    let walker = outcome.stations.iter().find(|s| s.name == "walker").expect("it is there");
    assert!(walker.away.is_some());
}

#[test]
fn tcp_survives_a_change_of_access_points() {
    let outcome = outcome(&(WALK.to_owned() + TRANSFER), &[]);
    let bulk = &outcome.flows[0];
    // Some 5 Mbit/s but for the gap.
    assert!(bulk.goodput_bps > 3e6, "{}", bulk.goodput_bps);
    assert!(bulk.sender.timeouts >= 1);
    assert_eq!(outcome.handoffs.map(|all| all.len()), Some(3));
}

/// A station that is out of everybody's reach scans all the time: what it would send waits, up to its queue's limit.
#[test]
fn a_station_without_an_access_point_holds_no_more_than_its_queue() {
    let text = (WALK.to_owned() + CALLS)
        .replace("position = [100, 0]\nvelocity = [15, 0]", "position = [30000, 0]");
    for (limit, held) in [
        ("\"5 packets\"", 5),
        ("{ packets = 5, counts = \"with_service\" }", 5),
        ("\"1000 B\"", 4), // of 228 B
        ("{ packets = 0, counts = \"waiting\" }", 0),
        ("\"unlimited\"", 1001),
    ] {
        let outcome = outcome(&text, &[&format!("queue={limit}")]);
        let queue = outcome.queues.iter().find(|queue| queue.name == "first/walker");
        let queue = queue.expect("it has one");
        assert_eq!(queue.offered, 1001, "{limit}");
        assert_eq!(queue.drops, queue.offered - held, "{limit}");
        assert_eq!(u64::from(queue.max_packets), queue.offered - queue.drops, "{limit}");
    }
}

#[test]
fn beacons_of_a_cell_that_stays_take_their_share() {
    let text = (WALK.to_owned() + CALLS).replace("velocity = [15, 0]", "velocity = [0, 0]");
    let busy = |overrides: &[&str]| outcome(&text, overrides).stations[2].cell_busy_share;
    let share = busy(&["association.mode=static", "association.beacon_interval=102.4 ms"])
        - busy(&["association.mode=static"]);
    // 64 B at 1 Mbit/s: 704 us in 102.4 ms; nothing else is on the second cell's channel.
    assert!((share - 704.0 / 102_400.0).abs() < 1e-4, "{share}");
}

/// The scenario that comes along: it does what its description says.
#[test]
fn the_walker_of_the_ready_scenario_changes_cells_when_its_signal_is_weak() {
    let text = include_str!("../../../../scenarios/roaming.toml");
    let outcome = outcome(text, &[]);
    let handoffs = outcome.handoffs.expect("stations roam");
    let walker: Vec<_> = handoffs.iter().filter(|h| h.station == "walker").collect();
    let [first, change] = walker[..] else { panic!("{walker:?}") };
    assert_eq!((first.to.as_str(), first.trigger), ("west", "start"));
    assert_eq!((change.to.as_str(), change.trigger), ("east", "weak_signal"));
    assert_eq!(change.detection_s, 0.0);
    // 20 ms on the old channel or 40, 40 on the new, two switches, and the frames.
    assert!(change.scan_s > 0.06 && change.scan_s < 0.09, "{change:?}");
    let lost = |i: usize| outcome.flows[i].packets_lost.iter().map(|lost| lost.1).sum::<u64>();
    assert!(lost(0) <= 8 && lost(1) == 0, "{} {}", lost(0), lost(1));
}
