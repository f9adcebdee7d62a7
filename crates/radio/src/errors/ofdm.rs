//! Bit errors of OFDM behind the convolutional code (133, 171) with constraint length 7.

use crate::fec::hazard;
use crate::modulation::{CodeRate, Constellation};
use libm::{erfc, pow, sqrt};

/// A punctured code: smallest distance, step of distance, weights of information bit errors from there on.
struct Weights {
    first: i32,
    step: i32,
    errors: &'static [u64],
    /// Bits into the encoder in a puncturing period.
    period: f64,
}

// Haccoun and Begin 1989; Frenger, Orten and Ottosson 1999.
const HALF: [u64; 9] = [36, 211, 1404, 11633, 77433, 502690, 3322763, 21292910, 134365911];
const TWO_THIRDS: [u64; 10] = [3, 70, 285, 1276, 6160, 27128, 117019, 498860, 2103891, 8784123];
const THREE_QUARTERS: [u64; 10] =
    [42, 201, 1492, 10469, 62935, 379644, 2253373, 13073811, 75152755, 428005675];
const FIVE_SIXTHS: [u64; 9] =
    [92, 528, 8694, 79453, 792114, 7375573, 67884974, 610875423, 5427275376];

fn weights(code: CodeRate) -> Weights {
    match code {
        CodeRate::Half => Weights { first: 10, step: 2, errors: &HALF, period: 1.0 },
        CodeRate::TwoThirds => Weights { first: 6, step: 1, errors: &TWO_THIRDS, period: 2.0 },
        CodeRate::ThreeQuarters => {
            Weights { first: 5, step: 1, errors: &THREE_QUARTERS, period: 3.0 }
        }
        CodeRate::FiveSixths => Weights { first: 4, step: 1, errors: &FIVE_SIXTHS, period: 5.0 },
    }
}

/// NIST's model (Miller, Validation of an 802.11 simulation, NIST 2003): raw bit errors p, D = sqrt(4 p (1 - p)), half the sum of weights x D^d.
pub fn nist(constellation: Constellation, code: CodeRate, sinr: f64) -> f64 {
    let p = raw_bit_errors(constellation, sinr);
    let d = sqrt(4.0 * p * (1.0 - p));
    let Weights { first, step, errors, period } = weights(code);
    let ratio = pow(d, f64::from(step));
    // Horner's rule from the largest distance down.
    let sum = errors.iter().rev().fold(0.0, |sum, &weight| sum * ratio + weight as f64);
    hazard((sum * pow(d, f64::from(first)) / (2.0 * period)).min(1.0))
}

/// Raw bit errors by the ratio of a subcarrier: BPSK, QPSK, square QAM (Proakis, 4th ed., 5.2.9, Gray coding).
fn raw_bit_errors(constellation: Constellation, sinr: f64) -> f64 {
    match constellation {
        Constellation::Bpsk => 0.5 * erfc(sqrt(sinr)),
        Constellation::Qpsk => 0.5 * erfc(sqrt(sinr / 2.0)),
        _ => {
            let half = f64::from(constellation.bits()) / 2.0;
            let side = pow(2.0, half);
            (1.0 - 1.0 / side) / half * erfc(sqrt(1.5 * sinr / (side * side - 1.0)))
        }
    }
}

/// The union bound for hard decisions with its first two distances (Lacage and Henderson 2006, after Qiao and Choi 2002).
/// The noise bandwidth is 20 MHz and a coded bit lasts 1/(12 MHz x bits), as the 48 data subcarriers of 802.11a.
pub fn yans(constellation: Constellation, code: CodeRate, sinr: f64) -> f64 {
    let bits = f64::from(constellation.bits());
    let per_bit = sinr * 20.0 / (12.0 * bits);
    let p = match constellation {
        Constellation::Bpsk => 0.5 * erfc(sqrt(per_bit)),
        _ => {
            let points = pow(2.0, bits);
            let side = 1.0 - 1.0 / sqrt(points);
            let axis = side * erfc(sqrt(1.5 * bits * per_bit / (points - 1.0)));
            (2.0 * axis - axis * axis) / bits
        }
    };
    // Numbers of paths at the free distance and one above.
    let (distance, paths) = match code {
        CodeRate::Half => (10, [11.0, 0.0]),
        CodeRate::TwoThirds => (6, [1.0, 16.0]),
        CodeRate::ThreeQuarters => (5, [8.0, 31.0]),
        CodeRate::FiveSixths => (4, [14.0, 69.0]),
    };
    let bound = paths[0] * wrong_path(distance, p) + paths[1] * wrong_path(distance + 1, p);
    hazard(bound.min(1.0))
}

/// Probability that a path at `distance` is preferred: more than half of its bits wrong, or half and an unlucky toss.
fn wrong_path(distance: u32, p: f64) -> f64 {
    let mut sum = 0.0;
    let mut choose = 1.0;
    for wrong in 0..=distance {
        let share = match (2 * wrong).cmp(&distance) {
            std::cmp::Ordering::Less => 0.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Greater => 1.0,
        };
        let (wrong_f, rest) = (f64::from(wrong), f64::from(distance - wrong));
        sum += share * choose * pow(p, wrong_f) * pow(1.0 - p, rest);
        choose = choose * rest / (wrong_f + 1.0);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_preferred_half_the_time_when_bits_are_noise() {
        for distance in 4..12 {
            assert!((wrong_path(distance, 0.5) - 0.5).abs() < 1e-12, "{distance}");
        }
        // Distance 5: 10 p^3 q^2 + 5 p^4 q + p^5.
        let (p, q) = (0.1_f64, 0.9_f64);
        let by_hand = 10.0 * p.powi(3) * q * q + 5.0 * p.powi(4) * q + p.powi(5);
        assert!((wrong_path(5, p) - by_hand).abs() < 1e-15);
    }

    /// 6 Mbit/s at 0 dB by hand: Eb/N0 = 5/3, p = erfc(sqrt(5/3))/2 = 0.033945, and eleven paths of distance 10:
    /// 11 (126 p^5 q^5 + 210 p^6 q^4 + ...) = 6.083e-5.
    #[test]
    fn yans_is_the_union_bound_worked_by_hand() {
        let p = 0.5 * erfc(sqrt(5.0 / 3.0));
        assert!((p - 0.033_945).abs() < 1e-6, "{p}");
        let pairs = [(5, 126.0), (6, 210.0), (7, 120.0), (8, 45.0), (9, 10.0), (10, 1.0)];
        let path: f64 = pairs.iter().map(|&(i, c)| c * p.powi(i) * (1.0 - p).powi(10 - i)).sum();
        let got = yans(Constellation::Bpsk, CodeRate::Half, 1.0);
        assert!((got / (11.0 * path) - 1.0).abs() < 1e-3, "{got} {path}");
    }
}
