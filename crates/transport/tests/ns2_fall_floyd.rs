//! Fall and Floyd's cases, packet for packet as ns-2 has them: every time to 1e-5 s, every number.
//!
//! The numbers are in `shared/oracles/vectors`, beside the repository; without them this test says so and passes,
//! and `tests/drops.rs` remains.

#![allow(clippy::unwrap_used, reason = "a malformed oracle fails the test")]

mod path;

use base::{Span, Time};
use path::{Row, run};
use serde_json::Value;
use std::path::Path;
use transport::tcp::{PartialAckTimer, SsthreshBase, TcpConfig, variants};

/// The oracle's text, from a folder `shared` beside any folder above this crate.
fn oracle() -> Option<Value> {
    let file = "shared/oracles/vectors/ns2_fall_floyd.json";
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let text = above.filter_map(|dir| std::fs::read_to_string(dir.join(file)).ok()).next()?;
    Some(serde_json::from_str(&text).unwrap())
}

/// The settings of the header of the oracle's file.
fn settings(variant: &str, limited_transmit: bool) -> TcpConfig {
    let mut config = variants::by_name(variant).unwrap().ns2_config(1000, 28);
    config.rto.initial = Span::secs(6);
    config.rto.min = Span::secs(1);
    config.limited_transmit = limited_transmit;
    config.newreno.timer = PartialAckTimer::Every;
    config.newreno.deflate = false;
    // Not in the header, but only so does the first growth after a recovery come when it comes.
    config.ssthresh_base = SsthreshBase::WholeWindow;
    config
}

fn rows(case: &Value, key: &str) -> Vec<Row> {
    let rows = case[key].as_array().unwrap();
    rows.iter().map(|row| (row[0].as_f64().unwrap(), row[1].as_u64().unwrap())).collect()
}

/// The first row that differs, as a sentence.
fn difference(what: &str, expected: &[Row], got: &[Row]) -> Option<String> {
    // Half a unit of the fifth decimal is the oracle's own rounding.
    let same = |e: &Row, g: &Row| e.1 == g.1 && (e.0 - g.0).abs() < 1.0e-5;
    let first = expected.iter().zip(got).position(|(e, g)| !same(e, g));
    let first = first.or((expected.len() != got.len()).then(|| expected.len().min(got.len())))?;
    Some(format!(
        "{what} row {first} of {}/{}: expected {:?}, got {:?}",
        expected.len(),
        got.len(),
        expected.get(first),
        got.get(first)
    ))
}

#[test]
fn every_timeline_comes_out_packet_for_packet() {
    let Some(oracle) = oracle() else {
        println!("skipped: no shared/oracles beside the repository");
        return;
    };
    let mut failures = vec![];
    let mut checked = 0;
    for case in oracle["cases"].as_array().unwrap() {
        let variant = case["tcp"].as_str().unwrap();
        if variants::by_name(variant).is_none() {
            continue;
        }
        let config = settings(variant, case["limited_transmit"].as_bool().unwrap());
        let drops = case["forced_drop_list"].as_array().unwrap();
        let drops: Vec<u64> = drops.iter().map(|n| n.as_u64().unwrap()).collect();
        let trace = run(&config, &drops, Time::ZERO + Span::secs(6));
        let wrong = [
            ("data", "data_enqueue_at_bottleneck", &trace.enqueued),
            ("acks", "ack_leaves_receiver", &trace.acks),
        ]
        .into_iter()
        .filter_map(|(what, key, got)| difference(what, &rows(case, key), got));
        failures.extend(wrong.map(|why| format!("{}: {why}", case["id"])));
        checked += 1;
    }
    println!("{checked} timelines");
    assert!(failures.is_empty(), "of {checked}:\n{}", failures.join("\n"));
    assert!(checked >= 26);
}
