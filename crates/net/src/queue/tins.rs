//! The queues of a radio that keeps one for each receiver and category, as Linux's mac80211 does: they share a table of flows,
//! a number of packets and their bytes.

use super::keep::Keep;
use super::law::flows::Flows;
use super::law::mac80211;
use super::{Arrival, Backlog, Device, Fate, Owner, QueueConfig, QueueLimit, QueueStats, Waiting};
use crate::DropReason;
use base::{PacketId, Rate, Time};

/// Such queues, each with the number that its owner gives it, and told apart by the order in which they were added.
#[derive(Clone, Debug)]
pub struct Tins {
    /// Each packet carries the number of its tin.
    flows: Flows<u32>,
    limit: QueueLimit,
    memory: u64,
    /// By tin.
    stats: Vec<QueueStats>,
    measured_since: Time,
}

impl Tins {
    /// None, before a device that sends at `rate`.
    pub fn new(config: &QueueConfig, rate: Rate, owner: Owner) -> Tins {
        let (flows, memory) = mac80211::flows(&super::site(config, rate, owner));
        let (limit, stats, measured_since) = (config.limit, Vec::new(), Time::ZERO);
        Tins { flows, limit, memory, stats, measured_since }
    }

    /// Adds an empty tin. Where two queues are the longest, the tin of the higher number loses.
    pub fn add(&mut self, number: u32) {
        self.flows.add_tin(number);
        self.stats.push(QueueStats::begin(self.measured_since, 0));
    }

    /// A packet comes to a tin; `told` hears of those that have to go: where all are full, the longest flow loses its oldest
    /// packets, whoever comes.
    pub fn push(
        &mut self,
        now: Time,
        (arrival, tin): (&Arrival<'_>, usize),
        mut told: impl FnMut(PacketId, Fate),
    ) {
        let Arrival { id, bytes, .. } = *arrival;
        let waiting = Waiting { id, bytes, since: now, ecn: arrival.ecn(), with: tin as u32 };
        self.flows.push_to(tin as u32, arrival, waiting);
        while self.is_too_full() {
            self.flows.cut(|gone| {
                self.stats[gone.with as usize].drop_waiting(gone.since, now);
                told(gone.id, Fate::Dropped(DropReason::Queue));
            });
        }
        let length = self.waiting(tin);
        let stats = &mut self.stats[tin];
        stats.offered += 1;
        stats.max_packets = stats.max_packets.max(length);
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
        tin: usize,
        mut told: impl FnMut(PacketId, Fate),
    ) -> Option<Waiting<u32>> {
        let stats = &mut self.stats[tin];
        let next = self.flows.pop_from(tin as u32, now, |waiting, fate| {
            match fate {
                Fate::Marked => stats.marked += 1,
                Fate::Dropped(_) => stats.drop_waiting(waiting.since, now),
            }
            told(waiting.id, fate);
        })?;
        stats.waited(next.since, now);
        Some(next)
    }

    /// Packets that wait in all tins.
    pub fn backlog(&self) -> u32 {
        self.flows.backlog().0
    }

    /// Packets that wait in a tin.
    pub fn waiting(&self, tin: usize) -> u32 {
        self.flows.in_tin(tin as u32)
    }

    /// True where a packet of this size finds room behind `coming` others like it, and none has to go for it.
    pub fn has_room(&self, bytes: u32, coming: u32) -> bool {
        let (packets, held) = self.flows.backlog();
        let held = held + u64::from(coming) * u64::from(bytes);
        let backlog = Backlog { packets: packets + coming, bytes: held, device: Device::Blocked };
        held + u64::from(bytes) <= self.memory && self.limit.has_room(backlog, bytes)
    }

    /// The counts of some tins together up to `now`, what still waits included.
    pub fn stats_by(&self, now: Time, are: impl Fn(usize) -> bool) -> QueueStats {
        let tins = (0..self.stats.len()).filter(|&tin| are(tin)).map(|tin| self.stats[tin]);
        let mut all = tins.fold(QueueStats::begin(self.measured_since, 0), QueueStats::with);
        self.flows.each(|waiting| {
            if are(waiting.with as usize) {
                all.waited(waiting.since, now);
            }
        });
        all
    }

    /// Forgets the counts so far.
    pub fn begin_measurement(&mut self, now: Time) {
        self.measured_since = now;
        for tin in 0..self.stats.len() {
            self.stats[tin] = QueueStats::begin(now, self.waiting(tin));
        }
    }
}
