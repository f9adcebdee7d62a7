//! One connection: packets that wait, the one that is being cut, and how they fill a burst.

use crate::arq::{Arq, Done};
use crate::config::ArqConfig;
use crate::pdu::{Backlog, Filling, Fit, Sdu};
use crate::piece::{OnAir, Piece};
use base::{PacketId, Rate, Time};
use net::{Arrival, Device, DropReason, Fate, Owner, Queue, QueueConfig, QueueStats};
use std::collections::VecDeque;

/// Number of past requests in which a packet's own is looked up.
const REMEMBERED: usize = 16;

/// A packet in service.
#[derive(Clone, Copy, Debug)]
struct Head {
    id: PacketId,
    bytes: u64,
    sent: u64,
    since: Time,
    /// Time since which it is next.
    first_since: Time,
    /// Time at which its first byte went on the air.
    began: Option<Time>,
    lost: bool,
}

/// A connection at work.
#[derive(Clone, Debug)]
pub struct Connection {
    queue: Queue<()>,
    head: Option<Head>,
    /// Time at which the last packet had been sent.
    free_since: Time,
    /// Times at which the base station last got requests, the newest last.
    asked: VecDeque<Time>,
    /// Repetitions, where there are some.
    pub arq: Option<Box<Arq>>,
}

impl Connection {
    /// Without packets; `rate`: what its device sends at, as its data sheet says.
    pub fn new(
        queue: &QueueConfig,
        arq: Option<ArqConfig>,
        rate: Rate,
        owner: Owner,
    ) -> Connection {
        let queue = Queue::new(queue, rate, owner);
        let asked = VecDeque::with_capacity(REMEMBERED);
        let arq = arq.map(|arq| Box::new(Arq::new(arq)));
        Connection { queue, head: None, free_since: Time::ZERO, asked, arq }
    }

    /// A packet comes: whether it gets a congestion mark. `told` hears of those that go in its place.
    ///
    /// # Errors
    /// Why it is refused.
    #[inline]
    pub fn offer(
        &mut self,
        now: Time,
        arrival: &Arrival<'_>,
        told: impl FnMut(PacketId, Fate),
    ) -> Result<bool, DropReason> {
        // What comes waits for a frame, whatever else there is.
        let device = if self.head.is_some() { Device::Sending } else { Device::Blocked };
        self.queue.push(now, (arrival, ()), device, told)
    }

    /// Data that waits, including the packet in service and ARQ blocks due for retransmission at `now`.
    #[inline]
    pub fn backlog(&self, now: Time) -> Backlog {
        let waiting = self.waiting();
        let Some(arq) = &self.arq else { return waiting };
        let (pieces, bytes) = arq.due(now);
        let (packets, bytes) = (waiting.packets + pieces, waiting.bytes + bytes);
        Backlog { packets, bytes, begun: waiting.begun }
    }

    fn waiting(&self) -> Backlog {
        let (packets, bytes) = self.queue.backlog();
        let (one, rest, begun) =
            self.head.map_or((0, 0, false), |head| (1, head.bytes - head.sent, head.sent > 0));
        Backlog { packets: u64::from(packets) + one, bytes: bytes + rest, begun }
    }

    /// Packets that wait, the one in service included.
    pub fn packets(&self) -> usize {
        self.queue.backlog().0 as usize + usize::from(self.head.is_some())
    }

    /// True where something waits, or is to be sent again by now.
    pub fn has_work(&self, now: Time) -> bool {
        self.packets() > 0 || self.arq.as_ref().is_some_and(|arq| arq.due(now).0 > 0)
    }

    /// Pieces that were sent again since this was asked last.
    pub fn take_resent(&mut self) -> u64 {
        self.arq.as_mut().map_or(0, |arq| std::mem::take(&mut arq.resent))
    }

    /// Packets that the last burst has ended, where they are repeated.
    pub fn take_done(&mut self) -> impl Iterator<Item = Done> {
        self.arq.as_mut().into_iter().flat_map(|arq| arq.done.drain(..))
    }

