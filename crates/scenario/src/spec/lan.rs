//! Shared wired LANs.

use super::{BurstSpec, QueueSpec, Stations};
use crate::at::At;
use crate::radio_units::Length;
use crate::settings::Set;
use crate::table::{prose, table};
use crate::units::Duration;
use net::LanSettings;

table! {
    /// A shared wired LAN: half-duplex Ethernet with CSMA/CD (IEEE 802.3), all of whose stations are in one
    /// collision domain.
    pub struct LanSpec {
        /// The name of the LAN, which results carry.
        name: String = held "lan" => "\"lan2\", ... for further ones";
        /// How many stations the LAN has (they are named host1, host2, ...), or a list of their names; at least
        /// two. A station can have links and be in cells too.
        needed stations: Stations;
        /// The rules of the LAN.
        settings settings: Set<LanSettings>;
        /// The length of the bus on which the stations stand. It takes the place of `delay`: signals take time by
        /// distance.
        length: Length;
        /// The distance of each station from one end of the bus, such as ["0 m", "20 m"]. Without it the stations
        /// stand at equal distances, the first at one end and the last at the other.
        places: Vec<At<String>>;
        /// How long a packet takes from a station's network layer to its interface queue, and again from the next
        /// station's MAC to its network layer. ns-2's link layer takes the LAN's delay there.
        link_layer_delay: Duration = "0 s";
        /// The interface queue of every station.
        queue: QueueSpec = held prose("the top-level queue");
        /// Losses in bursts, whose states all stations share. What is lost took its time on the medium.
        bursts: BurstSpec = held prose("none");
    }
}
