//! A subscriber station, with the base station's side of its connections.

use crate::config::{ArqConfig, FrameConfig, PduConfig, ServiceConfig, SubscriberConfig};
use crate::connection::Connection;
use crate::phy::Coding;
use crate::request::{Requester, Wanted};
use crate::stats::StationStats;
use base::{Purpose, Rate, Seed, Time};
use net::{Owner, QueueConfig};

/// An uplink connection at both of its ends.
#[derive(Clone, Debug)]
pub struct Uplink {
    /// The station's queue.
    pub connection: Connection,
    /// Its requests, where it contends.
    pub requester: Requester,
    /// Bytes asked for and not yet granted, as the base station knows.
    pub asked: u64,
    /// Bytes granted in the present frame.
    pub granted: u64,
    /// The first frame in which it may contend again: it had a grant in the frame before, or its station is not in the
    /// network.
    pub silent_until: u64,
    /// Time of the next poll or unsolicited grant; [`Time::NEVER`] if the service does not pass here.
    pub due: Time,
    /// Its station has been polled in the present frame.
    pub polled: bool,
}

/// A subscriber station at work.
#[derive(Clone, Debug)]
pub struct Subscriber {
    /// By service: the base station's queue for it.
    pub down: Vec<Connection>,
    /// By service: its own.
    pub up: Vec<Uplink>,
    /// Its counts.
    pub stats: StationStats,
}

/// Source of a station's random numbers.
#[derive(Clone, Copy, Debug)]
pub struct Streams {
    /// The root of all randomness.
    pub seed: Seed,
    /// The number of the station.
    pub station: u64,
}

impl Subscriber {
    /// At rest: the station of this number with its services, the first of which is best effort.
    pub fn new(
        config: &SubscriberConfig,
        services: &[ServiceConfig],
        (number, frame, arq): (usize, &FrameConfig, Option<ArqConfig>),
        streams: Streams,
    ) -> Subscriber {
        let rate = |mcs| nominal(frame, Coding { mcs, tail: frame.tail });
        let queue_of = |own: &QueueConfig, service: &ServiceConfig| {
            service.queue.clone().unwrap_or_else(|| own.clone())
        };
        let uplink = |(i, service): (usize, &ServiceConfig)| {
            let (owner, queue) = (streams.owner(2 * i as u64), queue_of(&config.up_queue, service));
            let is_due = service.stations.contains(&number);
            Uplink {
                connection: Connection::new(&queue, arq, rate(config.up), owner),
                requester: Requester::new(streams.seed.stream(Purpose::Request, owner.number)),
                asked: 0,
                granted: 0,
                silent_until: 0,
                due: if is_due { Time::ZERO } else { Time::NEVER },
                polled: false,
            }
        };
        let down = |(i, service): (usize, &ServiceConfig)| {
            let queue = queue_of(&config.down_queue, service);
            Connection::new(&queue, arq, rate(config.down), streams.owner(2 * i as u64 + 1))
        };
        Subscriber {
            down: services.iter().enumerate().map(down).collect(),
            up: services.iter().enumerate().map(uplink).collect(),
            stats: StationStats::default(),
        }
    }

    /// Takes the station out of the network: it requests no bandwidth and is not polled.
    pub fn leave(&mut self) {
        for up in &mut self.up {
            (up.silent_until, up.due) = (u64::MAX, Time::NEVER);
        }
    }
}

impl Streams {
    /// The owner of its connection of this number.
    fn owner(&self, number: u64) -> Owner {
        let number = self.station + (number << 16);
        Owner { seed: self.seed, purpose: Purpose::StationQueue, number }
    }
}

impl Uplink {
    /// Returns the bandwidth that it would request now.
    pub fn wanted(&self, now: Time, pdus: &PduConfig) -> Wanted {
        let backlog = self.connection.backlog(now);
        Wanted { bytes: pdus.need(&backlog), packets: backlog.packets as u32 }
    }
}

/// Capacity of a whole channel of such symbols.
fn nominal(frame: &FrameConfig, coding: Coding) -> Rate {
    let symbol = frame.phy.slots(frame.phy.symbol_slots());
    Rate(u64::from(coding.mcs.bytes()) * 8 * 1_000_000_000 / symbol.0.max(1))
}
