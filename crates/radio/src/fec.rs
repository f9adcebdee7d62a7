//! Reed-Solomon codes: what they cost in airtime and what bounded-distance decoding leaves of the errors.
//!
//! A code corrects up to t = floor((n - k) / 2) symbol errors in a block and fails beyond that. Everything is
//! expressed as a *hazard*, -ln(probability of survival), so that parts of a frame add up.

use crate::config::FecConfig;

/// A code, ready for channels with these bit error rates.
#[derive(Clone, Debug)]
pub struct Code {
    config: FecConfig,
    /// Probability that a symbol is wrong, by state.
    symbol_error: Box<[f64]>,
    /// Hazard of each coded bit under the residual-bit-error model, by state.
    residual_hazard: Box<[f64]>,
    /// Hazard of a block by state and, within it, by its length in symbols (shortened blocks are shorter); NaN: not
    /// computed yet.
    block_hazard: Vec<f64>,
}

/// Layout of a frame in blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Full blocks of n symbols.
    pub full_blocks: u32,
    /// Symbols of the shortened last block; 0: there is none.
    pub last_block: u32,
}

impl Code {
    /// A code for channels with these bit error rates, by state.
    pub fn new(config: FecConfig, ber: &[f64]) -> Code {
        Code {
            config,
            symbol_error: ber.iter().map(|&p| symbol_error(p, config.symbol_bits)).collect(),
            residual_hazard: ber.iter().map(|&p| hazard(residual_ber(&config, p))).collect(),
            block_hazard: vec![f64::NAN; (config.n as usize + 1) * ber.len()],
        }
    }

    /// The parameters.
    pub fn config(&self) -> &FecConfig {
        &self.config
    }

    /// Lays out `bits` of data in full blocks and one shortened block for the rest.
    pub fn layout(&self, bits: u64) -> Layout {
        let FecConfig { n, k, symbol_bits, .. } = self.config;
        let symbols = bits.div_ceil(u64::from(symbol_bits)) as u32;
        let rest = symbols % k;
        Layout { full_blocks: symbols / k, last_block: if rest == 0 { 0 } else { rest + n - k } }
    }

    /// Bits sent for `bits` of data.
    pub fn coded_bits(&self, bits: u64) -> u64 {
        let layout = self.layout(bits);
        let symbols = layout.full_blocks * self.config.n + layout.last_block;
        u64::from(symbols) * u64::from(self.config.symbol_bits)
    }

    /// Hazard of each coded bit under the residual model, by state.
    pub fn residual_hazard(&self) -> &[f64] {
        &self.residual_hazard
    }

    /// Hazard of a block of `symbols` that lies wholly in one state.
    pub fn block_hazard(&mut self, symbols: u32, state: usize) -> f64 {
        let place = (self.config.n as usize + 1) * state + symbols as usize;
        if self.block_hazard[place].is_nan() {
            self.block_hazard[place] = self.mixed_hazard(&[(symbols, self.symbol_error[state])]);
        }
        self.block_hazard[place]
    }

    /// Hazard of all blocks of `bits` of data that lie wholly in one state.
    pub fn frame_hazard(&mut self, bits: u64, state: usize) -> f64 {
        let Layout { full_blocks, last_block } = self.layout(bits);
        let n = self.config.n;
        let full = (0..full_blocks).map(|_| n);
        let last = (last_block > 0).then_some(last_block);
        full.chain(last).fold(0.0, |sum, symbols| sum + self.block_hazard(symbols, state))
    }

    /// Hazard of a block whose symbols fall in groups of (how many, probability of error).
    pub fn mixed_hazard(&self, groups: &[(u32, f64)]) -> f64 {
        let t = correctable(&self.config) as usize;
        let mut errors = vec![0.0; t + 1];
        errors[0] = 1.0;
        for &(symbols, p) in groups {
            errors = convolve(&errors, &binomial(symbols, p, t));
        }
        let survival: f64 = errors.iter().sum();
        -libm::log(survival.min(1.0))
    }

    /// Probability that a symbol is wrong whose first bits, this share of them, meet the state `before`, and its last bits
    /// the state `after`.
    pub fn straddling_symbol_error(&self, (before, share): (usize, f64), after: usize) -> f64 {
        let survives = |state: usize, share| libm::pow(1.0 - self.symbol_error[state], share);
        1.0 - survives(before, share) * survives(after, 1.0 - share)
    }

    /// Probability that a symbol is wrong in a state.
    pub fn symbol_error(&self, state: usize) -> f64 {
        self.symbol_error[state]
    }
}

/// Symbol errors that a block survives.
pub fn correctable(config: &FecConfig) -> u32 {
    (config.n - config.k) / 2
}

/// Bit error rate that the decoder leaves: the share of symbols wrong in failed blocks, times the 2^(m-1)/(2^m - 1)
/// of its bits that a wrong symbol has wrong (Lin and Costello, Error Control Coding, 2004).
pub fn residual_ber(config: &FecConfig, ber: f64) -> f64 {
    let (n, t) = (config.n, correctable(config));
    let ps = symbol_error(ber, config.symbol_bits);
    let pmf = binomial(n, ps, n as usize);
    let symbol_out: f64 = (t + 1..=n).map(|i| f64::from(i) / f64::from(n) * pmf[i as usize]).sum();
    let m = config.symbol_bits as i32;
    symbol_out * libm::pow(2.0, f64::from(m - 1)) / (libm::pow(2.0, f64::from(m)) - 1.0)
}

