//! What each channel loses on average, in closed form: the yardstick of its simulation.

use crate::config::{ChannelConfig, Sampling};
use crate::fec::hazard;

/// Stationary probability that a burst of `bits` sent over `seconds` without coding is lost.
///
/// Gilbert-Elliott with exact sampling: 1 - pi exp((Q - L) d) 1 with Q the generator of the state and L the
/// diagonal of the hazards a second (PROTOCOLS 3.11), pi without frames that are lost as such; the 2 x 2 exponential is written
/// out by its eigenvalues.
pub fn mean_frame_loss(config: &ChannelConfig, bits: u64, seconds: f64) -> f64 {
    let bits = bits as f64;
    let lost = |ber: f64| -libm::expm1(-bits * hazard(ber));
    match *config {
        ChannelConfig::Ideal => 0.0,
        ChannelConfig::Bernoulli { frame_loss } => frame_loss,
        ChannelConfig::BitErrors { ber } => lost(ber),
        ChannelConfig::GilbertElliott {
            mean_good,
            mean_bad,
            ber_good,
            ber_bad,
            frame_loss,
            sampling,
        } => {
            let (leave_good, leave_bad) = (1.0 / mean_good.as_secs(), 1.0 / mean_bad.as_secs());
            let bad = leave_good / (leave_good + leave_bad);
            // Who begins in which state and is not lost as a frame.
            let (good, bad) = ((1.0 - bad) * (1.0 - frame_loss[0]), bad * (1.0 - frame_loss[1]));
            if sampling == Sampling::FrameStart {
                return 1.0 - good * (1.0 - lost(ber_good)) - bad * (1.0 - lost(ber_bad));
            }
            let a = -leave_good - bits * hazard(ber_good) / seconds;
            let d = -leave_bad - bits * hazard(ber_bad) / seconds;
            let middle = (a + d) / 2.0;
            let radius = libm::sqrt((a - d) * (a - d) / 4.0 + leave_good * leave_bad);
            let (fast, slow) = (middle - radius, middle + radius);
            // exp(Mt) = e^(slow t) (M - fast I)/(slow - fast) - e^(fast t) (M - slow I)/(slow - fast).
            let row_sums = good * (a + leave_good) + bad * (d + leave_bad);
            let begun = good + bad;
            let part = |at: f64, other: f64| libm::exp(at * seconds) * (row_sums - other * begun);
            1.0 - (part(slow, fast) - part(fast, slow)) / (slow - fast)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channel::{Burst, Channel, HeaderBits};
    use crate::config::{FecConfig, FecModel};
    use crate::fec::Code;
    use base::{Seed, Span, Time};

    fn petrovic(sampling: Sampling) -> ChannelConfig {
        ChannelConfig::GilbertElliott {
            mean_good: Span::millis(100),
            mean_bad: Span(33_300_000),
            ber_good: 1e-6,
            ber_bad: 1e-2,
            frame_loss: [0.0; 2],
            sampling,
        }
    }

    fn by_frames(frame_loss: [f64; 2], ber_bad: f64, sampling: Sampling) -> ChannelConfig {
        ChannelConfig::GilbertElliott {
            mean_good: Span::millis(40),
            mean_bad: Span::millis(10),
            ber_good: 0.0,
            ber_bad,
            frame_loss,
            sampling,
        }
    }

    /// petrovic2003's channel at 2 Mbit/s (PROTOCOLS 3.11 and its computed rows).
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
        ];
        for config in channels {
            for bytes in [14_u64, 100, 500, 1500, 2000] {
                let airtime = Span::micros(bytes * 4);
                let mut channel =
                    Channel::new(config, Seed { seed: 5, replication: bytes }, 0, Span::ZERO);
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
                let expected = mean_frame_loss(&config, bytes * 8, airtime.as_secs());
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
        let mut exact = Code::new(config(FecModel::Block), [1e-2; 2]);
        let by_blocks = 11.0 * exact.block_hazard(255, true) + exact.block_hazard(111, true);
        let by_bits = bits as f64 * 6.025_802_563e-6;
        assert!(by_bits > 100.0 * by_blocks, "the two differ a hundredfold: {by_bits} {by_blocks}");
        for (model, expected) in [(FecModel::Block, by_blocks), (FecModel::ResidualBer, by_bits)] {
            let expected = -libm::expm1(-expected);
            let mut code = Code::new(config(model), [1e-2; 2]);
            let mut channel =
                Channel::new(channel, Seed { seed: 2, replication: 0 }, 0, Span::ZERO);
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
        let alike = ChannelConfig::GilbertElliott {
            mean_good: Span::millis(1),
            mean_bad: Span::millis(1),
            ber_good: 2e-2,
            ber_bad: 2e-2,
            frame_loss: [0.0; 2],
            sampling: Sampling::EachBit,
        };
        let (n, k, symbol_bits, adaptive) = (255, 181, 8, false);
        let (model, feedback_delay) = (FecModel::Block, Span::ZERO);
        let protects_plcp = false;
        let config =
            FecConfig { n, k, symbol_bits, model, adaptive, protects_plcp, feedback_delay };
        let mut code = Code::new(config, [2e-2; 2]);
        let blocks = 5.0;
        let expected = -libm::expm1(-blocks * code.block_hazard(255, false));
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
            let mut code = Code::new(config, [ber; 2]);
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
        let config = petrovic(Sampling::EachBit);
        let seed = Seed { seed: 3, replication: 0 };
        let delay = Span::millis(40);
        let mut present = Channel::new(config, seed, 0, Span::ZERO);
        let mut late = Channel::new(config, seed, 0, delay);
        for i in 0..20_000 {
            let then = Time(i * 3_000_000);
            let truth = present.was_bad(then, then);
            assert_eq!(late.was_bad(then, then + delay), truth);
        }
    }
}
