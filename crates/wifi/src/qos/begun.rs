//! An exchange as it begins: what is sent at which rate, with which durations, and the frames that it is made of.

use super::attempt::{Attempt, Sends};
use super::config::Guard;
use super::contender::Contender;
use super::stations::Stations;
use super::turn::Txop;
use super::window::{Budget, DELIMITER};
use crate::exchange::Frame;
use crate::frames::{
    ACK_BYTES, BLOCK_ACK_BYTES, BLOCK_ACK_REQUEST_BYTES, CF_END_BYTES, CTS_BYTES, Kind, RTS_BYTES,
    Timing,
};
use crate::mlme::GROUP;
use crate::outcome::{Failure, Outcome};
use crate::rates::{RateRef, Rates};
use base::{Span, StationId, Time};
use net::DropReason;

/// Further bytes of a block acknowledgement of more than 64 MPDUs (802.11-2020, 9.3.1.8.2).
const LONG_BITMAP: u32 = 24;

/// What goes before the data of an exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// Nothing.
    None,
    /// An RTS, which is to be answered.
    Rts,
    /// A CTS to oneself.
    CtsToSelf,
}

/// An exchange as it begins.
#[derive(Clone, Copy, Debug)]
pub struct Begun {
    pub contender: Contender,
    pub attempt: Attempt,
    pub rates: RateRef,
    /// Bytes of the first frame that carries something: the data or the request.
    pub bytes: u64,
    /// Both ends have QoS.
    pub agreed: bool,
    pub airtime: Span,
    /// What comes behind it: SIFS and answer, and a request between where there is one.
    rest: Span,
    pub opening: Opening,
    /// End of the reservation of a TXOP.
    pub until: Option<Time>,
    /// MPDUs of it that have come through.
    pub come: u32,
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

    /// Its outcome where no answer comes to its data or request.
    pub fn failed(&self, failure: Failure) -> Outcome {
        match self.opening {
            Opening::Rts => Outcome::NoAckAfterCts(failure),
            Opening::None | Opening::CtsToSelf => Outcome::NoAck(failure),
        }
    }
}

/// Bytes of the longest frame that may be sent, `left` being what a TXOP leaves beside the answer. What `guards` frames above a
/// threshold takes its part of it.
fn longest_frame(
    timing: &Timing,
    (left, longest): (Option<Span>, Span),
    guards: Option<(Guard, u32)>,
) -> u64 {
    let bytes =
        |left: Option<Span>| timing.most_bytes(left.map_or(longest, |left| longest.min(left)));
    let most = bytes(left);
    let Some((guard, _)) = guards.filter(|(_, threshold)| most > u64::from(*threshold)) else {
        return most;
    };
    let cts = timing.control(CTS_BYTES) + timing.sifs;
    let taken = match guard {
        Guard::RtsCts => timing.control(RTS_BYTES) + timing.sifs + cts,
        Guard::CtsToSelf => cts,
    };
    bytes(left.map(|left| Span(left.0.saturating_sub(taken.0))))
}

