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
        // Each of 20 flows has a window of 4, where timeouts rule and not this law. It ignores the time that
        // recoveries take, hence its bound.
        let law_holds = window > 10.0;
        assert!(
            !law_holds || (share / expected - 1.0).abs() < 0.2,
            "{flows} flows: {share}, not {expected}"
        );
    }
}

/// RFC 9332, section 2.1: flows of both kinds have about the same rate. A window of Prague is 2/p_CL in 25 ms or its own round
/// trip, one of Reno sqrt(3/2)/p' in a longer one, so that equal base round trips give 0.8 to 1.2; with few flows the
/// strikes are no longer independent of the windows, and twice is the most that was seen.
#[test]
fn prague_and_cubic_share_a_link() {
    for rtt in [10, 20, 40] {
        for flows in [1, 2, 5] {
            let kinds = [(flows, "variant = \"prague\""), (flows, "variant = \"cubic\"")];
            let run = played("\"dualpi2\"", &kinds, rtt);
            let each = run["flows"].as_array().expect("flows");
            let rate = |flow: &Value| number(&flow["goodput_bps"]);
            let prague: f64 = each[..flows].iter().map(rate).sum();
            let cubic: f64 = each[flows..].iter().map(rate).sum();
            let ratio = prague / cubic;
            assert!((0.7..2.0).contains(&ratio), "{rtt} ms, {flows} and {flows}: {ratio}");
            // Headers take 2.7 % of the 40 Mbit/s.
            assert!((prague + cubic) / 40e6 > 0.95, "{rtt} ms: {}", prague + cubic);
            for flow in &each[..flows] {
                let wait = number(&flow["delay_s"]["p99"]) * 1e3 - f64::from(rtt) / 2.0 - 0.3;
                assert!(wait < 2.0, "{rtt} ms, {flows} and {flows}: {wait} ms in the L queue");
                assert_eq!(flow["retransmits"], 0);
            }
            let wait = number(&each[flows]["delay_s"]["mean"]) * 1e3 - f64::from(rtt) / 2.0 - 0.3;
            assert!((11.0..17.0).contains(&wait), "{rtt} ms, {flows} and {flows}: {wait} ms");
        }
    }
}

/// DCTCP keeps its queue at the threshold by echoes of every mark and by counters (RFC 9768), with ECT(0) and ECT(1), and with
/// delayed acknowledgements too.
#[test]
fn counters_of_marks_tell_what_echoes_tell() {
    let queue = "{ packets = 1000, mark_above = 20 }";
    for ecn in ["every_mark", "accurate", "l4s"] {
        for delayed in ["false", "true"] {
            let keys = format!("variant = \"dctcp\", ecn = \"{ecn}\", delayed_ack = {delayed}");
            let run = played(queue, &[(2, &keys)], 10);
            let queue = &run["queues"][0];
            let rate: f64 = run["flows"]
                .as_array()
                .expect("flows")
                .iter()
                .map(|f| number(&f["goodput_bps"]))
                .sum();
            assert_eq!(queue["drops"], 0, "{ecn}");
            assert!(rate / 40e6 > 0.95, "{ecn}: {rate}");
            let mean = number(&queue["mean_packets"]);
            assert!((8.0..25.0).contains(&mean), "{ecn}, {delayed}: {mean} packets");
        }
    }
}
