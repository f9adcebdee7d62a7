//! A one-way wired link: queue, rate, delay.
//!
//! First in, first out at a constant rate: a packet's departure is known when it arrives, and packets in flight arrive in
//! order. So the link has one entry in the agenda, for the packet that arrives next. Where the queue's discipline decides
//! when packets depart, or in which order, the link has a second entry, for the end of the transmission.

mod ahead;
mod config;
mod course;
mod in_flight;
mod jitter;
mod losses;
#[cfg(test)]
mod tests;
mod told;
mod unsteady;

use crate::{Arrival, Backlog, Device, DropReason, Fate, Owner, Queue, QueueStats};
use ahead::Ahead;
use base::{Bytes, FlowId, PacketId, Purpose, Rate, Seed, Span, Time};
pub use config::{LossPlace, WireConfig};
pub use course::{CourseConfig, GRANT_BYTES, Grants, Stretch};
use in_flight::{InFlight, Train};
pub use in_flight::{Transit, Transits};
pub use jitter::{JitterConfig, JitterLaw};
use losses::Losses;
pub use told::{Departure, Landed, Next, Offer};
use unsteady::Unsteady;

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

/// Storage of the packets that wait for the link.
#[derive(Clone, Debug)]
enum Line {
    /// Departures are known on arrival: waiting packets are among those in flight.
    Ahead(Ahead),
    /// The discipline hands them out.
    Managed(Box<Managed>),
}

/// A link's queue whose discipline hands packets out.
#[derive(Clone, Debug)]
struct Managed {
    /// What is kept with each packet: it will be lost on the way.
    queue: Queue<bool>,
    /// For how long before the next packet can be sent nothing is, because the queue's shaper holds packets back.
    held: Span,
    is_shaped: bool,
    fates: Vec<(PacketId, Fate)>,
}

/// A link at work: three cache lines, since a large network finds none of them in the cache.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct Wire {
    rate: Rate,
    delay: Span,
    /// Left out where nothing is lost but for want of room.
    losses: Option<Box<Losses>>,
    in_flight: Train,
    line: Line,
    /// Bytes of the last packet, and how long they take.
    last_bytes: u32,
    last_sending: Span,
    /// Time from which the next packet can be sent.
    free_at: Time,
    /// Packets whose transmission has begun, and time spent sending, as in [`WireStats`].
    packets: u64,
    busy: Span,
    unsteady: Option<Box<Unsteady>>,
}

const _: () = assert!(size_of::<Wire>() <= 192, "a link is three cache lines");

impl Wire {
    /// An idle link, the `number`-th of all.
    pub fn new(config: WireConfig, seed: Seed, number: u64) -> Wire {
        let losses = Losses::new(&config, seed, number).map(Box::new);
        let owner = Owner { seed, purpose: Purpose::LinkQueue, number };
        let line = if config.queue.discipline.row().departs {
            Line::Managed(Box::new(Managed {
                queue: Queue::new(&config.queue, config.rate, owner),
                held: Span::ZERO,
                is_shaped: config.queue.options.get("bandwidth").is_some(),
                fates: Vec::new(),
            }))
        } else {
            Line::Ahead(Ahead::new(&config.queue, config.rate, owner))
        };
        let is_unsteady = config.course.is_some() || config.jitter.is_some();
        let unsteady = is_unsteady.then(|| {
            Box::new(Unsteady::new((&config.course, config.jitter), config.delay, seed, number))
        });
        Wire {
            rate: config.rate,
            delay: config.delay,
            unsteady,
            losses,
            in_flight: Train::default(),
            line,
            last_bytes: 0,
            last_sending: Span::ZERO,
            free_at: Time::ZERO,
            packets: 0,
            busy: Span::ZERO,
        }
    }

    /// Offers a packet of `flow` at `now`: what became of it, and whether it gets a congestion mark.
    ///
    /// # Errors
    /// Why the packet is lost.
    #[inline(always)]
    pub fn offer(
        &mut self,
        now: Time,
        flow: FlowId,
        arrival: &Arrival<'_>,
        transits: &mut Transits,
    ) -> Result<(Offer, bool), DropReason> {
        match self.unsteady {
            None => self.offer_as::<false>(now, flow, arrival, transits),
            Some(_) => self.offer_unsteadily(now, flow, arrival, transits),
        }
    }

    #[inline(never)]
    fn offer_unsteadily(
        &mut self,
        now: Time,
        flow: FlowId,
        arrival: &Arrival<'_>,
        transits: &mut Transits,
    ) -> Result<(Offer, bool), DropReason> {
        self.offer_as::<true>(now, flow, arrival, transits)
    }

