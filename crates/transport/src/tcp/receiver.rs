//! The receiving end: reassembly and acknowledgements (RFC 5681 section 4.2).

use super::config::{DelayedAck, TcpConfig};
use base::Time;
use net::{Flags, Segment};

/// The receiving end of a connection. The application takes what is in order at once.
///
/// After each call ask [`Receiver::next_timeout`] again; the acknowledgements are appended to `out`.
#[derive(Clone, Debug)]
pub struct Receiver {
    /// RCV.NXT: the next number expected; 0 before the SYN.
    next: u64,
    /// What came out of order: [start, end) ascending, apart from each other and from `next`.
    held: Vec<(u64, u64)>,
    delayed: Option<DelayedAck>,
    /// Segments that came in order and are not acknowledged.
    pending: u32,
    deadline: Time,
    receive_window: u64,
}

impl Receiver {
    /// An end that waits for a SYN, or for data where the configuration has no handshake.
    pub fn new(config: &TcpConfig) -> Receiver {
        Receiver {
            next: u64::from(!config.handshake),
            held: Vec::new(),
            delayed: config.delayed_ack,
            pending: 0,
            deadline: Time::NEVER,
            receive_window: config.receive_window,
        }
    }

    /// Takes a SYN or data; returns the bytes that are now delivered in order to the application.
    pub fn on_segment(&mut self, now: Time, segment: &Segment, out: &mut Vec<Segment>) -> u64 {
        if segment.flags.has(Flags::SYN) {
            self.on_syn(out);
            return 0;
        }
        if self.next == 0 || segment.len == 0 {
            return 0;
        }
        let (start, end) = (segment.seq, segment.end());
        if end <= self.next || end > self.next.saturating_add(self.receive_window) {
            // Seen before, or outside the window: RFC 9293 section 3.10.7.4 answers with where we are.
            self.acknowledge(Flags::ACK, out);
            0
        } else if start > self.next {
            // Above a gap: at once. It is the duplicate that fast retransmit counts.
            insert(&mut self.held, start, end);
            self.acknowledge(Flags::ACK, out);
            0
        } else {
            self.on_in_order(now, end, out)
        }
    }

    /// The time of [`Receiver::next_timeout`] has come.
    pub fn on_timeout(&mut self, now: Time, out: &mut Vec<Segment>) {
        if now >= self.deadline {
            self.acknowledge(Flags::ACK, out);
        }
    }

    /// When to call [`Receiver::on_timeout`] for a delayed acknowledgement; [`Time::NEVER`]: none is due.
    pub fn next_timeout(&self) -> Time {
        self.deadline
    }

    fn on_syn(&mut self, out: &mut Vec<Segment>) {
        self.next = self.next.max(1);
        // A SYN that comes after data is old: it gets a plain acknowledgement (RFC 5961 section 4).
        let old = self.next > 1 || !self.held.is_empty();
        self.acknowledge(if old { Flags::ACK } else { Flags::SYN.with(Flags::ACK) }, out);
    }

    fn on_in_order(&mut self, now: Time, end: u64, out: &mut Vec<Segment>) -> u64 {
        let before = self.next;
        let fills_gap = !self.held.is_empty();
        self.next = end;
        if fills_gap {
            self.take_held();
        }
        self.pending += 1;
        match self.delayed {
            // What fills a gap, or a part of one, is acknowledged at once too.
            Some(rule) if !fills_gap && self.pending < rule.segments => {
                // The first one not acknowledged starts the clock.
                self.deadline = self.deadline.min(now + rule.timeout);
            }
            _ => self.acknowledge(Flags::ACK, out),
        }
        self.next - before
    }

    /// Moves `next` over what was held and now joins it.
    fn take_held(&mut self) {
        let joined = self.held.iter().take_while(|held| held.0 <= self.next).count();
        if let Some(last) = joined.checked_sub(1) {
            self.next = self.next.max(self.held[last].1);
            self.held.drain(..joined);
        }
    }

    fn acknowledge(&mut self, flags: Flags, out: &mut Vec<Segment>) {
        self.pending = 0;
        self.deadline = Time::NEVER;
        out.push(Segment {
            seq: u64::from(!flags.has(Flags::SYN)),
            ack: self.next,
            window: u32::try_from(self.receive_window).unwrap_or(u32::MAX),
            flags,
            ..Segment::default()
        });
    }
}

