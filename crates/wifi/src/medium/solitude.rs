//! What is known of frames that are alone on the air: see [`super::alone`].

use super::bits;
use super::frame::Slot;
use super::reach::Hearers;
use crate::exchange::Frame;
use crate::frames::Kind;
use base::{StationId, Time};

/// The frame that is alone on the air, and those before it that stations have yet to learn of.
#[derive(Clone, Debug, Default)]
pub struct Solitude {
    /// The frame that is alone, if there is one.
    pub slot: Option<Slot>,
    /// Where it is heard.
    pub hearers: Hearers,
    /// Stations that may wait for an answer, as bits: all that do are among them.
    pub waiting: u64,
    /// Start of the answer that was promised last.
    pub answer_at: Time,
    /// Frames that ended alone, each a SIFS before the next.
    pub past: Vec<(Frame, Hearers)>,
    /// Stations that have yet to learn of them: all sense the frame that is alone, and none counts slots.
    pub behind: u64,
    /// Among these, those that have decoded them all.
    throughout: u64,
    /// The latest end of what they reserve.
    nav: Time,
}

impl Solitude {
    /// Takes where a frame is heard, if it is the one that is alone.
    #[inline]
    pub fn take_if_of(&mut self, slot: Slot) -> Option<Hearers> {
        self.slot.take_if(|alone| *alone == slot).map(|_| self.hearers)
    }

    /// A frame that was alone has ended; these stations learn of it later.
    #[inline]
    pub fn leave_behind(&mut self, frame: &Frame, hearers: Hearers) {
        let Hearers { sensed, decoded } = hearers;
        let before =
            if self.past.is_empty() { (u64::MAX, Time::ZERO) } else { (self.throughout, self.nav) };
        self.throughout = before.0 & sensed & decoded;
        self.nav = before.1.max(frame.nav);
        self.past.push((*frame, hearers));
        self.behind = sensed;
    }

    /// This station learns of what has ended.
    #[inline]
    pub fn catch_up(&mut self, bit: u64) {
        self.behind &= !bit;
        self.throughout &= !bit;
    }

    /// Nobody has to learn of what has ended any more.
    #[inline]
    pub fn forget(&mut self) {
        self.past.clear();
    }

    /// Returns the stations behind that have decoded all of an exchange so far, as bits, and the latest end of what its frames reserve:
    /// none while it is only asked for, since a reservation by an RTS may have to be reset.
    #[inline]
    pub fn decoded_throughout(&self) -> (u64, Time) {
        let is_answered = self.past.last().is_some_and(|(last, _)| last.kind != Kind::Rts);
        (if is_answered { self.throughout } else { 0 }, self.nav)
    }

    /// Returns true if a frame is alone on the air and a station will decode it.
    pub fn is_decoded_at(&self, station: StationId) -> bool {
        self.slot.is_some() && bits::has(&[self.hearers.decoded], station)
    }
}
