//! Contention: backoff counters on one virtual slot clock.
//!
//! While the medium is idle every station counts slots from the end of its inter-frame space. Most stations of a cell wait
//! for the same one, so they share `base`, and a counter is stored as the virtual slot at which it reaches zero: freezing
//! and resuming it is free. Stations with another start (a sender after its timeout, a bystander in EIFS, a frame that
//! finds the medium idle) are in a short list for one idle period. Where many have the same other start, a period is
//! [`split`].

mod split;

use crate::wheel::Wheel;
use base::{Span, StationId, Time};

/// A station's counter.
#[derive(Clone, Copy, Debug)]
struct Counter {
    /// Virtual slot at which it reaches zero, before the slots that it owes; meaningless while `state` is `Idle`.
    slot: u64,
    state: State,
    /// The idle period in which it was drawn: zero slots drawn in this one have not passed yet.
    drawn_in: u64,
    /// The idle period for which `own_start` holds.
    apart_in: u64,
    /// The end of this station's own inter-frame space.
    own_start: Time,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// No backoff, no frame.
    Idle,
    /// A backoff that runs after an exchange with no frame behind it.
    PostBackoff,
    /// A backoff with a frame to send at its end.
    Armed,
}

/// Aligned stations of which some count later.
#[derive(Clone, Copy, Debug)]
struct Split {
    /// When those that are late begin to count.
    behind: Time,
    /// How long it takes to sense that somebody has begun.
    sense_time: Span,
}

/// The beginning of a busy time.
#[derive(Clone, Copy, Debug)]
pub struct Onset {
    /// When the first station begins.
    pub start: Time,
    /// Until when others may still begin, because they cannot sense the first yet.
    pub horizon: Time,
}

/// The contention of one cell.
#[derive(Clone, Debug)]
pub struct Contention {
    counters: Vec<Counter>,
    wheel: Wheel,
    /// Stations that count from their own start in this idle period.
    apart: Vec<StationId>,
    /// The virtual clock at `base`.
    clock: u64,
    /// Time at which aligned stations begin to count in this idle period.
    base: Time,
    /// Where some of them begin later.
    split: Option<Split>,
    /// By station: whether it is one of those ([`Contention::late_mut`]); empty where nobody ever is.
    late: Vec<u32>,
    /// By station: slots that it has still to count beyond those of its counter; empty where nobody ever is late.
    owed: Vec<u32>,
    /// Counts idle periods, from 1.
    period: u64,
    slot: Span,
    next_start: Time,
}

impl Contention {
    /// All stations idle on a medium that is idle from time zero and has been for long.
    pub fn new(stations: usize, cw_max: u32, slot: Span) -> Contention {
        let idle = Counter {
            slot: 0,
            state: State::Idle,
            drawn_in: 0,
            apart_in: 0,
            own_start: Time::ZERO,
        };
        Contention {
            counters: vec![idle; stations],
            wheel: Wheel::new(cw_max, stations),
            apart: Vec::new(),
            clock: 0,
            base: Time::ZERO,
            split: None,
            late: Vec::new(),
            owed: Vec::new(),
            period: 1,
            slot,
            next_start: Time::NEVER,
        }
    }

    /// Time at which the next station begins if no other comes in between; [`Time::NEVER`] when none contends.
    pub fn next_start(&self) -> Time {
        self.next_start
    }

    /// True where `station` has no backoff to finish at `now`. On an idle medium a backoff that has run out by
    /// `now` is finished; on a busy one (`idle` false), one that ran out before the medium became busy.
    pub fn is_finished(&mut self, station: StationId, now: Time, idle: bool) -> bool {
        if self.is_owing() {
            self.catch_up(station);
        }
        let counter = &self.counters[station.index()];
        let finished = match counter.state {
            State::Idle => true,
            State::Armed => false,
            State::PostBackoff => {
                let passed = counter.drawn_in != self.period && counter.slot <= self.clock;
                passed || (idle && self.start_of(station) <= now)
            }
        };
        if finished {
            self.counters[station.index()].state = State::Idle;
        }
        finished
    }

    /// The end of `station`'s inter-frame space in this idle period.
    pub fn space_ends(&self, station: StationId) -> Time {
        let is_apart = self.counters[station.index()].apart_in == self.period;
        if is_apart { self.counted_from(station) } else { self.aligned_start(station) }
    }

    /// The same where there is no split.
    #[inline]
    fn counted_from(&self, station: StationId) -> Time {
        let counter = &self.counters[station.index()];
        if counter.apart_in == self.period { counter.own_start } else { self.base }
    }

