//! Snoop and M-TCP in scenarios: what they do, that they cost nothing where nothing is lost, and what is refused.

use base::Seed;
use scenario::check;
use world::{FlowOutcome, Outcome, SnoopOutcome, World};

const CELL: &str = r#"
duration = "20 s"
[phy]
standard = "802.11b"
rate = "11 Mbps"
[[link]]
ends = ["host", "ap"]
rate = "100 Mbps"
delay = "20 ms"
[[cell]]
access_point = "ap"
stations = ["mobile"]
[[flow]]
name = "ftp"
from = "host"
to = "mobile"
[tcp]
variant = "reno"
window = "30 packets"
"#;

/// One attempt a frame, and one frame in forty is lost.
const LOSSES: &str =
    "[mac]\nretry_limit = 1\n[channel]\nmodel = \"bernoulli\"\nframe_loss = 0.025\n";

fn proxy(kind: &str) -> String {
    format!("[[proxy]]\nkind = \"{kind}\"\nat = \"ap\"\n")
}

fn world(text: &str, overrides: &[&str], replication: u64) -> Result<World, String> {
    let overrides: Vec<String> = overrides.iter().map(|&set| set.to_owned()).collect();
    let plan = check(text, "x.toml", &overrides).map_err(|error| error.to_string())?.plan;
    World::build(&plan, Seed { seed: 1, replication }).map_err(|error| format!("{error:?}"))
}

fn run_of(text: &str, overrides: &[&str], replication: u64) -> Outcome {
    let mut world = world(text, overrides, replication).unwrap_or_else(|error| panic!("{error}"));
    world.run();
    world.outcome()
}

fn run(text: &str, overrides: &[&str]) -> Outcome {
    run_of(text, overrides, 0)
}

fn snoop(flow: &FlowOutcome) -> &SnoopOutcome {
    flow.snoop.as_ref().expect("it is watched over")
}

/// All data that the sender knows to be acknowledged have arrived.
fn keeps_semantics(flow: &FlowOutcome) {
    let acked = flow.acked_goodput_bps.expect("one connection");
    let came = flow.active_goodput_bps.expect("it was active");
    assert!(acked <= came, "{acked} bit/s acknowledged, {came} bit/s came");
}

#[test]
fn where_nothing_is_lost_nothing_changes() {
    for window in ["tcp.window=30 packets", "tcp.window=8 packets"] {
        let without = run(CELL, &[window]).flows[0].goodput_bps;
        for kind in ["snoop", "mtcp"] {
            let outcome = run(&(CELL.to_owned() + &proxy(kind)), &[window]);
            let flow = &outcome.flows[0];
            let change = flow.goodput_bps / without - 1.0;
            assert!(change.abs() < 0.01, "{kind}, {window}: {change}");
            assert_eq!(snoop(flow).local_retransmissions, 0);
            assert!(snoop(flow).cached_mean_packets > 0.1);
            keeps_semantics(flow);
        }
    }
}

#[test]
fn the_base_station_repairs_what_the_air_loses() {
    let lossy = CELL.to_owned() + LOSSES;
    let without = run(&lossy, &[]);
    for kind in ["snoop", "mtcp"] {
        let with = run(&(lossy.clone() + &proxy(kind)), &[]);
        let (before, after) = (&without.flows[0], &with.flows[0]);
        let ratio = after.goodput_bps / before.goodput_bps;
        assert!(ratio > 1.3, "{kind}: {ratio}");
        assert!(after.sender.retransmits * 10 < before.sender.retransmits, "{kind}");
        assert!(snoop(after).local_retransmissions > 50, "{kind}");
        assert!(
            snoop(after).suppressed_acks > 100 && after.acks_lost >= snoop(after).suppressed_acks
        );
        keeps_semantics(after);
    }
}

#[test]
fn forgetting_all_costs_little_and_breaks_nothing() {
    let text =
        CELL.to_owned() + LOSSES + &proxy("snoop") + "restarts = [\"3 s\", \"7 s\", \"7.5 s\"]\n";
    for kind in ["snoop", "mtcp"] {
        let outcome = run(&text.replace("\"snoop\"", &format!("\"{kind}\"")), &[]);
        assert!(outcome.flows[0].goodput_bps > 1e6);
        assert!(snoop(&outcome.flows[0]).local_retransmissions > 50, "counts are kept");
        keeps_semantics(&outcome.flows[0]);
    }
}

#[test]
fn a_base_station_knows_which_losses_of_an_upload_were_on_the_air() {
    let up = CELL.replace("\"host\"\nto = \"mobile\"", "\"mobile\"\nto = \"host\"") + LOSSES;
    let text = up + &proxy("snoop");
    let (deaf, hearing) = (run(&text, &[]), run(&text, &["tcp.eln=true"]));
    assert!(snoop(&deaf.flows[0]).marked_acks > 100);
    let ratio = hearing.flows[0].goodput_bps / deaf.flows[0].goodput_bps;
    assert!(ratio > 1.05, "{ratio}");
    keeps_semantics(&hearing.flows[0]);
}

