//! The exchange on the medium: a collision, or what goes before the data, the data and their answer.

use super::QosCell;
use super::attempt::Sends;
use super::begun::Begun;
use super::contender::Contender;
use super::turn::{Turn, Txop};
use crate::config::BystanderRule;
use crate::exchange::Frame;
use crate::frames::{ACK_BYTES, Kind};
use crate::outcome::{Failure, Outcome};
use crate::rates::RateRef;
use crate::station::Interval;
use crate::witness::Witness;
use base::{Span, Time};

impl QosCell {
    /// A function begins.
    fn begin(&mut self, contender: Contender, start: Time) -> Option<Begun> {
        let QosCell { stations, rates, txop, .. } = self;
        stations.begin(contender, (start, txop.as_ref()), rates, |rates, way, is_request| {
            if is_request { rates.latest(way) } else { rates.choose(start, way, true) }
        })
    }

    /// What EIFS has more than DIFS or AIFS: SIFS and an ACK at the lowest basic rate (802.11-2020, 10.3.7).
    fn error_space(&self) -> Span {
        self.phy.sifs + self.phy.lowest.of_bytes(ACK_BYTES)
    }

    /// Several begin at once: nobody decodes anything.
    pub(super) fn collide<W: Witness>(&mut self, start: Time, witness: &mut W) {
        self.end = start;
        for place in 0..self.winners.len() {
            let contender = Contender(self.winners[place].0.0);
            let Some(begun) = self.begin(contender, start) else {
                self.yielded.push(contender);
                continue;
            };
            let (frame, outcome) = match begun.uses_rts {
                true => {
                    let rts = self.stations.rts(&begun, start, &self.rates);
                    (rts, Outcome::NoCts(Failure::Collision))
                }
                false => {
                    let first = self.stations.first(&begun, start, &self.rates);
                    (first, Outcome::NoAck(Failure::Collision))
                }
            };
            self.report(&frame, &begun, witness);
            if frame.kind == Kind::Data {
                self.report_collided(&begun, frame.end(), witness);
            }
            self.end = self.end.max(frame.end());
            let took = Interval { start, end: frame.end() };
            self.turns.push(Turn { contender, outcome, took, airtime: begun.airtime, come: 0 });
        }
        // Bystanders sense an overlap that they cannot decode.
        let eifs = self.error_space();
        let QosCell { turns, resumption, rates, end, .. } = self;
        let rule = self.stations.all[0].mac.bystanders;
        resumption.from = if rule == BystanderRule::Difs { *end } else { *end + eifs };
        let timeout = rates.timing(RateRef::default()).timeout;
        let apart = turns
            .iter()
            .map(|turn| (turn.contender.station(), (turn.took.end + timeout).max(*end)));
        resumption.apart.extend(apart);
    }

    /// One function has the medium: as much of its exchange as the channel lets through.
    pub(super) fn exchange<W: Witness>(
        &mut self,
        contender: Contender,
        start: Time,
        witness: &mut W,
    ) {
        let Some(mut begun) = self.begin(contender, start) else {
            // It has won with nothing to send, which lifetimes are kept from doing.
            self.yielded.push(contender);
            (self.end, self.resumption.from) = (start, start);
            return;
        };
        if let (None, Some(until)) = (&self.txop, begun.until) {
            let (holder, is_held, next) = (contender, false, Time::NEVER);
            self.txop = Some(Txop { holder, until, is_held, next });
        }
        let mut at = start;
        if begun.uses_rts {
            let rts = self.stations.rts(&begun, start, &self.rates);
            match self.reserve(&begun, &rts, witness) {
                Some(data) => at = data,
                None => return,
            }
        }
        let frame = self.stations.first(&begun, at, &self.rates);
        begun.come = match begun.attempt.sends {
            Sends::Request => u32::from(self.ask(&begun, &frame, witness)),
            _ => self.receive(&begun, &frame, witness),
        };
        if begun.come == 0 {
            return self.miss(&begun, (start, &frame), begun.failed(Failure::Channel));
        }
        self.answer(&begun, start, &frame, witness);
    }

    /// The answer to data or a request that have come.
    fn answer<W: Witness>(&mut self, begun: &Begun, start: Time, frame: &Frame, witness: &mut W) {
        let from = begun.from();
        let timing = *self.rates.timing(begun.rates);
        let mut at = frame.end() + timing.sifs;
        if begun.attempt.sends == Sends::Asked {
            let request = self.stations.request(begun, at, &self.rates);
            if !self.carry(&request, begun, witness) {
                let request = Frame { nav: frame.nav, ..request };
                return self.miss(begun, (start, &request), begun.failed(Failure::Channel));
            }
            at = request.end() + timing.sifs;
        }
        let answer = self.stations.answer(begun, at, &self.rates);
        let is_heard = self.carry(&answer, begun, witness);
        let outcome = if is_heard { Outcome::Success } else { begun.failed(Failure::Channel) };
        self.finish(begun, (start, answer.end()), outcome);
        self.resumption.from = answer.end();
        if !is_heard {
            self.resumption.apart.push((from, answer.end() + self.error_space()));
        }
    }

    /// RTS and CTS. Returns when the data begin where the sender has decoded the CTS.
    fn reserve<W: Witness>(&mut self, begun: &Begun, rts: &Frame, witness: &mut W) -> Option<Time> {
        let timing = *self.rates.timing(begun.rates);
        let failed = Outcome::NoCts(Failure::Channel);
        if !self.carry(rts, begun, witness) {
            let reset = self.stations.all[begun.from().index()].mac.nav_reset;
            let nav = if reset { rts.end() + timing.nav_timeout } else { rts.nav };
            self.miss(begun, (rts.start, &Frame { nav, ..*rts }), failed);
            return None;
        }
        let cts = self.stations.cts(begun, rts, &self.rates);
        if !self.carry(&cts, begun, witness) {
            self.miss(begun, (rts.start, &cts), failed);
            return None;
        }
        Some(cts.end() + timing.sifs)
    }

    /// The addressee has understood nothing, and answers nothing: bystanders keep to the reservation where they have decoded it.
    fn miss(&mut self, begun: &Begun, (start, last): (Time, &Frame), outcome: Outcome) {
        let (eifs, end, nav) = (self.error_space(), last.end(), last.nav);
        let timeout = self.rates.timing(begun.rates).timeout;
        self.finish(begun, (start, end), outcome);
        // Where all share a channel, nobody has decoded it.
        self.resumption.from = if self.channels.len() == 1 { end + eifs } else { nav.max(end) };
        self.resumption.apart.push((begun.from(), end + timeout));
        self.resumption.apart.push((begun.attempt.to, end + eifs));
    }

    fn finish(&mut self, begun: &Begun, (start, end): (Time, Time), outcome: Outcome) {
        self.end = end;
        let took = Interval { start, end };
        let Begun { contender, airtime, come, .. } = *begun;
        self.turns.push(Turn { contender, outcome, took, airtime, come });
    }
}
