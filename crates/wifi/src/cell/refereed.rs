//! Collisions where powers differ: what is left of frames that begin together.

use super::{Cell, Exchange, Turn};
use crate::exchange::Sequence;
use crate::medium::{Begun, Glance, Lent, Verdict};
use crate::outcome::{Failure, Outcome};
use crate::station::Interval;
use crate::witness::Witness;
use base::{StationId, Time};
use net::Ended;

/// The most stations that wait each for itself after a collision: with 10 and thresholds that takes 3 % fewer instructions, with 16
/// it takes 1 to 4 % more.
const FEW: usize = 12;

impl Cell {
    /// Begins what follows a start at `start`.
    #[inline(never)] // cells without a referee have no use for it
    pub(super) fn start_refereed<W: Witness>(&mut self, start: Time, witness: &mut W) -> Exchange {
        if !self.at_once.is_empty() {
            self.withdraw();
        }
        let data_end = match self.winners[..] {
            [(station, at)] if self.is_free_for(at) => {
                let data_end = self.exchange(station, at, witness);
                if self.pending.is_empty() {
                    self.busy_time += self.end.since(start);
                    return Exchange { data_end, end: self.end };
                }
                // The first frame that is heard ends the wait for an answer when it ends.
                let first_end = self.first_end;
                self.pending.iter_mut().for_each(|turn| turn.over = first_end);
                data_end
            }
            _ => self.refer(witness),
        };
        self.busy_time += self.end.since(start);
        Exchange { data_end, end: self.next_end() }
    }

    /// Returns true if a station that begins alone has the air for its whole exchange.
    fn is_free_for(&self, start: Time) -> bool {
        self.referee.as_ref().is_none_or(|referee| referee.is_free(start))
    }

    /// Refers what begins together, or while others hold the air for reserved, to the referee. Returns when the first packet arrives.
    fn refer<W: Witness>(&mut self, witness: &mut W) -> Option<Time> {
        let mut simple = self.is_simple(witness.is_listening());
        self.begun.clear();
        self.colliding.clear();
        self.end = Time::ZERO;
        for i in 0..self.winners.len() {
            let (station, start) = self.winners[i];
            let Some(service) = self.begin(station, start) else { continue };
            let sent_bits = self.air.coded_bits(service.mpdu_bits, (station, service.to), start);
            self.begun.push(Begun { station, start, rates: self.rate, sent_bits });
            let sequence = Sequence::new((&self.timing, self.rate), (station, &service), sent_bits);
            simple &= !service.uses_rts && !sequence.is_announced();
            if simple {
                let data = sequence.data(start);
                self.colliding.push(data);
                // Each sender waits out the timeout that runs from the end of its own frame (10.3.2.9, 10.3.2.11).
                let end = data.end();
                self.turns.push(Turn {
                    station,
                    outcome: Outcome::NoAck(Failure::Collision),
                    took: Interval { start, end },
                    resumes: end + self.timing.after_timeout,
                    over: end + self.timing.timeout,
                });
                self.end = self.end.max(end);
            }
        }
        let referee = self.referee.as_mut()?;
        let glance =
            if simple { referee.glance(&self.colliding, &self.rates) } else { Glance::Unclear };
        match glance {
            Glance::Lost => {
                self.lose_all();
                None
            }
            Glance::Answered(which) => self.answer(which),
            Glance::Unclear => self.play(witness),
        }
    }

    /// Returns true if a collision of data can be seen through without playing it.
    fn is_simple(&self, is_witnessed: bool) -> bool {
        let first = self.winners.first().map_or(Time::ZERO, |first| first.1);
        let begin_together = self.winners.iter().all(|&(_, at)| at == first);
        let is_free = self.is_free_for(first) && self.air.is_free(first);
        let is_clear = is_free && self.air.is_ideal() && self.pending.is_empty();
        begin_together && is_clear && !is_witnessed && self.winners.len() > 1
    }

    /// Lets all fail: nobody answers, and bystanders that have decoded a frame wait as it says.
    fn lose_all(&mut self) {
        let (end, difs) = (self.end, self.timing.difs);
        for turn in &mut self.turns {
            turn.resumes = turn.resumes.max(end + difs);
            // It may know the end of its exchange before the air is free, and be told.
            self.waits.push((turn.station, turn.resumes));
            // A station that tries again, and could not begin amid a frame that ends its wait, needs no event of its own.
            let tries_again = self.stations[turn.station.index()].will_try_again();
            let is_held = turn.resumes >= turn.over + self.phy.sense_time;
            if tries_again && is_held && turn.over > end && turn.over < self.last_wait {
                turn.over = end;
            }
        }
        self.air.all_errored();
        let behind = end + self.timing.after_error;
        let is_plain = self.lost_slots.is_empty() && self.silent.is_empty();
        let Cell { referee, waits, rates, contention, stations, .. } = self;
        let Some(referee) = referee else { return };
        let after = |nav: Time| end.max(nav) + difs;
        match referee.common_start(after) {
            Some(start) if start == behind => {}
            Some(start) if start < behind && is_plain && stations.len() > FEW => {
                referee.mark_missed(rates, contention.late_mut());
                self.ahead = Some(start);
            }
            _ => referee.each_decoded(rates, |at, nav| waits.push((at, after(nav)))),
        }
    }

    /// Lets the addressee of one frame of several answer, which all decode.
    fn answer(&mut self, which: usize) -> Option<Time> {
        let data = self.colliding[which];
        let ack = Sequence::ack(self.rates.timing(data.rates), &data);
        self.end = ack.end();
        let resumes = self.end + self.timing.difs;
        for turn in &mut self.turns {
            turn.resumes = resumes;
            // An answer ends the wait for another's, if that has not ended before.
            if turn.over > ack.start {
                turn.over = ack.end();
            }
            if turn.station == data.from {
                (turn.outcome, turn.took.end) = (Outcome::Success, ack.end());
            }
        }
        let packet = self.stations[data.from.index()].service.as_ref()?.id;
        self.take_delivery(data.from, data.to, packet).then_some(data.end())
    }

