//! Linux's rules for immediate acknowledgements, and for the delay of others.
//!
//! | Linux | here |
//! |---|---|
//! | `tcp_event_data_recv`: the first segment, and one after a pause of more than a timeout, give 16 quick ones | `on_data` |
//! | `tcp_grow_window`: each segment while the window opens gives one | `opening` |
//! | `tcp_event_data_recv`: the wait (`ato`) follows the intervals between segments, `TCP_DELACK_MIN` at least | `on_data` |
//! | `tcp_send_delayed_ack`: at most `TCP_DELACK_MAX`, or the configuration's | `wait` |
//! | `tcp_delack_timer_handler`: a wait that was in vain doubles it | `on_missed` |
//! | `__tcp_ack_snd_check`: more than one full segment is acknowledged at once | `Receiver` |
//! | `tcp_cleanup_rbuf`: so is what ends a write, once it is read: a short one, since 6.6 a full one with PSH | `is_due` |
//! | `inet_csk_in_pingpong_mode`: data that answer data end the quick ones | `on_reply` |
//!
//! The window opens from the part of the buffer that is granted before a segment has shown its size in memory
//! (a half) to the part of an Ethernet segment (160/256), two segments at a time. *Deviations.* The whole is
//! advertised from the start. Where Linux keeps its data in pieces of 64 kB, PSH is on the end of the piece,
//! not of the write.

use base::{Span, Time};

/// `TCP_MAX_QUICKACKS`.
const MOST: u64 = 16;
/// `TCP_DELACK_MIN` and `TCP_ATO_MIN`.
const LEAST_WAIT: Span = Span::millis(40);
/// The share of the window that is open before the first segment: 128 of 160.
const OPEN_AT_FIRST: (u64, u64) = (4, 5);
/// The timeout without variation (`TCP_RTO_MIN`), after which a pause counts.
const PAUSE: Span = Span::millis(200);
/// A segment is taken for full from this size on, before any was seen (`TCP_MSS_DEFAULT`).
const FULL_AT_FIRST: u64 = 536;
/// Smaller segments open no window.
const OPENS_FROM: u64 = 128;

/// The state of `icsk_ack`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quick {
    /// `quick`: acknowledgements that will go at once.
    left: u64,
    /// Bytes by which the window will still open, and by which a segment opens it.
    opening: u64,
    step: u64,
    /// `rcv_mss`: the largest segment so far.
    full: u64,
    window: u64,
    /// `ato`; zero before the first segment.
    wait: Span,
    last: Time,
    /// The end of a write came and nothing was acknowledged since.
    ended: bool,
    /// Data answer data.
    replies: bool,
}

impl Quick {
    /// Of a receiver with a window of `window` bytes, for segments of at most `mss`.
    pub fn new(window: u64, mss: u64) -> Quick {
        let (part, whole) = OPEN_AT_FIRST;
        Quick {
            left: 0,
            opening: window - window / whole * part,
            step: 2 * mss,
            full: FULL_AT_FIRST.min(mss),
            window,
            wait: Span::ZERO,
            last: Time::ZERO,
            ended: false,
            replies: false,
        }
    }

    /// Data of `len` bytes come; `in_order`: they are delivered; `push`: a write ends with them.
    pub fn on_data(&mut self, now: Time, len: u64, (in_order, push): (bool, bool)) {
        if in_order {
            self.ended |= push || len < self.full;
            self.full = self.full.max(len);
            self.follow(now);
        }
        if len >= OPENS_FROM && self.opening > 0 {
            self.opening = self.opening.saturating_sub(self.step);
            self.left |= 1;
        }
    }

    fn follow(&mut self, now: Time) {
        let since = now.since(self.last);
        if self.wait == Span::ZERO {
            self.wait = LEAST_WAIT;
            self.begin();
        } else if since <= Span(LEAST_WAIT.0 / 2) {
            self.wait = Span(self.wait.0 / 2 + LEAST_WAIT.0 / 2);
        } else if since < self.wait {
            self.wait = Span(self.wait.0 / 2 + since.0);
        } else if since > PAUSE {
            self.begin();
        }
        self.last = now;
    }

    fn begin(&mut self) {
        let fit = (self.window / (2 * self.full)).max(2);
        self.left = self.left.max(fit.min(MOST));
    }

