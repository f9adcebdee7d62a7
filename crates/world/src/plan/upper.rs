//! Settings of what lies above the MAC of 802.11 stations.

use base::{Bytes, Maybe, Span, settings};
use net::LARGEST_PACKET;

settings! {
    /// What lies above the MAC of a cell's stations.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct UpperSettings {
        /// The header that the network layer of a mobile station adds to packets that begin there, such as "20 B".
        /// Packets keep it on wires too.
        routing_header: Option<u32> as Maybe<Bytes> = None => "`infrastructure_header` where there is an access point, else 0 B", "routing_header", Some(0)..=Some(LARGEST_PACKET);
        /// The same in cells with an access point, where `routing_header` is left out. The routing agents of ns-2
        /// add 20 B.
        infrastructure_header: u32 as Bytes = 0, "infrastructure_header", 0..=LARGEST_PACKET;
        /// How long a packet takes from a station's network layer to its interface queue, and again from the next
        /// station's MAC to its network layer, such as "25 us", which is the delay of ns-2's link layer.
        link_layer_delay: Span = Span::ZERO, "link_layer_delay";
    }
}
