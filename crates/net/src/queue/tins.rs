//! The queues of a radio that keeps one for each receiver and category, as Linux's mac80211 does: they share a table of flows,
//! a number of packets and their bytes.

use super::keep::Keep;
use super::law::flows::Flows;
use super::law::{codel::Codel, mac80211};
use super::{Arrival, Backlog, Device, Fate, Owner, QueueConfig, QueueLimit, QueueStats, Waiting};
use crate::DropReason;
use base::{PacketId, Rate, Time};

/// Such queues; `T` is what a tin is for, and every packet of a tin carries it.
#[derive(Clone, Debug)]
pub struct Tins<T> {
    flows: Flows<u32>,
    law: Codel,
    limit: QueueLimit,
    memory: u64,
    tins: Vec<(T, QueueStats)>,
    begun: Time,
}

impl<T: Copy + PartialEq> Tins<T> {
    /// Without a tin yet, before a device that sends at `rate`.
    pub fn new(config: &QueueConfig, rate: Rate, owner: Owner) -> Tins<T> {
        let (flows, law, memory) = mac80211::flows(&super::site(config, rate, owner));
        Tins { flows, law, limit: config.limit, memory, tins: Vec::new(), begun: Time::ZERO }
    }

    fn find(&self, of: T) -> Option<usize> {
        self.tins.iter().position(|tin| tin.0 == of)
    }

    /// A packet comes to a tin; `told` hears of those that have to go: where all are full, the longest flow loses its oldest
    /// packets, whoever comes.
    pub fn push(
        &mut self,
        now: Time,
        (arrival, of): (&Arrival<'_>, T),
        mut told: impl FnMut(PacketId, Fate),
    ) {
        let tin = self.find(of).unwrap_or_else(|| {
            if !self.tins.is_empty() {
                self.flows.add_tin(&self.law);
            }
            self.tins.push((of, QueueStats::begin(self.begun, 0)));
            self.tins.len() - 1
        });
        let Arrival { id, bytes, .. } = *arrival;
        let ecn = arrival.ecn();
        let waiting = Waiting { id, bytes, since: now, ecn, with: tin as u32 };
        self.flows.push_to(tin as u32, arrival, waiting);
        while self.is_too_full() {
            self.flows.cut(|gone| {
                self.tins[gone.with as usize].1.drop_waiting(gone.since, now);
                told(gone.id, Fate::Dropped(DropReason::Queue));
            });
        }
        let stats = &mut self.tins[tin].1;
        stats.offered += 1;
        stats.max_packets = stats.max_packets.max(self.flows.in_tin(tin as u32));
    }

    fn is_too_full(&self) -> bool {
        let (packets, bytes) = self.flows.backlog();
        let before = Backlog { packets: packets.saturating_sub(1), bytes, device: Device::Blocked };
        packets > 0 && (bytes > self.memory || !self.limit.has_room(before, 0))
    }

    /// The packet of a tin whose turn it is.
    pub fn pop(
        &mut self,
        now: Time,
        of: T,
        mut told: impl FnMut(PacketId, Fate),
    ) -> Option<Waiting<T>> {
        let tin = self.find(of)?;
        let stats = &mut self.tins[tin].1;
        let next = self.flows.pop_from(tin as u32, now, |waiting, fate| {
            match fate {
                Fate::Marked => stats.marked += 1,
                Fate::Dropped(_) => stats.drop_waiting(waiting.since, now),
            }
            told(waiting.id, fate);
        })?;
        stats.waited(next.since, now);
        let Waiting { id, bytes, since, ecn, .. } = next;
        Some(Waiting { id, bytes, since, ecn, with: of })
    }

    /// Packets that wait in all tins.
    pub fn backlog(&self) -> u32 {
        self.flows.backlog().0
    }

    /// Packets that wait in a tin.
    pub fn waiting(&self, of: T) -> u32 {
        self.find(of).map_or(0, |tin| self.flows.in_tin(tin as u32))
    }

    /// True where a packet of so many bytes finds room behind `coming` others like it, and none has to go for it.
    pub fn has_room(&self, bytes: u32, coming: u32) -> bool {
        let (packets, held) = self.flows.backlog();
        let held = held + u64::from(coming) * u64::from(bytes);
        let backlog = Backlog { packets: packets + coming, bytes: held, device: Device::Blocked };
        held + u64::from(bytes) <= self.memory && self.limit.has_room(backlog, bytes)
    }

    /// The counts of the tins that `wanted` names up to `now`, what still waits included.
    pub fn stats_by(&self, now: Time, wanted: impl Fn(T) -> bool) -> QueueStats {
        let nothing = QueueStats::begin(self.begun, 0);
        let all =
            self.tins.iter().filter(|tin| wanted(tin.0)).fold(nothing, |all, tin| all.with(tin.1));
        let mut all = all;
        self.flows.each(|waiting| {
            if wanted(self.tins[waiting.with as usize].0) {
                all.waited(waiting.since, now);
            }
        });
        all
    }

    /// Forgets the counts so far.
    pub fn begin_measurement(&mut self, now: Time) {
        self.begun = now;
        for tin in 0..self.tins.len() {
            self.tins[tin].1 = QueueStats::begin(now, self.flows.in_tin(tin as u32));
        }
    }
}
