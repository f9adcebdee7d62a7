//! What happens between a start and the end of the medium's use: a collision, or RTS, CTS, DATA and ACK.

use super::{Cell, Turn};
use crate::air::Frame;
use crate::config::SilenceRule;
use crate::frames::{ControlFrame, Kind, Timing};
use crate::outcome::{Failure, Outcome};
use crate::station::Interval;
use crate::witness::Witness;
use base::{PacketId, Span, StationId, Time};

/// A data frame as it goes on the air.
#[derive(Clone, Copy, Debug)]
struct DataForm {
    airtime: Span,
    bits: u64,
    coded: bool,
}

impl Cell {
    /// Several begin at once: nobody decodes anything.
    pub(super) fn collide<W: Witness>(&mut self, witness: &mut W) {
        self.end = Time::ZERO;
        for i in 0..self.winners.len() {
            let (station, start) = self.winners[i];
            let (airtime, outcome) = match self.begin(station, start) {
                Some(service) if service.uses_rts => {
                    (self.timing.rts.airtime, Outcome::NoCts(Failure::Collision))
                }
                Some(service) => {
                    let data = self.data_form(station, service.to, service.mpdu_bits, start);
                    let whole = self.announcement() + data.airtime;
                    (whole, Outcome::NoAck(Failure::Collision))
                }
                None => continue,
            };
            self.report_collider(station, start, airtime, witness);
            // Each sender waits out the timeout that runs from the end of its own frame (10.3.2.9, 10.3.2.11).
            let took = Interval { start, end: start + airtime };
            self.end = self.end.max(took.end);
            let resumes = took.end + self.timing.after_timeout;
            self.turns.push(Turn { station, outcome, took, resumes });
        }
        // Who sent a shorter frame senses the longest to its end and has received nothing: DIFS follows, not EIFS.
        let idle_from = self.end + self.timing.difs;
        for turn in &mut self.turns {
            turn.resumes = turn.resumes.max(idle_from);
        }
        // Nobody can decode an overlap: bystanders wait EIFS and set no NAV (10.3.2.3.7).
        self.air.all_errored();
    }

    /// One station has the medium: as much of its exchange as the channel lets through. Returns when a packet that
    /// its receiver does not have yet arrives there.
    pub(super) fn exchange<W: Witness>(
        &mut self,
        station: StationId,
        start: Time,
        witness: &mut W,
    ) -> Option<Time> {
        let service = self.begin(station, start)?;
        let to = service.to;
        let Timing { announces, cts, ack, sifs, difs, .. } = self.timing;
        // Decided once, at the start: an RTS must announce how long the data will take.
        let DataForm { airtime, bits, coded } =
            self.data_form(station, to, service.mpdu_bits, start);
        let mut at = start;
        if service.uses_rts {
            match self.reserve((station, to), airtime, start, witness) {
                Ok(cts_end) => at = cts_end + sifs,
                Err(()) => return None,
            }
        } else if announces {
            at = start + self.announcement();
            let nav = at + airtime + sifs + ack.airtime;
            self.answer((station, station), start, (Kind::Cts, cts), nav, witness);
        }
        let data_end = at + airtime;
        // Sender and receiver of the exchange are not bound by its own reservation (10.3.2.4).
        self.exempt = [station, to];
        let nav = data_end + sifs + ack.airtime;
        let data_bits = service.mpdu_bits;
        let data = Frame {
            from: station,
            to,
            start: at,
            airtime,
            plcp: self.timing.data_plcp(),
            bits,
            data_bits,
            coded,
            control: false,
            nav,
        };
        let failed = if service.uses_rts { Outcome::NoAckAfterCts } else { Outcome::NoAck };
        if !self.carry(Kind::Data, &data, witness) {
            // The receiver answers nothing and takes EIFS as any bystander; the sender waits out the ACK timeout.
            let wait = self.timing.after_error;
            self.receiver = Some((to, data_end + wait));
            self.finish(station, start, failed(Failure::Channel), data_end, false);
            return None;
        }
        let ack_start = data_end + sifs;
        let answer = (Kind::Ack, ack);
        let acked = self.answer((to, station), ack_start, answer, Time::ZERO, witness);
        let ack_end = ack_start + ack.airtime;
        (self.receiver, self.answerer) = (Some((to, ack_end + difs)), Some(to));
        let outcome = if acked { Outcome::Success } else { failed(Failure::Channel) };
        self.finish(station, start, outcome, ack_end, !acked);
        self.take_delivery(station, to, service.id).then_some(data_end)
    }

