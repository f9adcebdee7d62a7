//! One keyed random stream for each (seed, purpose, owner).
//!
//! Adding a station or a link moves nobody else's draws, and two variants compared at the same seed see the
//! same channel (common random numbers). Xoshiro256++ is named, so the bytes are the same on every machine;
//! its state is taken from ChaCha8 keyed by (seed, replication, purpose, owner), so streams do not overlap in
//! practice.

use rand_chacha::ChaCha8Rng;
use rand_core::{RngCore, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The purpose of a stream. The numbers are part of the results: never reuse or renumber one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum Purpose {
    /// Backoff draws of one station.
    Backoff = 1,
    /// State sojourns of one channel.
    ChannelState = 2,
    /// Error draws of one channel.
    ChannelError = 3,
    /// Random loss on one wired link.
    LinkLoss = 4,
    /// Times and sizes of one application.
    App = 5,
    /// Shadowing of one path.
    Shadowing = 40,
    /// Fading of one path.
    Fading = 41,
    /// Movement of one node.
    Mobility = 42,
    /// Rates at which one station looks around.
    RateControl = 43,
    /// Advertisements of one mobility agent.
    Advertisement = 44,
    /// The instant at which one mobile node begins to ask for agents.
    Solicitation = 45,
    /// Slots that one station loses in counting (ns-2).
    LostSlot = 46,
    /// Draws of one wired link's queue discipline.
    LinkQueue = 47,
    /// Draws of one station's queue discipline.
    StationQueue = 48,
    /// The instants at which one router sends.
    Routing = 49,
    /// The content of one page of one user.
    Page = 50,
    /// Backoffs of one 802.16 station's bandwidth requests.
    Request = 51,
    /// Ranging backoffs of one 802.16 station that enters the network.
    Ranging = 52,
    /// Backoffs of one station of a shared LAN.
    LanBackoff = 60,
    /// Draws of the queue discipline of one LAN station.
    LanQueue = 61,
    /// Losses at clusterheads.
    ClusterheadError = 62,
    /// States and losses of one wired link that loses in bursts.
    LinkBursts = 63,
    /// Draws of the laws of one flow's connections.
    Law = 64,
    /// States and losses of one shared LAN that loses in bursts.
    LanBursts = 65,
    /// Backoff draws of one access function of a station (EDCA).
    AccessBackoff = 66,
    /// Delays of each packet's own on one wired link.
    LinkJitter = 67,
}

/// The root of all randomness of one replication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seed {
    /// The user's seed.
    pub seed: u64,
    /// The replication, from 0.
    pub replication: u64,
}

impl Seed {
    /// The stream for `purpose`, owned by the `owner`-th link, station, flow, ...
    pub fn stream(self, purpose: Purpose, owner: u64) -> Rng {
        let mut key = [0_u8; 32];
        let words = [self.seed, self.replication, purpose as u64, owner];
        for (place, word) in key.chunks_exact_mut(8).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        let mut state = [0_u8; 32];
        ChaCha8Rng::from_seed(key).fill_bytes(&mut state);
        Rng(Xoshiro256PlusPlus::from_seed(state))
    }
}

/// A stream of random numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// 64 random bits.
    pub(crate) fn word(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Uniform on [0, 1), in steps of 2^-53.
    pub fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// Uniform on 0..n, exactly (Lemire 2019, with rejection). `n` is at least 1.
    pub fn below(&mut self, n: u32) -> u32 {
        loop {
            let draw = u64::from((self.0.next_u64() >> 32) as u32) * u64::from(n);
            let low = draw as u32;
            if low >= n || low >= n.wrapping_neg() % n {
                return (draw >> 32) as u32;
            }
        }
    }

    /// Puts items in a random order (Fisher and Yates; Durstenfeld 1964).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u32 + 1) as usize);
        }
    }

    /// True with probability `p`.
    pub fn chance(&mut self, p: f64) -> bool {
        self.unit() < p
    }

    /// Exponential with mean 1 (inverse CDF, portable `libm` logarithm).
    #[inline]
    pub fn exp1(&mut self) -> f64 {
        -libm::log(1.0 - self.unit())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEED: Seed = Seed { seed: 1, replication: 0 };

    #[test]
    fn a_stream_depends_on_each_part_of_its_key() {
        let first = |seed: Seed, purpose, owner| seed.stream(purpose, owner).0.next_u64();
        let one = first(SEED, Purpose::Backoff, 0);
        assert_eq!(one, first(SEED, Purpose::Backoff, 0));
        assert_ne!(one, first(SEED, Purpose::Backoff, 1));
        assert_ne!(one, first(SEED, Purpose::App, 0));
        assert_ne!(one, first(Seed { replication: 1, ..SEED }, Purpose::Backoff, 0));
        assert_ne!(one, first(Seed { seed: 2, ..SEED }, Purpose::Backoff, 0));
    }

    /// Pins the bytes: a new version of a generator crate may not move published results.
    #[test]
    fn the_first_draws_are_pinned() {
        let mut rng = SEED.stream(Purpose::Backoff, 0);
        let draws: Vec<u32> = (0..6).map(|_| rng.below(1024)).collect();
        assert_eq!(draws, PINNED);
    }
    const PINNED: [u32; 6] = [990, 469, 416, 418, 891, 1015];

    #[test]
    fn below_is_uniform_and_in_range() {
        let mut rng = SEED.stream(Purpose::Backoff, 7);
        let mut counts = [0_u32; 31];
        for _ in 0..310_000 {
            counts[rng.below(31) as usize] += 1;
        }
        // Chi-square with 30 degrees of freedom: 99.9 % quantile is 59.7.
        let chi2: f64 = counts.iter().map(|&c| (f64::from(c) - 1e4).powi(2) / 1e4).sum();
        assert!(chi2 < 59.7, "chi2 = {chi2}");
    }

    #[test]
    fn exp1_has_mean_and_variance_one() {
        let mut rng = SEED.stream(Purpose::App, 3);
        let n = 200_000;
        let (mut sum, mut squares) = (0.0, 0.0);
        for _ in 0..n {
            let x = rng.exp1();
            assert!(x >= 0.0 && x.is_finite());
            sum += x;
            squares += x * x;
        }
        let mean = sum / f64::from(n);
        // Five standard errors of the mean (1/sqrt n) and of the variance (sqrt(8/n)).
        assert!((mean - 1.0).abs() < 0.0112, "mean {mean}");
        assert!((squares / f64::from(n) - mean * mean - 1.0).abs() < 0.032);
    }
}
