//! Stations that go by the clock of their class: see [`super::clock`].
//!
//! A station goes by it from when it begins to hear a frame that its whole class follows, as a bystander, until it begins to
//! send, is addressed, or gets a packet with nothing else to send. Where frames meet so that powers decide what each member
//! decodes, all leave the clock, and each hears for itself until the next frame.

use super::bits;
use super::classes::Classes;
use super::frame::Slot;
use super::receiver::{Hold, Lock, Reception, SinrConfig};
use super::starts::Starts;
use super::{Medium, MediumConfig};
use crate::exchange::Frame;
use crate::frames::Kind;
use base::{Span, StationId, Time};

/// More than what rounding can change of a sum of powers.
const MARGIN: f64 = 1e-9;

impl Medium {
    /// Lets stations that hear the same share their clocks from now on, where most do and what they hear never changes. Nobody may
    /// have begun yet. No result changes by it. Returns true if they do.
    pub fn share_clocks(&mut self, config: &MediumConfig) -> bool {
        if self.bystanders.is_none() {
            return false;
        }
        let windows = config.members.iter().map(|member| member.station.ladder.phy().cw_max);
        let cw_max = windows.max().unwrap_or_default();
        let clear = match &self.reception {
            Reception::Thresholds(_) => None,
            Reception::Sinr(config) => Some((config.noise_w, self.hazards.all_clear_from())),
        };
        let rules = (clear, cw_max);
        let classes = Classes::find(&self.nodes, &self.links, &self.levels, rules);
        if let Some(mut classes) = classes {
            classes.last_wait = config.last_wait();
            self.starts = Starts::new(self.nodes.len() + classes.len());
            self.classes = Some(Box::new(classes));
            self.bystanders = None;
        }
        self.classes.is_some()
    }

    /// Gives every station a counter of its own from now on.
    pub(super) fn part_clocks(&mut self) {
        let classes = self.classes.as_ref().map_or(0, |classes| classes.len());
        for class in 0..classes {
            self.dissolve(class);
        }
        self.classes = None;
    }

    /// The entry of a class among the starts.
    fn start_of_class(&self, class: usize) -> StationId {
        StationId((self.nodes.len() + class) as u32)
    }

    fn note_clock(&mut self, class: usize) {
        let Some(classes) = &self.classes else { return };
        let next = classes.clock(class).next();
        self.starts.set(self.start_of_class(class), next);
    }

    /// Puts the stations of classes that begin at `now` in the place of these, at the end of `winners`.
    pub(super) fn call_members(&mut self, winners: &mut Vec<StationId>, now: Time) {
        let stations = self.nodes.len();
        if winners.last().is_none_or(|last| last.index() < stations) {
            return;
        }
        let mut due = std::mem::take(&mut self.due_classes);
        let first = winners.partition_point(|of| of.index() < stations);
        due.clear();
        due.extend_from_slice(&winners[first..]);
        winners.truncate(first);
        for of in &due {
            let class = of.index() - stations;
            while let Some(at) = self.call_next(class, now + Span(1)) {
                winners.push(at);
            }
            self.note_clock(class);
        }
        self.due_classes = due;
        winners.sort_unstable();
    }

    /// Lets a station leave the clock of its class that begins before `until`, if there is one.
    fn call_next(&mut self, class: usize, until: Time) -> Option<StationId> {
        let clock = self.classes.as_ref()?.clock(class);
        let at = if clock.next() < until { clock.first() } else { None };
        self.leave_clock(at?);
        at
    }

    /// A station goes by a counter of its own from now on; false where it has one already.
    #[inline]
    fn leave_clock(&mut self, at: StationId) -> bool {
        let Some(classes) = &mut self.classes else { return false };
        let Some((class, place)) = classes.on_clock(at) else { return false };
        classes.note_off(at);
        let clock = classes.clock_mut(class);
        let (node, view) = (&mut self.nodes[at.index()], &clock.view);
        let followed = clock.followed.and_then(|slot| self.frames.get(slot));
        if followed.is_none_or(|frame| !clock.came_with(place, frame.start)) {
            (node.errored, node.nav, node.nav_reset) = (view.errored, view.nav, view.nav_reset);
        }
        (node.sensed, node.noticed) = (view.sensed, true);
        node.counter = clock.leave(place);
        for &(slot, _) in &clock.on_air {
            let Some(frame) = self.frames.get(slot) else { continue };
            let power_w = self.links.still_w(frame.from, at);
            if clock.followed == Some(slot) {
                let hold = Hold::first(frame.preamble(), power_w, (&self.levels, false));
                node.lock = Some(Lock::new((slot, frame), at, hold));
            }
            self.frames.tell(slot, at, power_w);
        }
        true
    }

    /// A station leaves the clock of its class, and counts slots on for itself.
    pub(super) fn leave_clock_in_time(&mut self, at: StationId) {
        let on = self.classes.as_ref().and_then(|classes| classes.on_clock(at));
        if let Some((class, _)) = on {
            self.leave_clock(at);
            self.note_start(at);
            self.note_clock(class);
        }
    }

    /// Lets all stations of a class leave its clock.
    fn dissolve(&mut self, class: usize) {
        let Some(classes) = &mut self.classes else { return };
        if !classes.clock(class).is_empty() {
            let members = std::mem::take(&mut classes.clock_mut(class).members);
            for &at in &members {
                if self.leave_clock(at) {
                    self.note_start(at);
                }
            }
            if let Some(classes) = &mut self.classes {
                classes.clock_mut(class).members = members;
            }
        }
        if let Some(classes) = &mut self.classes {
            classes.clock_mut(class).followed = None;
        }
        self.starts.set(self.start_of_class(class), Time::NEVER);
    }

