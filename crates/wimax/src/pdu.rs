//! PDU construction (802.16-2004, 6.3.3): headers, fragmentation, packing, and the size that a queue needs.

use crate::config::PduConfig;

/// The generic MAC header.
const HEADER: u64 = 6;
/// The CRC.
const CRC: u64 = 4;
/// The extended fragmentation subheader, which has a block's number (table 8).
const BLOCK_NUMBER: u64 = 2;
/// The packing subheader.
const PACKING: u64 = 2;
/// The grant management subheader, which carries a piggybacked request.
pub const GRANT_MANAGEMENT: u64 = 2;
/// A stand-alone bandwidth request header.
pub const REQUEST: u64 = 6;
/// The longest PDU: its length has 11 bits.
const LONGEST: u64 = 2047;

/// Totals of the data that waits on a connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    /// Packets, the one begun included.
    pub packets: u64,
    /// Their bytes that have not been sent.
    pub bytes: u64,
    /// The first has been begun.
    pub begun: bool,
}

/// A packet being cut into PDUs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sdu {
    /// Bytes not yet sent.
    pub rest: u64,
    /// True if part of it was sent before.
    pub begun: bool,
}

/// Result of offering a packet to a burst.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// All that was left of it went.
    Whole,
    /// This many of its bytes went, and the burst is full.
    Part(u64),
    /// Nothing of it fits, and nothing more will.
    Full,
}

impl PduConfig {
    /// Header and CRC, and with ARQ the subheader that numbers the block.
    pub fn overhead(&self) -> u64 {
        let numbered = if self.arq.is_some() { BLOCK_NUMBER } else { 0 };
        HEADER + numbered + if self.crc { CRC } else { 0 }
    }

    /// The smallest PDU that is worth a burst: a byte of a packet that was begun before; with ARQ a block.
    pub fn least(&self) -> u64 {
        self.overhead() + self.arq.map_or(self.cut() + 1, |arq| u64::from(arq.block))
    }

    /// The subheader of a packet that is cut, where not every PDU has it.
    fn cut(&self) -> u64 {
        let cuts = self.fragmentation && self.arq.is_none();
        if cuts { u64::from(self.fragment_header) } else { 0 }
    }

    /// Bytes of PDUs that empty a queue.
    pub fn need(&self, backlog: &Backlog) -> u64 {
        let Backlog { packets, bytes, begun } = *backlog;
        if packets == 0 {
            return 0;
        }
        if !self.packing {
            let cut = if begun { self.cut() } else { 0 };
            return packets * self.overhead() + bytes + cut;
        }
        let items = bytes + packets * PACKING;
        items + self.overhead() * items.div_ceil(LONGEST - self.overhead())
    }
}

/// A burst that is being filled with PDUs.
#[derive(Clone, Copy, Debug)]
pub struct Filling {
    config: PduConfig,
    /// Bytes of PDUs that it holds.
    room: u64,
    /// Bytes so far.
    used: u64,
    /// Bytes that the present packed PDU can still take; zero if there is no such PDU.
    open: u64,
    /// Bytes of a subheader that the next PDU has beside.
    extra: u64,
}

impl Filling {
    /// An empty burst; its first PDU has `extra` bytes of a subheader.
    pub fn new(config: PduConfig, room: u64, extra: u64) -> Filling {
        Filling { config, room, used: 0, open: 0, extra }
    }

    /// Bytes used so far, which is the position of the last byte taken, counted from one.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// False where not even a byte of a packet finds room, so that none need be asked for.
    pub fn has_room(&self) -> bool {
        let item = if self.config.packing { PACKING } else { 0 };
        let header = self.config.overhead() + self.extra;
        (self.config.packing && self.open > item) || self.room - self.used > header + item
    }

    /// Takes of a packet what fits.
    pub fn take(&mut self, sdu: Sdu) -> Fit {
        if self.config.packing { self.take_packed(sdu) } else { self.take_alone(sdu) }
    }

    fn take_alone(&mut self, sdu: Sdu) -> Fit {
        let left = self.room - self.used;
        let header = self.config.overhead() + self.extra;
        let cut = if sdu.begun { self.config.cut() } else { 0 };
        if header + cut + sdu.rest <= left {
            self.used += header + cut + sdu.rest;
            self.extra = 0;
            return Fit::Whole;
        }
        if !self.config.fragmentation {
            return Fit::Full;
        }
        let bytes = left.saturating_sub(header + self.config.cut());
        let block = self.config.arq.map_or(1, |arq| u64::from(arq.block));
        let bytes = bytes / block * block;
        if bytes == 0 {
            return Fit::Full;
        }
        self.used += header + self.config.cut() + bytes;
        Fit::Part(bytes)
    }

    /// Packets in one PDU after the other, each with a subheader; the last of a PDU can be cut (6.3.3.4).
    fn take_packed(&mut self, sdu: Sdu) -> Fit {
        let (item, mut rest) = (PACKING, sdu.rest);
        loop {
            if self.open <= item || (!self.config.fragmentation && self.open < item + rest) {
                let header = self.config.overhead() + self.extra;
                let longest = (self.room - self.used).min(LONGEST);
                let open = longest.saturating_sub(header);
                let least = if self.config.fragmentation { 1 } else { rest };
                if open < item + least {
                    let sent = sdu.rest - rest;
                    return if sent > 0 { Fit::Part(sent) } else { Fit::Full };
                }
                (self.open, self.extra) = (open, 0);
                self.used += header;
            }
            let bytes = rest.min(self.open - item);
            self.open -= item + bytes;
            self.used += item + bytes;
            rest -= bytes;
            if rest == 0 {
                return Fit::Whole;
            }
        }
    }
}
