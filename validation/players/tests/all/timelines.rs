//! Fall and Floyd's timelines as a file: what the header says counts, a case may say otherwise, and what cannot be
//! read is named.

use players::{Case, Verdict, run_file};

const HEADER: &str = r#""scenario": { "topology": "s1 -8 Mb/s,0 ms- r1 -0.8 Mb/s,100 ms- k1; DropTail queue limit 8 packets",
    "packet": "1000 B payload + 40 B header", "receiver": "one ACK per segment", "window_limit_packets": 28,
    "rto": { "min_s": 1, "initial_s": 6.0 }, "settings": { "windowInit": 2 } }"#;

/// The verdict on one case with these keys.
fn verdict(header: &str, case: &str) -> Case {
    let text = format!("{{ {header}, \"cases\": [{{ \"id\": \"one\", {case} }}] }}");
    run_file("ns2_fall_floyd_mine.json", &text).expect("a file of that kind").remove(0)
}

/// SYN 40 B: 40 us at 8 Mb/s; its acknowledgement back after 2 (100 ms + 400 us) + 40 us; 1040 B take 1.04 ms.
const FIRST: &str = r#""tcp": "reno", "forced_drop_list": [], "stop_s": 1.3,
    "data_enqueue_at_bottleneck": [[1.00004, 0], [1.20192, 1], [1.20296, 2]]"#;

#[test]
fn the_header_says_what_the_path_is() {
    assert_eq!(verdict(HEADER, FIRST).verdict, Verdict::Pass);
    let slow = verdict(&HEADER.replace("100 ms", "110 ms"), FIRST);
    assert_eq!(slow.verdict, Verdict::Fail);
    assert!(
        slow.reason.starts_with("data_enqueue_at_bottleneck row 1: packet 1"),
        "{}",
        slow.reason
    );
    // A case may say it otherwise; with one segment first there is no third row.
    let one = verdict(HEADER, &format!("{FIRST}, \"windowInit\": 1"));
    assert!(
        one.reason.contains("row 2: packet 2") && one.reason.contains("the end here"),
        "{one:?}"
    );
}

#[test]
fn what_cannot_be_read_is_named() {
    for (from, to, what) in [
        ("\"tcp\": \"reno\"", "\"tcp\": \"fack\"", "no variant \"fack\""),
        ("\"forced_drop_list\": []", "\"forced_drop_list\": [1.5]", "forced_drop_list"),
        ("\"forced_drop_list\": [],", "", "no \"forced_drop_list\""),
        ("\"stop_s\": 1.3", "\"stop_s\": 1e9", "stop_s"),
        ("[1.20296, 2]", "[1.20296]", "no list of [time, number]"),
        ("data_enqueue_at_bottleneck", "data_seen", "no list of packets"),
    ] {
        let case = verdict(HEADER, &FIRST.replace(from, to));
        assert!(case.reason.contains(what), "{what}: {}", case.reason);
        assert_eq!(case.verdict, Verdict::Fail);
    }
    for (from, to, what) in [
        ("0.8 Mb/s", "dial-up", "topology"),
        ("one ACK per segment", "when it likes", "receiver"),
        ("1000 B payload", "a payload", "packet"),
        ("\"min_s\": 1", "\"min_s\": \"1\"", "rto.min_s"),
    ] {
        let case = verdict(&HEADER.replace(from, to), FIRST);
        assert!(case.reason.contains(what), "{what}: {}", case.reason);
    }
}

#[test]
fn sack_and_newreno_send_as_in_ns2_whatever_is_dropped() {
    let cases =
        run_file("ns2_fall_floyd_drops.json", include_str!("../../testdata/ns2_drops.json"))
            .expect("cases");
    assert_eq!(cases.len(), 8);
    for case in cases {
        assert_eq!(case.verdict, Verdict::Pass, "{}: {}", case.id, case.reason);
    }
}
