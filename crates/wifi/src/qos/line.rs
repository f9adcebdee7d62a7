//! What waits in the hardware of a station for an access function: packets in the order in which they came, and before them
//! the queue of an AQM, where there is one.

use base::{PacketId, StationId, Time};
use net::{Arrival, Device, DropReason, Fate, LARGEST_PACKET, Queue, QueueStats, Waiting};

/// Packets for a receiver that wait for its agreement, in a category: a further one takes the place of the oldest
/// (Linux 4.9, net/mac80211/tx.c, `ieee80211_tx_prep_agg`; `STA_MAX_TX_BUFFER`).
const ASIDE: u32 = 64;

/// Packets of an access function.
#[derive(Clone, Debug)]
pub struct Line {
    /// The queue of an AQM, which hands packets to `queue` as long as fewer than `ahead` are in the hardware.
    managed: Option<Queue<StationId>>,
    ahead: u32,
    queue: Queue<StationId>,
    /// By receiver: packets in `queue`.
    waiting: Vec<u32>,
}

impl Line {
    /// An empty line; `managed` where an AQM keeps a queue before it, of which so many packets leave before their turn.
    pub fn new(queue: Queue<StationId>, managed: Option<Queue<StationId>>, ahead: u32) -> Line {
        Line { managed, ahead, queue, waiting: Vec::new() }
    }

