//! The stations of an air with access categories: what is theirs whether one clock serves for all or each senses for itself.

use super::attempt::{Attempt, Sends};
use super::category::{Categories, Category};
use super::contender::Contender;
use super::function::Function;
use super::station::QosStation;
use super::stats::AccessStats;
use super::turn::Turn;
use crate::outcome::Outcome;
use crate::rates::Rates;
use crate::station::StationStats;
use base::{FlowId, PacketId, Span, StationId, Time};
use net::{Arrival, DropReason, Fate, QueueStats};
use std::collections::VecDeque;

/// Packets that a source keeps unfinished so that its station is never without work: two windows of 64 and more where
/// frames are aggregated, else some.
const SATURATED: usize = 200;
const SATURATED_ALONE: usize = 5;

/// The stations of an air.
#[derive(Clone, Debug)]
pub struct Stations {
    pub(crate) all: Vec<QosStation>,
    pub(crate) of_flow: Categories,
    /// Marks and drops that queue disciplines applied to waiting packets.
    pub(crate) fates: Vec<(StationId, PacketId, Fate)>,
    /// Packets given up in the present exchange.
    pub(crate) lost: Vec<(StationId, PacketId, DropReason)>,
    /// What began before does not count.
    pub(crate) measured_since: Time,
    /// Functions that have something to send since another station's frame has come, or has not.
    pub(crate) roused: Vec<Contender>,
    /// Packets that go up since an agreement is over, and their receivers.
    pub(crate) landed: Vec<(PacketId, StationId)>,
    /// When waits for responses, and for the timeouts of agreements, may end, in order, and whose.
    pub(super) alarms: VecDeque<(Time, Contender)>,
    /// Those of these that are in no agenda.
    pub(super) new_alarms: Vec<Time>,
}

impl Stations {
    /// These, with nothing to send.
    pub(crate) fn new(all: Vec<QosStation>, of_flow: Categories) -> Stations {
        Stations {
            all,
            of_flow,
            fates: Vec::new(),
            lost: Vec::new(),
            measured_since: Time::ZERO,
            roused: Vec::new(),
            landed: Vec::new(),
            alarms: VecDeque::new(),
            new_alarms: Vec::new(),
        }
    }

    /// A packet comes to a station: whether it gets a congestion mark, and the function that contends from now on.
    ///
    /// # Errors
    /// Why it is refused.
    #[inline]
    pub(crate) fn offer(
        &mut self,
        now: Time,
        (from, to): (StationId, StationId),
        arrival: &Arrival<'_>,
    ) -> Result<(bool, Option<Contender>), DropReason> {
        let flow = arrival.packet.map(|packet| packet.flow);
        let category = flow.map_or(Category::BestEffort, |flow| self.of_flow.of(flow));
        let Stations { all, fates, .. } = self;
        let station = &mut all[from.index()];
        let place = station.of(category);
        let of = Contender::of(from, place);
        if station.functions[place].rules.asks && !station.is_held {
            return self.offer_asking(now, (of, to), arrival);
        }
        let told = |id, fate| fates.push((from, id, fate));
        let marks = station.offer(now, (place, to), arrival, told)?;
        Ok((marks, station.begins_to_contend(place).then_some(of)))
    }

    /// The same where an agreement may have to be asked for before.
    #[inline(never)]
    fn offer_asking(
        &mut self,
        now: Time,
        (of, to): (Contender, StationId),
        arrival: &Arrival<'_>,
    ) -> Result<(bool, Option<Contender>), DropReason> {
        let (from, place) = (of.station(), of.place());
        let before = self.ask(now, of, to);
        let Stations { all, fates, .. } = self;
        let told = |id, fate| fates.push((from, id, fate));
        match (all[from.index()].offer(now, (place, to), arrival, told), before) {
            (Ok(marks), _) => {
                let begins = self.all[from.index()].begins_to_contend(place);
                Ok((marks, begins.then_some(of)))
            }
            (Err(reason), before) => {
                if let Some(before) = before {
                    self.take_back(of, to, before);
                }
                Err(reason)
            }
        }
    }

    pub(crate) fn function(&mut self, of: Contender) -> &mut Function {
        &mut self.all[of.station().index()].functions[of.place()]
    }

    /// Lets a function take packets over from its queue.
    #[inline]
    pub(crate) fn feed(&mut self, now: Time, of: Contender) {
        let Stations { all, fates, .. } = self;
        let told = |id, fate| fates.push((of.station(), id, fate));
        all[of.station().index()].feed(now, of.place(), told);
    }

