//! The clock by which stations that hear the same count their backoffs.
//!
//! While they notice nobody they all count slots from the same instant, so a backoff is kept as the slot of the clock at which
//! it ends: a frame that all follow stops one clock in place of each counter.

use super::counter::{Counter, Left};
use super::frame::Slot;
use super::node::Node;
use crate::wheel::Wheel;
use base::{StationId, Time};

/// A class of stations that hear the same, and the clock of those that now go by it.
#[derive(Clone, Debug)]
pub struct Clock {
    /// All stations of the class, in their order.
    pub members: Vec<StationId>,
    /// Carrier sense, errors and reservations of each station that goes by the clock.
    pub view: Node,
    /// The frame that all follow, if they notice one.
    pub followed: Option<Slot>,
    /// Frames on the air that reach the class, each with the largest power at a member, W.
    pub on_air: Vec<(Slot, f64)>,
    /// By member: the slot at which its backoff ends, if it has one.
    ends: Vec<Option<End>>,
    /// By member: start of the frame with which it came.
    since: Vec<Time>,
    wheel: Wheel,
    /// Slots that have passed until the medium became busy for the last time.
    passed: u64,
    /// Number of stations that go by the clock.
    count: usize,
    /// Time at which the first of its stations begins if nothing comes in between.
    next: Time,
}

/// The end of a backoff on a clock.
#[derive(Clone, Copy, Debug)]
struct End {
    slot: u64,
    /// A frame waits for it.
    is_armed: bool,
}

impl Clock {
    /// The clock of a class by which nobody goes yet; `view` is one of its members on a quiet medium.
    pub fn new(members: Vec<StationId>, view: Node, cw_max: u32) -> Clock {
        Clock {
            view,
            followed: None,
            on_air: Vec::new(),
            ends: vec![None; members.len()],
            since: vec![Time::NEVER; members.len()],
            wheel: Wheel::new(cw_max, members.len()),
            passed: 0,
            count: 0,
            next: Time::NEVER,
            members,
        }
    }

    /// True where nobody goes by it.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Time at which the first of its stations begins if nothing comes in between.
    #[inline]
    pub fn next(&self) -> Time {
        self.next
    }

    /// A member whose backoff is the next to end.
    #[inline]
    pub fn first(&self) -> Option<StationId> {
        let place = self.wheel.at(self.wheel.next_from(self.passed)?)?;
        Some(self.members[place as usize])
    }

    fn find_next(&mut self) {
        let from = self.view.counter.runs_from();
        let slot = if from == Time::NEVER { None } else { self.wheel.next_from(self.passed) };
        let start = |slot: u64| from + self.view.slot * (slot - self.passed);
        self.next = slot.map_or(Time::NEVER, start);
    }

    /// The medium becomes busy: whole slots have passed (802.11-2020, 10.3.4.3).
    #[inline]
    pub fn stop(&mut self, now: Time) {
        let from = self.view.counter.runs_from();
        if from != Time::NEVER && now > from {
            self.passed += now.since(from).0 / self.view.slot.0;
        }
        self.view.counter.resume(Time::NEVER);
        self.next = Time::NEVER;
        self.view.hear_somebody(now);
    }

    /// The medium is idle from `now` on.
    #[inline]
    pub fn resume(&mut self, now: Time) {
        self.view.counter.resume(self.view.space_ends(now));
        self.find_next();
    }

    /// A member whose slots have stopped goes by the clock, which has stopped too, until it leaves. It comes with a frame that
    /// has begun at `since`.
    pub fn enter(&mut self, place: usize, counter: &Counter, since: Time) {
        self.since[place] = since;
        self.ends[place] = counter.left().map(|Left { slots, is_armed }| {
            let slot = self.passed + u64::from(slots);
            if is_armed {
                self.wheel.insert(place as u32, slot);
            }
            End { slot, is_armed }
        });
        self.count += 1;
    }

    /// True where a member has come with this frame: up to the frame's end its own errors and reservations, which may differ from
    /// the others', are the right ones.
    #[inline]
    pub fn came_with(&self, place: usize, start: Time) -> bool {
        self.since[place] == start
    }

    /// A member goes by a counter of its own from now on.
    pub fn leave(&mut self, place: usize) -> Counter {
        self.count -= 1;
        let left = self.ends[place].take().and_then(|End { slot, is_armed }| {
            if is_armed {
                self.wheel.remove(place as u32, slot);
                self.find_next();
            }
            let slots = slot.saturating_sub(self.passed) as u32;
            // A backoff without a frame that has run out when the medium became busy is over.
            (is_armed || slots > 0).then_some(Left { slots, is_armed })
        });
        Counter::with(left, self.view.counter.runs_from())
    }

    /// True where a member that has begun to hear the frame that all follow differs from the others in its backoff alone once the
    /// frame has ended, at `end`. The first that comes decides what the others must have in common with it.
    pub fn takes(&mut self, node: &Node, end: Time) -> bool {
        if node.hold > end || node.silent_until > end {
            return false;
        }
        let reserved = (node.nav, node.nav_reset);
        if self.is_empty() {
            (self.view.nav, self.view.nav_reset) = reserved;
            return true;
        }
        let are_over = node.reserved_until() <= end && self.view.reserved_until() <= end;
        are_over || reserved == (self.view.nav, self.view.nav_reset)
    }

    /// Power of all frames on the air but one, the largest that a member can have, W.
    #[inline]
    pub fn interference_w(&self, but: Slot) -> f64 {
        let others = self.on_air.iter().filter(|(slot, _)| *slot != but);
        others.map(|(_, power_w)| power_w).sum()
    }
}
