//! ns-3's laws round by round over a path with a queue: times of the rounds are those of the file.

use players::{Verdict, run_file};

#[test]
fn veno_and_illinois_follow_ns3_over_a_queue() {
    let cases =
        run_file("ns3_trajectories_queue.json", include_str!("../../testdata/ns3_rounds.json"));
    for case in cases.expect("cases") {
        assert_eq!(case.verdict, Verdict::Pass, "{}: {}", case.id, case.reason);
    }
}

#[test]
fn a_round_without_its_time_is_named() {
    let file =
        r#"{ "cases": [{ "id": "one", "algorithm": "TcpVeno", "rows": [[0, 0.1, 20000]] }] }"#;
    let cases = run_file("ns3_trajectories_mine.json", file).expect("cases");
    assert_eq!(cases[0].reason, "a row without a round-trip time");
}
