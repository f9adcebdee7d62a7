//! What a medium waits for, and what comes of it.

use crate::mlme::HandoffRecord;
use crate::outcome::Ended;
use base::{PacketId, Span, StationId};

/// What a medium waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// A data frame ends.
    Data(u16),
    /// Another frame ends.
    Control(u16),
    /// A station sends an answer, or data after a CTS.
    Answer(StationId),
    /// A station has waited in vain.
    Timeout(StationId),
    /// A station arrives on another channel.
    Tuned(StationId),
    /// A station's management entity has something to do.
    Manage(StationId),
}

/// What has come of an event.
#[derive(Clone, Debug, Default)]
pub struct Happened {
    /// A packet and the station that now has it.
    pub delivered: Option<(PacketId, StationId)>,
    /// Senders whose exchange has ended, and stations at which a packet was lost outside of one.
    pub ended: Vec<Ended>,
    /// A packet for all that has been sent; its fate is its sender's to decide.
    pub broadcast: Option<PacketId>,
    /// Who has decoded that packet.
    pub hearers: Vec<StationId>,
    /// Stations that changed their access point.
    pub moves: Vec<Move>,
}

/// What the wired network learns of a station.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// The station holds itself for associated; its data go to the new access point.
    Joined(HandoffRecord),
    /// An access point has a new station: what comes for it goes there from now on.
    Admitted {
        /// The station.
        station: StationId,
        /// The access point.
        access_point: StationId,
    },
    /// A station no longer holds itself for associated.
    Left {
        /// The station.
        station: StationId,
        /// The access point that it has lost.
        access_point: StationId,
    },
    /// The first data frame has passed since a station joined.
    Resumed {
        /// The station.
        station: StationId,
        /// Since the last one before, to the station or from it.
        gap: Span,
    },
}