    /// True where stations can owe slots: see [`split`].
    #[inline]
    fn is_owing(&self) -> bool {
        !self.owed.is_empty()
    }

    /// Gives `station` a backoff of `slots`, to run from the end of its inter-frame space.
    pub fn draw(&mut self, station: StationId, slots: u32) {
        let counter = &mut self.counters[station.index()];
        counter.slot = self.clock + u64::from(slots);
        counter.drawn_in = self.period;
        counter.state = State::PostBackoff;
    }

    /// Gives `station` a backoff of `slots` that runs from `start`, apart from the others where it must.
    pub fn draw_from(&mut self, station: StationId, start: Time, slots: u32) {
        self.draw(station, slots);
        self.wait_until(station, start);
    }

    /// Puts a backoff of `slots` in the place of another, while the medium is busy.
    pub fn redraw(&mut self, station: StationId, slots: u32) {
        let counter = &self.counters[station.index()];
        if counter.state == State::Armed {
            self.wheel.remove(station.0, counter.slot);
            if self.is_owing() {
                self.pay(station);
            }
            self.draw(station, slots);
            self.arm(station);
        }
    }

    /// `station` has a frame to send when its backoff ends. It must have one ([`Contention::draw`]).
    pub fn arm(&mut self, station: StationId) {
        let counter = &mut self.counters[station.index()];
        counter.state = State::Armed;
        if counter.apart_in != self.period {
            self.wheel.insert(station.0, counter.slot);
        }
        if self.base != Time::NEVER {
            self.next_start = self.next_start.min(self.start_of(station));
        }
    }

    /// Makes the medium busy at the next start: puts all stations that begin before they can sense it (less than
    /// `sense_time` later) in `winners`, with their starts, and stops every other counter. Returns the slots that have
    /// passed for the stations that counted together.
    #[inline(always)] // one caller for each kind of witness
    pub fn begin(&mut self, sense_time: Span, winners: &mut Vec<(StationId, Time)>) -> u64 {
        let start = self.next_start;
        let horizon = start + Span(sense_time.0.max(1));
        let passed = self.stop::<false>(Onset { start, horizon }, winners);
        winners.sort_unstable_by_key(|&(station, at)| (at, station));
        passed
    }

    /// The medium becomes busy, no later than at the next start: adds the stations that begin in time to `winners`, and stops
    /// every other counter. Returns what has passed for those that counted together: idle slots (DCF, 802.11-2020, 10.3.4.3),
    /// or with `BOUNDARIES` the boundaries of slots, that at the end of the inter-frame space included (EDCA, 10.23.2.4).
    #[inline(always)]
    pub fn stop<const BOUNDARIES: bool>(
        &mut self,
        onset: Onset,
        winners: &mut Vec<(StationId, Time)>,
    ) -> u64 {
        let Onset { start, horizon } = onset;
        let first = winners.len();
        if self.is_owing() {
            self.hold_back::<BOUNDARIES>(start);
        }
        // All stations that reach zero in this slot begin, and so does any that begins before it can sense the first
        // (aCCATime).
        if let Some(slot) = self.wheel.next_from(self.clock) {
            let at = self.base + self.slot * (slot - self.clock);
            if at < horizon {
                while let Some(station) = self.wheel.at(slot) {
                    self.wheel.remove(station, slot);
                    winners.push((StationId(station), at));
                }
            }
        }
        let passed = self.passed::<BOUNDARIES>(self.base, start);
        let clock = self.clock + passed;
        if !self.apart.is_empty() {
            self.rejoin::<BOUNDARIES>(onset, clock, winners);
        }
        for &(station, _) in &winners[first..] {
            self.counters[station.index()].state = State::Idle;
        }
        self.clock = clock;
        self.base = Time::NEVER;
        self.period += 1;
        self.next_start = Time::NEVER;
        passed
    }

    /// What a counter that runs from `base` has counted when the medium becomes busy at `start`.
    #[inline(always)]
    fn passed<const BOUNDARIES: bool>(&self, base: Time, start: Time) -> u64 {
        // Only whole idle slots count; what is left of the last one is lost to all alike (10.3.4.3).
        let slots = start.since(base).0 / self.slot.0;
        if BOUNDARIES { slots + u64::from(start >= base) } else { slots }
    }

    /// Another frame begins while nobody counts: zero slots that have been drawn before it have passed.
    pub fn begin_frame(&mut self) {
        self.period += 1;
    }

