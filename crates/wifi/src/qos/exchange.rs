//! The exchange on the medium: a collision, or what goes before the data, the data and their answer.

use super::attempt::{Attempt, Sends};
use super::lanes::Contender;
use super::window::{Budget, DELIMITER};
use super::{QosCell, Turn, Txop};
use crate::config::BystanderRule;
use crate::exchange::Frame;
use crate::frames::{ACK_BYTES, BLOCK_ACK_BYTES, BLOCK_ACK_REQUEST_BYTES, Kind, RTS_BYTES};
use crate::outcome::{Failure, Outcome};
use crate::rates::RateRef;
use crate::station::Interval;
use crate::witness::Witness;
use base::{Span, StationId, Time};
use net::DropReason;

/// Further bytes of a block acknowledgement of more than 64 MPDUs (802.11-2020, 9.3.1.8.2).
const LONG_BITMAP: u32 = 24;

/// An exchange as it begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Begun {
    pub contender: Contender,
    pub attempt: Attempt,
    pub rates: RateRef,
    /// Bytes of the first frame that carries something: the data or the request.
    pub bytes: u64,
    /// Both ends have QoS.
    pub agreed: bool,
    airtime: Span,
    /// What comes behind it: SIFS and answer, and a request between where there is one.
    rest: Span,
    uses_rts: bool,
    /// End of the reservation of a TXOP.
    until: Option<Time>,
    /// MPDUs of it that have come through.
    come: u32,
}

impl Begun {
    pub fn from(&self) -> StationId {
        self.contender.station()
    }

    /// The end of what it reserves, if its data begin at `start`.
    fn nav(&self, start: Time) -> Time {
        let own = start + self.airtime + self.rest;
        self.until.map_or(own, |until| until.max(own))
    }

    fn failed(&self, failure: Failure) -> Outcome {
        if self.uses_rts { Outcome::NoAckAfterCts(failure) } else { Outcome::NoAck(failure) }
    }
}

impl QosCell {
    /// A function begins: what it sends, at which rate, with which durations.
    fn begin(&mut self, contender: Contender, start: Time) -> Option<Begun> {
        let from = contender.station();
        let station = &self.stations[from.index()];
        let (has_qos, mac) = (station.has_qos(), station.mac);
        let function = &station.functions[contender.place()];
        let (parameters, to) = (function.parameters, function.receiver()?);
        // A request says nothing of the rate of data.
        let is_request = function.next_mpdu(0).is_none();
        let rates = self.rate(start, (from, to), is_request);
        let timing = *self.rates.timing(rates);
        let aggregates = has_qos && self.stations[to.index()].has_qos();
        let answer = self.agreed_answer(rates, aggregates);
        let until = match &self.txop {
            Some(txop) => Some(txop.until),
            None => (parameters.txop > Span::ZERO).then_some(start + parameters.txop),
        };
        let left = until.map_or(Span(u64::MAX), |until| until.since(start + timing.sifs + answer));
        let most = timing.most_bytes(self.qos.settings.longest_ppdu.min(left));
        let is_aggregate = aggregates && parameters.ampdu > 0;
        let is_probe = !is_request && self.rates.is_probe((from, to));
        let budget = Budget {
            bytes: if is_aggregate { most.min(u64::from(parameters.ampdu)) } else { most },
            mpdus: if is_aggregate && !is_probe { self.qos.window() } else { 1 },
            amsdu: if aggregates { parameters.amsdu } else { 0 },
            mac_header: mac.mac_header,
            llc_header: mac.llc_header,
        };
        self.feed(start, contender);
        let QosCell { stations, lost, qos, .. } = self;
        let pace = || qos.pace(&timing, &parameters, is_aggregate);
        let lost = |id| lost.push((from, id, DropReason::Lifetime));
        let station = &mut stations[from.index()];
        let attempt = station.begin(start, contender.place(), (&budget, pace), lost)?;
        let (bytes, airtime, rest) = self.sizes(&attempt, rates, aggregates);
        let is_data = attempt.sends != Sends::Request;
        let uses_rts = is_data && self.txop.is_none() && bytes > u64::from(mac.rts_threshold);
        let rate = self.rates.bit_rates(rates).0;
        let stats = &mut self.function(contender).stats;
        stats.rts += u64::from(uses_rts);
        stats.rates_bps += rate.0;
        let (agreed, come) = (aggregates, 0);
        Some(Begun {
            contender,
            attempt,
            rates,
            bytes,
            agreed,
            airtime,
            rest,
            uses_rts,
            until,
            come,
        })
    }

