//! Stations in clusters: their paths, elections when stations move, and flows after a clusterhead fails.

use scenario::{check, run};
use serde_json::Value;

/// Two clusters of three, 150 m apart: a1 to a3 about (0, 0), b1 to b3 about (150, 0), and a third, c1 and c2, about (75, 130).
const FIELD: &str = r#"
duration = "10 s"
conventions = "ns2.35"
[medium]
[phy]
standard = "802.11b"
[routing]
kind = "clusters"
clusters = { radius = "60 m", range = "200 m", interval = "1 s", head_cells = ["heads"], election = "highest_degree" }
[[cell]]
name = "field"
stations = ["a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2"]
[[cell]]
name = "heads"
channel_number = 6
stations = ["a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2"]
[[node]]
name = "a1"
position = [-40, 0]
[[node]]
name = "a2"
position = [0, 0]
[[node]]
name = "a3"
position = [40, 0]
[[node]]
name = "b1"
position = [150, 0]
[[node]]
name = "b2"
position = [190, 0]
[[node]]
name = "b3"
position = [160, 30]
[[node]]
name = "c1"
position = [75, 130]
[[node]]
name = "c2"
position = [95, 130]
[[flow]]
name = "to_b"
from = "a1"
to = "b2"
app = { kind = "cbr", rate = "80 kbps", payload = "500 B" }
[[flow]]
name = "to_c"
from = "a1"
to = "c2"
app = { kind = "cbr", rate = "80 kbps", payload = "500 B" }
[[flow]]
name = "within"
from = "a1"
to = "a3"
app = { kind = "cbr", rate = "80 kbps", payload = "500 B" }
"#;

const SEPARATE: &str = "routing.clusters.organisation=separate";

fn document(overrides: &[&str], seed: u64) -> Value {
    let overrides: Vec<String> = overrides.iter().map(|&text| text.to_owned()).collect();
    let scenario = check(FIELD, "x.toml", &overrides).expect("a good scenario");
    serde_json::from_str(&run(&scenario, Some(seed), 0)).expect("a JSON document")
}

/// Packets that a station has sent in a cell.
fn sent(document: &Value, cell: &str, name: &str) -> u64 {
    let stations = document["stations"].as_array().expect("a list");
    let row = stations.iter().find(|row| row["cell"] == cell && row["name"] == name);
    row.and_then(|row| row["successes"].as_u64()).expect("a station")
}

fn delivered(document: &Value, flow: &str) -> u64 {
    let flows = document["flows"].as_array().expect("a list");
    let row = flows.iter().find(|row| row["name"] == flow);
    row.and_then(|row| row["packets_delivered"].as_u64()).expect("a flow")
}

/// a2 has two neighbours; of b1 to b3 each has two, and b1 is the first; c1 is the first of two.
#[test]
fn ways_lead_by_the_one_clusterhead() {
    let run = document(&[], 1);
    for flow in ["to_b", "to_c", "within"] {
        assert!(delivered(&run, flow) >= 199, "{flow}: {}", delivered(&run, flow));
    }
    // a2 hands on both flows, b1 and c1 one each; a1 and a3 talk directly.
    let heads = ["a2", "b1", "c1"].map(|name| sent(&run, "heads", name));
    assert_eq!(heads[1..], [0, 0], "they hand on in their cluster");
    assert!((398..=402).contains(&heads[0]), "{heads:?}");
    assert!((199..=201).contains(&sent(&run, "field", "b1")));
    assert!((199..=201).contains(&sent(&run, "field", "c1")));
    assert!(["a1", "a3", "b2", "b3", "c2"].iter().all(|name| sent(&run, "heads", name) == 0));
    let clusters = &run["clusters"];
    assert_eq!((&clusters["clusters"], &clusters["heads"]), (&3.0.into(), &3.0.into()));
    // At 0, 1, ... 10 s.
    assert_eq!((&clusters["elections"], &clusters["head_changes"]), (&11.into(), &0.into()));
}

