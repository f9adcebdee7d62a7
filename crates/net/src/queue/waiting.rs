//! Packets as queues keep them, and how one leaves a line.

use super::manage::{Head, Manage, Verdict};
use crate::packet::{DropReason, Packet};
use crate::segment::Ecn;
use base::{PacketId, Time};
use std::collections::VecDeque;

/// A packet that comes.
#[derive(Clone, Copy, Debug)]
pub struct Arrival<'a> {
    /// The packet.
    pub id: PacketId,
    /// Its size, network-layer bytes.
    pub bytes: u32,
    /// Its headers, which few disciplines read; `None`: of nobody in particular, without congestion marks.
    pub packet: Option<&'a Packet>,
}

impl Arrival<'_> {
    /// Returns the codepoint of its IP header (RFC 3168 section 5).
    #[inline]
    pub fn ecn(&self) -> Ecn {
        self.packet.map_or(Ecn::NotCapable, Packet::ecn)
    }

    /// Identifier of the conversation: equal for packets of one connection and direction.
    #[inline]
    pub fn conversation(&self) -> u64 {
        self.packet.map_or(0, Packet::conversation)
    }
}

impl From<(PacketId, u32)> for Arrival<'_> {
    fn from((id, bytes): (PacketId, u32)) -> Self {
        Arrival { id, bytes, packet: None }
    }
}

/// A packet that waits, and what its owner keeps with it.
#[derive(Clone, Copy, Debug)]
pub struct Waiting<T> {
    /// The packet.
    pub id: PacketId,
    /// Its size, network-layer bytes.
    pub bytes: u32,
    /// Time since which it waits.
    pub since: Time,
    /// The codepoint of its IP header; Not-ECT where the discipline reads no headers.
    pub ecn: Ecn,
    /// The owner's.
    pub with: T,
}

/// A discipline's action on a waiting packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Gets a congestion mark, and stays.
    Marked,
    /// Is dropped.
    Dropped(DropReason),
}

/// Takes the head of a FIFO queue by its law; calls `fate` for drops and marks.
pub(crate) fn take<T: Copy>(
    now: Time,
    line: &mut VecDeque<Waiting<T>>,
    bytes: &mut u64,
    law: &mut impl Manage,
    fate: &mut impl FnMut(Waiting<T>, Fate),
) -> Option<Waiting<T>> {
    loop {
        let Some(next) = line.pop_front() else {
            law.on_empty(now);
            return None;
        };
        *bytes -= u64::from(next.bytes);
        let head = Head {
            sojourn: now.since(next.since),
            left: (line.len() as u32, *bytes),
            ecn: next.ecn,
        };
        match law.on_departure(now, &head) {
            Verdict::Take => return Some(next),
            Verdict::Mark => {
                fate(next, Fate::Marked);
                return Some(next);
            }
            Verdict::Drop => fate(next, Fate::Dropped(DropReason::Aqm)),
        }
    }
}
