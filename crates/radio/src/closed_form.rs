//! Mean loss of each channel in closed form: the reference for its simulation.

use crate::chain::{Chain, Sampling};
use crate::config::ChannelConfig;
use crate::fec::hazard;

/// Stationary probability that a burst of `bits` sent over `seconds` without coding is lost.
///
/// A chain with exact sampling: 1 - pi exp((Q - L) d) 1 with Q the generator of the state and L the diagonal of the
/// hazards a second (no event of a Markov-modulated Poisson process within d: Fischer and Meier-Hellstern, Performance
/// Evaluation 18(2), 1993), pi without frames that are lost as such.
pub fn mean_frame_loss(config: &ChannelConfig, bits: u64, seconds: f64) -> f64 {
    let bits = bits as f64;
    let lost = |ber: f64| -libm::expm1(-bits * hazard(ber));
    let chain = match config {
        ChannelConfig::Ideal => return 0.0,
        ChannelConfig::Bernoulli { frame_loss } => return *frame_loss,
        ChannelConfig::BitErrors { ber } => return lost(*ber),
        ChannelConfig::Markov(chain) => chain,
    };
    let survives = match chain.sampling {
        Sampling::FrameStart => chain.states.iter().map(|state| 1.0 - lost(state.ber)).collect(),
        Sampling::EachBit => survival(chain, bits, seconds),
    };
    let weights = chain.weights();
    let begins = |i: usize| weights[i] * (1.0 - chain.states[i].frame_loss);
    let kept: f64 = survives.iter().enumerate().map(|(i, survives)| begins(i) * survives).sum();
    1.0 - kept / weights.iter().sum::<f64>()
}

