//! The end of an exchange: what becomes of what was sent, whether the TXOP goes on, and when all contend again.

use super::QosCell;
use super::contender::{Contender, FUNCTION_BITS};
use super::lanes::Lanes;
use super::resumption::{Finders, Gap};
use super::turn::{Turn, Txop};
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
        if self.ending.take().is_some() {
            self.reservations.clear();
            self.resumption.from = now;
            self.resume();
            return None;
        }
        for place in 0..self.turns.len() {
            let QosCell { stations, rates, turns, .. } = self;
            let turn = &turns[place];
            stations.conclude(turn, rates);
            let Turn { contender, .. } = *turn;
            let station = contender.station();
            // So that a TXOP goes on with what has waited behind it.
            if stations.all[station.index()].sharing.is_some() {
                stations.feed(now, contender);
            }
            out.ended.push(Ended { station, dropped: None });
        }
        out.lost.append(&mut self.stations.lost);
        if !self.stations.landed.is_empty() {
            out.landed.append(&mut self.stations.landed);
        }
        self.contend_roused(now);
        let goes_on = self.goes_on(now);
        self.draw_anew(now, goes_on);
        if goes_on {
            return None;
        }
        self.end_txop(now, witness)
    }

    /// True where the holder of a TXOP sends again, without contention.
    fn goes_on(&mut self, now: Time) -> bool {
        let Some(Txop { holder, until, is_held, idle_for, .. }) = self.txop else { return false };
        let Some(turn) = self.turns.first() else { return false };
        let next = match turn.outcome {
            Outcome::Success => now + self.phy.sifs,
            // Its first exchange has failed: it contends again.
            _ if !is_held => return false,
            // PIFS recovery (802.11-2020, 10.23.2.8).
            _ => {
                let timeout = self.rates.timing(turn.rates).timeout;
                now + timeout + self.phy.sifs + self.phy.slot
            }
        };
        let is_held = true;
        let to = self.stations.fitting(holder, (next, until), &self.rates);
        self.txop = Some(Txop { holder, until, is_held, next, to, idle_for });
        if to.is_some() {
            self.open_gap(now, next);
        }
        to.is_some()
    }

    /// The station that alone has been addressed in the TXOP finds the medium idle until the holder sends again.
    fn open_gap(&mut self, start: Time, end: Time) {
        let gap = |station| Gap { start, end, of: Finders::One(station) };
        self.gap = self.unbound.map_or(Gap::NONE, gap);
    }

    /// The senders draw new backoffs, but for the first where its TXOP `goes_on`, and functions that gave way to higher ones of their
    /// stations.
    fn draw_anew(&mut self, now: Time, goes_on: bool) {
        let mut yielded = std::mem::take(&mut self.yielded);
        yielded.extend(self.turns.iter().skip(usize::from(goes_on)).map(|turn| turn.contender));
        for of in yielded.drain(..) {
            let (slots, contends) = self.stations.draw_anew(now, of);
            self.lanes.draw(of, slots);
            if contends {
                self.lanes.arm(of);
            }
        }
        self.yielded = yielded;
    }

    /// Ends a TXOP, if there is one: with a CF-End where that fits and an answer has just come (802.11-2020, 10.23.2.8 and
    /// 10.23.2.9).
    fn end_txop<W: Witness>(&mut self, now: Time, witness: &mut W) -> Option<Time> {
        if let Some(Txop { holder, until, .. }) = self.txop.take().filter(|txop| txop.is_held) {
            let (start, rate) = (now + self.phy.sifs, (RateRef::default(), &self.rates));
            let frame = self.stations.cf_end(holder.station(), start, rate);
            let came = self.turns.first().is_none_or(|turn| turn.outcome == Outcome::Success);
            // Whoever has collided with its first frame has heard an answer since, as bystanders have.
            if came {
                self.resumption.apart.clear();
            }
            if came && frame.end() <= until {
                self.ending = Some(start);
                self.open_gap(now, start);
                self.report_end(&frame, witness);
                self.end = frame.end();
                self.busy_time += self.end.since(now);
                return Some(self.end);
            }
            self.reservations.add(until, holder.station(), self.unbound);
        }
        self.resume();
        None
    }

    /// All contend again, but for those whose NAV is set.
    fn resume(&mut self) {
        self.busy = false;
        let QosCell { resumption, reservations, lanes, .. } = self;
        let from = resumption.from;
        lanes.resume(from.max(reservations.until()));
        if !reservations.is_empty() {
            let free = reservations.free();
            free.for_each(|own| hold_back(lanes, own, from.max(reservations.nav(own))));
        }
        for &(own, at) in &resumption.apart {
            hold_back(lanes, own, at.max(reservations.nav(own)));
        }
        self.lanes.settle();
    }
}

#[inline(always)] // for each sender and receiver of an exchange
fn hold_back(lanes: &mut Lanes, station: StationId, from: Time) {
    for place in 0..1 << FUNCTION_BITS {
        lanes.hold_back(Contender::of(station, place), from);
    }
}
