//! A one-way wired link: drop-tail queue, rate, delay.
//!
//! First in, first out at a constant rate: a packet's departure is known when it arrives, and what is in flight
//! arrives in order. So the link stands in the agenda once, for the packet that arrives next.

use crate::{Backlog, Device, DropList, DropReason, QueueLimit, QueueStats, RandomLoss};
use base::{Bytes, FlowId, PacketId, Rate, Rng, Span, Time, named};
use std::collections::VecDeque;

named! {
    /// Where on a link random loss strikes.
    pub enum LossPlace, "place of loss" {
        Leaving = "leaving": "after transmission: the packet took its place and its time",
        Entering = "entering": "before the queue: the packet takes no capacity",
    }
}

/// What a link is made of.
#[derive(Clone, Debug)]
pub struct WireConfig {
    /// Bits per second, of network-layer bytes.
    pub rate: Rate,
    /// Propagation delay.
    pub delay: Span,
    /// The drop-tail queue's limit.
    pub queue: QueueLimit,
    /// Probability of random loss.
    pub loss: f64,
    /// Where it strikes.
    pub loss_place: LossPlace,
    /// Packets that can carry a congestion mark get one when more than this many wait as they come (RFC 3168; the
    /// step of RFC 8257 section 3.1). `None`: never.
    pub mark_above: Option<u32>,
    /// Packets that are dropped by their number, on entering.
    pub drop_lists: Vec<DropList>,
}

/// What became of a packet offered to the link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offer {
    /// Taken, and it is the next to arrive: schedule [`Wire::arrive`] at this time.
    Head(Time),
    /// Taken, behind others.
    Behind,
    /// Not taken.
    Dropped(DropReason),
}

/// Counts of one link since the measurement began. While the link works they hold all that packets taken so far will
/// do; [`Wire::stats_by`] leaves out what has not happened yet.
#[derive(Clone, Copy, Debug, Default)]
pub struct WireStats {
    /// The queue's counts.
    pub queue: QueueStats,
    /// Packets whose transmission has begun.
    pub packets: u64,
    /// Time spent sending.
    pub busy: Span,
}

/// How a packet passes a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transit {
    /// When its transmission begins.
    pub start: Time,
    /// When its last bit arrives; `None`: it is lost on the way.
    pub arrival: Option<Time>,
}

#[derive(Clone, Copy, Debug)]
struct InFlight {
    start: Time,
    arrival: Time,
    bytes: u32,
    id: PacketId,
    lost: bool,
}

/// A link at work.
#[derive(Clone, Debug)]
pub struct Wire {
    config: WireConfig,
    loss: RandomLoss,
    in_flight: VecDeque<InFlight>,
    /// How many of `in_flight`, from the front, have begun their transmission.
    started: usize,
    /// Bytes of the last packet, and how long they take.
    last_sending: (u32, Span),
    waiting_bytes: u64,
    free_at: Time,
    marks: bool,
    stats: WireStats,
}

impl Wire {
    /// An idle link; `rng` is its own stream.
    pub fn new(config: WireConfig, rng: Rng) -> Wire {
        let loss = RandomLoss { p: config.loss, rng };
        Wire {
            config,
            loss,
            in_flight: VecDeque::new(),
            started: 0,
            last_sending: (0, Span::ZERO),
            waiting_bytes: 0,
            free_at: Time::ZERO,
            marks: false,
            stats: WireStats::default(),
        }
    }

    /// Offers a packet of `bytes` (network layer) at `now`.
    #[inline(always)]
    pub fn offer(&mut self, now: Time, id: PacketId, flow: FlowId, bytes: u32) -> Offer {
        if self.config.drop_lists.iter_mut().any(|list| list.drops(flow)) {
            return Offer::Dropped(DropReason::DropList);
        }
        let lost = self.loss.loses();
        if lost && self.config.loss_place == LossPlace::Entering {
            return Offer::Dropped(DropReason::WireLoss);
        }
        self.stats.queue.offered += 1;
        if !self.config.queue.has_room(self.backlog(now), bytes) {
            self.stats.queue.dropped += 1;
            return Offer::Dropped(DropReason::Queue);
        }
        self.append(now, id, bytes, lost)
    }

