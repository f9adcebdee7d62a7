//! Exchanges of access functions on a medium: they begin, go on, and are concluded.

use super::edca::Edca;
use super::parts::noise_share;
use super::receiver::Reception;
use super::{Happened, Medium};
use crate::exchange::Frame;
use crate::outcome::{Failure, Outcome};
use crate::qos::{Begun, Contender, Turn, Txop};
use crate::rates::RateRef;
use crate::station::Interval;
use crate::witness::Witness;
use base::{Span, StationId, Time};
use net::Ended;
use radio::noise::sinr;

/// A rate is clear where fewer bits than this are lost (ns-3's `IdealWifiManager`).
const CLEAR: f64 = 1e-6;

impl Medium {
    /// An event is over: packets that functions have given up in it are passed on, and the next start is known.
    #[inline]
    pub(super) fn end_event(&mut self, happened: &mut Happened) {
        if let Some(edca) = &mut self.edca {
            happened.lost.append(&mut edca.stations.lost);
            if !edca.stations.landed.is_empty() {
                happened.landed.append(&mut edca.stations.landed);
            }
        }
        self.starts.settle();
    }

    /// Begins the exchanges of access functions of all stations that start at this instant. What is left of `winners` are those
    /// that begin with management frames. Of the functions of one station only the highest sends (802.11-2020, 10.23.2.4).
    pub(super) fn begin_functions<W: Witness>(
        &mut self,
        winners: &mut Vec<StationId>,
        now: Time,
        witness: &mut W,
    ) {
        let Some(edca) = &mut self.edca else { return };
        let mut chosen = std::mem::take(&mut edca.chosen);
        winners.retain(|&station| {
            let function = self.choose_function(station, now);
            chosen.extend(function.map(|function| (station, function)));
            function.is_none()
        });
        for (station, function) in chosen.drain(..) {
            self.begin_function(Contender::of(station, function), now, witness);
        }
        if let Some(edca) = &mut self.edca {
            edca.chosen = chosen;
        }
    }

    /// The function with which a station begins, which it does now; `None`: it begins with a management frame. Others that
    /// would begin give way.
    fn choose_function(&mut self, station: StationId, now: Time) -> Option<usize> {
        let (edca, node) = (self.edca.as_mut()?, &mut self.nodes[station.index()]);
        let is_management = node.counter.start(node.slot) == now;
        let functions = node.functions.as_mut()?;
        let begins = |&place: &usize| functions.begins(place, now);
        let all = 0..functions.functions.len();
        let due = all.clone().filter(begins).fold(0_u8, |due, place| due | 1 << place);
        functions.freeze(now);
        let highest = due.checked_ilog2().map(|place| place as usize).filter(|_| !is_management);
        for place in all.filter(|place| due >> place & 1 == 1) {
            functions.functions[place].counter.begin();
            if Some(place) != highest {
                let contender = Contender::of(station, place);
                edca.stations.function(contender).yield_to_higher();
                functions.draw(place, edca.stations.draw_anew(now, contender));
            }
        }
        if is_management {
            node.counter.begin();
        }
        highest
    }

    /// A function begins its exchange with its first frame.
    fn begin_function<W: Witness>(&mut self, of: Contender, now: Time, witness: &mut W) {
        let station = of.station();
        let Some(begun) = self.make_exchange(of, now) else {
            return self.end_txop(of, true, now);
        };
        let Some(edca) = &mut self.edca else { return };
        let seat = &mut edca.seats[station.index()];
        if let (None, Some(until)) = (&seat.txop, begun.until) {
            seat.txop = Some(Txop::new(of, until));
        }
        seat.begun = Some(begun);
        let frame = edca.stations.opening(&begun, &self.rates);
        let node = &mut self.nodes[station.index()];
        (node.exchange, node.rates) = (Interval { start: now, end: now }, begun.rates);
        (node.blame, node.cts_came, node.reply) = (Failure::Channel, false, None);
        self.launch(frame, witness);
    }

