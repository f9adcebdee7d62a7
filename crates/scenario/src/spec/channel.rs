//! Channels that lose bits of a cell, and the codes against them.

use crate::at::At;
use crate::kinds::kinds;
use crate::settings::Set;
use crate::table::{prose, table};
use crate::units::{Duration, Probability};
use crate::word::Word;
use radio::{ChannelRules, FecSettings, StatePer};
use wifi::ErrorScope;

kinds! {
    /// How frames are lost in the air of a cell. Keys of other models than the chosen one are ignored, so that a
    /// study can vary the model.
    pub enum ChannelSpec of ChannelModelName, "channel model", "model", "models" by "model" {
        Ideal(IdealTable) = "ideal": "nothing is lost but by collisions",
        Bernoulli(BernoulliTable) = "bernoulli": "each frame is lost with the same probability: frame_loss",
        BitErrors(BitErrorsTable) = "bit_errors": "each bit is wrong with the same probability: ber",
        GilbertElliott(GilbertElliottTable) = "gilbert_elliott": "a good and a bad state that alternate, each with its own bit error rate",
        Markov(MarkovTable) = "markov": "any number of states that follow each other at random, each with its own errors",
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
                /// The frames that share one state of the channel.
                state_per: Word<StatePer> = held "station", "no access point" "receiver";
                /// Returns the frames and bits that errors hit.
                settings scope: Set<ErrorScope>;
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
        /// The probability that a frame is lost.
        needed frame_loss: Probability;
    }
}

channel_table! {
    /// bit_errors.
    pub struct BitErrorsTable {
        /// The bit error rate: the probability that a bit is wrong.
        needed ber: Probability;
    }
}

channel_table! {
    /// gilbert_elliott.
    pub struct GilbertElliottTable {
        /// The mean time that the channel stays in the good state. Give this or `bad_share`.
        mean_good: Duration;
        /// The share of time in which the channel is bad. Give this or `mean_good`.
        bad_share: Probability;
        /// The mean time that the channel stays in the bad state.
        needed mean_bad: Duration;
        /// The bit error rate in the good state.
        ber_good: Probability;
        /// The bit error rate in the bad state.
        ber_bad: Probability;
        /// The probability that a frame is lost that begins in the good state. It takes the place of the bit error
        /// rates.
        loss_good: Probability = held prose("0 where `loss_bad` is given");
        /// The probability that a frame is lost that begins in the bad state. It takes the place of the bit error
        /// rates.
        loss_bad: Probability;
        /// How states meet frames.
        settings rules: Set<ChannelRules>;
    }
}

channel_table! {
    /// markov.
    pub struct MarkovTable {
        /// The mean time that the channel stays in each state. The first state is the good one.
        needed mean: Vec<At<Duration>>;
        /// The bit error rate in each state. Give this or `loss`.
        ber: Vec<At<Probability>>;
        /// The probability that a frame is lost that begins in each state. Give this or `ber`.
        loss: Vec<At<Probability>>;
        /// For each state, the probability that each state follows it: 0 for itself, and 1 in sum.
        next: Vec<At<Vec<At<Probability>>>> = held prose("the states before and after it in the list, equally likely");
        /// How states meet frames.
        settings rules: Set<ChannelRules>;
    }
}

/// Calls a method of the table of the chosen model.
macro_rules! of_any {
    ($channel:expr, $table:ident => $value:expr) => {
        match $channel {
            ChannelSpec::Ideal($table) => $value,
            ChannelSpec::Bernoulli($table) => $value,
            ChannelSpec::BitErrors($table) => $value,
            ChannelSpec::GilbertElliott($table) => $value,
            ChannelSpec::Markov($table) => $value,
        }
    };
}

impl ChannelSpec {
    /// Returns which stations share a channel state, where the file gives it.
    pub fn state_per(&self) -> Option<&At<Word<StatePer>>> {
        of_any!(self, table => table.state_per.as_ref())
    }

    /// Returns the frames and bits that errors hit.
    pub fn scope(&self) -> &Set<ErrorScope> {
        of_any!(self, table => &table.scope)
    }
}

table! {
    /// A Reed-Solomon code (n, k) on the data frames of a cell.
    pub struct FecSpec {
        /// Its parameters.
        settings settings: Set<FecSettings>;
    }
}
