//! For how long channels are taken.

use super::Medium;
use super::node::Node;
use crate::exchange::Frame;
use crate::mlme::Channel;
use base::{Span, Time};

/// For how long somebody has transmitted on a channel.
#[derive(Clone, Copy, Debug, Default)]
pub struct Busy {
    channel: Channel,
    on_air: u32,
    since: Time,
    until: Time,
    time: Span,
}

impl Busy {
    /// Time since which it has been busy, if it is: not before the measurement began.
    fn began(&self) -> Time {
        if self.on_air > 0 { self.since } else { self.until.max(self.since) }
    }

    /// What has been counted so far does not count.
    pub fn begin_measurement(&mut self, now: Time) {
        (self.time, self.since) = (Span::ZERO, now);
    }
}

impl Medium {
    /// Time for which somebody transmitted on a channel up to `now` since the measurement began; the SIFS between two
    /// frames counts.
    pub fn busy_by(&self, channel: Channel, now: Time) -> Span {
        let busy = self.busy.iter().find(|busy| busy.channel == channel);
        busy.map_or(Span::ZERO, |busy| {
            let runs = busy.on_air > 0 || self.is_answered(busy);
            busy.time + if runs { now.since(busy.began()) } else { Span::ZERO }
        })
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
    fn busy_of(&mut self, channel: Channel) -> &mut Busy {
        if self.is_one_channel && !self.busy.is_empty() {
            return &mut self.busy[0];
        }
        let known = self.busy.iter().position(|busy| busy.channel == channel);
        let at = known.unwrap_or_else(|| {
            self.busy.push(Busy { channel, ..Busy::default() });
            self.busy.len() - 1
        });
        &mut self.busy[at]
    }

    /// A frame begins; a SIFS after the last one counts.
    pub(super) fn count_busy(&mut self, channel: Channel, now: Time, sifs: Span) {
        let busy = self.busy_of(channel);
        if busy.on_air == 0 {
            let gap = now.since(busy.until);
            busy.since = if gap <= sifs { busy.until.max(busy.since) } else { now };
        }
        busy.on_air += 1;
    }

    /// A frame ends.
    pub(super) fn end_busy(&mut self, channel: Channel, now: Time) {
        let busy = self.busy_of(channel);
        busy.on_air -= 1;
        busy.until = now;
        if busy.on_air == 0 {
            busy.time += now.since(busy.since);
        }
    }
}
