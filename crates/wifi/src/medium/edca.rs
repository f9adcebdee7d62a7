//! Access categories and aggregates on a medium: what its stations have beside their receivers and reservations.
//!
//! An exchange of an access function is played frame by frame as any other. Its frames are those that the cell in which all
//! hear all has ([`crate::qos`]); which MPDUs of an aggregate come through is decided at each receiver for itself
//! ([`super::parts`]).

use super::parts::{Course, Parts, Piece};
use super::receiver::Lock;
use crate::exchange::Frame;
use crate::frames::Kind;
use crate::qos::{Begun, Sends, Stations, Txop};
use base::{StationId, Time};

/// A station's part in exchanges of access functions.
#[derive(Clone, Debug, Default)]
pub struct Seat {
    /// The exchange that it has begun.
    pub begun: Option<Begun>,
    /// The TXOP that it holds.
    pub txop: Option<Txop>,
    /// What has disturbed the frame that it listens to, where that has MPDUs.
    pub pieces: Vec<Piece>,
    /// What has become of the frame that it sends, where that has MPDUs.
    pub course: Course,
}

/// The stations of a medium that have access categories.
#[derive(Clone, Debug)]
pub struct Edca {
    /// Their functions, queues and windows.
    pub stations: Stations,
    /// By station.
    pub seats: Vec<Seat>,
    /// The MPDUs of the frame that ends.
    pub parts: Parts,
    /// Scratch: stations that begin, and with which function.
    pub chosen: Vec<(StationId, usize)>,
}

impl Edca {
    /// True where a frame carries MPDUs of an access function.
    pub fn is_in_parts(&self, frame: &Frame) -> bool {
        let begun = &self.seats[frame.from.index()].begun;
        let is_action = |begun: &Begun| begun.attempt.sends == Sends::Action;
        frame.kind == Kind::Data && begun.as_ref().is_some_and(|begun| !is_action(begun))
    }

    /// Notes what has disturbed the frame that a station listens to up to `now`, since it was last noted: the power of all
    /// others, and of the strongest.
    pub fn note_piece(
        &mut self,
        at: StationId,
        lock: &mut Lock,
        now: Time,
        disturbance_w: impl FnOnce() -> (f64, f64),
    ) {
        let from = lock.count_time(now);
        let pieces = &mut self.seats[at.index()].pieces;
        if from == lock.hold.start {
            pieces.clear();
        }
        let (others_w, strongest_w) = disturbance_w();
        pieces.push(Piece { from, until: now, others_w, strongest_w });
    }
}
