//! The packet scripts of the Linux and FreeBSD suites, where `shared` lies beside the repository.

use players::{Case, Verdict, run_file};
use std::path::Path;

/// The verdicts on a file in `shared/oracles/vectors`; `None`, and a line that says so, where there is none.
fn verdicts(name: &str) -> Option<Vec<Case>> {
    let file = format!("shared/oracles/vectors/{name}");
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let text = above.filter_map(|dir| std::fs::read_to_string(dir.join(&file)).ok()).next();
    if text.is_none() {
        println!("skipped: no {file} beside the repository");
    }
    Some(run_file(name, &text?).expect("a file of a known kind"))
}

/// How many passed and differ; failures are printed and fail the test.
#[track_caller]
fn count(cases: &[Case]) -> (usize, usize) {
    let count = |verdict| cases.iter().filter(|case| case.verdict == verdict).count();
    for case in cases.iter().filter(|case| case.verdict != Verdict::Pass) {
        println!("{} {}: {}", case.verdict.name(), case.id, case.reason);
    }
    println!(
        "{} pass, {} differ, {} fail",
        count(Verdict::Pass),
        count(Verdict::Differs),
        count(Verdict::Fail)
    );
    assert_eq!(count(Verdict::Fail), 0);
    (count(Verdict::Pass), count(Verdict::Differs))
}

#[test]
fn the_receiver_answers_as_freebsds_suite_has_it() {
    let Some(cases) = verdicts("packetdrill_freebsd_receiver.json") else { return };
    assert_eq!(count(&cases), (cases.len(), 0));
}

#[test]
fn the_endpoint_speaks_as_linuxs_scripts_have_it() {
    let Some(cases) = verdicts("packetdrill_google.json") else { return };
    let (pass, differ) = count(&cases);
    assert!(differ <= 2 && pass + differ == cases.len());
}

