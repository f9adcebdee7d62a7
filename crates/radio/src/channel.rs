//! Channels that lose frames: lazy functions of time that schedule nothing.
//!
//! A channel keeps a budget drawn from Exp(1). Bits spend it at the rate of their hazard, -ln(1 - BER), and the
//! frame on which it runs out is lost: exactly the law of independent bit errors, with no exponential a frame.
//! The state of a chain is advanced through a frame, so errors meet the state of their own instant.

use crate::chain::Sampling;
use crate::config::{ChannelConfig, FecModel};
use crate::fec::{Code, hazard};
use base::{Purpose, Rng, Seed, Span, Time};
use std::collections::VecDeque;

/// The part of a frame that errors can hit: a payload, and before it a header where errors hit that too.
#[derive(Clone, Copy, Debug)]
pub struct Burst {
    /// First bit of the payload.
    pub start: Time,
    /// End of the last bit.
    pub end: Time,
    /// Number of bits, spread evenly over the time.
    pub bits: u64,
    /// Bits of data in it where it is protected by the code given beside it.
    pub data_bits: u64,
    /// The header, from its own start to the payload's.
    pub header: Option<HeaderBits>,
}

/// A header before a payload.
#[derive(Clone, Copy, Debug)]
pub struct HeaderBits {
    /// First bit.
    pub start: Time,
    /// Number of bits, spread evenly up to the payload's start.
    pub bits: u64,
}

/// A change of state.
#[derive(Clone, Copy, Debug)]
struct Change {
    at: Time,
    /// The state before it.
    from: usize,
    /// The state after it.
    to: usize,
}

/// One channel at work.
#[derive(Clone, Debug)]
pub struct Channel {
    config: ChannelConfig,
    /// Hazard of an uncoded bit, by state.
    bit_hazard: Box<[f64]>,
    /// Hazard of any frame whatever its bits, by state at its first instant.
    frame_hazard: Box<[f64]>,
    state: usize,
    /// Time of the next change of state.
    until: Time,
    /// Past changes, newest last, kept as long as the feedback may look back and bursts may overlap.
    changes: VecDeque<Change>,
    remember: Span,
    /// Number of changes ahead of a state that has been set back, and the change behind them all.
    ahead: (usize, Time),
    budget: f64,
    state_rng: Rng,
    error_rng: Rng,
}

impl Channel {
    /// The channel of `owner`, in its stationary state at time zero. [`Channel::was_bad`] can look back `remember`, and a burst
    /// may begin so much before the end of one that was asked for earlier.
    pub fn new(config: ChannelConfig, seed: Seed, owner: u64, remember: Span) -> Channel {
        let mut state_rng = seed.stream(Purpose::ChannelState, owner);
        let mut error_rng = seed.stream(Purpose::ChannelError, owner);
        let budget = error_rng.exp1();
        let (mut state, mut until) = (0, Time::NEVER);
        if let ChannelConfig::Markov(chain) = &config {
            state = chain.draw(&mut state_rng);
            until = Time::ZERO + sojourn(&mut state_rng, chain.states[state].mean);
        }
        Channel {
            bit_hazard: config.bit_error_rates().into_iter().map(hazard).collect(),
            frame_hazard: config.frame_losses().into_iter().map(hazard).collect(),
            config,
            state,
            until,
            changes: VecDeque::new(),
            remember,
            ahead: (0, Time::NEVER),
            budget,
            state_rng,
            error_rng,
        }
    }

    /// Draws the fate of a burst: true where it is lost. Bursts are asked for in the order of their ends.
    #[inline]
    pub fn loses(&mut self, burst: &Burst, code: Option<&mut Code>) -> bool {
        let spent = self.hazard(burst, code);
        self.spend(spent)
    }

    /// The same, where [`Channel::steady_hazards`] of this channel or of one alike are known: those of many receivers of
    /// one frame.
    #[inline]
    pub fn loses_steadily(
        &mut self,
        burst: &Burst,
        steady: &[f64],
        code: Option<&mut Code>,
    ) -> bool {
        let stays = self.until >= burst.end;
        let spent = if stays { steady[self.state] } else { self.hazard(burst, code) };
        self.spend(spent)
    }

    /// Writes the hazard of a burst that lies wholly in one state, by state.
    pub fn steady_hazards(
        &self,
        burst: &Burst,
        mut code: Option<&mut Code>,
        steady: &mut Vec<f64>,
    ) {
        steady.clear();
        let states = 0..self.bit_hazard.len();
        steady.extend(states.map(|state| self.steady_hazard(burst, code.as_deref_mut(), state)));
    }

    #[inline]
    fn spend(&mut self, hazard: f64) -> bool {
        self.budget -= hazard;
        if self.budget > 0.0 {
            return false;
        }
        self.budget = self.error_rng.exp1();
        true
    }