    /// The base station has got a request for what waits now.
    pub fn asked(&mut self, now: Time) {
        if self.asked.len() == REMEMBERED {
            self.asked.pop_front();
        }
        self.asked.push_back(now);
    }

    /// Fills a burst as far as the queue goes; `told` hears what the discipline does, `carried` of every piece.
    ///
    /// `carried` answers with what became of a piece on the air.
    pub fn fill(
        &mut self,
        now: Time,
        filling: &mut Filling,
        mut told: impl FnMut(PacketId, Fate),
        mut carried: impl FnMut(Piece) -> OnAir,
    ) {
        self.repeat(now, filling, &mut carried);
        while filling.has_room() && self.load(now, &mut told) {
            let Some(head) = &mut self.head else { return };
            let has_window =
                self.arq.as_ref().is_none_or(|arq| head.sent > 0 || arq.may_begin(head.bytes));
            if !has_window {
                return;
            }
            let sdu = Sdu { rest: head.bytes - head.sent, begun: head.sent > 0 };
            let (bytes, is_last) = match filling.take(sdu) {
                Fit::Whole => (sdu.rest, true),
                Fit::Part(bytes) => (bytes, false),
                Fit::Full => return,
            };
            let is_first = head.sent == 0;
            head.sent += bytes;
            let piece = Piece {
                id: head.id,
                size: head.bytes,
                end: filling.used(),
                bytes,
                is_last,
                was_lost: head.lost,
                since: head.since,
                first_since: head.first_since,
                began: head.began,
                asked: self.asked.iter().copied().find(|&at| at > head.since),
            };
            let on_air = carried(piece);
            if let Some(arq) = &mut self.arq {
                arq.send(piece, is_first, on_air);
            }
            let OnAir { start, end, is_lost } = on_air;
            head.lost |= is_lost;
            head.began.get_or_insert(start);
            if !is_last {
                return;
            }
            (self.head, self.free_since) = (None, end);
        }
    }

    /// Fills a burst with what was lost before, where that is repeated.
    fn repeat(
        &mut self,
        now: Time,
        filling: &mut Filling,
        carried: &mut impl FnMut(Piece) -> OnAir,
    ) {
        let Some(arq) = &mut self.arq else { return };
        if arq.expire(now) {
            // What is left of the packet in service is given up with it.
            self.head.take_if(|head| head.sent > 0);
        }
        while filling.has_room()
            && let Some((rest, packet)) = arq.next_again(now)
        {
            let (bytes, is_whole) = match filling.take(Sdu { rest, begun: true }) {
                Fit::Whole => (rest, true),
                Fit::Part(bytes) => (bytes, false),
                Fit::Full => return,
            };
            let piece = Piece { end: filling.used(), bytes, is_last: false, ..packet };
            arq.resend(bytes, carried(piece));
            if !is_whole {
                return;
            }
        }
    }

    /// Takes the next packet into service, if there is one.
    fn load(&mut self, now: Time, told: impl FnMut(PacketId, Fate)) -> bool {
        if self.head.is_none() {
            let next = self.queue.pop(now, told);
            self.head = next.map(|next| Head {
                id: next.id,
                bytes: u64::from(next.bytes),
                sent: 0,
                since: next.since,
                first_since: next.since.max(self.free_since),
                began: None,
                lost: false,
            });
        }
        self.head.is_some()
    }

    /// Gives the packet up that is next.
    pub fn drop_head(&mut self, now: Time, told: impl FnMut(PacketId, Fate)) -> Option<PacketId> {
        self.load(now, told);
        let head = self.head.take()?;
        if let Some(arq) = self.arq.as_mut().filter(|_| head.sent > 0) {
            arq.forget_last();
        }
        Some(head.id)
    }

    /// The queue's counts up to `now`.
    pub fn queue_stats_by(&self, now: Time) -> QueueStats {
        self.queue.stats_by(now)
    }

    /// Forgets the counts so far.
    pub fn begin_measurement(&mut self, now: Time) {
        self.queue.begin_measurement(now);
    }
}
