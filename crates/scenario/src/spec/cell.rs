//! 802.11 cells: stations, PHY, MAC, channel, code.

use super::{ChannelSpec, FecSpec, Placement, QueueSpec};
use crate::at::{At, Reason};
use crate::code::Code;
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
        G = "802.11g": "OFDM at 2.4 GHz without 802.11b stations: 6 to 54 Mbps, short slots",
        Mixed = "802.11bg": "802.11g beside 802.11b stations: 1 to 54 Mbps, with long slots, DSSS control frames and protection",
        Custom = "custom": "802.11b's timing with any rate",
    }
    /// What warns 802.11b stations of OFDM frames.
    pub enum ProtectionName, "protection" {
        CtsToSelf = "cts_to_self": "a CTS to oneself before each OFDM data frame without RTS (802.11-2020, 10.27)",
        Off = "none": "nothing: 802.11b stations do not notice OFDM frames",
    }
    /// What a retry limit counts.
    pub enum CountName, "way of counting" {
        Attempts = "attempts": "transmissions in all, the first included (dot11ShortRetryLimit)",
        Retransmissions = "retransmissions": "transmissions after the first",
    }
}

table! {
    /// An 802.11 cell. Without a [medium] all its stations hear each other, and no other cell.
    pub struct CellSpec {
        /// The name of the cell, which results carry.
        name: String = held "cell" => "\"cell2\", ... for further ones";
        /// The node that is the access point. Without one the cell is ad hoc: each station reaches every other in
        /// one hop.
        access_point: String;
        /// How many stations the cell has beside the access point (they are named sta1, sta2, ...), or a list of
        /// their names.
        needed stations: Stations;
        /// The interface queue of every station.
        queue: QueueSpec = held prose("the top-level queue");
        /// The header that the network layer of a mobile station adds to packets that begin there, such as "20 B".
        /// Packets keep it on wires too.
        routing_header: Size = held "0 B", "ns-2's conventions where there is an access point" "20 B";
        /// How long a packet takes from a station's network layer to its interface queue, and again from the next
        /// station's MAC to its network layer, such as "25 us".
        link_layer_delay: Duration = "0 s", ns2 "25 us" => "the delay of ns-2's link layer";
        /// Where the stations are: "circle 10 m" puts them around the access point. A [[node]] gives a single
        /// station another place. It needs a [medium].
        placement: Placement;
        /// The number of the radio channel. Cells with the same number hear each other as far as their places let
        /// them. It needs a [medium].
        channel_number: u32 = held 1;
        /// The timing and rates of this cell. What is left out comes from the top-level `phy`.
        phy: PhySpec;
        /// The rules and limits of this cell. What is left out comes from the top-level `mac`.
        mac: MacSpec;
        /// The channel of this cell. It takes the place of the whole top-level `channel`.
        channel: ChannelSpec;
        /// The code of this cell. It takes the place of the whole top-level `fec`.
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

    fn from_integer(number: i64) -> Result<Self, Reason> {
        if !(1..=MOST_STATIONS).contains(&number) {
            let message = format!("{number} stations; allowed: 1 to {MOST_STATIONS}");
            return Err(Code::OutOfRange.says(message));
        }
        Ok(Stations::Count(number as u32))
    }
    fn from_list(list: Vec<At<String>>) -> Result<Self, Reason> {
        if list.is_empty() {
            return Err(Code::OutOfRange.says("no stations; allowed: one or more"));
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
    /// The timing and rates of 802.11. Times and windows are those of the standard unless they are given.
    #[derive(Default)]
    pub struct PhySpec {
        /// The standard, which decides timing, rates and preambles.
        standard: Word<StandardName> = "802.11";
        /// The rate of data frames. With a `rate_control` it is the rate that the control begins with.
        rate: BitRate = held prose("the fastest of the standard; with a rate_control, the slowest");
        /// How the rate of each data frame is chosen.
        rate_control: Word<RateChoice> = "fixed";
        /// The rates among which `rate_control` chooses.
        rates: Vec<At<BitRate>> = held prose("all of the standard");
        /// With "802.11a", "802.11g" and "802.11bg": accept rates that the standard does not have, such as "20
        /// Mbps".
        any_rate: bool = false;
        /// The rate of RTS, CTS and ACK frames.
        control_rate: BitRate = held prose("the fastest basic rate that is not above the data's (802.11-2020, 10.6.6.5); the basic rates of DSSS are 1 and 2 Mbps (after short preambles only 2 Mbps), those of OFDM 6, 12 and 24 Mbps"), ns2 prose("1 Mbps for DSSS"), "ns2.1b8" prose("the data's for DSSS"), "ns2.1b7" prose("the data's for DSSS");
        /// The length of the PLCP preamble. Only 802.11b and 802.11bg have a short one.
        preamble: Word<Preamble> = held "long", "ns2.1b8" prose("long, at the data's rate"), "ns2.1b7" prose("long, at the data's rate");
        /// The length of a slot (aSlotTime).
        slot: Duration = held "20 us", "802.11a" "9 us", "802.11g" "9 us";
        /// The short interframe space (aSIFSTime).
        sifs: Duration = held "10 us", "802.11a" "16 us";
        /// The smallest contention window (aCWmin) in slots.
        cw_min: u32 = held 31, "802.11a" 15, "802.11g" 15, "802.11bg" 15;
        /// The largest contention window (aCWmax) in slots.
        cw_max: u32 = held 1023;
        /// How long after the start of a frame another station may still begin, because it has not noticed the
        /// frame. It is less than a slot. 802.11's aCCATime is "15 us" with DSSS and "4 us" with OFDM.
        sense_time: Duration = held "0 us" => "as ns-2, ns-3 and Bianchi's model have it";
    }
}

table! {
    /// The access rules and retry limits of 802.11.
    #[derive(Default)]
    pub struct MacSpec {
        /// When RTS/CTS precede a data frame: "always", "never", or for frames whose MPDU is longer than a size
        /// such as "300 B".
        rts: Rts = "never";
        /// The retry limit of RTS frames and of data frames up to the RTS threshold, or "none".
        short_retry_limit: RetryLimit = held 7, "retry_limit_counts = retransmissions" 6;
        /// The retry limit of data frames above the RTS threshold, or "none".
        long_retry_limit: RetryLimit = held 4, "retry_limit_counts = retransmissions" 3;
        /// Sets `short_retry_limit` and `long_retry_limit` at once, in their place.
        retry_limit: RetryLimit;
        /// What the retry limits count.
        retry_limit_counts: Word<CountName> = "attempts";
        /// The MAC header and the frame check sequence (FCS) of data frames.
        mac_header: Size = "28 B", ns2 "34 B";
        /// The LLC and SNAP header of data frames.
        llc_header: Size = "8 B", ns2 "0 B";
        /// When a station may send that finds the medium idle and has no backoff to finish.
        access: Word<AccessRule> = "immediate", ns2 "always_backoff";
        /// The range from which a backoff is drawn.
        backoff: Word<BackoffDraw> = "0..cw", ns2 "0..cw-1";
        /// How many of the slots that have passed count when another station begins and stops the countdown of a
        /// backoff.
        slots: Word<SlotRule> = "all", ns2 "truncated";
        /// How long a bystander waits after a frame that it could not decode.
        bystanders: Word<BystanderRule> = "eifs", ns2 "eifs+difs";
        /// How long a sender waits when the CTS or ACK does not come.
        timeouts: Word<TimeoutRule> = "timeout+difs", ns2 "answer";
        /// Whether the reservation of an RTS is given up when no exchange follows (802.11-2020, 10.3.2.4).
        nav_reset: bool = true, ns2 false;
        /// With "802.11bg": what precedes OFDM data frames, so that 802.11b stations notice them.
        protection: Word<ProtectionName> = "cts_to_self";
        /// When a station does not answer an RTS that is meant for it.
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

    fn from_text(text: &str) -> Result<Self, Reason> {
        match text {
            "always" => Ok(Rts::Always),
            "never" => Ok(Rts::Never),
            _ if text.starts_with(|c: char| c.is_ascii_digit() || c == '-') => {
                let size = Size::from_text(text)?;
                Ok(Rts::Above(u32::try_from(size.0).unwrap_or(u32::MAX)))
            }
            _ => Err(crate::value::refuse::<Self>(&format!("\"{text}\""))),
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

    fn from_text(text: &str) -> Result<Self, Reason> {
        if text == "none" {
            Ok(RetryLimit(None))
        } else {
            Err(crate::value::refuse::<Self>(&format!("{text:?}")))
        }
    }
    fn from_integer(number: i64) -> Result<Self, Reason> {
        match u32::try_from(number) {
            Ok(limit) if limit <= 1_000_000 => Ok(RetryLimit(Some(limit))),
            _ => Err(crate::value::refuse::<Self>(&number.to_string()).but(Code::OutOfRange)),
        }
    }
    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [{ "type": "integer", "minimum": 0 }, { "const": "none" }] })
    }
}

values!(Stations, Rts, RetryLimit);
