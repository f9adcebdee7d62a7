//! Accurate ECN (RFC 9768): how many packets and bytes came with marks, on both sides.
//!
//! | section | here |
//! |---|---|
//! | 3.2.2.2 | the ACE field is a counter of CE packets modulo 8, which begins at 5 |
//! | 3.2.2.5.1 | an acknowledgement goes at once for the first mark after a packet without, and for each second mark |
//! | 3.2.3 | the option counts bytes modulo 2^24; ECEB begins at 0, the others at 1 |
//!
//! *Deviations.* Both ends are taken to have agreed on it (section 3.1): the SYNs have no ACE field. Every acknowledgement has
//! the option, with CE and the codepoint that came, so the sender reads bytes there and needs no guess at what the three bits of
//! the ACE field leave open (appendix A.2).

use net::{Ecn, Flags, MarkBytes, Segment};

/// Section 3.2.2.2: where the counter of CE packets begins.
pub(super) const FIRST_COUNT: u32 = 5;
/// Section 3.2.2.5.1: so many marks are told at once ("n").
const MOST_UNTOLD: u8 = 2;
/// The fields of the option have 24 bits.
const FIELD: u32 = 0xff_ffff;

/// The counters of a receiver.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counts {
    /// r.cep
    packets: u32,
    /// r.ceb, and r.e1b or r.e0b.
    bytes: MarkBytes,
    /// The last packet had a mark.
    marked: bool,
    /// Marks since the last acknowledgement.
    untold: u8,
}

impl Counts {
    pub fn new() -> Counts {
        let bytes = MarkBytes { capable: 1, ..MarkBytes::default() };
        Counts { packets: FIRST_COUNT, bytes, marked: false, untold: 0 }
    }

    /// Counts a segment of data; true where it is to be acknowledged at once.
    pub fn note(&mut self, segment: &Segment) -> bool {
        let before = std::mem::replace(&mut self.marked, segment.ecn == Ecn::Marked);
        if self.marked {
            self.packets = self.packets.wrapping_add(1);
            self.bytes.marked = (self.bytes.marked + segment.len) & FIELD;
            self.untold = self.untold.saturating_add(1);
        } else if segment.ecn.is_capable() {
            self.bytes.capable = (self.bytes.capable + segment.len) & FIELD;
            self.bytes.scalable = segment.ecn == Ecn::Scalable;
        }
        self.marked && (!before || self.untold >= MOST_UNTOLD)
    }

    /// Puts the counters into a segment, whose timestamps are there and whose SACK blocks are not.
    pub fn tell(&mut self, segment: &mut Segment) {
        self.untold = 0;
        segment.flags = segment.flags.with_ace(self.packets);
        segment.set_mark_bytes(self.bytes);
    }
}

/// What a sender has heard: s.ceb.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Heard(u32);

impl Heard {
    /// Takes in an acknowledgement: bytes newly told to be marked. One that was overtaken tells nothing.
    pub fn take(&mut self, segment: &Segment) -> u32 {
        let Some(counts) = segment.mark_bytes() else { return 0 };
        let more = counts.marked.wrapping_sub(self.0) & FIELD;
        // A difference beyond half of the range is one backwards (appendix A.1).
        if more > FIELD / 2 {
            return 0;
        }
        self.0 = counts.marked;
        more
    }
}

/// The ACE field of a segment whose other half has received nothing.
pub(super) fn untouched() -> Flags {
    Flags::default().with_ace(FIRST_COUNT)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(ecn: Ecn) -> Segment {
        Segment { ecn, len: 1000, ..Segment::default() }
    }

    #[test]
    fn counters_begin_and_wrap_as_the_rfc_says() {
        let (mut counts, mut heard) = (Counts::new(), Heard::default());
        let mut told = 0;
        for mark in 0..20_000 {
            let mut ack = Segment { flags: Flags::ACK, ..Segment::default() };
            counts.tell(&mut ack);
            assert_eq!(u32::from(ack.flags.ace()), (5 + mark) % 8);
            assert_eq!(ack.mark_bytes().map(|bytes| bytes.marked), Some(mark * 1000 % (1 << 24)));
            told += heard.take(&ack);
            counts.note(&data(Ecn::Marked));
        }
        assert_eq!(told, 19_999 * 1000);
    }

    #[test]
    fn an_acknowledgement_that_was_overtaken_tells_nothing() {
        let (mut counts, mut heard) = (Counts::new(), Heard::default());
        let mut acks = [Segment::default(); 3];
        for ack in &mut acks {
            counts.note(&data(Ecn::Marked));
            counts.tell(ack);
        }
        assert_eq!([1, 0, 2].map(|i: usize| heard.take(&acks[i])), [2000, 0, 1000]);
    }

    #[test]
    fn a_first_mark_and_each_second_one_are_told_at_once() {
        let mut counts = Counts::new();
        let codes = [Ecn::Scalable, Ecn::Marked, Ecn::Marked, Ecn::Scalable, Ecn::Marked];
        // Nothing is told in between.
        let due = codes.map(|ecn| counts.note(&data(ecn)));
        assert_eq!(due, [false, true, true, false, true]);
        counts.tell(&mut Segment::default());
        assert!(!counts.note(&data(Ecn::Marked)) && counts.note(&data(Ecn::Marked)));
    }
}
