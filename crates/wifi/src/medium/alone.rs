//! Frames that are alone on the air, by thresholds of power.
//!
//! Nearly every frame begins on a free air and ends before another begins. All that it does to a station then follows from
//! whether it is sensed there, and whether it is decoded: two bits, in place of the frame's state at each receiver. Where
//! an answer follows within a SIFS, no slot can pass between the two, so a station that has no part in the exchange learns
//! of all its frames when the last has ended. Where another frame begins amid one, that one goes on as any other.

use super::bits;
use super::frame::Slot;
use super::reach::Hearers;
use super::receiver::{Fate, Hold, Lock, Reception};
use super::solitude::Solitude;
use super::{Happened, Medium};
use crate::exchange::Frame;
use crate::frames::Kind;
use crate::witness::Witness;
use base::{StationId, Time};

impl Medium {
    /// Returns true if a frame that begins is alone, and its effects are known from powers.
    #[inline]
    pub(super) fn may_be_alone(&self, frame: &Frame, is_witnessed: bool) -> bool {
        self.frames.are_none()
            && !is_witnessed
            && frame.kind != Kind::Group
            && self.nodes.len() <= bits::WORD
            && matches!(self.reception, Reception::Thresholds(_))
            && self.bystanders.is_none()
            && self.classes.is_none()
            && self.is_one_channel
            && self.managers.is_empty()
            && self.errors.is_none()
            && self.edca.is_none()
    }

    /// Begins a frame on a free air.
    pub(super) fn begin_alone(&mut self, (slot, frame): (Slot, &Frame)) {
        let (from, now) = (frame.from, frame.start);
        let near = self.links.near(from)[0];
        let hearers = self.links.hearers(from, near, now, &self.levels);
        let Hearers { sensed, decoded } = hearers;
        let behind = self.solitude.behind;
        for to in bits::stations(0, behind & !sensed) {
            self.tell_past(to);
        }
        if bits::has(&[sensed & !decoded], frame.to) {
            self.blame_weakness(frame.to, slot, now);
        }
        for to in bits::stations(0, sensed & !behind) {
            self.sense_first(to, from, now);
        }
        (self.solitude.slot, self.solitude.hearers) = (Some(slot), hearers);
    }

    /// Ends a frame that was alone from its start; returns true if its addressee has decoded it.
    pub(super) fn end_alone<W: Witness>(
        &mut self,
        (slot, frame): (Slot, &Frame),
        hearers: Hearers,
        (now, witness): (Time, &mut W),
        happened: &mut Happened,
    ) -> bool {
        let Hearers { sensed, decoded } = hearers;
        let involved = sensed & (self.solitude.waiting | bits::of_word(0, frame.to));
        for at in bits::stations(0, involved) {
            self.learn(at, frame.start);
            let decoded = bits::has(&[decoded], at);
            let fate = if decoded { Fate::Decoded } else { Fate::Interference };
            let heard = (Some(fate), decoded, None);
            self.conclude_hearing(at, (slot, frame), heard, (now, witness), happened);
            if self.nodes[at.index()].awaited.is_none() {
                self.solitude.waiting &= !bits::of_word(0, at);
            }
        }
        self.solitude.leave_behind(frame, Hearers { sensed: sensed & !involved, decoded });
        if self.solitude.answer_at <= now || !self.answers_first {
            self.tell_past_to_all();
        }
        bits::has(&[decoded], frame.to)
    }

    /// Another frame begins amid the one that was alone, which goes on as any other.
    pub(super) fn end_solitude(&mut self) {
        let Some(slot) = self.solitude.slot.take() else { return };
        let Some(&frame) = self.frames.get(slot) else { return };
        for at in bits::stations(0, self.solitude.hearers.sensed) {
            self.learn(at, frame.start);
            let power_w = self.links.power_w(frame.from, at, frame.start);
            self.frames.tell(slot, at, power_w);
            let hold = Hold::first(frame.preamble(), power_w, (&self.levels, false));
            let node = &mut self.nodes[at.index()];
            (node.sensed, node.noticed) = (1, true);
            node.lock = Some(Lock::new((slot, &frame), at, hold));
        }
        self.solitude.forget();
    }

    /// Tells all stations of the frames that have ended.
    #[inline]
    pub(super) fn tell_past_to_all(&mut self) {
        let Solitude { slot, behind, .. } = self.solitude;
        if behind != 0 && slot.is_none() {
            self.tell_past_to(behind);
        }
        self.solitude.forget();
    }

    /// Tells these stations, which are all that have yet to learn of them, of the frames that have ended.
    fn tell_past_to(&mut self, behind: u64) {
        let (throughout, nav) = self.solitude.decoded_throughout();
        for at in bits::stations(0, behind & throughout) {
            self.nodes[at.index()].overhear_exchange(nav);
            self.go_on_after_past(at);
        }
        for at in bits::stations(0, behind & !throughout) {
            self.learn(at, Time::ZERO);
            self.go_on_after_past(at);
        }
        self.solitude.behind = 0;
    }

    /// Tells a station of the frames that have ended, unless it hears another.
    #[inline]
    pub(super) fn tell_past(&mut self, at: StationId) {
        // Nobody is behind on a medium of more stations than a word has bits.
        let Solitude { slot, behind, .. } = self.solitude;
        if behind == 0 || slot.is_some() || !bits::has(&[behind], at) {
            return;
        }
        self.learn(at, Time::ZERO);
        self.go_on_after_past(at);
    }

    /// A station that has learned of the frames that have ended counts slots from the end of the last.
    #[inline]
    fn go_on_after_past(&mut self, at: StationId) {
        let Some((frame, hearers)) = self.solitude.past.last() else { return };
        let node = &mut self.nodes[at.index()];
        if node.resume_if_idle(frame.end()) {
            self.starts.set(at, node.counter.start(node.slot));
        }
        if frame.kind == Kind::Ack && bits::has(&[hearers.decoded], at) {
            node.answerer = (frame.from, node.counter.runs_from());
        }
    }

    /// Tells a station of the frames that have ended, before the one that began at `next`.
    #[inline]
    fn learn(&mut self, at: StationId, next: Time) {
        if !bits::has(&[self.solitude.behind], at) {
            return;
        }
        let bit = bits::of_word(0, at);
        self.solitude.catch_up(bit);
        let node = &mut self.nodes[at.index()];
        let mut is_first = true;
        for (frame, hearers) in &mut self.solitude.past {
            if hearers.sensed & bit == 0 {
                continue;
            }
            hearers.sensed &= !bit;
            if !std::mem::take(&mut is_first) {
                node.hear_somebody(frame.start);
            }
            let decoded = hearers.decoded & bit != 0;
            node.errored = !decoded;
            if decoded {
                node.overhear(frame, frame.end());
            }
        }
        if next > Time::ZERO {
            node.hear_somebody(next);
        }
    }
}
