//! The tables of `../shared/oracles/wimax`, where they are there: what has no chance in it, row by row; what has, but for as many
//! rows as chance may take.

use base::Span;
use players::{Verdict, run_file};
use std::path::Path;
use wimax::{Mcs, Phy};

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
fn symbols_and_rates_are_the_closed_forms() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let name = "shared/oracles/vectors/analytic.json";
    let Some(file) = here.ancestors().map(|dir| dir.join(name)).find(|file| file.is_file()) else {
        eprintln!("skipped: no {name} above the project");
        return;
    };
    let text = std::fs::read_to_string(file).unwrap();
    let document: serde_json::Value = serde_json::from_str(&text).unwrap();
    let mut rows = 0;
    for case in document["cases"].as_array().unwrap() {
        if case["group"] != "ofdm256" {
            continue;
        }
        let (given, expect) = (&case["in"], &case["expect"]);
        let number = |of: &serde_json::Value, key: &str| of[key].as_f64().unwrap();
        let phy = Phy {
            bandwidth: number(given, "bandwidth_hz") as u64,
            prefix: (1.0 / number(given, "G")).round() as u64,
            frame: Span::from_secs(number(given, "frame_s")),
        };
        let id = &case["id"];
        assert_eq!(phy.sampling() as f64, number(expect, "Fs_hz"), "{id}");
        assert_eq!(f64::from(phy.symbols()), number(expect, "symbols_per_frame"), "{id}");
        let symbol_s = phy.slots(phy.symbol_slots()).as_secs();
        assert!((symbol_s * 1e6 - number(expect, "symbol_us")).abs() < 1e-3, "{id}");
        let raw = f64::from(Mcs::Qam64R34.bytes()) * 8.0 / symbol_s / 1e6;
        let known = number(expect, "raw_rate_64qam34_mbps");
        assert!((raw / known - 1.0).abs() < 1e-4, "{id}: {raw}");
        rows += 1;
    }
    println!("ofdm256: {rows} cases");
    assert!(rows > 0);
}

#[test]
fn a_table_says_what_is_wrong_with_it() {
    let wrong = |text| run_file("x.csv", text).unwrap_err().what;
    assert!(wrong("").contains("empty"));
    assert!(wrong("a,b\n1,2\n").contains("none of these columns: n_dl_bursts, event"));
    assert!(wrong("a,n_dl_bursts\n1\n").contains("line 2: not as many values as columns"));
    assert!(wrong("n_dl_bursts\n1\n").contains("no column bw"));
}
