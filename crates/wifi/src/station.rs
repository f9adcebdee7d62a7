//! State of one station: interface queue, the frame in service, retry counters, window, counts.

mod management;
mod outcome;
mod service;

pub use outcome::StationOutcome;
pub use service::Service;

use crate::config::{BackoffDraw, MacConfig, PhyConfig};
use crate::frames::{Kind, Timing};
use crate::mlme::Management;
use crate::outcome::{Failure, Outcome};
use crate::rate::{Ladder, Modulations};
use base::{PacketId, Purpose, Rate, Rng, Seed, Span, StationId, Time};
use management::ManagementQueue;
use net::{Arrival, Device, DropReason, Fate, Owner, Queue, QueueConfig, QueueStats};
use radio::Modulation;

/// Configuration of a station.
#[derive(Clone, Debug)]
pub struct StationConfig {
    /// Timing and rates; an access point uses the rates of its partner.
    pub ladder: Ladder,
    /// Rules and limits.
    pub mac: MacConfig,
    /// Its interface queue.
    pub queue: QueueConfig,
}

impl StationConfig {
    /// A station with one rate for all time, where errors do not depend on the modulation.
    pub fn fixed(phy: PhyConfig, mac: MacConfig, queue: impl Into<QueueConfig>) -> StationConfig {
        let ladder = Ladder::fixed(phy, Modulations::alike(Modulation::Dbpsk));
        StationConfig { ladder, mac, queue: queue.into() }
    }

    /// A data frame without payload at its fastest rate, SIFS and the ACK: no exchange of data takes less.
    pub fn shortest_exchange(&self) -> Span {
        let took = self.ladder.rungs.iter().map(|rung| {
            let timing = Timing::new(&rung.phy, &self.mac);
            timing.data(u64::from(self.mac.mac_header) * 8) + timing.sifs + timing.ack.airtime
        });
        took.min().unwrap_or_default()
    }
}

/// Details of a frame for a witness, besides its times.
#[derive(Clone, Copy, Debug, Default)]
pub struct FrameDetails {
    /// True if it has been sent before.
    pub retry: bool,
    /// The packet that enters service with it.
    pub opens: Option<PacketId>,
    /// Its management body, if it has one.
    pub management: Option<Management>,
}

/// Start of an exchange and end of its last frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The first instant of its first frame.
    pub start: Time,
    /// The last instant of its last.
    pub end: Time,
}

impl Interval {
    /// Returns the part of it after `beginning`.
    pub fn since(self, beginning: Time) -> Span {
        self.end.since(self.start.max(beginning))
    }
}

/// Counts of one station: of the exchanges begun since the measurement began, and of how those ended that have ended.
#[derive(Clone, Copy, Debug, Default)]
pub struct StationStats {
    /// Exchanges begun.
    pub attempts: u64,
    /// Exchanges begun with an RTS.
    pub rts: u64,
    /// Exchanges begun for a frame that had failed before.
    pub retries: u64,
    /// The data rates of all exchanges begun, added up, bit/s.
    pub rates_bps: u64,
    /// Exchanges that ended with an acknowledgement.
    pub successes: u64,
    /// Exchanges that failed and were their frame's last, at a retry limit.
    pub retry_drops: u64,
    /// Exchanges that collided.
    pub collisions: u64,
    /// Exchanges that failed by bit errors.
    pub channel_errors: u64,
    /// Exchanges that failed because of a station that the sender could not notice.
    pub hidden: u64,
    /// Exchanges with a receiver that is too far away.
    pub out_of_range: u64,
    /// Exchanges with a receiver on another channel.
    pub away: u64,
    /// Exchanges begun for management frames, which count among all others too.
    pub management: u64,
    /// Exchanges of others in which it received what it had already.
    pub duplicates: u64,
}

/// One station at work.
#[derive(Clone, Debug)]
pub struct Station {
    /// The frame that it tries to send.
    pub service: Option<Service>,
    /// Its counts.
    pub stats: StationStats,
    /// Its present exchange, or the last, is among them: it has begun since the measurement began.
    is_counted: bool,
    measured_since: Time,
    /// Time that its exchanges took, responses and SIFS included, since then and up to the last that has ended.
    airtime: Span,
    /// Packets waiting, with their receivers.
    queue: Queue<StationId>,
    mac: MacConfig,
    cw: u32,
    cw_range: (u32, u32),
    rng: Rng,
    /// Management frames and what gives way to them; `None` where there are none.
    management_queue: Option<Box<ManagementQueue>>,
}

