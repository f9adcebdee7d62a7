//! Both halves of a block-ack agreement: what one station sends another in an access category, and what that one has of it
//! (802.11-2020, 10.25).
//!
//! MPDUs have running numbers that never wrap; their sequence numbers are these modulo 4096. One ring keeps what either
//! half still needs, so the receiver's reordering buffer is the same memory as the sender's window.

use base::{PacketId, Span, Time};
use std::collections::VecDeque;

mod ending;
mod filling;
mod psdu;

pub use psdu::{Budget, DELIMITER, Psdu};

/// A packet within an MPDU; its id is not to be read once the MPDU has been received.
#[derive(Clone, Copy, Debug)]
pub struct Msdu {
    /// The packet.
    pub id: PacketId,
    /// When it came to the MAC.
    pub since: Time,
}

#[derive(Clone, Copy, Debug)]
struct Mpdu {
    /// With MAC header and FCS.
    bytes: u32,
    /// Running number of its first packet.
    first: u64,
    msdus: u16,
    tries: u16,
    /// When its oldest packet came to the MAC.
    since: Time,
    /// When the receiver has got it; [`Time::NEVER`] before.
    received: Time,
    /// In the PPDU that is on the air, or was last.
    is_aloft: bool,
    /// The sender knows that it has come, or has given it up.
    is_settled: bool,
}

/// A window at work.
#[derive(Clone, Debug)]
pub struct Window {
    size: u32,
    mpdus: VecDeque<Mpdu>,
    msdus: VecDeque<Msdu>,
    /// Running numbers: of the first MPDU and the first packet in the rings.
    base: u64,
    base_msdu: u64,
    /// Of the sender: the oldest that is not settled.
    start: u64,
    /// Of the receiver: the next to hand up. It may lead `start` (an answer was lost) or trail it (the sender has given up).
    head: u64,
    /// Packets that the sender has not settled.
    outstanding: u32,
    /// MPDUs not before `head` that have gone up, when an agreement has ended.
    gone: Vec<u64>,
}

impl Window {
    /// An empty one for `size` MPDUs.
    pub fn new(size: u32) -> Window {
        Window {
            size,
            mpdus: VecDeque::new(),
            msdus: VecDeque::new(),
            base: 0,
            base_msdu: 0,
            start: 0,
            head: 0,
            outstanding: 0,
            gone: Vec::new(),
        }
    }

    fn next(&self) -> u64 {
        self.base + self.mpdus.len() as u64
    }

    /// The sender's first place in the ring.
    fn before(&self) -> usize {
        (self.start - self.base) as usize
    }

    /// The age of the oldest MPDU that waits to be sent again, and its bytes.
    pub fn oldest(&self) -> Option<(Time, u32)> {
        self.mpdus.get(self.before()).map(|mpdu| (mpdu.since, mpdu.bytes))
    }

    /// Packets that the sender has not settled.
    pub fn outstanding(&self) -> u32 {
        self.outstanding
    }

    /// Further MPDUs that fit the window.
    fn room(&self) -> u32 {
        (self.start + u64::from(self.size)).saturating_sub(self.next()) as u32
    }

    /// What was to go on the air did not, for want of a CTS.
    pub fn recall(&mut self) {
        let before = self.before();
        for mpdu in self.mpdus.range_mut(before..).filter(|mpdu| mpdu.is_aloft) {
            mpdu.tries -= 1;
        }
    }

