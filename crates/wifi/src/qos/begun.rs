//! An exchange as it begins: what is sent at which rate, with which durations, and the frames that it is made of.

use super::attempt::{Attempt, Sends};
use super::config::{Guard, Sent};
use super::contender::Contender;
use super::station::QosStation;
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

/// The frame before the data of an exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// Nothing.
    None,
    /// An RTS, which is to be answered.
    Rts,
    /// A CTS to oneself.
    CtsToSelf,
}

impl Opening {
    pub(super) fn of(guard: Guard) -> Opening {
        match guard {
            Guard::RtsCts => Opening::Rts,
            Guard::CtsToSelf => Opening::CtsToSelf,
        }
    }

    /// The time until the data begin.
    fn takes(self, timing: &Timing) -> Span {
        let cts = timing.control(CTS_BYTES) + timing.sifs;
        match self {
            Opening::None => Span::ZERO,
            Opening::Rts => timing.control(RTS_BYTES) + timing.sifs + cts,
            Opening::CtsToSelf => cts,
        }
    }
}

/// An exchange as it begins.
#[derive(Clone, Copy, Debug)]
pub struct Begun {
    pub contender: Contender,
    pub start: Time,
    pub attempt: Attempt,
    pub rates: RateRef,
    /// Bytes of the first frame that carries something: the data or the request.
    pub bytes: u64,
    /// See [`Stations::agree`].
    pub agreed: bool,
    pub airtime: Span,
    /// The time behind it: SIFS and answer.
    pub rest: Span,
    pub opening: Opening,
    /// End of the reservation of a TXOP.
    pub until: Option<Time>,
    /// MPDUs of it that have come through.
    pub come: u32,
    /// Packets whose lifetime was over when it began.
    pub expired: usize,
}

impl Begun {
    pub fn from(&self) -> StationId {
        self.contender.station()
    }

