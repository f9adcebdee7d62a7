//! The receiving side of an exchange: which frames and MPDUs come through, and what goes up.

use super::begun::Begun;
use super::config::HandingUp;
use super::places::Places;
use super::{Landing, QosCell};
use crate::exchange::Frame;
use crate::witness::Witness;
use base::Time;

impl QosCell {
    /// Puts a control frame on the air: true where its addressee decodes it.
    pub(super) fn carry<W: Witness>(
        &mut self,
        frame: &Frame,
        begun: &Begun,
        witness: &mut W,
    ) -> bool {
        self.report(frame, begun, witness);
        let is_lost = self.channels.can_hit(frame) && self.channels.loses(frame, frame.to);
        self.report_heard(frame, is_lost, witness);
        !is_lost
    }

    /// Puts a request on the air that begins an exchange: true where its addressee decodes it.
    pub(super) fn ask<W: Witness>(
        &mut self,
        begun: &Begun,
        frame: &Frame,
        witness: &mut W,
    ) -> bool {
        let has_come = self.carry(frame, begun, witness);
        if has_come {
            self.hand_up(begun, frame.end(), None);
        }
        has_come
    }

    /// Puts data on the air: the number of MPDUs that reach their addressee.
    pub(super) fn receive<W: Witness>(
        &mut self,
        begun: &Begun,
        frame: &Frame,
        witness: &mut W,
    ) -> u32 {
        self.report(frame, begun, witness);
        let mut aloft = std::mem::take(&mut self.aloft);
        let function = self.stations.function(begun.contender);
        aloft.extend(function.window().into_iter().flat_map(|window| window.aloft()));
        let mut places = Places::new(frame, begun.bytes);
        let mut come = 0;
        let is_ideal = self.channels.is_ideal();
        let own = self.stations.all[begun.from().index()].qos.settings.hand_up == HandingUp::Mpdu;
        for &(number, bytes) in &aloft {
            let span = places.next(bytes);
            let (way, bits) = ((frame.from, frame.to), u64::from(bytes) * 8);
            let is_lost = !is_ideal && self.channels.loses_part(way, span, bits);
            let when = if own { span.1 } else { frame.end() };
            if witness.is_listening() {
                self.report_mpdu(begun, (number, bytes), (when, is_lost, false), witness);
            }
            if !is_lost {
                come += 1;
                self.hand_up(begun, when, Some(number));
            }
        }
        aloft.clear();
        self.aloft = aloft;
        self.report_heard(frame, false, witness);
        come
    }

    /// An MPDU, or a request, has come to its receiver at `now`: packets that are now in order go up.
    fn hand_up(&mut self, begun: &Begun, now: Time, number: Option<u64>) {
        let QosCell { stations, landings, .. } = self;
        let up = |id, to| landings.push_back(Landing { at: now, id, to });
        stations.hand_up(begun.contender, (now, number), up);
    }
}
