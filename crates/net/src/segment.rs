//! TCP segment headers: control bits, options, the ECN codepoint.

/// TCP control bits (RFC 9293 section 3.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(pub u8);

impl Flags {
    /// Synchronise: opens a connection, takes one number of the sequence space.
    pub const SYN: Flags = Flags(1);
    /// The acknowledgement field counts.
    pub const ACK: Flags = Flags(2);
    /// No more data: takes one number of the sequence space.
    pub const FIN: Flags = Flags(4);
    /// Echoes a congestion mark (RFC 3168 section 6.1).
    pub const ECE: Flags = Flags(8);
    /// The window was reduced for an echo (RFC 3168 section 6.1).
    pub const CWR: Flags = Flags(16);
    /// The connection is no more.
    pub const RST: Flags = Flags(32);
    /// Explicit loss notification: the segment requested was lost on the air, not for want of room (Balakrishnan 1997).
    /// Takes one of the header's reserved bits.
    pub const ELN: Flags = Flags(64);
    /// Accurate ECN: the highest bit of the ACE field (RFC 9768 section 3.1).
    pub const AE: Flags = Flags(128);
    /// The bits of ECN: since RFC 9768 the ACE field.
    pub const MARKS: Flags = Flags(8 + 16 + 128);

    /// True where all bits of `other` are set.
    pub fn has(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    /// The bits of both.
    #[must_use]
    pub const fn with(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }

    /// These bits without those of `other`.
    #[must_use]
    pub fn without(self, other: Flags) -> Flags {
        Flags(self.0 & !other.0)
    }

    /// The ACE field: AE, CWR and ECE as a number of three bits (RFC 9768 section 3.2.2).
    pub fn ace(self) -> u8 {
        let bit = |flag, value| if self.has(flag) { value } else { 0 };
        bit(Flags::AE, 4) + bit(Flags::CWR, 2) + bit(Flags::ECE, 1)
    }

    /// These bits with a counter's last three in the ACE field.
    #[must_use]
    pub fn with_ace(self, counter: u32) -> Flags {
        let bit = |flag: Flags, value| if counter & value != 0 { flag } else { Flags::default() };
        let ace = bit(Flags::AE, 4).with(bit(Flags::CWR, 2)).with(bit(Flags::ECE, 1));
        self.without(Flags::MARKS).with(ace)
    }
}

/// The ECN codepoint of the IP header (RFC 3168 section 5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ecn {
    /// Not-ECT: congestion can only be signalled by a drop.
    #[default]
    NotCapable,
    /// ECT(0): a router may mark.
    Capable,
    /// ECT(1): a router may mark, as often as suits a scalable congestion control (RFC 9331 section 4.1).
    Scalable,
    /// CE: a router has marked.
    Marked,
}

impl Ecn {
    /// True where a router may mark instead of dropping.
    pub fn is_capable(self) -> bool {
        self != Ecn::NotCapable
    }

    /// True where L4S routers keep it apart, for low delay: ECT(1) and CE (RFC 9331 section 5.1).
    pub fn is_l4s(self) -> bool {
        matches!(self, Ecn::Scalable | Ecn::Marked)
    }
}

/// The timestamps option (RFC 7323 section 3), in ticks of the sender's choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stamps {
    /// TSval: the sender's clock.
    pub value: u32,
    /// TSecr: the latest TSval received from the other side.
    pub echo: u32,
}

/// The AccECN option (RFC 9768 section 3.2.3) with two of its fields: payload bytes that came with a codepoint, modulo 2^24.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MarkBytes {
    /// ECEB: with CE.
    pub marked: u32,
    /// EE1B where `scalable`, else EE0B: with that codepoint of ECT.
    pub capable: u32,
    /// The option's order 1, which has ECT(1) and no ECT(0).
    pub scalable: bool,
}

/// Slots of eight bytes in the options: four SACK blocks, or three and the timestamps (RFC 2018 section 3). The AccECN option
/// takes the room of a block.
const SLOTS: usize = 4;

/// Bits of [`Options::others`].
const STAMPED: u8 = 1;
const COUNTED: u8 = 2;
const SCALABLE: u8 = 4;

/// The options of a segment: SACK blocks, each as (offset from the acknowledgement, length) in half the bytes, and
/// from the last slot on the timestamps and the counts of marks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    slots: [(u32, u32); SLOTS],
    blocks: u8,
    others: u8,
}

impl Options {
    /// Options that are the timestamps alone, or none.
    #[inline]
    pub fn stamped(stamps: Option<Stamps>) -> Options {
        let mut options = Options::default();
        options.set_stamps(stamps);
        options
    }

