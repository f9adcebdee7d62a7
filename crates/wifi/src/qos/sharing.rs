//! How a station whose queues are mac80211's shares its hardware among receivers (Linux 6.12, net/mac80211/tx.c and
//! airtime.c; Hoiland-Jorgensen et al., "Ending the Anomaly", USENIX ATC 2017).
//!
//! | Linux | here |
//! |---|---|
//! | `ieee80211_next_txq` | [`Sharing::next`]: deficit round robin by airtime, in each category |
//! | `ieee80211_sta_register_airtime` | [`Sharing::charge`]: airtime sent and received, per receiver and category |
//! | `ieee80211_txq_airtime_check` | [`Sharing::may_send`]: airtime-based queue limits (AQL) |
//! | `ieee80211_calc_expected_tx_airtime` | [`Pace::estimate`] |
//!
//! Linux keeps the estimate of each packet until it is acknowledged. Here what is pending for a receiver shrinks with its
//! packets, which is the same where they have one size.

mod pace;
mod receivers;
#[cfg(test)]
mod tests;

pub use pace::Pace;
pub use receivers::Prospects;

use super::category::Category;
use base::{Maybe, PacketId, Span, StationId, Time, settings};
use net::{Arrival, Fate, LARGEST_PACKET, QueueStats, Tins, Waiting};
use receivers::Receivers;
use std::collections::VecDeque;

settings! {
    /// How mac80211's queues share the hardware, as files give it.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct SharingSettings {
        /// Whether the receivers of a station with `queue = "mac80211"` take turns by airtime, what comes from them included.
        /// Without it they take turns by aggregates.
        airtime_fairness: bool = true, "airtime_fairness";
        /// Whether airtime bounds what a station with `queue = "mac80211"` has handed to its hardware (airtime-based queue
        /// limits).
        aql: bool = true, "aql";
        /// The airtime that each receiver may have in the hardware, however much others have there.
        aql_low: Span = Span::millis(5), "aql_low", Span::micros(1)..=Span::millis(10_000);
        /// The airtime that a receiver may have in the hardware while all together have less than `aql_threshold`.
        aql_high: Span = Span::millis(12), "aql_high", Span::micros(1)..=Span::millis(10_000);
        /// The airtime of all receivers above which each may have `aql_low` alone.
        aql_threshold: Span = Span::millis(24), "aql_threshold", Span::micros(1)..=Span::millis(10_000);
        /// How many aggregates of a category a station with `queue = "mac80211"` has built, the one on the air included.
        /// ath9k has 2, and no `aql`.
        hardware_aggregates: Option<u32> as Maybe<u32> = None => "no limit but `aql`", "hardware_aggregates", Some(1)..=Some(64);
    }
}

/// The weight of a receiver where nothing is said (`IEEE80211_DEFAULT_AIRTIME_WEIGHT`).
pub const AIRTIME_WEIGHT: u32 = 256;

/// Airtime that a receiver's deficit gets in its turn, for each unit of its weight (256 of them: 256 us).
const UNIT: Span = Span::micros(1);

/// A receiver in a category.
#[derive(Clone, Copy, Debug, Default)]
struct Share {
    pace: Pace,
    /// Nanoseconds that its deficit gets in its turn.
    quantum: i64,
    /// Nanoseconds that it may still use in its turn.
    deficit: i64,
    /// It is in the round.
    is_listed: bool,
    /// Airtime in the hardware, as it was estimated.
    pending: Span,
    /// The packets of which that is.
    held: u32,
}

/// The queues of a station, and whose turn it is.
#[derive(Clone, Debug)]
pub struct Sharing {
    settings: SharingSettings,
    receivers: Receivers,
    /// By place of the receiver, and category.
    tins: Tins,
    /// By place of the receiver, and category.
    shares: Vec<[Share; Category::COUNT]>,
    /// By category: the round.
    rounds: [VecDeque<StationId>; Category::COUNT],
    /// Airtime in the hardware for all.
    pending: Span,
}

