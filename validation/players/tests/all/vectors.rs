//! The files of `../shared/oracles/vectors` that need no other driver, where they are there.

use players::{Verdict, run_file};
use std::path::{Path, PathBuf};

/// The files, and how many of their cases may differ, each with its reason.
const FILES: &[(&str, usize)] = &[
    ("ns3_congestion.json", 6),
    ("cubic_quic.json", 1),
    ("westwood_filter.json", 0),
    ("ns3_trajectories.json", 1),
    ("bbr_behaviour.json", 0),
    ("ns2_linux_cwnd.json", 1),
    ("dcf_access_timing.json", 0),
    ("edca_access_timing.json", 1),
    ("wifi_frame_durations.json", 0),
    ("wifi_per.json", 0),
    ("pathloss.json", 0),
    ("ns2_fall_floyd.json", 0),
];

fn vectors() -> Option<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().map(|dir| dir.join("shared/oracles/vectors")).find(|dir| dir.is_dir())
}

#[test]
fn every_case_passes_or_differs_for_a_stated_reason() {
    let Some(dir) = vectors() else {
        eprintln!("skipped: no shared/oracles/vectors above the project");
        return;
    };
    let mut wrong = String::new();
    for &(file, most) in FILES {
        let text = std::fs::read_to_string(dir.join(file)).unwrap();
        let cases = run_file(file, &text).unwrap();
        let count = |verdict| cases.iter().filter(|case| case.verdict == verdict).count();
        let (pass, differs) = (count(Verdict::Pass), count(Verdict::Differs));
        println!("{file}: {} cases, {pass} pass, {differs} differ", cases.len());
        for case in &cases {
            println!("  {} {} {}", case.verdict.name(), case.id, case.reason);
            if case.verdict == Verdict::Fail {
                wrong += &format!("{file} {}: {}\n", case.id, case.reason);
            }
        }
        if differs > most {
            wrong += &format!("{file}: {differs} differ, {most} did before\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
