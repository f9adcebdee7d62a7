//! Queues: capacity, drops and marks, order of service, measures.
//!
//! A queue's [`Door`] admits packets; [`Queue`] keeps the packets behind it and hands them out. A wire whose discipline
//! decides on arrival alone knows each packet's departure as it comes, and keeps its packets itself behind a door.

mod counts;
#[cfg(test)]
mod dual_tests;
#[cfg(test)]
mod handing_out_tests;
mod ip_headers;
mod keep;
mod law;
mod limit;
mod manage;
mod stats;
mod store;
#[cfg(test)]
mod tests;
mod tins;
mod waiting;

use crate::{DropReason, Ecn};
use base::{Options, PacketId, Purpose, Rate, Seed, Time};
pub use counts::{QueueCounts, QueueRules};
pub use ip_headers::{IpHeader, IpHeaders};
use keep::Keep;
use law::AnyLaw;
pub use law::{Discipline, Row};
pub use limit::{Backlog, Device, QueueLimit};
use manage::{Found, Manage, Site, Verdict};
pub use stats::QueueStats;
use std::collections::VecDeque;
use store::Store;
pub use tins::Tins;
pub use waiting::{Arrival, Fate, Waiting};

/// Configuration of a queue.
#[derive(Clone, Debug, PartialEq)]
pub struct QueueConfig {
    /// Capacity.
    pub limit: QueueLimit,
    /// Discipline: drops, marks and order of service.
    pub discipline: Discipline,
    /// The discipline's parameters that are not its defaults.
    pub options: Options,
    /// What the discipline can read of packets beside their conversation.
    pub headers: IpHeaders,
}

impl QueueConfig {
    /// Creates a drop-tail queue: a packet that finds no room is dropped.
    pub fn drop_tail(limit: QueueLimit) -> QueueConfig {
        QueueConfig {
            limit,
            discipline: Discipline::DropTail,
            options: Options::default(),
            headers: IpHeaders::default(),
        }
    }

    /// True where a shaper of the discipline sets the rate, not the device.
    pub fn is_shaped(&self) -> bool {
        self.discipline == Discipline::Cake && law::cake::is_shaped(&self.options)
    }
}

impl From<QueueLimit> for QueueConfig {
    fn from(limit: QueueLimit) -> QueueConfig {
        QueueConfig::drop_tail(limit)
    }
}

/// Owner of a queue, which keys its random numbers.
#[derive(Clone, Copy, Debug)]
pub struct Owner {
    /// The root of all randomness.
    pub seed: Seed,
    /// [`Purpose::LinkQueue`] or [`Purpose::StationQueue`].
    pub purpose: Purpose,
    /// Number of the owner.
    pub number: u64,
}

/// The limit, the discipline's law and the counts of a queue.
#[derive(Clone, Debug)]
pub(crate) struct Door {
    limit: QueueLimit,
    law: AnyLaw,
    pub stats: QueueStats,
}

impl Door {
    /// Creates the door of an empty queue before a device of this rate.
    pub fn new(config: &QueueConfig, rate: Rate, owner: Owner) -> Door {
        Door {
            limit: config.limit,
            law: AnyLaw::new(config.discipline, &site(config, rate, owner)),
            stats: QueueStats::default(),
        }
    }

    /// A packet comes and finds this: whether it may stay, and with a mark. `idle_since` is for an idle device.
    #[inline(always)]
    pub fn admit(
        &mut self,
        now: Time,
        arrival: &Arrival<'_>,
        backlog: Backlog,
        idle_since: Time,
    ) -> Result<bool, DropReason> {
        self.stats.offered += 1;
        if !self.limit.has_room(backlog, arrival.bytes) {
            self.stats.dropped += 1;
            return Err(DropReason::Queue);
        }
        let marks = match &self.law {
            // Of most queues, nothing else is to be asked.
            AnyLaw::DropTail(law) if law.takes(backlog) => false,
            _ => self.judge(now, arrival, backlog, idle_since)?,
        };
        if backlog.device != Device::Idle {
            self.stats.max_packets = self.stats.max_packets.max(backlog.packets + 1);
        }
        Ok(marks)
    }

