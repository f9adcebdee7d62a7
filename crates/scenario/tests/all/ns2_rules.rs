//! ns-2's rules at a loss belong to ns-2's own senders; what they leave without effect is refused.

use scenario::{check, run};
use serde_json::Value;
use transport::tcp::{LossRules, TcpConfig};
use world::TransportPlan;

const LINK: &str = "duration = \"20 s\"\nwarmup = \"5 s\"\n[[link]]\nends = [\"a\", \"b\"]\nrate = \"10 Mbps\"\ndelay = \"20 ms\"\n\
    queue = \"50 packets\"\n[[flow]]\nfrom = \"a\"\nto = \"b\"\napp = \"bulk\"\n";

fn checked(conventions: &str, tcp: &str) -> Result<scenario::Scenario, String> {
    let text = format!(
        "conventions = \"{conventions}\"\n{LINK}[tcp]\nwindow = \"10000 packets\"\n{tcp}\n"
    );
    check(&text, "x.toml", &[]).map_err(|error| error.to_string())
}

fn config(conventions: &str, tcp: &str) -> TcpConfig {
    let scenario = checked(conventions, tcp).unwrap_or_else(|error| panic!("{error}"));
    match &scenario.plan.flows[0].transport {
        TransportPlan::Tcp { config, .. } => TcpConfig::clone(config),
        TransportPlan::Udp { .. } => panic!("no TCP"),
    }
}

fn flow(tcp: &str, replication: u64) -> Value {
    let scenario = checked("ns2.35", tcp).unwrap_or_else(|error| panic!("{error}"));
    let run: Value = serde_json::from_str(&run(&scenario, None, replication)).expect("JSON");
    run["flows"][0].clone()
}

#[test]
fn they_hold_for_ns2_s_own_senders_alone() {
    let own = ["tahoe", "reno", "newreno", "sack", "vegas"];
    for row in transport::tcp::variants::VARIANTS {
        let named = format!("variant = \"{}\"", row.name);
        for conventions in ["ns2", "ns2.35", "ns2.1b8", "ns2.1b7"] {
            let expected = if own.contains(&row.name) { LossRules::Ns2 } else { LossRules::Rfc };
            assert_eq!(config(conventions, &named).loss_rules, expected, "{}", row.name);
        }
        assert_eq!(config("standard", &named).loss_rules, LossRules::Rfc, "{}", row.name);
    }
    for (spelled, expected) in [
        ("recovery = \"newreno\"\nlaw = \"vegas\"", LossRules::Ns2),
        ("recovery = \"rack_tlp\"\nlaw = \"reno\"", LossRules::Rfc),
        ("recovery = \"sack\"\nlaw = \"cubic\"", LossRules::Rfc),
        ("recovery = \"newreno\"\nlaw = \"bbr\"", LossRules::Rfc),
    ] {
        assert_eq!(config("ns2.35", spelled).loss_rules, expected, "{spelled}");
    }
}

/// A law that models the path gets delivery rates, and rounds as long as a round trip.
#[test]
fn a_law_that_models_the_path_fills_the_link_without_a_loss() {
    for law in ["bbr", "bbr3"] {
        let flow = flow(&format!("variant = \"{law}\""), 0);
        let goodput = flow["goodput_bps"].as_f64().expect("a rate");
        assert!(goodput > 0.9 * 10e6 * 1000.0 / 1040.0, "{law}: {goodput}");
        assert_eq!(flow["retransmits"], 0, "{law}");
    }
}

#[test]
fn a_law_s_random_phase_is_another_in_each_replication() {
    let delays: Vec<Value> =
        (0..4).map(|i| flow("variant = \"bbr\"", i)["delay_s"]["mean"].clone()).collect();
    assert!(delays.iter().any(|delay| *delay != delays[0]), "{delays:?}");
    let set =
        |i| flow("variant = \"bbr\"\nlaw_options = { salt = 3 }", i)["delay_s"]["mean"].clone();
    assert_eq!(set(0), set(1));
}

#[test]
fn what_they_leave_without_effect_is_refused() {
    for (tcp, message) in [
        ("variant = \"sack\"\nsack_reduction = \"prr\"", "no sack_reduction; give loss_rules"),
        ("variant = \"sack\"\ndetect_lost_retransmits = true", "no detect_lost_retransmits"),
        ("variant = \"sack\"\nexit_grows = true", "no exit_grows"),
        ("variant = \"sack\"\nsmooth_oldest = true", "no smooth_oldest"),
        ("variant = \"newreno\"\nfrto = true", "no frto"),
        ("variant = \"bbr\"\nloss_rules = \"ns2\"", "no delivery rates; allowed: \"rfc\""),
        ("variant = \"rack\"\nloss_rules = \"ns2\"", "know no recovery \"rack_tlp\""),
    ] {
        let error = checked("ns2.35", tcp).expect_err(tcp);
        assert!(error.contains(message), "{tcp}: {error}");
        let rfc = tcp.replace("\nloss_rules = \"ns2\"", "");
        assert!(checked("ns2.35", &format!("{rfc}\nloss_rules = \"rfc\"")).is_ok(), "{tcp}");
    }
    // A key may give the value in force.
    assert!(checked("ns2.35", "variant = \"sack\"\nexit_grows = false\nfrto = false").is_ok());
}