    /// True where the packet taken last shall carry a congestion mark.
    pub fn marks(&self) -> bool {
        self.marks
    }

    /// How the packet taken last passes the link.
    pub fn transit(&self) -> Option<Transit> {
        let last = self.in_flight.back()?;
        Some(Transit { start: last.start, arrival: (!last.lost).then_some(last.arrival) })
    }

    /// The packet that arrives now (`Err` where it was lost on the way), and when the next one does.
    pub fn arrive(&mut self) -> Option<(Result<PacketId, PacketId>, Option<Time>)> {
        let head = self.in_flight.pop_front()?;
        if self.started > 0 {
            self.started -= 1;
        } else {
            self.waiting_bytes -= u64::from(head.bytes);
        }
        let fate = if head.lost { Err(head.id) } else { Ok(head.id) };
        Some((fate, self.in_flight.front().map(|next| next.arrival)))
    }

    /// What waits at `now`.
    pub fn backlog(&mut self, now: Time) -> Backlog {
        while let Some(next) = self.in_flight.get(self.started) {
            if next.start > now {
                break;
            }
            self.waiting_bytes -= u64::from(next.bytes);
            self.started += 1;
        }
        Backlog {
            packets: (self.in_flight.len() - self.started) as u32,
            bytes: self.waiting_bytes,
            device: if self.free_at > now { Device::Sending } else { Device::Idle },
        }
    }

    /// The counts up to `now`, not before the last event, since the last [`Wire::begin_measurement`].
    pub fn stats_by(&self, now: Time) -> WireStats {
        let (packets, wait) = self.still_waiting(now);
        let WireStats { queue, packets: taken, busy } = self.stats;
        WireStats {
            queue: queue.without(wait),
            packets: taken - u64::from(packets),
            busy: busy - self.free_at.since(now),
        }
    }

    /// Bits per second.
    pub fn rate(&self) -> Rate {
        self.config.rate
    }

    /// Forgets the counts so far: the warm-up is over. What is queued waits on and will be sent after it.
    pub fn begin_measurement(&mut self, now: Time) {
        let (packets, _) = self.still_waiting(now);
        let mut queue = QueueStats::begin(now, packets);
        for waiting in self.in_flight.range(self.started..) {
            queue.waited(now, waiting.start);
        }
        self.stats =
            WireStats { queue, packets: u64::from(packets), busy: self.free_at.since(now) };
    }

    /// How many packets wait at `now`, and for how long from then on, all together.
    fn still_waiting(&self, now: Time) -> (u32, Span) {
        let waits = self.in_flight.range(self.started..).map(|packet| packet.start.since(now));
        let waits = waits.filter(|&wait| wait > Span::ZERO);
        waits.fold((0, Span::ZERO), |(packets, sum), wait| (packets + 1, sum + wait))
    }

    /// How long a packet takes to send. Most are as long as the one before: a division is spared.
    #[inline(always)]
    fn sending(&mut self, bytes: u32) -> Span {
        if bytes != self.last_sending.0 {
            self.last_sending = (bytes, self.config.rate.time_for(Bytes(bytes)));
        }
        self.last_sending.1
    }