    /// A function draws a new backoff after its exchange: the slots, and whether it contends with them.
    pub(crate) fn draw_anew(&mut self, now: Time, of: Contender) -> (u32, bool) {
        self.feed(now, of);
        let station = &mut self.all[of.station().index()];
        let function = &mut station.functions[of.place()];
        let slots = function.draw_backoff();
        function.contends = function.has_work() && !station.is_held;
        (slots, function.contends)
    }

    /// Concludes an exchange for its sender.
    pub(crate) fn conclude(&mut self, turn: &Turn, rates: &mut Rates) {
        let Turn { contender, outcome, took, airtime, come, .. } = *turn;
        let station = contender.station();
        let attempt = self.function(contender).attempt;
        if attempt.is_some_and(|attempt| attempt.sends == Sends::Action) {
            return self.conclude_action(turn);
        }
        let (category, is_timed) = self.conclude_function(turn);
        let Some(Attempt { to, sends, psdu }) = attempt else { return };
        if is_timed && come > 0 {
            let answered = (outcome == Outcome::Success).then_some(took.end);
            self.function(contender).note_heard(to, turn.heard(), answered);
        }
        if sends != Sends::Request {
            rates.conclude_aggregate((station, to), outcome, (psdu.mpdus, come));
        }
        if let (Outcome::Success, Some(sharing)) = (outcome, &mut self.all[to.index()].sharing) {
            sharing.charge((category, station), airtime);
        }
    }

    /// The same for its function alone: returns the category of that, and whether its agreements have a timeout.
    #[inline(always)] // two callers, one of them rare
    pub(super) fn conclude_function(&mut self, turn: &Turn) -> (Category, bool) {
        let Turn { contender, outcome, took, airtime, .. } = *turn;
        let station = contender.station();
        let Stations { all, lost, measured_since, .. } = self;
        let own = &mut all[station.index()];
        let function = &mut own.functions[contender.place()];
        function.stats.airtime += took.since(*measured_since);
        let found = (function.category, function.rules.timeout > Span::ZERO);
        let lost = |id, reason| lost.push((station, id, reason));
        own.conclude(took.end, contender.place(), (outcome, airtime), lost);
        found
    }

    /// Packets that wait at a station.
    #[inline]
    pub fn waiting(&self, station: StationId) -> usize {
        self.all[station.index()].waiting()
    }

    /// Forgets the counts so far.
    pub fn begin_measurement(&mut self, now: Time) {
        self.measured_since = now;
        self.all.iter_mut().for_each(|station| station.begin_measurement(now));
    }

    /// Packets that a source that keeps a station busy has too few for it, with `coming` on their way to its queue.
    #[inline]
    pub fn lacking(
        &self,
        (from, to): (StationId, StationId),
        category: Category,
        coming: usize,
    ) -> usize {
        let station = &self.all[from.index()];
        let place = station.of(category);
        let function = &station.functions[place];
        let is_alone = function.parameters.ampdu == 0 && function.parameters.amsdu == 0;
        let window = station.qos.window() as usize;
        let enough = if is_alone { SATURATED_ALONE } else { SATURATED.max(3 * window) };
        station.lacking((place, to), enough, coming)
    }

    /// Category of a flow.
    pub fn category(&self, flow: FlowId) -> Category {
        self.of_flow.of(flow)
    }

    /// The categories of a station with their counts; one without QoS has one.
    pub fn categories(&self, station: StationId) -> impl Iterator<Item = (Category, &AccessStats)> {
        let functions = self.all[station.index()].functions.iter();
        functions.map(|function| (function.category, &function.stats))
    }

    /// Counts of all functions of a station together.
    pub fn stats(&self, station: StationId) -> StationStats {
        let mut all = StationStats::default();
        for (_, stats) in self.categories(station) {
            all.attempts += stats.attempts;
            all.retries += stats.ppdus_again;
            all.successes += stats.successes;
            all.retry_drops += stats.retry_drops;
            all.collisions += stats.collisions;
            all.channel_errors += stats.channel_errors;
            all.hidden += stats.hidden;
            all.out_of_range += stats.out_of_range;
            all.away += stats.away;
            all.duplicates += stats.duplicates;
            all.rates_bps += stats.rates_bps;
            all.rts += stats.rts;
        }
        all
    }

    /// Counts of a category's queue up to `now`.
    pub fn queue_stats_by(&self, station: StationId, category: Category, now: Time) -> QueueStats {
        let station = &self.all[station.index()];
        station.queue_stats_by(station.of(category), now)
    }

    /// Time that a station's exchanges took that have ended, since the measurement began.
    pub fn airtime(&self, station: StationId) -> Span {
        Span(self.categories(station).map(|(_, stats)| stats.airtime.0).sum())
    }
}
