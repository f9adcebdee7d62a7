//! Timeouts and cuts that prove to be for nothing, and a probe of the tail that hid a loss.

use super::Selective;
use crate::tcp::law::Loss;
use crate::tcp::losses::Phase;
use crate::tcp::record::NewlyDelivered;
use crate::tcp::repair::undo::{FRTO_SEGMENTS, Frto};
use crate::tcp::tcb::Tcb;
use base::Time;
use net::Segment;

impl Selective {
    /// RFC 8985 section 7.4: was it the probe of the tail that repaired a loss?
    pub fn check_probe(&mut self, tcb: &mut Tcb, ack: u64, came_twice: bool) {
        let Some(probe) = tcb.take_probe(ack) else { return };
        if probe.again && !came_twice && ack > probe.end && self.is_open() {
            // Hidden by the probe, the loss is a sign of congestion all the same.
            self.undo.remember(tcb);
            self.lose(tcb, Loss::DupAcks);
            tcb.tell_model_of_repair();
            tcb.losses.repaired_to(tcb.seq.una());
        }
    }

    /// Something came twice (RFC 3708 section 3): were all retransmissions for nothing?
    pub fn on_dsack(&mut self, tcb: &mut Tcb) {
        tcb.stats.dsacks += 1;
        self.rack.on_dsack(tcb.seq.una(), tcb.seq.max());
        if self.undo.on_dsack() {
            self.undo(tcb);
        }
    }

    /// RFC 5682 section 3.1, in the phase after a timeout.
    pub fn follow_frto(
        &mut self,
        tcb: &mut Tcb,
        now: Time,
        newly: &NewlyDelivered,
        out: &mut Vec<Segment>,
    ) {
        match self.frto.take() {
            Frto::Waiting if newly.acked > 0 && tcb.seq.una() < tcb.losses.recover() => {
                let before = out.len();
                for _ in 0..FRTO_SEGMENTS {
                    if let Some(len) = tcb.seq.fits_before(tcb.seq.edge()) {
                        self.send_new(tcb, now, len, out);
                    }
                }
                if out.len() > before {
                    self.frto = Frto::Probing;
                }
            }
            // What was sent before the timeout, and only then, has arrived.
            Frto::Probing if newly.acked > 0 && newly.once.is_some() => self.undo(tcb),
            Frto::Off | Frto::Waiting | Frto::Probing => {}
        }
    }

    /// The last loss was none.
    pub fn undo(&mut self, tcb: &mut Tcb) {
        if self.undo.restore(tcb) {
            self.board.forgive();
            (self.phase, self.frto) = (Phase::Open, Frto::Off);
        }
    }
}
