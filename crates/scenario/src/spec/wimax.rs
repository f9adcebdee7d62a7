//! 802.16 cells: base station, subscriber stations, frame, requests, channel.

use super::{ChannelSpec, QueueSpec, Stations};
use crate::at::At;
use crate::radio_units::{Frequency, Length, Power};
use crate::table::{prose, table};
use crate::units::{Duration, Size};
use crate::value::{NoTable, Value, values};
use crate::word::Word;
use base::named;
use schemars::{Schema, SchemaGenerator, json_schema};
use wimax::{
    Class, Draw, GiveUp, Lossy, Maps, Mcs, Preset, Pricing, Requests, Scheduling, Sized, Tail,
};

named! {
    /// How long the cyclic prefix is, in parts of a symbol's useful time.
    pub enum PrefixName, "cyclic prefix" {
        Quarter = "1/4": "a quarter of a symbol's useful time",
        Eighth = "1/8": "an eighth of a symbol's useful time",
        Sixteenth = "1/16": "a sixteenth of a symbol's useful time",
        ThirtySecond = "1/32": "a thirty-second of a symbol's useful time",
    }
}

table! {
    /// An 802.16 cell: WirelessMAN-OFDM, a base station and its subscriber stations, time division.
    pub struct WimaxSpec {
        /// A name for results.
        name: String = held "wimax" => "\"wimax2\", ... for further ones";
        /// The node that is the base station.
        needed base_station: String;
        /// How many subscriber stations (named ss1, ss2, ...), or a list of their names.
        needed stations: Stations;
        /// Where the rules come from that are not given here.
        preset: Word<Preset> = "standard", ns2 "nist";
        /// Bandwidth of the channel, such as "7 MHz".
        bandwidth: Frequency = held "7 MHz";
        /// The cyclic prefix.
        cyclic_prefix: Word<PrefixName> = held "1/16";
        /// A frame's length: "2.5 ms", "4 ms", "5 ms", "8 ms", "10 ms", "12.5 ms" or "20 ms".
        frame: Duration = held "5 ms";
        /// Symbols of the downlink to those of the uplink, such as "3:1".
        ratio: Ratio = held "1:1";
        /// So many symbols for the downlink, preamble included, in the place of ratio.
        downlink_symbols: u32;
        /// The burst profile of both directions.
        modulation: Word<Mcs> = held "64QAM3/4";
        /// That of the downlink.
        downlink_modulation: Word<Mcs> = held prose("`modulation`");
        /// That of the uplink.
        uplink_modulation: Word<Mcs> = held prose("`modulation`");
        /// That of the broadcast.
        broadcast_modulation: Word<Mcs> = held "BPSK1/2", "preset = nist" "16QAM1/2";
        /// Where the coder's tail byte is.
        tail_byte: Word<Tail> = held "burst", "preset = nist" "symbol";
        /// How long the maps are.
        maps: Word<Maps> = held "growing", "preset = nist" "fixed";
        /// How often the channels are described (DCD and UCD).
        descriptors: Duration = held "10 s", "preset = nist" "5 s";
        /// Symbols of preamble before each burst of the uplink.
        preamble: u32 = held 1, "preset = nist" 0;
        /// Symbols of silence after each burst.
        burst_gap: u32 = held 0, "preset = nist" 1;
        /// Opportunities for ranging in each frame: they take room whether stations enter or not.
        ranging_opportunities: u32 = held 1, "preset = nist" 5;
        /// Opportunities for bandwidth requests in each frame.
        request_opportunities: u32 = held 5;
        /// What an opportunity costs.
        opportunity_price: Word<Pricing> = held "slots", "preset = nist" "data";
        /// The first window of a request's backoff is 2 to this power, opportunities.
        backoff_start: u32 = held 3, "preset = nist" 2;
        /// Its largest window is 2 to this power.
        backoff_end: u32 = held 6;
        /// The range of its draw.
        backoff_draw: Word<Draw> = held "0..2^w-1", "preset = nist" "0..2^w";
        /// T16: how long a station waits for a grant before it asks again.
        t16: Duration = held "50 ms", "preset = nist" "100 ms";
        /// How often a request is sent again.
        request_retries: u32 = held 16, "preset = nist" 2;
        /// What is dropped after that.
        give_up: Word<GiveUp> = held "head", "preset = nist" "covered";
        /// When a request's size is fixed.
        request_size: Word<Sized> = held "sending", "preset = nist" "making";
        /// What a request says.
        requests: Word<Requests> = held "aggregate";
        /// Bursts of the uplink carry requests for what they leave.
        piggyback: bool = held false;
        /// PDUs end with a CRC.
        crc: bool = held true, "preset = nist" false;
        /// Packets are cut where a burst ends.
        fragmentation: bool = held true;
        /// A PDU carries several packets.
        packing: bool = held false;
        /// The queue of each connection, at the base station and at stations; a packet that has been begun counts as in
        /// service.
        queue: QueueSpec = held prose("the top-level queue");
        /// The base station's queue for each subscriber station.
        downlink_queue: QueueSpec = held prose("`queue`");
        /// The queue of each subscriber station.
        uplink_queue: QueueSpec = held prose("`queue`");
        /// How the air loses packets; what is lost is not sent again. `frame_loss` is that of a packet.
        channel: ChannelSpec;
        /// What the channel's errors hit.
        errors_in: Word<Lossy> = held "both";
        /// Lost blocks are sent again.
        arq: ArqSpec = held prose("what is lost is not sent again");
        /// Where the signal decides: burst profiles by it, and losses where it is too weak. Needs a place of each station,
        /// by a [[node]].
        signal: SignalSpec = held prose("every burst profile carries everywhere");
        /// Stations come into the network by ranging and registration.
        entry: EntrySpec = held prose("stations are in the network from the start");
        /// Who is served first in the downlink, among stations of one class.
        downlink_scheduler: Word<Scheduling> = held "round_robin";
        /// Who is served first in the uplink, among stations of one class.
        uplink_scheduler: Word<Scheduling> = held "round_robin";
        /// What is a subscriber station's own.
        list station: SubscriberSpec;
        /// Service flows beside best effort, which carries all that no other does.
        list service: ServiceSpec;
    }
}

