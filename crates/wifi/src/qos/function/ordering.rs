//! What a function sends next, and to whom.

use super::Function;
use crate::qos::peer::Peer;
use crate::qos::window::Window;
use base::{StationId, Time};

impl Function {
    /// True where it has something to send again to a receiver that has no turn.
    pub fn is_due_again(&self, to: StationId) -> bool {
        self.rules.turns.is_some() && self.has_something_for(to) && !self.turns.contains(&to)
    }

    fn has_something_for(&self, to: StationId) -> bool {
        self.held(to) > 0 || self.needs_request(to)
    }

    /// Packets for a receiver that are not acknowledged, those in the queues before the hardware left out.
    pub fn held(&self, to: StationId) -> u32 {
        self.line.waiting_for(to) + self.window_to(to).map_or(0, Window::outstanding)
    }

    /// True where a block ack request goes to a receiver before anything else does.
    pub fn needs_request(&self, to: StationId) -> bool {
        self.peers.needs_request(to)
    }

    /// True where it has something to send.
    pub fn has_work(&self) -> bool {
        match self.rules.asks {
            true => self.receiver().is_some(),
            // Another cell's station may ask it for an agreement.
            false => !self.actions.is_empty() || self.has_some(),
        }
    }

    /// The same, whether it waits for agreements or not.
    pub(super) fn has_some(&self) -> bool {
        !self.line.is_empty() || self.peers.has_some()
    }

    /// The receiver of its next exchange.
    pub fn receiver(&self) -> Option<StationId> {
        let action = self.actions.front().map(|action| action.to);
        action.or_else(|| self.next_receiver())
    }

    /// The receiver of its next exchange but for action frames. Where nobody yields, a request goes before all data.
    pub(super) fn next_receiver(&self) -> Option<StationId> {
        let request = if self.rules.yields { None } else { self.peers.to_request() };
        request.or_else(|| self.next_in_order())
    }

    /// The receiver whose packet has waited longest. What has to be sent again keeps its age.
    pub(super) fn next_in_order(&self) -> Option<StationId> {
        if self.rules.turns.is_some() {
            let is_ready = |&to: &StationId| self.has_something_for(to) && !self.is_asked(to);
            return self.turns.iter().copied().find(is_ready);
        }
        let peers = self.peers.iter().filter(|peer| !peer.is_asked());
        let again = peers.filter_map(|peer| Some((self.waits_since(peer)?, peer.to)));
        let again = again.min_by_key(|&(since, _)| since);
        let first = match self.rules.asks || (self.rules.yields && self.peers.is_one_behind()) {
            true => self.line.oldest_where(|to| !self.is_asked(to) && !self.is_behind(to)),
            false => self.line.oldest(),
        };
        let first = first.map(|waiting| (waiting.since, waiting.with));
        match (again, first) {
            (Some(again), Some(first)) => Some(if first.0 < again.0 { first.1 } else { again.1 }),
            (again, first) => again.or(first).map(|next| next.1),
        }
    }

    fn is_behind(&self, to: StationId) -> bool {
        self.peers.get(to).is_some_and(Peer::is_behind)
    }

    /// Since when something that was sent to a receiver waits, a request among it. What is for one that has fallen behind, sent or not,
    /// counts as having waited since then.
    #[inline]
    fn waits_since(&self, peer: &Peer) -> Option<Time> {
        let again = peer.window.oldest().map(|(since, _)| since);
        if !self.rules.yields {
            return again;
        }
        let due = again.or(peer.needs_request.then_some(Time::ZERO));
        if !peer.is_behind() {
            return due;
        }
        let since = due.or_else(|| self.line.oldest_for(peer.to).map(|waiting| waiting.since))?;
        Some(since.max(peer.behind_since))
    }

    /// The bytes of the MPDU that it would send next, of `overhead` bytes more than its packet; `None` for a request.
    pub fn next_mpdu(&self, overhead: u32) -> Option<u32> {
        let to = self.next_receiver().filter(|&to| !self.needs_request(to))?;
        let again = self.window_to(to).and_then(Window::oldest).map(|(_, bytes)| bytes);
        again.or_else(|| self.line.oldest_for(to).map(|waiting| waiting.bytes + overhead))
    }
}