    /// What a function sends, at which rate: nothing where it has nothing any more.
    fn make_exchange(&mut self, of: Contender, now: Time) -> Option<Begun> {
        let Medium { edca, rates, links, hazards, reception, .. } = self;
        let Edca { stations, seats, .. } = edca.as_deref_mut()?;
        let txop = seats[of.station().index()].txop.as_ref();
        stations.begin(of, (now, txop), rates, |rates, way, is_request| {
            if rates.are_ideal(way) {
                let power_w = links.power_w(way.0, way.1, now);
                rates.fastest(way, |rung| match reception {
                    _ if power_w < reception.receive_w() => false,
                    Reception::Thresholds(_) => true,
                    Reception::Sinr(config) => {
                        let ratio = sinr(power_w, 0.0, config.noise_w * noise_share(rung));
                        hazards.of_bit(rung.modulations.data, ratio) < CLEAR
                    }
                })
            } else if is_request {
                rates.latest(way)
            } else {
                rates.choose(now, way, true)
            }
        })
    }

    /// A request has come to its addressee: what it gives up is not waited for, and it is answered.
    pub(super) fn take_request(
        &mut self,
        at: StationId,
        frame: &Frame,
        now: Time,
        happened: &mut Happened,
    ) {
        let Some(edca) = &mut self.edca else { return };
        let Some(begun) = &mut edca.seats[frame.from.index()].begun else { return };
        begun.come = 1;
        let begun = *begun;
        let before = happened.landed.len();
        let up = |id, to| happened.landed.push((id, to));
        edca.stations.function(begun.contender).be_asked(now, up);
        self.land(frame, now, before, happened);
        self.acknowledge(at, &begun, now);
    }

    /// An action frame has come to its addressee.
    pub(super) fn take_action(&mut self, at: StationId, frame: &Frame, now: Time) {
        let Some((_, &begun)) = self.exchange_of(frame.from) else { return };
        self.acknowledge(at, &begun, now);
        if !self.managers.is_empty() {
            self.note_unknown(at, frame.from);
            if !self.takes_from(at, frame.from) {
                return;
            }
        }
        if let Some(edca) = &mut self.edca {
            edca.stations.take_action(now, now, begun.contender);
        }
        self.schedule_alarms();
        self.request_roused(now);
    }

    /// Functions that have something to send since a frame has come, or has not, contend.
    pub(super) fn request_roused(&mut self, now: Time) {
        while let Some(of) = self.edca.as_mut().and_then(|edca| edca.stations.roused.pop()) {
            self.request_function(now, of);
        }
    }

    /// Responses that stations wait for may have failed to come.
    pub(super) fn end_waits(&mut self, now: Time) {
        if let Some(edca) = &mut self.edca {
            edca.stations.ring(now);
        }
        self.schedule_alarms();
        self.request_roused(now);
    }

    /// Answers MPDUs or a request that have come.
    pub(super) fn acknowledge(&mut self, at: StationId, begun: &Begun, now: Time) {
        let Some(edca) = &self.edca else { return };
        let start = now + self.nodes[at.index()].waits.sifs;
        let answer = edca.stations.answer(begun, start, &self.rates);
        self.reply(answer);
    }

    /// The exchange of a function is over for its sender.
    pub(super) fn conclude_function(
        &mut self,
        at: StationId,
        outcome: Outcome,
        now: Time,
        happened: &mut Happened,
    ) {
        let Some(edca) = &mut self.edca else { return };
        let Some(begun) = edca.seats[at.index()].begun.take() else { return };
        let took = self.nodes[at.index()].exchange;
        let Begun { contender, rates, airtime, rest, come, expired, .. } = begun;
        let before = edca.stations.lost.len();
        let turn = Turn { contender, outcome, took, rates, airtime, rest, come };
        edca.stations.conclude(&turn, &mut self.rates);
        let given_up = expired + edca.stations.lost.len() - before;
        edca.stations.part_at_last(now, contender, &mut happened.landed);
        // So that a TXOP goes on with what has waited behind it.
        if edca.stations.all[at.index()].sharing.is_some() {
            edca.stations.feed(now, contender);
        }
        happened.ended.push(Ended { station: at, dropped: None });
        self.note_exchange(at, outcome, given_up);
        if !self.holds_txop((contender, rates), outcome, now) {
            self.end_txop(contender, outcome == Outcome::Success, now);
        }
        self.schedule_alarms();
        self.request_roused(now);
    }