/// To b by a2 and b1, the first by rank; to c then by another, a1; from b to c by b3 and c2.
#[test]
fn separate_clusterheads_share_what_one_did() {
    let run = document(&[SEPARATE], 1);
    assert!((199..=201).contains(&sent(&run, "heads", "a2")), "{}", sent(&run, "heads", "a2"));
    assert!((199..=201).contains(&sent(&run, "heads", "a1")), "{}", sent(&run, "heads", "a1"));
    assert!(delivered(&run, "to_b") >= 199 && delivered(&run, "to_c") >= 199);
    assert_eq!(run["clusters"]["heads"], 6.0);
}

/// One head carries all: without it nothing leaves the cluster until the next election. With two the other flow lives.
#[test]
fn a_clusterhead_that_fails_takes_its_routes_with_it() {
    let fails = ["routing.clusters.interval=0 s", "routing.clusters.head_fails_at=5 s"];
    let central = document(&fails, 1);
    assert_eq!(central["clusters"]["failed"], "a2");
    assert!(delivered(&central, "to_b") <= 102 && delivered(&central, "to_c") <= 102);
    assert!(delivered(&central, "within") >= 199);
    let separate = document(&[fails[0], fails[1], SEPARATE], 1);
    assert_eq!(separate["clusters"]["failed"], "a2");
    // To b by c now, over one cluster more: still there, as c was before.
    assert!(delivered(&separate, "to_b") >= 195 && delivered(&separate, "to_c") >= 195);
    // With elections the other organisation recovers too.
    let elected = document(&["routing.clusters.head_fails_at=5.5 s"], 1);
    let alive = delivered(&elected, "to_b");
    assert!((185..=195).contains(&alive), "{alive}");
}

/// The error is of what extra clusterheads hand on: none with one, a tenth at each of two.
#[test]
fn extra_clusterheads_lose_what_they_are_said_to() {
    let error = "routing.clusters.error_per_extra_head=10 %";
    let central = document(&[error], 1);
    assert_eq!(central["clusters"]["lost_at_heads"], 0);
    let separate = document(&[error, SEPARATE], 1);
    let lost = separate["clusters"]["lost_at_heads"].as_u64().expect("a count");
    // to_b is handed on by a2 and b1, to_c by c1 (a1 is its source): 3 times 200 at a tenth, less those lost before.
    assert!((30..=85).contains(&lost), "{lost}");
    assert_eq!(separate, document(&[error, SEPARATE], 1), "the same seed, the same run");
    assert_ne!(separate["clusters"], document(&[error, SEPARATE], 2)["clusters"]);
}

/// a1 walks over to b: it is a member there, and the clusterhead of a remains.
#[test]
fn a_station_that_moves_comes_to_another_cluster() {
    let walks = "node.0.waypoints=[{ at = \"2 s\", to = [170, 0], speed = \"50 m/s\" }]";
    let run = document(&[walks, "duration=12 s"], 1);
    assert!(run["clusters"]["member_changes"].as_u64() >= Some(1), "{}", run["clusters"]);
    assert!(delivered(&run, "to_b") >= 230, "{}", delivered(&run, "to_b"));
    // Directly, once it is there: a2 hands on less than the half of it.
    assert!(sent(&run, "field", "b1") < 120, "{}", sent(&run, "field", "b1"));
}

#[test]
fn what_cannot_be_is_refused() {
    let error = |overrides: &[&str]| {
        let overrides: Vec<String> = overrides.iter().map(|&text| text.to_owned()).collect();
        check(FIELD, "x.toml", &overrides).expect_err("it is wrong").to_string()
    };
    assert!(error(&["routing.clusters.head_cells=[\"field\"]"]).contains("named already"));
    assert!(error(&["routing.clusters.head_cells=[\"fields\"]"]).contains("cell"));
    assert!(error(&["routing.clusters.interval=1 us"]).contains("1 ms"));
    assert!(error(&["routing.kind=shortest"]).contains("kind = \"clusters\""));
    assert!(error(&["cell.1.stations=[\"a1\", \"a2\"]"]).contains("the same order"));
}