    /// The others, without the SACK blocks.
    #[must_use]
    pub fn without_blocks(mut self) -> Options {
        self.slots[..usize::from(self.blocks)].fill((0, 0));
        self.blocks = 0;
        self
    }

    /// The timestamps, where there are any.
    pub fn stamps(&self) -> Option<Stamps> {
        let (value, echo) = self.slots[SLOTS - 1];
        self.has(STAMPED).then_some(Stamps { value, echo })
    }

    /// True where there is neither a block nor a timestamp.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.blocks == 0 && self.others == 0
    }

    /// Number of SACK blocks.
    pub fn blocks(&self) -> u8 {
        self.blocks
    }

    #[inline]
    fn has(self, other: u8) -> bool {
        self.others & other != 0
    }

    /// The place of the counts of marks: before the timestamps.
    fn counts_slot(self) -> usize {
        SLOTS - 1 - usize::from(self.has(STAMPED))
    }

    /// The counts of marks, where it has them.
    pub fn mark_bytes(&self) -> Option<MarkBytes> {
        let (marked, capable) = self.slots[self.counts_slot()];
        let scalable = self.has(SCALABLE);
        self.has(COUNTED).then_some(MarkBytes { marked, capable, scalable })
    }

    pub(crate) fn set_mark_bytes(&mut self, counts: MarkBytes) {
        self.slots[self.counts_slot()] = (counts.marked, counts.capable);
        self.others = (self.others & STAMPED) | COUNTED;
        if counts.scalable {
            self.others |= SCALABLE;
        }
    }

    pub(crate) fn set_stamps(&mut self, stamps: Option<Stamps>) {
        self.others = u8::from(stamps.is_some());
        if let Some(Stamps { value, echo }) = stamps {
            self.slots[SLOTS - 1] = (value, echo);
        }
    }

    /// False where there is no room, or the block is further from `ack` than any window allows.
    pub(crate) fn push(&mut self, ack: u64, start: u64, end: u64) -> bool {
        let offset = i32::try_from(start.wrapping_sub(ack) as i64);
        let (Ok(offset), Ok(len)) = (offset, u32::try_from(end.wrapping_sub(start))) else {
            return false;
        };
        let room = SLOTS - usize::from(self.has(STAMPED)) - usize::from(self.has(COUNTED));
        if usize::from(self.blocks) >= room {
            return false;
        }
        self.slots[usize::from(self.blocks)] = (offset as u32, len);
        self.blocks += 1;
        true
    }

    pub(crate) fn iter(self, ack: u64) -> impl Iterator<Item = (u64, u64)> {
        let blocks = self.slots.into_iter().take(usize::from(self.blocks));
        blocks.map(move |(offset, len)| {
            let start = ack.wrapping_add_signed(i64::from(offset as i32));
            (start, start + u64::from(len))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Segment;

    #[test]
    fn blocks_come_out_as_they_went_in_and_the_fifth_finds_no_room() {
        let mut segment = Segment { ack: 5000, ..Segment::default() };
        let blocks = [(1, 10), (9000, 10_000), (6000, 7000), (7500, 7501)];
        for (start, end) in blocks {
            assert!(segment.push_sack(start, end));
        }
        assert!(!segment.push_sack(8000, 8001));
        assert_eq!(segment.sack_blocks().collect::<Vec<_>>(), blocks);
        assert_eq!(segment.option_bytes(), 36);
    }

    #[test]
    fn counts_of_marks_take_the_room_of_a_block() {
        let counts = MarkBytes { marked: 3, capable: 0xff_ffff, scalable: true };
        for (stamps, bytes, room) in [(None, 36, 3), (Some(Stamps { value: 7, echo: 9 }), 40, 2)] {
            let mut segment = Segment { ack: 5000, ..Segment::default() };
            segment.set_stamps(stamps);
            segment.set_mark_bytes(counts);
            let taken = (0..4).filter(|i| segment.push_sack(6000 + i * 100, 6050 + i * 100));
            assert_eq!((taken.count(), segment.option_bytes()), (room, bytes));
            assert_eq!((segment.mark_bytes(), segment.stamps()), (Some(counts), stamps));
            let mut bare = Segment { ack: 5000, ..Segment::default() };
            bare.set_stamps(stamps);
            bare.set_mark_bytes(counts);
            assert_eq!(segment.options.without_blocks(), bare.options);
        }
    }

    #[test]
    fn the_ace_field_is_three_bits_of_a_counter() {
        for counter in 0..20 {
            let flags = Flags::ACK.with(Flags::ECE).with_ace(counter);
            assert_eq!(
                (u32::from(flags.ace()), flags.without(Flags::MARKS)),
                (counter % 8, Flags::ACK)
            );
        }
    }
}
