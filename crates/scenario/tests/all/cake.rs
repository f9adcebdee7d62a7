//! CAKE with whole flows: shares of hosts, the shaper's rate, tins, and what a file cannot ask of it.

use scenario::{Files, Laws, check, resolve, run};
use serde_json::Value;

/// Datagrams of 1000 B to hosts `a` and `b` through a gateway with this queue; as (flow, destination, count, rate, codepoint).
fn text(queue: &str, flows: &[(&str, &str, usize, &str, u32)]) -> String {
    let mut text = format!(
        r#"
duration = "12 s"
warmup = "2 s"
[[link]]
ends = ["server", "gateway"]
rate = "50 Mbps"
queue = {queue}
[[link]]
ends = ["gateway", "a"]
rate = "1 Gbps"
[[link]]
ends = ["gateway", "b"]
rate = "1 Gbps"
"#
    );
    for (name, to, count, rate, dscp) in flows {
        text += &format!(
            r#"
[[flow]]
name = "{name}"
from = "server"
to = "{to}"
count = {count}
start_spread = "1 ms"
dscp = {dscp}
app = {{ kind = "cbr", rate = "{rate}", payload = "1000 B" }}
"#
        );
    }
    text
}

fn played(text: &str) -> Value {
    let scenario = check(text, "x.toml", &[]).unwrap_or_else(|error| panic!("{error}"));
    serde_json::from_str(&run(&scenario, None, 0)).expect("JSON")
}

fn refused(text: &str) -> String {
    check(text, "x.toml", &[]).expect_err("it cannot be").to_string()
}

/// Sum of a number over the flows whose names begin so.
fn sum(run: &Value, flows: &str, key: &str) -> f64 {
    let all = run["flows"].as_array().expect("flows").iter();
    let ours = all.filter(|flow| flow["name"].as_str().is_some_and(|name| name.starts_with(flows)));
    ours.map(|flow| flow[key].as_f64().expect("a number")).sum()
}

/// Eight flows to one host and one to another, which all send too much: each host its half where destinations are isolated, each
/// flow its ninth where flows are, or where all have one source.
#[test]
fn hosts_or_flows_share_the_bandwidth() {
    for (isolation, part) in [
        ("dual-dsthost", 1.0 / 2.0),
        ("dsthost", 1.0 / 2.0),
        ("flows", 1.0 / 9.0),
        ("dual-srchost", 1.0 / 9.0),
        ("triple-isolate", 1.0 / 9.0),
    ] {
        let queue = format!(
            r#"{{ discipline = "cake", bandwidth = "20 Mbps", isolation = "{isolation}" }}"#
        );
        let flows = [("a", "a", 8, "10 Mbps", 0), ("b", "b", 1, "30 Mbps", 0)];
        let run = played(&text(&queue, &flows));
        let [a, b] = ["a", "b"].map(|host| sum(&run, host, "goodput_bps"));
        let found = b / (a + b);
        assert!((found / part - 1.0).abs() < 0.02, "{isolation}: {found}, not {part}");
        // 1000 B of 1028 B.
        let rate = (a + b) * 1.028;
        assert!((rate / 20e6 - 1.0).abs() < 1e-4, "{isolation}: {rate}");
    }
}

/// On the way back hosts are sources.
#[test]
fn uploads_are_isolated_by_their_sources() {
    let upload = |from: &str, count: u32| {
        format!(
            r#"
[[flow]]
name = "{from}"
from = "{from}"
to = "server"
count = {count}
app = {{ kind = "cbr", rate = "30 Mbps", payload = "1000 B" }}
"#
        )
    };
    let queue = r#"{ discipline = "cake", isolation = "dual-srchost" }"#;
    let run = played(&(text(queue, &[]) + &upload("a", 4) + &upload("b", 1)));
    let part = sum(&run, "b", "goodput_bps") / sum(&run, "", "goodput_bps");
    assert!((part - 0.5).abs() < 0.01, "{part}");
}

