//! What a radio channel is made of, as plain values.

use base::{Span, named};

/// How bits are lost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ChannelConfig {
    /// Nothing is lost but by collision.
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
    /// Two states in continuous time with exponential sojourns (Gilbert 1960, Elliott 1963).
    GilbertElliott {
        /// Mean sojourn in the good state.
        mean_good: Span,
        /// Mean sojourn in the bad state.
        mean_bad: Span,
        /// Bit error rate in the good state.
        ber_good: f64,
        /// Bit error rate in the bad state.
        ber_bad: f64,
        /// Probability that a frame that begins in the good state, or in the bad one, is lost whatever its bits.
        frame_loss: [f64; 2],
        /// How the state is applied to a frame.
        sampling: Sampling,
    },
}

impl ChannelConfig {
    /// True where frames are lost as such, whatever bits they have.
    pub fn loses_frames(&self) -> bool {
        match *self {
            ChannelConfig::Bernoulli { .. } => true,
            ChannelConfig::GilbertElliott { frame_loss, .. } => frame_loss != [0.0; 2],
            ChannelConfig::Ideal | ChannelConfig::BitErrors { .. } => false,
        }
    }
}

named! {
    /// How a state that changes with time is applied to a frame that takes time.
    pub enum Sampling, "way of sampling" {
        EachBit = "each_bit": "each bit meets the state of its own instant, which is exact",
        FrameStart = "frame_start": "the state at the frame's first instant holds for the whole frame (ns-2)",
    }
}

named! {
    /// Who shares a channel state.
    pub enum StatePer, "sharing of the channel state" {
        Cell = "cell": "one state for the whole cell: a frame is lost for all or for none",
        Station = "station": "one for each station, both ways between it and the access point",
        Receiver = "receiver": "one for each receiving node, whoever sends",
    }
}

/// A Reed-Solomon code over symbols of `symbol_bits`, and when it is used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FecConfig {
    /// Symbols in a coded block, at most 2^symbol_bits - 1.
    pub n: u32,
    /// Data symbols in a block.
    pub k: u32,
    /// Bits in a symbol.
    pub symbol_bits: u32,
    /// What decoding does to a frame.
    pub model: FecModel,
    /// True: only while the fed-back estimate of the channel says bad. False: always.
    pub adaptive: bool,
    /// The PLCP of a coded frame is taken as coded too, where errors hit it at all. False: it meets the bare channel.
    pub protects_plcp: bool,
    /// How old the estimate is when the sender uses it.
    pub feedback_delay: Span,
}

named! {
    /// What decoding does to a frame.
    pub enum FecModel, "FEC model" {
        Block = "block": "a frame is lost if any of its blocks has more than (n-k)/2 symbol errors, which is exact",
        ResidualBer = "residual_ber": "a residual bit error rate is applied bit by bit, as in petrovic2003",
    }
}