    /// Gives back a slot to stations that have counted on the common clock and have slots left, right after
    /// [`Contention::begin`]; `loses` selects them.
    pub fn give_back(&mut self, mut loses: impl FnMut(StationId) -> bool) {
        for (i, counter) in self.counters.iter_mut().enumerate() {
            let station = StationId(i as u32);
            let was_apart = counter.apart_in + 1 == self.period;
            let is_left = counter.state != State::Idle && counter.slot > self.clock;
            if was_apart || !is_left || !loses(station) {
                continue;
            }
            if counter.state == State::Armed {
                self.wheel.remove(station.0, counter.slot);
                self.wheel.insert(station.0, counter.slot + 1);
            }
            counter.slot += 1;
        }
    }

    /// The medium is idle again and aligned stations count from `base`. Call [`Contention::set_apart`] for the
    /// others before, [`Contention::settle`] after.
    pub fn resume(&mut self, base: Time) {
        self.base = base;
    }

    /// `station` counts slots from `start` on, apart from the others only where it must.
    #[inline(always)] // for each sender and receiver of an exchange
    pub fn wait_until(&mut self, station: StationId, start: Time) {
        if self.counted_from(station) != start {
            self.set_apart(station, start);
        }
    }

    /// `station` counts from `start` in this idle period.
    #[inline(always)] // for each sender and receiver of an exchange
    pub fn set_apart(&mut self, station: StationId, start: Time) {
        let counter = &mut self.counters[station.index()];
        if counter.apart_in != self.period {
            counter.apart_in = self.period;
            self.apart.push(station);
            if counter.state == State::Armed {
                self.wheel.remove(station.0, counter.slot);
            }
            let owed = self.owed.get_mut(station.index()).map(std::mem::take);
            counter.slot += u64::from(owed.unwrap_or_default());
        }
        counter.own_start = start;
    }

    /// Works out the next start after [`Contention::resume`].
    pub fn settle(&mut self) {
        if self.is_owing() {
            return self.settle_owing();
        }
        self.settle_aligned(self.wheel.next_from(self.clock));
    }

    #[inline]
    fn settle_aligned(&mut self, first: Option<u64>) {
        let next = first.map_or(Time::NEVER, |v| self.base + self.slot * (v - self.clock));
        self.next_start = next.min(self.next_apart());
    }

    /// The first start of the stations that count apart.
    #[inline(always)]
    fn next_apart(&self) -> Time {
        let mut next = Time::NEVER;
        for &station in &self.apart {
            let counter = &self.counters[station.index()];
            if counter.state == State::Armed {
                next = next.min(self.start_apart(counter));
            }
        }
        next
    }

    /// Time at which the backoff of a station that counts apart ends on a medium that stays idle.
    #[inline]
    fn start_apart(&self, counter: &Counter) -> Time {
        counter.own_start + self.slot * (counter.slot - self.clock)
    }

    /// Time at which the backoff of `station`, which owes nothing and is not of a split, ends on a medium that stays idle.
    fn start_of(&self, station: StationId) -> Time {
        let slots = self.counters[station.index()].slot - self.clock;
        self.counted_from(station) + self.slot * slots
    }

    /// Brings the stations that counted apart back to the common clock, which will be at `clock`.
    fn rejoin<const BOUNDARIES: bool>(
        &mut self,
        Onset { start, horizon }: Onset,
        clock: u64,
        winners: &mut Vec<(StationId, Time)>,
    ) {
        let mut apart = std::mem::take(&mut self.apart);
        for &station in &apart {
            let counter = self.counters[station.index()];
            let passed_before = counter.drawn_in != self.period && counter.slot <= self.clock;
            if counter.state == State::Idle
                || (counter.state == State::PostBackoff && passed_before)
            {
                self.counters[station.index()].state = State::Idle;
                continue;
            }
            let at = self.start_apart(&counter);
            if counter.state == State::Armed && at < horizon {
                winners.push((station, at));
            } else if counter.state == State::PostBackoff && at <= start {
                self.counters[station.index()].state = State::Idle;
            } else {
                // Its own idle time gave it fewer whole slots than the others: the difference stays with it.
                let passed = self.passed::<BOUNDARIES>(counter.own_start, start);
                let slot = clock + (counter.slot - self.clock).saturating_sub(passed);
                self.counters[station.index()].slot = slot;
                if counter.state == State::Armed {
                    self.wheel.insert(station.0, slot);
                }
            }
        }
        apart.clear();
        self.apart = apart;
    }
}
