//! Split connections (I-TCP): what they mean, what they refuse, what comes of them.

mod carrying;
mod holding;
mod moving;

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
    check(text, "x.toml", &overrides)
        .map(|all| std::sync::Arc::unwrap_or_clone(all.plan))
        .map_err(|error| error.to_string())
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
        ("proxy.0.at=host", "no TCP flow with one end"),
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

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let lossy = ["channel={ model = \"bit_errors\", ber = 3e-5 }"];
    assert_eq!(split_run(&lossy, 3), split_run(&lossy, 3));
    assert_ne!(split_run(&lossy, 3), split_run(&lossy, 4));
}
