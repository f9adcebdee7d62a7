//! The events that a medium waits for, and their results.

use super::frame::Slot;
use crate::frames::Kind;
use crate::mlme::HandoffRecord;
use base::{Span, StationId};

/// An event that a medium waits for.
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
    /// Responses that stations wait for may have failed to come.
    Unanswered,
    /// An MPDU ends of a frame that goes on.
    Mpdu(u16),
}

impl Due {
    /// The end of a frame of some kind.
    pub fn end_of(kind: Kind, slot: Slot) -> Due {
        match kind {
            Kind::Data | Kind::Group => Due::Data(slot),
            _ => Due::Control(slot),
        }
    }
}

/// The most stations on one channel. Power is kept for each pair: 4 million at this number.
pub const MAX_MEDIUM_STATIONS: usize = 2000;

/// Bits of a 16-bit code that hold the frame or station; the others hold the kind.
const WHICH_BITS: u32 = 13;

impl Due {
    /// Encodes the event for an agenda.
    pub fn code(self) -> u16 {
        let (kind, which) = match self {
            Due::Data(frame) => (0, frame),
            Due::Control(frame) => (1, frame),
            Due::Answer(station) => (2, station.0 as u16),
            Due::Timeout(station) => (3, station.0 as u16),
            Due::Tuned(station) => (4, station.0 as u16),
            Due::Manage(station) => (5, station.0 as u16),
            Due::Unanswered => (6, 0),
            Due::Mpdu(frame) => (7, frame),
        };
        kind << WHICH_BITS | which
    }

    /// From an agenda.
    pub fn from_code(code: u16) -> Due {
        let which = code & ((1 << WHICH_BITS) - 1);
        let station = StationId(u32::from(which));
        match code >> WHICH_BITS {
            0 => Due::Data(which),
            1 => Due::Control(which),
            2 => Due::Answer(station),
            3 => Due::Timeout(station),
            4 => Due::Tuned(station),
            5 => Due::Manage(station),
            6 => Due::Unanswered,
            _ => Due::Mpdu(which),
        }
    }
}

/// Results of an event.
pub type Happened = net::Out<Move>;

/// A station's move, as the wired network learns of it.
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
        /// Time since the last one before, to the station or from it.
        gap: Span,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_come_back_as_they_went() {
        for due in [
            Due::Data(8191),
            Due::Control(3),
            Due::Answer(StationId(MAX_MEDIUM_STATIONS as u32 - 1)),
            Due::Timeout(StationId(0)),
            Due::Tuned(StationId(1)),
            Due::Manage(StationId(MAX_MEDIUM_STATIONS as u32 - 1)),
            Due::Unanswered,
            Due::Mpdu(8191),
        ] {
            assert_eq!(Due::from_code(due.code()), due);
        }
    }
}
