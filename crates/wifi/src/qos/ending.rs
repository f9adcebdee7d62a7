//! The end of an exchange: what becomes of what was sent, whether the TXOP goes on, and when all contend again.

use super::attempt::{Attempt, Sends};
use super::lanes::Contender;
use super::window::DELIMITER;
use super::{FUNCTION_BITS, QosCell, Turn, Txop, contender};
use crate::exchange::Frame;
use crate::frames::{BLOCK_ACK_BYTES, BLOCK_ACK_REQUEST_BYTES, CF_END_BYTES, Kind};
use crate::mlme::GROUP;
use crate::outcome::Outcome;
use crate::rates::RateRef;
use crate::witness::Witness;
use base::{StationId, Time};
use net::{Ended, Out};

impl QosCell {
    /// Ends an exchange when the medium is free: stations that may have room go to `out`, with packets that were given up. Asked
    /// again at the time that it returns: a frame that ends a TXOP, which goes to `witness`, is then over.
    pub fn on_end<M, W: Witness>(
        &mut self,
        now: Time,
        out: &mut Out<M>,
        witness: &mut W,
    ) -> Option<Time> {
        if std::mem::take(&mut self.is_ending) {
            self.resumption.from = now;
            self.resume();
            return None;
        }
        for place in 0..self.turns.len() {
            self.conclude(place);
            let Turn { contender, .. } = self.turns[place];
            let station = contender.station();
            // So that a TXOP goes on with what has waited behind it.
            if self.stations[station.index()].sharing.is_some() {
                self.feed(now, contender);
            }
            out.ended.push(Ended { station, dropped: None });
        }
        out.lost.append(&mut self.lost);
        if self.goes_on(now) {
            return None;
        }
        self.draw_anew(now);
        self.end_txop(now, witness)
    }

    /// Concludes an exchange for its sender.
    fn conclude(&mut self, place: usize) {
        let Turn { contender, outcome, took, airtime, come } = self.turns[place];
        let (station, since) = (contender.station(), self.measured_since);
        let QosCell { stations, lost, rates, .. } = self;
        let function = &mut stations[station.index()].functions[contender.place()];
        function.stats.airtime += took.since(since);
        let (category, attempt) = (function.category, function.attempt);
        let lost = |id, reason| lost.push((station, id, reason));
        stations[station.index()].conclude(contender.place(), (outcome, airtime), lost);
        let Some(Attempt { to, sends, psdu }) = attempt else { return };
        if sends != Sends::Request {
            rates.conclude_aggregate((station, to), outcome, (psdu.mpdus, come));
        }
        if let (Outcome::Success, Some(sharing)) = (outcome, &mut stations[to.index()].sharing) {
            sharing.charge((category, station), airtime);
        }
    }

    /// True where the holder of a TXOP sends again, without contention.
    fn goes_on(&mut self, now: Time) -> bool {
        let Some(Txop { holder, until, is_held, .. }) = self.txop else { return false };
        let Some(turn) = self.turns.first() else { return false };
        let next = match turn.outcome {
            Outcome::Success => now + self.phy.sifs,
            // Its first exchange has failed: it contends again.
            _ if !is_held => return false,
            // PIFS recovery (802.11-2020, 10.23.2.8).
            _ => {
                let timeout = self.rates.timing(RateRef::default()).timeout;
                now + timeout + self.phy.sifs + self.phy.slot
            }
        };
        let is_held = true;
        self.txop = Some(Txop { holder, until, is_held, next });
        self.fits(holder, next, until)
    }

    /// True where what the holder would send next is over, with its answer, before its TXOP is.
    fn fits(&mut self, holder: Contender, start: Time, until: Time) -> bool {
        let station = &self.stations[holder.station().index()];
        let (mac, function) = (station.mac, &station.functions[holder.place()]);
        let Some(to) = function.receiver() else { return false };
        let bytes = function.next_mpdu(mac.data_overhead());
        let rates = self.rates.latest((holder.station(), to));
        let timing = self.rates.timing(rates);
        let frame = match bytes {
            Some(bytes) => timing.data((u64::from(bytes) + DELIMITER) * 8),
            None => timing.control(BLOCK_ACK_REQUEST_BYTES),
        };
        let answer = match bytes {
            Some(_) => timing.ack.airtime,
            None => timing.control(BLOCK_ACK_BYTES),
        };
        start + frame + timing.sifs + answer <= until
    }

    /// The senders draw new backoffs, and functions that gave way to higher ones of their stations.
    fn draw_anew(&mut self, now: Time) {
        let mut yielded = std::mem::take(&mut self.yielded);
        yielded.extend(self.turns.iter().map(|turn| turn.contender));
        for of in yielded.drain(..) {
            self.feed(now, of);
            let function = self.function(of);
            let slots = function.draw_backoff();
            function.contends = function.has_work();
            let contends = function.contends;
            self.lanes.draw(of, slots);
            if contends {
                self.lanes.arm(of);
            }
        }
        self.yielded = yielded;
    }

    /// Lets a function take packets over from its queue.
    pub(super) fn feed(&mut self, now: Time, of: Contender) {
        let QosCell { stations, fates, .. } = self;
        let told = |id, fate| fates.push((of.station(), id, fate));
        stations[of.station().index()].feed(now, of.place(), told);
    }

    /// Ends a TXOP, if there is one: with a frame that frees the medium where enough of it is left.
    fn end_txop<W: Witness>(&mut self, now: Time, witness: &mut W) -> Option<Time> {
        if let Some(Txop { holder, until, .. }) = self.txop.take().filter(|txop| txop.is_held) {
            let frame = self.cf_end(holder.station(), now + self.phy.sifs);
            if until.since(now) > frame.airtime {
                self.is_ending = true;
                self.report_end(&frame, witness);
                self.end = frame.end();
                self.busy_time += self.end.since(now);
                return Some(self.end);
            }
            // Bystanders keep to the reservation, the holder does not.
            self.resumption.apart.push((holder.station(), now));
            self.resumption.from = until.max(now);
        }
        self.resume();
        None
    }

    /// The frame that frees the medium (802.11-2020, 9.3.1.6 and 10.23.2.9), at the lowest basic rate.
    fn cf_end(&self, from: StationId, start: Time) -> Frame {
        let rates = RateRef::default();
        let bits = u64::from(CF_END_BYTES) * 8;
        Frame {
            kind: Kind::End,
            from,
            to: GROUP,
            rates,
            basic: true,
            start,
            airtime: self.phy.lowest.of_bytes(CF_END_BYTES),
            plcp: self.rates.timing(rates).basic_plcp(),
            bits,
            sent_bits: bits,
            nav: Time::ZERO,
        }
    }

    /// All contend again.
    fn resume(&mut self) {
        self.busy = false;
        self.lanes.resume(self.resumption.from);
        for place in 0..self.resumption.apart.len() {
            let (station, from) = self.resumption.apart[place];
            self.hold_back(station, from);
        }
        self.lanes.settle();
    }

    fn hold_back(&mut self, station: StationId, from: Time) {
        for place in 0..1 << FUNCTION_BITS {
            self.lanes.hold_back(contender(station, place), from);
        }
    }
}
