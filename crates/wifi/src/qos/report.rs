//! Reports of a cell: its frames to a witness, its counts at the end.

use super::QosCell;
use super::attempt::{Attempt, Sends};
use super::category::Category;
use super::stats::AccessStats;
use crate::exchange::Frame;
use crate::frames::Kind;
use crate::station::{FrameDetails, StationStats};
use crate::witness::{Heard, Sent, Witness};
use base::{Span, StationId, Time};
use net::QueueStats;

impl QosCell {
    /// Reports a frame that goes on the air, now or within the present exchange.
    pub(super) fn report<W: Witness>(&self, frame: &Frame, attempt: &Attempt, witness: &mut W) {
        witness.sent(|| {
            let is_data = frame.kind == Kind::Data && attempt.sends != Sends::Request;
            let retry = is_data && attempt.psdu.retries == attempt.psdu.mpdus;
            let details = FrameDetails { retry, ..FrameDetails::default() };
            Sent::new(frame, self.rates.bit_rates(frame.rates), None, details)
        });
        let others = (0..self.stations.len() as u32).map(StationId).filter(|&at| at != frame.from);
        witness.heard(others.map(|at| Heard {
            from: frame.from,
            at,
            power_w: None,
            decoded: self.winners.len() == 1,
        }));
    }

    /// The categories of a station with their counts; one without QoS has one.
    pub fn categories(&self, station: StationId) -> impl Iterator<Item = (Category, &AccessStats)> {
        let functions = self.stations[station.index()].functions.iter();
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
            all.duplicates += stats.duplicates;
            all.rates_bps += stats.rates_bps;
            all.rts += stats.rts;
        }
        all
    }

    /// Counts of a category's queue up to `now`.
    pub fn queue_stats_by(&self, station: StationId, category: Category, now: Time) -> QueueStats {
        let station = &self.stations[station.index()];
        station.queue_stats_by(station.of(category), now)
    }

    /// Time that a station's exchanges took up to `now` since the measurement began.
    pub fn airtime_by(&self, station: StationId, now: Time) -> Span {
        let ended = self.categories(station).map(|(_, stats)| stats.airtime.0).sum();
        let turns = if self.busy { &self.turns[..] } else { &[] };
        let present = turns.iter().filter(|turn| turn.contender.station() == station);
        // What has not ended yet counts up to now.
        let running = present.map(|turn| {
            let mut took = turn.took;
            took.end = took.end.min(now);
            took.since(self.measured_since)
        });
        running.fold(Span(ended), |sum, span| sum + span)
    }

    /// Time for which the medium was taken up to `now`, since the measurement began.
    pub fn busy_by(&self, now: Time) -> Span {
        let to_come = if self.busy { self.end.since(now) } else { Span::ZERO };
        Span(self.busy_time.0.saturating_sub(to_come.0))
    }
}