table! {
    /// ARQ on every connection of an 802.16 cell; its feedback costs nothing and is never lost.
    #[derive(Default)]
    pub struct ArqSpec {
        /// Bytes of a block, 16 to 1024: packets are cut between blocks only.
        block: Size = "64 B";
        /// Blocks from the first that is missing to the last that may be sent, up to 1024.
        window: u32 = 1024;
        /// From the end of a block that was lost until it may be sent again.
        retry: Duration = "20 ms";
        /// A packet is given up so long after its first block was sent; "0 s": never.
        lifetime: Duration = "500 ms";
        /// Packets are handed up in order.
        in_order: bool = true;
    }
}

table! {
    /// How stations come into an 802.16 network: each listens until the channels are described, ranges in contention, and
    /// registers. Until then its packets and those for it wait in their queues.
    #[derive(Default)]
    pub struct EntrySpec {
        /// When the first station is switched on.
        start: Duration = "0 s";
        /// From one station to the next.
        apart: Duration = "0 s";
        /// The first window of ranging's backoff is 2 to this power, opportunities.
        backoff_start: u32 = held prose("that of requests");
        /// Its largest window is 2 to this power.
        backoff_end: u32 = held prose("that of requests");
        /// T3: how long a station waits for the answer to its ranging request before it tries again.
        t3: Duration = "200 ms";
        /// How often it tries again before it listens anew.
        retries: u32 = 16;
        /// From the answer to its ranging request until a station is in the network.
        registration: Duration = held prose("four frames: capabilities and registration, each asked for and answered");
    }
}

table! {
    /// Power, its way, and noise in an 802.16 cell: mean power by a power law of distance.
    #[derive(Default)]
    pub struct SignalSpec {
        /// Burst profiles are the fastest that the signal carries at the start of each frame (802.16-2004, table 266), in the
        /// place of those that are given; else what is too weak for its profile is lost.
        adaptive: bool = true;
        /// By so much the signal must be above what a profile needs for it to be chosen, dB.
        margin_db: f64 = 0;
        /// Carrier.
        frequency: Frequency = "3.5 GHz";
        /// The exponent of distance.
        exponent: f64 = 3;
        /// The reference distance.
        reference: Length = "1 m";
        /// Loss at the reference distance, dB.
        reference_loss_db: f64 = held prose("that of free space");
        /// The base station's transmit power with antenna gains.
        base_power: Power = "43 dBm";
        /// That of subscriber stations.
        station_power: Power = "38 dBm";
        /// Noise of receivers above thermal noise in the channel's bandwidth, dB.
        noise_figure_db: f64 = 7;
    }
}

table! {
    /// What is a subscriber station's own.
    pub struct SubscriberSpec {
        /// A subscriber station of this cell; a star stands for any text.
        needed name: String;
        /// The burst profile towards it.
        downlink_modulation: Word<Mcs> = held prose("the cell's");
        /// The burst profile from it.
        uplink_modulation: Word<Mcs> = held prose("the cell's");
        /// The base station's queue for it.
        downlink_queue: QueueSpec = held prose("the cell's");
        /// Its own queue.
        uplink_queue: QueueSpec = held prose("the cell's");
        /// Its share, 1 to 1000, where the scheduler has shares.
        weight: u32 = held 1;
    }
}

table! {
    /// A service flow: bandwidth for some flows, in both directions, at each station that they pass.
    pub struct ServiceSpec {
        /// A flow, or all that a [[flow]] made; a star stands for any text.
        needed flows: Vec<At<String>>;
        /// How it gets bandwidth in the uplink. Classes are served in the order ugs, rtps, nrtps, be.
        needed class: Word<Class>;
        /// From one unsolicited grant or poll to the next.
        interval: Duration = held prose("\"20 ms\", with nrtps \"1 s\"");
        /// ugs: bytes of PDUs in each grant: a packet, and 10 B of header and CRC.
        grant: Size;
        /// The queue of each of its connections.
        queue: QueueSpec = held prose("the station's");
    }
}

/// Downlink to uplink.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ratio(pub u32, pub u32);

/// A share of less than a thousandth is a mistake.
const LARGEST_PART: u32 = 1000;

impl Value for Ratio {
    const ALLOWED: &'static str = "downlink to uplink, such as \"3:1\", each 1 to 1000";
    type Table = NoTable;

    fn from_text(text: &str) -> Result<Self, String> {
        let part = |text: &str| text.trim().parse().ok().filter(|n| (1..=LARGEST_PART).contains(n));
        let parts = text.split_once(':').and_then(|(down, up)| Some(Ratio(part(down)?, part(up)?)));
        parts.ok_or_else(|| crate::value::refuse::<Self>(&format!("\"{text}\"")))
    }
    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^ *[0-9]+ *: *[0-9]+ *$", "examples": ["3:1"] })
    }
}

values!(Ratio);
