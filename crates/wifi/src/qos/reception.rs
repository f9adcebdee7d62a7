//! The receiving side of an exchange: which frames and MPDUs come through, and what goes up.

use super::attempt::Attempt;
use super::config::HandingUp;
use super::exchange::Begun;
use super::lanes::Contender;
use super::window::DELIMITER;
use super::{Landing, QosCell};
use crate::exchange::Frame;
use crate::station::Interval;
use crate::witness::Witness;
use base::{Span, Time};

impl QosCell {
    /// Puts a control frame on the air: true where its addressee decodes it.
    pub(super) fn carry<W: Witness>(
        &mut self,
        frame: &Frame,
        begun: &Begun,
        witness: &mut W,
    ) -> bool {
        self.report(frame, begun, witness);
        let hit = self.channels.can_hit(frame) && self.channels.loses(frame, frame.to);
        let hazard = self.bit_hazard(frame, frame.to) * frame.bits as f64;
        let is_lost = hit || self.drowns(frame.to, frame.end(), hazard);
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
            self.hand_up(begun.contender, frame.end(), None);
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
        let function = self.function(begun.contender);
        aloft.extend(function.window().into_iter().flat_map(|window| window.aloft()));
        let payload = Interval { start: frame.start + frame.plcp, end: frame.end() };
        let (mut sent, mut come) = (0_u64, 0);
        let hazard = self.bit_hazard(frame, frame.to);
        let is_ideal = self.channels.is_ideal();
        for &(number, bytes) in &aloft {
            let begins = sent;
            sent = sent.next_multiple_of(4) + DELIMITER + u64::from(bytes);
            let at = |sent: u64| within(payload, sent, begun.bytes);
            let way = (frame.from, frame.to);
            let span = (at(begins), at(sent));
            let bits = u64::from(bytes) * 8;
            let hit = !is_ideal && self.channels.loses_part(way, span, bits);
            let is_lost =
                hit || (hazard > 0.0 && self.drowns(frame.to, span.1, hazard * bits as f64));
            let own = self.qos.settings.hand_up == HandingUp::Mpdu;
            let when = if own { span.1 } else { frame.end() };
            if witness.is_listening() {
                self.report_mpdu(begun, (number, bytes), (when, is_lost), witness);
            }
            if !is_lost {
                come += 1;
                self.hand_up(begun.contender, when, Some(number));
            }
        }
        aloft.clear();
        self.aloft = aloft;
        self.report_heard(frame, false, witness);
        come
    }

    /// An MPDU, or a request, has come to its receiver at `now`: packets that are now in order go up.
    fn hand_up(&mut self, contender: Contender, now: Time, number: Option<u64>) {
        let QosCell { stations, landings, .. } = self;
        let function = &mut stations[contender.station().index()].functions[contender.place()];
        let Some(Attempt { to, .. }) = function.attempt else { return };
        let mut stats = function.stats;
        let Some(window) = function.window() else { return };
        let hand = |id, came| {
            landings.push_back(Landing { at: now, id, to });
            stats.count_handed(came, now);
        };
        match number {
            Some(number) => {
                let had = window.receive(number, now, hand);
                stats.duplicates += u64::from(had);
            }
            None => window.request(hand),
        }
        function.stats = stats;
    }
}

/// When the byte before the `sent`-th of `bytes` ends, if they fill `payload` evenly.
fn within(payload: Interval, sent: u64, bytes: u64) -> Time {
    let length = u128::from(payload.end.since(payload.start).0);
    payload.start + Span((length * u128::from(sent.min(bytes)) / u128::from(bytes.max(1))) as u64)
}
