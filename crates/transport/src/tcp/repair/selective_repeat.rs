//! Selective repeat: each packet has a timer of its own, of a fixed length, and is sent again whenever that expires until the
//! receiver has said that it holds it (Bertsekas and Gallager, Data Networks, section 2.4.3). No loss makes the window
//! smaller: on a link over the air it says nothing of congestion.

use crate::tcp::tcb::Tcb;
use base::Time;
use net::Segment;
use std::collections::VecDeque;

/// A packet that was sent, and that may have come.
#[derive(Clone, Copy, Debug)]
struct Sent {
    start: u64,
    end: u64,
    /// The time of its retransmission.
    due: Time,
    /// The receiver holds it.
    held: bool,
}

/// The packets from the oldest that is not acknowledged on, in the order of their numbers.
#[derive(Clone, Debug, Default)]
pub struct SelectiveRepeat {
    sent: VecDeque<Sent>,
}

impl SelectiveRepeat {
    /// Sends as the window (a number of packets from the oldest that is not acknowledged) and the receiver
    /// allow.
    pub fn fill(&mut self, tcb: &mut Tcb, now: Time, out: &mut Vec<Segment>) {
        let end = tcb.seq.end_of(f64::from(tcb.config.repeat.window));
        while let Some(len) = tcb.seq.fits_before(end) {
            self.send_new(tcb, now, len, out);
        }
    }

    /// Sends `len` numbers for the first time.
    pub fn send_new(&mut self, tcb: &mut Tcb, now: Time, len: u64, out: &mut Vec<Segment>) {
        let start = tcb.seq.nxt();
        let due = now + tcb.config.repeat.after;
        let is_first = self.sent.iter().all(|packet| packet.held);
        self.sent.push_back(Sent { start, end: start + len, due, held: false });
        tcb.send_next(now, len, out);
        if is_first {
            tcb.timers.restart(due);
        }
    }

    /// An acknowledgement comes: of all before its number, and of the packets in its blocks.
    pub fn on_segment(
        &mut self,
        tcb: &mut Tcb,
        now: Time,
        segment: &Segment,
        out: &mut Vec<Segment>,
    ) {
        let (una, ack) = (tcb.seq.una(), segment.ack);
        tcb.stats.dup_acks += u64::from(tcb.seq.is_duplicate(segment));
        if ack > una {
            tcb.rtt.on_ack(now, ack);
            tcb.seq.acknowledge(ack);
            while self.sent.front().is_some_and(|packet| packet.end <= ack) {
                self.sent.pop_front();
            }
        }
        for (start, end) in segment.sack_blocks() {
            self.hold(start, end);
        }
        if self.sent.iter().all(|packet| packet.held) {
            tcb.timers.restart(Time::NEVER);
        }
        self.fill(tcb, now, out);
    }

    /// The receiver holds what lies within.
    fn hold(&mut self, start: u64, end: u64) {
        let first = self.sent.partition_point(|packet| packet.start < start);
        let within = self.sent.range_mut(first..).take_while(|packet| packet.end <= end);
        within.for_each(|packet| packet.held = true);
    }

    /// Returns the quantity that a congestion mark halves, segments.
    pub fn loss_base(&self, tcb: &Tcb) -> f64 {
        tcb.loss_base(tcb.seq.flight(), 0.0)
    }

    /// A loss is repaired like any other packet is sent: there is no recovery.
    pub fn in_recovery(&self) -> bool {
        false
    }

    /// The timers of all packets have come.
    pub fn make_due(&mut self, now: Time) {
        self.sent.iter_mut().for_each(|packet| packet.due = packet.due.min(now));
    }

    /// The timer of a packet has expired: what is due and not held is sent again.
    pub fn time_out(&mut self, tcb: &mut Tcb, now: Time, out: &mut Vec<Segment>) {
        let edge = tcb.seq.edge();
        for packet in self.sent.iter_mut().filter(|packet| !packet.held && packet.due <= now) {
            packet.due = now + tcb.config.repeat.after;
            // What lies beyond a window that was taken back waits for it (RFC 9293 section 3.8.6).
            if packet.end <= edge {
                tcb.emit(now, packet.start, packet.end - packet.start, out);
            }
        }
        let waiting = self.sent.iter().filter(|packet| !packet.held);
        tcb.timers.restart(waiting.map(|packet| packet.due).min().unwrap_or(Time::NEVER));
    }
}
