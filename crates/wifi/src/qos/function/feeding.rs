//! Packets come to a function, from above and from the queue before the hardware.

use super::Function;
use crate::qos::peer::Peer;
use crate::qos::sharing::Sharing;
use base::{PacketId, StationId, Time};
use net::{Arrival, Device, DropReason, Fate, Waiting};

impl Function {
    /// Puts a packet in its queue: whether it gets a congestion mark.
    pub fn offer(
        &mut self,
        now: Time,
        to: StationId,
        arrival: &Arrival<'_>,
        mut told: impl FnMut(PacketId, Fate),
    ) -> Result<bool, DropReason> {
        let marks = self.line.offer(now, to, (arrival, self.device()), &mut told)?;
        self.feed(now, told);
        Ok(marks)
    }

    #[inline]
    pub(super) fn device(&self) -> Device {
        // A packet waits for its turn on the air even where nothing else does.
        if self.has_some() { Device::Holding(self.peers.outstanding()) } else { Device::Blocked }
    }

    /// Takes packets over from the queue of an AQM as far as the hardware has room.
    pub fn feed(&mut self, now: Time, told: impl FnMut(PacketId, Fate)) {
        if self.line.managed() == 0 {
            return;
        }
        let Function { line, peers, rules, .. } = self;
        let is_aside = |to| rules.asks && peers.get(to).is_some_and(Peer::is_asked);
        let aside = match rules.asks {
            true => peers
                .iter()
                .filter(|peer| peer.is_asked())
                .map(|peer| line.waiting_for(peer.to))
                .sum(),
            false => 0,
        };
        line.feed(now, peers.outstanding(), (aside, is_aside), told);
    }

    /// Takes packets over from queues that it shares, receiver by receiver, as far as these let it.
    pub fn load(&mut self, now: Time, sharing: &mut Sharing, mut told: impl FnMut(PacketId, Fate)) {
        let (category, limit) = (self.category, self.rules.turns);
        while limit.is_none_or(|limit| self.ready_turns() < limit as usize) {
            let (has, waits) = (|to| self.is_due_again(to), |to| self.is_asked(to));
            // After failures another has a turn first, however little airtime they have cost: the wait for the medium counts too.
            let after = self.failed.filter(|_| limit.is_some());
            let next = after.and_then(|of| sharing.next(category, has, |to| waits(to) || to == of));
            let next = next.or_else(|| sharing.next(category, has, waits));
            let Some(to) = next else { return };
            let of = (category, to);
            // What a turn before has left behind goes first, where an aggregate is built for each.
            let left = limit.map_or(0, |_| self.line.waiting_for(to));
            let (mut packets, mut bytes, most) = (left, 0, sharing.most(of));
            while packets < self.rules.window && bytes <= most && sharing.may_send(of) {
                let Some(Waiting { id, bytes: own, .. }) = sharing.pull(now, of, &mut told) else {
                    break;
                };
                self.line.put(now, (id, own), to);
                (packets, bytes) = (packets + 1, bytes + u64::from(own));
            }
            if limit.is_some() && (packets > 0 || self.is_due_again(to)) {
                self.turns.push_back(to);
            }
            sharing.end_turn(of);
        }
    }

    /// Turns of receivers whose response it does not wait for.
    fn ready_turns(&self) -> usize {
        match self.rules.asks {
            true => self.turns.iter().filter(|&&to| !self.is_asked(to)).count(),
            false => self.turns.len(),
        }
    }
}