    /// How long a CTS to oneself delays the data: with its SIFS, or not at all where none goes before.
    pub(super) fn announcement(&self) -> Span {
        let Timing { announces, cts, sifs, .. } = self.timing;
        if announces { cts.airtime + sifs } else { Span::ZERO }
    }

    /// RTS and CTS. Returns the end of the CTS where the sender decoded it.
    fn reserve<W: Witness>(
        &mut self,
        (station, to): (StationId, StationId),
        data_airtime: Span,
        start: Time,
        witness: &mut W,
    ) -> Result<Time, ()> {
        let timing = self.timing;
        let rts_end = start + timing.rts.airtime;
        let cts_start = rts_end + timing.sifs;
        let cts_end = cts_start + timing.cts.airtime;
        let data_start = cts_end + timing.sifs;
        let nav = data_start + data_airtime + timing.sifs + timing.ack.airtime;
        let silent_until = self.silent_until(to);
        let rts = (Kind::Rts, timing.rts);
        let decoded = self.answer((station, to), start, rts, nav, witness);
        self.exempt = [station, to];
        if !decoded || silent_until > rts_end {
            // Who set its NAV by an RTS gives it up when no data begin within 2 SIFS, a CTS and 2 slots (10.3.2.4).
            if self.mac.nav_reset {
                self.air.shorten_nav(nav, rts_end + timing.nav_timeout);
            }
            let wait = if decoded { timing.difs } else { timing.after_error };
            self.receiver = Some((to, (rts_end + wait).max(silent_until + timing.difs)));
            self.finish(station, start, Outcome::NoCts(Failure::Channel), rts_end, false);
            return Err(());
        }
        let cts = (Kind::Cts, timing.cts);
        if !self.answer((to, station), cts_start, cts, nav, witness) {
            // The CTS is lost. By the standard nothing binds its sender; ns-2 keeps it silent for the whole exchange.
            let resumes = match self.mac.silence {
                SilenceRule::WhileNavIsSet => cts_end,
                SilenceRule::WhileItAwaitsData => nav,
            };
            self.silent.push((to, resumes));
            self.receiver = Some((to, resumes + timing.difs));
            self.finish(station, start, Outcome::NoCts(Failure::Channel), cts_end, true);
            return Err(());
        }
        Ok(cts_end)
    }

    /// Until when `station` answers no RTS.
    fn silent_until(&self, station: StationId) -> Time {
        match self.mac.silence {
            SilenceRule::WhileNavIsSet => self.nav(station),
            SilenceRule::WhileItAwaitsData => self.silence(station),
        }
    }

    /// Until when a reservation binds `station`.
    fn nav(&self, station: StationId) -> Time {
        if self.air.is_uniform() && self.exempt.contains(&station) {
            return Time::ZERO;
        }
        self.air.bystander(station).nav
    }

    /// Until when `station` keeps silent though it holds no NAV.
    fn silence(&self, station: StationId) -> Time {
        let own = self.silent.iter().filter(|silent| silent.0 == station);
        own.map(|silent| silent.1).max().unwrap_or(Time::ZERO)
    }

    /// Puts a control frame on the air; true where its addressee decodes it.
    fn answer<W: Witness>(
        &mut self,
        (from, to): (StationId, StationId),
        start: Time,
        (kind, control): (Kind, ControlFrame),
        nav: Time,
        witness: &mut W,
    ) -> bool {
        let ControlFrame { airtime, plcp, bits } = control;
        let data_bits = bits;
        let frame = Frame {
            from,
            to,
            start,
            airtime,
            plcp,
            bits,
            data_bits,
            coded: false,
            control: true,
            nav,
        };
        self.carry(kind, &frame, witness)
    }

    /// How a data frame of an exchange that starts at `start` is sent: coded or not.
    #[inline(always)]
    fn data_form(
        &mut self,
        from: StationId,
        to: StationId,
        mpdu_bits: u64,
        start: Time,
    ) -> DataForm {
        let code = self.air.code_for(from, to, start);
        let bits = code.map_or(mpdu_bits, |code| code.coded_bits(mpdu_bits));
        DataForm { airtime: self.timing.data(bits), bits, coded: bits != mpdu_bits }
    }

    /// Notes how a lone exchange ends. `heard_error`: the sender heard an answer that it could not decode.
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
        self.turns.push(Turn {
            station,
            outcome,
            took: Interval { start, end },
            resumes: end + wait,
        });
    }

    /// True where the receiver of `station`'s frame did not have it yet.
    fn take_delivery(&mut self, station: StationId, to: StationId, id: PacketId) -> bool {
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
