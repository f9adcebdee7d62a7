//! One burst of either direction: what connections put into it, what becomes of that on the air, and when it lands.

use super::told::Filled;
use crate::arq::Done;
use crate::config::PduConfig;
use crate::connection::Connection;
use crate::errors::ErrorChannels;
use crate::landed::{BASE, Landed};
use crate::pdu::Filling;
use crate::phy::{Clock, Coding, Way};
use crate::piece::{OnAir, Piece};
use crate::stats::{BurstStats, StationStats};
use base::{PacketId, StationId, Time};
use net::Fate;
use std::collections::VecDeque;

/// Position of a burst in its frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The subscriber station.
    pub station: StationId,
    pub way: Way,
    /// Its first symbol of data, and how many it has in all, a preamble included.
    pub first: u32,
    pub symbols: u32,
    pub coding: Coding,
    /// Bytes of PDUs that it holds.
    pub room: u64,
    /// The signal does not carry its burst profile.
    pub is_deaf: bool,
}

/// A burst that is being filled.
#[derive(Debug)]
pub(super) struct Burst<'a> {
    pub place: Place,
    /// Its first instant, preamble included: when it is decided what it carries.
    pub now: Time,
    /// Bytes so far.
    pub filled: u64,
    pub pdus: &'a PduConfig,
    pub clock: &'a Clock,
    pub stats: &'a mut StationStats,
    pub errors: &'a mut ErrorChannels,
    pub fates: &'a mut Vec<(StationId, PacketId, Fate)>,
    pub flying: &'a mut VecDeque<Landed>,
}

impl Burst<'_> {
    /// A connection puts into it what finds room; its first PDU has `extra` bytes of a subheader.
    pub fn fill(&mut self, connection: &mut Connection, extra: u64) {
        let Burst { place, filled, stats, errors, flying, fates, pdus, now, clock } = self;
        let &mut Place { station, way, first, coding, room, is_deaf, .. } = place;
        let (now, pdus, base) = (*now, **pdus, *filled);
        let ends = match way {
            Way::Down => (BASE, station),
            Way::Up => (station, BASE),
        };
        let repeats = pdus.arq.is_some();
        let mut filling = Filling::new(pdus, room.saturating_sub(base), extra);
        let told = |id, fate| fates.push((ends.0, id, fate));
        let carried = |piece: Piece| {
            let end = base + piece.end;
            let (from, to) = (coding.arrived(*filled + 1) - 1, coding.arrived(end));
            *filled = end;
            let (start, end) = (clock.of(way, first + from), clock.of(way, first + to));
            let is_hit = errors.loses((station.index(), way), &piece, (start, end));
            let is_lost = is_hit || is_deaf;
            if piece.is_last && !repeats {
                let is_lost = is_lost || piece.was_lost;
                flying.push_back(Landed::new(&piece, (start, end), ends, is_lost));
            }
            OnAir { start, end, is_lost }
        };
        connection.fill(now, &mut filling, told, carried);
        *filled = base + filling.used();
        stats.way(way).resent += connection.take_resent();
        for Done { packet, at, is_lost } in connection.take_done() {
            // What has been given up is so behind all that is in the air.
            let at = flying.back().map_or(at, |last| last.at.max(at));
            flying.push_back(Landed::new(&packet, (now, at), ends, is_lost));
        }
    }

    /// No connection puts more into it: what it carries; `first`: its first symbol, counted from the frame's.
    pub fn close(self, first: u32) -> Filled {
        let Place { way, symbols, room, .. } = self.place;
        let used = self.filled.min(room);
        let counts = BurstStats { bursts: 1, symbols: symbols.into(), room, used };
        self.stats.way(way).bursts.add(self.now, counts);
        Filled { first, room, used }
    }
}
