//! 802.11 cells: stations, PHY, MAC, channel, code.

use super::{Placement, QueueSpec};
use crate::at::At;
use crate::units::{BitRate, Duration, Probability, Size};
use crate::value::{NoTable, Value, values};
use crate::word::Word;
use base::named;
use radio::{FecModel, Sampling, StatePer};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use wifi::phy::Preamble;
use wifi::rate::RateChoice;
use wifi::{AccessRule, BackoffDraw, BystanderRule, SilenceRule, SlotRule, TimeoutRule};

named! {
    /// Which set of timings and rates.
    pub enum StandardName, "PHY standard" {
        Dsss = "802.11": "DSSS: 1 and 2 Mbps",
        Hr = "802.11b": "HR/DSSS: 1, 2, 5.5 and 11 Mbps",
        A = "802.11a": "OFDM at 5 GHz: 6 to 54 Mbps",
        G = "802.11g": "OFDM at 2.4 GHz among its like: 6 to 54 Mbps, short slots",
        Mixed = "802.11bg": "802.11g beside 802.11b stations: 1 to 54 Mbps, long slots, DSSS control frames, protection",
        Custom = "custom": "802.11b's timing with any rate",
    }
    /// What warns 802.11b stations of OFDM frames.
    pub enum ProtectionName, "protection" {
        CtsToSelf = "cts_to_self": "a CTS to oneself before each OFDM data frame without RTS (802.11-2020, 10.27)",
        Off = "none": "nothing: they do not notice",
    }
    /// What a retry limit counts.
    pub enum CountName, "way of counting" {
        Attempts = "attempts": "transmissions in all, the first included (dot11ShortRetryLimit)",
        Retransmissions = "retransmissions": "transmissions after the first",
    }
    /// How bits are lost.
    pub enum ChannelModelName, "channel model" {
        Ideal = "ideal": "nothing is lost but by collision",
        Bernoulli = "bernoulli": "each frame is lost with the same probability: frame_loss",
        BitErrors = "bit_errors": "each bit is lost with the same probability: ber",
        GilbertElliott = "gilbert_elliott": "good and bad states with exponential sojourns, each with its bit error rate",
    }
}

/// An 802.11 cell; without a [medium] all hear all.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CellSpec {
    /// A name for results. Default: "cell" ("cell2", ... for further ones).
    pub name: Option<At<String>>,
    /// The node that is the access point. Left out: ad hoc, each station reaches each other in one hop.
    pub access_point: Option<At<String>>,
    /// How many stations (named sta1, sta2, ...), or a list of their names.
    pub stations: At<Stations>,
    /// The interface queue of every station. Default: the top-level queue.
    pub queue: Option<At<QueueSpec>>,
    /// Bytes that a mobile's network layer adds to packets that begin there, such as "20 B"; they keep them on wires too.
    /// Default: "0 B" ("20 B" with ns-2's conventions where there is an access point).
    pub routing_header: Option<At<Size>>,
    /// For how long a packet is between a station's network layer and its interface queue, and between the next station's
    /// MAC and its network layer, such as "25 us". Default: none ("25 us" with ns-2's conventions: its link layer's).
    pub link_layer_delay: Option<At<Duration>>,
    /// Where its stations are, such as "circle 10 m"; a [[node]] says otherwise for one of them. Needs a [medium].
    pub placement: Option<At<Placement>>,
    /// Its radio channel: cells with the same number hear each other as far as their places let them. Needs a [medium].
    /// Default: 1.
    pub channel_number: Option<At<u32>>,
    /// This cell's timing and rates; what is left out comes from the top-level table.
    pub phy: Option<At<PhySpec>>,
    /// This cell's rules and limits; what is left out comes from the top-level table.
    pub mac: Option<At<MacSpec>>,
    /// This cell's channel; a table with a model stands alone.
    pub channel: Option<At<ChannelSpec>>,
    /// This cell's code; a table with a model stands alone.
    pub fec: Option<At<FecSpec>>,
}

/// Stations by number or by name.
#[derive(Clone, Debug, PartialEq)]
pub enum Stations {
    /// So many: sta1, sta2, ...
    Count(u32),
    /// These.
    Names(Vec<At<String>>),
}

/// More stations than this are a mistake: the first draws of so many all collide.
const MOST_STATIONS: i64 = 10_000;

impl Value for Stations {
    const ALLOWED: &'static str = "a number of stations, such as 5, or a list of names";
    type Table = NoTable;

