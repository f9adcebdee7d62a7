//! The exchange on the medium: a collision, or what goes before the data, the data and their answer.

use super::QosCell;
use super::attempt::Sends;
use super::begun::{Begun, Opening};
use super::contender::Contender;
use super::resumption::{Finders, Gap};
use super::turn::{Turn, Txop};
use crate::config::BystanderRule;
use crate::exchange::Frame;
use crate::frames::{ACK_BYTES, Kind};
use crate::outcome::{Failure, Outcome};
use crate::station::Interval;
use crate::witness::Witness;
use base::{Span, StationId, Time};

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

    /// Several begin before they sense each other: nobody decodes anything, but for data behind a CTS to oneself that outlasts all
    /// others.
    pub(super) fn collide<W: Witness>(&mut self, witness: &mut W) {
        self.end = Time::ZERO;
        let mut all = std::mem::take(&mut self.begun);
        for place in 0..self.winners.len() {
            let (number, start) = self.winners[place];
            let contender = Contender(number.0);
            self.end = self.end.max(start);
            match self.begin(contender, start) {
                Some(begun) => all.push(begun),
                None => self.yielded.push(contender),
            }
        }
        let survivor = self.survivor(&all);
        self.gap = self.gap(&all);
        for begun in &all {
            let frame = self.stations.opening(begun, &self.rates);
            self.report(&frame, begun, witness);
            if frame.kind == Kind::Data {
                self.report_collided(begun, frame.end(), witness);
            }
        }
        let losers = all.iter().enumerate().filter(|(place, _)| Some(*place) != survivor);
        losers.for_each(|(_, begun)| self.lose(begun, witness));
        match survivor {
            Some(place) => self.survive(all[place], witness),
            None => {
                let announced = all.iter().filter(|begun| begun.opening == Opening::CtsToSelf);
                let data = announced.map(|begun| self.data_start(begun)).max();
                self.end_collision(data.unwrap_or(Time::ZERO));
            }
        }
        all.clear();
        self.begun = all;
    }

    /// The time between frames that have collided, all of them over, and data that follow a CTS to oneself: nobody has decoded that
    /// CTS, so whoever has sent nothing takes the medium for idle.
    fn gap(&self, all: &[Begun]) -> Gap {
        let announced = all.iter().filter(|begun| begun.opening == Opening::CtsToSelf);
        let times = |begun| (self.data_start(begun), self.last_end(begun));
        let mut data: Vec<_> = announced.map(times).collect();
        data.sort_unstable();
        let ends = all.iter().map(|begun| self.stations.opening(begun, &self.rates).end());
        let mut free = ends.max().unwrap_or(Time::ZERO);
        // There is no second one: all data begin within a SIFS of the last of the first frames, and none are as short as that.
        for (begins, ends) in data {
            if begins > free {
                return Gap { start: free, end: begins, of: Finders::Bystanders };
            }
            free = free.max(ends);
        }
        Gap::NONE
    }

    /// The one of those that begin at once whose data find the medium free: they follow a CTS to itself, and all others are over by
    /// then. What is announced at a slow rate begins late.
    fn survivor(&self, all: &[Begun]) -> Option<usize> {
        let announces = |(_, begun): &(usize, &Begun)| begun.opening == Opening::CtsToSelf;
        let announced = all.iter().enumerate().filter(announces);
        let (place, begun) = announced.max_by_key(|(_, begun)| self.data_start(begun))?;
        let data = self.data_start(begun);
        let mut others = all.iter().enumerate().filter(|other| other.0 != place);
        others.all(|(_, other)| self.last_end(other) <= data).then_some(place)
    }

    /// When the last frame ends that a sender sends without an answer.
    fn last_end(&self, begun: &Begun) -> Time {
        match begun.opening {
            Opening::CtsToSelf => self.data_start(begun) + begun.airtime,
            _ => self.stations.opening(begun, &self.rates).end(),
        }
    }

    /// A frame has collided, and so do data that follow it.
    fn lose<W: Witness>(&mut self, begun: &Begun, witness: &mut W) {
        let mut last = self.stations.opening(begun, &self.rates);
        if begun.opening == Opening::CtsToSelf {
            last = self.stations.first(begun, last.end() + self.phy.sifs, &self.rates);
            self.report(&last, begun, witness);
            self.report_collided(begun, last.end(), witness);
        }
        self.end = self.end.max(last.end());
        let outcome = match begun.opening {
            Opening::Rts => Outcome::NoCts(Failure::Collision),
            Opening::None | Opening::CtsToSelf => Outcome::NoAck(Failure::Collision),
        };
        let Begun { contender, start, rates, airtime, rest, .. } = *begun;
        let took = Interval { start, end: last.end() };
        self.turns.push(Turn { contender, outcome, took, rates, airtime, rest, come: 0 });
    }

    /// Nothing has come through: bystanders sense an overlap that they cannot decode, of data that begin at `data` last where a
    /// CTS to oneself goes before them.
    fn end_collision(&mut self, data: Time) {
        let rule = self.stations.all[0].mac.bystanders;
        let eifs = self.error_space();
        self.resumption.from = if rule == BystanderRule::Difs { self.end } else { self.end + eifs };
        self.hold_losers_back(0, data);
    }

    /// The senders of these turns, whose frames have collided, wait for their answers. Those that were silent again when data
    /// began at `data` have listened to them as bystanders have, which ends their wait; the others have heard nothing.
    fn hold_losers_back(&mut self, first: usize, data: Time) {
        let QosCell { turns, resumption, end, rates, .. } = self;
        for turn in &turns[first..] {
            let timeout = rates.timing(turn.rates).timeout;
            let (station, ended) = (turn.contender.station(), turn.took.end);
            if ended <= data {
                resumption.apart.push((station, resumption.from));
                resumption.awaiting.push((station, (ended + timeout).min(*end)));
            } else {
                resumption.hold_back(station, ended + timeout, *end);
            }
        }
    }

    /// The others are over before the data of one begin.
    fn survive<W: Witness>(&mut self, begun: Begun, witness: &mut W) {
        let data = self.data_start(&begun);
        let losers = self.turns.len();
        // Nobody has decoded its CTS to itself: it has sent its data alone.
        let alone = Begun { opening: Opening::None, ..begun };
        self.unbind(&alone);
        self.hold_txop(&alone);
        self.send(alone, data, witness);
        // Whether a TXOP goes on is asked of the first.
        self.turns.swap(0, losers);
        self.hold_losers_back(1, data);
    }

    /// When data begin behind a CTS to oneself.
    fn data_start(&self, begun: &Begun) -> Time {
        self.stations.opening(begun, &self.rates).end() + self.phy.sifs
    }

    /// One function has the medium: as much of its exchange as the channel lets through.
    pub(super) fn exchange<W: Witness>(
        &mut self,
        contender: Contender,
        start: Time,
        witness: &mut W,
    ) {
        let Some(begun) = self.begin(contender, start) else {
            // It has won with nothing to send, which lifetimes are kept from doing.
            self.yielded.push(contender);
            (self.end, self.resumption.from) = (start, start);
            return;
        };
        self.unbind(&begun);
        self.hold_txop(&begun);
        let mut at = start;
        if begun.opening != Opening::None {
            match self.open(&begun, witness) {
                Some(data) => at = data,
                None => return,
            }
        }
        self.send(begun, at, witness);
    }

    /// Frames set the NAV of those that they are not for (802.11-2020, 10.3.2.4), and a CTS to oneself that of all others.
    fn unbind(&mut self, begun: &Begun) {
        let to = begun.attempt.to;
        let is_first = self.txop.is_none();
        let is_free = |before: Option<StationId>| is_first || before == Some(to);
        let announces = begun.opening == Opening::CtsToSelf;
        self.unbound = Some(to).filter(|_| is_free(self.unbound) && !announces);
    }

    /// A TXOP begins with an exchange outside one, where its category has a limit.
    fn hold_txop(&mut self, begun: &Begun) {
        if let (None, Some(until)) = (&self.txop, begun.until) {
            self.txop = Some(Txop::new(begun.contender, until));
        }
    }

    /// What goes before the data, which is not lost by an overlap. Returns when they begin, if they do.
    fn open<W: Witness>(&mut self, begun: &Begun, witness: &mut W) -> Option<Time> {
        let frame = self.stations.opening(begun, &self.rates);
        if begun.opening == Opening::Rts {
            return self.reserve(begun, &frame, witness);
        }
        // Whoever does not decode a CTS to oneself decodes the data, or none of it.
        self.report(&frame, begun, witness);
        self.report_heard(&frame, false, witness);
        Some(frame.end() + self.phy.sifs)
    }

    /// Data or a request that nothing overlaps, which begin at `at`.
    fn send<W: Witness>(&mut self, mut begun: Begun, at: Time, witness: &mut W) {
        let frame = self.stations.first(&begun, at, &self.rates);
        begun.come = match begun.attempt.sends {
            Sends::Request => u32::from(self.ask(&begun, &frame, witness)),
            Sends::Action => u32::from(self.carry(&frame, &begun, witness)),
            _ => self.receive(&begun, &frame, witness),
        };
        if begun.come == 0 {
            // Where all share a channel, nobody has decoded it; what went before it was.
            let is_bound = self.channels.len() > 1 || begun.opening != Opening::None;
            let nav = is_bound.then_some(frame.nav);
            return self.miss(&begun, frame.end(), begun.failed(Failure::Channel), nav);
        }
        self.answer(&begun, &frame, witness);
    }

    /// The answer to data or a request that have come.
    fn answer<W: Witness>(&mut self, begun: &Begun, frame: &Frame, witness: &mut W) {
        let from = begun.from();
        let at = frame.end() + self.rates.timing(begun.rates).sifs;
        let answer = self.stations.answer(begun, at, &self.rates);
        let is_heard = self.carry(&answer, begun, witness);
        let outcome = if is_heard { Outcome::Success } else { begun.failed(Failure::Channel) };
        self.finish(begun, answer.end(), outcome);
        self.resumption.from = answer.end();
        if !is_heard {
            let error_ends = answer.end() + self.error_space();
            self.resumption.apart.push((from, error_ends));
            self.reservations.add(frame.nav, from, self.unbound);
            if self.channels.len() == 1 {
                self.resumption.from = error_ends;
            }
        }
    }

    /// RTS and CTS. Returns when the data begin where the sender has decoded the CTS.
    fn reserve<W: Witness>(&mut self, begun: &Begun, rts: &Frame, witness: &mut W) -> Option<Time> {
        let timing = *self.rates.timing(begun.rates);
        let (to, failed) = (begun.attempt.to, Outcome::NoCts(Failure::Channel));
        let comes = self.carry(rts, begun, witness);
        let is_silent = comes && self.reservations.silences(to, (rts.from, rts.end()));
        if !comes || is_silent {
            let reset = self.stations.all[begun.from().index()].mac.nav_reset;
            let until = if reset { rts.end() + timing.nav_timeout } else { rts.nav };
            let is_heard = is_silent || self.channels.len() > 1;
            self.miss(begun, rts.end(), failed, None);
            if is_heard {
                self.reservations.add_reset((until, rts.nav), begun.from(), self.unbound);
            }
            if is_silent {
                self.resumption.from = rts.end();
                self.resumption.apart.push((to, rts.end()));
            }
            return None;
        }
        let cts = self.stations.cts(begun, rts, &self.rates);
        if !self.carry(&cts, begun, witness) {
            self.miss(begun, cts.end(), failed, Some(rts.nav));
            self.resumption.awaiting.push((to, cts.end() + timing.sifs));
            return None;
        }
        Some(cts.end() + timing.sifs)
    }

    /// The addressee has understood nothing, and answers nothing: bystanders keep to the reservation that they have decoded.
    fn miss(&mut self, begun: &Begun, end: Time, outcome: Outcome, nav: Option<Time>) {
        let error_ends = end + self.error_space();
        let timeout = self.rates.timing(begun.rates).timeout;
        self.finish(begun, end, outcome);
        // Where all share a channel, nobody has decoded the last frame.
        let free = if self.channels.len() == 1 { error_ends } else { end };
        self.resumption.from = free;
        self.resumption.hold_back(begun.from(), end + timeout, end);
        self.resumption.apart.push((begun.attempt.to, error_ends));
        if let Some(nav) = nav {
            self.reservations.add(nav, begun.from(), self.unbound);
        }
    }

    fn finish(&mut self, begun: &Begun, end: Time, outcome: Outcome) {
        self.end = end;
        let Begun { contender, start, rates, airtime, rest, come, .. } = *begun;
        let took = Interval { start, end };
        self.turns.push(Turn { contender, outcome, took, rates, airtime, rest, come });
    }
}
