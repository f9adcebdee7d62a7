//! What is counted of a cell and of its stations.

use crate::phy::Way;
use crate::piece::Piece;
use base::{DelayHistogram, Span, Time};

/// Counts of one direction of a subscriber station.
#[derive(Clone, Debug, Default)]
pub struct WayStats {
    /// Bursts.
    pub bursts: u64,
    /// Their symbols, preambles included.
    pub symbols: u64,
    /// Bytes that they had room for.
    pub room: u64,
    /// Of these, bytes of PDUs.
    pub used: u64,
    /// Packets that arrived.
    pub packets: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Packets that came to their end and were lost on the air.
    pub lost: u64,
    /// Pieces sent again.
    pub resent: u64,
    /// From a packet's arrival at its queue to that at the other end.
    pub delay: DelayHistogram,
}

impl WayStats {
    /// A packet has come to its end.
    fn count(&mut self, at: Time, piece: &Piece, is_lost: bool) {
        if is_lost {
            self.lost += 1;
        } else {
            self.packets += 1;
            self.bytes += piece.size;
            self.delay.record(at.since(piece.since));
        }
    }

    /// A burst has been filled.
    pub(crate) fn count_burst(&mut self, symbols: u32, room: u64, used: u64) {
        self.bursts += 1;
        self.symbols += u64::from(symbols);
        self.room += room;
        self.used += used;
    }
}

/// Counts of a subscriber station's requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RequestStats {
    /// Sent in an opportunity.
    pub attempts: u64,
    /// Of these, alone in it.
    pub successes: u64,
    /// Sent for the first time.
    pub first_attempts: u64,
    /// Of these, alone in the opportunity.
    pub first_successes: u64,
    /// Found lost when T16 was over.
    pub timeouts: u64,
    /// Given up after the last retry.
    pub given_up: u64,
    /// Sent in a burst of data.
    pub piggybacked: u64,
    /// Packets that arrived or were lost on the air, and how long all of them waited until the base station knew of them,
    /// from then to their first symbol, and to their last.
    pub packets: u64,
    /// See `packets`.
    pub request_wait: Span,
    /// See `packets`.
    pub grant_wait: Span,
    /// See `packets`.
    pub transmission: Span,
}

impl RequestStats {
    /// A packet's last piece is on the air from `start` to `end`.
    fn wait(&mut self, piece: &Piece, start: Time, end: Time) {
        let began = piece.began.unwrap_or(start);
        let asked = piece.known_since(began);
        self.packets += 1;
        self.request_wait += asked.since(piece.since);
        self.grant_wait += began.since(asked);
        self.transmission += end.since(began);
    }
}

/// Counts of one subscriber station since the measurement began.
#[derive(Clone, Debug, Default)]
pub struct StationStats {
    /// Towards it.
    pub down: WayStats,
    /// From it.
    pub up: WayStats,
    /// How it asked for bandwidth.
    pub requests: RequestStats,
}

impl StationStats {
    /// Counts of a direction.
    pub(crate) fn way(&mut self, way: Way) -> &mut WayStats {
        match way {
            Way::Down => &mut self.down,
            Way::Up => &mut self.up,
        }
    }

    /// A packet ends: its last piece is on the air from `start` to `end`.
    #[inline]
    pub(crate) fn count(
        &mut self,
        way: Way,
        piece: &Piece,
        (start, end): (Time, Time),
        is_lost: bool,
    ) {
        self.way(way).count(end, piece, is_lost);
        if way == Way::Up {
            self.requests.wait(piece, start, end);
        }
    }
}

/// Symbols of all frames since the measurement began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameStats {
    /// Frames.
    pub frames: u64,
    /// Symbols of the downlink.
    pub down: u64,
    /// Of these, of preamble and broadcast.
    pub broadcast: u64,
    /// Of these, of bursts.
    pub down_bursts: u64,
    /// Symbols of the uplink.
    pub up: u64,
    /// Of these, of contention.
    pub contention: u64,
    /// Of these, of bursts.
    pub up_bursts: u64,
}
