//! Errors of packets behind the convolutional code (133, 171) with soft decisions: the union bound over wrong paths.
//!
//! A path at distance d is preferred with probability Q(sqrt(2 d g)), where exp(-g) is the Bhattacharyya parameter of a coded
//! bit (Martinez, Guillen i Fabregas and Caire, "Error probability analysis of bit-interleaved coded modulation", IEEE
//! Trans. Inf. Theory 52(1), 2006). Of each point the nearest one with the other bit counts.

use crate::fec::hazard;
use crate::modulation::{CodeRate, Constellation};
use libm::{erfc, exp, log, sqrt};

/// Paths of a punctured code by distance from its smallest, in a puncturing period.
struct Paths {
    first: i32,
    step: i32,
    numbers: &'static [f64],
    /// Bits into the encoder in a puncturing period.
    period: f64,
}

// Counted on the trellis; the first terms are those of Haccoun and Begin 1989.
const HALF: [f64; 7] = [11.0, 38.0, 193.0, 1331.0, 7275.0, 40_406.0, 234_969.0];
const TWO_THIRDS: [f64; 8] = [1.0, 16.0, 48.0, 158.0, 642.0, 2435.0, 9174.0, 34_701.0];
const THREE_QUARTERS: [f64; 8] = [8.0, 31.0, 160.0, 892.0, 4512.0, 23_297.0, 120_976.0, 624_304.0];
const FIVE_SIXTHS: [f64; 8] =
    [14.0, 69.0, 654.0, 4996.0, 39_677.0, 314_973.0, 2_503_576.0, 19_875_546.0];

fn paths(code: CodeRate) -> Paths {
    let (first, step, numbers, period): (_, _, &[f64], _) = match code {
        CodeRate::Half => (10, 2, &HALF, 1.0),
        CodeRate::TwoThirds => (6, 1, &TWO_THIRDS, 2.0),
        CodeRate::ThreeQuarters => (5, 1, &THREE_QUARTERS, 3.0),
        CodeRate::FiveSixths => (4, 1, &FIVE_SIXTHS, 5.0),
    };
    Paths { first, step, numbers, period }
}

/// Hazard of a bit by the ratio of a subcarrier.
pub fn soft(constellation: Constellation, code: CodeRate, sinr: f64) -> f64 {
    let of_bit = -log(bhattacharyya(constellation, sinr));
    let Paths { first, step, numbers, period } = paths(code);
    let wrong = |(i, number): (usize, &f64)| {
        let distance = f64::from(first + step * i as i32);
        // Q(x) = erfc(x / sqrt 2) / 2.
        number * 0.5 * erfc(sqrt(distance * of_bit))
    };
    let bound: f64 = numbers.iter().enumerate().map(wrong).sum();
    hazard((bound / period).min(1.0))
}

/// The Bhattacharyya parameter of a coded bit under Gray's labels, of all bits on average.
fn bhattacharyya(constellation: Constellation, sinr: f64) -> f64 {
    if constellation == Constellation::Bpsk {
        return exp(-sinr);
    }
    // Square QAM is two amplitudes, each of half the bits; half the distance between neighbours squared is 1.5 / (M - 1).
    let bits = constellation.bits() / 2;
    let levels = 1_usize << bits;
    let unit = 1.5 / ((levels * levels - 1) as f64);
    let mut sum = 0.0;
    for bit in 0..bits {
        let label = |level: usize| (level ^ level >> 1) >> bit & 1;
        for level in 0..levels {
            let others = (0..levels).filter(|&other| label(other) != label(level));
            let steps = others.map(|other| other.abs_diff(level)).min().unwrap_or(1);
            sum += exp(-unit * sinr * (steps * steps) as f64);
        }
    }
    sum / f64::from(bits) / levels as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::errors::ofdm::nist;
    use crate::noise::ratio_from_db;

    /// SNR in dB at which ns-3.37's tables lose 50, 10 and 1 % of packets of 1458 bytes: they come from simulations of links
    /// (Patidar, Roy, Henderson and Chandramohan, "Link-to-system mapping for ns-3 Wi-Fi OFDM error models", 2017).
    const SIMULATED: [(Constellation, CodeRate, [f64; 3]); 10] = [
        (Constellation::Bpsk, CodeRate::Half, [0.30, 0.92, 1.56]),
        (Constellation::Qpsk, CodeRate::Half, [3.29, 3.94, 4.59]),
        (Constellation::Qpsk, CodeRate::ThreeQuarters, [5.78, 6.43, 7.11]),
        (Constellation::Qam16, CodeRate::Half, [8.91, 9.70, 10.47]),
        (Constellation::Qam16, CodeRate::ThreeQuarters, [12.02, 12.80, 13.55]),
        (Constellation::Qam64, CodeRate::TwoThirds, [16.22, 17.04, 17.98]),
        (Constellation::Qam64, CodeRate::ThreeQuarters, [17.52, 18.37, 19.30]),
        (Constellation::Qam64, CodeRate::FiveSixths, [18.79, 19.63, 20.50]),
        (Constellation::Qam256, CodeRate::ThreeQuarters, [22.76, 23.70, 24.76]),
        (Constellation::Qam256, CodeRate::FiveSixths, [24.25, 25.14, 26.15]),
    ];

    #[test]
    fn packets_are_lost_where_simulated_links_lose_them() {
        for (constellation, code, at_db) in SIMULATED {
            for (lost, at_db) in [0.5, 0.1, 0.01].into_iter().zip(at_db) {
                let loss = |db: f64| {
                    let hazard = soft(constellation, code, ratio_from_db(db));
                    -libm::expm1(-hazard * 1458.0 * 8.0)
                };
                assert!(loss(at_db - 0.2) > lost, "{constellation:?} {code:?} {lost}");
                assert!(loss(at_db + 0.2) < lost, "{constellation:?} {code:?} {lost}");
            }
        }
    }

    /// The SNR at which one packet in ten is lost, dB.
    fn threshold_db(hazard: impl Fn(f64) -> f64) -> f64 {
        let lost = |db: f64| -libm::expm1(-hazard(ratio_from_db(db)) * 1458.0 * 8.0);
        let tenths = (-50..500).map(|tenth| f64::from(tenth) / 10.0);
        tenths.into_iter().find(|&db| lost(db) < 0.1).expect("some SNR is enough")
    }

    #[test]
    fn hard_decisions_need_three_to_five_decibels_more() {
        for (constellation, code, _) in SIMULATED {
            let soft = threshold_db(|sinr| soft(constellation, code, sinr));
            let hard = threshold_db(|sinr| nist(constellation, code, sinr));
            assert!(
                (3.0..5.0).contains(&(hard - soft)),
                "{constellation:?} {code:?}: {soft} {hard}"
            );
        }
    }

    /// 16-QAM has amplitudes -3, -1, 1, 3 with labels 00, 01, 11, 10. The first bit of the inner two is a step from the other, of
    /// the outer two two steps; the second bit always a step.
    #[test]
    fn the_parameter_of_a_bit_is_worked_by_hand() {
        let sinr = 10.0;
        let by_hand = 0.75 * (-0.1_f64 * sinr).exp() + 0.25 * (-0.4_f64 * sinr).exp();
        assert!((bhattacharyya(Constellation::Qam16, sinr) - by_hand).abs() < 1e-12);
        assert!((bhattacharyya(Constellation::Qpsk, 2.0) - (-1.0_f64).exp()).abs() < 1e-12);
    }
}
