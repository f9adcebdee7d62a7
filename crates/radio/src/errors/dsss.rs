//! Bit errors of DSSS and CCK, over noise in 22 MHz.

use super::biorthogonal;
use crate::fec::hazard;
use libm::{exp, sqrt};

/// Chip-matched bandwidth of the receiver, Hz.
const BANDWIDTH_HZ: f64 = 22e6;

/// DBPSK at 1 Mbit/s: half of exp(-Eb/N0) (Proakis, Digital Communications, 4th ed., eq. 5.2-69).
pub fn dbpsk(sinr: f64) -> f64 {
    hazard(0.5 * exp(-sinr * BANDWIDTH_HZ / 1e6))
}

/// DQPSK at 2 Mbit/s: the asymptote of the Marcum form with Gray coding (Proakis, eq. 5.2-70; Ferrari and Corazza 2004),
/// (1 + sqrt 2) / sqrt(8 pi sqrt 2) / sqrt(g) exp(-(2 - sqrt 2) g), g per bit. At most 1/2.
pub fn dqpsk(sinr: f64) -> f64 {
    let per_bit = sinr * BANDWIDTH_HZ / 2e6;
    let root2 = std::f64::consts::SQRT_2;
    let front = (1.0 + root2) / sqrt(8.0 * std::f64::consts::PI * root2);
    hazard((front / sqrt(per_bit) * exp(-(2.0 - root2) * per_bit)).min(0.5))
}

/// CCK at 5.5 Mbit/s: symbols of 4 bits as 16 biorthogonal signals with Es/N0 = 8 SINR.
pub fn cck5_5(sinr: f64) -> f64 {
    biorthogonal::symbol_hazard(8.0 * sinr) / 4.0
}

/// CCK at 11 Mbit/s: symbols of 8 bits as two halves, each like one of 5.5 Mbit/s with half the energy.
pub fn cck11(sinr: f64) -> f64 {
    2.0 * biorthogonal::symbol_hazard(4.0 * sinr) / 8.0
}
