//! 802.16 cells: base station, subscriber stations, frame, requests, channel.

use super::{ChannelSpec, QueueSpec, Stations};
use crate::at::{At, Reason};
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
    /// An 802.16 cell (WirelessMAN-OFDM): a base station and its subscriber stations on a channel of their own,
    /// with time division.
    pub struct WimaxSpec {
        /// The name of the cell, which results carry.
        name: String = held "wimax" => "\"wimax2\", ... for further ones";
        /// The node that is the base station.
        needed base_station: String;
        /// How many subscriber stations the cell has (they are named ss1, ss2, ...), or a list of their names.
        needed stations: Stations;
        /// The set of rules from which the defaults of other keys come.
        preset: Word<Preset> = "standard", ns2 "nist";
        /// The bandwidth of the channel, such as "7 MHz".
        bandwidth: Frequency = held "7 MHz";
        /// The length of the cyclic prefix, as a part of a symbol's useful time.
        cyclic_prefix: Word<PrefixName> = held "1/16";
        /// The length of a frame: "2.5 ms", "4 ms", "5 ms", "8 ms", "10 ms", "12.5 ms" or "20 ms".
        frame: Duration = held "5 ms";
        /// The symbols of the downlink to those of the uplink, such as "3:1".
        ratio: Ratio = held "1:1";
        /// How many symbols the downlink has, preamble included. It takes the place of `ratio`.
        downlink_symbols: u32;
        /// The burst profile (modulation and code rate) of both directions.
        modulation: Word<Mcs> = held "64QAM3/4";
        /// The burst profile of the downlink.
        downlink_modulation: Word<Mcs> = held prose("`modulation`");
        /// The burst profile of the uplink.
        uplink_modulation: Word<Mcs> = held prose("`modulation`");
        /// The burst profile of the broadcast at the start of a frame, which holds the maps.
        broadcast_modulation: Word<Mcs> = held "BPSK1/2", "preset = nist" "16QAM1/2";
        /// Which byte belongs to the coder.
        tail_byte: Word<Tail> = held "burst", "preset = nist" "symbol";
        /// How long the maps are.
        maps: Word<Maps> = held "growing", "preset = nist" "fixed";
        /// How often the base station describes the channels (DCD and UCD).
        descriptors: Duration = held "10 s", "preset = nist" "5 s";
        /// How many symbols of preamble precede each burst of the uplink.
        preamble: u32 = held 1, "preset = nist" 0;
        /// How many symbols of silence follow each burst.
        burst_gap: u32 = held 0, "preset = nist" 1;
        /// How many opportunities for ranging each frame has. They take room whether stations enter or not.
        ranging_opportunities: u32 = held 1, "preset = nist" 5;
        /// How many opportunities for bandwidth requests each frame has.
        request_opportunities: u32 = held 5;
        /// How many symbols an opportunity takes.
        opportunity_price: Word<Pricing> = held "slots", "preset = nist" "data";
        /// The exponent of the first backoff window of a request, which is 2 to this power, in opportunities.
        backoff_start: u32 = held 3, "preset = nist" 2;
        /// The exponent of the largest backoff window of a request, which is 2 to this power, in opportunities.
        backoff_end: u32 = held 6;
        /// The range from which the backoff of a request is drawn.
        backoff_draw: Word<Draw> = held "0..2^w-1", "preset = nist" "0..2^w";
        /// How long a station waits for a grant before it sends its request again (T16).
        t16: Duration = held "50 ms", "preset = nist" "100 ms";
        /// How often a request is sent again before packets are dropped.
        request_retries: u32 = held 16, "preset = nist" 2;
        /// Which packets are dropped when the last retry of a request has failed.
        give_up: Word<GiveUp> = held "head", "preset = nist" "covered";
        /// When the size that a request asks for is fixed.
        request_size: Word<Sized> = held "sending", "preset = nist" "making";
        /// What a request says.
        requests: Word<Requests> = held "aggregate";
        /// Whether a burst of the uplink carries a request for what it leaves in the queue.
        piggyback: bool = held false;
        /// Whether PDUs end with a CRC.
        crc: bool = held true, "preset = nist" false;
        /// Whether a packet is divided where a burst ends.
        fragmentation: bool = held true;
        /// Whether a PDU carries several packets.
        packing: bool = held false;
        /// The queue of each connection, at the base station and at stations. A packet of which a part has been
        /// sent counts as the one in service.
        queue: QueueSpec = held prose("the top-level queue");
        /// The queue that the base station has for each subscriber station.
        downlink_queue: QueueSpec = held prose("`queue`");
        /// The queue of each subscriber station.
        uplink_queue: QueueSpec = held prose("`queue`");
        /// How packets are lost in the air. `frame_loss` is the loss probability of a packet. What is lost is sent
        /// again only with `arq`.
        channel: ChannelSpec;
        /// The direction that the errors of the channel hit.
        errors_in: Word<Lossy> = held "both";
        /// ARQ, by which lost blocks are sent again.
        arq: ArqSpec = held prose("what is lost is not sent again");
        /// Burst profiles and losses that follow from the signal. Each station needs a place, by a [[node]].
        signal: SignalSpec = held prose("every burst profile reaches everywhere, and nothing is lost by a weak signal");
        /// Network entry, in which stations come into the network by ranging and registration.
        entry: EntrySpec = held prose("stations are in the network from the start");
        /// How the downlink is shared among stations of one class.
        downlink_scheduler: Word<Scheduling> = held "round_robin";
        /// How the uplink is shared among stations of one class.
        uplink_scheduler: Word<Scheduling> = held "round_robin";
        /// Settings of single subscriber stations.
        list station: SubscriberSpec;
        /// Service flows. Best effort carries what belongs to none.
        list service: ServiceSpec;
    }
}

