//! How a cell's air loses bits, and the code against it.

use crate::at::At;
use crate::conventions::Conventions;
use crate::kinds::kinds;
use crate::table::{prose, table};
use crate::units::{Duration, Probability};
use crate::word::Word;
use radio::{FecModel, Sampling, StatePer};
use wifi::ErrorScope;

kinds! {
    /// How a cell's air loses bits. Parameters of other models than the chosen one are not looked at.
    pub enum ChannelSpec of ChannelModelName, "channel model", "model", "models" by "model" {
        Ideal(IdealTable) = "ideal": "nothing is lost but by collision",
        Bernoulli(BernoulliTable) = "bernoulli": "each frame is lost with the same probability: frame_loss",
        BitErrors(BitErrorsTable) = "bit_errors": "each bit is lost with the same probability: ber",
        GilbertElliott(GilbertElliottTable) = "gilbert_elliott": "good and bad states with exponential sojourns, each with its bit error rate",
    }
    allowed "a channel, such as { model = \"bit_errors\", ber = 1e-5 }";
    by_name false;
    lenient true;
}

/// A channel's table: its own keys, and those that all have.
macro_rules! channel_table {
    ($(#[$meta:meta])* pub struct $name:ident { $($keys:tt)* }) => {
        table! {
            $(#[$meta])*
            pub struct $name {
                $($keys)*
                /// Who shares a channel state.
                state_per: Word<StatePer> = held "station", "no access point" "receiver";
                /// RTS, CTS and ACK can be hit too.
                control_frames: bool = true;
                /// The PLCP preamble and header can be hit too.
                plcp: bool = false, ns2 true;
            }
        }
    };
}

channel_table! {
    /// ideal.
    #[derive(Default)]
    pub struct IdealTable {}
}

channel_table! {
    /// bernoulli.
    pub struct BernoulliTable {
        /// Probability that a frame is lost.
        needed frame_loss: Probability;
    }
}

channel_table! {
    /// bit_errors.
    pub struct BitErrorsTable {
        /// Bit error rate.
        needed ber: Probability;
    }
}

channel_table! {
    /// gilbert_elliott.
    pub struct GilbertElliottTable {
        /// Mean sojourn in the good state.
        mean_good: Duration;
        /// The bad state's share of the time, in the place of `mean_good`.
        bad_share: Probability;
        /// Mean sojourn in the bad state.
        needed mean_bad: Duration;
        /// Bit error rate in the good state.
        ber_good: Probability;
        /// Bit error rate in the bad state.
        ber_bad: Probability;
        /// In the place of bit error rates: the probability that a frame that begins in the good state is lost.
        loss_good: Probability = held prose("0 beside `loss_bad`");
        /// The same of one that begins in the bad state.
        loss_bad: Probability;
        /// How the state is applied to a frame.
        sampling: Word<Sampling> = "each_bit", ns2 "frame_start";
    }
}

/// Calls a method of the table of whatever model.
macro_rules! of_any {
    ($channel:expr, $table:ident => $value:expr) => {
        match $channel {
            ChannelSpec::Ideal($table) => $value,
            ChannelSpec::Bernoulli($table) => $value,
            ChannelSpec::BitErrors($table) => $value,
            ChannelSpec::GilbertElliott($table) => $value,
        }
    };
}

impl ChannelSpec {
    /// Who shares a channel state, where the file says so.
    pub fn state_per(&self) -> Option<&At<Word<StatePer>>> {
        of_any!(self, table => table.state_per.as_ref())
    }

    /// Which frames and bits errors hit.
    pub fn errors(&self, conventions: Conventions) -> ErrorScope {
        of_any!(self, table => ErrorScope {
            control_frames: table.control_frames().value,
            plcp: table.plcp(conventions).value,
        })
    }
}

table! {
    /// A Reed-Solomon code on the data frames of a cell.
    pub struct FecSpec {
        /// False: no code, whatever else is said.
        enabled: bool = true;
        /// What decoding does to a frame.
        model: Word<FecModel> = "block";
        /// Symbols in a coded block.
        n: u32 = 255;
        /// Data symbols in a block.
        k: u32 = 181 => "petrovic2003's 71 %";
        /// Bits in a symbol.
        symbol_bits: u32 = 8;
        /// Code only while the fed-back estimate of the channel says bad.
        adaptive: bool = true;
        /// The PLCP of a coded frame is taken as coded too, where `channel.plcp` lets errors hit it; false: it meets
        /// the bare channel, as on the air.
        protects_plcp: bool = false;
        /// How old the estimate is when the sender uses it.
        feedback_delay: Duration = "0 ms";
    }
}
