//! Noise in a cell: which frames and MPDUs drown in it, and who of those that stand by hears nothing.

use super::QosCell;
use super::exchange::Begun;
use crate::exchange::Frame;
use crate::frames::Kind;
use base::{StationId, Time};

impl QosCell {
    /// Hazard of a bit of this frame at a station; zero where stations have no places.
    pub(super) fn bit_hazard(&mut self, frame: &Frame, at: StationId) -> f64 {
        let QosCell { signals, rates, .. } = self;
        signals.as_mut().map_or(0.0, |signals| {
            signals.bit_hazard((frame.from, at), frame.start, rates.rung(frame.rates), frame.kind)
        })
    }

    /// True where what ends at `end` and has such a hazard drowns in a station's noise.
    pub(super) fn drowns(&self, at: StationId, end: Time, hazard: f64) -> bool {
        self.signals.as_ref().is_some_and(|signals| signals.loses(at, end, hazard))
    }

    /// The stations that can make nothing of a frame that its addressee has not understood.
    pub(super) fn deaf_bystanders(&mut self, begun: &Begun, frame: &Frame) -> Vec<StationId> {
        let ends = (frame.from, frame.to);
        let parts = if frame.kind == Kind::Data { begun.attempt.psdu.mpdus.max(1) } else { 1 };
        let bits = frame.bits as f64 / f64::from(parts);
        let all = (0..self.stations.len() as u32).map(StationId);
        let mut deaf = Vec::new();
        for at in all.filter(|&at| at != ends.0 && at != ends.1) {
            let hazard = self.bit_hazard(frame, at) * bits;
            let signals = self.signals.as_ref();
            if signals.is_some_and(|signals| signals.loses_all(at, frame.end(), hazard, parts)) {
                deaf.push(at);
            }
        }
        deaf
    }
}
