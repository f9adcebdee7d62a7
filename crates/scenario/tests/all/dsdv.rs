//! Stations that find their ways by DSDV: over several hops, behind an access point, when a station goes, and what is refused.

use scenario::{check, run};
use serde_json::Value;

const CHAIN: &str = r#"
duration = "120 s"
conventions = "ns2.35"
[medium]
[routing]
kind = "dsdv"
[[cell]]
stations = 4
placement = "line 200 m"
[[flow]]
from = "sta1"
to = "sta4"
app = { kind = "cbr", rate = "40960 bps", payload = "512 B" }
"#;

const CELL: &str = r#"
duration = "30 s"
conventions = "ns2.35"
[medium]
[routing]
kind = "dsdv"
[[link]]
ends = ["server", "ap"]
rate = "5 Mbps"
[[cell]]
access_point = "ap"
stations = 3
placement = "circle 10 m"
[[flow]]
from = "server"
to = "sta*"
"#;

fn document(text: &str, overrides: &[&str], replication: u64) -> Value {
    let overrides: Vec<String> = overrides.iter().map(|&text| text.to_owned()).collect();
    let scenario = check(text, "x.toml", &overrides).expect("a good scenario");
    serde_json::from_str(&run(&scenario, None, replication)).expect("a JSON document")
}

fn error(text: &str, overrides: &[&str]) -> String {
    let overrides: Vec<String> = overrides.iter().map(|&text| text.to_owned()).collect();
    check(text, "x.toml", &overrides).expect_err("it is wrong").to_string()
}

fn count(document: &Value, path: &str) -> u64 {
    document.pointer(path).and_then(Value::as_u64).unwrap_or_else(|| panic!("no {path}"))
}

/// Nobody knows a way at first; packets wait, five at most; then all arrive over three hops.
#[test]
fn a_chain_finds_its_way() {
    for replication in 0..3 {
        let found = document(
            CHAIN,
            &["routing.update_period=5 s", "routing.settling_time=1 s"],
            replication,
        );
        let (sent, came) =
            (count(&found, "/flows/0/packets_sent"), count(&found, "/flows/0/packets_delivered"));
        let lost = count(&found, "/flows/0/packets_lost/no_route");
        assert!(sent - came - lost <= 1 && came > sent * 3 / 4, "{sent} {came} {lost}");
        assert!(lost > 5, "{lost} came too early");
        assert_eq!(count(&found, "/dsdv/packets_waited"), lost + 5);
        assert!(count(&found, "/dsdv/full_updates") >= 4 * 24);
        // Each is heard by the neighbours: six pairs of the chain for its four stations.
        let said = count(&found, "/dsdv/full_updates") + count(&found, "/dsdv/incremental_updates");
        let heard = count(&found, "/dsdv/updates_heard") as f64 / said as f64;
        assert!((1.3..=1.6).contains(&heard), "{heard} of each");
    }
}

/// Without updates there is no way: all packets wait, and give way to those behind them.
#[test]
fn who_hears_nothing_reaches_nobody() {
    let deaf = CHAIN.replace("line 200 m", "line 300 m");
    let found = document(&deaf, &["duration=30 s"], 0);
    let sent = count(&found, "/flows/0/packets_sent");
    assert_eq!(count(&found, "/flows/0/packets_lost/no_route"), sent - 5);
    assert_eq!(count(&found, "/dsdv/updates_heard"), 0);
    assert_eq!(count(&found, "/packets/in_flight"), 5);
}

/// The last station drives off: after three periods without a word nobody sends it packets any more.
#[test]
fn a_station_that_has_gone_is_lost_after_three_periods() {
    let leaving = format!(
        "{CHAIN}[[node]]\nname = \"sta4\"\nposition = [600, 0]\n\
         waypoints = [{{ at = \"60 s\", to = [600, 5000], speed = \"1000 m/s\" }}]\n"
    );
    let short = ["routing.update_period=2 s", "routing.settling_time=1 s"];
    let found = document(&leaving, &short, 0);
    let out_of_range = count(&found, "/flows/0/packets_lost/out_of_range");
    // Ten packets a second, for up to three periods and what neighbours take to tell each other; six when it has just spoken.
    assert!((20..=100).contains(&out_of_range), "{out_of_range}");
    assert!(count(&found, "/flows/0/packets_lost/no_route") > 400, "{found}");
}

/// Behind an access point: what comes by wire waits there, and stations send by it.
#[test]
fn stations_of_an_access_point_are_reached() {
    let found = document(CELL, &[], 0);
    for flow in 0..3 {
        let came = count(&found, &format!("/flows/{flow}/packets_delivered"));
        assert!(came > 1000, "{came} of flow {flow}");
    }
    let up = document(
        &CELL.replace("from = \"server\"\nto = \"sta*\"", "from = \"sta*\"\nto = \"server\""),
        &[],
        0,
    );
    assert!(count(&up, "/flows/2/packets_delivered") > 1000);
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let scenario = check(CHAIN, "x.toml", &[]).expect("a good scenario");
    assert_eq!(run(&scenario, None, 1), run(&scenario, None, 1));
    assert_ne!(run(&scenario, None, 1), run(&scenario, None, 2));
}

#[test]
fn what_does_not_go_together_is_refused() {
    assert!(
        error(&CHAIN.replace("[medium]\n", "").replace("placement = \"line 200 m\"\n", ""), &[])
            .contains("add a [medium]")
    );
    let route = format!("{CHAIN}[[route]]\nfrom = \"sta1\"\nto = \"sta4\"\nvia = \"sta2\"\n");
    assert!(error(&route, &[]).contains("sets the next hops itself"));
    assert!(error(&format!("{CELL}[association]\n"), &[]).contains("[association]"));
    assert!(error(CHAIN, &["routing.delay=1 s"]).contains("kind = \"shortest\""));
    assert!(
        error(CHAIN, &["routing.kind=static", "routing.update_period=1 s"])
            .contains("kind = \"dsdv\"")
    );
    assert!(error(CHAIN, &["routing.missed_updates=0"]).contains("allowed: 1 to 1000"));
    assert!(error(CHAIN, &["routing.update_period=1 ms"]).contains("100 ms"));
    let twice = format!(
        "{CHAIN}[[cell]]\nname = \"other\"\nchannel_number = 6\nstations = [\"sta4\", \"far\"]\n\
         placement = \"line 200 m\"\n[[node]]\nname = \"sta4\"\nposition = [600, 0]\n"
    );
    assert!(error(&twice, &[]).contains("several radios"), "{}", error(&twice, &[]));
}
