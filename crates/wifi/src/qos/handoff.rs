//! A handoff of a station whose access functions have agreements: these end, and begin anew with the new access point.
//!
//! What a receiver holds back goes up. What it does not have a client sends to its new access point, before all that has waited;
//! an access point drops it, with all that waits for a station that has gone.

use super::contender::Contender;
use super::peer::Parting;
use super::stations::Stations;
use base::{PacketId, StationId, Time};
use net::DropReason;

/// A packet that goes up, with its receiver.
pub type Landed = (PacketId, StationId);

impl Stations {
    /// A client joins an access point, which may be the one that it had.
    pub(crate) fn join(
        &mut self,
        now: Time,
        (at, to): (StationId, StationId),
        up: &mut Vec<Landed>,
    ) {
        for place in 0..self.all[at.index()].functions.len() {
            let of = Contender::of(at, place);
            self.function(of).withdraw(|_| true);
            for from in self.function(of).receivers() {
                self.part(now, of, Parting { from, to: Some(to) }, up);
            }
            // Packets wait for an access point from before the first agreement with it.
            for from in (0..self.all.len() as u32).map(StationId).filter(|&from| from != to) {
                self.empty(now, of, from);
            }
            self.function(of).readdress(to);
        }
        self.suit(now, (at, to));
    }

    /// An access point has a station: agreements that it had with it before begin anew. `None`: the station has gone.
    pub(crate) fn meet(
        &mut self,
        now: Time,
        (at, from): (StationId, StationId),
        to: Option<StationId>,
        up: &mut Vec<Landed>,
    ) {
        for place in 0..self.all[at.index()].functions.len() {
            let of = Contender::of(at, place);
            self.part(now, of, Parting { from, to }, up);
            match to {
                Some(to) => self.ask_anew(now, of, to),
                None => self.empty(now, of, from),
            }
        }
    }

    /// Does what was put off until an exchange was over.
    pub(crate) fn part_at_last(&mut self, now: Time, of: Contender, up: &mut Vec<Landed>) {
        if let Some(parting) = self.function(of).take_parting() {
            self.part(now, of, parting, up);
        }
    }

    /// What waits for a station that has associated anew is to be agreed on anew. Of a client that joins all does so later.
    fn ask_anew(&mut self, now: Time, of: Contender, to: StationId) {
        let function = self.function(of);
        if function.rules.asks && function.attempt.is_none() && function.held(to) > 0 {
            self.ask(now, of, to);
            self.rouse(now, of);
        }
    }

    fn part(&mut self, now: Time, of: Contender, parting: Parting, up: &mut Vec<Landed>) {
        let Stations { all, lost, .. } = self;
        let station = of.station();
        let function = &mut all[station.index()].functions[of.place()];
        let mut stats = function.stats;
        let hand = |id, came| {
            up.push((id, parting.from));
            stats.count_handed(came, now);
        };
        let lost = |id| lost.push((station, id, DropReason::Handoff));
        function.part(now, parting, hand, lost);
        function.stats = stats;
    }

    /// The queues that a station shares among receivers lose those for one that has gone, as Linux's do.
    fn empty(&mut self, now: Time, of: Contender, to: StationId) {
        let Stations { all, lost, fates, .. } = self;
        let at = of.station();
        let station = &mut all[at.index()];
        let category = station.functions[of.place()].category;
        if let Some(sharing) = &mut station.sharing {
            let lost = |id| lost.push((at, id, DropReason::Handoff));
            sharing.take_out(now, (category, to), |id, fate| fates.push((at, id, fate)), lost);
        }
    }
}
