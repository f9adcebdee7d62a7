//! Code words that are lost behind low-density parity-check codes (802.11-2020, 19.3.11.7 and Annex F).
//!
//! The curves are fitted to words that were simulated one by one: the codes of the standard, white noise, the nearest point of
//! either kind for each bit, 12 rounds of a layered decoder. `cargo run --release -p lasthop-codewords -- curves` simulates them
//! and writes the table; that crate's tests compare the two.

use crate::modulation::{CodeRate, Constellation, Word};
use libm::{erfc, log, log1p, log10};
use std::f64::consts::SQRT_2;

/// The ratio in dB at which half of all words are lost, and the deviation of the normal variable of which the lost share is
/// the tail (Amraoui, Montanari, Richardson and Urbanke 2009): by constellation from QPSK up, by rate from 1/2 up, by length.
#[rustfmt::skip]
const CURVES: [[[(f64, f64); 3]; 4]; 6] = [
    [ // QPSK
        [(1.120, 0.470), (1.162, 0.350), (1.196, 0.308)], // 1/2
        [(3.037, 0.414), (3.029, 0.292), (3.030, 0.238)], // 2/3
        [(4.053, 0.410), (4.028, 0.294), (4.027, 0.242)], // 3/4
        [(5.176, 0.425), (5.159, 0.310), (5.163, 0.261)], // 5/6
    ],
    [ // 16-QAM
        [(6.436, 0.529), (6.547, 0.456), (6.508, 0.331)], // 1/2
        [(8.903, 0.465), (8.867, 0.334), (8.871, 0.271)], // 2/3
        [(10.136, 0.463), (10.104, 0.328), (10.110, 0.266)], // 3/4
        [(11.468, 0.469), (11.453, 0.338), (11.457, 0.283)], // 5/6
    ],
    [ // 64-QAM
        [(11.135, 0.764), (10.896, 0.499), (11.038, 0.504)], // 1/2
        [(13.881, 0.529), (13.859, 0.376), (13.811, 0.307)], // 2/3
        [(15.400, 0.518), (15.365, 0.372), (15.354, 0.303)], // 3/4
        [(16.977, 0.519), (16.965, 0.370), (16.966, 0.316)], // 5/6
    ],
    [ // 256-QAM
        [(15.022, 0.655), (15.075, 0.470), (15.099, 0.378)], // 1/2
        [(18.664, 0.601), (18.607, 0.421), (18.631, 0.342)], // 2/3
        [(20.493, 0.584), (20.417, 0.411), (20.414, 0.346)], // 3/4
        [(22.345, 0.572), (22.311, 0.410), (22.300, 0.355)], // 5/6
    ],
    [ // 1024-QAM
        [(18.989, 0.728), (19.121, 0.531), (19.088, 0.442)], // 1/2
        [(23.366, 0.657), (23.311, 0.467), (23.274, 0.387)], // 2/3
        [(25.464, 0.638), (25.438, 0.458), (25.417, 0.378)], // 3/4
        [(27.637, 0.623), (27.602, 0.454), (27.579, 0.378)], // 5/6
    ],
    [ // 4096-QAM
        [(22.817, 0.860), (23.659, 1.075), (22.920, 0.481)], // 1/2
        [(28.079, 0.726), (27.769, 0.525), (27.961, 0.416)], // 2/3
        [(30.455, 0.705), (30.330, 0.505), (30.338, 0.414)], // 3/4
        [(32.918, 0.678), (32.890, 0.493), (32.894, 0.419)], // 5/6
    ],
];

/// QPSK is BPSK in two dimensions, each of which has half the power.
const OF_QPSK: f64 = 2.0;

/// Hazard of a bit of data by the ratio of a subcarrier: that of its word, spread over all of the word's.
pub fn ldpc(constellation: Constellation, rate: CodeRate, word: Word, sinr: f64) -> f64 {
    let (row, ratio) = match constellation {
        Constellation::Bpsk => (0, sinr * OF_QPSK),
        Constellation::Qpsk => (0, sinr),
        Constellation::Qam16 => (1, sinr),
        Constellation::Qam64 => (2, sinr),
        Constellation::Qam256 => (3, sinr),
        Constellation::Qam1024 => (4, sinr),
        Constellation::Qam4096 => (5, sinr),
    };
    let (threshold_db, spread_db) = CURVES[row][rate as usize][word as usize];
    let above = (10.0 * log10(ratio) - threshold_db) / (SQRT_2 * spread_db);
    // Each side from the tail that keeps its digits.
    let of_word = if above > 0.0 { -log1p(-0.5 * erfc(above)) } else { -log(0.5 * erfc(-above)) };
    of_word / rate.data_of(u64::from(word.bits())) as f64
}
