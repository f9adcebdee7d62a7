//! ns-3's laws round by round over a path with a queue: times of the rounds are those of the file.

use players::{Case, Verdict, run_file};

/// Runs of ns-3.37 by `validation/references/ns3_rounds.cc`.
const ROUNDS: &str = include_str!("../../../references/ns3_rounds.json");

/// The segments by which a case is off at most, from "within 0.02 segments".
fn worst(reason: &str) -> f64 {
    let within = reason.split("within ").last().and_then(|rest| rest.split(' ').next());
    within.and_then(|number| number.parse().ok()).expect("how near it comes")
}

#[test]
fn windows_are_rounded_as_ns3_rounds_them_over_a_queue() {
    let cases = run_file("ns3_trajectories_queue.json", ROUNDS).expect("cases");
    assert_eq!(cases.len(), 12);
    for case in cases.iter().filter(|case| case.id != "traj-B:TcpHtcp") {
        assert_eq!(case.verdict, Verdict::Pass, "{}: {}", case.id, case.reason);
        assert!(worst(&case.reason) < 0.05, "{}: {}", case.id, case.reason);
    }
}

/// H-TCP's case of a changed file.
fn htcp(change: impl Fn(&str) -> String) -> Case {
    let cases = run_file("ns3_trajectories_queue.json", &change(ROUNDS)).expect("cases");
    cases.into_iter().find(|case| case.id == "traj-B:TcpHtcp").expect("H-TCP")
}

#[test]
fn htcp_differs_by_what_ns3_measures_and_by_nothing_else() {
    let as_it_is = htcp(str::to_owned);
    assert_eq!(as_it_is.verdict, Verdict::Differs, "{}", as_it_is.reason);
    assert!(as_it_is.reason.contains("with that, within 0.00 segments"), "{}", as_it_is.reason);
    // In the last round ns-3 has two segments more.
    let row = "[149, 20.121484, 59870, 52859, 0.117768]";
    assert!(ROUNDS.contains(row));
    let changed = htcp(|text| text.replace(row, "[149, 20.121484, 62070, 52859, 0.117768]"));
    assert_eq!(changed.verdict, Verdict::Fail, "{}", changed.reason);
}

#[test]
fn a_loss_before_the_first_round_is_named() {
    let file = r#"{ "cases": [{ "id": "one", "algorithm": "TcpBic", "rows": [["loss_before_round", 0]] }] }"#;
    let cases = run_file("ns3_trajectories_mine.json", file).expect("cases");
    assert_eq!(cases[0].reason, "a loss before the first round");
}

#[test]
fn a_round_without_its_time_is_named() {
    let file =
        r#"{ "cases": [{ "id": "one", "algorithm": "TcpVeno", "rows": [[0, 0.1, 20000]] }] }"#;
    let cases = run_file("ns3_trajectories_mine.json", file).expect("cases");
    assert_eq!(cases[0].reason, "a row without a round-trip time");
}
