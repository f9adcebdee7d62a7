//! The receive buffer: how fast the application reads, and the window that is advertised.

use super::config::{Reader, TcpConfig};
use base::{Span, Time};

/// The largest window without the scale option (RFC 7323 section 2).
const UNSCALED: u64 = 65_535;

/// In-order data that the application has not read, and the window's right edge.
#[derive(Clone, Debug)]
pub(super) struct Buffer {
    size: u64,
    most: u64,
    mss: u64,
    reader: Reader,
    unread: u64,
    /// One past the last number that was ever allowed.
    edge: u64,
    /// Up to when the reading at a rate is accounted for: whole bytes, so that it lies a fraction of one behind.
    read_at: Time,
    /// The time at which that was last done.
    seen_at: Time,
}

impl Buffer {
    pub fn new(config: &TcpConfig, next: u64) -> Buffer {
        let most = if config.window_scaling { u64::from(u32::MAX) } else { UNSCALED };
        let most = most.min(config.receive_window);
        let size = config.receive_buffer.unwrap_or(config.receive_window);
        let edge = next.saturating_add(size.min(config.receive_window));
        let (reader, mss) = (config.reader, u64::from(config.mss.max(1)));
        Buffer {
            size,
            most,
            mss,
            reader,
            unread: 0,
            edge,
            read_at: Time::ZERO,
            seen_at: Time::ZERO,
        }
    }

    /// Bytes that the application has not read.
    pub fn unread(&self) -> u64 {
        self.unread
    }

    /// True where data up to `end` are within the window, given what is expected `next`.
    #[inline]
    pub fn allows(&self, next: u64, end: u64) -> bool {
        match self.reader {
            Reader::Immediate => end <= next.saturating_add(self.size),
            _ => end <= self.edge,
        }
    }

    /// `bytes` more are in order.
    #[inline]
    pub fn deliver(&mut self, now: Time, bytes: u64) {
        if self.reader != Reader::Immediate {
            self.advance(now);
            self.unread += bytes;
        }
    }

    /// The application takes up to `bytes`; how many it gets.
    pub fn read(&mut self, bytes: u64) -> u64 {
        let taken = bytes.min(self.unread);
        self.unread -= taken;
        taken
    }

    /// The window to advertise with an acknowledgement of all before `next`.
    #[inline]
    pub fn advertise(&mut self, now: Time, next: u64) -> u32 {
        if self.reader == Reader::Immediate {
            return self.size.min(self.most) as u32;
        }
        self.advance(now);
        self.edge = self.edge.max(next).max(self.reachable(next).min(next + self.most));
        (self.edge - next).min(self.most) as u32
    }

    /// Returns true where the window has opened so far that an update is due without data: two segments or
    /// half the buffer (RFC 9293 section 3.8.6.2.2, with BSD's two segments, so that not every read makes a
    /// segment).
    pub fn update_is_due(&mut self, now: Time, next: u64) -> bool {
        self.advance(now);
        self.reader != Reader::Immediate && self.opened(next) >= self.worth_telling()
    }

    /// Returns the time at which [`Buffer::update_is_due`] becomes true by the application's own reading.
    #[inline]
    pub fn update_at(&self, next: u64) -> Time {
        let Reader::Rate(rate) = self.reader else { return Time::NEVER };
        let missing = self.worth_telling().saturating_sub(self.opened(next));
        if self.unread == 0 || rate == 0 || missing > self.unread {
            return Time::NEVER;
        }
        // What has just come may be all that was missing, and the fraction of a byte be behind already.
        (self.read_at + time_to_read(missing, rate)).max(self.seen_at)
    }

    fn worth_telling(&self) -> u64 {
        (2 * self.mss).min(self.size.div_ceil(2)).max(1)
    }

    fn opened(&self, next: u64) -> u64 {
        self.reachable(next).min(next + self.most).saturating_sub(self.edge)
    }

    /// The edge that the free space allows; less than a segment, and less than a quarter of the buffer, is silly.
    fn reachable(&self, next: u64) -> u64 {
        let free = self.size.saturating_sub(self.unread);
        let silly = free < self.mss.min(self.size.div_ceil(4));
        next.saturating_add(if silly { 0 } else { free })
    }

