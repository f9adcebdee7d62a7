//! What is known of frames that are alone on the air: see [`super::alone`].

use super::bits;
use super::frame::Slot;
use crate::exchange::Frame;
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
}

/// The stations at which a frame is heard, as bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hearers {
    /// Where it is sensed.
    pub sensed: u64,
    /// Where it is decoded.
    pub decoded: u64,
}

impl Solitude {
    /// Takes where a frame is heard, if it is the one that is alone.
    #[inline]
    pub fn take_if_of(&mut self, slot: Slot) -> Option<Hearers> {
        self.slot.take_if(|alone| *alone == slot).map(|_| self.hearers)
    }

    /// Returns true if a frame is alone on the air and a station will decode it.
    pub fn is_decoded_at(&self, station: StationId) -> bool {
        self.slot.is_some() && bits::has(&[self.hearers.decoded], station)
    }
}
