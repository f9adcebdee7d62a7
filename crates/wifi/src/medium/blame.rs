//! Why a frame was lost: one cause each, known only from above, never to the stations.

use super::Medium;
use super::frame::Slot;
use crate::outcome::Failure;
use base::{StationId, Time};

impl Medium {
    /// Blames `rival` for the loss of a frame, if its addressee is `at`.
    pub(super) fn blame_rival(&mut self, at: StationId, slot: Slot, rival: StationId, now: Time) {
        let Some(&frame) = self.frames.get(slot).filter(|frame| frame.to == at) else { return };
        let known_w = self.links.mean_w(frame.from, rival, now);
        let knows = rival == frame.from || known_w >= self.reception.sense_w();
        self.frames.blame(slot, if knows { Failure::Collision } else { Failure::Hidden });
    }

    /// Blames the strongest other sender noticed at the addressee for the loss of a frame.
    pub(super) fn blame_others(&mut self, at: StationId, slot: Slot, now: Time) {
        if self.frames.get(slot).is_none_or(|frame| frame.to != at) {
            return;
        }
        if let Some(rival) = self.frames.strongest_other(slot, at, self.reception.sense_w()) {
            self.blame_rival(at, slot, rival, now);
        }
    }

    /// A frame of `rival` that begins disturbs the one that a station listens to.
    #[inline]
    pub(super) fn suspect(&mut self, at: StationId, rival: StationId, now: Time) {
        if let Some(lock) = self.nodes[at.index()].lock.filter(|lock| lock.for_me) {
            self.blame_rival(at, lock.slot, rival, now);
        }
    }

    /// A frame is too weak at its addressee, if that is `at`.
    pub(super) fn blame_weakness(&mut self, at: StationId, slot: Slot, now: Time) {
        if let Some(&frame) = self.frames.get(slot).filter(|frame| frame.to == at) {
            let cause = self.weakness(frame.from, at, now);
            self.frames.blame(slot, cause);
        }
    }

    /// A frame was not decoded: tells the station whose exchange it belongs to why.
    pub(super) fn blame_owner(&mut self, slot: Slot, now: Time) {
        let Some(&frame) = self.frames.get(slot) else { return };
        let known = self.frames.cause(slot);
        let cause = known.unwrap_or_else(|| self.weakness(frame.from, frame.to, now));
        self.nodes[frame.owner().index()].blame = cause;
    }

    /// Too far, or only shadowed for a moment.
    fn weakness(&mut self, from: StationId, to: StationId, now: Time) -> Failure {
        let mean_w = self.links.mean_w(from, to, now);
        if mean_w < self.reception.receive_w() { Failure::OutOfRange } else { Failure::Channel }
    }
}