/// The verdict on a script of these events with these settings.
fn verdict(settings: &str, events: &str) -> Case {
    let case =
        format!(r#"{{ "id": "mine", "stack_settings": {{ {settings} }}, "events": [{events}] }}"#);
    let file = format!(r#"{{ "cases": [{case}] }}"#);
    run_file("packetdrill_mine.json", &file).expect("a script").remove(0)
}

/// A server that writes a segment at 0.1 s, which the other side never acknowledges.
const ONE_SEGMENT: &str = r#"
    { "t": 0.0, "kind": "segment_in", "flags": "SYN", "seq": 0, "len": 0, "win": 32792, "mss": 1000, "sack_permitted": true },
    { "t": 0.0, "kind": "segment_out", "flags": "SYN ACK", "seq": 0, "len": 0, "ack": 1, "win": 65535 },
    { "t": 0.1, "kind": "segment_in", "flags": "ACK", "seq": 1, "len": 0, "ack": 1, "win": 32792 },
    { "t": 0.1, "kind": "app", "call": "write", "args": "4, ..., 1000", "returns": "1000" },
    { "t": 0.1, "kind": "segment_out", "flags": "PSH ACK", "seq": 1, "len": 1000, "ack": 1 },"#;

#[test]
fn an_older_kernel_is_an_option_of_the_script() {
    let again = |at: f64| {
        format!(
            r#"{ONE_SEGMENT} {{ "t": {at}, "kind": "segment_out", "flags": "ACK", "seq": 1, "len": 1000, "ack": 1 }}"#
        )
    };
    // No probe before the timeout of RFC 6298's forerunner, RFC 2988: 3 s, the handshake is not timed.
    let old = r#""kernel": "3.0""#;
    assert_eq!(verdict(old, &again(3.1)).verdict, Verdict::Pass);
    assert_eq!(verdict("", &again(3.1)).verdict, Verdict::Fail);
    assert_eq!(
        verdict(r#""kernel": "3.0", "rto_initial_ms": "1000""#, &again(1.1)).verdict,
        Verdict::Pass
    );
    assert_eq!(
        verdict(r#""kernel": "3.0", "tolerance_ms": "100""#, &again(3.02)).verdict,
        Verdict::Pass
    );
    let wrong = verdict(r#""kernel": "new""#, &again(3.1));
    assert!(wrong.reason.starts_with("kernel=new is not read"), "{}", wrong.reason);
}

/// How a case stands apart: its group, and the end of its reason.
#[track_caller]
fn assert_older(case: &Case, sign: &str) {
    assert_eq!(case.group, "older kernels", "{}", case.reason);
    assert!(case.reason.ends_with(&format!("of an older kernel: {sign}")), "{}", case.reason);
}

#[test]
fn scripts_of_older_kernels_stand_apart() {
    let again = |at: f64| {
        format!(
            r#"{ONE_SEGMENT} {{ "t": {at}, "kind": "segment_out", "flags": "ACK", "seq": 1, "len": 1000, "ack": 1 }}"#
        )
    };
    // Today's: a probe, and the timeout of RFC 6298; or a kernel that has RACK.
    for today in [verdict("", &again(1.1)), verdict(r#""kernel": "5.4""#, &again(3.1))] {
        assert_eq!(today.group, "today's kernels", "{}", today.reason);
        assert!(!today.reason.contains("older kernel"), "{}", today.reason);
    }
    assert_older(&verdict("", &again(3.1)), "before Linux 3.1, since its first timeout takes 3 s");
    assert_older(&verdict(r#""kernel": "3.0""#, &again(3.1)), "Linux 3.0, as it says");
}

#[test]
fn an_initial_window_below_ten_tells_an_older_kernel() {
    let burst = |segments: u64, written: u64, window: u64| {
        let start = ONE_SEGMENT.replace("4, ..., 1000", &format!("4, ..., {written}"));
        let start = start.replace("\"returns\": \"1000\"", &format!("\"returns\": \"{written}\""));
        let start = start.replace("\"win\": 32792", &format!("\"win\": {window}"));
        let start = start.replace("\"len\": 1000", &format!("\"len\": {}", segments * 1000));
        verdict("", start.trim_end().trim_end_matches(','))
    };
    let older = "before Linux 2.6.39, since its initial window is 3";
    assert_older(&burst(3, 20_000, 32_792), older);
    // Ten segments; all that was written; all that the other side takes.
    for today in [burst(10, 20_000, 32_792), burst(3, 3_000, 32_792), burst(3, 20_000, 3_000)] {
        assert_eq!(today.group, "today's kernels", "{}", today.reason);
    }
}

#[test]
fn a_script_tells_its_kernel_by_its_folder_or_its_name_and_bsds_have_none() {
    let of = |id: &str, repo: &str, path: &str| {
        let events = ONE_SEGMENT.trim_end().trim_end_matches(',');
        let source = format!(r#"{{ "repo": "{repo}", "path": "{path}" }}"#);
        let case = format!(r#"{{ "id": "{id}", "source": {source}, "events": [{events}] }}"#);
        let file = format!(r#"{{ "cases": [{case}] }}"#);
        run_file("packetdrill_mine.json", &file).expect("a script").remove(0)
    };
    let google = "google/packetdrill";
    let first = of("fr", google, "gtests/net/packetdrill/tests/linux/fr.pkt");
    assert_older(&first, "Linux 3.11, by its folder");
    assert_eq!(of("fr", google, "gtests/net/tcp/sack/fr.pkt").group, "today's kernels");
    let bulk = of("cubic-bulk-166k", google, "gtests/net/tcp/cubic/cubic-bulk-166k.pkt");
    assert_eq!(bulk.group, "older kernels");
    assert_eq!(of("overlapping", "freebsd-net/tcp-testsuite", "a.pkt").group, "");
}

#[test]
fn delayed_acknowledgements_are_an_option_of_the_script() {
    let data = |at: f64| {
        format!(
            r#"{{ "t": 0.0, "kind": "segment_in", "flags": "SYN", "seq": 0, "len": 0, "win": 32792, "mss": 1000 }},
            {{ "t": 0.0, "kind": "segment_out", "flags": "SYN ACK", "seq": 0, "len": 0, "ack": 1 }},
            {{ "t": 0.1, "kind": "segment_in", "flags": "ACK", "seq": 1, "len": 1000, "ack": 1, "win": 32792 }},
            {{ "t": {at}, "kind": "segment_out", "flags": "ACK", "seq": 1, "len": 0, "ack": 1001 }}"#
        )
    };
    assert_eq!(verdict("", &data(0.1)).verdict, Verdict::Pass);
    assert_eq!(verdict(r#""delayed_ack_ms": "40""#, &data(0.14)).verdict, Verdict::Pass);
    assert_eq!(verdict(r#""delayed_ack_ms": "40""#, &data(0.1)).verdict, Verdict::Fail);
}

#[test]
fn a_script_that_sends_a_syn_opens_without_the_call() {
    let events = r#"
        { "t": 0.002, "kind": "segment_out", "flags": "SYN ECE CWR", "seq": 0, "len": 0 },
        { "t": 0.004, "kind": "segment_in", "flags": "SYN ACK ECE", "seq": 0, "len": 0, "ack": 1, "win": 32767, "mss": 1000, "sack_permitted": true },
        { "t": 0.004, "kind": "segment_out", "flags": "ACK", "seq": 1, "len": 0, "ack": 1 },
        { "t": 0.006, "kind": "app", "call": "write", "args": "4, ..., 1000", "returns": "1000" },
        { "t": 0.006, "kind": "segment_out", "flags": "PSH ACK", "seq": 1, "len": 1000, "ack": 1, "ecn": "ect0" }"#;
    let got = verdict("", events);
    assert_eq!(got.verdict, Verdict::Pass, "{}", got.reason);
    let other = verdict("", &events.replace("ect0", "noecn"));
    assert_eq!(other.verdict, Verdict::Fail);
}

#[test]
fn a_known_difference_does_not_hang_on_an_event_s_number() {
    // Google's script of MSG_MORE, with or without the calls that open a socket.
    let events = ONE_SEGMENT.trim_end_matches(',').replace("\"t\": 0.1", "\"t\": 0.01");
    let events = events.replace("1000\", \"returns\": \"1000\"", "40\", \"returns\": \"40\"");
    let events = events.replace("\"t\": 0.01, \"kind\": \"segment_out\", \"flags\": \"PSH ACK\", \"seq\": 1, \"len\": 1000", "\"t\": 0.22, \"t_max\": 0.225, \"kind\": \"segment_out\", \"flags\": \"PSH ACK\", \"seq\": 1, \"len\": 40");
    let file = format!(r#"{{ "cases": [{{ "id": "sendmsg_msg_more", "events": [{events}] }}] }}"#);
    let got = run_file("packetdrill_mine.json", &file).expect("a script").remove(0);
    assert_eq!(got.verdict, Verdict::Differs, "{}", got.reason);
}
