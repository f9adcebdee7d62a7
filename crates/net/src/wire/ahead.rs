//! Packets whose departures are known as they come: those that wait are at the end of those in flight.

use super::in_flight::InFlight;
use crate::queue::Door;
use crate::{Arrival, Backlog, Device, DropReason, Owner, QueueConfig, QueueStats};
use base::{Rate, Span, Time};
use std::collections::VecDeque;

/// Position of the waiting packets among those in flight, and the door of the queue.
#[derive(Clone, Debug)]
pub(super) struct Ahead {
    door: Door,
    /// Number of packets in flight, from the front, that have begun their transmission.
    started: usize,
    waiting_bytes: u64,
}

impl Ahead {
    pub fn new(config: &QueueConfig, rate: Rate, owner: Owner) -> Ahead {
        Ahead { door: Door::new(config, rate, owner), started: 0, waiting_bytes: 0 }
    }

    /// A packet comes, and the device sends, or has sent, until `free_at`: until when it waits if it is taken, and whether it
    /// gets a congestion mark.
    #[inline(always)]
    pub fn take(
        &mut self,
        now: Time,
        arrival: &Arrival<'_>,
        free_at: Time,
        in_flight: &VecDeque<InFlight>,
    ) -> Result<(Time, bool), DropReason> {
        if free_at > now {
            let (packets, bytes) = self.backlog(now, in_flight);
            let backlog = Backlog { packets, bytes, device: Device::Sending };
            let marks = self.door.admit(now, arrival, backlog, free_at)?;
            self.waiting_bytes += u64::from(arrival.bytes);
            self.door.stats.waited(now, free_at);
            Ok((free_at, marks))
        } else {
            let marks = self.door.admit(now, arrival, Backlog::default(), free_at)?;
            // All that came before has been sent, and this one is sent at once.
            (self.started, self.waiting_bytes) = (in_flight.len() + 1, 0);
            Ok((now, marks))
        }
    }

    /// The first of those in flight has arrived.
    pub fn arrived(&mut self, bytes: u32) {
        if self.started > 0 {
            self.started -= 1;
        } else {
            self.waiting_bytes -= u64::from(bytes);
        }
    }

    /// Packets that wait at `now`, and their bytes.
    #[inline(always)]
    pub fn backlog(&mut self, now: Time, in_flight: &VecDeque<InFlight>) -> (u32, u64) {
        while let Some(next) = in_flight.get(self.started) {
            if next.start > now {
                break;
            }
            self.waiting_bytes -= u64::from(next.bytes());
            self.started += 1;
        }
        ((in_flight.len() - self.started) as u32, self.waiting_bytes)
    }

    /// The counts up to `now`, and how many wait.
    pub fn stats_by(&self, now: Time, in_flight: &VecDeque<InFlight>) -> (QueueStats, u32) {
        let (packets, wait) = self.still_waiting(now, in_flight);
        (self.door.stats.without(wait), packets)
    }

    /// Forgets the counts so far; how many wait.
    pub fn begin_measurement(&mut self, now: Time, in_flight: &VecDeque<InFlight>) -> u32 {
        let (packets, _) = self.still_waiting(now, in_flight);
        self.door.stats = QueueStats::begin(now, packets);
        for waiting in in_flight.range(self.started..) {
            self.door.stats.waited(now, waiting.start);
        }
        packets
    }

    /// Number of packets that wait at `now`, and the sum of their remaining waits.
    fn still_waiting(&self, now: Time, in_flight: &VecDeque<InFlight>) -> (u32, Span) {
        let waits = in_flight.range(self.started..).map(|packet| packet.start.since(now));
        let waits = waits.filter(|&wait| wait > Span::ZERO);
        waits.fold((0, Span::ZERO), |(packets, sum), wait| (packets + 1, sum + wait))
    }
}
