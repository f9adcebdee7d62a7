//! A subscriber station, with the base station's side of its connections.

use crate::config::{FrameConfig, PduConfig, SubscriberConfig};
use crate::connection::Connection;
use crate::phy::Coding;
use crate::request::{Requester, Wanted};
use crate::stats::StationStats;
use base::{Purpose, Rate, Seed};
use net::Owner;

/// A subscriber station at work.
#[derive(Clone, Debug)]
pub struct Subscriber {
    /// Burst profile and tail byte towards it.
    pub down_coding: Coding,
    /// The same from it.
    pub up_coding: Coding,
    /// The base station's queue for it.
    pub down: Connection,
    /// Its own queue.
    pub up: Connection,
    /// Its requests.
    pub requester: Requester,
    /// Bytes asked for and not yet granted, as the base station knows.
    pub asked: u64,
    /// The last frame in which it had a grant, and one more.
    pub granted_until: u64,
    /// Its counts.
    pub stats: StationStats,
}

impl Subscriber {
    /// At rest; `owners` number the random numbers of the base station's queue for it, and its own.
    pub fn new(
        config: &SubscriberConfig,
        frame: &FrameConfig,
        seed: Seed,
        (base, own): (u64, u64),
    ) -> Subscriber {
        let down_coding = Coding { mcs: config.down, tail: frame.tail };
        let up_coding = Coding { mcs: config.up, tail: frame.tail };
        let owner = |number| Owner { seed, purpose: Purpose::StationQueue, number };
        let connection =
            |queue, coding, number| Connection::new(queue, nominal(frame, coding), owner(number));
        Subscriber {
            down_coding,
            up_coding,
            down: connection(&config.down_queue, down_coding, base),
            up: connection(&config.up_queue, up_coding, own),
            requester: Requester::new(seed.stream(Purpose::Request, own)),
            asked: 0,
            granted_until: 0,
            stats: StationStats::default(),
        }
    }

    /// What it would ask for now.
    pub fn wanted(&self, pdus: &PduConfig) -> Wanted {
        let backlog = self.up.backlog();
        Wanted { bytes: pdus.need(&backlog), packets: backlog.packets as u32 }
    }
}

/// What a whole channel of such symbols carries.
fn nominal(frame: &FrameConfig, coding: Coding) -> Rate {
    let symbol = frame.phy.slots(frame.phy.symbol_slots());
    Rate(u64::from(coding.mcs.bytes()) * 8 * 1_000_000_000 / symbol.0.max(1))
}
