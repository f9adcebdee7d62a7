//! The state of both connections follows its mobile from base station to base station.

use super::{bytes, run, split};

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
    let road = include_str!("../../../../../scenarios/mobile_ip.toml");
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

/// Segments that reach the new node before the state wait for it, and are not lost.
#[test]
fn what_comes_while_the_state_moves_is_heard_after_it() {
    // Over wires that lose nothing; the state takes a second, less than the source waits.
    let outcome =
        run(ROAD, &["link.0.rate=500 kbps", "proxy.0.socket=400 kB", "tcp.rto_min=3 s"], 0);
    let (flow, split) = split(&outcome);
    assert!(split.frozen_s > 1.0 && split.moves == 2, "{}", split.frozen_s);
    assert_eq!((flow.sender.retransmits, flow.sender.timeouts), (0, 0));
}
