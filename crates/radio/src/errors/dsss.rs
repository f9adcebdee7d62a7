//! Bit errors of DSSS and CCK, over noise in 22 MHz.

use crate::fec::hazard;
use libm::{erfc, exp, expm1, log1p, sqrt};

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
    hazard(biorthogonal16(8.0 * sinr)) / 4.0
}

/// CCK at 11 Mbit/s: symbols of 8 bits as two halves, each like one of 5.5 Mbit/s with half the energy.
pub fn cck11(sinr: f64) -> f64 {
    2.0 * hazard(biorthogonal16(4.0 * sinr)) / 8.0
}

/// Symbol error probability of 16 biorthogonal signals (Proakis, 4th ed., eq. 5.2-34, M = 16):
/// 1 - Pc, Pc = integral over v > -b of (2 Phi(v + b) - 1)^7 phi(v), b = sqrt(2 Es/N0).
///
/// The complement is integrated, so that small probabilities keep their digits.
fn biorthogonal16(es_n0: f64) -> f64 {
    const PANELS: u32 = 256;
    const OTHERS: f64 = 7.0;
    let root2 = std::f64::consts::SQRT_2;
    let b = sqrt(2.0 * es_n0);
    let wrong = |v: f64| {
        let miss = erfc((v + b) / root2);
        let any = if miss >= 1.0 { 1.0 } else { -expm1(OTHERS * log1p(-miss)) };
        any * exp(-0.5 * v * v)
    };
    // Beyond 39 deviations a double is zero.
    let (low, high) = (-b.min(39.0), 9.0);
    let step = (high - low) / f64::from(2 * PANELS);
    let mut sum = wrong(low) + wrong(high);
    for i in 1..2 * PANELS {
        sum += wrong(low + step * f64::from(i)) * if i % 2 == 1 { 4.0 } else { 2.0 };
    }
    let integral = sum * step / 3.0 / sqrt(std::f64::consts::TAU);
    (integral + 0.5 * erfc(b / root2)).min(1.0 - 1.0 / 16.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Limits of the integral: no signal leaves a guess among 16; a strong one is bounded by the union of 14 neighbours
    /// and the opposite one, which counts errors that fall together twice.
    #[test]
    fn biorthogonal_errors_meet_their_limits() {
        assert!((biorthogonal16(0.0) - 15.0 / 16.0).abs() < 1e-9);
        let es_n0 = 20.0;
        let q = |x: f64| 0.5 * erfc(x / std::f64::consts::SQRT_2);
        let union = 14.0 * q(sqrt(es_n0)) + q(sqrt(2.0 * es_n0));
        let got = biorthogonal16(es_n0);
        assert!(got < union && got > 0.95 * union, "{got} against {union}");
    }
}