    /// True where the holder of a TXOP sends again, without contention.
    fn holds_txop(
        &mut self,
        (holder, rates): (Contender, RateRef),
        outcome: Outcome,
        now: Time,
    ) -> bool {
        let (at, node) = (holder.station(), &mut self.nodes[holder.station().index()]);
        let Some(edca) = &mut self.edca else { return false };
        let Some(txop) = &mut edca.seats[at.index()].txop else { return false };
        if edca.stations.all[at.index()].is_held {
            return false;
        }
        let sifs = node.waits.sifs;
        let (next, idle_for) = match outcome {
            Outcome::Success => (now + sifs, Span::ZERO),
            // Its first exchange has failed: it contends again.
            _ if !txop.is_held => return false,
            // PIFS recovery (802.11-2020, 10.23.2.8).
            _ => {
                let timeout = self.rates.timing(rates).timeout;
                let pifs = sifs + node.slot;
                ((node.exchange.end + timeout).max(now) + pifs, pifs)
            }
        };
        (txop.is_held, txop.next, txop.idle_for) = (true, next, idle_for);
        txop.to = edca.stations.fitting(holder, (next, txop.until), &self.rates);
        if txop.to.is_none() {
            return false;
        }
        if let Some(functions) = &mut node.functions {
            functions.hold();
        }
        node.counter.resume(Time::NEVER);
        self.note_start(at);
        self.schedule(next, super::Due::Answer(at));
        true
    }

    /// The holder of a TXOP goes on, unless it hears somebody, or has heard somebody within the PIFS of a recovery.
    pub(super) fn go_on_with_txop<W: Witness>(
        &mut self,
        at: StationId,
        now: Time,
        witness: &mut W,
    ) {
        let Some(edca) = &mut self.edca else { return };
        let txop = edca.seats[at.index()].txop.as_mut().filter(|txop| txop.next == now);
        let Some(txop) = txop else { return };
        txop.next = Time::NEVER;
        let (holder, idle_for) = (txop.holder, txop.idle_for);
        let node = &mut self.nodes[at.index()];
        let mut is_free = node.is_idle() && node.reserved_until() <= now;
        if let Some(functions) = &mut node.functions {
            functions.is_held = false;
            is_free &= functions.idle_since + idle_for <= now;
        }
        let is_held = edca.stations.all[at.index()].is_held;
        if is_free && !is_held {
            self.begin_function(holder, now, witness);
        } else {
            edca.seats[at.index()].txop = None;
            self.end_txop(holder, false, now);
        }
    }

    /// A function backs off again, and ends its TXOP, if it has one: with a CF-End where that fits and the medium `is_idle`: an
    /// answer has just come, or it was found so (802.11-2020, 10.23.2.8 and 10.23.2.9).
    fn end_txop(&mut self, holder: Contender, is_idle: bool, now: Time) {
        let at = holder.station();
        let Some(edca) = &mut self.edca else { return };
        let drawn = edca.stations.draw_anew(now, holder);
        let txop = edca.seats[at.index()].txop.take().filter(|txop| txop.is_held);
        let node = &mut self.nodes[at.index()];
        if let Some(functions) = &mut node.functions {
            functions.is_held = false;
            functions.draw(holder.place(), drawn);
        }
        if let Some(Txop { until, .. }) = txop {
            let start = now + node.waits.sifs;
            let rate = (RateRef::default(), &self.rates);
            let frame = edca.stations.cf_end(at, start, rate);
            if is_idle && frame.end() <= until {
                self.reply(frame);
            }
        }
        self.resume_if_idle(at, now);
        self.note_free(at);
        self.note_start(at);
    }
}
