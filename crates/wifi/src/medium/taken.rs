//! Which channels of a medium are taken.

use super::Medium;
use super::busy::Busy;
use super::node::Node;
use crate::exchange::Frame;
use crate::mlme::Channel;
use base::{Span, Time};

impl Medium {
    /// Time for which somebody transmitted on a channel up to `now` since the measurement began; the SIFS between two
    /// frames counts.
    pub fn busy_by(&self, channel: Channel, now: Time) -> Span {
        let busy = self.busy.iter().find(|busy| busy.channel == channel);
        busy.map_or(Span::ZERO, |busy| busy.time_by(now, busy.on_air > 0 || self.is_answered(busy)))
    }

    /// Returns true if a frame will follow the last one on a channel within a SIFS.
    fn is_answered(&self, busy: &Busy) -> bool {
        let follows = |node: &Node, reply: &Frame| reply.start.since(busy.until) <= node.waits.sifs;
        let replies = self.nodes.iter().filter_map(|node| Some((node, node.reply.as_ref()?)));
        replies
            .filter(|(_, reply)| self.channels[reply.from.index()] == busy.channel)
            .any(|(node, reply)| follows(node, reply))
    }

    #[inline]
    pub(super) fn busy_of(&mut self, channel: Channel) -> &mut Busy {
        if self.is_one_channel && !self.busy.is_empty() {
            return &mut self.busy[0];
        }
        let known = self.busy.iter().position(|busy| busy.channel == channel);
        let at = known.unwrap_or_else(|| {
            self.busy.push(Busy::of(channel));
            self.busy.len() - 1
        });
        &mut self.busy[at]
    }
}
