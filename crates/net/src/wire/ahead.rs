//! Packets whose departures are known as they come: those that wait are at the end of those in flight.

use super::in_flight::{InFlight, Tail, Train, Transits};
use crate::queue::Door;
use crate::{Arrival, Backlog, Device, DropReason, Owner, QueueConfig, QueueStats};
use base::{Rate, Span, Time};

/// The waiting packets, the last of those in flight, and the door of the queue.
#[derive(Clone, Debug)]
pub(super) struct Ahead {
    door: Door,
    /// Those that wait, as far as was looked at: the first of them may have begun.
    waiting: Tail,
}

impl Ahead {
    pub fn new(config: &QueueConfig, rate: Rate, owner: Owner) -> Ahead {
        Ahead { door: Door::new(config, rate, owner), waiting: Tail::default() }
    }

    /// A packet comes, and the device sends, or has sent, until `free_at`: until when it waits if it is taken, and whether it
    /// gets a congestion mark.
    #[inline(always)]
    pub fn take(
        &mut self,
        now: Time,
        arrival: &Arrival<'_>,
        free_at: Time,
        transits: &Transits,
    ) -> Result<(Time, bool), DropReason> {
        if free_at > now {
            let (packets, bytes) = self.backlog(now, transits);
            let backlog = Backlog { packets, bytes, device: Device::Sending };
            let marks = self.door.admit(now, arrival, backlog, free_at)?;
            self.waiting.push(arrival.id, arrival.bytes);
            self.door.stats.waited(now, free_at);
            Ok((free_at, marks))
        } else {
            let marks = self.door.admit(now, arrival, Backlog::default(), free_at)?;
            // All that came before has been sent, and this one is sent at once.
            self.waiting = Tail::default();
            Ok((now, marks))
        }
    }

    /// `head`, the first of the train, has arrived and been taken off it.
    #[inline(always)]
    pub fn arrived(&mut self, head: &InFlight, train: &Train) {
        if self.waiting.size().0 > train.len() {
            self.waiting.begin(head);
        }
    }

    /// Packets that wait at `now`, and their bytes.
    #[inline(always)]
    pub fn backlog(&mut self, now: Time, transits: &Transits) -> (u32, u64) {
        self.waiting.advance(now, transits);
        self.waiting.size()
    }

    /// The counts up to `now`, and how many wait.
    pub fn stats_by(&self, now: Time, transits: &Transits) -> (QueueStats, u32) {
        let (packets, wait) = self.still_waiting(now, transits);
        (self.door.stats.without(wait), packets)
    }

    /// Forgets the counts so far; how many wait.
    pub fn begin_measurement(&mut self, now: Time, transits: &Transits) -> u32 {
        let (packets, _) = self.still_waiting(now, transits);
        self.door.stats = QueueStats::begin(now, packets);
        for waiting in self.waiting.iter(transits) {
            self.door.stats.waited(now, waiting.start);
        }
        packets
    }

    /// Number of packets that wait at `now`, and the sum of their remaining waits.
    fn still_waiting(&self, now: Time, transits: &Transits) -> (u32, Span) {
        let waits = self.waiting.iter(transits).map(|packet| packet.start.since(now));
        let waits = waits.filter(|&wait| wait > Span::ZERO);
        waits.fold((0, Span::ZERO), |(packets, sum), wait| (packets + 1, sum + wait))
    }
}
