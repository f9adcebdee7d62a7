//! The end of an agreement: what the receiver holds back goes up, and what it does not have is left to the sender.

use super::{Mpdu, Msdu, Window};
use base::{PacketId, Time};

impl Window {
    /// The agreement ends and the association does not: `hand` gets what the receiver still holds back, in order. What the sender has
    /// not settled keeps its numbers, and goes up when it comes.
    pub fn end(&mut self, mut hand: impl FnMut(PacketId, Time)) {
        let held = self.mpdus.range((self.head - self.base) as usize..);
        for (number, mpdu) in (self.head..).zip(held) {
            if mpdu.received == Time::NEVER || self.gone.contains(&number) {
                continue;
            }
            let first = (mpdu.first - self.base_msdu) as usize;
            let own = self.msdus.range(first..first + usize::from(mpdu.msdus));
            own.for_each(|msdu| hand(msdu.id, mpdu.received));
            self.gone.push(number);
        }
        self.head = self.head.max(self.start);
        self.gone.retain(|&number| number >= self.head);
        self.forget();
    }

    /// The agreement ends, and one with new numbers begins (802.11-2020, 11.5.4): `hand` gets what the receiver still holds
    /// back, in order. What it does not have counts as never sent.
    pub fn restart(&mut self, mut hand: impl FnMut(PacketId, Time)) {
        let mut kept = self.renewed();
        for (number, mpdu) in (self.base..).zip(&self.mpdus) {
            let first = (mpdu.first - self.base_msdu) as usize;
            let packets = self.msdus.iter().skip(first).take(usize::from(mpdu.msdus));
            if mpdu.received == Time::NEVER && !mpdu.is_settled {
                kept.append(mpdu, packets);
            } else if mpdu.received != Time::NEVER
                && number >= self.head
                && !self.gone.contains(&number)
            {
                packets.for_each(|msdu| hand(msdu.id, mpdu.received));
            }
        }
        *self = kept;
    }

    /// Returns an empty window whose numbers go on where this one's end.
    pub fn renewed(&self) -> Window {
        let next = self.next();
        Window { base: next, start: next, head: next, ..Window::new(self.size) }
    }

    /// Takes over what another, which has begun anew, was to send, behind its own.
    pub fn take_over(&mut self, other: &Window) {
        for mpdu in &other.mpdus {
            let first = (mpdu.first - other.base_msdu) as usize;
            self.append(mpdu, other.msdus.iter().skip(first).take(usize::from(mpdu.msdus)));
        }
    }

    /// An MPDU that was never sent.
    fn append<'a>(&mut self, mpdu: &Mpdu, packets: impl Iterator<Item = &'a Msdu>) {
        let first = self.base_msdu + self.msdus.len() as u64;
        self.msdus.extend(packets);
        self.outstanding += u32::from(mpdu.msdus);
        let mpdu = Mpdu { first, tries: 0, is_aloft: false, ..*mpdu };
        self.mpdus.push_back(mpdu);
    }

    /// The sender gives up all that is not settled, of a window that has begun anew.
    pub fn abandon(&mut self, lost: impl FnMut(PacketId)) {
        self.drop_where(|_| true, lost);
        self.head = self.start;
        self.forget();
    }
}
