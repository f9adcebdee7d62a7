//! Reports: frames to a witness, and what a cell has counted at the end.

use super::QosCell;
use super::attempt::Sends;
use super::begun::Begun;
use super::stations::Stations;
use super::window::Window;
use crate::exchange::Frame;
use crate::frames::Kind;
use crate::mlme::Channel;
use crate::rates::Rates;
use crate::station::FrameDetails;
use crate::witness::{Heard, QosDetails, Sent, SentMpdu, Witness};
use base::{Span, StationId, Time};

impl Stations {
    /// A frame of an exchange as a witness sees it.
    pub(crate) fn sent(
        &self,
        frame: &Frame,
        begun: &Begun,
        rates: &Rates,
        channel: Option<Channel>,
    ) -> Sent {
        let (attempt, is_data) = (&begun.attempt, frame.kind == Kind::Data);
        if let (true, Sends::Action, Some((body, retry))) =
            (is_data, attempt.sends, self.says(begun))
        {
            let details = FrameDetails { retry, management: Some(body), ..FrameDetails::default() };
            return Sent::new(frame, rates.bit_rates(frame.rates), channel, details);
        }
        let retry = is_data && attempt.psdu.retries == attempt.psdu.mpdus;
        let details = FrameDetails { retry, ..FrameDetails::default() };
        let station = &self.all[begun.from().index()];
        let function = &station.functions[begun.contender.place()];
        let delimited = begun.agreed && station.qos.generation.has_single_mpdus();
        let oldest = function.window_to(attempt.to).map_or(0, Window::oldest_number);
        let qos = QosDetails {
            category: function.category,
            sends: attempt.sends,
            mpdus: if is_data { attempt.psdu.mpdus } else { 0 },
            oldest,
            agreed: self.have_qos(begun.from(), attempt.to),
            delimited: delimited || attempt.sends == Sends::Aggregate,
        };
        Sent {
            mode: rates.mode(frame.rates).filter(|_| is_data),
            qos: Some(qos),
            ..Sent::new(frame, rates.bit_rates(frame.rates), channel, details)
        }
    }

    /// Reports an MPDU of the frame with the data, and its packets where it has not been sent before; `for_all`: where it is
    /// lost, nobody decodes it.
    pub(crate) fn report_mpdu<W: Witness>(
        &self,
        begun: &Begun,
        (number, bytes): (u64, u32),
        (up, lost, for_all): (Time, bool, bool),
        witness: &mut W,
    ) {
        let function = &self.all[begun.from().index()].functions[begun.contender.place()];
        let Some(window) = function.window_to(begun.attempt.to) else { return };
        let (from, retry) = (begun.from(), window.is_retry(number));
        if !retry {
            window.packets(number).for_each(|id| witness.msdu(from, id));
        }
        witness.mpdu(SentMpdu { from, number, bytes, up, retry, lost, for_all });
    }
}

impl QosCell {
    /// Reports a frame that goes on the air, now or within the present exchange.
    #[inline]
    pub(super) fn report<W: Witness>(&self, frame: &Frame, begun: &Begun, witness: &mut W) {
        witness.sent(|| self.stations.sent(frame, begun, &self.rates, None));
    }

    /// Reports the MPDUs of a frame that has collided: none is decoded.
    pub(super) fn report_collided<W: Witness>(&self, begun: &Begun, end: Time, witness: &mut W) {
        if !witness.is_listening() || begun.attempt.sends == Sends::Action {
            return;
        }
        let station = &self.stations.all[begun.from().index()];
        let function = &station.functions[begun.contender.place()];
        let Some(window) = function.window_to(begun.attempt.to) else { return };
        let fate = (end, true, true);
        window.aloft().for_each(|mpdu| self.stations.report_mpdu(begun, mpdu, fate, witness));
    }

    /// Reports the stations that hear a frame. Where all share a channel, what it loses is lost for all.
    pub(super) fn report_heard<W: Witness>(
        &mut self,
        frame: &Frame,
        is_lost: bool,
        witness: &mut W,
    ) {
        let is_shared = self.channels.len() == 1;
        let all = 0..self.stations.all.len() as u32;
        let others = all.map(StationId).filter(|&at| at != frame.from);
        witness.heard(others.map(|at| Heard {
            from: frame.from,
            at,
            power_w: None,
            decoded: !is_lost || !(is_shared || at == frame.to),
        }));
    }

    /// Reports the frame that ends a TXOP, which all understand.
    pub(super) fn report_end<W: Witness>(&mut self, frame: &Frame, witness: &mut W) {
        let rates = self.rates.bit_rates(frame.rates);
        witness.sent(|| Sent::new(frame, rates, None, FrameDetails::default()));
        self.report_heard(frame, false, witness);
    }

    /// The stations, and what is counted of them.
    pub fn stations(&self) -> &Stations {
        &self.stations
    }

    /// Time that a station's exchanges took up to `now` since the measurement began.
    pub fn airtime_by(&self, station: StationId, now: Time) -> Span {
        let turns = if self.busy { &self.turns[..] } else { &[] };
        let present = turns.iter().filter(|turn| turn.contender.station() == station);
        // What has not ended yet counts up to now.
        let running = present.map(|turn| {
            let mut took = turn.took;
            took.end = took.end.min(now);
            took.since(self.stations.measured_since)
        });
        running.fold(self.stations.airtime(station), |sum, span| sum + span)
    }

    /// Time for which the medium was taken up to `now`, since the measurement began.
    pub fn busy_by(&self, now: Time) -> Span {
        let to_come = if self.busy { self.end.since(now) } else { Span::ZERO };
        Span(self.busy_time.0.saturating_sub(to_come.0))
    }
}
