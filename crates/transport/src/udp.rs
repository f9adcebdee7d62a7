//! UDP: numbered datagrams, what arrives of them, and how evenly.

use base::{Bytes, Span, Time, settings};
use net::{Datagram, LARGEST_PACKET};
use std::collections::VecDeque;

settings! {
    /// Sizes of UDP.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct UdpConfig {
        /// The size of the IP and UDP headers together. ns-2 counts a datagram as the application's size.
        header_bytes: u32 as Bytes = 28, "header", 0..=LARGEST_PACKET;
    }
}

/// Numbers datagrams.
#[derive(Clone, Debug, Default)]
pub struct Source {
    next: u64,
}

impl Source {
    /// The next datagram, with `payload` bytes.
    pub fn datagram(&mut self, payload: u32) -> Datagram {
        let number = self.next;
        self.next += 1;
        Datagram { number, len: payload }
    }

    /// Returns the number of datagrams made.
    pub fn made(&self) -> u64 {
        self.next
    }
}

/// Tells new datagrams from duplicates, however late they come.
#[derive(Clone, Debug, Default)]
pub struct Sink {
    /// All numbers below 64 times this have come.
    complete: u64,
    /// A bit for each number from there on, up to the highest that has come.
    seen: VecDeque<u64>,
    received: u64,
    duplicates: u64,
}

impl Sink {
    /// Takes a datagram; true where it is new.
    pub fn on_datagram(&mut self, datagram: &Datagram) -> bool {
        let new = self.note(datagram.number);
        if new {
            self.received += 1;
        } else {
            self.duplicates += 1;
        }
        new
    }

    /// Notes that a number has come; true where it had not.
    fn note(&mut self, number: u64) -> bool {
        let (word, bit) = (number / 64, 1 << (number % 64));
        let Some(place) = word.checked_sub(self.complete) else { return false };
        let place = place as usize;
        if place >= self.seen.len() {
            self.seen.resize(place + 1, 0);
        }
        let seen = &mut self.seen[place];
        let new = *seen & bit == 0;
        *seen |= bit;
        if *seen == u64::MAX {
            self.forget_complete();
        }
        new
    }

    /// Forgets words of which all numbers have come, from the first on.
    fn forget_complete(&mut self) {
        while self.seen.front() == Some(&u64::MAX) {
            self.seen.pop_front();
            self.complete += 1;
        }
    }

    /// Datagrams that were new.
    pub fn received(&self) -> u64 {
        self.received
    }

    /// Datagrams that were not.
    pub fn duplicates(&self) -> u64 {
        self.duplicates
    }
}

/// Interarrival jitter: the smoothed absolute difference between one transit time and the next (RFC 3550 section
/// 6.4.1, whose gain of 1/16 it has).
#[derive(Clone, Debug, Default)]
pub struct Jitter {
    last_transit: Option<Span>,
    jitter_s: f64,
}

impl Jitter {
    /// A datagram sent at `sent` arrives at `received`.
    pub fn record(&mut self, sent: Time, received: Time) {
        let transit = received.since(sent);
        if let Some(last) = self.last_transit {
            let difference = Span(transit.0.abs_diff(last.0)).as_secs();
            self.jitter_s += (difference - self.jitter_s) / 16.0;
        }
        self.last_transit = Some(transit);
    }

    /// The estimate in seconds; zero before the second datagram.
    pub fn seconds(&self) -> f64 {
        self.jitter_s
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_count_up_from_zero() {
        let mut source = Source::default();
        assert_eq!(source.datagram(100), Datagram { number: 0, len: 100 });
        assert_eq!(source.datagram(200), Datagram { number: 1, len: 200 });
        assert_eq!(source.made(), 2);
    }

    #[test]
    fn each_number_is_new_once_in_any_order() {
        let mut sink = Sink::default();
        let mut take = |number| sink.on_datagram(&Datagram { number, len: 1 });
        assert!(take(3) && take(0) && take(2));
        assert!(!take(3) && !take(0));
        // However far behind: 1 comes after 9,999, which is no duplicate of anything.
        assert!(take(1026) && take(9999) && take(1) && take(9998));
        assert!(!take(1) && !take(1026) && !take(9999));
        assert_eq!((sink.received(), sink.duplicates()), (7, 5));
    }

    #[test]
    fn what_has_come_without_a_gap_is_not_kept() {
        let mut sink = Sink::default();
        for number in (0..10_000).rev().chain(10_000..20_000) {
            assert!(sink.on_datagram(&Datagram { number, len: 1 }));
        }
        assert!(sink.seen.len() <= 1, "{}", sink.seen.len());
        assert!(!sink.on_datagram(&Datagram { number: 5, len: 1 }));
    }

    /// Transit times of 100, 116, 116 and 100 ms: differences of 16, 0 and 16 ms.
    #[test]
    fn jitter_moves_by_a_sixteenth() {
        let mut jitter = Jitter::default();
        let mut worked = vec![];
        for (sent, received) in [(0, 100), (20, 136), (40, 156), (60, 160)] {
            jitter.record(Time(sent * 1_000_000), Time(received * 1_000_000));
            worked.push(jitter.seconds() * 1e3);
        }
        let expected = [0.0, 1.0, 0.9375, 0.9375 + 15.0625 / 16.0];
        for (got, want) in worked.iter().zip(expected) {
            assert!((got - want).abs() < 1e-12, "{worked:?}");
        }
    }
}