/// exp((Q - L) d) 1: by first state, the probability that no bit is lost. By uniformization (Jensen, Skandinavisk
/// Aktuarietidskrift 36, 1953), in which all terms are positive, in steps that keep their weights above underflow.
fn survival(chain: &Chain, bits: f64, seconds: f64) -> Vec<f64> {
    let leaves = |i: usize| 1.0 / chain.states[i].mean.as_secs();
    let dies = |i: usize| bits * hazard(chain.states[i].ber) / seconds;
    let states = 0..chain.states.len();
    let fastest = states.clone().map(|i| leaves(i) + dies(i)).fold(0.0, f64::max);
    let steps = libm::ceil(fastest * seconds / 100.0).max(1.0);
    let mean = fastest * seconds / steps;
    let one_jump = |from: &[f64]| -> Vec<f64> {
        let moves = |i: usize| -> f64 {
            let next = &chain.states[i].next;
            next.iter().zip(from).map(|(p, value)| p * value * leaves(i) / fastest).sum()
        };
        let stays = |i: usize| (1.0 - (leaves(i) + dies(i)) / fastest) * from[i];
        states.clone().map(|i| stays(i) + moves(i)).collect()
    };
    let mut survives = vec![1.0; chain.states.len()];
    for _ in 0..steps as u64 {
        let (mut weight, mut term) = (libm::exp(-mean), survives.clone());
        survives.fill(0.0);
        // 400 jumps where 100 are the mean: the rest weighs less than a rounding error.
        for jump in 1..=400 {
            survives.iter_mut().zip(&term).for_each(|(sum, value)| *sum += weight * value);
            weight *= mean / f64::from(jump);
            term = one_jump(&term);
        }
    }
    survives
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::State;
    use crate::channel::{Burst, Channel, HeaderBits};
    use crate::config::{FecConfig, FecModel};
    use crate::fec::Code;
    use base::{Seed, Span, Time};
    use std::sync::Arc;

    fn petrovic(sampling: Sampling) -> ChannelConfig {
        let means = [Span::millis(100), Span(33_300_000)];
        ChannelConfig::gilbert_elliott(means, [1e-6, 1e-2], [0.0; 2], sampling)
    }

    fn by_frames(frame_loss: [f64; 2], ber_bad: f64, sampling: Sampling) -> ChannelConfig {
        let means = [Span::millis(40), Span::millis(10)];
        ChannelConfig::gilbert_elliott(means, [0.0, ber_bad], frame_loss, sampling)
    }

    /// Four states, as a fading channel is cut into by its signal: neighbours follow each other.
    fn fading(sampling: Sampling) -> ChannelConfig {
        let state = |(ms, ber, next): (u64, f64, [f64; 4])| State {
            mean: Span::millis(ms),
            ber,
            frame_loss: ber * 1000.0,
            next: next.to_vec(),
        };
        let states = [
            (40, 0.0, [0.0, 1.0, 0.0, 0.0]),
            (10, 1e-6, [0.8, 0.0, 0.2, 0.0]),
            (4, 3e-5, [0.0, 0.5, 0.0, 0.5]),
            (1, 6e-4, [0.0, 0.0, 1.0, 0.0]),
        ];
        ChannelConfig::Markov(Arc::new(Chain { states: states.map(state).to_vec(), sampling }))
    }

    /// petrovic2003's channel at 2 Mbit/s. The values were computed apart, from the matrix exponential.
    #[test]
    fn gilbert_elliott_matches_published_values() {
        for (bytes, expected) in [
            (14, 0.168_898),
            (20, 0.200_024),
            (100, 0.252_579),
            (500, 0.266_853),
            (1000, 0.284_218),
            (1500, 0.301_171),
            (2000, 0.317_723),
        ] {
            let got = mean_frame_loss(&petrovic(Sampling::EachBit), bytes * 8, bytes as f64 * 4e-6);
            assert!((got - expected).abs() < 1e-6, "{bytes} B: {got}");
        }
    }

    /// Every channel against its closed form, within four standard errors of independent frames.
    #[test]
    fn every_channel_loses_what_its_closed_form_says() {
        let channels = [
            ChannelConfig::Ideal,
            ChannelConfig::Bernoulli { frame_loss: 0.3 },
            ChannelConfig::BitErrors { ber: 1e-4 },
            petrovic(Sampling::EachBit),
            petrovic(Sampling::FrameStart),
            by_frames([0.02, 0.7], 0.0, Sampling::FrameStart),
            by_frames([0.02, 0.7], 2e-4, Sampling::EachBit),
            by_frames([0.0, 1.0], 0.0, Sampling::EachBit),
            fading(Sampling::EachBit),
            fading(Sampling::FrameStart),
        ];
        for config in &channels {
            for bytes in [14_u64, 100, 500, 1500, 2000] {
                let airtime = Span::micros(bytes * 4);
                let mut channel = Channel::new(
                    config.clone(),
                    Seed { seed: 5, replication: bytes },
                    0,
                    Span::ZERO,
                );
                let (frames, mut lost) = (20_000_u64, 0_u64);
                for i in 0..frames {
                    // Half a second apart: four relaxation times and more, as good as independent.
                    let start = Time(i * 500_000_000);
                    let (end, bits) = (start + airtime, bytes * 8);
                    lost +=
                        u64::from(channel.loses(
                            &Burst { start, end, bits, data_bits: bits, header: None },
                            None,
                        ));
                }
                let expected = mean_frame_loss(config, bytes * 8, airtime.as_secs());
                let got = lost as f64 / frames as f64;
                let error = (expected * (1.0 - expected) / frames as f64).sqrt();
                assert!(
                    (got - expected).abs() <= 4.0 * error,
                    "{config:?} {bytes} B: {got} {expected}"
                );
            }
        }
    }

    /// petrovic2003's code on its bad state alone, 2028 B: the exact model and the paper's.
    #[test]
    fn coded_frames_fall_as_their_model_says() {
        let bits = 2028 * 8;
        // 11 full blocks of 255 symbols and one of 37 + 74; 1e-2 leaves 6.03e-6 after decoding.
        let config = |model| FecConfig {
            n: 255,
            k: 181,
            symbol_bits: 8,
            model,
            adaptive: false,
            protects_plcp: false,
            feedback_delay: Span::ZERO,
        };
        let channel = ChannelConfig::BitErrors { ber: 1e-2 };
        let mut exact = Code::new(config(FecModel::Block), &[1e-2]);
        let by_blocks = 11.0 * exact.block_hazard(255, 0) + exact.block_hazard(111, 0);
        let by_bits = bits as f64 * 6.025_802_563e-6;
        assert!(by_bits > 100.0 * by_blocks, "the two differ a hundredfold: {by_bits} {by_blocks}");
        for (model, expected) in [(FecModel::Block, by_blocks), (FecModel::ResidualBer, by_bits)] {
            let expected = -libm::expm1(-expected);
            let mut code = Code::new(config(model), &[1e-2]);
            let mut channel =
                Channel::new(channel.clone(), Seed { seed: 2, replication: 0 }, 0, Span::ZERO);
            let sent = code.coded_bits(bits);
            assert_eq!(sent, (2028 + 12 * 74) * 8);
            let (frames, mut lost) = (200_000_u64, 0_u64);
            for i in 0..frames {
                let start = Time(i * 20_000_000);
                let end = start + Span(sent * 500);
                let burst = Burst { start, end, bits: sent, data_bits: bits, header: None };
                lost += u64::from(channel.loses(&burst, Some(&mut code)));
            }
            let got = lost as f64 / frames as f64;
            let error = (expected * (1.0 - expected) / frames as f64).sqrt();
            assert!((got - expected).abs() < 4.0 * error, "{model:?}: {got} {expected}");
        }
    }

    /// Blocks in which the state changes: a slow channel and a fast code must meet between the pure states, and a
    /// channel whose two states are alike must not notice the changes at all.
    #[test]
    fn a_change_of_state_within_a_block_is_counted_where_it_happens() {
        let means = [Span::millis(1); 2];
        let alike = ChannelConfig::gilbert_elliott(means, [2e-2; 2], [0.0; 2], Sampling::EachBit);
        let (n, k, symbol_bits, adaptive) = (255, 181, 8, false);
        let (model, feedback_delay) = (FecModel::Block, Span::ZERO);
        let protects_plcp = false;
        let config =
            FecConfig { n, k, symbol_bits, model, adaptive, protects_plcp, feedback_delay };
        let mut code = Code::new(config, &[2e-2; 2]);
        let blocks = 5.0;
        let expected = -libm::expm1(-blocks * code.block_hazard(255, 0));
        let mut channel = Channel::new(alike, Seed { seed: 4, replication: 0 }, 0, Span::ZERO);
        let (frames, mut lost) = (20_000_u64, 0_u64);
        let data_bits = 5 * 181 * 8;
        let bits = code.coded_bits(data_bits);
        for i in 0..frames {
            let start = Time(i * 10_000_000);
            let end = start + Span(bits * 500);
            let burst = Burst { start, end, bits, data_bits, header: None };
            lost += u64::from(channel.loses(&burst, Some(&mut code)));
        }
        let got = lost as f64 / frames as f64;
        let error = (expected * (1.0 - expected) / frames as f64).sqrt();
        assert!((got - expected).abs() < 4.0 * error, "{got} {expected}");
    }

    /// A header's bits count at their own instants and with their own protection: on a constant channel the hazards
    /// of header and payload add up.
    #[test]
    fn a_header_is_hit_by_itself_protected_or_not() {
        let ber = 1e-3;
        for (protects_plcp, header_ber) in [(false, ber), (true, 0.0)] {
            let (n, k, symbol_bits, adaptive) = (255, 181, 8, false);
            let (model, feedback_delay) = (FecModel::ResidualBer, Span::ZERO);
            let config =
                FecConfig { n, k, symbol_bits, model, adaptive, protects_plcp, feedback_delay };
            // At 1e-3 this code leaves 7e-37: only the header can fall.
            let mut code = Code::new(config, &[ber]);
            let seed = Seed { seed: 6, replication: 0 };
            let mut channel = Channel::new(ChannelConfig::BitErrors { ber }, seed, 0, Span::ZERO);
            let (frames, mut lost) = (20_000_u64, 0_u64);
            for i in 0..frames {
                let start = Time(i * 20_000_000 + 192_000);
                let end = start + Span::micros(1000);
                let header = Some(HeaderBits { start: Time(i * 20_000_000), bits: 192 });
                let burst = Burst { start, end, bits: 2000, data_bits: 1400, header };
                lost += u64::from(channel.loses(&burst, Some(&mut code)));
            }
            let expected = -libm::expm1(-192.0 * hazard(header_ber));
            let got = lost as f64 / frames as f64;
            let error = (expected * (1.0 - expected) / frames as f64).sqrt();
            assert!((got - expected).abs() <= 4.0 * error, "{protects_plcp}: {got} {expected}");
        }
    }

    #[test]
    fn the_past_state_is_what_it_was() {
        for config in [petrovic(Sampling::EachBit), fading(Sampling::EachBit)] {
            let seed = Seed { seed: 3, replication: 0 };
            let delay = Span::millis(40);
            let mut present = Channel::new(config.clone(), seed, 0, Span::ZERO);
            let mut late = Channel::new(config, seed, 0, delay);
            for i in 0..20_000 {
                let then = Time(i * 3_000_000);
                let truth = present.was_bad(then, then);
                assert_eq!(late.was_bad(then, then + delay), truth);
            }
        }
    }
}
