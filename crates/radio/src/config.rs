//! Configuration of a radio channel, as plain values.

use crate::chain::{Chain, Sampling};
use base::{Span, named, settings};
use std::sync::Arc;

/// Bit error model.
#[derive(Clone, Debug, PartialEq)]
pub enum ChannelConfig {
    /// No errors; frames are lost by collision only.
    Ideal,
    /// Each frame is lost with the same probability, whatever its length.
    Bernoulli {
        /// Probability that a frame is lost, 0 to 1.
        frame_loss: f64,
    },
    /// Each bit is lost with the same probability.
    BitErrors {
        /// Bit error rate, 0 to 1 (1 excluded).
        ber: f64,
    },
    /// States that follow each other at random, each with its own errors.
    Markov(Arc<Chain>),
}

impl ChannelConfig {
    /// Two states that alternate (Gilbert 1960, Elliott 1963): see [`Chain::gilbert_elliott`].
    pub fn gilbert_elliott(
        mean: [Span; 2],
        ber: [f64; 2],
        frame_loss: [f64; 2],
        sampling: Sampling,
    ) -> ChannelConfig {
        ChannelConfig::Markov(Arc::new(Chain::gilbert_elliott(mean, ber, frame_loss, sampling)))
    }

    /// True where frames are lost as such, whatever bits they have.
    #[inline]
    pub fn loses_frames(&self) -> bool {
        match self {
            ChannelConfig::Bernoulli { .. } => true,
            ChannelConfig::Markov(chain) => chain.states.iter().any(|s| s.frame_loss > 0.0),
            ChannelConfig::Ideal | ChannelConfig::BitErrors { .. } => false,
        }
    }

    /// Bit error rates, by state; a channel without states has one.
    pub fn bit_error_rates(&self) -> Vec<f64> {
        match self {
            ChannelConfig::Ideal | ChannelConfig::Bernoulli { .. } => vec![0.0],
            ChannelConfig::BitErrors { ber } => vec![*ber],
            ChannelConfig::Markov(chain) => chain.states.iter().map(|state| state.ber).collect(),
        }
    }

    /// Probabilities that a frame is lost whatever its bits, by state at its first instant.
    pub fn frame_losses(&self) -> Vec<f64> {
        match self {
            ChannelConfig::Ideal | ChannelConfig::BitErrors { .. } => vec![0.0],
            ChannelConfig::Bernoulli { frame_loss } => vec![*frame_loss],
            ChannelConfig::Markov(chain) => {
                chain.states.iter().map(|state| state.frame_loss).collect()
            }
        }
    }
}

named! {
    /// Sharing of the channel state: by cell, station or receiver.
    pub enum StatePer, "sharing of the channel state" {
        Cell = "cell": "one state for the whole cell: a frame is lost for all or for none",
        Station = "station": "one for each station, both ways between it and the access point",
        Receiver = "receiver": "one for each receiving node, whichever node sends",
    }
}

settings! {
    /// A Reed-Solomon code over symbols of `symbol_bits`, and when it is used.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct FecConfig {
        /// The number of symbols in a coded block, at most 2^symbol_bits - 1.
        n: u32 = 255, "n";
        /// The number of data symbols in a coded block. The code corrects up to (n - k)/2 wrong symbols. The default
        /// makes the code rate of 71 % of petrovic2003.
        k: u32 = 181, "k";
        /// The number of bits in a symbol of the code.
        symbol_bits: u32 = 8, "symbol_bits", 2..=16;
        /// What the decoder makes of errors.
        model: FecModel = FecModel::Block, "model";
        /// True: frames are coded only while the channel was bad `feedback_delay` ago. False: all data frames are
        /// coded.
        adaptive: bool = true, "adaptive";
        /// True: the code protects the PLCP header of a coded frame too, where `channel.plcp` lets errors hit it,
        /// as in ns-2, where a frame has one error rate. False: it does not, as in real hardware.
        protects_plcp: bool = false, "protects_plcp";
        /// How old the sender's knowledge of the channel's state is. Only `adaptive` uses it.
        feedback_delay: Span = Span::ZERO, "feedback_delay";
    }
}

settings! {
    /// A code as files give it.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct FecSettings {
        /// Whether there is a code. False switches it off, whatever the other keys say.
        enabled: bool = true, "enabled";
        /// The code.
        nested code: FecConfig;
    }
}

named! {
    /// Effect of decoding on a frame.
    pub enum FecModel, "FEC model" {
        Block = "block": "a frame is lost if any of its blocks has more than (n-k)/2 symbol errors, which is exact",
        ResidualBer = "residual_ber": "a residual bit error rate is applied bit by bit, as in petrovic2003",
    }
}