/// Probability that a symbol of `bits` has at least one bit wrong.
fn symbol_error(ber: f64, bits: u32) -> f64 {
    1.0 - libm::pow(1.0 - ber, f64::from(bits))
}

/// -ln(1 - p): what a loss probability adds to a frame's hazard.
pub fn hazard(p: f64) -> f64 {
    -libm::log1p(-p)
}

/// Probabilities of 0..=upto successes in `n` trials.
fn binomial(n: u32, p: f64, upto: usize) -> Vec<f64> {
    let mut pmf = vec![0.0; upto + 1];
    if p <= 0.0 {
        pmf[0] = 1.0;
        return pmf;
    }
    let (log_p, log_q) = (libm::log(p), libm::log1p(-p));
    let total = libm::lgamma(f64::from(n) + 1.0);
    for (i, place) in pmf.iter_mut().enumerate().take(n as usize + 1) {
        let (i, n) = (i as f64, f64::from(n));
        let choose = total - libm::lgamma(i + 1.0) - libm::lgamma(n - i + 1.0);
        *place = libm::exp(choose + i * log_p + if n > i { (n - i) * log_q } else { 0.0 });
    }
    pmf
}

/// The distribution of a sum, cut off at the length of `a`.
fn convolve(a: &[f64], b: &[f64]) -> Vec<f64> {
    (0..a.len()).map(|i| (0..=i.min(b.len() - 1)).map(|j| a[i - j] * b[j]).sum()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FecModel;
    use base::{Purpose, Seed, Span};

    fn rs(n: u32, k: u32, symbol_bits: u32) -> FecConfig {
        let feedback_delay = Span::ZERO;
        let (model, adaptive, protects_plcp) = (FecModel::Block, false, false);
        FecConfig { n, k, symbol_bits, model, adaptive, protects_plcp, feedback_delay }
    }

    /// Values of the formulas of `block_hazard` and `residual_ber`, computed apart, at a bit error rate of 1e-2: block failure, residual BER.
    #[test]
    fn block_failure_and_residual_ber_match_the_formula() {
        for (n, k, m, failure, out) in [
            (255, 181, 8, 7.888_822_160_262_402e-5, 6.025_802_562_996e-6),
            (63, 45, 6, 3.462_058_419_987e-3, 2.899_126_839_56e-4),
            (31, 22, 5, 1.654_284_894_131e-2, 1.448_277_390_787e-3),
            (7, 5, 3, 1.677_087_917_694e-2, 2.808_632_440_669e-3),
        ] {
            let config = rs(n, k, m);
            let mut code = Code::new(config, &[0.0, 1e-2]);
            let block = 1.0 - libm::exp(-code.block_hazard(n, 1));
            assert!((block / failure - 1.0).abs() < 1e-9, "({n},{k}): {block}");
            let ber = residual_ber(&config, 1e-2);
            assert!((ber / out - 1.0).abs() < 1e-9, "({n},{k}): {ber}");
            assert_eq!(code.block_hazard(n, 0), 0.0);
        }
    }

    #[test]
    fn a_frame_is_full_blocks_and_a_shortened_one() {
        let code = Code::new(rs(255, 181, 8), &[0.0, 0.0]);
        assert_eq!(code.layout(181 * 8), Layout { full_blocks: 1, last_block: 0 });
        assert_eq!(code.layout(200 * 8), Layout { full_blocks: 1, last_block: 19 + 74 });
        assert_eq!(code.coded_bits(200 * 8), (200 + 2 * 74) * 8);
    }

    #[test]
    fn groups_in_equal_states_are_one_block() {
        let mut code = Code::new(rs(255, 181, 8), &[1e-6, 1e-2]);
        let p = code.symbol_error(1);
        let split = code.mixed_hazard(&[(100, p), (155, p)]);
        let whole = code.block_hazard(255, 1);
        // The survival is close to 1, so its logarithm keeps 11 digits of 16.
        assert!((split / whole - 1.0).abs() < 1e-7);
        assert!((code.straddling_symbol_error((0, 0.0), 1) - p).abs() < 1e-15);
    }

    /// The bounded-distance rule against a real decoder: t errors are mended, t + 1 are not.
    #[test]
    fn a_real_decoder_mends_t_errors_and_no_more() {
        let config = rs(255, 181, 8);
        let t = correctable(&config) as usize;
        assert_eq!(t, 37);
        let parity = (config.n - config.k) as usize;
        let encoder = reed_solomon::Encoder::new(parity);
        let decoder = reed_solomon::Decoder::new(parity);
        let mut rng = Seed { seed: 9, replication: 0 }.stream(Purpose::App, 0);
        for data_len in [181, 60] {
            let data: Vec<u8> = (0..data_len).map(|_| rng.below(256) as u8).collect();
            for errors in [0, 1, t - 1, t, t + 1, t + 8] {
                let mut block = encoder.encode(&data).to_vec();
                let step = block.len() / (t + 9);
                for i in 0..errors {
                    block[i * step] ^= 1 + rng.below(255) as u8;
                }
                let mended = decoder.correct(&block, None).is_ok_and(|b| b.data() == data);
                assert_eq!(mended, errors <= t, "{errors} errors in {} symbols", block.len());
            }
        }
    }
}