    #[inline(never)]
    fn judge(
        &mut self,
        now: Time,
        arrival: &Arrival<'_>,
        backlog: Backlog,
        idle_since: Time,
    ) -> Result<bool, DropReason> {
        let idle_since = (backlog.device == Device::Idle).then_some(idle_since);
        let found = Found { backlog, idle_since, markable: arrival.ecn().is_capable() };
        match self.law.on_arrival(now, &found) {
            Verdict::Take => Ok(false),
            Verdict::Mark => {
                self.stats.marked += 1;
                Ok(true)
            }
            Verdict::Drop => {
                self.stats.dropped += 1;
                Err(DropReason::Aqm)
            }
        }
    }
}

impl Door {
    /// A packet as it waits behind the door. Drop tail does not read its headers again.
    #[inline(always)]
    fn waiting<T>(&self, now: Time, arrival: &Arrival<'_>, with: T) -> Waiting<T> {
        let read = !matches!(self.law, AnyLaw::DropTail(_));
        let ecn = if read { arrival.ecn() } else { Ecn::NotCapable };
        Waiting { id: arrival.id, bytes: arrival.bytes, since: now, ecn, with }
    }
}

/// Puts those of the first `passed` that `goes` names before the others, which keep their order.
fn gather<T>(line: &mut VecDeque<Waiting<T>>, passed: usize, mut goes: impl FnMut(&T) -> bool) {
    let mut place = passed;
    for at in (0..passed).rev() {
        if !goes(&line[at].with) {
            place -= 1;
            line.swap(at, place);
        }
    }
}

fn site(config: &QueueConfig, rate: Rate, Owner { seed, purpose, number }: Owner) -> Site<'_> {
    Site { options: &config.options, headers: &config.headers, rate, seed, purpose, owner: number }
}

/// A queue at work.
#[derive(Clone, Debug)]
pub struct Queue<T> {
    door: Door,
    store: Store<T>,
    /// Time since which its device has found it empty.
    empty_since: Time,
}

impl<T: Copy> Queue<T> {
    /// An empty queue before a device that sends at `rate`, as its data sheet says.
    pub fn new(config: &QueueConfig, rate: Rate, owner: Owner) -> Queue<T> {
        let door = Door::new(config, rate, owner);
        let store = Store::new(config.discipline, &site(config, rate, owner));
        Queue { door, store, empty_since: Time::ZERO }
    }

