//! A function's agreements end where stations are handed over.

use super::Function;
use crate::qos::agreement::{Action, Says};
use crate::qos::peer::{Parting, Rules, Terms};
use base::{PacketId, StationId, Time};

impl Function {
    /// The agreement with a receiver ends, at once or with the exchange that runs: `hand` gets what that holds back, with the time
    /// at which it had come, `lost` what goes with the agreement.
    pub fn part(
        &mut self,
        now: Time,
        parting: Parting,
        hand: impl FnMut(PacketId, Time),
        mut lost: impl FnMut(PacketId),
    ) {
        let Parting { from, to } = parting;
        if self.attempt.is_some_and(|attempt| attempt.to == from) {
            self.parting = Some(parting);
            return;
        }
        let left = self.peers.change(from, |peer| {
            peer.note_answer();
            peer.window.restart(hand);
            peer.agreement.end();
            let renewed = peer.window.renewed();
            match to {
                Some(to) if to != from => Some(std::mem::replace(&mut peer.window, renewed)),
                Some(_) => None,
                None => {
                    peer.window.abandon(&mut lost);
                    None
                }
            }
        });
        match (to, left) {
            (Some(to), Some(left)) => self.peers.change(to, |peer| {
                peer.window.take_over(&left);
                peer.agreement.end();
            }),
            (Some(_), _) => {}
            (None, _) => {
                self.line.take_out(now, from, lost);
                self.turns.retain(|&turn| turn != from);
            }
        }
        // Who associates anew may have been answered before that was known.
        let stays = to == Some(from);
        let is_response = |action: &Action| matches!(action.says, Says::Response(_));
        self.withdraw(|action| action.to == from && !(stays && is_response(action)));
        if self.peers.change(from, |peer| std::mem::take(&mut peer.needs_request)) {
            self.narrow();
        }
    }

    /// Returns the end of an agreement that was put off until the exchange was over.
    pub fn take_parting(&mut self) -> Option<Parting> {
        self.parting.take_if(|_| self.attempt.is_none())
    }

    /// Receivers with which there are agreements.
    pub fn receivers(&self) -> Vec<StationId> {
        self.peers.iter().map(|peer| peer.to).collect()
    }

    /// Contends by other terms from now on: returns those before.
    pub fn contend_by(&mut self, terms: Terms) -> Terms {
        let Rules { always_agreed, asks, .. } = self.rules;
        let before = Terms { parameters: self.parameters, always_agreed, asks };
        (self.rules.always_agreed, self.rules.asks) = (terms.always_agreed, terms.asks);
        self.parameters = terms.parameters;
        self.narrow();
        before
    }

    /// Takes over what another function of its station was to send to `to`.
    pub fn take_over(&mut self, now: Time, other: &mut Function, to: StationId) {
        let left = other.peers.change(to, |peer| {
            let renewed = peer.window.renewed();
            std::mem::replace(&mut peer.window, renewed)
        });
        self.peers.change(to, |peer| peer.window.take_over(&left));
        let own = &mut self.line;
        other.line.hand_over(now, |packet| own.put(now, packet, to));
    }

    /// All packets that were never sent go to `to` from now on.
    pub fn readdress(&mut self, to: StationId) {
        self.line.readdress(to);
        self.turns.iter_mut().for_each(|turn| *turn = to);
        self.turns.truncate(1);
    }
}
