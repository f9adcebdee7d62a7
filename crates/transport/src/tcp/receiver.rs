//! The receiving end: reassembly and acknowledgements (RFC 5681 section 4.2), with SACK (RFC 2018, 2883),
//! timestamps (RFC 7323), the echo of congestion marks (RFC 3168, RFC 9768) and a window that a slow application closes.

use super::accurate::Counts;
use super::buffer::Buffer;
use super::config::{DelayedAck, EcnMode, TcpConfig};
use super::quick::Quick;
use super::reassembly::Reassembly;
use super::stamps::Clock;
use base::{Span, Time};
use net::{Ecn, Flags, Options, Segment, Stamps};

/// So many segments that are not acknowledged stand for one that is to be acknowledged at once.
const AT_ONCE: u32 = u32::MAX / 2;

/// The receiving end of a connection.
///
/// After each call ask [`Receiver::next_timeout`] again; the acknowledgements are appended to `out`.
#[derive(Clone, Debug)]
pub struct Receiver {
    /// RCV.NXT: the next number expected; 0 before the SYN.
    next: u64,
    held: Reassembly,
    buffer: Buffer,
    delayed: Option<DelayedAck>,
    /// The longest delay of an acknowledgement.
    longest_wait: Span,
    /// Linux's way of delaying.
    quick: Option<Box<Quick>>,
    /// No timestamps, no marks: nothing to note of a segment but its numbers.
    plain: bool,
    /// Segments that came in order and are not acknowledged.
    pending: u32,
    deadline: Time,
    /// The number that the FIN takes, once it came.
    fin: Option<u64>,
    /// Acknowledgements have SACK blocks, or counts of marks.
    tells_more: bool,
    /// Most blocks in an acknowledgement; 0: no SACK.
    sack_blocks: u8,
    dsack: bool,
    /// Blocks count the FIN's number too.
    sack_fin: bool,
    /// The data that the next acknowledgement reports as duplicate.
    duplicate: Option<(u64, u64)>,
    ecn: EcnMode,
    /// What the next acknowledgements echo: a mark (RFC 3168).
    echo: Flags,
    /// The counters of accurate ECN, where it is on.
    counts: Option<Counts>,
    clock: Option<Clock>,
    /// TS.Recent (RFC 7323 section 4.3).
    recent: u32,
    last_ack: u64,
}

impl Receiver {
    /// An end that waits for a SYN, or for data where the configuration has no handshake.
    pub fn new(config: &TcpConfig) -> Receiver {
        let next = u64::from(!config.handshake);
        Receiver {
            next,
            held: Reassembly::default(),
            buffer: Buffer::new(config, next.max(1)),
            delayed: config.delayed_ack,
            longest_wait: config.ack_timeout(),
            quick: config
                .delayed_ack
                .is_some_and(|delayed| delayed.quick)
                .then(|| Box::new(Quick::new(config.receive_window, config.mss.into()))),
            plain: config.timestamps.is_none() && config.ecn == EcnMode::Off,
            pending: 0,
            deadline: Time::NEVER,
            fin: None,
            tells_more: config.most_sack_blocks() > 0 || config.ecn.is_accurate(),
            sack_blocks: config.most_sack_blocks(),
            dsack: config.dsack,
            sack_fin: config.sack.blocks_count_fin,
            duplicate: None,
            ecn: config.ecn,
            echo: Flags::default(),
            counts: config.ecn.is_accurate().then(Counts::new),
            clock: config.timestamps.map(Clock::new),
            recent: 0,
            last_ack: next,
        }
    }

    /// Takes a SYN, data or a FIN; returns the bytes that are now delivered in order to the application.
    pub fn on_segment(&mut self, now: Time, segment: &Segment, out: &mut Vec<Segment>) -> u64 {
        if segment.flags.has(Flags::SYN) {
            self.on_syn(now, segment, out);
            return 0;
        }
        let (start, end) = (segment.seq, segment.end());
        // Nothing is expected before the SYN. Without data only an old number is answered: it probes the window (RFC 9293
        // section 3.8.6.1).
        if self.next == 0 || (end == start && start >= self.next) {
            return 0;
        }
        if !self.plain {
            if self.is_older_than_recent(segment) {
                // PAWS (RFC 7323 section 5.3): a segment from before a wrap, or a very late one.
                self.acknowledge(now, Flags::ACK, out);
                return 0;
            }
            self.note_marks(now, segment, out);
        }
        if end <= self.next || !self.buffer.allows(self.next, end) {
            // Seen before, a probe of the window, or outside it: RFC 9293 section 3.10.7.4 answers with where we
            // are.
            let seen = end <= self.next && start < end;
            self.duplicate = seen.then_some((start, end));
            self.acknowledge(now, Flags::ACK, out);
            return 0;
        }
        self.note_stamp(segment);
        if segment.flags.has(Flags::FIN) {
            self.fin = Some(end - 1);
        }
        if let Some(quick) = &mut self.quick {
            quick.on_data(now, end - start, (start <= self.next, segment.push));
        }
        if start > self.next {
            // Above a gap: at once. It is the duplicate that fast retransmit counts.
            self.duplicate = self.held.insert(start, end);
            self.acknowledge(now, Flags::ACK, out);
            0
        } else {
            self.on_in_order(now, (start, end), out)
        }
    }