    /// Begins a frame at the clocks that it reaches; afterwards those of their stations that have left hear it for themselves.
    pub(super) fn spread_to_clocks(&mut self, slot: Slot, frame: &Frame) {
        let mut word = 0;
        while let Some(reached) = self.classes_reached(frame.from, word) {
            for class in bits::stations(word, reached) {
                self.begin_at_class(class.index(), (slot, frame));
            }
            word += 1;
        }
    }

    #[inline]
    fn classes_reached(&self, from: StationId, word: usize) -> Option<u64> {
        self.classes.as_ref()?.reached(from, word)
    }

    /// A frame begins to reach a class.
    fn begin_at_class(&mut self, class: usize, (slot, frame): (Slot, &Frame)) {
        let Some(classes) = &self.classes else { return };
        let (least_w, most_w) = classes.powers_w(frame.from, class);
        let clock = classes.clock(class);
        let is_idle = clock.view.sensed == 0;
        let is_sensed = most_w >= self.levels.sense_w;
        let is_followed = self.levels.are_followed(most_w);
        let is_common = if is_followed {
            let is_heard = clock.followed.is_none() && (is_idle || self.levels.bit_by_bit);
            let is_heard = is_heard && frame.kind != Kind::Group;
            is_heard
                && (!self.levels.bit_by_bit || {
                    let others_w = clock.interference_w(slot);
                    self.is_clear(frame, least_w, others_w)
                })
        } else {
            self.is_followed_amid(class, most_w)
        };
        if !is_common {
            self.dissolve(class);
        }
        if is_sensed && is_idle {
            while let Some(at) = self.call_next(class, frame.start + self.sense_time) {
                self.note_start(at);
            }
        }
        let start_of_class = self.start_of_class(class);
        let Some(classes) = &mut self.classes else { return };
        let clock = classes.clock_mut(class);
        clock.on_air.push((slot, most_w));
        if is_followed && is_common {
            clock.followed = Some(slot);
        }
        if is_sensed {
            clock.view.sensed += 1;
        }
        if is_sensed && is_idle {
            clock.stop(frame.start);
            self.starts.set(start_of_class, Time::NEVER);
        }
    }

    /// True where no bit of a frame is lost at any member of a class, of which these are the least power of the frame and the
    /// largest of what else is on the air, W.
    fn is_clear(&mut self, frame: &Frame, least_w: f64, others_w: f64) -> bool {
        let Reception::Sinr(SinrConfig { noise_w, .. }) = self.reception else { return false };
        let most_w = others_w * (1.0 + MARGIN);
        least_w * noise_w >= self.sure_w(frame) * (noise_w + most_w)
    }

    /// True where all members of a class decode the frame that they follow, if they follow one, though another comes.
    fn is_followed_amid(&mut self, class: usize, power_w: f64) -> bool {
        let Some(classes) = &self.classes else { return true };
        let clock = classes.clock(class);
        let Some(followed) = clock.followed else { return true };
        let Some(&frame) = self.frames.get(followed) else { return true };
        let (least_w, _) = classes.powers_w(frame.from, class);
        let others_w = clock.interference_w(followed) + power_w;
        self.is_clear(&frame, least_w, others_w)
    }

    /// A frame leaves the air for the clocks that it has reached.
    pub(super) fn end_at_clocks(&mut self, slot: Slot, frame: &Frame) {
        let mut word = 0;
        while let Some(reached) = self.classes_reached(frame.from, word) {
            for class in bits::stations(word, reached) {
                self.end_at_class(class.index(), (slot, frame));
            }
            word += 1;
        }
    }

    fn end_at_class(&mut self, class: usize, (slot, frame): (Slot, &Frame)) {
        let Some(classes) = &mut self.classes else { return };
        let (least_w, most_w) = classes.powers_w(frame.from, class);
        let clock = classes.clock_mut(class);
        clock.on_air.retain(|(other, _)| *other != slot);
        if most_w < self.levels.sense_w {
            return;
        }
        clock.view.sensed -= 1;
        if clock.followed.take_if(|followed| *followed == slot).is_some() {
            let decoded = least_w >= self.levels.receive_w;
            clock.view.errored = !decoded;
            if decoded {
                clock.view.overhear(frame, frame.end());
            }
        }
        if clock.view.sensed == 0 {
            clock.resume(frame.end());
            self.note_clock(class);
        }
    }

    /// A frame that its class follows begins to reach a station, which goes by the clock from now on where nothing sets it apart.
    pub(super) fn enters_clock(&mut self, at: StationId, (slot, frame): (Slot, &Frame)) -> bool {
        let Some(classes) = &mut self.classes else { return false };
        let Some((class, place)) = classes.place_of(at) else { return false };
        let clock = classes.clock_mut(class);
        let node = &mut self.nodes[at.index()];
        let is_bystander = frame.to != at && node.is_at_leisure() && !node.is_engaged();
        if clock.followed != Some(slot) || !is_bystander {
            return false;
        }
        let rest = &mut self.stations[at.index()];
        if !node.sense(frame.start, || rest.draw_backoff()) || !clock.takes(node, frame.end()) {
            return false;
        }
        clock.enter(place, &node.counter, frame.start);
        for &(other, _) in clock.on_air.iter().filter(|(other, _)| *other != slot) {
            if self.frames.power_w(other, at) > 0.0 {
                self.frames.withdraw(other, at);
            }
        }
        classes.note_on(at);
        self.starts.set(at, Time::NEVER);
        true
    }

    /// One word of the set of stations near a sender that hear for themselves.
    #[inline]
    pub(super) fn hear_for_themselves(&self, word: usize, near: u64) -> u64 {
        near & !self.classes.as_ref().map_or(0, |classes| classes.on(word))
    }
}