    /// [`Wire::offer`], made twice so that a link that never changes pays for nothing else.
    #[inline(always)]
    fn offer_as<const UNSTEADY: bool>(
        &mut self,
        now: Time,
        flow: FlowId,
        arrival: &Arrival<'_>,
        transits: &mut Transits,
    ) -> Result<(Offer, bool), DropReason> {
        let Line::Ahead(ahead) = &mut self.line else {
            return self.queue_up(now, flow, arrival);
        };
        let lost = match &mut self.losses {
            None => false,
            Some(losses) => losses.enter(now, flow, &mut self.unsteady)?,
        };
        let (start, marks) = ahead.take(now, arrival, self.free_at, transits)?;
        let packet = (arrival.id, arrival.bytes, lost);
        let arrives = self.transmit::<UNSTEADY>(start, packet, transits);
        let is_next = self.announces::<UNSTEADY>(arrives);
        Ok((if is_next { Offer::Head(arrives) } else { Offer::Behind }, marks))
    }

    /// Passage of the last packet taken, if it is known.
    pub fn transit(&self, transits: &Transits) -> Option<Transit> {
        matches!(self.line, Line::Ahead(_)).then(|| self.last_transit(transits)).flatten()
    }

    fn last_transit(&self, transits: &Transits) -> Option<Transit> {
        let last = self.in_flight.last(transits)?.1.transit();
        let late = self.unsteady.as_ref().map_or(Span::ZERO, |unsteady| unsteady.lateness());
        Some(Transit { arrival: last.arrival.map(|at| at + late), ..last })
    }

    /// The packet that arrives at `now` (`Err` where it was lost on the way), and what arrives next, or may do: the next entry
    /// for the agenda. Nothing arrives where what should have come now is late, or comes at another time.
    #[inline(always)]
    pub fn arrive(&mut self, now: Time, transits: &Transits) -> (Option<Landed>, Next) {
        match self.unsteady {
            None => (self.land(transits), self.first(transits)),
            Some(_) => self.arrive_unsteadily(now, transits),
        }
    }

    /// Takes the first of those in flight.
    #[inline(always)]
    fn land(&mut self, transits: &Transits) -> Option<Landed> {
        let (id, head) = self.in_flight.pop(transits)?;
        if let Line::Ahead(ahead) = &mut self.line {
            ahead.arrived(head, &self.in_flight);
        }
        Some(if head.is_lost() { Err(id) } else { Ok(id) })
    }

    fn first(&self, transits: &Transits) -> Next {
        self.in_flight.first(transits).map(|(id, next)| (next.arrival, id))
    }

    #[inline(never)]
    fn arrive_unsteadily(&mut self, now: Time, transits: &Transits) -> (Option<Landed>, Next) {
        let fate = self.fate_now(now, transits);
        let first = self.first(transits);
        (fate, self.unsteady.as_mut().and_then(|unsteady| unsteady.next(first)))
    }

    fn fate_now(&mut self, now: Time, transits: &Transits) -> Option<Landed> {
        let unsteady = self.unsteady.as_mut()?;
        if !unsteady.is_due(now) {
            return None;
        }
        if let Some(stray) = unsteady.arrive(now) {
            return Some(stray);
        }
        let fate = self.land(transits)?;
        let is_late = self.unsteady.as_mut()?.is_late(now, fate);
        (!is_late).then_some(fate)
    }

    /// True where the agenda has to be told of the packet that was put on the line last.
    #[inline(always)]
    fn announces<const UNSTEADY: bool>(&mut self, arrives: Time) -> bool {
        let is_only = self.in_flight.len() == 1;
        match &mut self.unsteady {
            Some(unsteady) if UNSTEADY => unsteady.announces(arrives, is_only),
            _ => is_only,
        }
    }

    /// The transmission has ended or nothing was being sent: begins the next. Does nothing while something is being sent.
    pub fn depart(&mut self, now: Time, transits: &mut Transits) -> Departure {
        let Line::Managed(line) = &mut self.line else { return Departure::default() };
        if self.free_at > now {
            return Departure::default();
        }
        let told = |id, fate| line.fates.push((id, fate));
        let Some(next) = line.queue.pop(now, told) else { return Departure::default() };
        let arrives = self.transmit::<true>(now, (next.id, next.bytes, next.with), transits);
        self.hold();
        let head = self.announces::<true>(arrives).then_some(arrives);
        let begins = self.last_transit(transits).map(|transit| (next.id, transit));
        Departure { begins, head, next: Some(self.free_at) }
    }

    /// A shaper may hold the next packet back for longer than this one is sent.
    #[inline]
    fn hold(&mut self) {
        if let Line::Managed(line) = &mut self.line
            && line.is_shaped
        {
            line.held = line.queue.opens().since(self.free_at);
            self.free_at += line.held;
        }
    }

