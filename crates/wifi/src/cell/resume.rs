//! When stations count slots again.

use super::Cell;
use base::{StationId, Time};

impl Cell {
    /// Gives every station the end of its inter-frame space after the present exchange.
    pub(super) fn let_resume(&mut self) {
        let (end, difs) = (self.end, self.timing.difs);
        self.air.end(end);
        let after = |errored| end + if errored { self.timing.after_error } else { difs };
        let is_free = self.air.is_free(end);
        if is_free {
            self.contention.resume(after(self.air.common().errored));
        } else {
            self.let_resume_amid_reservations(end);
        }
        for turn in &self.turns {
            self.contention.wait_until(turn.station, turn.resumes);
        }
        if !self.waits.is_empty() {
            self.let_wait();
        }
        if let Some((station, from)) = self.receiver {
            let bound = if is_free { end } else { self.air.bystander(station).nav };
            self.contention.wait_until(station, from.max(bound + difs));
        }
        if !self.silent.is_empty() {
            self.let_keep_silent(end);
        }
    }

    /// Holds back those that keep silent for a while though no reservation binds them.
    fn let_keep_silent(&mut self, end: Time) {
        self.silent.retain(|silent| silent.1 > end);
        for i in 0..self.silent.len() {
            let (station, until) = self.silent[i];
            let from = self.contention.space_ends(station).max(until + self.timing.difs);
            self.contention.set_apart(station, from);
        }
    }

    /// The same for all but those of the exchange, where some remember otherwise than others.
    fn let_resume_amid_reservations(&mut self, end: Time) {
        let difs = self.timing.difs;
        let after = |errored| end + if errored { self.timing.after_error } else { difs };
        if self.air.is_uniform() {
            // EIFS or DIFS, and DIFS behind the reservation that most of them hold.
            let common = self.air.common();
            self.contention.resume(after(common.errored).max(common.nav + difs));
            // A reservation can outlast its exchange where that fails; its own two stations do not hold it (10.3.2.4).
            for station in self.air.apart() {
                let own = self.air.bystander(station);
                self.contention.wait_until(station, after(own.errored).max(own.nav + difs));
            }
            return;
        }
        // Stations in another state are set apart, so the base is that of the majority. ns-2's lost slots are lost
        // together, by the stations that have decoded the acknowledgement.
        let most_errored = self.lost_slots.is_empty() && self.air.most_errored();
        let base = after(most_errored);
        self.contention.resume(base);
        for (i, bystander) in self.air.bystanders().enumerate() {
            let from = after(bystander.errored).max(bystander.nav + difs);
            if from != base {
                self.contention.set_apart(StationId(i as u32), from);
            }
        }
    }
}
