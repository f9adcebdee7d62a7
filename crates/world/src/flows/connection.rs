//! A TCP connection: both ends, with the events of their timers.

use super::outbox::{Framing, Outbox};
use super::work::Work;
use crate::cuts::{Cuts, Numbers};
use crate::cx::{Cx, Noting};
use crate::end::End;
use crate::event::Event;
use crate::note::Note;
use base::{FlowId, Time};
use engine::{Phase, Timer, Wake};
use net::{Direction, DropReason, Segment, Socket};
use transport::tcp::{Endpoint, Halves, Sender, SenderStats};

/// One end, and what is kept of it.
#[derive(Clone, Debug)]
struct Side {
    tcp: Endpoint,
    /// The timer for `tcp.next_timeout()`.
    timer: Timer,
    /// The losses and cuts of its sender.
    cuts: Cuts,
    /// It has said that it is done.
    is_closing: bool,
}

impl Side {
    fn new(tcp: Endpoint) -> Side {
        Side { tcp, timer: Timer::default(), cuts: Cuts::default(), is_closing: false }
    }
}

/// The owner of a connection, and the number of its timers' events.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Label {
    pub flow: FlowId,
    /// Through all flows.
    pub number: u32,
    /// Among those of its flow.
    pub connection: u32,
}

/// A connection. One whose flow fetches objects carries one connection of its protocol after the other: what is left of an
/// earlier one is not heard.
#[derive(Clone, Debug)]
pub(crate) struct Connection {
    label: Label,
    /// The socket of its packets.
    socket: Socket,
    framing: Framing,
    sides: [Side; 2],
    /// True where a probe gets the state of its source.
    is_shown: bool,
    /// Its work.
    pub work: Work,
}

impl Connection {
    /// Not yet opened.
    pub fn new(label: Label, ends: [Endpoint; 2], framing: Framing, is_shown: bool) -> Connection {
        let socket = Socket { connection: label.connection, epoch: 0 };
        Connection {
            label,
            socket,
            framing,
            sides: ends.map(Side::new),
            is_shown,
            work: Work::Free,
        }
    }

    /// From now on it is another, not yet opened.
    pub fn begin_epoch(&mut self, ends: [Endpoint; 2]) {
        self.socket.epoch += 1;
        for (side, end) in self.sides.iter_mut().zip(ends) {
            side.tcp = end;
            side.is_closing = false;
            side.cuts.begin_connection();
            _ = side.timer.set(Time::NEVER);
        }
    }

    /// True where a packet is of this connection, not of one that its place has carried before.
    #[inline]
    pub fn hears(&self, socket: Socket) -> bool {
        self.socket.epoch == socket.epoch && !matches!(self.work, Work::Free)
    }

    /// An end does something: what it says is put in the outbox, its timer's event is brought in line.
    #[inline(always)]
    pub fn act<R>(
        &mut self,
        cx: &mut Cx<impl Noting>,
        end: End,
        outbox: &mut Outbox,
        act: impl FnOnce(&mut Endpoint, &mut Vec<Segment>) -> R,
    ) -> R {
        let side = &mut self.sides[end as usize];
        let result = act(&mut side.tcp, &mut outbox.segments);
        let due = side.tcp.next_timeout();
        if let Some(at) = side.timer.set(due) {
            cx.schedule(at, Phase::Timer, Event::timer(self.label.number, end));
        }
        // A sink that only receives has no sender to look after.
        if end == End::Source || self.sides[end as usize].tcp.halves() == Halves::Both {
            self.after_sender(cx, end);
        }
        outbox.address((self.label.flow, end.direction()), self.socket, self.framing);
        result
    }

    /// Finds what the sender's cuts go back to.
    #[inline(always)]
    fn after_sender(&mut self, cx: &mut Cx<impl Noting>, end: End) {
        let flow = self.label.flow;
        let next = self.sides[end.other() as usize].tcp.receiver.next_expected();
        let Side { tcp, cuts, .. } = &mut self.sides[end as usize];
        let sender: &Sender = &tcp.sender;
        let numbers = Numbers { una: sender.oldest(), next };
        cuts.after_sender(sender.stats(), numbers, |cause| {
            cx.note(|| Note::WindowCut { flow, cause });
        });
        if end == End::Source && self.is_shown {
            cx.note(|| Note::Tcp { flow, state: sender.snapshot() });
        }
    }

    /// The event of an end's timer has come up.
    pub fn on_timer(&mut self, cx: &mut Cx<impl Noting>, end: End, outbox: &mut Outbox) {
        let now = cx.now;
        match self.sides[end as usize].timer.wake(now) {
            Wake::Stale => {}
            Wake::Later(at) => {
                cx.schedule(at, Phase::Timer, Event::timer(self.label.number, end));
            }
            Wake::Fire => self.act(cx, end, outbox, |tcp, out| tcp.on_timeout(now, out)),
        }
    }

    /// Does the same while the end is stopped: its timers are checked when it continues.
    pub fn miss_timer(&mut self, cx: &mut Cx<impl Noting>, end: End) {
        if let Wake::Later(at) = self.sides[end as usize].timer.wake(cx.now) {
            cx.schedule(at, Phase::Timer, Event::timer(self.label.number, end));
        }
    }

    /// A packet of it was lost.
    pub fn on_lost(
        &mut self,
        socket: Socket,
        direction: Direction,
        segment: &Segment,
        reason: DropReason,
    ) {
        if self.socket.epoch == socket.epoch {
            let from = End::sending(direction);
            self.sides[from as usize].cuts.on_data_lost(segment, reason);
            self.sides[from.other() as usize].cuts.on_ack_lost(segment);
        }
    }

    /// An end says that it writes no more; false where it has said so before.
    pub fn begin_closing(&mut self, end: End) -> bool {
        !std::mem::replace(&mut self.sides[end as usize].is_closing, true)
    }

    /// Both ends have said that they are done, and have been heard.
    pub fn is_closed(&self) -> bool {
        let is_done = |side: &Side| side.tcp.sender.get().is_none_or(Sender::finished);
        self.sides.iter().all(|side| side.is_closing && is_done(side))
    }

    pub fn endpoint(&self, end: End) -> &Endpoint {
        &self.sides[end as usize].tcp
    }

    pub fn sender(&mut self, end: End) -> &mut Sender {
        &mut self.sides[end as usize].tcp.sender
    }

    pub fn cuts(&self, end: End) -> &Cuts {
        &self.sides[end as usize].cuts
    }

    /// Returns the counts of its senders since it began, by end.
    pub fn counts(&self) -> [SenderStats; 2] {
        let counts = |sender: &Sender| *sender.stats();
        self.sides.each_ref().map(|side| side.tcp.sender.get().map(counts).unwrap_or_default())
    }

    pub fn begin_measurement(&mut self) {
        for side in &mut self.sides {
            side.cuts.begin_measurement();
        }
    }
}
