//! Shared wired LANs.

use super::{QueueSpec, Stations};
use crate::at::At;
use crate::radio_units::Length;
use crate::table::{prose, table};
use crate::units::{BitRate, Duration, Size};
use crate::word::Word;
use net::{Collisions, LanPreset};

table! {
    /// A shared wired LAN: half-duplex CSMA/CD (IEEE 802.3), every station in one collision domain.
    pub struct LanSpec {
        /// A name for results.
        name: String = held "lan" => "\"lan2\", ... for further ones";
        /// How many stations (named host1, host2, ...), or a list of their names. Stations can have links and be in cells too.
        needed stations: Stations;
        /// Where the rules come from that are not given here.
        preset: Word<LanPreset> = "802.3", ns2 "ns2";
        /// Bits per second on the medium: slot, gap and jam are 512, 96 and 32 of them.
        rate: BitRate = "10 Mbps";
        /// Propagation delay between any two stations.
        delay: Duration = "1 us", ns2 "4 us";
        /// Length of a bus, in the place of `delay`: the stations stand on it, the first at one end.
        length: Length;
        /// By station: its distance from one end of the bus, such as ["0 m", "20 m"]. Without it they stand at equal distances.
        places: Vec<At<String>>;
        /// How fast the bus carries signals, as a share of the speed of light.
        velocity: f64 = 0.77;
        /// Preamble and start delimiter before each frame.
        preamble: Size = held "8 B", "preset = ns2" "0 B";
        /// Addresses, type and check sequence of a frame.
        header: Size = held "18 B", "preset = ns2" "14 B";
        /// The shortest frame, header included; shorter ones are padded.
        minimum_frame: Size = "64 B";
        /// What comes of a collision.
        collisions: Word<Collisions> = held "jam", "preset = ns2" "notice";
        /// A frame is given up after so many collisions.
        attempt_limit: u32 = 16;
        /// The window of a backoff is at most 2 to this power.
        backoff_limit: u32 = 10;
        /// For how long a packet is between a station's network layer and its interface queue, and between the next
        /// station's MAC and its network layer (ns-2's link layer: the LAN's delay there).
        link_layer_delay: Duration = "0 s";
        /// The interface queue of every station.
        queue: QueueSpec = held prose("the top-level queue");
    }
}