    /// The application reads up to `bytes` ([`Reader::Manual`](super::Reader)); how many it gets.
    pub fn read(&mut self, now: Time, bytes: u64, out: &mut Vec<Segment>) -> u64 {
        let taken = self.buffer.read(bytes);
        self.update_window(now, out);
        taken
    }

    /// The time of [`Receiver::next_timeout`] has come.
    pub fn on_timeout(&mut self, now: Time, out: &mut Vec<Segment>) {
        if now >= self.deadline {
            if let Some(quick) = &mut self.quick {
                quick.on_missed();
            }
            self.acknowledge(now, Flags::ACK, out);
        } else if now >= self.buffer.update_at(self.next) {
            self.update_window(now, out);
        }
    }

    /// Returns the time for [`Receiver::on_timeout`] for a delayed acknowledgement or a window that opens;
    /// [`Time::NEVER`]: none is due.
    #[inline]
    pub fn next_timeout(&self) -> Time {
        self.deadline.min(self.buffer.update_at(self.next))
    }

    /// Bytes in order that the application has not read.
    pub fn unread(&self) -> u64 {
        self.buffer.unread()
    }

    /// A segment of data goes the other way and takes the acknowledgement along, SACK blocks left out.
    pub fn ride_on(&mut self, now: Time, segment: &mut Segment) {
        if self.next == 0 {
            return;
        }
        let stamps = self.stamps(now);
        if let Some(quick) = self.quick.as_mut().filter(|_| segment.len > 0) {
            quick.on_reply(now);
        }
        let window = self.settle(now);
        (segment.ack, segment.window) = (self.next, window);
        segment.set_stamps(stamps);
        segment.flags = segment.flags.with(self.echo);
        if let Some(counts) = &mut self.counts {
            counts.tell(segment);
        }
    }

    /// RCV.NXT: the next number expected; 0 before the SYN.
    pub fn next_expected(&self) -> u64 {
        self.next
    }

    /// True once everything up to the FIN has come.
    #[inline]
    pub fn is_closed(&self) -> bool {
        self.fin.is_some_and(|fin| self.next > fin)
    }

    fn on_syn(&mut self, now: Time, segment: &Segment, out: &mut Vec<Segment>) {
        self.next = self.next.max(1);
        self.note_stamp(segment);
        // A SYN that comes after data is old: it gets a plain acknowledgement (RFC 5961 section 4).
        let old = self.next > 1 || !self.held.is_empty();
        self.acknowledge(now, if old { Flags::ACK } else { Flags::SYN.with(Flags::ACK) }, out);
    }

    #[inline]
    fn on_in_order(&mut self, now: Time, (start, end): (u64, u64), out: &mut Vec<Segment>) -> u64 {
        let before = self.next;
        let fills_gap = !self.held.is_empty();
        if fills_gap || start < before {
            // What came before, below what is expected or beyond the gap: the first piece of it.
            let below = (start < before).then_some((start, before));
            self.duplicate = below.or_else(|| self.held.first_within(end));
        }
        self.next = if fills_gap { self.held.advance(end) } else { end };
        let closed = self.is_closed();
        // The FIN takes a number and is no data. It ends the stream: it counts once, when it is passed.
        let bytes = self.next - before - u64::from(closed && self.fin >= Some(before));
        self.buffer.deliver(now, bytes);
        self.pending += 1;
        // What fills a gap, or a part of one, is acknowledged at once too; so is what came twice.
        let may_wait = !fills_gap && !closed && start == before;
        match self.wait().filter(|_| may_wait) {
            // The first one not acknowledged starts the clock.
            Some(wait) => self.deadline = self.deadline.min(now + wait),
            None => self.acknowledge(now, Flags::ACK, out),
        }
        bytes
    }

    /// The delay of the acknowledgement of data in order; `None`: no delay.
    #[inline]
    fn wait(&self) -> Option<Span> {
        let rule = self.delayed?;
        match &self.quick {
            None => (self.pending < rule.segments).then_some(self.longest_wait),
            Some(quick) => {
                let due = quick.is_due(self.next - self.last_ack) || self.pending >= AT_ONCE;
                (!due).then(|| quick.wait(self.longest_wait))
            }
        }
    }

