//! The tables of `../shared/oracles/wimax`, where they are there: what has no chance in it, row by row; what has, but for as many
//! rows as chance may take.

use players::{Verdict, run_file};
use std::path::Path;

/// A table, and the largest share of its rows that may fail. Rows of overloaded stations have a start that others draw otherwise.
const TABLES: &[(&str, f64)] = &[
    ("capacity.csv", 0.0),
    ("frame_map.csv", 0.0),
    ("latency_floor.csv", 0.0),
    ("saturated.csv", 0.015),
    ("access_delay.csv", 0.015),
];

#[test]
fn rows_pass() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let dir = here.ancestors().map(|dir| dir.join("shared/oracles/wimax")).find(|dir| dir.is_dir());
    let Some(dir) = dir else {
        eprintln!("skipped: no shared/oracles/wimax above the project");
        return;
    };
    let mut wrong = String::new();
    for &(file, share) in TABLES {
        let text = std::fs::read_to_string(dir.join(file)).unwrap();
        let cases = run_file(file, &text).unwrap();
        let failed: Vec<_> = cases.iter().filter(|case| case.verdict == Verdict::Fail).collect();
        println!("{file}: {} of {} pass", cases.len() - failed.len(), cases.len());
        assert!(!cases.is_empty(), "{file}");
        if failed.len() as f64 > share * cases.len() as f64 {
            for case in failed {
                wrong += &format!("{file} {}: {}\n", case.id, case.reason);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn a_table_says_what_is_wrong_with_it() {
    let wrong = |text| run_file("x.csv", text).unwrap_err().what;
    assert!(wrong("").contains("empty"));
    assert!(wrong("a,b\n1,2\n").contains("none of these columns: n_dl_bursts, event"));
    assert!(wrong("a,n_dl_bursts\n1\n").contains("line 2: not as many values as columns"));
    assert!(wrong("n_dl_bursts\n1\n").contains("no column bw"));
}
