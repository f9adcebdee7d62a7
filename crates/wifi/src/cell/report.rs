//! Reports of a cell's frames to a witness.

use super::Cell;
use crate::exchange::Frame;
use crate::witness::{Heard, Sent, Witness};
use base::StationId;

impl Cell {
    /// Puts a frame on the air; true where its addressee can decode it.
    #[inline(always)]
    pub(super) fn carry<W: Witness>(&mut self, frame: &Frame, witness: &mut W) -> bool {
        let received = self.air.carry(frame);
        self.report(frame, witness);
        let from = frame.from;
        let others = (0..self.stations.len() as u32).map(StationId).filter(|&at| at != from);
        witness.heard(others.map(|at| {
            let decoded = !self.air.bystander(at).errored;
            let power_w = self.referee.as_ref().map(|referee| referee.power_w(from, at));
            Heard { from, at, power_w, decoded }
        }));
        received
    }

    /// Reports a frame that goes on the air, now or within the present exchange.
    #[inline(always)]
    pub(super) fn report<W: Witness>(&self, frame: &Frame, witness: &mut W) {
        witness.sent(|| {
            let details = self.stations[frame.from.index()].frame_details(frame.kind);
            let channel = self.referee.as_ref().map(|referee| referee.channel());
            Sent::new(frame, self.rates.bit_rates(self.rate), channel, details)
        });
    }
}
