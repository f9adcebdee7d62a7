//! Random numbers by index: a pure function of a key and a number, with no state to advance.
//!
//! Shadowing, fading and movement are functions of time. Drawn by index, the value at an instant does not
//! depend on earlier questions: probes cannot influence, and two variants meet the same channel.

use crate::normal::{normal, unit};
use crate::rng::{Purpose, Seed};

/// 2^64 divided by the golden ratio, odd: the step of SplitMix64 (Steele, Lea and Flood 2014).
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A family of random numbers, one for each index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keyed(u64);

impl Seed {
    /// The numbers for `purpose`, owned by the `owner`-th link, node, ...
    pub fn keyed(self, purpose: Purpose, owner: u64) -> Keyed {
        Keyed(self.stream(purpose, owner).word())
    }

    /// The numbers of the path between two nodes, the same in both directions.
    pub fn keyed_pair(self, purpose: Purpose, a: u32, b: u32) -> Keyed {
        self.keyed(purpose, u64::from(a.min(b)) << 32 | u64::from(a.max(b)))
    }
}

impl Keyed {
    /// 64 random bits.
    pub fn word(self, index: u64) -> u64 {
        mix(self.0.wrapping_add(index.wrapping_add(1).wrapping_mul(STEP)))
    }

    /// Uniform on [0, 1), in steps of 2^-53.
    pub fn unit(self, index: u64) -> f64 {
        unit(self.word(index))
    }

    /// Exponential with mean 1.
    pub fn exp1(self, index: u64) -> f64 {
        -libm::log(1.0 - self.unit(index))
    }

    /// Two independent standard normal numbers (Box and Muller 1958).
    pub fn normal_pair(self, index: u64) -> (f64, f64) {
        let word = self.word(index);
        let radius = libm::sqrt(-2.0 * libm::log(1.0 - unit(word)));
        // A second pass through the mixer: the word's own bits are spent on the radius.
        let angle = std::f64::consts::TAU * unit(mix(word ^ STEP));
        (radius * libm::cos(angle), radius * libm::sin(angle))
    }

    /// A standard normal number.
    #[inline]
    pub fn normal(self, index: u64) -> f64 {
        let word = self.word(index);
        // Where one word is not enough: SplitMix64 from there on.
        let mut state = word;
        normal(word, || {
            state = state.wrapping_add(STEP);
            mix(state)
        })
    }
}

/// SplitMix64's output function.
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEED: Seed = Seed { seed: 1, replication: 0 };

    /// SplitMix64 from state 0: the published first outputs (Vigna's reference, prng.di.unimi.it).
    #[test]
    fn the_words_are_splitmix64() {
        let zero = Keyed(0);
        let words = [zero.word(0), zero.word(1), zero.word(2)];
        assert_eq!(words, [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f]);
    }

    #[test]
    fn a_pair_is_the_same_in_both_directions_and_no_other() {
        let pair = |a, b| SEED.keyed_pair(Purpose::Fading, a, b);
        assert_eq!(pair(3, 8), pair(8, 3));
        assert_ne!(pair(3, 8), pair(3, 9));
        assert_ne!(pair(3, 8), SEED.keyed_pair(Purpose::Shadowing, 3, 8));
    }

    #[test]
    fn normals_have_mean_zero_variance_one_and_the_right_tail() {
        let (key, n) = (SEED.keyed(Purpose::Fading, 1), 200_000_u32);
        let (mut sum, mut squares, mut product, mut tail) = (0.0, 0.0, 0.0, 0_u32);
        for i in 0..n {
            let (x, y) = key.normal_pair(u64::from(i));
            sum += x + y;
            squares += x * x + y * y;
            product += x * y;
            tail += u32::from(x > 2.0);
        }
        let n = f64::from(n);
        // Five standard errors each; P(x > 2) = 0.022750.
        assert!((sum / (2.0 * n)).abs() < 5.0 / libm::sqrt(2.0 * n));
        assert!((squares / (2.0 * n) - 1.0).abs() < 5.0 / libm::sqrt(n));
        assert!((product / n).abs() < 5.0 / libm::sqrt(n));
        assert!((f64::from(tail) / n - 0.022_75).abs() < 5.0 * 0.149 / libm::sqrt(n));
    }
}
