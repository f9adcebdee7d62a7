//! The parts of handoffs, and their cost.

use crate::handoff::HandoffOutcome;
use base::{Named, NodeId, Span, Time, outcome};
use mobileip::Message;
use mobileip::Registration;
use serde::Serialize;
use wifi::mlme::HandoffRecord;

/// From the mobile node, and to it.
pub const UP: usize = 0;
pub const DOWN: usize = 1;

/// The packets in one direction over the link of a mobile node.
#[derive(Clone, Copy, Debug, Default)]
pub struct Traffic {
    /// The time of the last packet.
    pub last: Option<Time>,
    /// Packets lost since then.
    pub lost: u64,
}

/// A hole in the traffic one way: nothing passes before it is opened again.
#[derive(Clone, Copy, Debug)]
pub struct Hole {
    /// From then on packets may pass.
    opened: Time,
    /// The last packet before.
    begin: Option<Time>,
    /// The first packet after.
    pub end: Option<Time>,
    lost: u64,
    delayed: u64,
}

impl Hole {
    /// Packets may pass from `now` on.
    pub fn open(now: Time, traffic: Traffic) -> Hole {
        Hole { opened: now, begin: traffic.last, end: None, lost: 0, delayed: 0 }
    }

    /// A packet passes that was made at `born`; true where it was before.
    pub fn pass(&mut self, now: Time, born: Time, before: Traffic) -> bool {
        if self.end.is_none() {
            self.end = Some(now);
            self.lost = before.lost;
        }
        let is_late = born < self.opened;
        self.delayed += u64::from(is_late);
        is_late
    }

    /// Returns its length, if it is over.
    fn span(&self) -> Option<Span> {
        Some(self.end?.since(self.begin?))
    }
}

/// A change of agents.
#[derive(Clone, Debug)]
pub struct Handoff {
    pub registration: Registration,
    /// The change of access points that came before, where stations associate.
    association: Option<HandoffRecord>,
    /// The gaps of packets from the mobile node and of those for it.
    pub holes: [Hole; 2],
    /// Packets that came to an agent of before when all was over.
    pub late: u64,
    pub tunnelled: u64,
}

/// The messages sent since the measurement began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Of agents, whether asked for or not.
    pub advertisements: u64,
    /// Of mobile nodes.
    pub solicitations: u64,
    /// Each hop of a request counts.
    pub requests: u64,
    /// Each hop of a reply counts.
    pub replies: u64,
    /// Bytes of all of them.
    pub bytes: u64,
    /// Those that did not arrive.
    pub lost: u64,
    /// Packets that went through a tunnel.
    pub tunnelled: u64,
    /// Bytes of the tunnels' headers.
    pub tunnel_bytes: u64,
}

impl Counts {
    pub fn count(&mut self, message: &Message, bytes: u32) {
        self.bytes += u64::from(bytes);
        *match message {
            Message::Advertisement(_) => &mut self.advertisements,
            Message::Solicitation(_) => &mut self.solicitations,
            Message::Request(_) => &mut self.requests,
            Message::Reply(_) => &mut self.replies,
        } += 1;
    }
}

outcome! {
    /// The messages of Mobile IP in the measured time.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
    pub struct MobileIpOutcome {
        /// Agent advertisements sent.
        advertisements: u64 = "advertisements";
        /// Solicitations sent.
        solicitations: u64 = "solicitations";
        /// Registration requests; each hop between mobile node, foreign agent and home agent counts.
        requests: u64 = "registration requests";
        /// Registration replies, counted alike.
        replies: u64 = "registration replies";
        /// Network-layer bytes of all these messages.
        message_bytes: u64 = "bytes of messages";
        /// Messages that did not arrive; an advertisement that nobody hears is not lost.
        messages_lost: u64 = "messages lost";
        /// Packets that went through a tunnel, data and acknowledgements.
        packets_tunnelled: u64 = "packets tunnelled" in "packets";
        /// Bytes of the tunnels' headers.
        tunnel_bytes: u64 = "bytes in tunnels";
    }
}

impl From<Counts> for MobileIpOutcome {
    fn from(counts: Counts) -> MobileIpOutcome {
        MobileIpOutcome {
            advertisements: counts.advertisements,
            solicitations: counts.solicitations,
            requests: counts.requests,
            replies: counts.replies,
            message_bytes: counts.bytes,
            messages_lost: counts.lost,
            packets_tunnelled: counts.tunnelled,
            tunnel_bytes: counts.tunnel_bytes,
        }
    }
}

/// The parts of a handoff, each from one moment to the next.
const PARTS: usize = 7;

impl Handoff {
    pub fn new(
        registration: &Registration,
        association: Option<HandoffRecord>,
        holes: [Hole; 2],
    ) -> Handoff {
        Handoff { registration: *registration, association, holes, late: 0, tunnelled: 0 }
    }

    /// The longer of its holes that are over.
    fn hole(&self) -> Option<&Hole> {
        self.holes.iter().filter(|hole| hole.span().is_some()).max_by_key(|hole| hole.span())
    }

    /// The moments that divide it, in order: a moment before the last packet, or after the first, takes no part.
    fn moments(&self) -> [Time; PARTS + 1] {
        let Registration { last_heard, left, requested, registered, .. } = self.registration;
        let (detected, scanned, authenticated, associated) = match &self.association {
            Some(record) => {
                (record.detected, record.scanned, record.authenticated, record.associated)
            }
            None => (left, left, left, left),
        };
        let hole = self.hole();
        let begin = hole.and_then(|hole| hole.begin).unwrap_or(last_heard);
        let end = hole.and_then(|hole| hole.end).unwrap_or(registered);
        let inner = [detected, scanned, authenticated, associated, requested, registered];
        let mut moments = [begin; PARTS + 1];
        for (i, at) in inner.into_iter().enumerate() {
            moments[i + 1] = at.max(moments[i]).min(end.max(begin));
        }
        moments[PARTS] = end.max(begin);
        moments
    }

    /// Returns the result.
    pub fn outcome(&self, name: impl Fn(NodeId) -> String) -> HandoffOutcome {
        let Registration { mobile, from, to, registered, trigger, .. } = self.registration;
        let moments = self.moments();
        let part = |i: usize| (moments[i + 1] - moments[i]).as_secs();
        let of_link = self.association.as_ref().filter(|_| from.is_some());
        let [up, down] = &self.holes;
        HandoffOutcome {
            station: name(mobile),
            from: from.map(&name),
            to: name(to),
            trigger: of_link.map_or(trigger.name(), |record| record.trigger.name()),
            at_s: registered.as_secs(),
            detection_s: part(0),
            scan_s: part(1),
            authentication_s: part(2),
            association_s: part(3),
            discovery_s: Some(part(4)),
            registration_s: Some(part(5)),
            resumption_s: Some(part(6)),
            total_s: (moments[PARTS] - moments[0]).as_secs(),
            gap_s: self.hole().and_then(Hole::span).map(Span::as_secs),
            lost: Some(up.lost + down.lost + self.late),
            delayed: Some(up.delayed + down.delayed),
            tunnelled: Some(self.tunnelled),
        }
    }
}
