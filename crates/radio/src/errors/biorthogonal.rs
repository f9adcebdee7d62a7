//! Symbol errors of 16 biorthogonal signals, which CCK's symbols are taken for.
//!
//! The probability is an integral without a closed form, of 200,000 instructions. Its logarithm is smooth, so it is shipped as
//! Chebyshev series; a test works them out from the integral.

use crate::fec::hazard;
use libm::{erfc, exp, sqrt};

/// Width of the range of a series.
const WIDTH: f64 = 4.0;
const TERMS: usize = 15;

/// By range of b = sqrt(2 Es/N0): the coefficients of ln(hazard) + b^2/4.
const SERIES: [[f64; TERMS]; 4] = [
    [
        0.490_592_471_481_1,
        -0.332_132_048_219_3,
        0.161_213_460_433_0,
        -0.037_210_838_959_8,
        -0.000_836_266_853_8,
        0.000_643_909_945_8,
        0.000_111_294_666_9,
        -0.000_006_308_396_7,
        -0.000_005_579_113_8,
        -0.000_000_691_341_9,
        0.000_000_135_971_0,
        0.000_000_058_926_8,
        0.000_000_004_315_2,
        -0.000_000_002_224_9,
        -0.000_000_000_695_8,
    ],
    [
        0.144_947_418_218_1,
        -0.170_727_258_469_4,
        -0.027_242_334_202_8,
        0.006_667_717_141_7,
        0.000_171_534_291_7,
        -0.000_356_966_027_3,
        0.000_074_370_252_0,
        -0.000_004_293_712_3,
        -0.000_001_547_768_2,
        0.000_000_570_324_8,
        -0.000_000_086_334_3,
        -0.000_000_006_964_0,
        0.000_000_006_750_4,
        -0.000_000_001_261_9,
        -0.000_000_000_062_4,
    ],
    [
        -0.247_025_087_370_1,
        -0.192_500_330_118_3,
        0.008_060_866_552_6,
        -0.000_118_922_812_0,
        -0.000_094_534_165_4,
        0.000_026_659_198_5,
        -0.000_004_364_890_2,
        0.000_000_380_392_1,
        0.000_000_016_249_6,
        -0.000_000_010_905_6,
        0.000_000_001_583_0,
        -0.000_000_000_051_1,
        -0.000_000_000_021_1,
        0.000_000_000_003_8,
        -0.000_000_000_000_1,
    ],
    [
        -0.577_475_485_935_8,
        -0.140_733_946_763_0,
        0.004_856_204_344_1,
        -0.000_218_819_346_1,
        0.000_010_703_207_1,
        -0.000_000_486_509_1,
        0.000_000_005_412_8,
        0.000_000_004_554_8,
        -0.000_000_001_194_3,
        0.000_000_000_216_7,
        -0.000_000_000_031_1,
        0.000_000_000_003_5,
        -0.000_000_000_000_3,
        0.000_000_000_000_0,
        0.000_000_000_000_0,
    ],
];

/// Hazard of a symbol, -ln(1 - P): within 2e-10 of the integral, relatively.
///
/// P = 1 - Pc, Pc = integral over v > -b of (2 Phi(v + b) - 1)^7 phi(v), b = sqrt(2 Es/N0) (Proakis, Digital Communications,
/// 4th ed., eq. 5.2-34, M = 16). Where less than one symbol in 1e28 is wrong, the union bound of the 14 neighbours and the
/// opposite signal is as near.
pub fn symbol_hazard(es_n0: f64) -> f64 {
    let b = sqrt(2.0 * es_n0);
    // Casts of floats saturate.
    let Some(series) = SERIES.get((b / WIDTH) as usize) else {
        return hazard(7.0 * erfc(b / 2.0) + 0.5 * erfc(b / std::f64::consts::SQRT_2));
    };
    let within = b / WIDTH - (b / WIDTH).trunc();
    exp(sum(series, 2.0 * within - 1.0) - b * b / 4.0)
}

/// A Chebyshev series at x, by Clenshaw's recurrence.
fn sum(coefficients: &[f64], x: f64) -> f64 {
    let (mut one, mut two) = (0.0, 0.0);
    for coefficient in coefficients.iter().skip(1).rev() {
        (one, two) = (2.0 * x * one - two + coefficient, one);
    }
    x * one - two + coefficients[0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use libm::{cos, expm1, log, log1p};
    use std::f64::consts::{PI, SQRT_2, TAU};

    /// 1 - Pc by Simpson's rule. The complement is integrated, so that small probabilities keep their digits.
    fn integral(b: f64) -> f64 {
        const PANELS: u32 = 1024;
        const OTHERS: f64 = 7.0;
        let wrong = |v: f64| {
            let miss = erfc((v + b) / SQRT_2);
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
        let among_neighbours = sum * step / 3.0 / sqrt(TAU);
        (among_neighbours + 0.5 * erfc(b / SQRT_2)).min(1.0 - 1.0 / 16.0)
    }

    /// The coefficients for a range, by interpolation at Chebyshev's points.
    fn coefficients(range: usize) -> [f64; TERMS] {
        let angle = |k: usize| PI * (k as f64 + 0.5) / TERMS as f64;
        let at = |k: usize| {
            let b = WIDTH * (range as f64 + (1.0 + cos(angle(k))) / 2.0);
            log(hazard(integral(b))) + b * b / 4.0
        };
        let values: [f64; TERMS] = std::array::from_fn(at);
        std::array::from_fn(|j| {
            let waves = values.iter().enumerate();
            let sum: f64 = waves.map(|(k, value)| value * cos(j as f64 * angle(k))).sum();
            sum * if j == 0 { 1.0 } else { 2.0 } / TERMS as f64
        })
    }

    #[test]
    fn the_series_are_those_of_the_integral() {
        let found: [_; SERIES.len()] = std::array::from_fn(coefficients);
        let pairs = found.as_flattened().iter().zip(SERIES.as_flattened());
        let off = pairs.map(|(found, shipped)| (found - shipped).abs()).fold(0.0, f64::max);
        assert!(off < 1e-12, "{found:.13?}");
    }

    #[test]
    fn the_hazard_is_that_of_the_integral() {
        for step in 0..=720 {
            let b = f64::from(step) / 40.0;
            let (found, wanted) = (symbol_hazard(b * b / 2.0), hazard(integral(b)));
            assert!((found / wanted - 1.0).abs() < 3e-10, "{b}: {found} {wanted}");
        }
    }

    /// Limits of the integral: no signal leaves a guess among 16; a strong one is bounded by the union of 14 neighbours
    /// and the opposite one, which counts errors that fall together twice.
    #[test]
    fn biorthogonal_errors_meet_their_limits() {
        assert!((symbol_hazard(0.0) - hazard(15.0 / 16.0)).abs() < 1e-9);
        let es_n0 = 20.0;
        let q = |x: f64| 0.5 * erfc(x / SQRT_2);
        let union = 14.0 * q(sqrt(es_n0)) + q(sqrt(2.0 * es_n0));
        let got = -expm1(-symbol_hazard(es_n0));
        assert!(got < union && got > 0.95 * union, "{got} against {union}");
    }
}
