//! 802.11 cells: stations, PHY, MAC, channel, code.

use super::{ChannelSpec, FecSpec, Placement, QueueSpec};
use crate::at::At;
use crate::table::{prose, table};
use crate::units::{BitRate, Duration, Size};
use crate::value::{NoTable, Value, values};
use crate::word::Word;
use base::named;
use schemars::{Schema, SchemaGenerator, json_schema};
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
}

table! {
    /// An 802.11 cell; without a [medium] all hear all.
    pub struct CellSpec {
        /// A name for results.
        name: String = held "cell" => "\"cell2\", ... for further ones";
        /// The node that is the access point. Left out: ad hoc, each station reaches each other in one hop.
        access_point: String;
        /// How many stations (named sta1, sta2, ...), or a list of their names.
        needed stations: Stations;
        /// The interface queue of every station.
        queue: QueueSpec = held prose("the top-level queue");
        /// Bytes that a mobile's network layer adds to packets that begin there, such as "20 B"; they keep them on
        /// wires too.
        routing_header: Size = held "0 B", "ns-2's conventions where there is an access point" "20 B";
        /// For how long a packet is between a station's network layer and its interface queue, and between the next
        /// station's MAC and its network layer, such as "25 us".
        link_layer_delay: Duration = "0 s", ns2 "25 us" => "ns-2: its link layer's";
        /// Where its stations are, such as "circle 10 m" around its access point; a [[node]] says otherwise for one of
        /// them. Needs a [medium].
        placement: Placement;
        /// Its radio channel: cells with the same number hear each other as far as their places let them. Needs a
        /// [medium].
        channel_number: u32 = held 1;
        /// This cell's timing and rates; what is left out comes from the top-level table.
        phy: PhySpec;
        /// This cell's rules and limits; what is left out comes from the top-level table.
        mac: MacSpec;
        /// This cell's channel; a table with a model stands alone.
        channel: ChannelSpec;
        /// This cell's code; a table with a model stands alone.
        fec: FecSpec;
    }
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

table! {
    /// 802.11 timing and rates. Times and windows default to the standard's.
    #[derive(Default)]
    pub struct PhySpec {
        /// Which set of timings and rates.
        standard: Word<StandardName> = "802.11";
        /// Rate of data frames.
        rate: BitRate = held prose("the fastest of the standard, with a rate_control the slowest");
        /// How the rate of each data frame is chosen. All but "fixed" begin with `rate` and choose among `rates`.
        rate_control: Word<RateChoice> = "fixed";
        /// The rates that rate_control chooses from.
        rates: Vec<At<BitRate>> = held prose("all of the standard");
        /// With "802.11a" and "802.11g": take rates that the standard does not have too, such as "20 Mbps".
        any_rate: bool = false;
        /// Rate of RTS, CTS and ACK.
        control_rate: BitRate = held prose("the fastest basic rate that is not above the data's (802.11-2020, 10.6.6.5); basic rates are 1 and 2 Mbps (2 alone after short preambles), or 6, 12 and 24 Mbps"), ns2 prose("1 Mbps with DSSS"), "ns2.1b8" prose("with DSSS the data's"), "ns2.1b7" prose("with DSSS the data's");
        /// Length of the PLCP preamble.
        preamble: Word<Preamble> = held "long", "ns2.1b8" prose("long at the data's rate"), "ns2.1b7" prose("long at the data's rate");
        /// aSlotTime.
        slot: Duration = held "20 us", "802.11a" "9 us", "802.11g" "9 us";
        /// aSIFSTime.
        sifs: Duration = held "10 us", "802.11a" "16 us";
        /// aCWmin, slots.
        cw_min: u32 = held 31, "802.11a" 15, "802.11g" 15, "802.11bg" 15;
        /// aCWmax, slots.
        cw_max: u32 = held 1023;
        /// For how long after a frame begins another station may begin unaware of it. 802.11's aCCATime is "15 us"
        /// with DSSS and "4 us" with OFDM.
        sense_time: Duration = held "0 us" => "as ns-2, ns-3 and Bianchi's model have it";
    }
}

table! {
    /// 802.11 rules and limits.
    #[derive(Default)]
    pub struct MacSpec {
        /// "always", "never", or the longest MPDU that is sent without RTS/CTS, such as "300 B".
        rts: Rts = "never";
        /// Limit for RTS frames and data up to the RTS threshold, or "none".
        short_retry_limit: RetryLimit = held 7, "retry_limit_counts = retransmissions" 6;
        /// Limit for data above the RTS threshold, or "none".
        long_retry_limit: RetryLimit = held 4, "retry_limit_counts = retransmissions" 3;
        /// Both limits at once.
        retry_limit: RetryLimit;
        /// What the limits count.
        retry_limit_counts: Word<CountName> = "attempts";
        /// MAC header and FCS of data frames.
        mac_header: Size = "28 B", ns2 "34 B";
        /// LLC and SNAP header.
        llc_header: Size = "8 B", ns2 "0 B";
        /// When a station without a pending backoff may begin.
        access: Word<AccessRule> = "immediate", ns2 "always_backoff";
        /// The range of a backoff draw.
        backoff: Word<BackoffDraw> = "0..cw", ns2 "0..cw-1";
        /// How many slots of an idle time count for those whose backoff another stops.
        slots: Word<SlotRule> = "all", ns2 "truncated";
        /// What bystanders wait after a frame that they could not decode.
        bystanders: Word<BystanderRule> = "eifs", ns2 "eifs+difs";
        /// What a sender waits after a missing CTS or ACK.
        timeouts: Word<TimeoutRule> = "timeout+difs", ns2 "answer";
        /// A reservation by RTS is given up when no exchange follows (802.11-2020, 10.3.2.4).
        nav_reset: bool = true, ns2 false;
        /// With "802.11bg": what goes before OFDM data.
        protection: Word<ProtectionName> = "cts_to_self";
        /// When a station that decodes an RTS for it does not answer.
        silence: Word<SilenceRule> = "nav", ns2 "awaiting_data";
    }
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

values!(Stations, Rts, RetryLimit);
