//! 802.16 cells: base station, subscriber stations, frame, requests, channel.

use super::{ChannelSpec, QueueSpec, Stations};
use crate::at::At;
use crate::settings::Set;
use crate::table::{prose, table};
use crate::units::{Duration, Size};
use crate::word::Word;
use wimax::{ArqConfig, CellSettings, Class, EntryConfig, Mcs, SignalSettings};

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
        /// The rules of the cell.
        settings settings: Set<CellSettings>;
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
        /// ARQ, by which lost blocks are sent again.
        arq: ArqSpec = held prose("what is lost is not sent again");
        /// Burst profiles and losses that follow from the signal. Each station needs a place, by a [[node]].
        signal: SignalSpec = held prose("every burst profile reaches everywhere, and nothing is lost by a weak signal");
        /// Network entry, in which stations come into the network by ranging and registration.
        entry: EntrySpec = held prose("stations are in the network from the start");
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
        /// Its parameters.
        settings settings: Set<ArqConfig>;
    }
}

table! {
    /// How stations come into an 802.16 network. Each listens until the channels are described, ranges in
    /// contention, and registers. Until then its packets and those for it wait in their queues.
    #[derive(Default)]
    pub struct EntrySpec {
        /// Its parameters.
        settings settings: Set<EntryConfig>;
    }
}

table! {
    /// The signal in an 802.16 cell: power, its loss by a power law of distance, and noise.
    #[derive(Default)]
    pub struct SignalSpec {
        /// Its parameters.
        settings settings: Set<SignalSettings>;
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
