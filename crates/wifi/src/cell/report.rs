//! What a witness is told of a cell's frames.

use super::Cell;
use crate::air::Frame;
use crate::frames::{ControlFrame, Kind};
use crate::station::FrameDetails;
use crate::witness::{Heard, Sent, Witness};
use base::{Span, StationId, Time};

impl Cell {
    /// Puts a frame on the air; true where its addressee can decode it.
    #[inline(always)]
    pub(super) fn carry<W: Witness>(&mut self, kind: Kind, frame: &Frame, witness: &mut W) -> bool {
        let received = self.air.carry(frame);
        let (way, times) = ((frame.from, frame.to), (frame.start, frame.airtime));
        witness.sent(|| self.sent(kind, way, times, frame.nav));
        let from = frame.from;
        let others = (0..self.stations.len() as u32).map(StationId).filter(|&at| at != from);
        witness.heard(others.map(|at| {
            let decoded = !self.air.bystander(at).errored;
            Heard { from, at, power_w: None, decoded }
        }));
        received
    }

    /// Tells of the first frame of an exchange that collides. An RTS announces uncoded data, since which code it would
    /// have been is never asked.
    pub(super) fn report_collider<W: Witness>(
        &self,
        station: StationId,
        start: Time,
        airtime: Span,
        witness: &mut W,
    ) {
        let Some(service) = self.stations[station.index()].service else { return };
        let timing = &self.timing;
        let answered = timing.sifs + timing.ack.airtime;
        let (mut start, mut airtime) = (start, airtime);
        if timing.announces && !service.uses_rts {
            let (cts, end) = (timing.cts.airtime, start + airtime);
            witness.sent(|| self.sent(Kind::Cts, (station, station), (start, cts), end + answered));
            let delay = self.announcement();
            (start, airtime) = (start + delay, airtime - delay);
        }
        witness.sent(|| {
            let (kind, nav) = if service.uses_rts {
                let cts = timing.sifs + timing.cts.airtime + timing.sifs;
                (Kind::Rts, start + airtime + cts + timing.data(service.mpdu_bits) + answered)
            } else {
                (Kind::Data, start + airtime + answered)
            };
            self.sent(kind, (station, service.to), (start, airtime), nav)
        });
    }

    fn sent(
        &self,
        kind: Kind,
        (from, to): (StationId, StationId),
        (start, airtime): (Time, Span),
        nav: Time,
    ) -> Sent {
        let timing = &self.timing;
        let (data_rate, control_rate, _) = self.rates.bit_rates(self.rate);
        let control = |frame: ControlFrame| (frame.bits, frame.plcp, control_rate);
        let (bits, plcp, rate) = match kind {
            Kind::Rts => control(timing.rts),
            Kind::Cts => control(timing.cts),
            Kind::Ack => control(timing.ack),
            Kind::Data | Kind::Group => {
                let service = self.stations[from.index()].service;
                let bits = service.map_or(0, |service| service.mpdu_bits);
                (bits, timing.data_plcp(), data_rate)
            }
        };
        let FrameDetails { retry, opens, management } =
            self.stations[from.index()].frame_details(kind);
        Sent {
            kind,
            from,
            to,
            start,
            plcp,
            airtime,
            bytes: (bits / 8) as u32,
            channel: None,
            rate,
            nav,
            retry,
            opens,
            management,
        }
    }
}
