//! Noise with a long memory.

/// Fractional Gaussian noise of variance 1 from independent standard normal numbers, by Hosking's recursion (Hosking
/// 1984; Durbin and Levinson's): the n-th value depends on the first n numbers alone, so a longer series begins with a
/// shorter one. It takes n^2 steps.
///
/// `hurst` is between 0.5 (white) and 1.
pub fn fractional(normals: &[f64], hurst: f64) -> Vec<f64> {
    let covariance = covariances(hurst, normals.len());
    let mut noise: Vec<f64> = Vec::with_capacity(normals.len());
    // The weights of the values before, the newest first, by which the next is predicted; and the error's variance.
    let (mut weights, mut before) = (Vec::with_capacity(normals.len()), Vec::new());
    let mut variance = 1.0;
    for &normal in normals {
        let n = noise.len();
        if n > 0 {
            let seen: f64 = weights.iter().zip(covariance[1..n].iter().rev()).map(product).sum();
            let partial = (covariance[n] - seen) / variance;
            before.clone_from(&weights);
            for (weight, other) in weights.iter_mut().zip(before.iter().rev()) {
                *weight -= partial * other;
            }
            weights.push(partial);
            variance *= 1.0 - partial * partial;
        }
        let mean: f64 = weights.iter().zip(noise.iter().rev()).map(product).sum();
        noise.push(mean + normal * f64::sqrt(variance));
    }
    noise
}

fn product((a, b): (&f64, &f64)) -> f64 {
    a * b
}

/// Autocovariances at the lags 0 to `n`: (|k + 1|^2H - 2 |k|^2H + |k - 1|^2H) / 2 (Mandelbrot and Van Ness 1968).
fn covariances(hurst: f64, n: usize) -> Vec<f64> {
    let power = |k: f64| libm::pow(k, 2.0 * hurst);
    let at = |k: f64| (power(k + 1.0) - 2.0 * power(k) + power((k - 1.0).abs())) / 2.0;
    (0..=n).map(|k| at(k as f64)).collect()
}

/// A first-order autoregressive series of variance 1 whose memory falls to 1/e over `lasts` values.
pub fn fading(normals: &[f64], lasts: f64) -> Vec<f64> {
    let keeps = libm::exp(-1.0 / lasts);
    let takes = f64::sqrt(1.0 - keeps * keeps);
    let step = |last: &mut f64, &normal: &f64| {
        *last = keeps * *last + takes * normal;
        Some(*last)
    };
    // The first is drawn from the stationary law.
    let first = normals.first().map_or(0.0, |normal| normal * (1.0 - takes) / keeps);
    normals.iter().scan(first, step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::{Purpose, Seed};

    fn normals(owner: u64, n: usize) -> Vec<f64> {
        let keyed = Seed { seed: 1, replication: 0 }.keyed(Purpose::App, owner);
        (0..n as u64).map(|i| keyed.normal(i)).collect()
    }

    /// Sample covariances about the true mean, over 400 series of 200: each is a mean over 400 independent series, whose
    /// own values have a standard deviation below 1, for near lags far below.
    fn covariance(make: impl Fn(&[f64]) -> Vec<f64>, lag: usize) -> f64 {
        let of_one = |owner| {
            let series = make(&normals(owner, 200));
            let products = series.iter().zip(&series[lag..]).map(product);
            products.sum::<f64>() / (200 - lag) as f64
        };
        (0..400).map(of_one).sum::<f64>() / 400.0
    }

    #[test]
    fn fractional_noise_has_its_covariances() {
        for hurst in [0.5, 0.8, 0.9] {
            let expected = covariances(hurst, 100);
            for lag in [0, 1, 2, 10, 50] {
                let found = covariance(|normals| fractional(normals, hurst), lag);
                assert!((found - expected[lag]).abs() < 0.06, "H {hurst}, lag {lag}: {found}");
            }
        }
    }

    #[test]
    fn fading_noise_has_its_covariances_from_the_start() {
        for lag in [0, 1, 5, 20] {
            let found = covariance(|normals| fading(normals, 10.0), lag);
            let expected = (-(lag as f64) / 10.0).exp();
            assert!((found - expected).abs() < 0.04, "lag {lag}: {found}");
        }
        let first = |owner| fading(&normals(owner, 1), 10.0)[0].powi(2);
        let variance = (0..4000).map(first).sum::<f64>() / 4000.0;
        assert!((variance - 1.0).abs() < 4.0 * (2.0_f64 / 4000.0).sqrt(), "{variance}");
    }

    #[test]
    fn a_longer_series_begins_with_a_shorter_one() {
        let numbers = normals(0, 300);
        let (long, short) = (fractional(&numbers, 0.8), fractional(&numbers[..100], 0.8));
        assert_eq!(long[..100], short);
    }
}
