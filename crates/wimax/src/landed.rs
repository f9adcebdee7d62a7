//! Packets at the end of their way through a cell.

use crate::piece::Piece;
use base::{PacketId, StationId, Time};

/// The base station.
pub const BASE: StationId = StationId(0);

/// A packet that comes to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Landed {
    /// Time of arrival.
    pub at: Time,
    /// Time at which it entered its queue.
    pub since: Time,
    /// Time since which it was the next of its connection.
    pub first_since: Time,
    /// Time since which the base station knew of it; in the downlink, its arrival in the queue.
    pub known_since: Time,
    /// Time at which its first byte went on the air.
    pub began: Time,
    /// The packet.
    pub id: PacketId,
    /// Its size.
    pub size: u64,
    /// Its sender.
    pub from: StationId,
    /// Its receiver.
    pub to: StationId,
    /// True if it was lost on the air.
    pub is_lost: bool,
}

impl Landed {
    pub(crate) fn new(
        piece: &Piece,
        (start, at): (Time, Time),
        (from, to): (StationId, StationId),
        is_lost: bool,
    ) -> Landed {
        let began = piece.began.unwrap_or(start);
        let known_since = if from == BASE { piece.since } else { piece.known_since(began) };
        let &Piece { id, size, since, first_since, .. } = piece;
        Landed { at, since, first_since, known_since, began, id, size, from, to, is_lost }
    }
}
