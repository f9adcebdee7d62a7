//! A station of a LAN: its queue, the frame that it sends next, what is counted of it.

use super::LanConfig;
use crate::{Owner, Queue};
use base::{PacketId, Purpose, Rng, Seed, Span, StationId, Time};

/// Counts of one station since the measurement began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LanStationStats {
    /// Times that it began to send.
    pub attempts: u64,
    /// Those that came through.
    pub successes: u64,
    /// Those that collided.
    pub collisions: u64,
    /// Frames that waited for others before their first attempt (aFramesWithDeferredXmissions).
    pub deferrals: u64,
    /// Frames given up after too many collisions.
    pub given_up: u64,
    /// The most frames that it sent one after the other while others waited.
    pub longest_run: u64,
    /// For how long it sent.
    pub airtime: Span,
}

/// The frame that a station sends next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Service {
    pub id: PacketId,
    pub to: StationId,
    pub bytes: u32,
    /// Number of its attempts that failed: they collided (CSMA/CD) or found the medium taken (CSMA/CA).
    pub tries: u32,
    /// True once it has been sent.
    pub was_sent: bool,
    /// Time since which it is the next.
    pub since: Time,
    /// Time from which it can be sent: the station got it, or its backoff ended.
    pub ready: Time,
}

/// A station at work.
#[derive(Clone, Debug)]
pub(super) struct Station {
    pub queue: Queue<StationId>,
    pub service: Option<Service>,
    pub stats: LanStationStats,
    /// Time at which it last stopped sending.
    pub sent_until: Option<Time>,
    /// Time from which it serves a further packet.
    pub resumes: Time,
    rng: Rng,
}

impl Station {
    pub fn new(config: &LanConfig, seed: Seed, number: u64) -> Station {
        let owner = Owner { seed, purpose: Purpose::LanQueue, number };
        Station {
            queue: Queue::new(&config.queue, config.rules.rate, owner),
            service: None,
            stats: LanStationStats::default(),
            sent_until: None,
            resumes: Time::ZERO,
            rng: seed.stream(Purpose::LanBackoff, number),
        }
    }

    /// Draws the slots of a backoff, below `window`.
    pub fn draw(&mut self, window: u32) -> u64 {
        u64::from(self.rng.below(window))
    }
}