    fn from_integer(number: i64) -> Result<Self, String> {
        if !(1..=MOST_STATIONS).contains(&number) {
            return Err(format!("{number} stations; allowed: 1 to {MOST_STATIONS}"));
        }
        Ok(Stations::Count(number as u32))
    }
    fn from_list(list: Vec<At<String>>) -> Result<Self, String> {
        if list.is_empty() {
            return Err("no stations; allowed: one or more".into());
        }
        Ok(Stations::Names(list))
    }
    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [
            { "type": "integer", "minimum": 1, "maximum": MOST_STATIONS },
            { "type": "array", "items": { "type": "string" }, "minItems": 1 },
        ]})
    }
}

/// 802.11 timing and rates. Times and windows default to the standard's.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PhySpec {
    /// Which set of timings and rates. Default: "802.11".
    pub standard: Option<Word<StandardName>>,
    /// Rate of data frames. Default: the fastest of the standard (with a rate_control the slowest).
    pub rate: Option<At<BitRate>>,
    /// How the rate of each data frame is chosen. Default: "fixed", always `rate`. Others begin with `rate` (default: the
    /// slowest) and choose among `rates`.
    pub rate_control: Option<At<Word<RateChoice>>>,
    /// The rates that rate_control chooses from. Default: all of the standard.
    pub rates: Option<At<Vec<At<BitRate>>>>,
    /// With "802.11a" and "802.11g": take rates that the standard does not have too, such as "20 Mbps". Default: false.
    pub any_rate: Option<bool>,
    /// Rate of RTS, CTS and ACK. Default: the fastest basic rate that is not above the data's (802.11-2020, 10.6.6.5);
    /// basic rates are 1 and 2 Mbps (2 alone after short preambles), or 6, 12 and 24 Mbps.
    pub control_rate: Option<At<BitRate>>,
    /// Length of the PLCP preamble. Default: "long".
    pub preamble: Option<At<Word<Preamble>>>,
    /// aSlotTime. Default: "20 us" (802.11, 802.11b), "9 us" (802.11a, 802.11g).
    pub slot: Option<At<Duration>>,
    /// aSIFSTime. Default: "10 us" ("16 us" with 802.11a).
    pub sifs: Option<At<Duration>>,
    /// aCWmin, slots. Default: 31 (802.11, 802.11b), 15 (802.11a, 802.11g).
    pub cw_min: Option<At<u32>>,
    /// aCWmax, slots. Default: 1023.
    pub cw_max: Option<At<u32>>,
    /// For how long after a frame begins another station may begin unaware of it. 802.11's aCCATime is "15 us" with
    /// DSSS and "4 us" with OFDM; default: "0 us", as ns-2, ns-3 and Bianchi's model have it.
    pub sense_time: Option<At<Duration>>,
}

/// 802.11 rules and limits.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MacSpec {
    /// "always", "never", or the longest MPDU that is sent without RTS/CTS, such as "300 B". Default: "never".
    pub rts: Option<At<Rts>>,
    /// Limit for RTS frames and data up to the RTS threshold, or "none". Default: 7.
    pub short_retry_limit: Option<At<RetryLimit>>,
    /// Limit for data above the RTS threshold, or "none". Default: 4.
    pub long_retry_limit: Option<At<RetryLimit>>,
    /// Both limits at once.
    pub retry_limit: Option<At<RetryLimit>>,
    /// What the limits count. Default: "attempts".
    pub retry_limit_counts: Option<Word<CountName>>,
    /// MAC header and FCS of data frames. Default: "28 B" ("34 B" with ns-2's conventions).
    pub mac_header: Option<At<Size>>,
    /// LLC and SNAP header. Default: "8 B" ("0 B" with ns-2's conventions).
    pub llc_header: Option<At<Size>>,
    /// When a station without a pending backoff may begin. Default: "immediate".
    pub access: Option<Word<AccessRule>>,
    /// The range of a backoff draw. Default: "0..cw".
    pub backoff: Option<Word<BackoffDraw>>,
    /// How many slots of an idle time count for those whose backoff another stops. Default: "all" ("truncated" with ns-2's
    /// conventions).
    pub slots: Option<Word<SlotRule>>,
    /// What bystanders wait after a frame that they could not decode. Default: "eifs".
    pub bystanders: Option<Word<BystanderRule>>,
    /// What a sender waits after a missing CTS or ACK. Default: "timeout+difs" ("answer" with ns-2's
    /// conventions).
    pub timeouts: Option<Word<TimeoutRule>>,
    /// A reservation by RTS is given up when no exchange follows (802.11-2020, 10.3.2.4). Default: true.
    pub nav_reset: Option<bool>,
    /// With "802.11bg": what goes before OFDM data. Default: "cts_to_self".
    pub protection: Option<Word<ProtectionName>>,
    /// When a station that decodes an RTS for it does not answer. Default: "nav" ("awaiting_data" with ns-2's
    /// conventions).
    pub silence: Option<Word<SilenceRule>>,
}

