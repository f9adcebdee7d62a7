//! A tin: its queues, and whose turn it is (DRR++: queues that have just begun go first, once).

use super::acks::{Ack, AckFilter, Acks};
use super::cobalt::{Cobalt, Times};
use super::isolation::{Ends, Isolation, Loads};
use crate::DropReason;
use crate::packet::Packet;
use crate::queue::manage::Verdict;
use crate::queue::waiting::{Fate, Waiting};
use base::{Rng, Time};
use std::collections::VecDeque;

/// Queues of a tin (sch_cake's 1024), in sets of eight.
const QUEUES: usize = 1024;
const WAYS: usize = 8;
/// Deficits are counted in parts of a byte, so that a turn divided by any load loses nothing in the long run.
const PARTS: i64 = 1 << 16;

/// What a queue is to the scheduler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Nobody's.
    Free,
    /// Of a flow that has just begun.
    Sparse,
    /// The same, behind the filled ones, and empty when last seen.
    SparseWaits,
    /// Of a flow that fills it: it is part of its hosts' load.
    Bulk,
    /// Empty; its AQM still has something to forget.
    Decaying,
}

#[derive(Clone, Debug)]
struct Lane<T> {
    packets: VecDeque<Waiting<T>>,
    bytes: u64,
    /// With a filter of acknowledgements: what it reads in each packet.
    acks: Acks,
    /// The hash of those whose queue it is.
    tag: u64,
    ends: Ends,
    state: State,
    /// In [`PARTS`].
    deficit: i64,
    law: Cobalt,
}

/// What a tin's next turn has brought.
pub(super) enum Turn<T> {
    Sends(Waiting<T>),
    /// A queue was empty: others may come first now.
    Emptied,
}

/// A tin at work.
#[derive(Clone, Debug)]
pub(super) struct Tin<T> {
    lanes: Vec<Lane<T>>,
    new: VecDeque<u32>,
    old: VecDeque<u32>,
    decaying: VecDeque<u32>,
    loads: Loads,
    isolation: Isolation,
    times: Times,
    quantum: i64,
    filter: Option<AckFilter>,
    packets: u32,
}

impl<T: Copy> Tin<T> {
    /// An empty one; `quantum` bytes are the turn of a flow.
    pub fn new(
        isolation: Isolation,
        times: Times,
        quantum: u32,
        filter: Option<AckFilter>,
    ) -> Tin<T> {
        let lane = || Lane {
            packets: VecDeque::new(),
            bytes: 0,
            acks: Acks::default(),
            tag: 0,
            ends: [0; 2],
            state: State::Free,
            deficit: 0,
            law: Cobalt::default(),
        };
        Tin {
            lanes: std::iter::repeat_with(lane).take(QUEUES).collect(),
            new: VecDeque::new(),
            old: VecDeque::new(),
            decaying: VecDeque::new(),
            loads: Loads::default(),
            isolation,
            times,
            quantum: i64::from(quantum) * PARTS,
            filter,
            packets: 0,
        }
    }

    /// True where no packet waits.
    pub fn is_empty(&self) -> bool {
        self.packets == 0
    }

    /// True where queues have turns.
    pub fn is_active(&self) -> bool {
        !self.new.is_empty() || !self.old.is_empty()
    }

    /// The queue of this hash: the one that has its tag, else one of its set that is free, else its first, which is shared.
    fn place(&mut self, hash: u64, ends: Ends) -> usize {
        let first = hash as usize % QUEUES;
        let way = |step: usize| first / WAYS * WAYS + (first + step) % WAYS;
        let ours = |at: &usize| self.lanes[*at].tag == hash && self.lanes[*at].state != State::Free;
        if let Some(at) = (0..WAYS).map(way).find(ours) {
            return at;
        }
        let is_free = |at: &usize| self.lanes[*at].state == State::Free;
        let Some(at) = (0..WAYS).map(way).find(is_free) else { return first };
        (self.lanes[at].tag, self.lanes[at].ends) = (hash, ends);
        at
    }

    fn turn(&self, ends: Ends) -> i64 {
        self.quantum / i64::from(self.loads.of(ends, self.isolation.divides))
    }

    /// Takes a packet in at the end of its queue; returns an acknowledgement that it has made needless, where those are filtered.
    pub fn push(
        &mut self,
        hash: u64,
        ends: Ends,
        waiting: Waiting<T>,
        packet: Option<&Packet>,
    ) -> Option<Waiting<T>> {
        let at = self.place(hash, ends);
        let turn = self.turn(self.lanes[at].ends);
        let lane = &mut self.lanes[at];
        lane.bytes += u64::from(waiting.bytes);
        lane.packets.push_back(waiting);
        let filter = self.filter;
        let needless = filter.and_then(|filter| lane.acks.push(packet.and_then(Ack::of), filter));
        let needless = needless.and_then(|place| lane.take_at(place));
        self.packets += 1 - u32::from(needless.is_some());
        match lane.state {
            State::Free | State::Decaying => {
                if lane.state == State::Decaying {
                    self.decaying.retain(|&other| other as usize != at);
                    self.old.retain(|&other| other as usize != at);
                }
                (lane.state, lane.deficit) = (State::Sparse, turn);
                self.new.push_back(at as u32);
            }
            State::SparseWaits => self.fills(at),
            State::Sparse | State::Bulk => {}
        }
        needless
    }

    fn fills(&mut self, at: usize) {
        self.lanes[at].state = State::Bulk;
        self.loads.change(self.lanes[at].ends, true);
    }