    /// A packet comes: whether it may stay, and gets a mark. `told` hears of those that have to go in its place.
    ///
    /// # Errors
    /// Why it goes.
    #[inline(always)]
    pub fn push(
        &mut self,
        now: Time,
        (arrival, with): (&Arrival<'_>, T),
        device: Device,
        told: impl FnMut(PacketId, Fate),
    ) -> Result<bool, DropReason> {
        let (packets, bytes) = self.backlog();
        let backlog = Backlog { packets, bytes, device };
        match &mut self.store {
            Store::Line(line, bytes) => {
                let marks = self.door.admit(now, arrival, backlog, self.empty_since)?;
                line.push_back(self.door.waiting(now, arrival, with));
                *bytes += u64::from(arrival.bytes);
                Ok(marks)
            }
            Store::Apart(_) => self.push_apart(now, backlog, (arrival, with), told),
        }
    }

    /// Where there are several lines, the discipline knows who makes room.
    #[inline(never)]
    fn push_apart(
        &mut self,
        now: Time,
        backlog: Backlog,
        (arrival, with): (&Arrival<'_>, T),
        mut told: impl FnMut(PacketId, Fate),
    ) -> Result<bool, DropReason> {
        let Store::Apart(apart) = &mut self.store else { return Ok(false) };
        let waiting = self.door.waiting(now, arrival, with);
        let stats = &mut self.door.stats;
        stats.offered += 1;
        let is_full = !self.door.limit.has_room(backlog, waiting.bytes);
        let taken = apart.push(now, arrival, waiting, is_full, |gone, reason| {
            stats.drop_waiting(gone.since, now);
            told(gone.id, Fate::Dropped(reason));
        });
        if !taken {
            stats.dropped += 1;
            return Err(DropReason::Queue);
        }
        if backlog.device != Device::Idle {
            stats.max_packets = stats.max_packets.max(apart.backlog().0);
        }
        Ok(false)
    }

    /// The device is free and takes the packet whose turn it is; `told` hears what the discipline does to it and to those
    /// before it.
    #[inline(always)]
    pub fn pop(&mut self, now: Time, told: impl FnMut(PacketId, Fate)) -> Option<Waiting<T>> {
        // Drop tail has no word in it.
        let (Store::Line(line, bytes), AnyLaw::DropTail(_)) = (&mut self.store, &self.door.law)
        else {
            return self.pop_judged(now, told);
        };
        let next = line.pop_front()?;
        *bytes -= u64::from(next.bytes);
        self.door.stats.waited(next.since, now);
        Some(next)
    }

    /// Time from which its shaper lets the next packet go; the begin of the run where it has none.
    #[inline(always)]
    pub fn opens(&self) -> Time {
        self.store.opens()
    }

    /// The packet that has waited longest, where packets leave in the order in which they came.
    pub fn oldest(&self) -> Option<&Waiting<T>> {
        self.first(|_| true)
    }

    /// The first of the packets that `wanted` names, where packets leave in the order in which they came.
    pub fn first(&self, mut wanted: impl FnMut(&T) -> bool) -> Option<&Waiting<T>> {
        match &self.store {
            Store::Line(line, _) => line.iter().find(|waiting| wanted(&waiting.with)),
            Store::Apart(_) => None,
        }
    }

    /// Hands out packets that `wanted` names, out of turn and in their order: no more than `most`, and none from the first on that
    /// `takes` refuses. The discipline is not asked, so it must be drop tail.
    #[inline]
    pub fn hand_out(
        &mut self,
        now: Time,
        most: u32,
        mut wanted: impl FnMut(&T) -> bool,
        mut takes: impl FnMut(&Waiting<T>) -> bool,
    ) {
        let Queue { door, store: Store::Line(line, bytes), .. } = self else { return };
        let (mut gone, mut passed) = (0, 0);
        for waiting in line.iter() {
            if gone == most as usize {
                break;
            }
            if wanted(&waiting.with) {
                if !takes(waiting) {
                    break;
                }
                *bytes -= u64::from(waiting.bytes);
                door.stats.waited(waiting.since, now);
                gone += 1;
            }
            passed += 1;
        }
        if gone < passed {
            gather(line, passed, wanted);
        }
        line.drain(..gone);
    }

    /// Does what [`Queue::pop`] does, where the discipline judges packets as they leave.
    #[inline(never)]
    fn pop_judged(
        &mut self,
        now: Time,
        mut told: impl FnMut(PacketId, Fate),
    ) -> Option<Waiting<T>> {
        let stats = &mut self.door.stats;
        let hear = |waiting: Waiting<T>, fate: Fate| {
            match fate {
                Fate::Marked => stats.marked += 1,
                Fate::Dropped(_) => stats.drop_waiting(waiting.since, now),
            }
            told(waiting.id, fate);
        };
        let next = self.store.pop(now, &mut self.door.law, hear);
        match &next {
            Some(next) => self.door.stats.waited(next.since, now),
            None => self.empty_since = now,
        }
        next
    }

    /// True where a packet of this size would find room behind `coming` others like it.
    pub fn has_room(&self, device: Device, bytes: u32, coming: u32) -> bool {
        let (packets, held) = self.backlog();
        // The first that comes makes an idle device busy.
        let device = if coming > 0 && device == Device::Idle { Device::Sending } else { device };
        let held = held + u64::from(coming) * u64::from(bytes);
        self.door.limit.has_room(Backlog { packets: packets + coming, bytes: held, device }, bytes)
    }

    /// Packets that wait, and their bytes.
    #[inline(always)]
    pub fn backlog(&self) -> (u32, u64) {
        self.store.backlog()
    }

    /// Lets the owner change what it keeps with packets.
    pub fn each(&mut self, mut change: impl FnMut(&mut T)) {
        self.store.each_mut(|waiting| change(&mut waiting.with));
    }

    /// Takes out the packets that `goes` names: they are not counted as drops.
    pub fn take_out(&mut self, now: Time, mut goes: impl FnMut(&Waiting<T>) -> bool) {
        let stats = &mut self.door.stats;
        self.store.take_out(now, |waiting| {
            let is_gone = goes(waiting);
            if is_gone {
                stats.waited(waiting.since, now);
            }
            is_gone
        });
    }

    /// The counts up to `now`, what still waits included.
    pub fn stats_by(&self, now: Time) -> QueueStats {
        let mut stats = self.door.stats;
        self.store.each(|waiting| stats.waited(waiting.since, now));
        stats
    }

    /// Forgets the counts so far: the warm-up is over.
    pub fn begin_measurement(&mut self, now: Time) {
        self.door.stats = QueueStats::begin(now, self.backlog().0);
    }
}