    fn update_window(&mut self, now: Time, out: &mut Vec<Segment>) {
        if self.buffer.update_is_due(now, self.next) {
            self.acknowledge(now, Flags::ACK, out);
        }
    }

    /// RFC 3168 section 6.1.3, RFC 8257 section 3.2 and RFC 9768.
    fn note_marks(&mut self, now: Time, segment: &Segment, out: &mut Vec<Segment>) {
        if let Some(counts) = &mut self.counts {
            if counts.note(segment) {
                self.pending = self.pending.max(AT_ONCE);
            }
            return;
        }
        let marked = segment.ecn == Ecn::Marked;
        match self.ecn {
            EcnMode::Classic => {
                // The echo goes on until the sender says that it has heard.
                let heard = segment.flags.has(Flags::CWR);
                self.echo = echo(marked || (self.echo == Flags::ECE && !heard));
            }
            EcnMode::EveryMark => {
                if echo(marked) != self.echo && self.pending > 0 {
                    // What is delayed is acknowledged with the echo that was true of it.
                    self.acknowledge(now, Flags::ACK, out);
                }
                self.echo = echo(marked);
            }
            EcnMode::Off | EcnMode::Accurate | EcnMode::L4s => {}
        }
    }

    /// A segment without data comes, of a connection that goes both ways: its clock is echoed from now on.
    pub fn note_clock(&mut self, segment: &Segment) {
        if !self.is_older_than_recent(segment) {
            self.note_stamp(segment);
        }
    }

    #[inline]
    fn is_older_than_recent(&self, segment: &Segment) -> bool {
        let before = |stamps: Stamps| (stamps.value.wrapping_sub(self.recent) as i32) < 0;
        self.clock.is_some() && segment.stamps().is_some_and(before)
    }

    /// RFC 7323 section 4.3 (2): the oldest segment not acknowledged decides what is echoed.
    fn note_stamp(&mut self, segment: &Segment) {
        if let Some(stamps) = segment.stamps().filter(|_| segment.seq <= self.last_ack) {
            self.recent = stamps.value;
        }
    }

    /// Nothing waits to be acknowledged any more; the window to tell.
    #[inline]
    fn settle(&mut self, now: Time) -> u32 {
        if let Some(quick) = &mut self.quick {
            quick.on_sent(self.pending > 0 || !self.held.is_empty());
        }
        self.pending = 0;
        self.deadline = Time::NEVER;
        self.last_ack = self.next;
        self.buffer.advertise(now, self.next)
    }

    #[inline]
    fn stamps(&self, now: Time) -> Option<Stamps> {
        self.clock.map(|clock| Stamps { value: clock.at(now), echo: self.recent })
    }

    #[inline]
    fn acknowledge(&mut self, now: Time, flags: Flags, out: &mut Vec<Segment>) {
        let mut ack = Segment {
            seq: u64::from(!flags.has(Flags::SYN)),
            ack: self.next,
            window: self.settle(now),
            flags: flags.with(self.echo),
            options: Options::stamped(self.stamps(now)),
            ..Segment::default()
        };
        if self.tells_more {
            self.tell_more(&mut ack);
        }
        out.push(ack);
    }

    /// Adds the counts of marks, where the handshake is over, and SACK blocks.
    fn tell_more(&mut self, ack: &mut Segment) {
        if let Some(counts) = self.counts.as_mut().filter(|_| !ack.flags.has(Flags::SYN)) {
            counts.tell(ack);
        }
        if self.sack_blocks > 0 {
            self.add_blocks(ack);
        }
    }

    /// Adds the duplicate first (RFC 2883 section 4), then the interval that grew last (RFC 2018 section 4).
    fn add_blocks(&mut self, ack: &mut Segment) {
        let twice = self.duplicate.take().filter(|_| self.dsack);
        // RFC 2018 section 3 speaks of blocks of data.
        let data_end = self.fin.filter(|_| !self.sack_fin).unwrap_or(u64::MAX);
        let held = self.held.blocks().map(|(start, end)| (start, end.min(data_end)));
        let blocks = twice.into_iter().chain(held.filter(|(start, end)| start < end));
        for (start, end) in blocks.take(usize::from(self.sack_blocks)) {
            ack.push_sack(start, end);
        }
    }
}

/// The echo of a mark, or of none.
fn echo(marked: bool) -> Flags {
    if marked { Flags::ECE } else { Flags::default() }
}

#[cfg(test)]
mod tests;
