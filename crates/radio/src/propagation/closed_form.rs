//! Means of shadowing and fading.

use libm::{erfc, exp, sqrt};

/// Share of frames above a threshold under log-normal shadowing: Q((threshold - mean) / sigma), all in dB
/// (Rappaport, Wireless Communications, 2nd edition, section 4.9).
pub fn shadowed_share(mean_dbm: f64, sigma_db: f64, threshold_dbm: f64) -> f64 {
    let margin = (threshold_dbm - mean_dbm) / sigma_db;
    0.5 * erfc(margin / std::f64::consts::SQRT_2)
}

/// Share of time in which power is below `threshold` times its mean under Rician fading: 1 - Q1(sqrt(2K),
/// sqrt(2 (K+1) threshold)) (Simon and Alouini 2005, chapter 2); Rayleigh, K = 0: 1 - e^-threshold.
///
/// Marcum's Q by its Poisson mixture: with j direct counts the power is gamma of order j + 1.
pub fn rician_outage(k_factor: f64, threshold: f64) -> f64 {
    let y = (k_factor + 1.0) * threshold;
    let mut weight = exp(-k_factor);
    let mut term = exp(-y);
    let (mut tail, mut sum) = (term, 0.0);
    let last = (k_factor + 12.0 * sqrt(k_factor) + 40.0) as u32;
    for j in 0..last {
        sum += weight * (1.0 - tail);
        let next = f64::from(j + 1);
        weight *= k_factor / next;
        term *= y / next;
        tail += term;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rayleigh_is_the_rician_without_a_direct_path() {
        for x in [0.001, 0.1, 1.0, 3.0] {
            assert!((rician_outage(0.0, x) - (1.0 - exp(-x))).abs() < 1e-12);
        }
    }

    /// Marcum's Q1(2, 2) = 0.603501 and Q1(2, 3) = 0.214362 by quadrature of x exp(-(x^2 + 4)/2) I0(2x); with K = 2 the
    /// thresholds are 4/6 and 9/6.
    #[test]
    fn rician_outage_is_marcums_q() {
        for (b, q) in [(2.0_f64, 0.603500961), (3.0, 0.214362088)] {
            let got = 1.0 - rician_outage(2.0, b * b / 6.0);
            assert!((got - q).abs() < 1e-6, "{b}: {got}");
        }
    }

    /// janevski2011 at 914 MHz (analytic.json): 50 m 0.99771, 100 m 0.78916.
    #[test]
    fn janevski_frames_arrive_as_the_closed_form_says() {
        let threshold_dbm = crate::noise::dbm_from_w(3.652e-10);
        assert!((shadowed_share(-53.033, 4.0, threshold_dbm) - 0.997_712).abs() < 1e-5);
        assert!((shadowed_share(-61.161, 4.0, threshold_dbm) - 0.789_157).abs() < 1e-4);
    }
}
