//! The exchange on the medium: a collision, or RTS, CTS, DATA and ACK.

use super::{Cell, Turn};
use crate::config::SilenceRule;
use crate::exchange::{Frame, Sequence};
use crate::outcome::{Failure, Outcome};
use crate::station::{Interval, Service};
use crate::witness::Witness;
use base::{PacketId, StationId, Time};

impl Cell {
    /// Several begin at once: nobody decodes anything.
    pub(super) fn collide<W: Witness>(&mut self, witness: &mut W) {
        self.end = Time::ZERO;
        for i in 0..self.winners.len() {
            let (station, start) = self.winners[i];
            let Some(service) = self.begin(station, start) else { continue };
            let (end, outcome) = if service.uses_rts {
                // Which code the data would have had is never asked: the RTS announces them uncoded.
                let rts = self.sequence(station, &service, service.mpdu_bits).rts(start);
                self.report(&rts, witness);
                (rts.end(), Outcome::NoCts(Failure::Collision))
            } else {
                let sent_bits = self.sent_bits(station, &service, start);
                let data =
                    self.announced_data(station, &service, sent_bits, start, |cell, frame| {
                        cell.report(frame, witness);
                    });
                self.report(&data, witness);
                (data.end(), Outcome::NoAck(Failure::Collision))
            };
            // Each sender waits out the timeout that runs from the end of its own frame (10.3.2.9, 10.3.2.11).
            let took = Interval { start, end };
            self.end = self.end.max(took.end);
            let resumes = took.end + self.timing.after_timeout;
            self.turns.push(Turn { station, outcome, took, resumes, over: end });
        }
        // The sender of a shorter frame senses the longest to its end and has received nothing: DIFS follows, not EIFS.
        let idle_from = self.end + self.timing.difs;
        for turn in &mut self.turns {
            turn.resumes = turn.resumes.max(idle_from);
        }
        // Nobody can decode an overlap: bystanders wait EIFS and set no NAV (10.3.2.3.7).
        self.air.all_errored();
    }

    /// One station has the medium: as much of its exchange as the channel lets through. Returns when a packet that
    /// its receiver does not have yet arrives there.
    #[inline(always)] // one caller for cells with a referee, one for those without
    pub(super) fn exchange<W: Witness>(
        &mut self,
        station: StationId,
        start: Time,
        witness: &mut W,
    ) -> Option<Time> {
        let service = self.begin(station, start)?;
        let (to, difs) = (service.to, self.timing.difs);
        // Decided once, at the start: an RTS must announce how long the data will take.
        let sent_bits = self.sent_bits(station, &service, start);
        let data = if service.uses_rts {
            let rts = self.sequence(station, &service, sent_bits).rts(start);
            let data_start = self.reserve(&rts, witness)?;
            self.sequence(station, &service, sent_bits).data(data_start)
        } else {
            let data = self.announced_data(station, &service, sent_bits, start, |cell, frame| {
                cell.first_end = frame.end();
                cell.carry(frame, witness);
            });
            if data.start == start {
                self.first_end = data.end();
            }
            data
        };
        let failed = if service.uses_rts { Outcome::NoAckAfterCts } else { Outcome::NoAck };
        if !self.carry(&data, witness) {
            // The receiver answers nothing and takes EIFS as any bystander; the sender waits out the ACK timeout.
            let wait = self.timing.after_error;
            self.receiver = Some((to, data.end() + wait));
            self.finish(station, start, failed(Failure::Channel), data.end(), false);
            return None;
        }
        let ack = Sequence::ack(&self.timing, &data);
        let acked = self.carry(&ack, witness);
        (self.receiver, self.answerer) = (Some((to, ack.end() + difs)), Some(to));
        let outcome = if acked { Outcome::Success } else { failed(Failure::Channel) };
        self.finish(station, start, outcome, ack.end(), !acked);
        self.take_delivery(station, to, service.id).then_some(data.end())
    }