    /// The MPDUs on the air, in order: their numbers and bytes.
    pub fn aloft(&self) -> impl Iterator<Item = (u64, u32)> + '_ {
        let numbered = (self.start..).zip(self.mpdus.range(self.before()..));
        numbered.filter(|(_, mpdu)| mpdu.is_aloft).map(|(number, mpdu)| (number, mpdu.bytes))
    }

    /// Number of the oldest MPDU that the sender has not settled.
    pub fn oldest_number(&self) -> u64 {
        self.start
    }

    /// True where an MPDU that is not settled has been sent before the present attempt.
    pub fn is_retry(&self, number: u64) -> bool {
        self.mpdus[(number - self.base) as usize].tries > 1
    }

    /// The packets of an MPDU that is not settled. Their ids are not to be read if it has been sent before.
    pub fn packets(&self, number: u64) -> impl Iterator<Item = PacketId> + '_ {
        let mpdu = &self.mpdus[(number - self.base) as usize];
        let first = (mpdu.first - self.base_msdu) as usize;
        self.msdus.iter().skip(first).take(usize::from(mpdu.msdus)).map(|msdu| msdu.id)
    }

    /// MPDUs reach the receiver together, in order: returns how many of them it had already. `hand` gets the packets that are
    /// then in order, with the time at which each had come.
    pub fn receive(
        &mut self,
        numbers: impl IntoIterator<Item = u64>,
        now: Time,
        hand: impl FnMut(PacketId, Time),
    ) -> u32 {
        let (mut had, mut head) = (0, self.head);
        for number in numbers {
            let mpdu = &mut self.mpdus[(number - self.base) as usize];
            if mpdu.received != Time::NEVER {
                had += 1;
                continue;
            }
            mpdu.received = now;
            // A number beyond the receiver's window moves that (10.25.6.6).
            head = head.max((number + 1).saturating_sub(u64::from(self.size)));
        }
        self.release(head, hand);
        had
    }

    /// Hands up what is before `head`, and then what is in order.
    pub fn release(&mut self, head: u64, hand: impl FnMut(PacketId, Time)) {
        if self.gone.is_empty() {
            self.hand_up(head, |_| true, hand);
        } else {
            let mut gone = std::mem::take(&mut self.gone);
            self.hand_up(head, |number| !gone.contains(&number), hand);
            gone.retain(|&number| number >= self.head);
            self.gone = gone;
        }
        self.forget();
    }

    /// The same of MPDUs that are `held`.
    fn hand_up(
        &mut self,
        head: u64,
        is_held: impl Fn(u64) -> bool,
        mut hand: impl FnMut(PacketId, Time),
    ) {
        let Window { mpdus, msdus, base_msdu, .. } = self;
        for mpdu in mpdus.range((self.head - self.base) as usize..) {
            let has_come = mpdu.received != Time::NEVER;
            if !has_come && self.head >= head {
                break;
            }
            if has_come && is_held(self.head) {
                let first = (mpdu.first - *base_msdu) as usize;
                for msdu in msdus.range(first..first + usize::from(mpdu.msdus)) {
                    hand(msdu.id, mpdu.received);
                }
            }
            self.head += 1;
        }
    }

    /// A block ack request says that nothing before the sender's window will come again.
    pub fn request(&mut self, hand: impl FnMut(PacketId, Time)) {
        self.release(self.start, hand);
    }

    /// The sender hears what the receiver has of the MPDUs on the air (`of_all`: of all that it has sent): returns packets
    /// that it now knows to have come, and whether all have.
    pub fn acknowledge(&mut self, of_all: bool) -> u32 {
        let (mut msdus, before) = (0, self.before());
        for mpdu in self.mpdus.range_mut(before..) {
            let is_news = !mpdu.is_settled && mpdu.received != Time::NEVER;
            if is_news && (mpdu.is_aloft || of_all) {
                mpdu.is_settled = true;
                msdus += u32::from(mpdu.msdus);
            }
            mpdu.is_aloft = false;
        }
        self.outstanding -= msdus;
        self.advance();
        msdus
    }

    /// The sender gives up what was on the air; `lost` gets the packets that the receiver does not have. Returns MPDUs given
    /// up.
    pub fn give_up_aloft(&mut self, lost: impl FnMut(PacketId)) -> u32 {
        self.drop_where(|mpdu| mpdu.is_aloft, lost)
    }

    /// The sender gives up MPDUs that have been sent as often as `limit` says.
    pub fn give_up_after(&mut self, limit: u32, lost: impl FnMut(PacketId)) -> u32 {
        self.drop_where(|mpdu| u32::from(mpdu.tries) >= limit, lost)
    }

    /// The sender gives up MPDUs that came to it more than `lifetime` ago, but keeps the newest where `keep` says that there
    /// is nothing else to send.
    pub fn expire(
        &mut self,
        now: Time,
        lifetime: Span,
        keep: bool,
        lost: impl FnMut(PacketId),
    ) -> u32 {
        let is_over = |since: Time| now.since(since) > lifetime;
        if !self.oldest().is_some_and(|(since, _)| is_over(since)) {
            return 0; // the oldest is the first
        }
        let newest = self.mpdus.iter().skip(self.before()).rfind(|mpdu| !mpdu.is_settled);
        let kept = newest.map(|mpdu| mpdu.first).filter(|_| keep);
        self.drop_where(|mpdu| is_over(mpdu.since) && Some(mpdu.first) != kept, lost)
    }

    fn drop_where(
        &mut self,
        mut goes: impl FnMut(&Mpdu) -> bool,
        mut lost: impl FnMut(PacketId),
    ) -> u32 {
        let (mut dropped, before) = (0, self.before());
        for mpdu in self.mpdus.range_mut(before..) {
            if mpdu.is_settled || !goes(mpdu) {
                continue;
            }
            mpdu.is_settled = true;
            dropped += 1;
            self.outstanding -= u32::from(mpdu.msdus);
            if mpdu.received == Time::NEVER {
                let first = (mpdu.first - self.base_msdu) as usize;
                let packets = self.msdus.iter().skip(first).take(usize::from(mpdu.msdus));
                packets.for_each(|msdu| lost(msdu.id));
            }
        }
        self.advance();
        dropped
    }

    /// True where the receiver waits for something that the sender has given up.
    pub fn is_behind(&self) -> bool {
        self.head < self.start
    }

    fn advance(&mut self) {
        let unsettled = self.mpdus.range(self.before()..);
        self.start += unsettled.take_while(|mpdu| mpdu.is_settled).count() as u64;
        self.forget();
    }

    /// Forgets what neither half needs.
    fn forget(&mut self) {
        let over = self.start.min(self.head).saturating_sub(self.base) as usize;
        if over == 0 {
            return;
        }
        let packets = match self.mpdus.get(over) {
            Some(next) => (next.first - self.base_msdu) as usize,
            None => self.msdus.len(),
        };
        self.mpdus.drain(..over);
        self.msdus.drain(..packets);
        self.base += over as u64;
        self.base_msdu += packets as u64;
    }
}

#[cfg(test)]
mod tests;