    /// The end of what it reserves, if its data begin at `start`.
    pub(super) fn nav(&self, start: Time) -> Time {
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

/// When an exchange may go on the air.
#[derive(Clone, Copy)]
pub(super) struct Room {
    pub start: Time,
    /// The end of its TXOP, if that is limited.
    pub until: Option<Time>,
    /// It begins its TXOP, so that frames above a threshold are guarded.
    pub opens: bool,
}

impl Room {
    fn new(start: Time, txop: Option<&Txop>, limit: Span) -> Room {
        let own = (limit > Span::ZERO).then_some(start + limit);
        Room { start, until: txop.map_or(own, |txop| Some(txop.until)), opens: txop.is_none() }
    }
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
        let category = function.category;
        let room = Room::new(start, txop, parameters.txop);
        let is_action = function.action().is_some();
        // What was found to fit the TXOP may have been overtaken since.
        if let Some(txop) = txop.filter(|txop| is_action || txop.to != Some(to)) {
            self.fitting(contender, (start, txop.until), rates)?;
        }
        if is_action {
            return self.begin_action(contender, room, rates);
        }
        // A request says nothing of the rate of data.
        let function = self.function(contender);
        let is_request = function.next_mpdu(0).is_none();
        let rate = choose(rates, (from, to), is_request);
        let timing = *rates.timing(rate);
        let aggregates = self.agree(from, to);
        let budget = self.budget(contender, to, (rate, rates), room);
        self.feed(start, contender);
        let Stations { all, lost, .. } = self;
        let before = lost.len();
        let added = mac.data_overhead();
        let sent = Sent { category, parameters: &parameters, added, aggregates };
        let pace = || qos.pace(rate, rates, &sent);
        let lost = |id| lost.push((from, id, DropReason::Lifetime));
        let station = &mut all[from.index()];
        let attempt = station.begin(start, contender.place(), (&budget, pace), lost)?;
        let expired = self.lost.len() - before;
        let (bytes, airtime, rest) = self.sizes(from, &attempt, (rate, rates), aggregates);
        let is_data = attempt.sends != Sends::Request;
        let opening = match is_data && room.opens {
            true if bytes > u64::from(mac.rts_threshold) => Opening::of(qos.settings.guard),
            // Stations of 802.11b do not hear OFDM (802.11-2020, 10.27.2).
            true if timing.announces => Opening::CtsToSelf,
            _ => Opening::None,
        };
        let stats = &mut self.function(contender).stats;
        stats.rts += u64::from(opening == Opening::Rts);
        stats.rates_bps += rates.bit_rates(rate).0.0;
        Some(Begun {
            contender,
            start,
            attempt,
            rates: rate,
            bytes,
            agreed: aggregates,
            airtime,
            rest,
            opening,
            until: room.until,
            come: 0,
            expired,
        })
    }

    /// Both stations have QoS.
    pub(super) fn have_qos(&self, from: StationId, to: StationId) -> bool {
        [from, to].iter().all(|at| self.all[at.index()].has_qos())
    }

    /// Both stations have QoS, and rates of 802.11n or later where some have: there may be block-ack agreements.
    pub(super) fn agree(&self, from: StationId, to: StationId) -> bool {
        [from, to].iter().map(|at| &self.all[at.index()]).all(|at| at.has_qos() && !at.is_older)
    }

    /// The limits of what an exchange carries.
    fn budget(
        &self,
        of: Contender,
        to: StationId,
        (rate, rates): (RateRef, &Rates),
        room: Room,
    ) -> Budget {
        let from = of.station();
        let QosStation { mac, qos, functions, .. } = &self.all[from.index()];
        let function = &functions[of.place()];
        let (parameters, aggregates) = (function.parameters, self.agree(from, to));
        let most = self.longest_frame(from, to, (rate, rates), room);
        let is_aggregate = aggregates && function.may_aggregate(to);
        let is_probe = function.next_mpdu(0).is_some() && rates.is_probe((from, to));
        Budget {
            bytes: if is_aggregate { most.min(u64::from(parameters.ampdu)) } else { most },
            mpdus: if is_aggregate && !is_probe { qos.window() } else { 1 },
            amsdu: if aggregates { parameters.amsdu } else { 0 },
            mac_header: mac.mac_header,
            llc_header: mac.llc_header,
            agreed: aggregates,
        }
    }

    /// Bytes of the longest frame whose answer comes before its TXOP ends, behind what guards it.
    fn longest_frame(
        &self,
        from: StationId,
        to: StationId,
        (rate, rates): (RateRef, &Rates),
        Room { start, until, opens }: Room,
    ) -> u64 {
        let QosStation { mac, qos, .. } = &self.all[from.index()];
        let (timing, longest) = (rates.timing(rate), qos.settings.longest_ppdu);
        let Some(until) = until else { return timing.most_bytes(longest) };
        let answer = timing.sifs + self.agreed_answer(from, (rate, rates), self.agree(from, to));
        let behind = |guard| timing.most_bytes(longest.min(until.since(start + guard + answer)));
        let usual = if timing.announces { Opening::CtsToSelf } else { Opening::None };
        let usual = if opens { usual.takes(timing) } else { Span::ZERO };
        let (most, threshold) = (behind(usual), u64::from(mac.rts_threshold));
        if !opens || most <= threshold {
            return most;
        }
        behind(Opening::of(qos.settings.guard).takes(timing)).max(threshold)
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
            Sends::Single | Sends::Action => (alone, timing.sifs + timing.ack.airtime),
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
    pub(super) fn block_ack_bytes(&self, from: StationId) -> u32 {
        let long = if self.all[from.index()].qos.window() > 64 { LONG_BITMAP } else { 0 };
        BLOCK_ACK_BYTES + long
    }

    /// The frame with which an exchange begins.
    pub(crate) fn opening(&self, begun: &Begun, rates: &Rates) -> Frame {
        match begun.opening {
            Opening::None => self.first(begun, begun.start, rates),
            Opening::Rts => self.rts(begun, begun.start, rates),
            Opening::CtsToSelf => self.announcement(begun, begun.start, rates),
        }
    }

    /// The frame with the data or the request.
    pub(crate) fn first(&self, begun: &Begun, start: Time, rates: &Rates) -> Frame {
        let way = (begun.from(), begun.attempt.to);
        if begun.attempt.sends == Sends::Request {
            let request = self.request(begun, start, rates);
            return Frame { nav: begun.nav(start), ..request };
        }
        if begun.attempt.sends == Sends::Action {
            return self.action(begun, start, rates);
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

    /// A block ack request.
    pub(crate) fn request(&self, begun: &Begun, start: Time, rates: &Rates) -> Frame {
        let way = (begun.from(), begun.attempt.to);
        let of = (Kind::BlockAckRequest, BLOCK_ACK_REQUEST_BYTES);
        self.control(of, way, begun, (start, rates))
    }

    /// The answer to data or a request, which begins at `start`.
    pub(crate) fn answer(&self, begun: &Begun, start: Time, rates: &Rates) -> Frame {
        let way = (begun.attempt.to, begun.from());
        let of = match begun.attempt.sends {
            Sends::Single | Sends::Action => (Kind::Ack, ACK_BYTES),
            _ => (Kind::BlockAck, self.block_ack_bytes(begun.from())),
        };
        let answer = self.control(of, way, begun, (start, rates));
        if begun.attempt.sends != Sends::Action {
            return answer;
        }
        let basic = rates.timing(begun.rates).basic_ack;
        Frame { basic: true, airtime: basic.airtime, plcp: basic.plcp, ..answer }
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
}