table! {
    /// ARQ on every connection of an 802.16 cell. Its feedback costs nothing and is never lost.
    #[derive(Default)]
    pub struct ArqSpec {
        /// The size of a block, 16 B to 1024 B. Packets are divided only between blocks.
        block: Size = "64 B";
        /// How many blocks lie at most between the first that is missing and the last that may be sent, up to 1024.
        window: u32 = 1024;
        /// The time from the end of a block that was lost until it may be sent again.
        retry: Duration = "20 ms";
        /// How long after its first block was sent a packet is given up. With "0 s" none is.
        lifetime: Duration = "500 ms";
        /// Whether packets are handed up in order.
        in_order: bool = true;
    }
}

table! {
    /// How stations come into an 802.16 network. Each listens until the channels are described, ranges in
    /// contention, and registers. Until then its packets and those for it wait in their queues.
    #[derive(Default)]
    pub struct EntrySpec {
        /// When the first station is switched on.
        start: Duration = "0 s";
        /// The time from the switching on of one station to that of the next.
        apart: Duration = "0 s";
        /// The exponent of the first backoff window of ranging, which is 2 to this power, in opportunities.
        backoff_start: u32 = held prose("that of requests");
        /// The exponent of the largest backoff window of ranging, which is 2 to this power, in opportunities.
        backoff_end: u32 = held prose("that of requests");
        /// How long a station waits for the answer to its ranging request before it tries again (T3).
        t3: Duration = "200 ms";
        /// How often a station tries again before it listens anew.
        retries: u32 = 16;
        /// The time from the answer to its ranging request until a station is in the network.
        registration: Duration = held prose("four frames, in which capabilities and registration are requested and answered");
    }
}

table! {
    /// The signal in an 802.16 cell: power, its loss by a power law of distance, and noise.
    #[derive(Default)]
    pub struct SignalSpec {
        /// True: at the start of each frame each station has the fastest burst profiles that its signal carries
        /// (802.16-2004, table 266), whatever profiles are given. False: the given profiles hold, and packets whose
        /// signal is too weak for them are lost.
        adaptive: bool = true;
        /// By how many dB the signal must be above what a profile needs for the profile to be chosen.
        margin_db: f64 = 0;
        /// The carrier frequency.
        frequency: Frequency = "3.5 GHz";
        /// The exponent of distance.
        exponent: f64 = 3;
        /// The reference distance.
        reference: Length = "1 m";
        /// The loss at the reference distance in dB.
        reference_loss_db: f64 = held prose("that of free space");
        /// The transmit power of the base station, antenna gains included.
        base_power: Power = "43 dBm";
        /// The transmit power of subscriber stations, antenna gains included.
        station_power: Power = "38 dBm";
        /// The noise figure of receivers, which is their noise above thermal noise in the bandwidth of the channel,
        /// in dB.
        noise_figure_db: f64 = 7;
    }
}

table! {
    /// Settings of one subscriber station, or of all that a name with a star matches.
    pub struct SubscriberSpec {
        /// The name of a subscriber station of this cell. A star stands for any text.
        needed name: String;
        /// The burst profile towards the station.
        downlink_modulation: Word<Mcs> = held prose("the cell's");
        /// The burst profile from the station.
        uplink_modulation: Word<Mcs> = held prose("the cell's");
        /// The queue that the base station has for this station.
        downlink_queue: QueueSpec = held prose("the cell's");
        /// The queue of this station.
        uplink_queue: QueueSpec = held prose("the cell's");
        /// The weight of this station with the schedulers weighted and deficit, 1 to 1000.
        weight: u32 = held 1;
    }
}

table! {
    /// A service flow: bandwidth for some flows, in both directions, at each station that they pass.
    pub struct ServiceSpec {
        /// The flows: names of flows, or of a [[flow]] that makes several. A star stands for any text.
        needed flows: Vec<At<String>>;
        /// How the service flow gets bandwidth in the uplink. Classes are served in the order ugs, rtps, nrtps, be.
        needed class: Word<Class>;
        /// The time from one unsolicited grant or poll to the next.
        interval: Duration = held prose("\"20 ms\"; with nrtps, \"1 s\"");
        /// With ugs: how many bytes of PDUs each grant carries. A packet takes its size and 10 B of header and CRC.
        grant: Size;
        /// The queue of each connection of the service flow.
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

    fn from_text(text: &str) -> Result<Self, Reason> {
        let part = |text: &str| text.trim().parse().ok().filter(|n| (1..=LARGEST_PART).contains(n));
        let parts = text.split_once(':').and_then(|(down, up)| Some(Ratio(part(down)?, part(up)?)));
        parts.ok_or_else(|| crate::value::refuse::<Self>(&format!("\"{text}\"")))
    }
    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^ *[0-9]+ *: *[0-9]+ *$", "examples": ["3:1"] })
    }
}

values!(Ratio);
