//! Packets that wait for their time: a link says at once when a packet will leave and arrive, and files are in order.

use crate::pcapng::Way;
use crate::radiotap::LONGEST;
use base::Time;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::sync::Arc;

/// A packet for a file.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its time.
    pub at: Time,
    /// The port that sees it.
    pub port: usize,
    /// Its direction there.
    pub way: Way,
    /// The bytes before `body` and their number: a radiotap header.
    pub head: ([u8; LONGEST], usize),
    /// The rest, as much as is kept; shared by all its interfaces.
    pub body: Arc<[u8]>,
    /// The whole length.
    pub len: usize,
}

/// Records by time, and in the order in which they came.
#[derive(Clone, Debug, Default)]
pub struct Sorter {
    heap: BinaryHeap<Reverse<Pending>>,
    count: u64,
}

#[derive(Clone, Debug)]
struct Pending {
    number: u64,
    record: Record,
}

impl Sorter {
    /// Adds a record.
    pub fn add(&mut self, record: Record) {
        self.count += 1;
        self.heap.push(Reverse(Pending { number: self.count, record }));
    }

    /// The first record, if its time is `now` or before.
    pub fn take_until(&mut self, now: Time) -> Option<Record> {
        let due = self.heap.peek().is_some_and(|first| first.0.record.at <= now);
        due.then(|| self.heap.pop()).flatten().map(|first| first.0.record)
    }
}

impl Pending {
    fn key(&self) -> (Time, u64) {
        (self.record.at, self.number)
    }
}

impl Ord for Pending {
    fn cmp(&self, other: &Pending) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl PartialOrd for Pending {
    fn partial_cmp(&self, other: &Pending) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Pending {
    fn eq(&self, other: &Pending) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Pending {}
