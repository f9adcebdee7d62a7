//! Segments of a connection that were lost and are not yet acknowledged: in a large network most of what a flow keeps.

use base::Named;
use net::DropReason;
use std::ops::Range;

/// A segment that was lost, in one word: its first number less the list's base (40 bits, signed), how many numbers it has
/// (16 bits: no packet has more), the reason.
#[derive(Clone, Copy, Debug)]
struct Lost(i64);

const REASON_BITS: u32 = 8;
const NUMBERS_BITS: u32 = 16;

impl Lost {
    fn new(offset: i64, numbers: u16, reason: DropReason) -> Lost {
        let numbers_and_reason = i64::from(numbers) << REASON_BITS | i64::from(reason as u8);
        Lost(offset << (NUMBERS_BITS + REASON_BITS) | numbers_and_reason)
    }

    /// Its first number and one past its last, both less the list's base.
    fn range(self) -> Range<i64> {
        let start = self.0 >> (NUMBERS_BITS + REASON_BITS);
        start..start + i64::from(self.numbers())
    }

    fn numbers(self) -> u16 {
        (self.0 >> REASON_BITS) as u16
    }

    fn reason(self) -> DropReason {
        DropReason::ALL[usize::from(self.0 as u8)]
    }
}

/// Room for this many from the first on.
const ROOM: usize = 8;

/// Lost segments, each number at most once. Those that are acknowledged are thrown out before it grows, so it holds no more
/// than the window does. Its room settles at what losses need that come together.
#[derive(Clone, Debug, Default)]
pub(super) struct Losses {
    base: u64,
    list: Vec<Lost>,
}

impl Losses {
    fn offset(&self, number: u64) -> i64 {
        number.wrapping_sub(self.base) as i64
    }

    /// Enters numbers from `seq` on; those below `una` are acknowledged.
    pub fn enter(&mut self, (seq, numbers): (u64, u16), reason: DropReason, una: u64) {
        let una_offset = self.offset(una);
        let is_over = self.list.last().is_some_and(|last| last.range().end <= una_offset);
        if is_over || self.list.len() == self.list.capacity() {
            self.make_room(una);
        }
        self.list.push(Lost::new(self.offset(seq), numbers, reason));
    }

    /// Forgets numbers from `seq` on: they were sent once more.
    pub fn forget(&mut self, seq: u64, numbers: u16) {
        let start = self.offset(seq);
        let end = start + i64::from(numbers);
        self.list.retain(|old| old.range().end <= start || old.range().start >= end);
    }

    /// Throws out what is acknowledged. Grows where that does not leave half the room, and lets half the room go where half
    /// was enough: slow start needs more than what follows.
    #[cold]
    fn make_room(&mut self, una: u64) {
        let (una_offset, room, needed) = (self.offset(una), self.list.capacity(), self.list.len());
        self.list.retain(|old| old.range().end > una_offset);
        for lost in &mut self.list {
            *lost = Lost::new(lost.range().start - una_offset, lost.numbers(), lost.reason());
        }
        self.base = una;
        if self.list.len() >= room.div_ceil(2) {
            self.list.reserve_exact(room.max(ROOM));
        } else if needed <= room / 2 {
            self.list.shrink_to((room / 2).max(ROOM));
        }
    }

    /// Returns the reason why numbers from `from` up to `to` were lost last.
    pub fn within(&self, from: u64, to: u64) -> Option<DropReason> {
        let (from, to) = (self.offset(from), self.offset(to));
        let is_hit = |lost: &&Lost| lost.range().start < to && from < lost.range().end;
        self.list.iter().rev().find(is_hit).map(|lost| lost.reason())
    }

    pub fn clear(&mut self) {
        self.list.clear();
    }

    #[cfg(test)]
    pub fn room(&self) -> usize {
        self.list.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_far_beyond_32_bits_are_found() {
        let mut losses = Losses::default();
        let first = 1 << 50;
        losses.enter((first, 9), DropReason::Queue, first - 5);
        losses.enter((first + 20, u16::MAX), DropReason::WireLoss, first - 5);
        losses.enter((first - 100, 10), DropReason::Aqm, first - 5);
        for (from, reason) in [
            (first - 1, None),
            (first + 8, Some(DropReason::Queue)),
            (first + 9, None),
            (first + 19 + u64::from(u16::MAX), Some(DropReason::WireLoss)),
            (first + 20 + u64::from(u16::MAX), None),
            (first - 91, Some(DropReason::Aqm)),
        ] {
            assert_eq!(losses.within(from, from + 1), reason, "{from}");
        }
    }

    #[test]
    fn room_that_slow_start_needed_goes() {
        let mut losses = Losses::default();
        for i in 0..100 {
            losses.enter((1000 * i, 1000), DropReason::Queue, 0);
        }
        for i in 100..120 {
            losses.enter((1000 * i, 1000), DropReason::Queue, 1000 * i);
        }
        assert!(losses.room() <= ROOM, "{}", losses.room());
    }
}
