//! The packet scripts of the Linux and FreeBSD suites, where `shared` lies beside the repository.

use conformance::{Case, Verdict, run_file};
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
    assert!(differ <= 3 && pass + differ == cases.len());
}