    /// Lets the referee play what follows frame by frame.
    fn play<W: Witness>(&mut self, witness: &mut W) -> Option<Time> {
        self.turns.clear();
        self.hand_over();
        let Cell { referee, stations, rates, air, begun, .. } = self;
        let lent = Lent { stations, rates, channels: air.channels() };
        let referee = referee.as_mut()?;
        for turn in self.pending.drain(..) {
            let Turn { station, outcome, took, over, .. } = turn;
            referee.await_answer(&Verdict { station, outcome, took, at: over });
        }
        self.end = referee.play(begun, lent, witness);
        (self.is_played, self.arrived) = (true, 0);
        self.turns.extend(referee.verdicts.iter().map(|verdict| Turn {
            station: verdict.station,
            outcome: verdict.outcome,
            took: verdict.took,
            resumes: verdict.at,
            over: verdict.at,
        }));
        self.next_delivery()
    }

    /// Tells the referee of the reservations that failed exchanges have left.
    fn hand_over(&mut self) {
        let Some(referee) = &mut self.referee else { return };
        let start = self.winners.first().map_or(Time::ZERO, |first| first.1);
        if !self.air.is_ideal() && referee.is_free(start) {
            for station in (0..self.stations.len() as u32).map(StationId) {
                let silent = self.silent.iter().filter(|silent| silent.0 == station);
                let silent_until = silent.map(|silent| silent.1).max().unwrap_or(Time::ZERO);
                referee.reserve(station, self.air.bystander(station).nav, silent_until);
            }
        }
        self.air.clear();
        self.silent.clear();
    }

    /// Takes the next packet of a play; returns the time at which it arrives.
    #[inline(never)] // cells without a referee have no use for it
    pub(super) fn next_delivery(&mut self) -> Option<Time> {
        let referee = self.referee.as_mut()?;
        if self.arrived == referee.deliveries.len() {
            return None;
        }
        let delivery = referee.deliveries[self.arrived];
        self.arrived += 1;
        self.delivery = Some((delivery.packet, delivery.to));
        Some(delivery.at)
    }

    /// Returns the time at which the next station knows how its exchange has ended, or the air is free.
    #[inline]
    fn next_end(&self) -> Time {
        let all = self.turns.iter().chain(&self.pending).map(|turn| turn.over);
        all.chain([self.end]).min().unwrap_or(self.end)
    }

    /// Concludes exchanges whose senders know how they have ended, and frees the air at its end. Returns when this is to be asked next, if anything has
    /// come of it now.
    #[inline(never)] // cells without a referee have no use for it
    pub(super) fn on_end_refereed(&mut self, now: Time, ended: &mut Vec<Ended>) -> Option<Time> {
        let is_free = self.busy && now == self.end;
        if is_free {
            self.busy = false;
            match std::mem::take(&mut self.is_played) {
                true => self.let_resume_after_play(),
                false => self.let_resume(),
            }
        }
        let before = ended.len();
        let mut pending = std::mem::take(&mut self.pending);
        self.conclude_those(&mut pending, now, ended);
        self.pending = pending;
        let mut turns = std::mem::take(&mut self.turns);
        self.conclude_those(&mut turns, now, ended);
        self.turns = turns;
        if is_free {
            self.contention.settle();
            self.pending.append(&mut self.turns);
        }
        if !is_free && ended.len() == before {
            return None;
        }
        let waiting = self.turns.iter().chain(&self.pending).map(|turn| turn.over);
        waiting.chain(self.busy.then_some(self.end)).min()
    }

    fn conclude_those(&mut self, turns: &mut Vec<Turn>, now: Time, ended: &mut Vec<Ended>) {
        turns.retain(|turn| {
            let is_over = turn.over <= now;
            if is_over {
                self.conclude(*turn, now, ended);
            }
            !is_over
        });
    }

    /// Lets those count slots that wait otherwise than the others.
    #[inline(never)] // cells without a referee have no use for it
    pub(super) fn let_wait(&mut self) {
        if let Some(ahead) = self.ahead.take() {
            self.contention.split(ahead, self.phy.sense_time);
            // Its senders have decoded nothing, and go by neither start.
            for (station, from) in self.waits.drain(..) {
                self.contention.set_apart(station, from);
            }
        }
        for (station, from) in self.waits.drain(..) {
            self.contention.wait_until(station, from);
        }
    }

    /// Gives every station the end of its inter-frame space.
    fn let_resume_after_play(&mut self) {
        let Some(referee) = &self.referee else { return };
        // Most wait for the same, if there is such: found in one pass (Boyer and Moore 1981).
        let (mut base, mut lead) = (self.end, 0);
        for &from in &referee.resumes {
            if lead == 0 {
                base = from;
            }
            lead += if from == base { 1 } else { -1 };
        }
        self.contention.resume(base);
        for (i, &from) in referee.resumes.iter().enumerate() {
            self.contention.wait_until(StationId(i as u32), from);
        }
    }

    /// Draws a backoff for frames that found an idle air and wait for the end of an inter-frame space, now that others begin
    /// before (802.11-2020, 10.3.4.2).
    fn withdraw(&mut self) {
        for i in 0..self.at_once.len() {
            let station = self.at_once[i];
            if self.winners.iter().all(|winner| winner.0 != station) {
                let slots = self.draw(station);
                self.contention.redraw(station, slots);
            }
        }
        self.at_once.clear();
    }
}