    #[inline(always)]
    fn append(&mut self, now: Time, id: PacketId, bytes: u32, lost: bool) -> Offer {
        let start = self.free_at.max(now);
        let sending = self.sending(bytes);
        self.free_at = start + sending;
        let arrival = self.free_at + self.config.delay;
        self.in_flight.push_back(InFlight { start, arrival, bytes, id, lost });
        self.waiting_bytes += u64::from(bytes);
        self.marks = false;
        if start > now {
            let waiting = (self.in_flight.len() - self.started) as u32;
            self.stats.queue.max_packets = self.stats.queue.max_packets.max(waiting);
            self.stats.queue.waited(now, start);
            self.marks = self.config.mark_above.is_some_and(|limit| waiting > limit);
        }
        self.stats.packets += 1;
        self.stats.busy += sending;
        if self.in_flight.len() == 1 { Offer::Head(arrival) } else { Offer::Behind }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::{Purpose, Seed};

    fn wire(queue: QueueLimit) -> Wire {
        let config = WireConfig {
            rate: Rate(8_000_000),
            delay: Span::millis(10),
            queue,
            loss: 0.0,
            loss_place: LossPlace::Leaving,
            mark_above: None,
            drop_lists: vec![],
        };
        Wire::new(config, Seed { seed: 1, replication: 0 }.stream(Purpose::LinkLoss, 0))
    }

    #[test]
    fn packets_leave_one_after_the_other_and_arrive_in_order() {
        let mut wire = wire(QueueLimit::Packets(10));
        // 1000 B at 8 Mbit/s take 1 ms.
        assert_eq!(
            wire.offer(Time(0), PacketId(0), FlowId(0), 1000),
            Offer::Head(Time(11_000_000))
        );
        assert_eq!(wire.offer(Time(0), PacketId(1), FlowId(0), 1000), Offer::Behind);
        assert_eq!(wire.arrive(), Some((Ok(PacketId(0)), Some(Time(12_000_000)))));
        assert_eq!(wire.arrive(), Some((Ok(PacketId(1)), None)));
        assert_eq!(wire.arrive(), None);
    }

    #[test]
    fn a_packet_is_marked_when_more_than_the_threshold_wait() {
        let mut wire = wire(QueueLimit::Packets(10));
        wire.config.mark_above = Some(2);
        let marks: Vec<bool> = (0..5)
            .map(|i| {
                wire.offer(Time(0), PacketId(i), FlowId(0), 1000);
                wire.marks()
            })
            .collect();
        // The first is sent at once; the second and third wait.
        assert_eq!(marks, [false, false, false, true, true]);
    }

    #[test]
    fn a_full_queue_drops_the_tail() {
        let mut wire = wire(QueueLimit::Packets(2));
        let fates: Vec<Offer> =
            (0..4).map(|i| wire.offer(Time(0), PacketId(i), FlowId(0), 1000)).collect();
        assert_eq!(fates[3], Offer::Dropped(DropReason::Queue));
        assert_eq!(wire.stats_by(Time(0)).queue.max_packets, 2);
        let mean = |wire: &Wire, at| wire.stats_by(at).queue.mean_packets(at);
        // After 0.5 ms two have waited all the time.
        assert!((mean(&wire, Time(500_000)) - 2.0).abs() < 1e-12);
        // At 1 ms the first has left and the second begins: one waits.
        assert_eq!(wire.backlog(Time(1_000_000)).packets, 1);
        assert_eq!(wire.backlog(Time(1_000_000)).bytes, 1000);
        // The second waited 1 ms, the third 1.5 ms so far, and 2 ms in all.
        assert!((mean(&wire, Time(1_500_000)) - 5.0 / 3.0).abs() < 1e-12);
        assert!((mean(&wire, Time(3_000_000)) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn what_is_queued_when_the_measurement_begins_counts_from_then_on() {
        let mut wire = wire(QueueLimit::Packets(10));
        (0..4).for_each(|i| _ = wire.offer(Time(0), PacketId(i), FlowId(0), 1000));
        wire.begin_measurement(Time(1_500_000));
        let begun = wire.stats_by(Time(1_500_000));
        // The second is being sent, two wait: until 2 ms and until 3 ms.
        assert_eq!((begun.queue.max_packets, begun.packets, begun.busy), (2, 0, Span::ZERO));
        let later = wire.stats_by(Time(2_500_000));
        assert_eq!((later.packets, later.busy), (1, Span::millis(1)));
        assert!((later.queue.mean_packets(Time(2_500_000)) - 1.5).abs() < 1e-12);
        let last = wire.stats_by(Time(5_500_000));
        assert_eq!((last.packets, last.busy), (2, Span(2_500_000)));
        assert!((last.queue.mean_packets(Time(5_500_000)) - 0.5).abs() < 1e-12);
    }
}
