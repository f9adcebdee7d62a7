//! The receivers to which an access function has sent, and how much they have not acknowledged together.

use super::peer::Peer;
use base::{StationId, Time};

/// Receivers, in the order of the first packet for each.
#[derive(Clone, Debug)]
pub struct Peers {
    all: Vec<Peer>,
    /// The place of the last one that was changed: an exchange asks for one again and again.
    latest: usize,
    /// MPDUs of a window.
    window: u32,
    /// Packets that senders have not settled, of all.
    outstanding: u32,
    /// Receivers to which a request is due.
    requests: u32,
}

impl Peers {
    /// None, with windows of `window` MPDUs.
    pub fn new(window: u32) -> Peers {
        Peers { all: Vec::new(), latest: 0, window, outstanding: 0, requests: 0 }
    }

    /// Packets that are not settled, of all receivers.
    #[inline]
    pub fn outstanding(&self) -> u32 {
        self.outstanding
    }

    /// The first receiver to which a request is due.
    #[inline]
    pub fn to_request(&self) -> Option<StationId> {
        let due = || self.all.iter().find(|peer| peer.needs_request);
        (self.requests > 0).then(due).flatten().map(|peer| peer.to)
    }

    /// True where a request is due to a receiver.
    #[inline]
    pub fn needs_request(&self, to: StationId) -> bool {
        self.requests > 0 && self.get(to).is_some_and(|peer| peer.needs_request)
    }

    /// True where something is to be sent to one.
    #[inline]
    pub fn has_some(&self) -> bool {
        self.outstanding > 0 || self.requests > 0
    }

    /// True where others go before one of them.
    pub fn is_one_behind(&self) -> bool {
        self.all.iter().any(Peer::is_behind)
    }

    /// The receivers.
    pub fn iter(&self) -> impl Iterator<Item = &Peer> {
        self.all.iter()
    }

    fn place(&self, to: StationId) -> Option<usize> {
        match self.all.get(self.latest) {
            Some(peer) if peer.to == to => Some(self.latest),
            _ => self.all.iter().position(|peer| peer.to == to),
        }
    }

    /// A receiver, if it has been sent something.
    #[inline]
    pub fn get(&self, to: StationId) -> Option<&Peer> {
        Some(&self.all[self.place(to)?])
    }

    /// Changes what is kept of a receiver, which gets its place if it has none.
    #[inline]
    pub fn change<R>(&mut self, to: StationId, change: impl FnOnce(&mut Peer) -> R) -> R {
        self.latest = self.place(to).unwrap_or_else(|| self.add(to));
        let peer = &mut self.all[self.latest];
        let before = (peer.window.outstanding(), u32::from(peer.needs_request));
        let result = change(peer);
        self.outstanding = self.outstanding - before.0 + peer.window.outstanding();
        self.requests = self.requests - before.1 + u32::from(peer.needs_request);
        result
    }

    #[cold]
    fn add(&mut self, to: StationId) -> usize {
        self.all.push(Peer::new(to, self.window));
        self.all.len() - 1
    }

    /// Does not wait for responses any more that should have come by `now`.
    pub fn expire_requests(&mut self, now: Time) {
        self.all.iter_mut().for_each(|peer| peer.agreement.expire(now));
    }
}