impl Sharing {
    /// Queues in `tins`, of which there are none yet.
    pub fn new(settings: SharingSettings, tins: Tins, prospects: Prospects) -> Sharing {
        Sharing {
            settings,
            receivers: Receivers::new(prospects),
            tins,
            shares: Vec::new(),
            rounds: Default::default(),
            pending: Span::ZERO,
        }
    }

    /// The queue of a receiver, if it is one.
    fn tin(&self, (category, to): (Category, StationId)) -> Option<usize> {
        let place = self.receivers.place(to)?;
        Some(place * Category::COUNT + category as usize)
    }

    /// What is known of a receiver, if it is one.
    fn known(&self, (category, to): (Category, StationId)) -> Option<&Share> {
        Some(&self.shares[self.receivers.place(to)?][category as usize])
    }

    /// The place of a station, which becomes a receiver if it is none.
    fn place(&mut self, to: StationId) -> usize {
        if let Some(place) = self.receivers.place(to) {
            return place;
        }
        let quantum = i64::from(self.receivers.prospects.weights[to.index()]) * UNIT.0 as i64;
        let pace = |category| self.receivers.pace((category, to));
        let share = |category| Share { pace: pace(category), quantum, ..Share::default() };
        self.shares.push(Category::EVERY.map(share));
        for category in Category::EVERY {
            self.tins.add(self.receivers.number((category, to)));
        }
        self.receivers.add(to)
    }

    fn share(&mut self, (category, to): (Category, StationId)) -> &mut Share {
        let place = self.place(to);
        &mut self.shares[place][category as usize]
    }

    /// A packet comes.
    pub fn offer(
        &mut self,
        now: Time,
        of: (Category, StationId),
        arrival: &Arrival<'_>,
        told: impl FnMut(PacketId, Fate),
    ) {
        let tin = self.place(of.1) * Category::COUNT + of.0 as usize;
        self.tins.push(now, (arrival, tin), told);
        self.list(of);
    }

    /// Puts a receiver in the round: with airtime fairness at its head, since its deficit says whether it stays there.
    pub fn list(&mut self, of: (Category, StationId)) {
        if std::mem::replace(&mut self.share(of).is_listed, true) {
            return;
        }
        let round = &mut self.rounds[of.0 as usize];
        match self.settings.airtime_fairness {
            true => round.push_front(of.1),
            false => round.push_back(of.1),
        }
    }

    /// The receiver whose turn it is has had it: it leaves the round where nothing waits for it.
    pub fn end_turn(&mut self, of: (Category, StationId)) {
        let stays = self.waiting(of) > 0;
        let (round, rotates) = (&mut self.rounds[of.0 as usize], !self.settings.airtime_fairness);
        if stays && !rotates {
            return;
        }
        round.pop_front();
        if stays {
            round.push_back(of.1);
        }
        self.share(of).is_listed = stays;
    }

    /// True where a packet waits for a receiver, and may go to the hardware.
    pub fn may_send(&self, of: (Category, StationId)) -> bool {
        self.waiting(of) > 0 && self.has_airtime(of)
    }

    fn has_airtime(&self, of: (Category, StationId)) -> bool {
        let SharingSettings { aql, aql_low, aql_high, aql_threshold, .. } = self.settings;
        let own = self.known(of).map_or(Span::ZERO, |share| share.pending);
        !aql || own < aql_low || (self.pending < aql_threshold && own < aql_high)
    }

    /// The receiver whose turn it is, among those that may send or `have` something to send again, and do not `wait` for an
    /// agreement.
    pub fn next(
        &mut self,
        category: Category,
        has: impl Fn(StationId) -> bool,
        waits: impl Fn(StationId) -> bool,
    ) -> Option<StationId> {
        let (place, is_fair) = (category as usize, self.settings.airtime_fairness);
        let can =
            |sharing: &Sharing, to| (has(to) || sharing.may_send((category, to))) && !waits(to);
        self.skip_rounds(category, |sharing, to| can(sharing, to))?;
        loop {
            let to = *self.rounds[place].front()?;
            let can = can(self, to);
            let share = self.share((category, to));
            debug_assert!(share.deficit < share.quantum, "nobody saves up a turn");
            if can && (share.deficit >= 0 || !is_fair) {
                return Some(to);
            }
            if share.deficit < 0 {
                share.deficit += share.quantum;
            }
            self.rounds[place].rotate_left(1);
        }
    }