#[test]
fn a_mobile_that_walks_is_served_by_both_base_stations() {
    let roaming = include_str!("../../../../scenarios/roaming.toml");
    let text = roaming.to_owned()
        + "[[flow]]\nname = \"ftp\"\nfrom = \"server\"\nto = \"walker\"\n[tcp]\nvariant = \"newreno\"\n"
        + "[[proxy]]\nkind = \"snoop\"\nat = [\"west\", \"east\"]\n";
    for kind in ["snoop", "mtcp"] {
        let outcome = run(&text.replace("\"snoop\"", &format!("\"{kind}\"")), &[]);
        assert!(outcome.handoffs.as_ref().is_some_and(|all| !all.is_empty()));
        let flow = outcome.flows.iter().find(|flow| flow.name == "ftp").expect("it is there");
        assert!(flow.goodput_bps > 1e6, "{kind}: {}", flow.goodput_bps);
        keeps_semantics(flow);
    }
}

#[test]
fn a_mobile_node_of_mobile_ip_is_watched_over_where_its_packets_leave_the_tunnel() {
    let car = include_str!("../../../../scenarios/mobile_ip.toml");
    let car = car.replace("variant = \"sack\"", "variant = \"reno\"");
    let proxy = "[[proxy]]\nkind = \"mtcp\"\nat = [\"west\", \"east\"]\nflows = [\"download\"]\n";
    let (without, with) = (run(&car, &[]), run(&(car.clone() + proxy), &[]));
    let [without, with] = [&without, &with].map(|outcome| {
        outcome.flows.iter().find(|flow| flow.name == "download").expect("it is there")
    });
    assert!(with.mtcp.as_ref().is_some_and(|mtcp| mtcp.held > 10_000));
    assert!(snoop(with).local_retransmissions > 10);
    assert!(with.sender.timeouts < without.sender.timeouts);
    assert!(with.goodput_bps > without.goodput_bps);
    keeps_semantics(with);
}

#[test]
fn a_mobile_that_is_gone_for_seconds_costs_its_sender_no_window() {
    let gone = "[channel]\nmodel = \"gilbert_elliott\"\nmean_good = \"4 s\"\nmean_bad = \"1.5 s\"\nber_good = 0.0\nber_bad = 0.5\n";
    let text = CELL.replace("duration = \"20 s\"", "duration = \"60 s\"") + gone;
    let (without, with) = (run(&text, &[]), run(&(text.clone() + &proxy("mtcp")), &[]));
    let (without, with) = (&without.flows[0], &with.flows[0]);
    let mtcp = with.mtcp.as_ref().expect("it is watched over");
    assert!(mtcp.freezes > 5 && mtcp.frozen_s > 5.0, "{mtcp:?}");
    assert!(without.sender.timeouts > 10, "{}", without.sender.timeouts);
    assert!(with.sender.timeouts * 4 < without.sender.timeouts, "{}", with.sender.timeouts);
    assert!(with.goodput_bps > 1.1 * without.goodput_bps);
    keeps_semantics(with);
}

#[test]
fn an_802_16_base_station_can_have_one_too() {
    let cell = include_str!("../../../../scenarios/wimax_downloads.toml");
    let lossy = cell.to_owned() + "[wimax.channel]\nmodel = \"bernoulli\"\nframe_loss = 0.02\n";
    // The table of the cell has to come before others.
    let lossy = lossy.replace("[tcp]\n", "[tcp]\nwindow = \"30 packets\"\n");
    let text = lossy.clone() + "[[proxy]]\nkind = \"snoop\"\nat = \"bs\"\n";
    let (without, with) = (run(&lossy, &[]), run(&text, &[]));
    let sum = |outcome: &Outcome| outcome.flows.iter().map(|flow| flow.goodput_bps).sum::<f64>();
    assert!(sum(&with) > 1.1 * sum(&without), "{} and {}", sum(&with), sum(&without));
    assert!(with.flows.iter().all(|flow| snoop(flow).local_retransmissions > 0));
}

#[test]
fn a_wired_last_hop_has_to_be_named() {
    let wire = "duration = \"5 s\"\n[[link]]\nends = [\"host\", \"base\"]\nrate = \"10 Mbps\"\n\
                [[link]]\nends = [\"base\", \"mobile\"]\nrate = \"2 Mbps\"\nloss = 0.02\n\
                [[flow]]\nname = \"ftp\"\nfrom = \"host\"\nto = \"mobile\"\n\
                [[proxy]]\nkind = \"snoop\"\nat = \"base\"\n";
    assert!(world(wire, &[], 0).is_err());
    let outcome = run(&(wire.to_owned() + "mobiles = [\"mobile\"]\n"), &[]);
    assert!(snoop(&outcome.flows[0]).local_retransmissions > 5);
}

#[test]
fn runs_differ_by_their_seed_and_by_nothing_else() {
    let text = CELL.to_owned() + LOSSES + &proxy("mtcp");
    let [a, b, c] = [1, 1, 2].map(|replication| run_of(&text, &[], replication).flows[0].clone());
    assert_eq!(a, b);
    assert_ne!(a, c);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let text = CELL.to_owned() + &proxy("snoop");
    let refused = |text: &str, overrides: &[&str], words: &str| {
        let error = world(text, overrides, 0).map(|_| ()).expect_err("it is refused");
        assert!(error.contains(words), "{error}");
    };
    refused(&(text.clone() + &proxy("mtcp")), &[], "watched over already");
    refused(&text, &["proxy.0.cache=0"], "0 packets; allowed: 1 or more");
    refused(&text, &["proxy.0.min_timeout=0 s"], "no time at all");
    refused(&text, &["proxy.0.silence=1 s"], "silence");
    refused(&text, &["tcp.eln=true", "tcp.variant=sack"], "recoveries with SACK");
}
