//! What a cell tells of its frames: the parts of each, what bursts carry, and who sends in contention.

use crate::phy::Way;
use base::{StationId, Time, named};

named! {
    /// What symbols of a frame are for.
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
    /// What for.
    pub what: Use,
    /// Of which direction.
    pub way: Way,
    /// Of a burst: the subscriber station.
    pub station: Option<StationId>,
    /// The first symbol, counted from the frame's.
    pub first: u32,
    /// How many.
    pub symbols: u32,
    /// When the first begins, and when the last ends.
    pub time: (Time, Time),
}

/// What has been said in a region of contention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// The region.
    pub what: Use,
    /// Who sends.
    pub station: StationId,
    /// In which opportunity, from 0.
    pub opportunity: u32,
    /// How many send in it, and which of them this is, from 0.
    pub senders: (u32, u32),
    /// When the opportunity begins, and when it ends.
    pub time: (Time, Time),
}

/// Who sends in which opportunity of a region.
pub(super) type Sender = (Use, StationId, u32);

/// What a burst carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filled {
    /// The burst's first symbol, counted from the frame's.
    pub first: u32,
    /// Bytes that it has room for.
    pub room: u64,
    /// Of these, bytes of PDUs.
    pub used: u64,
}

/// A queue that has given packets away, or a burst that found none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Served {
    /// Whose queue.
    pub station: StationId,
    /// It is the base station's queue for it, not its own.
    pub is_down: bool,
    /// The burst into which it has put them; `None`: they were given up.
    pub burst: Option<Filled>,
}