/// Adds [start, end) to ascending intervals and joins those that touch.
fn insert(held: &mut Vec<(u64, u64)>, start: u64, end: u64) {
    let first = held.partition_point(|range| range.1 < start);
    let last = held.partition_point(|range| range.0 <= end);
    if first == last {
        held.insert(first, (start, end));
    } else {
        held[first] = (held[first].0.min(start), held[last - 1].1.max(end));
        held.drain(first + 1..last);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Span;

    const MSS: u32 = 1000;

    fn data(number: u64) -> Segment {
        Segment { seq: 1 + number * 1000, len: MSS, flags: Flags::ACK, ..Segment::default() }
    }

    fn receiver(delayed_ack: Option<DelayedAck>) -> Receiver {
        Receiver::new(&TcpConfig { handshake: false, delayed_ack, ..TcpConfig::default() })
    }

    const EVERY_SECOND: DelayedAck = DelayedAck { segments: 2, timeout: Span::millis(100) };

    /// Feeds segment `number` at `ms`; the bytes delivered and the number of segments acknowledged, if any.
    fn feed(r: &mut Receiver, ms: u64, number: u64) -> (u64, Option<u64>) {
        let mut out = vec![];
        let delivered = r.on_segment(Time(ms * 1_000_000), &data(number), &mut out);
        assert!(out.len() <= 1);
        (delivered, out.first().map(|ack| (ack.ack - 1) / 1000))
    }

    #[test]
    fn without_delay_each_segment_is_acknowledged() {
        let mut r = receiver(None);
        assert_eq!(feed(&mut r, 0, 0), (1000, Some(1)));
        assert_eq!(feed(&mut r, 1, 1), (1000, Some(2)));
        assert_eq!(r.next_timeout(), Time::NEVER);
    }

    #[test]
    fn every_second_segment_is_acknowledged_at_once() {
        let mut r = receiver(Some(EVERY_SECOND));
        assert_eq!(feed(&mut r, 0, 0), (1000, None));
        assert_eq!(feed(&mut r, 1, 1), (1000, Some(2)));
        assert_eq!(r.next_timeout(), Time::NEVER);
    }

    #[test]
    fn a_lone_segment_is_acknowledged_after_the_delay() {
        let mut r = receiver(Some(DelayedAck { segments: 3, ..EVERY_SECOND }));
        feed(&mut r, 5, 0);
        feed(&mut r, 50, 1);
        assert_eq!(r.next_timeout(), Time(105_000_000));
        let mut out = vec![];
        r.on_timeout(Time(104_000_000), &mut out);
        assert!(out.is_empty());
        r.on_timeout(Time(105_000_000), &mut out);
        assert_eq!(out[0].ack, 2001);
        assert_eq!(r.next_timeout(), Time::NEVER);
    }

    #[test]
    fn a_gap_and_its_filling_are_acknowledged_at_once() {
        let mut r = receiver(Some(EVERY_SECOND));
        feed(&mut r, 0, 0);
        feed(&mut r, 1, 1);
        assert_eq!(feed(&mut r, 2, 3), (0, Some(2)));
        assert_eq!(feed(&mut r, 3, 5), (0, Some(2)));
        // Segment 2 fills a part of the gap, segment 4 the rest.
        assert_eq!(feed(&mut r, 4, 2), (2000, Some(4)));
        assert_eq!(feed(&mut r, 5, 4), (2000, Some(6)));
        assert_eq!(feed(&mut r, 6, 6), (1000, None));
    }

    #[test]
    fn a_duplicate_is_acknowledged_at_once_and_delivers_nothing() {
        let mut r = receiver(Some(EVERY_SECOND));
        feed(&mut r, 0, 0);
        assert_eq!(feed(&mut r, 1, 0), (0, Some(1)));
        assert_eq!(r.next_timeout(), Time::NEVER);
    }

    #[test]
    fn overlapping_segments_deliver_each_byte_once() {
        let mut r = receiver(None);
        let mut out = vec![];
        let mut piece = |seq, len| {
            let segment = Segment { seq, len, flags: Flags::ACK, ..Segment::default() };
            r.on_segment(Time(0), &segment, &mut out)
        };
        assert_eq!(piece(501, 1000), 0);
        assert_eq!(piece(1001, 1000), 0);
        assert_eq!(piece(1, 700), 2000);
        assert_eq!(piece(1501, 1000), 500);
    }

    #[test]
    fn data_outside_the_window_are_refused() {
        let config = TcpConfig { handshake: false, receive_window: 2000, ..TcpConfig::default() };
        let mut r = Receiver::new(&config);
        assert_eq!(feed(&mut r, 0, 2), (0, Some(0)));
        assert_eq!(feed(&mut r, 0, 0), (1000, Some(1)));
    }

    #[test]
    fn each_syn_is_answered_and_an_old_one_plainly() {
        let mut r = Receiver::new(&TcpConfig::default());
        let syn = Segment { flags: Flags::SYN, ..Segment::default() };
        let mut out = vec![];
        assert_eq!(feed(&mut r, 0, 0), (0, None));
        r.on_segment(Time(0), &syn, &mut out);
        r.on_segment(Time(1), &syn, &mut out);
        r.on_segment(Time(2), &data(0), &mut out);
        r.on_segment(Time(3), &syn, &mut out);
        let both = Flags::SYN.with(Flags::ACK);
        let seen: Vec<_> = out.iter().map(|s| (s.flags, s.ack)).collect();
        assert_eq!(seen, [(both, 1), (both, 1), (Flags::ACK, 1001), (Flags::ACK, 1001)]);
    }

    #[test]
    fn intervals_stay_sorted_and_apart() {
        let mut held = vec![];
        for (start, end) in [(50, 60), (10, 20), (30, 40), (20, 25), (39, 55)] {
            insert(&mut held, start, end);
        }
        assert_eq!(held, [(10, 25), (30, 60)]);
        insert(&mut held, 5, 70);
        assert_eq!(held, [(5, 70)]);
    }
}
