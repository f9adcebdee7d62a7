//! Stations with access categories that belong to an access point without: they contend as that one does.
//!
//! A station without QoS, or at an access point without, has one access function, DCF (802.11-2020, 10.3 and 10.23.1), and no
//! agreements. What has waited in its categories waits in one queue then, as does what comes later.

use super::category::Category;
use super::peer::Terms;
use super::station::QosStation;
use super::stations::Stations;
use base::{StationId, Time};

impl QosStation {
    /// Has one function, or its categories again. The function that serves all is that of best effort, as in Linux
    /// (6.12, net/mac80211/wme.c).
    fn become_plain(&mut self, now: Time, to: StationId, is_plain: bool) {
        let one = Category::BestEffort as usize;
        if self.functions.len() == 1 || self.own_terms.is_some() == is_plain {
            return;
        }
        if let Some(own) = self.own_terms.take() {
            (self.has_qos, self.places) = (true, Category::PLACES);
            self.functions[one].contend_by(own);
            return;
        }
        (self.has_qos, self.places) = (false, [one as u8; Category::COUNT]);
        let dcf = Terms { parameters: self.dcf, always_agreed: false, asks: false };
        self.own_terms = Some(self.functions[one].contend_by(dcf));
        // From high to low, as they would have been sent.
        for place in (0..self.functions.len()).rev().filter(|&place| place != one) {
            let (low, high) = self.functions.split_at_mut(one.max(place));
            let (one, other) = if place > one {
                (&mut low[one], &mut high[0])
            } else {
                (&mut high[0], &mut low[place])
            };
            one.take_over(now, other, to);
        }
    }
}

impl Stations {
    /// A client has joined an access point: it has categories there where that has some.
    pub(super) fn suit(&mut self, now: Time, (at, to): (StationId, StationId)) {
        let is_plain = !self.all[to.index()].has_qos();
        self.all[at.index()].become_plain(now, to, is_plain);
    }
}