impl Stations {
    /// A function begins, `txop` being the one that it holds, if it does: what it sends, at the rate that `choose` gives for a
    /// receiver and for a request or data, with which durations.
    pub(crate) fn begin(
        &mut self,
        contender: Contender,
        (start, txop): (Time, Option<&Txop>),
        rates: &mut Rates,
        choose: impl FnOnce(&mut Rates, (StationId, StationId), bool) -> RateRef,
    ) -> Option<Begun> {
        let from = contender.station();
        let (mac, qos) = (self.all[from.index()].mac, self.all[from.index()].qos);
        let function = self.function(contender);
        let (parameters, to) = (function.parameters, function.receiver()?);
        // A request says nothing of the rate of data.
        let is_request = function.next_mpdu(0).is_none();
        let rate = choose(rates, (from, to), is_request);
        let timing = *rates.timing(rate);
        let aggregates = self.all[from.index()].has_qos() && self.all[to.index()].has_qos();
        let until = match txop {
            Some(txop) => Some(txop.until),
            None => (parameters.txop > Span::ZERO).then_some(start + parameters.txop),
        };
        let most = {
            let answer = self.agreed_answer(from, (rate, rates), aggregates);
            let left = until.map(|until| until.since(start + timing.sifs + answer));
            let guards = txop.is_none().then_some((qos.settings.guard, mac.rts_threshold));
            longest_frame(&timing, (left, qos.settings.longest_ppdu), guards)
        };
        let is_aggregate = aggregates && parameters.ampdu > 0;
        let is_probe = !is_request && rates.is_probe((from, to));
        let budget = Budget {
            bytes: if is_aggregate { most.min(u64::from(parameters.ampdu)) } else { most },
            mpdus: if is_aggregate && !is_probe { qos.window() } else { 1 },
            amsdu: if aggregates { parameters.amsdu } else { 0 },
            mac_header: mac.mac_header,
            llc_header: mac.llc_header,
        };
        self.feed(start, contender);
        let Stations { all, lost, .. } = self;
        let pace = || qos.pace(&timing, &parameters, is_aggregate);
        let lost = |id| lost.push((from, id, DropReason::Lifetime));
        let station = &mut all[from.index()];
        let attempt = station.begin(start, contender.place(), (&budget, pace), lost)?;
        let (bytes, airtime, rest) = self.sizes(from, &attempt, (rate, rates), aggregates);
        let is_data = attempt.sends != Sends::Request;
        let is_guarded = is_data && txop.is_none() && bytes > u64::from(mac.rts_threshold);
        let opening = match qos.settings.guard {
            _ if !is_guarded => Opening::None,
            Guard::RtsCts => Opening::Rts,
            Guard::CtsToSelf => Opening::CtsToSelf,
        };
        let stats = &mut self.function(contender).stats;
        stats.rts += u64::from(opening == Opening::Rts);
        stats.rates_bps += rates.bit_rates(rate).0.0;
        Some(Begun {
            contender,
            attempt,
            rates: rate,
            bytes,
            agreed: aggregates,
            airtime,
            rest,
            opening,
            until,
            come: 0,
        })
    }

