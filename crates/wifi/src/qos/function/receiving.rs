//! What reaches the receivers of a function.

use super::Function;
use base::{PacketId, StationId, Time};

impl Function {
    /// MPDUs of its exchange, by their numbers, have come to their receiver at `now`: `up` gets the packets that are then in
    /// order.
    pub fn receive(
        &mut self,
        now: Time,
        numbers: impl IntoIterator<Item = u64>,
        mut up: impl FnMut(PacketId, StationId),
    ) {
        let Some(to) = self.attempt.map(|attempt| attempt.to) else { return };
        let Function { peers, stats, .. } = self;
        let had = peers.change(to, |peer| {
            peer.window.receive(numbers, now, |id, came| {
                up(id, to);
                stats.count_handed(came, now);
            })
        });
        stats.duplicates += u64::from(had);
    }

    /// Its request has come to its receiver at `now`: the same, without waiting for what the request gives up.
    pub fn be_asked(&mut self, now: Time, mut up: impl FnMut(PacketId, StationId)) {
        let Some(to) = self.attempt.map(|attempt| attempt.to) else { return };
        let Function { peers, stats, .. } = self;
        peers.change(to, |peer| {
            peer.window.request(|id, came| {
                up(id, to);
                stats.count_handed(came, now);
            });
        });
    }
}