    /// The discipline's marks and drops of waiting packets, for the caller to take; `None` where it has no word in it.
    #[inline]
    pub fn fates(&mut self) -> Option<&mut Vec<(PacketId, Fate)>> {
        match &mut self.line {
            Line::Ahead(_) => None,
            Line::Managed(line) => Some(&mut line.fates),
        }
    }

    /// Backlog at `now`.
    #[inline(always)]
    pub fn backlog(&mut self, now: Time, transits: &Transits) -> Backlog {
        let device = self.device(now);
        let (packets, bytes) = match &mut self.line {
            Line::Ahead(ahead) => ahead.backlog(now, transits),
            Line::Managed(line) => line.queue.backlog(),
        };
        Backlog { packets, bytes, device }
    }

    /// For how long it is still sending.
    #[inline(always)]
    fn still_sends(&self, now: Time) -> Span {
        match &self.line {
            Line::Managed(line) => self.free_at.since(now + line.held),
            Line::Ahead(_) => self.free_at.since(now),
        }
    }

    /// State of its device. A shaper blocks it until the next packet may go.
    #[inline(always)]
    fn device(&self, now: Time) -> Device {
        match &self.line {
            _ if self.free_at <= now => Device::Idle,
            Line::Managed(line) if line.is_shaped && self.still_sends(now) == Span::ZERO => {
                Device::Blocked
            }
            _ => Device::Sending,
        }
    }

    /// The counts up to `now`, not before the last event, since the last [`Wire::begin_measurement`].
    pub fn stats_by(&self, now: Time, transits: &Transits) -> WireStats {
        let (queue, waiting) = match &self.line {
            Line::Ahead(ahead) => ahead.stats_by(now, transits),
            Line::Managed(line) => (line.queue.stats_by(now), 0),
        };
        WireStats {
            queue,
            packets: self.packets - u64::from(waiting),
            busy: self.busy - self.still_sends(now),
        }
    }

    /// Bits per second.
    pub fn rate(&self) -> Rate {
        self.rate
    }

    /// Forgets the counts so far: the warm-up is over. What is queued waits on and will be sent after it.
    pub fn begin_measurement(&mut self, now: Time, transits: &Transits) {
        self.packets = match &mut self.line {
            Line::Ahead(ahead) => u64::from(ahead.begin_measurement(now, transits)),
            Line::Managed(line) => {
                line.queue.begin_measurement(now);
                0
            }
        };
        self.busy = self.still_sends(now);
    }

    /// Transmission time of a packet. Most are as long as the one before, so the division is avoided.
    #[inline(always)]
    fn sending(&mut self, bytes: u32) -> Span {
        if bytes != self.last_bytes {
            (self.last_bytes, self.last_sending) = (bytes, self.rate.time_for(Bytes(bytes)));
        }
        self.last_sending
    }

    /// [`Wire::offer`] where the discipline hands packets out.
    #[inline(never)]
    fn queue_up(
        &mut self,
        now: Time,
        flow: FlowId,
        arrival: &Arrival<'_>,
    ) -> Result<(Offer, bool), DropReason> {
        let device = self.device(now);
        let Line::Managed(line) = &mut self.line else { return Err(DropReason::Queue) };
        if device == Device::Idle && line.queue.backlog().0 > 0 {
            return Ok((Offer::Due, false));
        }
        let lost = match &mut self.losses {
            None => false,
            Some(losses) => losses.enter(now, flow, &mut self.unsteady)?,
        };
        let told = |id, fate| line.fates.push((id, fate));
        let marks = line.queue.push(now, (arrival, lost), device, told)?;
        Ok((if device == Device::Idle { Offer::Ready } else { Offer::Waits }, marks))
    }

    /// Puts a packet on the line from `start` on; when it arrives.
    #[inline(always)]
    fn transmit<const UNSTEADY: bool>(
        &mut self,
        start: Time,
        (id, bytes, lost): (PacketId, u32, bool),
        transits: &mut Transits,
    ) -> Time {
        let lost = lost | self.losses.as_mut().is_some_and(|losses| losses.strike(start, bytes));
        let (sending, arrival) = match &mut self.unsteady {
            Some(unsteady) if UNSTEADY => unsteady.send(start, bytes, self.rate),
            _ => {
                let sending = self.sending(bytes);
                (sending, start + sending + self.delay)
            }
        };
        self.free_at = start + sending;
        self.in_flight.push(transits, id, InFlight::new((start, arrival), (bytes, lost)));
        self.packets += 1;
        self.busy += sending;
        arrival
    }
}
