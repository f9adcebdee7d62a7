//! The receiving side of an exchange: which frames and MPDUs come through, and what goes up.

use super::begun::Begun;
use super::config::HandingUp;
use super::places::Places;
use super::{Come, Landing, QosCell};
use crate::exchange::Frame;
use crate::witness::Witness;

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
            let (at, QosCell { stations, landings, .. }) = (frame.end(), self);
            let up = |id, to| landings.push_back(Landing { at, id, to });
            stations.function(begun.contender).be_asked(at, up);
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
        let mut come = std::mem::take(&mut self.come);
        self.judge_mpdus(begun, frame, &mut come, witness);
        let QosCell { stations, landings, .. } = self;
        let function = stations.function(begun.contender);
        for together in come.chunk_by(|one, next| one.at == next.at) {
            let (at, numbers) = (together[0].at, together.iter().map(|mpdu| mpdu.number));
            function.receive(at, numbers, |id, to| landings.push_back(Landing { at, id, to }));
        }
        self.report_heard(frame, false, witness);
        let count = come.len() as u32;
        come.clear();
        self.come = come;
        count
    }

    /// Asks the channel which MPDUs of the data come through.
    fn judge_mpdus<W: Witness>(
        &mut self,
        begun: &Begun,
        frame: &Frame,
        come: &mut Vec<Come>,
        witness: &mut W,
    ) {
        let QosCell { stations, channels, .. } = self;
        let station = &stations.all[begun.from().index()];
        let Some(window) = station.functions[begun.contender.place()].window() else { return };
        let own = station.qos.settings.hand_up == HandingUp::Mpdu;
        let for_all = channels.len() == 1;
        let is_ideal = channels.is_ideal();
        let mut places = Places::new(frame, begun.bytes);
        for (number, bytes) in window.aloft() {
            let span = places.next(bytes);
            let (way, bits) = ((frame.from, frame.to), u64::from(bytes) * 8);
            let is_lost = !is_ideal && channels.loses_part(way, span, bits);
            let at = if own { span.1 } else { frame.end() };
            if witness.is_listening() {
                let fate = (at, is_lost, for_all);
                stations.report_mpdu(begun, (number, bytes), fate, witness);
            }
            if !is_lost {
                come.push(Come { number, at });
            }
        }
    }
}