    /// The rate of what begins.
    fn rate(&mut self, start: Time, way: (StationId, StationId), is_request: bool) -> RateRef {
        let QosCell { signals, rates, .. } = self;
        match signals {
            Some(signals) if rates.are_ideal(way) => {
                rates.fastest(way, |rung| signals.is_clear(way, start, rung))
            }
            _ if is_request => rates.latest(way),
            _ => rates.choose(start, way, true),
        }
    }

    /// The bytes and the airtime of an exchange's first frame, behind an RTS or not, and how long what follows takes.
    fn sizes(&self, attempt: &Attempt, rates: RateRef, aggregates: bool) -> (u64, Span, Span) {
        let timing = self.rates.timing(rates);
        let answer = self.agreed_answer(rates, aggregates);
        let single = aggregates && self.qos.generation.has_single_mpdus();
        let request = timing.control(BLOCK_ACK_REQUEST_BYTES);
        let answered = timing.sifs + answer;
        let alone = attempt.psdu.bytes.saturating_sub(if single { 0 } else { DELIMITER });
        let (bytes, rest) = match attempt.sends {
            Sends::Request => return (u64::from(BLOCK_ACK_REQUEST_BYTES), request, answered),
            Sends::Aggregate => (attempt.psdu.bytes, answered),
            Sends::Single => (alone, timing.sifs + timing.ack.airtime),
            Sends::Asked => (alone, timing.sifs + request + answered),
        };
        (bytes, timing.data(bytes * 8), rest)
    }

    /// The answer to whatever goes on the air: a block acknowledgement where both ends have QoS.
    fn agreed_answer(&self, rates: RateRef, aggregates: bool) -> Span {
        if aggregates { self.block_ack(rates) } else { self.rates.timing(rates).ack.airtime }
    }

    /// What EIFS has more than DIFS or AIFS: SIFS and an ACK at the lowest basic rate (802.11-2020, 10.3.7).
    fn error_space(&self) -> Span {
        self.phy.sifs + self.phy.lowest.of_bytes(ACK_BYTES)
    }