    /// The bytes and the airtime of an exchange's data or request, whatever goes before, and how long what follows takes.
    fn sizes(
        &self,
        from: StationId,
        attempt: &Attempt,
        (rate, rates): (RateRef, &Rates),
        aggregates: bool,
    ) -> (u64, Span, Span) {
        let timing = rates.timing(rate);
        let answer = self.agreed_answer(from, (rate, rates), aggregates);
        let single = aggregates && self.all[from.index()].qos.generation.has_single_mpdus();
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
    fn agreed_answer(
        &self,
        from: StationId,
        (rate, rates): (RateRef, &Rates),
        aggregates: bool,
    ) -> Span {
        let timing = rates.timing(rate);
        if aggregates { timing.control(self.block_ack_bytes(from)) } else { timing.ack.airtime }
    }

    /// Bytes of a block acknowledgement to a station.
    fn block_ack_bytes(&self, from: StationId) -> u32 {
        let long = if self.all[from.index()].qos.window() > 64 { LONG_BITMAP } else { 0 };
        BLOCK_ACK_BYTES + long
    }

    /// The frame with which an exchange begins.
    pub(crate) fn opening(&self, begun: &Begun, start: Time, rates: &Rates) -> Frame {
        match begun.opening {
            Opening::None => self.first(begun, start, rates),
            Opening::Rts => self.rts(begun, start, rates),
            Opening::CtsToSelf => self.announcement(begun, start, rates),
        }
    }

    /// The frame with the data or the request.
    pub(crate) fn first(&self, begun: &Begun, start: Time, rates: &Rates) -> Frame {
        let way = (begun.from(), begun.attempt.to);
        if begun.attempt.sends == Sends::Request {
            let request = self.request(begun, start, rates);
            return Frame { nav: begun.nav(start), ..request };
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
            plcp: rates.timing(begun.rates).data_plcp(),
            bits,
            sent_bits: bits,
            nav: begun.nav(start),
        }
    }

    /// The CTS to oneself before the data (802.11-2020, 10.27).
    fn announcement(&self, begun: &Begun, start: Time, rates: &Rates) -> Frame {
        let own = (begun.from(), begun.from());
        let cts = self.control((Kind::Cts, CTS_BYTES), own, begun, (start, rates));
        let data = cts.end() + rates.timing(begun.rates).sifs;
        Frame { nav: begun.nav(data), ..cts }
    }

    /// The RTS before the data.
    fn rts(&self, begun: &Begun, start: Time, rates: &Rates) -> Frame {
        let timing = rates.timing(begun.rates);
        let way = (begun.from(), begun.attempt.to);
        let rts = self.control((Kind::Rts, RTS_BYTES), way, begun, (start, rates));
        let data = rts.end() + timing.sifs + timing.cts.airtime + timing.sifs;
        Frame { nav: begun.nav(data), ..rts }
    }

    /// The CTS that answers an RTS, with what is left of its reservation.
    pub(crate) fn cts(&self, begun: &Begun, rts: &Frame, rates: &Rates) -> Frame {
        let (way, at) = ((rts.to, rts.from), rts.end() + rates.timing(begun.rates).sifs);
        let cts = self.control((Kind::Cts, CTS_BYTES), way, begun, (at, rates));
        Frame { nav: rts.nav, ..cts }
    }

    /// A block ack request: alone, or behind the data.
    pub(crate) fn request(&self, begun: &Begun, start: Time, rates: &Rates) -> Frame {
        let way = (begun.from(), begun.attempt.to);
        let of = (Kind::BlockAckRequest, BLOCK_ACK_REQUEST_BYTES);
        self.control(of, way, begun, (start, rates))
    }

    /// The answer to data or a request, which begins at `start`.
    pub(crate) fn answer(&self, begun: &Begun, start: Time, rates: &Rates) -> Frame {
        let way = (begun.attempt.to, begun.from());
        let of = match begun.attempt.sends {
            Sends::Single => (Kind::Ack, ACK_BYTES),
            _ => (Kind::BlockAck, self.block_ack_bytes(begun.from())),
        };
        self.control(of, way, begun, (start, rates))
    }

    fn control(
        &self,
        (kind, bytes): (Kind, u32),
        (from, to): (StationId, StationId),
        begun: &Begun,
        (start, rates): (Time, &Rates),
    ) -> Frame {
        let (bits, timing) = (u64::from(bytes) * 8, rates.timing(begun.rates));
        let (airtime, plcp) = (timing.control(bytes), timing.control_plcp());
        let (basic, sent_bits, nav) = (false, bits, begun.until.unwrap_or(Time::ZERO));
        let rates = begun.rates;
        Frame { kind, from, to, rates, basic, start, airtime, plcp, bits, sent_bits, nav }
    }

    /// The frame that frees the medium (802.11-2020, 9.3.1.6 and 10.23.2.9), at the lowest basic rate of `rate`.
    pub(crate) fn cf_end(
        &self,
        from: StationId,
        start: Time,
        (rate, rates): (RateRef, &Rates),
    ) -> Frame {
        let (bits, timing) = (u64::from(CF_END_BYTES) * 8, rates.timing(rate));
        Frame {
            kind: Kind::End,
            from,
            to: GROUP,
            rates: rate,
            basic: true,
            start,
            airtime: timing.basic(bits),
            plcp: timing.basic_plcp(),
            bits,
            sent_bits: bits,
            nav: Time::ZERO,
        }
    }

    /// True where what the holder of a TXOP would send next is over, with its answer, before the TXOP is.
    pub(crate) fn fits(
        &self,
        holder: Contender,
        (start, until): (Time, Time),
        rates: &Rates,
    ) -> bool {
        let station = &self.all[holder.station().index()];
        let (mac, function) = (station.mac, &station.functions[holder.place()]);
        let Some(to) = function.receiver() else { return false };
        let bytes = function.next_mpdu(mac.data_overhead());
        let timing = rates.timing(rates.latest((holder.station(), to)));
        let frame = match bytes {
            Some(bytes) => timing.data((u64::from(bytes) + DELIMITER) * 8),
            None => timing.control(BLOCK_ACK_REQUEST_BYTES),
        };
        let answer = match bytes {
            Some(_) => timing.ack.airtime,
            None => timing.control(self.block_ack_bytes(holder.station())),
        };
        start + frame + timing.sifs + answer <= until
    }
}
