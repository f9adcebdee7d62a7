//! Durations of HT, VHT and HE frames against reference rows: those of ns-3.37 (`duration_ns`), and the standard's (`std_ns`).
//! The rows are found in a `shared/oracles` folder beside the repository, where there is one.

use base::Span;
use std::path::Path;
use wifi::phy::{Generation, Modern, PreambleRule};

fn rows() -> Option<String> {
    let mut above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let found = above.find_map(|folder| {
        let file = folder.join("shared/oracles/wifi6/phy.csv");
        file.is_file().then_some(file)
    });
    if found.is_none() {
        println!("skipped: no shared/oracles/wifi6/phy.csv beside the repository");
    }
    std::fs::read_to_string(found?).ok()
}

/// A mode of a row: HT's MCS counts streams too.
fn mode(row: &[&str], rule: PreambleRule) -> Option<Modern> {
    let number = |column: usize| row[column].parse::<u64>().expect("a number");
    let (generation, within) = match row[1] {
        "n" => (Generation::Ht, 8),
        "ac" => (Generation::Vht, u64::MAX),
        "ax" => (Generation::He, u64::MAX),
        _ => return None,
    };
    let digits = row[3].trim_start_matches(|letter: char| !letter.is_ascii_digit());
    let mcs = digits.parse::<u64>().expect("a mode ends with its MCS") % within;
    let (streams, width, guard) = (number(5) as u8, number(4) as u16, Span(number(6)));
    let mode = Modern::new(generation, mcs as u8, streams, width, guard, rule)
        .unwrap_or_else(|| panic!("no mode for {row:?}"));
    Some(if row[2] == "2.4" { mode.at_2_4_ghz() } else { mode })
}

#[test]
fn durations_are_those_of_the_reference() {
    let Some(text) = rows() else { return };
    let mut compared = 0;
    for line in text.lines().skip(1) {
        let row: Vec<&str> = line.split(',').collect();
        for (rule, column) in [(PreambleRule::Ns3, 13), (PreambleRule::Standard, 14)] {
            let Some(mode) = mode(&row, rule) else { continue };
            let bytes: u32 = row[10].parse().expect("bytes of a PSDU");
            assert_eq!(mode.airtime().of_bytes(bytes).0.to_string(), row[column], "{line}");
            compared += 1;
        }
    }
    assert!(compared > 500, "{compared}");
}
