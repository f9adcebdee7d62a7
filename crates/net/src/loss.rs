//! Losses on a wire: at random, in bursts, or exactly the packets that a list names.

use base::{FlowId, Rng, Span, Time};

/// Each packet is lost with the same probability, independently.
#[derive(Clone, Debug)]
pub struct RandomLoss {
    /// Probability of loss, 0 to 1.
    pub p: f64,
    /// The link's own stream.
    pub rng: Rng,
}

impl RandomLoss {
    /// Draws the fate of one packet.
    pub fn loses(&mut self) -> bool {
        self.p > 0.0 && self.rng.chance(self.p)
    }
}

/// Bursts of loss: a good and a bad state with exponential sojourns, each with its probability (Gilbert 1960,
/// Elliott 1963).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BurstConfig {
    /// Mean sojourn in the good state and in the bad.
    pub means: [Span; 2],
    /// Probability that a packet is lost in the good state and in the bad.
    pub loss: [f64; 2],
    /// Bit error rate in the good state and in the bad, in addition. One error loses the packet.
    pub bit_errors: [f64; 2],
}

/// Such bursts at work.
#[derive(Clone, Debug)]
pub struct Bursts {
    config: BurstConfig,
    bad: bool,
    /// Time of the next change of state.
    until: Time,
    rng: Rng,
}

impl Bursts {
    /// In the stationary state at time zero.
    pub fn new(config: BurstConfig, mut rng: Rng) -> Bursts {
        let [good, bad] = config.means.map(Span::as_secs);
        let bad = rng.chance(bad / (good + bad));
        let until = Time::ZERO + sojourn(&mut rng, config.means[usize::from(bad)]);
        Bursts { config, bad, until, rng }
    }

    /// Draws the fate of a packet of `bytes` whose transmission begins at `at`, not before any asked for earlier.
    pub fn loses(&mut self, at: Time, bytes: u32) -> bool {
        while self.until <= at {
            self.bad = !self.bad;
            self.until += sojourn(&mut self.rng, self.config.means[usize::from(self.bad)]);
        }
        let state = usize::from(self.bad);
        let (mut lost, bit_errors) = (self.config.loss[state], self.config.bit_errors[state]);
        if bit_errors > 0.0 {
            let bits = 8.0 * f64::from(bytes);
            lost = 1.0 - (1.0 - lost) * libm::pow(1.0 - bit_errors, bits);
        }
        self.rng.chance(lost)
    }
}

fn sojourn(rng: &mut Rng, mean: Span) -> Span {
    // At least a nanosecond, so that time moves.
    Span(Span::from_secs(rng.exp1() * mean.as_secs()).0.max(1))
}

/// Drops exactly the n-th, m-th, ... packet of one flow entering a link, counted from 0 (a SYN counts).
#[derive(Clone, Debug)]
pub struct DropList {
    flow: FlowId,
    ordinals: Vec<u64>,
    seen: u64,
}

impl DropList {
    /// A list for `flow`; order and repetition of `ordinals` do not matter.
    pub fn new(flow: FlowId, mut ordinals: Vec<u64>) -> DropList {
        ordinals.sort_unstable();
        DropList { flow, ordinals, seen: 0 }
    }

    /// Counts a packet of `flow`; true where the list names it.
    pub fn drops(&mut self, flow: FlowId) -> bool {
        if flow != self.flow {
            return false;
        }
        let ordinal = self.seen;
        self.seen += 1;
        self.ordinals.binary_search(&ordinal).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::{Purpose, Seed};

    #[test]
    fn bursts_lose_as_often_and_as_long_as_they_say() {
        let means = [Span::millis(90), Span::millis(10)];
        let config = BurstConfig { means, loss: [0.0, 1.0], bit_errors: [0.0; 2] };
        let rng = Seed { seed: 1, replication: 0 }.stream(Purpose::LinkBursts, 0);
        let mut bursts = Bursts::new(config, rng);
        let fates: Vec<bool> =
            (0..1_000_000).map(|i| bursts.loses(Time(i * 1_000_000), 1000)).collect();
        let lost = fates.iter().filter(|&&lost| lost).count() as f64;
        let runs = fates.windows(2).filter(|pair| !pair[0] && pair[1]).count() as f64;
        // 10,000 cycles: a share of 0.1 within 4 standard deviations, 4 * 0.1 * sqrt(2 / 10,000).
        assert!((lost / 1e6 - 0.1).abs() < 0.006, "{lost}");
        // Seen each ms, the next packet is lost again with P = 0.1 + 0.9 exp(-1/9): runs of 1 / (1 - P) packets.
        let mean = 1.0 / (1.0 - (0.1 + 0.9 * libm::exp(-1.0 / 9.0)));
        assert!((lost / runs / mean - 1.0).abs() < 0.04, "{} against {mean}", lost / runs);
    }

    /// A packet survives where no event of a Bernoulli trial for it and none of its bits spoils it.
    #[test]
    fn bit_errors_lose_large_packets_more_often() {
        let means = [Span::millis(10), Span::millis(10)];
        let config = BurstConfig { means, loss: [0.1, 0.1], bit_errors: [1e-4, 1e-4] };
        for bytes in [40, 1000] {
            let rng = Seed { seed: 1, replication: 0 }.stream(Purpose::LinkBursts, 0);
            let mut bursts = Bursts::new(config, rng);
            let lost = (0..100_000).filter(|i| bursts.loses(Time(i * 1_000_000), bytes)).count();
            let expected = 1.0 - 0.9 * libm::exp(8.0 * f64::from(bytes) * libm::log(1.0 - 1e-4));
            // Four standard deviations of 100,000 trials, at most.
            assert!((lost as f64 / 1e5 - expected).abs() < 0.0064, "{bytes} B: {lost}");
        }
    }

    #[test]
    fn names_packets_of_its_flow_only() {
        let mut list = DropList::new(FlowId(1), vec![2, 0]);
        let fates: Vec<bool> =
            [1, 0, 1, 1, 1].into_iter().map(|flow| list.drops(FlowId(flow))).collect();
        assert_eq!(fates, [true, false, false, true, false]);
    }
}
