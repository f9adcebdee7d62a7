//! From text to numbers, and the schema that editors use.

use scenario::{Run, check, probes, run};

const TEXT: &str = r#"
name = "small"
duration = "5 s"
warmup = "1 s"
seed = 7
[[link]]
ends = ["server", "ap"]
rate = "5 Mbps"
delay = "2 ms"
[[cell]]
access_point = "ap"
stations = 2
[channel]
model = "gilbert_elliott"
mean_good = "100 ms"
mean_bad = "10 ms"
ber_good = 0.0
ber_bad = 1e-3
[[flow]]
name = "up"
from = "sta1"
to = "server"
[[flow]]
name = "down"
from = "server"
to = "sta2"
app = { kind = "cbr", rate = "64 kbps", payload = "200 B" }
"#;

#[test]
fn a_run_gives_the_promised_keys() {
    let scenario = check(TEXT, "x.toml", &[]).expect("a good scenario");
    let json: serde_json::Value =
        serde_json::from_str(&run(&scenario, None, 3)).expect("a JSON document");
    assert_eq!((&json["seed"], &json["replication"]), (&7.into(), &3.into()));
    assert_eq!((&json["duration_s"], &json["measured_s"]), (&5.0.into(), &4.0.into()));
    let up = &json["flows"][0];
    assert!(up["goodput_bps"].as_f64().is_some_and(|bps| bps > 1e5), "{up}");
    assert!(up["delay_s"]["p95"].is_f64() && up["packets_lost"]["queue"].is_u64(), "{up}");
    assert_eq!(json["flows"][1]["variant"], "");
    assert_eq!(json["stations"][0]["name"], "ap");
    assert_eq!(json["links"][0]["name"], "server>ap");
    assert_eq!(json["queues"][2]["name"], "cell/ap");
    let balance = &json["packets"];
    let count = |key: &str| balance[key].as_u64().unwrap_or(0);
    assert_eq!(count("made"), count("delivered") + count("dropped") + count("in_flight"));
}

#[test]
fn steps_and_repetitions_change_nothing() {
    let scenario = check(TEXT, "x.toml", &[]).expect("a good scenario");
    let mut stepped = Run::new(&scenario, Some(1), 0);
    for part in [0.1, 0.25, 0.5, 0.999] {
        stepped.advance(part);
    }
    assert_eq!(stepped.finish().to_json(), run(&scenario, Some(1), 0));
    assert_ne!(run(&scenario, Some(2), 0), run(&scenario, Some(1), 0));
}

#[test]
fn the_schema_describes_every_key() {
    let schema: serde_json::Value =
        serde_json::from_str(&scenario::schema()).expect("a JSON document");
    let mut undescribed = Vec::new();
    let definitions = schema["$defs"].as_object().expect("definitions");
    for (name, definition) in definitions.iter().chain([(&"top".to_owned(), &schema)]) {
        for (key, property) in definition["properties"].as_object().into_iter().flatten() {
            if !property["description"].is_string() {
                undescribed.push(format!("{name}.{key}"));
            }
        }
    }
    assert!(undescribed.is_empty(), "{undescribed:?}");
    assert_eq!(schema["additionalProperties"], false);
}

#[test]
fn the_catalogue_names_what_scenarios_accept() {
    let kinds: serde_json::Value =
        serde_json::from_str(&scenario::catalogue()).expect("a JSON document");
    for row in kinds["variants"].as_array().expect("a list") {
        let set = format!("tcp.variant={}", row["name"].as_str().expect("a name"));
        assert!(check(TEXT, "x.toml", &[set]).is_ok(), "{row}");
    }
    for kind in ["recoveries", "laws", "channels", "macs", "apps", "conventions"] {
        assert!(!kinds[kind].as_array().expect(kind).is_empty());
    }
}

#[test]
fn probes_change_nothing_and_write_tables_in_the_order_of_time() {
    let scenario = check(TEXT, "x.toml", &[]).expect("a good scenario");
    let names = ["tcp", "cuts", "queue"].map(str::to_owned);
    let mut rows = vec![];
    for step in [None, Some("10 ms"), Some("1 s")] {
        let probes = probes(&names, step).expect("they exist");
        let mut watched = Run::new(&scenario, None, 3).with_probes(&scenario, &probes).finish();
        let tables = watched.probes.take().expect("they were on");
        assert_eq!(watched.to_json(), run(&scenario, None, 3));
        let tcp = tables.tcp.expect("it was on");
        assert!(tcp.time_s.is_sorted() && tcp.time_s.len() == tcp.rto_s.len());
        assert!(tcp.flow.iter().all(|flow| flow == "up"), "only one of them is TCP");
        assert!(tcp.ssthresh[0].is_none() && tcp.srtt_s.last().is_some_and(Option::is_some));
        let queue = tables.queue.expect("it was on");
        assert!(queue.time_s.is_sorted() && queue.queue.iter().any(|name| name == "cell/sta1"));
        let cuts = tables.cuts.expect("it was on");
        let measured = cuts.time_s.iter().filter(|time| **time > 1.0).count() as u64;
        assert_eq!(measured, watched.outcome.flows[0].sender.window_cuts.values().sum::<u64>());
        rows.push(tcp.time_s.len());
    }
    assert!(rows[0] > rows[1] && rows[1] > rows[2] && rows[2] <= 5, "{rows:?}");
}