    /// The acknowledgement of `bytes` in order goes now.
    pub fn is_due(&self, bytes: u64) -> bool {
        bytes > self.full || ((self.left > 0 || self.ended) && !self.replies)
    }

    /// Returns the delay of an acknowledgement, `most` at most.
    pub fn wait(&self, most: Span) -> Span {
        self.wait.clamp(LEAST_WAIT.min(most), most)
    }

    /// One has gone; with it `fresh`: data that had come.
    pub fn on_sent(&mut self, fresh: bool) {
        self.ended = false;
        if self.left > 0 && fresh {
            self.left -= 1;
            if self.left == 0 {
                self.wait = LEAST_WAIT;
            }
        }
    }

    /// The wait was in vain.
    pub fn on_missed(&mut self) {
        self.wait = if self.replies { LEAST_WAIT } else { Span(self.wait.0.saturating_mul(2)) };
        self.replies = false;
    }

    /// Data go the other way.
    pub fn on_reply(&mut self, now: Time) {
        self.replies |= self.wait > Span::ZERO && now.since(self.last) < self.wait;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MSS: u64 = 1448;
    const DATA: (bool, bool) = (true, false);
    const MOST_WAIT: Span = Span::millis(200);

    fn at(ms: u64) -> Time {
        Time::ZERO + Span::millis(ms)
    }

    /// Acknowledgements at once when full segments come a millisecond apart, until one waits.
    fn at_once(window: u64) -> u64 {
        let mut quick = Quick::new(window, MSS);
        let mut count = 0;
        loop {
            quick.on_data(at(count), MSS, DATA);
            if !quick.is_due(MSS) {
                return count;
            }
            quick.on_sent(true);
            count += 1;
        }
    }

    #[test]
    fn a_kernel_with_2_5_megabytes_acknowledges_189_segments_one_by_one() {
        // 500,000 B to open, 2896 a segment: 173 segments, and 16.
        assert_eq!(at_once(2_500_000), 189);
        // No more than the window holds of pairs, and one while it opens.
        assert_eq!(at_once(8 * MSS), 4 + 1);
    }

    #[test]
    fn a_pause_brings_quick_ones_back() {
        let mut quick = Quick::new(8 * MSS, MSS);
        for i in 0..10 {
            quick.on_data(at(i), MSS, DATA);
            quick.on_sent(true);
        }
        assert!(!quick.is_due(MSS));
        assert!(quick.is_due(2 * MSS));
        quick.on_data(at(150), MSS, DATA);
        assert!(!quick.is_due(MSS));
        quick.on_data(at(351), MSS, DATA);
        assert!(quick.is_due(MSS));
        quick.on_reply(at(352));
        assert!(!quick.is_due(MSS), "the acknowledgement rides on the answer");
    }

    #[test]
    fn the_wait_follows_the_intervals() {
        let mut quick = Quick::new(8 * MSS, MSS);
        quick.on_data(at(0), MSS, DATA);
        assert_eq!(quick.wait(MOST_WAIT), LEAST_WAIT);
        quick.on_data(at(30), MSS, DATA);
        assert_eq!(quick.wait(MOST_WAIT), Span::millis(50));
        quick.on_missed();
        assert_eq!(quick.wait(MOST_WAIT), Span::millis(100));
        quick.on_missed();
        quick.on_missed();
        assert_eq!(quick.wait(MOST_WAIT), MOST_WAIT);
        quick.on_data(at(31), MSS, DATA);
        assert_eq!(quick.wait(MOST_WAIT), MOST_WAIT);
    }

    #[test]
    fn the_end_of_a_write_is_acknowledged_once_it_is_read() {
        let mut quick = Quick::new(4 * MSS, MSS);
        for i in 0..20 {
            quick.on_data(at(i), MSS, DATA);
            quick.on_sent(true);
        }
        quick.on_data(at(20), 100, DATA);
        assert!(quick.is_due(100));
        quick.on_sent(true);
        quick.on_data(at(21), MSS, DATA);
        assert!(!quick.is_due(MSS));
        quick.on_data(at(22), MSS, (true, true));
        assert!(quick.is_due(MSS), "PSH");
    }
}