    /// Puts a packet in: whether it gets a congestion mark. Where an AQM keeps a queue, [`Line::feed`] follows.
    pub fn offer(
        &mut self,
        now: Time,
        to: StationId,
        (arrival, device): (&Arrival<'_>, Device),
        told: impl FnMut(PacketId, Fate),
    ) -> Result<bool, DropReason> {
        if let Some(managed) = &mut self.managed {
            return managed.push(now, (arrival, to), device, told);
        }
        let marks = self.queue.push(now, (arrival, to), device, told)?;
        *self.count(to) += 1;
        Ok(marks)
    }

    /// Takes packets over from the queue of an AQM as far as the hardware has room. What is for receivers that have not agreed yet
    /// (`is_aside`, and so many packets wait for these) is put aside, and does not take the room of others.
    pub fn feed(
        &mut self,
        now: Time,
        outstanding: u32,
        (mut aside, is_aside): (u32, impl Fn(StationId) -> bool),
        mut told: impl FnMut(PacketId, Fate),
    ) {
        while self.queue.backlog().0 - aside + outstanding < self.ahead {
            let next = self.managed.as_mut().and_then(|managed| managed.pop(now, &mut told));
            let Some(Waiting { id, bytes, with: to, .. }) = next else { return };
            self.put(now, (id, bytes), to);
            if !is_aside(to) {
                continue;
            }
            aside += 1;
            if self.waiting_for(to) > ASIDE
                && let Some(oldest) = self.pop_oldest_for(now, to)
            {
                told(oldest, Fate::Dropped(DropReason::Queue));
                aside -= 1;
            }
        }
    }

    /// Puts in a packet that its queue has handed out.
    pub fn put(&mut self, now: Time, packet: (PacketId, u32), to: StationId) {
        let taken = self.queue.push(now, (&packet.into(), to), Device::Idle, |_, _| ());
        debug_assert!(taken.is_ok(), "an idle device takes every packet");
        *self.count(to) += 1;
    }

    #[inline]
    fn count(&mut self, to: StationId) -> &mut u32 {
        if self.waiting.len() <= to.index() {
            self.waiting.resize(to.index() + 1, 0);
        }
        &mut self.waiting[to.index()]
    }

    /// True where a packet would find room behind `coming` others.
    pub fn has_room(&self, device: Device, coming: u32) -> bool {
        let queue = self.managed.as_ref().unwrap_or(&self.queue);
        queue.has_room(device, LARGEST_PACKET, coming)
    }

    /// True where nothing waits for the medium.
    pub fn is_empty(&self) -> bool {
        self.queue.backlog().0 == 0
    }

    /// Packets in the queue of an AQM.
    #[inline]
    pub fn managed(&self) -> u32 {
        self.managed.as_ref().map_or(0, |queue| queue.backlog().0)
    }

    /// All packets.
    pub fn backlog(&self) -> u32 {
        self.managed() + self.queue.backlog().0
    }

    /// Packets in the hardware for a receiver.
    pub fn waiting_for(&self, to: StationId) -> u32 {
        self.waiting.get(to.index()).copied().unwrap_or_default()
    }

    /// The packet that has waited longest in the hardware.
    pub fn oldest(&self) -> Option<&Waiting<StationId>> {
        self.queue.oldest()
    }

    /// The same of packets for some receivers alone.
    pub fn oldest_where(&self, of: impl Fn(StationId) -> bool) -> Option<&Waiting<StationId>> {
        self.queue.first(|&with| of(with))
    }

    /// The packet for a receiver that has waited longest in the hardware.
    pub fn oldest_for(&self, to: StationId) -> Option<&Waiting<StationId>> {
        self.queue.first(|&with| with == to)
    }

    /// Hands out the packets for a receiver in the hardware, in their order, until `takes` refuses one: it gets each, and how many
    /// are behind it.
    #[inline]
    pub fn hand_out(
        &mut self,
        now: Time,
        to: StationId,
        mut takes: impl FnMut(&Waiting<StationId>, u32) -> bool,
    ) {
        let mut left = self.waiting_for(to);
        if left == 0 {
            return;
        }
        let takes = |next: &Waiting<StationId>| {
            takes(next, left - 1) && {
                left -= 1;
                true
            }
        };
        self.queue.hand_out(now, self.waiting[to.index()], |&with| with == to, takes);
        self.waiting[to.index()] = left;
    }

    /// The packet for a receiver that has waited longest in the hardware goes.
    fn pop_oldest_for(&mut self, now: Time, to: StationId) -> Option<PacketId> {
        let mut oldest = None;
        self.hand_out(now, to, |next, _| {
            oldest.is_none() && {
                oldest = Some(next.id);
                true
            }
        });
        oldest
    }

    /// All packets go to `to` from now on.
    pub fn readdress(&mut self, to: StationId) {
        self.queue.each(|with| *with = to);
        if let Some(managed) = &mut self.managed {
            managed.each(|with| *with = to);
        }
        self.waiting.fill(0);
        let all = self.queue.backlog().0;
        *self.count(to) = all;
    }

    /// Takes out all packets for a receiver.
    pub fn take_out(&mut self, now: Time, to: StationId, mut lost: impl FnMut(PacketId)) {
        let mut goes = |waiting: &Waiting<StationId>| {
            if waiting.with == to {
                lost(waiting.id);
            }
            waiting.with == to
        };
        self.queue.take_out(now, &mut goes);
        if let Some(managed) = &mut self.managed {
            managed.take_out(now, goes);
        }
        *self.count(to) = 0;
    }

    /// All packets go to another line.
    pub fn hand_over(&mut self, now: Time, mut to: impl FnMut((PacketId, u32))) {
        let mut goes = |waiting: &Waiting<StationId>| {
            to((waiting.id, waiting.bytes));
            true
        };
        self.queue.take_out(now, &mut goes);
        if let Some(managed) = &mut self.managed {
            managed.take_out(now, goes);
        }
        self.waiting.fill(0);
    }

    /// The counts of its queue up to `now`.
    pub fn stats_by(&self, now: Time) -> QueueStats {
        self.managed.as_ref().unwrap_or(&self.queue).stats_by(now)
    }

    /// Forgets the counts so far.
    pub fn begin_measurement(&mut self, now: Time) {
        self.queue.begin_measurement(now);
        if let Some(managed) = &mut self.managed {
            managed.begin_measurement(now);
        }
    }
}