    /// Reading at a rate goes on up to `now`.
    fn advance(&mut self, now: Time) {
        let Reader::Rate(rate) = self.reader else { return };
        self.seen_at = self.seen_at.max(now);
        let elapsed = u128::from(now.since(self.read_at).0);
        let could = elapsed * u128::from(rate) / 1_000_000_000;
        if could >= u128::from(self.unread) {
            self.unread = 0;
            self.read_at = self.read_at.max(now);
        } else {
            self.unread -= could as u64;
            // Rounded down: no fraction of a byte is lost.
            let spent = could * 1_000_000_000 / u128::from(rate.max(1));
            self.read_at += Span(spent as u64);
        }
    }
}

fn time_to_read(bytes: u64, rate: u64) -> Span {
    let nanos = (u128::from(bytes) * 1_000_000_000).div_ceil(u128::from(rate));
    Span(nanos.min(u128::from(u64::MAX / 4)) as u64 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn buffer(reader: Reader) -> Buffer {
        let config = TcpConfig { mss: 1000, receive_window: 8000, reader, ..TcpConfig::default() };
        Buffer::new(&config, 1)
    }

    #[test]
    fn what_is_unread_closes_the_window_and_never_moves_its_edge_back() {
        let mut b = buffer(Reader::Manual);
        b.deliver(Time(0), 8000);
        assert_eq!(b.advertise(Time(0), 8001), 0);
        assert_eq!(b.read(500), 500);
        // Less than a segment is silly.
        assert_eq!(b.advertise(Time(0), 8001), 0);
        assert!(!b.update_is_due(Time(0), 8001));
        b.read(1500);
        assert!(b.update_is_due(Time(0), 8001));
        assert_eq!(b.advertise(Time(0), 8001), 2000);
        assert!(!b.update_is_due(Time(0), 8001));
    }

    /// 2000 B at 1000 B/s.
    #[test]
    fn a_slow_reader_opens_the_window_when_it_has_read_two_segments() {
        let mut b = buffer(Reader::Rate(1000));
        b.deliver(Time(0), 8000);
        assert_eq!(b.advertise(Time(0), 8001), 0);
        let at = b.update_at(8001);
        assert!(at >= Time::ZERO + Span::secs(2) && at < Time::ZERO + Span::millis(2001));
        assert!(b.update_is_due(at, 8001));
        assert_eq!(b.advertise(at, 8001), 2000);
    }

    /// Whatever comes when: what is due is due now or later.
    #[test]
    fn a_slow_reader_is_never_due_in_the_past() {
        let mut draw = 1_u64;
        let mut below = |n: u64| {
            draw = draw.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (draw >> 33) % n
        };
        let mut due_now = 0;
        for _ in 0..300 {
            let mut b = buffer(Reader::Rate(1 + below(2_000_000)));
            let (mut now, mut next) = (Time(0), 1);
            for _ in 0..300 {
                now += Span(below(3_000_000));
                let bytes = below(1001);
                if b.allows(next, next + bytes) {
                    next += bytes;
                    b.deliver(now, bytes);
                    let due = b.update_at(next);
                    assert!(due >= now, "{due} before {now}");
                    due_now += u32::from(due == now);
                }
                b.advertise(now, next);
            }
        }
        assert!(due_now > 0);
    }

    /// 8000 B of room behind a window of 3000 B: the window is that as long as there is room for it.
    #[test]
    fn a_window_may_be_less_than_what_the_buffer_holds() {
        let reader = Reader::Manual;
        let receive_buffer = Some(8000);
        let config = TcpConfig {
            mss: 1000,
            receive_window: 3000,
            receive_buffer,
            reader,
            ..TcpConfig::default()
        };
        let mut b = Buffer::new(&config, 1);
        b.deliver(Time(0), 3000);
        assert_eq!(b.advertise(Time(0), 3001), 3000);
        b.deliver(Time(0), 3000);
        assert_eq!(b.advertise(Time(0), 6001), 2000);
        b.deliver(Time(0), 2000);
        assert_eq!(b.advertise(Time(0), 8001), 0);
        b.read(8000);
        assert!(b.update_is_due(Time(0), 8001));
        assert_eq!(b.advertise(Time(0), 8001), 3000);
    }
}
