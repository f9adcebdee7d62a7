//! Queues: limit, discipline and parameters in a file, and their effect in a run.

use base::Named;
use net::{Discipline, QueueConfig, QueueLimit};
use scenario::{check, run};
use serde_json::Value;

fn text(queue: &str, ecn: &str) -> String {
    format!(
        r#"
duration = "10 s"
[tcp]
variant = "sack"
ecn = "{ecn}"
[[link]]
ends = ["server", "ap"]
rate = "100 Mbps"
delay = "10 ms"
queue = "unlimited"
[[cell]]
access_point = "ap"
stations = ["sta"]
queue = {queue}
[phy]
standard = "802.11g"
[[flow]]
from = "server"
to = "sta"
transport = "tcp"
app = "bulk"
"#
    )
}

fn checked(queue: &str) -> Result<QueueConfig, String> {
    let scenario = check(&text(queue, "off"), "x.toml", &[]);
    scenario
        .map(|checked| checked.plan.cells[0].configs[0].queue.clone())
        .map_err(|e| e.to_string())
}

#[test]
fn a_name_alone_has_the_limit_of_its_discipline() {
    for &discipline in Discipline::ALL {
        let queue = checked(&format!("\"{}\"", discipline.name())).expect("a name");
        let limit = QueueLimit::Packets(discipline.row().limit.unwrap_or(50));
        assert_eq!((queue.limit, queue.discipline), (limit, discipline));
        assert_eq!(queue.options.names().count(), 0);
    }
}

#[test]
fn a_table_has_limit_and_parameters_in_base_units() {
    let queue =
        checked(r#"{ discipline = "codel", bytes = "64 kB", target = "20 ms", ecn = true }"#);
    let queue = queue.expect("a table");
    assert_eq!((queue.limit, queue.discipline), (QueueLimit::Bytes(64_000), Discipline::Codel));
    assert_eq!((queue.options.get("target"), queue.options.get("ecn")), (Some(0.02), Some(1.0)));
    let marking = checked(r#"{ packets = 100, mark_above = "20 packets" }"#).expect("drop tail");
    assert_eq!(marking.options.get("mark_above"), Some(20.0));
}

#[test]
fn what_a_queue_cannot_be_is_refused_with_what_is_allowed() {
    let refused = [
        (r#""fqcodel""#, "did you mean \"fq_codel\"?"),
        (r#"{ discipline = "codell" }"#, "did you mean \"codel\"?"),
        (r#"{ discipline = "codel", targett = "5 ms" }"#, "did you mean \"target\"?"),
        (
            r#"{ discipline = "codel", min = 5 }"#,
            "allowed: packets, bytes, unlimited, counts, discipline, target",
        ),
        (r#"{ packets = 5, target = "5 ms" }"#, "discipline \"drop_tail\""),
        (r#"{ ack_filter = "aggressive" }"#, "ack_filter is for the discipline \"cake\""),
        (r#"{ discipline = "codel", target = 5 }"#, "a duration with its unit"),
        (r#"{ discipline = "codel", ecn = 1 }"#, "allowed: true or false"),
        (r#"{ discipline = "pie", mark_below = 2 }"#, "0 to 1"),
        (r#"{ discipline = "pie", update = "1 us" }"#, "0.1 ms"),
        (r#"{ discipline = "red", min = 20, max = 10 }"#, "less than max"),
        (r#"{ discipline = "fq_codel", flows = 1.5 }"#, "whole number of queues"),
        (r#"{ discipline = "dualpi2", scheduler = "wrr" }"#, "allowed: round_robin, time_shifted"),
        (r#"{ discipline = "dualpi2", coupling = 0 }"#, "more than 0"),
        (r#"{ discipline = "dualpi2", classic_share = 1 }"#, "less than 1"),
        (r#"{ mark_above = 3 }"#, "exactly one of: packets, bytes, unlimited"),
        (r#"{ discipline = "codel", counts = "waiting" }"#, "counts is for a limit in packets"),
    ];
    for (queue, expected) in refused {
        let message = checked(queue).expect_err(queue);
        assert!(message.contains(expected), "{queue}: {message}");
        assert!(message.contains("14:"), "{queue}: {message}");
    }
}

fn played(queue: &str, ecn: &str) -> Value {
    let scenario = check(&text(queue, ecn), "x.toml", &[]);
    let document = run(&scenario.expect("valid"), None, 0).to_string();
    serde_json::from_str(&document).expect("JSON")
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

/// At an access point every discipline keeps the queue shorter than drop tail does, and says what it dropped.
#[test]
fn disciplines_work_at_an_access_point() {
    let waiting = |run: &Value| {
        let queues = run["queues"].as_array().expect("queues").iter();
        let of_ap =
            |queue: &&Value| queue["name"].as_str().is_some_and(|name| name.ends_with("/ap"));
        queues.clone().find(of_ap).expect("the access point's").clone()
    };
    let full = number(&waiting(&played("\"1000 packets\"", "off"))["mean_packets"]);
    for name in ["red", "codel", "pie", "fq_codel", "dualpi2", "cake"] {
        // DualPI2 and CAKE always mark packets that are ECN-capable.
        let ecn = if matches!(name, "dualpi2" | "cake") { "" } else { ", ecn = true" };
        let run = played(&format!(r#"{{ discipline = "{name}", packets = 1000 }}"#), "off");
        let queue = waiting(&run);
        assert!(number(&queue["mean_packets"]) < 0.5 * full, "{name}: {queue} {full}");
        let lost = &run["flows"][0]["packets_lost"];
        assert!(number(&lost["aqm"]) > 0.0, "{name}: {lost}");
        assert_eq!(
            number(&queue["drops"]),
            number(&lost["aqm"]) + number(&lost["queue"]),
            "{name}"
        );
        let marked =
            played(&format!(r#"{{ discipline = "{name}", packets = 1000{ecn} }}"#), "classic");
        let (queue, flow) = (waiting(&marked), &marked["flows"][0]);
        assert!(number(&queue["marks"]) > 0.0, "{name}: {queue}");
        assert!(number(&flow["window_cuts"]["ecn_mark"]) > 0.0, "{name}");
        assert!(number(&flow["packets_lost"]["aqm"]) < number(&lost["aqm"]), "{name}");
    }
}

/// A packet that came before the measured time and is dropped in it was not offered in it.
#[test]
fn no_queue_drops_more_than_was_offered_to_it() {
    for discipline in ["codel", "fq_codel", "cake"] {
        let queue = format!("{{ discipline = \"{discipline}\", packets = 300 }}");
        let text = text(&queue, "off")
            .replace("variant = \"sack\"", "variant = \"bbr\"\nwindow = \"9 MB\"");
        let text = text.replace("duration = \"10 s\"", "duration = \"1010 ms\"\nwarmup = \"1 s\"");
        let text = text
            + "[[flow]]\nfrom = \"server\"\nto = \"sta\"\nstop = \"1 s\"\napp = { kind = \"cbr\", rate = \"40 Mbps\", payload = \"1400 B\" }\n";
        let scenario = check(&text, "x.toml", &[]).unwrap_or_else(|error| panic!("{error}"));
        let run: Value = serde_json::from_str(&run(&scenario, None, 0)).expect("JSON");
        for queue in run["queues"].as_array().expect("queues") {
            let count = |key: &str| queue[key].as_u64().expect("a count");
            assert!(count("drops") <= count("offered"), "{discipline}: {queue}");
        }
    }
}
