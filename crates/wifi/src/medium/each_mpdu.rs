//! MPDUs that reach the layers above one by one, each at its own end, before the PPDU that brings them is over.
//!
//! Which of them come is decided then by what has disturbed each in its own time: as it would be at the end of the frame, when
//! the rest of that is known too.

use super::edca::Edca;
use super::frame::Slot;
use super::parts::Piece;
use super::{Due, Happened, Medium};
use crate::exchange::Frame;
use crate::qos::HandingUp;
use crate::witness::Witness;
use base::{StationId, Time};

impl Medium {
    /// True where the MPDUs of a frame reach the layers above one by one.
    pub(super) fn hands_up_each(&self, frame: &Frame) -> bool {
        let Some(edca) = &self.edca else { return false };
        let settings = &edca.stations.all[frame.from.index()].qos.settings;
        settings.hand_up == HandingUp::Mpdu && edca.is_in_parts(frame)
    }

    /// A frame begins whose MPDUs may go up before it ends.
    pub(super) fn expect_mpdus(&mut self, slot: Slot, frame: &Frame) {
        if self.hands_up_each(frame)
            && let Some(edca) = &mut self.edca
        {
            edca.seats[frame.from.index()].course.begin();
            self.await_next_mpdu(slot, frame);
        }
    }

    /// The next MPDU of a frame is due at its end, but for those that end with the frame.
    fn await_next_mpdu(&mut self, slot: Slot, frame: &Frame) {
        self.list_parts(frame);
        let Some(Edca { seats, parts, .. }) = self.edca.as_deref() else { return };
        let next = parts.all.get(seats[frame.from.index()].course.decided);
        if let Some(at) = next.map(|part| part.span.1).filter(|&at| at < frame.end()) {
            self.schedule(at, Due::Mpdu(slot));
        }
    }

    /// An MPDU of a frame that goes on is over.
    pub(super) fn end_mpdu<W: Witness>(
        &mut self,
        slot: Slot,
        now: Time,
        happened: &mut Happened,
        witness: &mut W,
    ) {
        let Some(&frame) = self.frames.get(slot) else { return };
        self.list_parts(&frame);
        let Some(edca) = &self.edca else { return };
        let (from, at) = (frame.from, frame.to);
        let place = edca.seats[from.index()].course.decided;
        if let Some(lock) = self.lock_on(slot, at) {
            self.foresee_piece(slot, at, now);
            self.decode_for_addressee(&lock, &frame, place + 1);
            self.forget_piece(at);
        }
        let Some(edca) = &mut self.edca else { return };
        // Where its addressee does not listen, or does not know the frame, it is lost.
        edca.seats[from.index()].course.decided = place + 1;
        if witness.is_listening() {
            self.report_parts(&frame, (place, place + 1), witness);
        }
        self.hand_up_so_far(&frame, now, happened);
        self.await_next_mpdu(slot, &frame);
    }

    /// Hands up what has come of a frame that goes on.
    fn hand_up_so_far(&mut self, frame: &Frame, now: Time, happened: &mut Happened) {
        let Some(Edca { stations, seats, .. }) = self.edca.as_deref_mut() else { return };
        let seat = &mut seats[frame.from.index()];
        let Some(begun) = seat.begun else { return };
        let course = &mut seat.course;
        let first = std::mem::replace(&mut course.up, course.come.len());
        if first == course.up {
            return;
        }
        let (before, numbers) = (happened.landed.len(), course.come[first..].iter().copied());
        let up = |id, to| happened.landed.push((id, to));
        stations.function(begun.contender).receive(now, numbers, up);
        self.land(frame, now, before, happened);
    }

    /// Adds what disturbs a frame at a station from what was noted last up to `now`.
    fn foresee_piece(&mut self, slot: Slot, at: StationId, now: Time) {
        let Medium { edca: Some(edca), nodes, frames, levels, .. } = self else { return };
        let Some(lock) = &nodes[at.index()].lock else { return };
        let (from, pieces) = (lock.counted_up_to(), &mut edca.seats[at.index()].pieces);
        if from == lock.hold.start {
            pieces.clear();
        }
        let (others_w, strongest_w) = frames.disturbance(slot, at, levels.sense_w);
        pieces.push(Piece { from, until: now, others_w, strongest_w });
    }

    /// Takes that back: the piece goes on.
    fn forget_piece(&mut self, at: StationId) {
        if let Some(edca) = &mut self.edca {
            edca.seats[at.index()].pieces.pop();
        }
    }
}
