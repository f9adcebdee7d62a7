//! Reports of a cell: its frames to a witness, its counts at the end.

use super::QosCell;
use super::attempt::Sends;
use super::category::Category;
use super::exchange::Begun;
use super::function::Function;
use super::stats::AccessStats;
use super::window::Window;
use crate::exchange::Frame;
use crate::frames::Kind;
use crate::station::{FrameDetails, StationStats};
use crate::witness::{Heard, QosDetails, Sent, SentMpdu, Witness};
use base::{Span, StationId, Time};
use net::QueueStats;

impl QosCell {
    /// Reports a frame that goes on the air, now or within the present exchange.
    #[inline]
    pub(super) fn report<W: Witness>(&self, frame: &Frame, begun: &Begun, witness: &mut W) {
        witness.sent(|| self.sent(frame, begun));
    }

    fn sent(&self, frame: &Frame, begun: &Begun) -> Sent {
        let (attempt, is_data) = (&begun.attempt, frame.kind == Kind::Data);
        let retry = is_data && attempt.psdu.retries == attempt.psdu.mpdus;
        let details = FrameDetails { retry, ..FrameDetails::default() };
        let function = self.serving(begun);
        let delimited = begun.agreed && self.qos.generation.has_single_mpdus();
        let oldest = function.window_to(attempt.to).map_or(0, Window::oldest_number);
        let qos = QosDetails {
            category: function.category,
            sends: attempt.sends,
            mpdus: if is_data { attempt.psdu.mpdus } else { 0 },
            oldest,
            agreed: begun.agreed,
            delimited: delimited || attempt.sends == Sends::Aggregate,
        };
        Sent {
            mode: self.rates.mode(frame.rates).filter(|_| is_data),
            qos: Some(qos),
            ..Sent::new(frame, self.rates.bit_rates(frame.rates), None, details)
        }
    }

    /// Reports an MPDU of the frame with the data, and its packets where it has not been sent before.
    pub(super) fn report_mpdu<W: Witness>(
        &self,
        begun: &Begun,
        (number, bytes): (u64, u32),
        (up, lost): (Time, bool),
        witness: &mut W,
    ) {
        let Some(window) = self.serving(begun).window_to(begun.attempt.to) else { return };
        let (from, retry) = (begun.from(), window.is_retry(number));
        if !retry {
            window.packets(number).for_each(|id| witness.msdu(from, id));
        }
        let is_shared = self.channels.len() == 1 && self.signals.is_none();
        let for_all = is_shared || self.winners.len() > 1;
        witness.mpdu(SentMpdu { from, number, bytes, up, retry, lost, for_all });
    }

    /// Reports the MPDUs of a frame that has collided: none is decoded.
    pub(super) fn report_collided<W: Witness>(&self, begun: &Begun, end: Time, witness: &mut W) {
        if !witness.is_listening() {
            return;
        }
        let Some(window) = self.serving(begun).window_to(begun.attempt.to) else { return };
        window.aloft().for_each(|mpdu| self.report_mpdu(begun, mpdu, (end, true), witness));
    }

    /// Reports the stations that hear a frame. Where all share a channel, what it loses is lost for all.
    pub(super) fn report_heard<W: Witness>(
        &mut self,
        frame: &Frame,
        is_lost: bool,
        witness: &mut W,
    ) {
        let QosCell { signals, channels, .. } = self;
        let is_shared = channels.len() == 1 && signals.is_none();
        let others = (0..self.stations.len() as u32).map(StationId).filter(|&at| at != frame.from);
        witness.heard(others.map(|at| Heard {
            from: frame.from,
            at,
            power_w: signals.as_mut().map(|signals| signals.power_w((frame.from, at), frame.start)),
            decoded: !is_lost || !(is_shared || at == frame.to),
        }));
    }

    /// Reports the frame that ends a TXOP, which all understand.
    pub(super) fn report_end<W: Witness>(&mut self, frame: &Frame, witness: &mut W) {
        let rates = self.rates.bit_rates(frame.rates);
        witness.sent(|| Sent::new(frame, rates, None, FrameDetails::default()));
        self.report_heard(frame, false, witness);
    }

    fn serving(&self, begun: &Begun) -> &Function {
        let place = begun.contender.place();
        &self.stations[begun.from().index()].functions[place]
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