/// When RTS/CTS precede a data frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rts {
    /// Always.
    Always,
    /// Never.
    Never,
    /// When the MPDU is longer than this many bytes.
    Above(u32),
}

impl Value for Rts {
    const ALLOWED: &'static str = "\"always\", \"never\", or a size such as \"300 B\"";
    type Table = NoTable;

    fn from_text(text: &str) -> Result<Self, String> {
        match text {
            "always" => Ok(Rts::Always),
            "never" => Ok(Rts::Never),
            _ if text.starts_with(|c: char| c.is_ascii_digit() || c == '-') => {
                let size = Size::from_text(text)?;
                Ok(Rts::Above(u32::try_from(size.0).unwrap_or(u32::MAX)))
            }
            _ => Err(format!("found \"{text}\"; allowed: {}", Self::ALLOWED)),
        }
    }
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        let size = generator.subschema_for::<Size>();
        json_schema!({ "anyOf": [{ "enum": ["always", "never"] }, size] })
    }
}

/// A retry limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryLimit(pub Option<u32>);

impl Value for RetryLimit {
    const ALLOWED: &'static str = "a whole number from 0 to 1000000, or \"none\"";
    type Table = NoTable;

    fn from_text(text: &str) -> Result<Self, String> {
        if text == "none" {
            Ok(RetryLimit(None))
        } else {
            Err(crate::value::refuse::<Self>(&format!("{text:?}")))
        }
    }
    fn from_integer(number: i64) -> Result<Self, String> {
        match u32::try_from(number) {
            Ok(limit) if limit <= 1_000_000 => Ok(RetryLimit(Some(limit))),
            _ => Err(crate::value::refuse::<Self>(&number.to_string())),
        }
    }
    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [{ "type": "integer", "minimum": 0 }, { "const": "none" }] })
    }
}

/// How a cell's air loses bits. Parameters of other models than the chosen one are not looked at.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChannelSpec {
    /// How bits are lost.
    pub model: At<Word<ChannelModelName>>,
    /// bernoulli: probability that a frame is lost.
    pub frame_loss: Option<At<Probability>>,
    /// bit_errors: bit error rate.
    pub ber: Option<At<Probability>>,
    /// gilbert_elliott: mean sojourn in the good state.
    pub mean_good: Option<At<Duration>>,
    /// gilbert_elliott: mean sojourn in the bad state.
    pub mean_bad: Option<At<Duration>>,
    /// gilbert_elliott: bit error rate in the good state.
    pub ber_good: Option<At<Probability>>,
    /// gilbert_elliott: bit error rate in the bad state.
    pub ber_bad: Option<At<Probability>>,
    /// gilbert_elliott: how the state is applied to a frame. Default: "each_bit".
    pub sampling: Option<Word<Sampling>>,
    /// Who shares a channel state. Default: "station" with an access point, "receiver" without.
    pub state_per: Option<At<Word<StatePer>>>,
    /// RTS, CTS and ACK can be hit too. Default: true.
    pub control_frames: Option<bool>,
    /// The PLCP preamble and header can be hit too. Default: false (true with ns-2's conventions).
    pub plcp: Option<bool>,
}

/// A Reed-Solomon code on the data frames of a cell.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FecSpec {
    /// False: no code, whatever else is said. Default: true.
    pub enabled: Option<bool>,
    /// What decoding does to a frame. Default: "block".
    pub model: Option<Word<FecModel>>,
    /// Symbols in a coded block. Default: 255.
    pub n: Option<At<u32>>,
    /// Data symbols in a block. Default: 181, which is petrovic2003's 71 %.
    pub k: Option<At<u32>>,
    /// Bits in a symbol. Default: 8.
    pub symbol_bits: Option<At<u32>>,
    /// Code only while the fed-back estimate of the channel says bad. Default: true.
    pub adaptive: Option<bool>,
    /// The PLCP of a coded frame is taken as coded too, where `channel.plcp` lets errors hit it; false: it meets the bare
    /// channel, as on the air. Default: false.
    pub protects_plcp: Option<bool>,
    /// How old the estimate is when the sender uses it. Default: "0 ms".
    pub feedback_delay: Option<At<Duration>>,
}

values!(Stations, Rts, RetryLimit);