/// Where all have too much, voice and bulk get their shares, and best effort the rest; a call in the voice tin waits for no
/// more than the packet that is being sent, and one that is sparse has little to win by that.
#[test]
fn codepoints_choose_the_tin() {
    let flows = [
        ("best", "a", 1, "40 Mbps", 0),
        ("bulk", "a", 1, "40 Mbps", 8),
        ("voice", "b", 1, "40 Mbps", 46),
    ];
    let queue = |more: &str| format!(r#"{{ discipline = "cake", bandwidth = "20 Mbps"{more} }}"#);
    let run = played(&text(&queue(""), &flows));
    let all = sum(&run, "", "goodput_bps");
    for (flow, part) in [("best", 0.6875), ("bulk", 0.0625), ("voice", 0.25)] {
        let found = sum(&run, flow, "goodput_bps") / all;
        assert!((found / part - 1.0).abs() < 0.02, "{flow}: {found}, not {part}");
    }
    let run = played(&text(&queue(r#", tins = "besteffort", isolation = "flows""#), &flows));
    let found = sum(&run, "voice", "goodput_bps") / sum(&run, "", "goodput_bps");
    assert!((found * 3.0 - 1.0).abs() < 0.02, "{found}");
}

/// The whole document keeps the codepoint where a queue reads it, and gives the same results.
#[test]
fn the_whole_document_keeps_the_codepoint() {
    let flows = [("voice", "b", 1, "40 Mbps", 46), ("best", "a", 1, "40 Mbps", 0)];
    let of = |queue: &str| text(queue, &flows);
    let resolved = |text: &str| {
        let files = Files::default();
        resolve(text, "x.toml", &[], (&Laws::default(), &files)).expect("valid").1.to_toml()
    };
    let cake = of(r#"{ discipline = "cake", bandwidth = "20 Mbps", tins = "diffserv4" }"#);
    let whole = resolved(&cake);
    assert_eq!(whole.matches("dscp = ").count(), 1, "{whole}");
    assert_eq!(played(&cake)["flows"], played(&whole)["flows"]);
    assert_eq!(resolved(&of("\"fq_codel\"")).matches("dscp = ").count(), 0);
}

#[test]
fn what_cake_cannot_be_is_refused_with_what_is_allowed() {
    let wrong = [
        (r#"isolation = "dual-dst""#, "did you mean \"dual-dsthost\"?"),
        (r#"isolation = 5"#, "allowed: \"flowblind\" or \"srchost\""),
        (r#"tins = "diffserv5""#, "did you mean \"diffserv"),
        (r#"bandwidth = 5"#, "a rate with its unit"),
        (r#"bandwidth = "5 Mb""#, "Mbps"),
        (r#"rtt = "10 ns""#, "1 us"),
        (r#"memory = "10 kB""#, "65535 B"),
        (r#"overhead = "38 B""#, "give bandwidth too"),
        (r#"bandwidth = "5 Mbps", mpu = "1 kB""#, "at most \"256 B\""),
        (r#"target = "5 ms""#, "discipline \"cake\""),
    ];
    for (keys, expected) in wrong {
        let message = refused(&text(&format!("{{ discipline = \"cake\", {keys} }}"), &[]));
        assert!(message.contains(expected) && message.contains("x.toml:7"), "{keys}: {message}");
    }
    let shared = "[[lan]]\nstations = [\"x\", \"y\"]\n";
    let cake = "queue = { discipline = \"cake\", bandwidth = \"5 Mbps\" }\n";
    let cell = "[[cell]]\naccess_point = \"x\"\nstations = [\"y\"]\n";
    for text in [format!("{shared}{cake}"), format!("{cell}{cake}"), format!("{cake}{cell}")] {
        let flow = "[[flow]]\nfrom = \"x\"\nto = \"y\"\n";
        let message = refused(&format!("duration = \"1 s\"\n{text}{flow}"));
        assert!(message.contains("a wired link ([[link]]) only"), "{message}");
    }
}

/// A download whose acknowledgements need more than their link has (RFC 3449, section 2.1): 52 B for each two segments, so that
/// 200 kbit/s of them ask for 11 Mbit/s, and for more only where some are lost. With the filter those that go say what all said.
#[test]
fn a_filter_of_acknowledgements_opens_a_narrow_way_back() {
    let goodput = |filter: &str| {
        let queue = format!("{{ discipline = \"cake\", ack_filter = \"{filter}\" }}");
        let run = played(&format!(
            r#"
duration = "20 s"
warmup = "5 s"
[[link]]
ends = ["server", "home"]
rate = "50 Mbps"
reverse_rate = "200 kbps"
delay = "20 ms"
queue = {{ packets = 200 }}
reverse_queue = {queue}
[tcp]
variant = "cubic"
delayed_ack = true
timestamps = true
[[flow]]
name = "down"
from = "server"
to = "home"
app = "bulk"
"#
        ));
        let filtered = run["flows"][0]["acks_lost"].as_f64().expect("acks");
        (sum(&run, "down", "goodput_bps") / 1e6, filtered)
    };
    let all = 50.0 * 1448.0 / 1500.0;
    let (without, _) = goodput("none");
    assert!(without < 0.7 * all, "{without}");
    for filter in ["conservative", "aggressive"] {
        let (with, filtered) = goodput(filter);
        assert!(with > 0.97 * all && filtered > 1000.0, "{filter}: {with}, {filtered}");
    }
}
