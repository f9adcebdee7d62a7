//! Segments on their way to a mobile that it has not acknowledged.

use base::Time;
use net::Segment;
use std::collections::VecDeque;

/// A segment that was sent to the mobile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cached {
    pub segment: Segment,
    /// The time of its last transmission to the mobile.
    pub sent: Time,
    /// The number of transmissions from here beyond the first.
    pub copies: u32,
    /// It did not come in order, or not for the first time: the sender takes care of it.
    pub by_sender: bool,
}

/// The segments of one connection, in the order of their numbers, up to a limit.
#[derive(Clone, Debug)]
pub(super) struct Cache {
    kept: VecDeque<Cached>,
    most: usize,
}

impl Cache {
    pub fn new(most: usize) -> Cache {
        Cache { kept: VecDeque::new(), most }
    }

    pub fn len(&self) -> usize {
        self.kept.len()
    }

    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Cached> {
        self.kept.iter_mut()
    }

    /// The one that begins with this number.
    pub fn get_mut(&mut self, seq: u64) -> Option<&mut Cached> {
        let at = self.kept.binary_search_by_key(&seq, |cached| cached.segment.seq).ok()?;
        self.kept.get_mut(at)
    }

    /// False where there is no room.
    pub fn insert(&mut self, cached: Cached) -> bool {
        if self.kept.len() >= self.most {
            return false;
        }
        let seq = cached.segment.seq;
        let at = self.kept.partition_point(|other| other.segment.seq < seq);
        self.kept.insert(at, cached);
        true
    }

    /// Forgets the one that begins with this number.
    pub fn forget(&mut self, seq: u64) {
        if let Ok(at) = self.kept.binary_search_by_key(&seq, |cached| cached.segment.seq) {
            self.kept.remove(at);
        }
    }

    /// Forgets what ends at or before `ack`; the last of it.
    pub fn flush(&mut self, ack: u64) -> Option<Cached> {
        let mut last = None;
        while let Some(first) = self.kept.front().filter(|first| first.segment.end() <= ack) {
            last = Some(*first);
            self.kept.pop_front();
        }
        last
    }

    /// The one that has the number `ack`, and how many are beyond it.
    pub fn covering(&mut self, ack: u64) -> Option<(&mut Cached, usize)> {
        let beyond = self.kept.len().saturating_sub(1);
        let first = self.kept.front_mut()?;
        (first.segment.seq <= ack).then_some((first, beyond))
    }
}