impl Station {
    /// An idle station; `stream` numbers its random numbers.
    pub fn new(config: &StationConfig, seed: Seed, stream: u64) -> Station {
        let phy = config.ladder.phy();
        let owner = Owner { seed, purpose: Purpose::StationQueue, number: stream };
        Station {
            service: None,
            stats: StationStats::default(),
            is_counted: false,
            measured_since: Time::ZERO,
            airtime: Span::ZERO,
            queue: Queue::new(&config.queue, config.ladder.nominal_rate(), owner),
            mac: config.mac,
            cw: phy.cw_min,
            cw_range: (phy.cw_min, phy.cw_max),
            rng: seed.stream(Purpose::Backoff, stream),
            management_queue: None,
        }
    }

    /// Puts a packet in the queue: whether it gets a congestion mark. `told` hears of those that have to go in its place.
    ///
    /// # Errors
    /// Why it is refused.
    #[inline(always)]
    pub fn offer(
        &mut self,
        now: Time,
        to: StationId,
        arrival: &Arrival<'_>,
        told: impl FnMut(PacketId, Fate),
    ) -> Result<bool, DropReason> {
        self.queue.push(now, (arrival, to), self.device(), told)
    }

    /// State of the device that packets wait for.
    #[inline]
    fn device(&self) -> Device {
        match (&self.service, &self.management_queue) {
            (None, None) => Device::Idle,
            (Some(_), None) => Device::Sending,
            (service, Some(beside)) => beside.device(service.as_ref(), self.queue.backlog().0),
        }
    }

    /// Takes the next packet into service, if there is one and the place is free. `told` hears what the queue's discipline
    /// does to it and to those before it.
    #[inline]
    pub fn load(&mut self, now: Time, told: impl FnMut(PacketId, Fate)) -> bool {
        if self.service.is_some() {
            return false;
        }
        if let Some(ready) =
            self.management_queue.as_mut().and_then(|beside| beside.next(&self.mac))
        {
            self.service = ready.service();
            return self.service.is_some();
        }
        let Some(queued) = self.queue.pop(now, told) else { return false };
        self.service = Some(Service::of_packet(queued.id, queued.with, queued.bytes, &self.mac));
        true
    }

    /// Its queue's counts up to `now`, what still waits included.
    pub fn queue_stats_by(&self, now: Time) -> QueueStats {
        self.queue.stats_by(now)
    }

    /// Packets waiting behind the one in service.
    #[inline]
    pub fn waiting(&self) -> usize {
        self.queue.backlog().0 as usize
    }

    /// Draws a backoff from the present window, slots.
    #[inline]
    pub fn draw_backoff(&mut self) -> u32 {
        match self.mac.backoff {
            BackoffDraw::Inclusive => self.rng.below(self.cw + 1),
            BackoffDraw::Exclusive => self.rng.below(self.cw.max(1)),
        }
    }

    /// Counts the end of an exchange that took so long: moves retry counters and the window, and frees the service when it
    /// is over. Returns the packet that was given up, if it had not been delivered.
    pub fn conclude(&mut self, outcome: Outcome, took: Interval) -> Option<(PacketId, DropReason)> {
        self.airtime += took.since(self.measured_since);
        let counted = u64::from(self.is_counted);
        let service = self.service.as_mut()?;
        let (failure, count, limit) = match outcome {
            Outcome::Success => {
                self.stats.successes += counted;
                self.cw = self.cw_range.0;
                self.service = None;
                return None;
            }
            Outcome::NoCts(f) | Outcome::NoAck(f) => {
                (f, &mut service.short_retries, self.mac.short_retry_limit)
            }
            Outcome::NoAckAfterCts(f) => {
                // The CTS ended the series of short retries (802.11-2020, 10.3.4.4).
                service.short_retries = 0;
                (f, &mut service.long_retries, self.mac.long_retry_limit)
            }
        };
        match failure {
            Failure::Collision => self.stats.collisions += counted,
            Failure::Channel => self.stats.channel_errors += counted,
            Failure::Hidden => self.stats.hidden += counted,
            Failure::OutOfRange => self.stats.out_of_range += counted,
            Failure::Away => self.stats.away += counted,
        }
        *count += 1;
        if limit.is_none_or(|limit| *count < limit) {
            self.cw = (2 * self.cw + 1).min(self.cw_range.1);
            return None;
        }
        let given_up = *service;
        self.service = None;
        self.cw = self.cw_range.0;
        self.stats.retry_drops += counted;
        let is_lost = !given_up.delivered && given_up.management.is_none();
        is_lost.then_some((given_up.id, failure.reason()))
    }