    fn hazard(&mut self, burst: &Burst, code: Option<&mut Code>) -> f64 {
        let first = burst.header.map_or(burst.start, |header| header.start);
        if !self.changes.is_empty() {
            self.set_back(first);
        }
        self.advance(first);
        if self.samples_the_start() || self.until >= burst.end {
            return self.steady_hazard(burst, code, self.state);
        }
        let whole = self.frame_hazard[self.state];
        let Some(code) = code else {
            return whole + self.header_hazard(burst, None) + self.bits_hazard(burst, None);
        };
        let protection = code.config().protects_plcp.then(|| code.residual_hazard());
        let header = self.header_hazard(burst, protection);
        whole
            + header
            + match code.config().model {
                FecModel::ResidualBer => {
                    // What is left wrong counts in the decoded data: the parity is gone by then.
                    let decoded = Burst { bits: burst.data_bits, ..*burst };
                    self.bits_hazard(&decoded, Some(code.residual_hazard()))
                }
                FecModel::Block => self.blocks_hazard(burst, code),
            }
    }

    fn steady_hazard(&self, burst: &Burst, code: Option<&mut Code>, state: usize) -> f64 {
        let header = |per_bit: f64| burst.header.map_or(0.0, |header| header.bits as f64 * per_bit);
        let (bare, whole) = (self.bit_hazard[state], self.frame_hazard[state]);
        match (&self.config, code) {
            (ChannelConfig::Ideal, _) => 0.0,
            (ChannelConfig::Bernoulli { .. }, _) => whole,
            (_, None) => whole + header(bare) + burst.bits as f64 * bare,
            (_, Some(code)) => {
                let decoded = code.residual_hazard()[state];
                whole
                    + header(if code.config().protects_plcp { decoded } else { bare })
                    + match code.config().model {
                        FecModel::ResidualBer => burst.data_bits as f64 * decoded,
                        FecModel::Block => code.frame_hazard(burst.data_bits, state),
                    }
            }
        }
    }

    /// True where the state at `at` was not the good one. `at` lies no further back than the memory given at the start.
    /// `now` is not before any burst asked for so far.
    pub fn was_bad(&mut self, at: Time, now: Time) -> bool {
        self.advance(now);
        let passed = self.changes.iter().rev().skip(self.ahead.0);
        let first_later = passed.take_while(|change| change.at > at).last();
        first_later.map_or(self.state, |change| change.from) != 0
    }

    /// Moves the state to `now`.
    fn advance(&mut self, now: Time) {
        while self.until <= now {
            self.change();
        }
    }

    /// Sets the state back to `at`, where it has gone beyond: a burst began before another that has ended.
    fn set_back(&mut self, at: Time) {
        let passed = self.changes.iter().rev().skip(self.ahead.0);
        let back = passed.take_while(|change| change.at > at).count();
        if back > 0 {
            if self.ahead.0 == 0 {
                self.ahead.1 = self.until;
            }
            self.ahead.0 += back;
            let next = self.changes[self.changes.len() - self.ahead.0];
            (self.state, self.until) = (next.from, next.at);
        }
    }

    fn change(&mut self) {
        if self.ahead.0 > 0 {
            self.state = self.changes[self.changes.len() - self.ahead.0].to;
            self.ahead.0 -= 1;
            let next = self.changes.len() - self.ahead.0;
            self.until = self.changes.get(next).map_or(self.ahead.1, |change| change.at);
            return;
        }
        let ChannelConfig::Markov(chain) = &self.config else { return };
        let (from, at) = (self.state, self.until);
        self.state = chain.draw_next(from, &mut self.state_rng);
        self.until += sojourn(&mut self.state_rng, chain.states[self.state].mean);
        if self.remember > Span::ZERO {
            while self.changes.front().is_some_and(|old| at.since(old.at) > self.remember) {
                self.changes.pop_front();
            }
            self.changes.push_back(Change { at, from, to: self.state });
        }
    }

    fn samples_the_start(&self) -> bool {
        matches!(&self.config, ChannelConfig::Markov(chain) if chain.sampling == Sampling::FrameStart)
    }

    /// Hazard of the header's bits, uncoded where no other hazard of a bit is given.
    fn header_hazard(&mut self, burst: &Burst, per_bit: Option<&[f64]>) -> f64 {
        let Some(HeaderBits { start, bits }) = burst.header else { return 0.0 };
        let header = Burst { start, end: burst.start, bits, data_bits: bits, header: None };
        self.bits_hazard(&header, per_bit)
    }

    /// Hazard of independent bits, uncoded where no other hazard of a bit is given, by state.
    fn bits_hazard(&mut self, burst: &Burst, per_bit: Option<&[f64]>) -> f64 {
        if self.until >= burst.end {
            return burst.bits as f64 * per_bit.unwrap_or(&self.bit_hazard)[self.state];
        }
        let per_ns = burst.bits as f64 / (burst.end - burst.start).0 as f64;
        let (mut at, mut sum) = (burst.start, 0.0);
        loop {
            let part = self.until.min(burst.end) - at;
            sum += part.0 as f64 * per_ns * per_bit.unwrap_or(&self.bit_hazard)[self.state];
            if self.until >= burst.end {
                return sum;
            }
            at = self.until;
            self.change();
        }
    }

