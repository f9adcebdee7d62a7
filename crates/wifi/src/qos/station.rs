//! A station: its access functions, and the queues that they share, if they do.

use super::attempt::{Attempt, Sends};
use super::category::{AccessParameters, Category};
use super::config::QosConfig;
use super::function::Function;
use super::peer::Terms;
use super::sharing::{Pace, Sharing};
use super::window::Budget;
use crate::config::MacConfig;
use crate::outcome::Outcome;
use base::{PacketId, Span, StationId, Time};
use net::{Arrival, DropReason, Fate, QueueStats};

/// A station.
#[derive(Clone, Debug)]
pub struct QosStation {
    pub mac: MacConfig,
    /// Rules of its cell.
    pub qos: QosConfig,
    /// One for each category, or one for all where it has no QoS.
    pub functions: Vec<Function>,
    /// By category: the place of the function that serves it.
    pub places: [u8; Category::COUNT],
    /// Where its queues are mac80211's.
    pub sharing: Option<Box<Sharing>>,
    pub(super) has_qos: bool,
    /// It has rates of before 802.11n alone: what it sends and gets is not aggregated.
    pub is_older: bool,
    /// How it contends where it has no QoS.
    pub dcf: AccessParameters,
    /// Where it belongs to an access point without QoS: how its function of best effort contends elsewhere.
    pub own_terms: Option<Terms>,
    /// It agrees where others ask it for agreements.
    pub accepts_agreements: bool,
    /// No data are sent: it looks for an access point.
    pub is_held: bool,
}

impl QosStation {
    /// True where it has access categories, and its access point too.
    pub fn has_qos(&self) -> bool {
        self.has_qos
    }

    /// The function that serves a category.
    pub fn of(&self, category: Category) -> usize {
        usize::from(self.places[category as usize])
    }

    /// By function: how it waits for the medium, SIFS and a slot being so long. Its space, and whether boundaries of slots count, as
    /// they do in EDCA.
    pub fn waits(&self, sifs: Span, slot: Span) -> impl Iterator<Item = (Span, bool)> {
        let by_boundaries = self.has_qos();
        let functions = self.functions.iter();
        let space = move |aifsn: u32| (sifs + slot * u64::from(aifsn), by_boundaries);
        functions.map(move |function| space(function.parameters.aifsn))
    }

    /// A packet comes for a function: whether it gets a congestion mark.
    pub fn offer(
        &mut self,
        now: Time,
        (place, to): (usize, StationId),
        arrival: &Arrival<'_>,
        mut told: impl FnMut(PacketId, Fate),
    ) -> Result<bool, DropReason> {
        let function = &mut self.functions[place];
        let Some(sharing) = &mut self.sharing else {
            return function.offer(now, to, arrival, told);
        };
        sharing.offer(now, (function.category, to), arrival, &mut told);
        function.load(now, sharing, told);
        Ok(false)
    }

    /// True where a function contends from now on that did not before.
    #[inline]
    pub fn begins_to_contend(&mut self, place: usize) -> bool {
        let function = &mut self.functions[place];
        let begins = !function.contends && !self.is_held && function.has_work();
        function.contends |= begins;
        begins
    }

    /// Lets a function take packets over from its queue, as far as the driver has room.
    pub fn feed(&mut self, now: Time, place: usize, told: impl FnMut(PacketId, Fate)) {
        let function = &mut self.functions[place];
        match &mut self.sharing {
            Some(sharing) => function.load(now, sharing, told),
            None => function.feed(now, told),
        }
    }

    /// A function begins an exchange.
    pub fn begin(
        &mut self,
        now: Time,
        place: usize,
        (budget, pace): (&Budget, impl FnOnce() -> Pace),
        lost: impl FnMut(PacketId),
    ) -> Option<Attempt> {
        let function = &mut self.functions[place];
        let to = function.receiver()?;
        let attempt = function.begin(now, budget, lost);
        if let Some(sharing) = &mut self.sharing {
            let of = (function.category, to);
            sharing.learn(of, pace());
            sharing.settle(of, function.held(to));
        }
        attempt
    }

    /// An exchange of a function has ended at `now`, whose data took so long on the air.
    #[inline(always)] // two callers, one of them rare
    pub fn conclude(
        &mut self,
        now: Time,
        place: usize,
        (outcome, airtime): (Outcome, Span),
        lost: impl FnMut(PacketId, DropReason),
    ) {
        let function = &mut self.functions[place];
        let data = function.attempt.filter(|attempt| attempt.sends != Sends::Action);
        function.conclude(now, outcome, lost);
        if let (Some(sharing), Some(Attempt { to, .. })) = (&mut self.sharing, data) {
            let of = (function.category, to);
            sharing.charge(of, airtime);
            sharing.settle(of, function.held(to));
            if function.is_due_again(to) {
                sharing.list(of);
            }
        }
    }

    /// Packets that wait.
    pub fn waiting(&self) -> usize {
        let shared = self.sharing.as_ref().map_or(0, |sharing| sharing.backlog() as usize);
        shared + self.functions.iter().map(Function::waiting).sum::<usize>()
    }

    /// Packets that a function has fewer than `enough` for a receiver, `coming` ones included: one where there is not room for
    /// all, and none where there is room for none.
    pub fn lacking(&self, (place, to): (usize, StationId), enough: usize, coming: usize) -> usize {
        let function = &self.functions[place];
        let shared = match &self.sharing {
            Some(sharing) => sharing.waiting((function.category, to)) as usize,
            None => 0,
        };
        let lacking = enough.saturating_sub(function.unfinished(to) + shared + coming);
        let has_room_behind = |others| match &self.sharing {
            Some(sharing) => sharing.has_room(others),
            None => function.has_room(others),
        };
        match lacking {
            0 => 0,
            _ if has_room_behind(coming + lacking - 1) => lacking,
            _ => usize::from(has_room_behind(coming)),
        }
    }

    /// Counts of a function's queue up to `now`.
    pub fn queue_stats_by(&self, place: usize, now: Time) -> QueueStats {
        let function = &self.functions[place];
        match &self.sharing {
            Some(sharing) => sharing.stats_by(function.category, now),
            None => function.queue_stats_by(now),
        }
    }

    /// Forgets the counts so far.
    pub fn begin_measurement(&mut self, now: Time) {
        self.functions.iter_mut().for_each(|function| function.begin_measurement(now));
        if let Some(sharing) = &mut self.sharing {
            sharing.begin_measurement(now);
        }
    }
}
