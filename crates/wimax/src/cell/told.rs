//! What a cell reports about its frames: the parts of each, the contents of bursts, and the senders in contention.

use crate::phy::Way;
use base::{StationId, Time, named};

named! {
    /// Use of a frame's symbols.
    pub enum Use, "use of symbols" {
        Preamble = "preamble": "the long preamble and the FCH",
        Broadcast = "broadcast": "the maps, and at times the channels' descriptions",
        Burst = "burst": "a station's data, in the uplink with a preamble",
        Ranging = "ranging": "opportunities for ranging",
        Requests = "requests": "opportunities for bandwidth requests",
        Gap = "gap": "silence between bursts or regions",
        Unused = "unused": "nothing",
    }
}

/// Symbols of a frame that are for one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FramePart {
    /// The frame, counted from 0.
    pub frame: u64,
    /// Use of these symbols.
    pub what: Use,
    /// Direction.
    pub way: Way,
    /// The subscriber station of a burst.
    pub station: Option<StationId>,
    /// The first symbol, counted from the frame's.
    pub first: u32,
    /// Number of symbols.
    pub symbols: u32,
    /// Start of the first symbol and end of the last.
    pub time: (Time, Time),
}

/// A message sent in a contention region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// The region.
    pub what: Use,
    /// Sender.
    pub station: StationId,
    /// Opportunity, from 0.
    pub opportunity: u32,
    /// Number of senders in the opportunity, and the index of this one, from 0.
    pub senders: (u32, u32),
    /// Start and end of the opportunity.
    pub time: (Time, Time),
}

/// A sender in a contention region, with its opportunity.
pub(super) type Sender = (Use, StationId, u32);

/// Contents of a burst.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filled {
    /// The burst's first symbol, counted from the frame's.
    pub first: u32,
    /// Bytes that it has room for.
    pub room: u64,
    /// Bytes of PDUs among these.
    pub used: u64,
}

/// An event of a cell's frames, for probes. The parts of a frame come in order when it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// A part of the frame that begins.
    Part(FramePart),
    /// A burst of this subscriber station is filled.
    Filled(StationId, Filled),
    /// A station sends a request in contention.
    Asked(Request),
}

/// A queue that has given packets away, or a burst that found none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Served {
    /// Owner of the queue.
    pub station: StationId,
    /// True for the base station's queue for this station, false for the station's own.
    pub is_down: bool,
    /// The burst into which it has put them; `None`: they were given up.
    pub burst: Option<Filled>,
}
