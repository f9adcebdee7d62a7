//! An idle period that most aligned stations begin to count before or after the others of them.
//!
//! After a collision those that have decoded a frame wait for less than those that have not, and there are many of both. The
//! clock runs for those that are ahead, and when the period is over, each of the others owes the slots by which it was behind.
//! A station that owes is entered in the wheel no later than where it begins, and is moved on when its turn comes. So a period costs
//! an addition for each station, in place of two changes of the wheel.

use super::{Contention, Split, State};
use base::{Span, StationId, Time};

impl Contention {
    /// By station: all bits where it is late in the next period that [`Contention::split`] is called for, or none.
    pub fn late_mut(&mut self) -> &mut [u32] {
        let stations = self.counters.len();
        self.owed.resize(stations, 0);
        self.late.resize(stations, 0);
        &mut self.late
    }

    /// Lets aligned stations count from `ahead` already, but for those that are late ([`Contention::late_mut`]). Call it after
    /// [`Contention::resume`].
    pub fn split(&mut self, ahead: Time, sense_time: Span) {
        let behind = std::mem::replace(&mut self.base, ahead);
        self.split = Some(Split { behind, sense_time });
    }

    /// The end of the inter-frame space of a station, which has not been set apart, in this idle period.
    pub(super) fn aligned_start(&self, station: StationId) -> Time {
        match self.split {
            Some(split) if self.late[station.index()] != 0 => split.behind,
            _ => self.base,
        }
    }

    /// Sees to it that a station which is about to contend owes nothing, and counts apart where there is a split.
    #[cold]
    pub(super) fn catch_up(&mut self, station: StationId) {
        match self.counters[station.index()].state {
            State::Idle => self.owed[station.index()] = 0,
            State::PostBackoff => self.pay(station),
            State::Armed => return,
        }
        self.leave_split(station);
    }

    fn leave_split(&mut self, station: StationId) {
        if self.split.is_some() {
            self.set_apart(station, self.space_ends(station));
        }
    }

    /// Works out the next start where stations owe slots.
    #[cold]
    pub(super) fn settle_owing(&mut self) {
        match self.split {
            Some(split) => self.settle_split(split),
            None => {
                let slot = self.next_paid();
                self.settle_aligned(slot);
            }
        }
    }

    /// Works out the first start of all. Whoever may begin before that is sensed counts apart from now on.
    fn settle_split(&mut self, Split { sense_time, .. }: Split) {
        let mut next = self.next_apart();
        while let Some(slot) = self.wheel.next_from(self.clock) {
            let earliest = self.base + self.slot * (slot - self.clock);
            if earliest.since(next) >= Span(sense_time.0.max(1)) {
                break;
            }
            let mut entered = self.wheel.at(slot);
            while let Some(station) = entered {
                entered = self.wheel.after(station);
                if !self.moves_on(station) {
                    self.leave_split(StationId(station));
                    next = next.min(self.start_of(StationId(station)));
                }
            }
        }
        self.next_start = next;
    }

    /// The first slot at which a station begins, once those that owe slots have been moved out of its way.
    fn next_paid(&mut self) -> Option<u64> {
        loop {
            let slot = self.wheel.next_from(self.clock)?;
            let mut entered = self.wheel.at(slot);
            while let Some(station) = entered {
                entered = self.wheel.after(station);
                self.moves_on(station);
            }
            if self.wheel.at(slot).is_some() {
                return Some(slot);
            }
        }
    }

    /// Moves a station of the wheel to where it begins; false where it is there.
    fn moves_on(&mut self, station: u32) -> bool {
        let owed = std::mem::take(&mut self.owed[station as usize]);
        if owed > 0 {
            let slot = &mut self.counters[station as usize].slot;
            self.wheel.remove(station, *slot);
            *slot += u64::from(owed);
            self.wheel.insert(station, *slot);
        }
        owed > 0
    }

    /// The medium becomes busy at `start`: those that are late have counted fewer slots than the others.
    #[cold]
    pub(super) fn hold_back<const BOUNDARIES: bool>(&mut self, start: Time) {
        let Some(Split { behind, .. }) = self.split.take() else { return };
        let passed = |from| self.passed::<BOUNDARIES>(from, start);
        let slots = (passed(self.base) - passed(behind)) as u32;
        if slots == 0 {
            return;
        }
        for (owed, late) in self.owed.iter_mut().zip(&self.late) {
            // This means nothing where a station has no counter.
            *owed = owed.wrapping_add(slots & late);
        }
        for station in &self.apart {
            self.owed[station.index()] = 0;
        }
    }

    /// Adds what a station owes to its counter, which must not be in the wheel.
    #[cold]
    pub(super) fn pay(&mut self, station: StationId) {
        let owed = std::mem::take(&mut self.owed[station.index()]);
        self.counters[station.index()].slot += u64::from(owed);
    }
}
