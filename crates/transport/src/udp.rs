//! UDP: numbered datagrams, what arrives of them, and how evenly.

use base::{Span, Time};
use net::Datagram;

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

    /// How many were made.
    pub fn made(&self) -> u64 {
        self.next
    }
}

/// Words of the bitmap of numbers seen lately.
const WORDS: usize = 16;

/// How far behind the newest number a datagram may come and still be told from a duplicate.
const REACH: u64 = WORDS as u64 * 64;

/// Tells new datagrams from duplicates.
///
/// It remembers the last 1024 numbers, as RFC 4303 section 3.4.3 does against replay; what comes from further
/// behind counts as a duplicate.
#[derive(Clone, Debug, Default)]
pub struct Sink {
    /// One past the highest number seen.
    end: u64,
    /// Bit `number % REACH` for each of the last REACH numbers.
    seen: [u64; WORDS],
    received: u64,
    duplicates: u64,
}

impl Sink {
    /// Takes a datagram; true where it is new.
    pub fn on_datagram(&mut self, datagram: &Datagram) -> bool {
        let number = datagram.number;
        self.advance(number + 1);
        let (word, bit) = place(number);
        let new = self.end - number <= REACH && self.seen[word] & bit == 0;
        if new {
            self.seen[word] |= bit;
            self.received += 1;
        } else {
            self.duplicates += 1;
        }
        new
    }

    /// Datagrams that were new.
    pub fn received(&self) -> u64 {
        self.received
    }

    /// Datagrams that were not.
    pub fn duplicates(&self) -> u64 {
        self.duplicates
    }

    /// Forgets the numbers that fall out of reach when `end` is the highest seen.
    fn advance(&mut self, end: u64) {
        if end >= self.end.saturating_add(REACH) {
            self.seen = [0; WORDS];
        } else {
            for number in self.end..end {
                let (word, bit) = place(number);
                self.seen[word] &= !bit;
            }
        }
        self.end = self.end.max(end);
    }
}

fn place(number: u64) -> (usize, u64) {
    ((number / 64) as usize % WORDS, 1 << (number % 64))
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
        assert!(take(1026));
        // 3 is the oldest in reach and was seen; 2 is out of reach; 4 is in reach and new.
        assert!(!take(3) && !take(2) && take(4));
        assert!(take(9999) && !take(1026) && take(9998));
        assert_eq!((sink.received(), sink.duplicates()), (7, 5));
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