    /// Builds the exchange of the frame in service at `station`, sent as `sent_bits` bits.
    #[inline(always)]
    fn sequence(&self, station: StationId, service: &Service, sent_bits: u64) -> Sequence<'_> {
        Sequence::new((&self.timing, self.rate), (station, service), sent_bits)
    }

    /// The data of an exchange without RTS. Where a CTS to oneself goes before, `first` has it.
    #[inline(always)]
    fn announced_data(
        &mut self,
        station: StationId,
        service: &Service,
        sent_bits: u64,
        start: Time,
        first: impl FnOnce(&mut Cell, &Frame),
    ) -> Frame {
        let sequence = self.sequence(station, service, sent_bits);
        if !sequence.is_announced() {
            return sequence.data(start);
        }
        let cts = sequence.announcement(start);
        let data = sequence.data(cts.end() + self.timing.sifs);
        first(self, &cts);
        data
    }

    /// RTS and CTS. Returns when the data begin where the sender has decoded the CTS.
    fn reserve<W: Witness>(&mut self, rts: &Frame, witness: &mut W) -> Option<Time> {
        let (station, to) = (rts.from, rts.to);
        self.first_end = rts.end();
        let silent_until = self.silent_until(to);
        let decoded = self.carry(rts, witness);
        if !decoded || silent_until > rts.end() {
            // Stations that set their NAV by an RTS reset it if no data begin within 2 SIFS, a CTS and 2 slots (10.3.2.4).
            if self.mac.nav_reset {
                self.air.give_up(rts.nav, rts.end() + self.timing.nav_timeout);
            }
            let wait = if decoded { self.timing.difs } else { self.timing.after_error };
            let resumes = (rts.end() + wait).max(silent_until + self.timing.difs);
            self.receiver = Some((to, resumes));
            // Only where stations have places is it told apart who has lost the RTS and who may not answer it.
            let heeds = decoded && self.referee.is_some();
            let cause = if heeds { Failure::Hidden } else { Failure::Channel };
            self.finish(station, rts.start, Outcome::NoCts(cause), rts.end(), false);
            return None;
        }
        let cts = Sequence::cts(&self.timing, rts);
        if !self.carry(&cts, witness) {
            // The CTS is lost. By the standard nothing binds its sender; ns-2 keeps it silent for the whole exchange.
            let resumes = match self.mac.silence {
                SilenceRule::WhileNavIsSet => cts.end(),
                SilenceRule::WhileItAwaitsData => rts.nav,
            };
            self.silent.push((to, resumes));
            self.receiver = Some((to, resumes + self.timing.difs));
            self.finish(station, rts.start, Outcome::NoCts(Failure::Channel), cts.end(), true);
            return None;
        }
        Some(cts.end() + self.timing.sifs)
    }

    /// Time until which `station` answers no RTS.
    fn silent_until(&self, station: StationId) -> Time {
        match self.mac.silence {
            SilenceRule::WhileNavIsSet => self.air.bystander(station).nav,
            SilenceRule::WhileItAwaitsData => self.silence(station),
        }
    }

    /// Time until which `station` keeps silent though its NAV is not set.
    fn silence(&self, station: StationId) -> Time {
        let own = self.silent.iter().filter(|silent| silent.0 == station);
        own.map(|silent| silent.1).max().unwrap_or(Time::ZERO)
    }

    /// Bits sent for a data frame in an exchange that starts at `start`.
    #[inline(always)]
    fn sent_bits(&mut self, from: StationId, service: &Service, start: Time) -> u64 {
        self.air.coded_bits(service.mpdu_bits, (from, service.to), start)
    }

    /// Notes how a lone exchange ends. `heard_error`: the sender heard an answer that it could not decode.
    #[inline]
    fn finish(
        &mut self,
        station: StationId,
        start: Time,
        outcome: Outcome,
        end: Time,
        heard_error: bool,
    ) {
        self.end = end;
        // An answer heard and not decoded ends the timeout and leaves EIFS; silence leaves the whole timeout.
        let wait = match outcome {
            Outcome::Success => self.timing.difs,
            _ if heard_error => self.timing.after_error,
            _ => self.timing.after_timeout.max(self.timing.difs),
        };
        let is_told = heard_error || outcome == Outcome::Success;
        self.turns.push(Turn {
            station,
            outcome,
            took: Interval { start, end },
            resumes: end + wait,
            over: if is_told { end } else { end + self.timing.timeout },
        });
    }

    /// True where the receiver of `station`'s frame did not have it yet.
    pub(super) fn take_delivery(
        &mut self,
        station: StationId,
        to: StationId,
        id: PacketId,
    ) -> bool {
        let Some(service) = self.stations[station.index()].service.as_mut() else { return false };
        if service.delivered {
            self.stations[to.index()].stats.duplicates += 1;
            return false;
        }
        service.delivered = true;
        self.delivery = Some((id, to));
        true
    }
}
