//! Machines of nodes on the way of a connection: they see its segments, hold some back and send others again.
//!
//! Each is for one connection at one node, and for the data that go to the mobile end. It takes a segment and
//! the time, and answers with the fate of the segment and with [`Orders`]. It knows no packet.

mod cache;
mod eln;
mod mtcp;
mod radio_rtt;
mod snoop;

use net::Segment;

pub use eln::Eln;
pub use mtcp::{Mtcp, MtcpConfig, MtcpStats};
pub use snoop::{Snoop, SnoopConfig, SnoopStats};

/// The fate of a segment that a machine has seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It goes on, as the machine has left it.
    Pass,
    /// It goes no further.
    Suppress,
}

/// Segments that a node has to send beside those that pass it.
#[derive(Clone, Debug, Default)]
pub struct Orders {
    /// To the mobile, once more.
    pub down: Vec<Segment>,
    /// To the other end: acknowledgements of what the mobile has acknowledged.
    pub up: Vec<Segment>,
}
