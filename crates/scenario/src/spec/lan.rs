//! Shared wired LANs.

use super::{QueueSpec, Stations};
use crate::at::At;
use crate::radio_units::Length;
use crate::table::{prose, table};
use crate::units::{BitRate, Duration, Size};
use crate::word::Word;
use net::{Collisions, LanPreset};

table! {
    /// A shared wired LAN: half-duplex Ethernet with CSMA/CD (IEEE 802.3), all of whose stations are in one
    /// collision domain.
    pub struct LanSpec {
        /// The name of the LAN, which results carry.
        name: String = held "lan" => "\"lan2\", ... for further ones";
        /// How many stations the LAN has (they are named host1, host2, ...), or a list of their names; at least
        /// two. A station can have links and be in cells too.
        needed stations: Stations;
        /// The set of rules from which the defaults of other keys come.
        preset: Word<LanPreset> = "802.3", ns2 "ns2";
        /// The bit rate of the medium. A slot is 512 bit times, the gap between frames 96, and a jam 32.
        rate: BitRate = "10 Mbps";
        /// The propagation delay between any two stations. A collision must be noticed within a slot, which limits
        /// it.
        delay: Duration = "1 us", ns2 "4 us";
        /// The length of the bus on which the stations stand. It takes the place of `delay`: signals take time by
        /// distance.
        length: Length;
        /// The distance of each station from one end of the bus, such as ["0 m", "20 m"]. Without it the stations
        /// stand at equal distances, the first at one end and the last at the other.
        places: Vec<At<String>>;
        /// The speed of signals on the bus, as a share of the speed of light, 0.01 to 1.
        velocity: f64 = 0.77;
        /// The preamble and start delimiter before each frame.
        preamble: Size = held "8 B", "preset = ns2" "0 B";
        /// The addresses, type and check sequence of a frame.
        header: Size = held "18 B", "preset = ns2" "14 B";
        /// The shortest frame, header included. Shorter ones are padded.
        minimum_frame: Size = "64 B";
        /// What happens after a collision.
        collisions: Word<Collisions> = held "jam", "preset = ns2" "notice";
        /// A frame is given up after so many collisions, 1 to 1000.
        attempt_limit: u32 = 16;
        /// The window of a backoff doubles with each collision, up to 2 to this power; 0 to 20.
        backoff_limit: u32 = 10;
        /// How long a packet takes from a station's network layer to its interface queue, and again from the next
        /// station's MAC to its network layer. ns-2's link layer takes the LAN's delay there.
        link_layer_delay: Duration = "0 s";
        /// The interface queue of every station.
        queue: QueueSpec = held prose("the top-level queue");
    }
}