    /// Gives at once what whole rounds would give in which nobody could send; `None` where nobody ever could.
    fn skip_rounds(
        &mut self,
        category: Category,
        can: impl Fn(&Sharing, StationId) -> bool,
    ) -> Option<()> {
        let place = category as usize;
        let rounds_of = |sharing: &Sharing, to: StationId| {
            let share = sharing.known((category, to)).copied().unwrap_or_default();
            ((-share.deficit).max(0) as u64).div_ceil(share.quantum.max(1) as u64)
        };
        let able = self.rounds[place].iter().filter(|&&to| can(self, to));
        let rounds = able.map(|&to| rounds_of(self, to)).min()?;
        if rounds > 1 && self.settings.airtime_fairness {
            for at in 0..self.rounds[place].len() {
                let to = self.rounds[place][at];
                let own = rounds_of(self, to).min(rounds - 1) as i64;
                let share = self.share((category, to));
                share.deficit += own * share.quantum;
            }
        }
        Some(())
    }

    /// Hands the next packet of a receiver to the hardware.
    pub fn pull(
        &mut self,
        now: Time,
        of: (Category, StationId),
        told: impl FnMut(PacketId, Fate),
    ) -> Option<Waiting<u32>> {
        let next = self.tins.pop(now, self.tin(of)?, told)?;
        let airtime = self.share(of).pace.estimate(next.bytes);
        self.pending += airtime;
        let share = self.share(of);
        share.pending += airtime;
        share.held += 1;
        Some(next)
    }

    /// A receiver goes: its packets leave the queues, and the hardware.
    pub fn take_out(
        &mut self,
        now: Time,
        of: (Category, StationId),
        mut told: impl FnMut(PacketId, Fate),
        mut lost: impl FnMut(PacketId),
    ) {
        let Some(tin) = self.tin(of) else { return };
        while let Some(next) = self.tins.pop(now, tin, &mut told) {
            lost(next.id);
        }
        self.settle(of, 0);
    }

    /// The hardware has `held` packets left for a receiver.
    pub fn settle(&mut self, of: (Category, StationId), held: u32) {
        let share = self.share(of);
        if held >= share.held {
            return;
        }
        let left = share.pending.0 * u64::from(held) / u64::from(share.held);
        let gone = share.pending.0 - left;
        (share.pending, share.held) = (Span(left), held);
        self.pending = Span(self.pending.0 - gone);
    }

    /// A frame to or from a receiver has taken so long on the air.
    pub fn charge(&mut self, of: (Category, StationId), airtime: Span) {
        self.share(of).deficit -= airtime.0 as i64;
    }

    /// What is sent to a receiver goes at another pace.
    pub fn learn(&mut self, of: (Category, StationId), pace: Pace) {
        self.share(of).pace = pace;
    }

    /// The most bytes of an aggregate for a receiver.
    pub fn most(&self, of: (Category, StationId)) -> u64 {
        self.known(of).map_or_else(|| self.receivers.pace(of), |share| share.pace).most
    }

    /// Packets that wait for a receiver.
    pub fn waiting(&self, of: (Category, StationId)) -> u32 {
        self.tin(of).map_or(0, |tin| self.tins.waiting(tin))
    }

    /// Packets that wait for all.
    pub fn backlog(&self) -> u32 {
        self.tins.backlog()
    }

    /// True where a packet finds room behind `coming` others, and none has to go for it.
    pub fn has_room(&self, coming: usize) -> bool {
        self.tins.has_room(LARGEST_PACKET, coming as u32)
    }

    /// The counts of a category's queues up to `now`.
    pub fn stats_by(&self, category: Category, now: Time) -> QueueStats {
        self.tins.stats_by(now, |tin| tin % Category::COUNT == category as usize)
    }

    /// Forgets the counts so far.
    pub fn begin_measurement(&mut self, now: Time) {
        self.tins.begin_measurement(now);
    }
}