    /// True where it tries again with the frame in service should that go unanswered once more, and has another that waits.
    pub fn will_try_again(&self) -> bool {
        let limit = self.mac.short_retry_limit;
        let is_left = |service: &Service| limit.is_none_or(|most| service.short_retries + 1 < most);
        self.service.as_ref().is_some_and(is_left) && self.waiting() > 0
    }

    /// Counts an attempt with the frame in service, at a data rate.
    pub fn count_attempt(&mut self, rate: Rate) {
        self.is_counted = true;
        self.stats.attempts += 1;
        self.stats.rates_bps += rate.0;
        if let Some(service) = &self.service {
            self.stats.rts += u64::from(service.uses_rts);
            self.stats.management += u64::from(service.management.is_some());
            self.stats.retries += u64::from(!service.is_new());
        }
    }

    /// True where its present exchange has begun since the measurement began.
    pub fn is_counted(&self) -> bool {
        self.is_counted
    }

    /// Time that its exchanges took up to `now` since the measurement began; `present` is the one that has not ended.
    pub fn airtime_by(&self, now: Time, present: Option<Interval>) -> Span {
        let running = present.map_or(Span::ZERO, |Interval { start, end }| {
            Interval { start, end: end.min(now) }.since(self.measured_since)
        });
        self.airtime + running
    }

    /// Details of a frame of this kind that it sends now.
    pub fn frame_details(&self, kind: Kind) -> FrameDetails {
        let Some(service) = &self.service else { return FrameDetails::default() };
        let begins = |is_first: bool| {
            (is_first && service.is_new() && service.management.is_none()).then_some(service.id)
        };
        match kind {
            Kind::Rts => FrameDetails { opens: begins(true), ..FrameDetails::default() },
            Kind::Data | Kind::Group => FrameDetails {
                retry: service.data_was_sent(),
                opens: begins(!service.uses_rts),
                management: service.management,
            },
            _ => FrameDetails::default(),
        }
    }

    /// Forgets the counts so far.
    pub fn begin_measurement(&mut self, now: Time) {
        self.stats = StationStats::default();
        (self.is_counted, self.measured_since, self.airtime) = (false, now, Span::ZERO);
        self.queue.begin_measurement(now);
    }

    /// A management frame to send ([`ManagementQueue::offer`]).
    pub fn offer_management(&mut self, to: StationId, frame: Management) {
        self.management_queue.get_or_insert_default().offer(to, frame);
    }

    /// Forgets management frames that wait, and one in service: it must not be on the air.
    pub fn withdraw_management(&mut self) {
        self.service.take_if(|service| service.management.is_some());
        if let Some(queue) = &mut self.management_queue {
            queue.clear();
        }
    }

    /// Takes a packet out of service until its turn comes again; it must not be on the air.
    pub fn set_aside(&mut self) {
        if let Some(packet) = self.service.take_if(|service| service.management.is_none()) {
            self.management_queue.get_or_insert_default().set_aside(packet);
        }
    }

    /// Sends no data from now on, or does again.
    pub fn hold(&mut self, held: bool) {
        self.management_queue.get_or_insert_default().hold(held);
    }

    /// True where no data are sent.
    pub fn is_held(&self) -> bool {
        self.management_queue.as_ref().is_some_and(|queue| queue.is_held())
    }

    /// All packets go to `to` from now on: another access point, which counts its own retries and duplicates.
    pub fn readdress(&mut self, to: StationId) {
        self.queue.each(|queued| *queued = to);
        if let Some(aside) = self.management_queue.as_mut().and_then(|queue| queue.aside()) {
            aside.readdress(to);
        }
    }

    /// Takes out all packets for a station that has gone, but for one on the air.
    pub fn flush(&mut self, to: StationId, now: Time, mut lost: impl FnMut(PacketId)) {
        self.queue.take_out(now, |queued| {
            let goes = queued.with == to;
            if goes {
                lost(queued.id);
            }
            goes
        });
        let aside = self.management_queue.as_mut().and_then(|queue| queue.take_aside(to));
        aside.into_iter().filter(|packet| !packet.delivered).for_each(|packet| lost(packet.id));
    }
}
