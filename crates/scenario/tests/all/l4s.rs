//! DualPI2 with whole flows, against the theory of RFC 9332 and of PI2 (De Schepper et al., CoNEXT 2016).

use scenario::{check, run};
use serde_json::Value;

/// `flows` downloads with each of these keys of TCP over 40 Mbit/s and a base round trip of 10 ms, behind this queue.
fn played(queue: &str, flows: &[(usize, &str)], rtt_ms: u32) -> Value {
    let mut text = format!(
        r#"
duration = "70 s"
warmup = "10 s"
[[link]]
ends = ["server", "client"]
rate = "40 Mbps"
delay = "{} ms"
queue = {queue}
"#,
        f64::from(rtt_ms) / 2.0
    );
    for (number, (count, tcp)) in flows.iter().enumerate() {
        text += &format!(
            r#"
[[flow]]
name = "kind{number}"
from = "server"
to = "client"
app = "bulk"
count = {count}
start_spread = "1 s"
tcp = {{ window = "9 MB", {tcp} }}
"#
        );
    }
    let scenario = check(&text, "x.toml", &[]).unwrap_or_else(|error| panic!("{error}"));
    serde_json::from_str(&run(&scenario, None, 0)).expect("JSON")
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

/// Mean wait in the queue of the link, ms, by Little's law over what was taken.
fn wait_ms(run: &Value) -> f64 {
    let queue = &run["queues"][0];
    let taken = number(&queue["offered"]) - number(&queue["drops"]);
    number(&queue["mean_packets"]) * 60.0 / taken * 1e3
}

/// Reno's window is sqrt(3/2) / sqrt(p) (Mathis et al. 1997), and PI2's probability is a square: whatever the number of
/// flows, the delay stays at the target, and the drops are those that keep each flow's window.
#[test]
fn pi2_holds_its_target_for_any_number_of_reno_flows() {
    for flows in [2, 5, 20] {
        let run = played("\"dualpi2\"", &[(flows, "variant = \"sack\"")], 10);
        let queue = &run["queues"][0];
        let wait = wait_ms(&run);
        assert!((wait / 15.0 - 1.0).abs() < 0.06, "{flows} flows: {wait} ms");
        let share = number(&queue["drops"]) / number(&queue["offered"]);
        // 40 Mbit/s of 1500 B, and a round trip of 10 ms and the wait.
        let window = 40e6 / 12_000.0 * (10.0 + wait) / 1e3 / flows as f64;
        let expected = 1.5 / (window * window);
        // Of 20 flows each has a window of 4, where timeouts rule and not this law. It knows nothing of the time that
        // recoveries take, hence its bound.
        let law_holds = window > 10.0;
        assert!(
            !law_holds || (share / expected - 1.0).abs() < 0.2,
            "{flows} flows: {share}, not {expected}"
        );
    }
}