    /// The queue with the most bytes, and those.
    pub fn fattest(&self) -> Option<(u64, u32)> {
        let active = self.new.iter().chain(&self.old);
        active.map(|&at| (self.lanes[at as usize].bytes, at)).max()
    }

    /// The first packet of this queue goes, since all are too full.
    pub fn cut(&mut self, now: Time, at: u32) -> Option<Waiting<T>> {
        let lane = &mut self.lanes[at as usize];
        let gone = lane.take()?;
        lane.law.overflows(now, &self.times);
        self.packets -= 1;
        Some(gone)
    }

    /// The packet whose turn it is. `decays`: a queue that is empty and has something to forget is looked at before.
    pub fn serve(
        &mut self,
        now: Time,
        decays: bool,
        rng: &mut Rng,
        fate: &mut impl FnMut(Waiting<T>, Fate),
    ) -> Turn<T> {
        let mut decays = decays;
        loop {
            let lists = [&self.new, &self.old, &self.decaying];
            let order: &[usize] = if decays { &[2, 0, 1] } else { &[0, 1, 2] };
            decays = false;
            let Some(&list) = order.iter().find(|&&list| !lists[list].is_empty()) else {
                return Turn::Emptied;
            };
            let Some(&at) = lists[list].front() else { return Turn::Emptied };
            let at = at as usize;
            if self.lanes[at].deficit <= 0 {
                self.rotate(list, at);
                continue;
            }
            let before = self.lanes[at].packets.len();
            let next = self.lanes[at].pop(now, &self.times, rng, fate);
            self.packets -= (before - self.lanes[at].packets.len()) as u32;
            return match next {
                Some(next) => Turn::Sends(next),
                None => {
                    self.rest(now, list, at);
                    Turn::Emptied
                }
            };
        }
    }

    fn list(&mut self, list: usize) -> &mut VecDeque<u32> {
        match list {
            0 => &mut self.new,
            1 => &mut self.old,
            _ => &mut self.decaying,
        }
    }

    /// A queue has used its turn, and goes behind the others. It gets the next, divided by its hosts' load.
    fn rotate(&mut self, list: usize, at: usize) {
        if self.lanes[at].state == State::Sparse {
            match self.lanes[at].packets.is_empty() {
                true => self.lanes[at].state = State::SparseWaits,
                false => self.fills(at),
            }
        }
        self.lanes[at].deficit += self.turn(self.lanes[at].ends);
        self.list(list).pop_front();
        self.old.push_back(at as u32);
    }

    /// It was the turn of a queue that is empty.
    fn rest(&mut self, now: Time, list: usize, at: usize) {
        self.list(list).pop_front();
        let lane = &mut self.lanes[at];
        lane.law.empties(now, &self.times);
        if lane.state == State::Bulk {
            self.loads.change(lane.ends, false);
        }
        lane.state = if lane.law.is_at_rest(now) { State::Free } else { State::Decaying };
        if lane.state == State::Decaying {
            self.decaying.push_back(at as u32);
        }
    }

    /// Its packets, queue by queue.
    pub fn each(&self) -> impl Iterator<Item = &Waiting<T>> {
        self.lanes.iter().flat_map(|lane| &lane.packets)
    }

    /// Its packets, queue by queue.
    pub fn each_mut(&mut self) -> impl Iterator<Item = &mut Waiting<T>> {
        self.lanes.iter_mut().flat_map(|lane| &mut lane.packets)
    }

    /// Takes out those that `goes` names; how many stay, and their bytes.
    pub fn take_out(&mut self, goes: &mut impl FnMut(&Waiting<T>) -> bool) -> (u32, u64) {
        for lane in &mut self.lanes {
            let stays: Vec<bool> = lane.packets.iter().map(|waiting| !goes(waiting)).collect();
            let mut each = stays.iter();
            lane.packets.retain(|_| each.next().copied().unwrap_or_default());
            lane.acks.keep(&stays);
            lane.bytes = lane.packets.iter().map(|waiting| u64::from(waiting.bytes)).sum();
        }
        self.packets = self.lanes.iter().map(|lane| lane.packets.len() as u32).sum();
        (self.packets, self.lanes.iter().map(|lane| lane.bytes).sum())
    }
}

impl<T: Copy> Lane<T> {
    fn take(&mut self) -> Option<Waiting<T>> {
        self.take_at(0)
    }

    fn take_at(&mut self, place: usize) -> Option<Waiting<T>> {
        let next = self.packets.remove(place)?;
        self.acks.remove(place);
        self.bytes -= u64::from(next.bytes);
        Some(next)
    }

    /// Its head that stays, after those that its AQM drops. The last packet is never dropped, so that no loss goes unnoticed.
    fn pop(
        &mut self,
        now: Time,
        times: &Times,
        rng: &mut Rng,
        fate: &mut impl FnMut(Waiting<T>, Fate),
    ) -> Option<Waiting<T>> {
        loop {
            let next = self.take()?;
            let of = (now.since(next.since), next.ecn.is_capable());
            match self.law.judge(now, of, times, rng) {
                Verdict::Drop if !self.packets.is_empty() => {
                    fate(next, Fate::Dropped(DropReason::Aqm));
                    continue;
                }
                Verdict::Mark => fate(next, Fate::Marked),
                Verdict::Take | Verdict::Drop => {}
            }
            self.deficit -= i64::from(next.bytes) * PARTS;
            return Some(next);
        }
    }
}
