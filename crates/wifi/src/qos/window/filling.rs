//! A PPDU as it is filled: first what has to be sent again, then packets that were never sent, as far as window and budget
//! reach.

use super::psdu::{SUBFRAME_HEADER, largest};
use super::{Budget, Mpdu, Msdu, Psdu, Window};
use base::Time;

/// A PPDU that takes packets.
#[must_use]
pub struct Filling<'a> {
    window: &'a mut Window,
    budget: &'a Budget,
    psdu: Psdu,
    /// Packets in it that have been sent before.
    again: u32,
    /// Bytes of the PSDU before its last MPDU.
    before: u64,
    /// MPDUs that it may still get.
    mpdus_left: u32,
    /// The largest packet that fits as an MPDU of its own; zero where none does.
    apart: u32,
    /// The largest that fits into the last MPDU, as a further subframe of its A-MSDU; zero where none does.
    within: u32,
}

impl Window {
    /// Begins a PPDU with what has to be sent again, in order. One MPDU always fits.
    pub fn fill<'a>(&'a mut self, budget: &'a Budget) -> Filling<'a> {
        let mut psdu = Psdu::default();
        let mut is_full = false;
        let before = self.before();
        for mpdu in self.mpdus.range_mut(before..) {
            mpdu.is_aloft = false;
            if mpdu.is_settled || is_full {
                continue;
            }
            // MPDUs go in order: none behind the first that does not fit.
            let bytes = psdu.before_next() + u64::from(mpdu.bytes);
            is_full = psdu.mpdus > 0 && (bytes > budget.bytes || psdu.mpdus >= budget.mpdus);
            if !is_full {
                mpdu.is_aloft = true;
                psdu.retries += u32::from(mpdu.tries > 0);
                mpdu.tries += 1;
                psdu.mpdus += 1;
                psdu.msdus += u32::from(mpdu.msdus);
                psdu.bytes = bytes;
            }
        }
        let of_budget = budget.mpdus.max(1) - psdu.mpdus;
        let mpdus_left = if is_full { 0 } else { of_budget.min(self.room()) };
        let (window, again) = (self, psdu.msdus);
        let mut filling =
            Filling { window, budget, psdu, again, before: 0, mpdus_left, apart: 0, within: 0 };
        filling.measure();
        if filling.psdu.mpdus == 0 && mpdus_left > 0 {
            filling.apart = u32::MAX;
        }
        filling
    }
}

impl Filling<'_> {
    /// True where a packet of these network-layer bytes fits.
    #[inline]
    pub fn has_room_for(&self, bytes: u32) -> bool {
        bytes <= self.apart.max(self.within)
    }

    /// Takes a packet that fits: into the last MPDU where that has room, or as a further one.
    #[inline(always)] // one caller, for each packet
    pub fn take(&mut self, msdu: Msdu, bytes: u32) {
        if bytes <= self.within {
            self.lengthen(msdu, bytes);
        } else {
            self.append(msdu, bytes);
        }
        self.window.msdus.push_back(msdu);
        self.psdu.msdus += 1;
        self.measure();
        if self.budget.amsdu > 0 {
            self.measure_within();
        }
    }

    #[inline]
    fn append(&mut self, msdu: Msdu, bytes: u32) {
        self.before = self.psdu.before_next();
        let bytes = self.budget.mac_header + self.budget.llc_header + bytes;
        self.psdu.bytes = self.before + u64::from(bytes);
        self.psdu.mpdus += 1;
        self.mpdus_left -= 1;
        let first = self.window.base_msdu + self.window.msdus.len() as u64;
        self.window.mpdus.push_back(Mpdu {
            bytes,
            first,
            msdus: 1,
            tries: 1,
            since: msdu.since,
            received: Time::NEVER,
            is_aloft: true,
            is_settled: false,
        });
    }

    /// Makes the last MPDU an A-MSDU, or that longer.
    fn lengthen(&mut self, msdu: Msdu, bytes: u32) {
        let Some(sum) = self.padded() else { return };
        let Some(last) = self.window.mpdus.back_mut() else { return };
        last.bytes = self.budget.mac_header + sum as u32 + bytes;
        last.msdus += 1;
        last.since = last.since.min(msdu.since);
        self.psdu.bytes = self.before + u64::from(last.bytes);
    }

    /// Bytes of the last MPDU behind its MAC header, before the network layer's of a further subframe.
    fn padded(&self) -> Option<u64> {
        let last = self.window.mpdus.back()?;
        // A packet alone has no header of a subframe.
        let header = if last.msdus == 1 { SUBFRAME_HEADER } else { 0 };
        let sum = u64::from(header + last.bytes - self.budget.mac_header);
        Some(sum.next_multiple_of(4) + u64::from(SUBFRAME_HEADER + self.budget.llc_header))
    }

    /// Works out which packets fit as a further MPDU.
    #[inline]
    fn measure(&mut self) {
        let headers = u64::from(self.budget.mac_header + self.budget.llc_header);
        let room = self.budget.bytes.saturating_sub(self.psdu.before_next() + headers);
        self.apart = if self.mpdus_left > 0 { largest(room) } else { 0 };
    }

    /// Works out which packets fit into the last MPDU.
    fn measure_within(&mut self) {
        let budget = self.budget;
        let room = budget.bytes.saturating_sub(self.before + u64::from(budget.mac_header));
        let limit = room.min(u64::from(budget.amsdu));
        self.within = self.padded().and_then(|sum| limit.checked_sub(sum)).map_or(0, largest);
    }

    /// What it carries: it goes on the air.
    pub fn finish(self) -> Psdu {
        self.window.outstanding += self.psdu.msdus - self.again;
        self.psdu
    }
}
