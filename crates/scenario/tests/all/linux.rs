//! The settings of a variant of Linux beside recovery and law, and keys that replace them.

use scenario::check;
use serde_json::Value;

fn flow(tcp: &str) -> Value {
    let text = format!(
        "duration = \"20 s\"\n[[link]]\nends = [\"a\", \"b\"]\nrate = \"10 Mbps\"\ndelay = \"20 ms\"\n\
         queue = {{ packets = 50 }}\n[tcp]\n{tcp}\n\
         [[flow]]\nname = \"f\"\nfrom = \"a\"\nto = \"b\"\napp = \"bulk\"\n"
    );
    let scenario = check(&text, "x.toml", &[]).unwrap_or_else(|error| panic!("{error}"));
    let result: Value = serde_json::from_str(&scenario::run(&scenario, None, 0)).expect("JSON");
    result["flows"][0].clone()
}

/// Acknowledgements for each packet that arrived.
fn acks(tcp: &str) -> f64 {
    let flow = flow(tcp);
    let of = |key: &str| flow[key].as_f64().expect("a number");
    of("acks_sent") / of("packets_delivered")
}

#[test]
fn the_variant_brings_its_receiver_and_a_key_takes_it_away() {
    // Every second segment; at once while the window opens, and beyond gaps.
    assert!((0.5..0.6).contains(&acks("variant = \"linux-reno\"")));
    assert_eq!(acks("variant = \"linux-reno\"\ndelayed_ack = false"), 1.0);
    assert_eq!(acks("variant = \"linux26-reno\""), 1.0);
    assert!(acks("variant = \"sack\"\ndelayed_ack = \"linux\"") < 0.6);
}

#[test]
fn the_rest_of_the_stack_comes_along() {
    let linux = flow("variant = \"linux-cubic\"\nwindow = \"2500000 B\"");
    // HyStart's train ends slow start before the queue is full: no overshoot of half a window.
    assert!(linux["retransmits"].as_u64() < Some(20), "{linux}");
    let without = flow("variant = \"linux-cubic\"\nslow_start = \"standard\"");
    assert!(without["retransmits"].as_u64() > Some(60), "{without}");
    // 1448 B a segment: 1500 B of 10 Mbit/s.
    let share = |flow: &Value| flow["goodput_bps"].as_f64().expect("a number") / 10e6;
    assert!(share(&linux) < 1448.0 / 1500.0 && share(&linux) > 0.95);
}
