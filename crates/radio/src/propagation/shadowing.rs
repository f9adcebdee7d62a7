//! Log-normal shadowing: fresh for each frame, or a smooth function of the way travelled and of time.
//!
//! Correlated shadowing follows Gudmundson (1991): the correlation falls by e over a decorrelation distance. Here it
//! is a first-order autoregression on a grid of 1/16 of that distance, whose innovations are drawn by index: the value
//! at a place of the way does not depend on when or how often it is asked for. Between grid points the two values
//! are mixed and scaled to unit variance. What it does not do: remember a place that is visited again by another way.

use base::{Keyed, Purpose, Seed, Span, Time};

/// Variation of shadowing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ShadowingConfig {
    /// None.
    Off,
    /// A new draw for each frame at each receiver (ns-2's Shadowing).
    Fresh {
        /// Standard deviation, dB.
        sigma_db: f64,
    },
    /// Correlated along the way and in time; both directions of a path share it.
    Correlated {
        /// Standard deviation, dB.
        sigma_db: f64,
        /// Distance over which the correlation falls by e, metres (Gudmundson: 5 to 500 m).
        distance_m: f64,
        /// Time over which it falls by e though nobody moves. `None`: never.
        time: Option<Span>,
    },
}

/// Grid points in a decorrelation distance.
const GRID: f64 = 16.0;
/// Grid points after which the past is forgotten: e^-25.
const MEMORY: u64 = 400;

/// The standard normal numbers of the fresh shadowing of one path.
#[derive(Clone, Copy, Debug)]
pub struct FreshNumbers(Keyed);

impl FreshNumbers {
    /// That of an instant.
    #[inline]
    pub fn at(self, now: Time) -> f64 {
        self.0.normal(now.0)
    }
}

/// The shadowing of one path between two nodes.
#[derive(Clone, Debug)]
pub struct Shadowing {
    config: ShadowingConfig,
    key: Keyed,
    /// The grid point before the last place asked for, and the values there and at the next one.
    at: u64,
    here: f64,
    next: f64,
}

impl Shadowing {
    /// Between nodes `a` and `b`.
    pub fn new(config: ShadowingConfig, seed: Seed, a: u32, b: u32) -> Shadowing {
        let key = seed.keyed_pair(Purpose::Shadowing, a, b);
        let here = key.normal(0);
        let mut shadowing = Shadowing { config, key, at: 0, here, next: 0.0 };
        shadowing.next = shadowing.after(here, 1);
        shadowing
    }

    /// Gain in dB at `now`, when the two nodes have travelled `travelled_m` in all, both together. Fresh shadowing is
    /// drawn by the instant, so a frame's start gives the same value whoever asks.
    #[inline]
    pub fn gain_db(&mut self, now: Time, travelled_m: f64) -> f64 {
        match self.config {
            ShadowingConfig::Off => 0.0,
            ShadowingConfig::Fresh { sigma_db } => sigma_db * self.fresh().at(now),
            ShadowingConfig::Correlated { sigma_db, distance_m, time } => {
                let in_time = time.map_or(0.0, |time| now.as_secs() / time.as_secs());
                sigma_db * self.on_grid((travelled_m / distance_m + in_time) * GRID)
            }
        }
    }

    /// The numbers of fresh shadowing.
    #[inline]
    pub fn fresh(&self) -> FreshNumbers {
        FreshNumbers(self.key)
    }

    fn on_grid(&mut self, place: f64) -> f64 {
        let index = place as u64;
        self.move_to(index);
        let within = place - index as f64;
        let (a, b) = (1.0 - within, within);
        let scale = libm::sqrt(a * a + b * b + 2.0 * a * b * step_correlation());
        (a * self.here + b * self.next) / scale
    }

    fn move_to(&mut self, index: u64) {
        if index < self.at || index - self.at > MEMORY {
            self.at = index.saturating_sub(MEMORY);
            self.here = self.key.normal(self.at);
            self.next = self.after(self.here, self.at + 1);
        }
        while self.at < index {
            self.at += 1;
            self.here = self.next;
            self.next = self.after(self.here, self.at + 1);
        }
    }

    /// The value at grid point `index` where the one before is `value`.
    fn after(&self, value: f64, index: u64) -> f64 {
        let correlation = step_correlation();
        correlation * value + libm::sqrt(1.0 - correlation * correlation) * self.key.normal(index)
    }
}

/// e^(-1/16).
fn step_correlation() -> f64 {
    libm::exp(-1.0 / GRID)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEED: Seed = Seed { seed: 5, replication: 0 };

    fn correlated(b: u32) -> Shadowing {
        let config = ShadowingConfig::Correlated { sigma_db: 6.0, distance_m: 20.0, time: None };
        Shadowing::new(config, SEED, 0, b)
    }

    #[test]
    fn correlation_falls_as_gudmundson_says() {
        let (paths, sigma2) = (20_000, 36.0);
        for (distance, tolerance) in [(0.0, 0.05), (5.0, 0.04), (20.0, 0.04), (60.0, 0.04)] {
            let start = 33.3;
            let product: f64 = (0..paths)
                .map(|b| {
                    let mut path = correlated(b);
                    let first = path.gain_db(Time::ZERO, start);
                    first * path.gain_db(Time::ZERO, start + distance)
                })
                .sum();
            let got = product / f64::from(paths) / sigma2;
            let expected = libm::exp(-distance / 20.0);
            assert!((got - expected).abs() < tolerance, "{distance} m: {got} {expected}");
        }
    }

    #[test]
    fn a_place_has_its_value_whoever_asks() {
        let (mut often, mut once, mut back) = (correlated(1), correlated(1), correlated(1));
        back.gain_db(Time::ZERO, 9000.0);
        let mut last = 0.0;
        for step in 0..=4000 {
            last = often.gain_db(Time::ZERO, f64::from(step) * 0.25);
        }
        assert!((last - once.gain_db(Time::ZERO, 1000.0)).abs() < 1e-9);
        assert!((last - back.gain_db(Time::ZERO, 1000.0)).abs() < 1e-9);
    }

    #[test]
    fn time_alone_can_decorrelate() {
        let time = Some(Span::secs(10));
        let config = ShadowingConfig::Correlated { sigma_db: 1.0, distance_m: 20.0, time };
        let mut path = Shadowing::new(config, SEED, 3, 4);
        let mut moving = path.clone();
        let at = Time::ZERO + Span::secs(25);
        // 25 s of a 10 s memory are like 50 m of a 20 m memory.
        let (waited, moved) = (path.gain_db(at, 0.0), moving.gain_db(Time::ZERO, 50.0));
        assert!((waited - moved).abs() < 1e-9);
    }

    #[test]
    fn fresh_draws_are_independent_and_normal() {
        let mut path = Shadowing::new(ShadowingConfig::Fresh { sigma_db: 4.0 }, SEED, 1, 2);
        let n = 50_000_u32;
        let draws: Vec<f64> =
            (0..n).map(|i| path.gain_db(Time(u64::from(i) * 1_000_000), 0.0)).collect();
        let mean = draws.iter().sum::<f64>() / f64::from(n);
        let variance = draws.iter().map(|x| x * x).sum::<f64>() / f64::from(n);
        let lagged = draws.windows(2).map(|w| w[0] * w[1]).sum::<f64>() / f64::from(n);
        assert!(mean.abs() < 0.09 && (variance - 16.0).abs() < 0.5 && lagged.abs() < 0.36);
    }
}