    /// Hazard of coded blocks, one after the other.
    fn blocks_hazard(&mut self, burst: &Burst, code: &mut Code) -> f64 {
        let layout = code.layout(burst.data_bits);
        let symbol_bits = f64::from(code.config().symbol_bits);
        let symbol_ns = (burst.end - burst.start).0 as f64 / burst.bits as f64 * symbol_bits;
        let n = code.config().n;
        let (mut sum, mut symbols_before) = (0.0, 0);
        for block in 0..=layout.full_blocks {
            let symbols = if block < layout.full_blocks { n } else { layout.last_block };
            if symbols == 0 {
                break;
            }
            let start = burst.start + Span((f64::from(symbols_before) * symbol_ns) as u64);
            sum += self.block_hazard(start, symbols, symbol_ns, code);
            symbols_before += symbols;
        }
        sum
    }

    /// Hazard of one block that begins at `start`; the state may change within it.
    fn block_hazard(&mut self, start: Time, symbols: u32, symbol_ns: f64, code: &mut Code) -> f64 {
        let end = start + Span((f64::from(symbols) * symbol_ns) as u64);
        self.advance(start);
        if self.until >= end {
            return code.block_hazard(symbols, self.state);
        }
        let mut groups = Vec::new();
        let (mut done, mut straddles) = (0, None);
        while self.until < end {
            let position = (self.until - start).0 as f64 / symbol_ns;
            let whole = (position as u32).min(symbols - 1);
            if whole > done {
                groups.push((whole - done, code.symbol_error(self.state)));
            }
            if whole >= done {
                straddles = Some((position - f64::from(whole), self.state));
                done = whole + 1;
            }
            self.change();
            // The symbol in which the state changes; a second change within it is below its length.
            if let Some((share, before)) = straddles.take() {
                groups.push((1, code.straddling_symbol_error((before, share), self.state)));
            }
        }
        if done < symbols {
            groups.push((symbols - done, code.symbol_error(self.state)));
        }
        code.mixed_hazard(&groups)
    }
}

fn sojourn(rng: &mut Rng, mean: Span) -> Span {
    // At least a nanosecond, so that time moves.
    Span(Span::from_secs(rng.exp1() * mean.as_secs()).0.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::{Chain, State};
    use std::sync::Arc;

    /// Counts the lost among 4,000 bursts; each meets the same states whether or not others were queried before.
    fn lost_in_any_order(chain: Chain) -> u32 {
        let config = ChannelConfig::Markov(Arc::new(chain));
        let ms = |ms: u64| Time(ms * 1_000_000);
        let burst = |start, end, bits| Burst { start, end, bits, data_bits: bits, header: None };
        let mut lost = 0;
        for seed in 0..20 {
            let seed = Seed { seed, replication: 0 };
            let channel = || Channel::new(config.clone(), seed, 1, Span::millis(50));
            let (mut plain, mut asked_ahead) = (channel(), channel());
            for i in 0..200 {
                let (start, end) = (ms(i * 30), ms(i * 30 + 20));
                for (from, to) in [(5, 9), (3, 12), (11, 19)] {
                    let empty = burst(start + Span::millis(from), start + Span::millis(to), 0);
                    asked_ahead.loses(&empty, None);
                }
                assert_eq!(asked_ahead.was_bad(start, end), plain.clone().was_bad(start, end));
                let whole = burst(start, end, 20_000);
                let fell = plain.loses(&whole, None);
                assert_eq!(asked_ahead.loses(&whole, None), fell);
                lost += u32::from(fell);
            }
        }
        lost
    }

    /// A long burst that ends behind a short one within it meets the states of its own instants: an empty burst, asked for
    /// before, changes nothing, whatever changes lie between.
    #[test]
    fn bursts_may_overlap_as_far_as_the_channel_remembers() {
        let means = [Span::millis(3), Span::millis(2)];
        let two = Chain::gilbert_elliott(means, [0.0, 1e-4], [0.0; 2], Sampling::EachBit);
        // A third state, and chance in what follows each.
        let mut three = two.clone();
        three.states.insert(1, State { ber: 2e-5, ..two.states[0].clone() });
        let next = [[0.0, 0.7, 0.3], [0.5, 0.0, 0.5], [0.2, 0.8, 0.0]];
        three.states.iter_mut().zip(next).for_each(|(state, next)| state.next = next.to_vec());
        for chain in [two, three] {
            let lost = lost_in_any_order(chain);
            assert!((500..3500).contains(&lost), "{lost}");
        }
    }
}