    /// A block acknowledgement on the air.
    fn block_ack(&self, rates: RateRef) -> Span {
        let long = if self.qos.window() > 64 { LONG_BITMAP } else { 0 };
        self.rates.timing(rates).control(BLOCK_ACK_BYTES + long)
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
                true => (self.rts(&begun, start), Outcome::NoCts(Failure::Collision)),
                false => (self.first(&begun, start), Outcome::NoAck(Failure::Collision)),
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
        let rule = self.stations[0].mac.bystanders;
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
            let rts = self.rts(&begun, start);
            match self.reserve(&begun, &rts, witness) {
                Some(data) => at = data,
                None => return,
            }
        }
        let frame = self.first(&begun, at);
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
        let (from, to) = (begun.from(), begun.attempt.to);
        let timing = *self.rates.timing(begun.rates);
        let mut at = frame.end() + timing.sifs;
        if begun.attempt.sends == Sends::Asked {
            let airtime = timing.control(BLOCK_ACK_REQUEST_BYTES);
            let request = self.control(Kind::BlockAckRequest, (from, to), begun, (at, airtime));
            if !self.carry(&request, begun, witness) {
                let request = Frame { nav: frame.nav, ..request };
                return self.miss(begun, (start, &request), begun.failed(Failure::Channel));
            }
            at = request.end() + timing.sifs;
        }
        let (kind, airtime) = match begun.attempt.sends {
            Sends::Single => (Kind::Ack, timing.ack.airtime),
            _ => (Kind::BlockAck, self.block_ack(begun.rates)),
        };
        let answer = self.control(kind, (to, from), begun, (at, airtime));
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
            let reset = self.stations[begun.from().index()].mac.nav_reset;
            let nav = if reset { rts.end() + timing.nav_timeout } else { rts.nav };
            self.miss(begun, (rts.start, &Frame { nav, ..*rts }), failed);
            return None;
        }
        let at = rts.end() + timing.sifs;
        let way = (begun.attempt.to, begun.from());
        let cts =
            Frame { nav: rts.nav, ..self.control(Kind::Cts, way, begun, (at, timing.cts.airtime)) };
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
        let is_shared = self.channels.len() == 1 && self.signals.is_none();
        self.resumption.from = if is_shared { end + eifs } else { nav.max(end) };
        if self.signals.is_some() {
            let deaf = self.deaf_bystanders(begun, last);
            self.resumption.apart.extend(deaf.into_iter().map(|at| (at, end + eifs)));
        }
        self.resumption.apart.push((begun.from(), end + timeout));
        self.resumption.apart.push((begun.attempt.to, end + eifs));
    }

    fn finish(&mut self, begun: &Begun, (start, end): (Time, Time), outcome: Outcome) {
        self.end = end;
        let took = Interval { start, end };
        let Begun { contender, airtime, come, .. } = *begun;
        self.turns.push(Turn { contender, outcome, took, airtime, come });
    }

    /// The frame with the data or the request.
    fn first(&self, begun: &Begun, start: Time) -> Frame {
        let way = (begun.from(), begun.attempt.to);
        if begun.attempt.sends == Sends::Request {
            let nav = begun.nav(start);
            let request = self.control(Kind::BlockAckRequest, way, begun, (start, begun.airtime));
            return Frame { nav, ..request };
        }
        let bits = begun.bytes * 8;
        Frame {
            kind: Kind::Data,
            from: way.0,
            to: way.1,
            rates: begun.rates,
            basic: false,
            start,
            airtime: begun.airtime,
            plcp: self.rates.timing(begun.rates).data_plcp(),
            bits,
            sent_bits: bits,
            nav: begun.nav(start),
        }
    }

    fn rts(&self, begun: &Begun, start: Time) -> Frame {
        let timing = self.rates.timing(begun.rates);
        let way = (begun.from(), begun.attempt.to);
        let rts = self.control(Kind::Rts, way, begun, (start, timing.rts.airtime));
        let data = rts.end() + timing.sifs + timing.cts.airtime + timing.sifs;
        Frame { nav: begun.nav(data), ..rts }
    }

    fn control(
        &self,
        kind: Kind,
        (from, to): (StationId, StationId),
        begun: &Begun,
        (start, airtime): (Time, Span),
    ) -> Frame {
        let bytes = match kind {
            Kind::Rts => RTS_BYTES,
            Kind::BlockAck if self.qos.window() > 64 => BLOCK_ACK_BYTES + LONG_BITMAP,
            Kind::BlockAck => BLOCK_ACK_BYTES,
            Kind::BlockAckRequest => BLOCK_ACK_REQUEST_BYTES,
            _ => ACK_BYTES,
        };
        let (bits, rates) = (u64::from(bytes) * 8, begun.rates);
        let plcp = self.rates.timing(rates).control_plcp();
        let (basic, sent_bits, nav) = (false, bits, begun.until.unwrap_or(Time::ZERO));
        Frame { kind, from, to, rates, basic, start, airtime, plcp, bits, sent_bits, nav }
    }
}
