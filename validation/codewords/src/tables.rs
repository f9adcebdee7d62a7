//! Tables of the documentation, in Markdown.

use crate::frames::{Frame, HIGHEST_MCS};
use crate::limit::least_db;
use std::fmt::Write;

/// Where ns-3's tables of simulated links lose frames (`validation/references/ns3_ldpc.cc`).
const NS3: &str = include_str!("../../references/ns3_ldpc.csv");

/// The frames that ns-3 has tables for.
const BYTES: u64 = 1458;

/// The share of frames that is lost in the tables.
pub const SHARE: f64 = 0.1;

/// Where a tenth of all frames is lost by MCS: at most codes could do, here, in ns-3, and with the convolutional code.
pub fn thresholds() -> String {
    let mut table = String::from(
        "| MCS | capacity | lasthop | ns-3.37 | difference | convolutional code | LDPC gains |\n|---|---|---|---|---|---|---|\n",
    );
    for mcs in 0..=HIGHEST_MCS {
        let frame = Frame::new(mcs, BYTES);
        let (own, others) = (frame.shipped_at(SHARE), ns3_db(mcs));
        let convolutional = frame.convolutional_at(SHARE);
        let limit = least_db(frame.constellation, frame.rate);
        let (differs, gains) = (own - others, convolutional - own);
        writeln!(
            table,
            "| {mcs} | {limit:.1} | {own:.2} | {others:.2} | {differs:+.2} | {convolutional:.2} | {gains:.2} |"
        )
        .expect("text is written");
    }
    table
}

/// Where ns-3 loses a tenth of these frames, dB.
pub fn ns3_db(mcs: usize) -> f64 {
    let start = format!("{mcs},{BYTES},");
    let row = NS3.lines().find(|line| line.starts_with(&start)).expect("a row for each MCS");
    row.split(',').nth(3).and_then(|text| text.parse().ok()).expect("a number")
}
