//! A connection's machine, and what of its packets is needed to send more of them.

use super::kind::{Counts, Machine};
use crate::flows::Level;
use crate::plan::GuardKind;
use base::{NodeId, Time};
use engine::Timer;
use net::{Header, Packet, Segment, Socket};
use transport::proxy::{Fate, Orders};

/// The segments that a machine wants to be sent.
pub struct Errand {
    pub packet: Packet,
    /// From this node.
    pub here: NodeId,
    /// Over the link of this agent of Mobile IP.
    pub agent: Option<usize>,
    /// It may go out wherever the mobile is: the nodes are one host's.
    pub roams: bool,
}

/// A connection's place.
#[derive(Clone, Debug)]
pub struct Post {
    /// The number of its flow's guard.
    pub guard: u32,
    pub socket: Socket,
    machine: Machine,
    /// The timer for `next_timeout()`.
    pub timer: Timer,
    /// The place where the data for the mobile last passed.
    pub here: NodeId,
    /// The last packet to the mobile, at its place here, with the agent of Mobile IP over whose link it went.
    pub down: Option<(Packet, Option<usize>)>,
    /// The last from it, and where.
    pub up: Option<(Packet, NodeId)>,
    /// The number of segments kept.
    pub kept: Level,
}

impl Post {
    pub fn new(guard: u32, kind: &GuardKind, socket: Socket) -> Post {
        Post {
            guard,
            socket,
            machine: Machine::new(kind),
            timer: Timer::default(),
            here: NodeId(u32::MAX),
            down: None,
            up: None,
            kept: Level::default(),
        }
    }

    /// From now on it knows nothing; what it has counted.
    pub fn renew(&mut self, kind: &GuardKind, socket: Socket) -> Counts {
        let counts = self.machine.counts();
        self.machine = Machine::new(kind);
        (self.socket, self.down, self.up) = (socket, None, None);
        counts
    }

    /// True where data come to another base station than before, which knows nothing of the connection. M-TCP's supervisor
    /// host has several base stations.
    pub fn moves(&self, here: NodeId, kind: GuardKind) -> bool {
        self.down.is_some() && self.here != here && matches!(kind, GuardKind::Snoop(_))
    }

    /// True where what comes from the mobile passes the machine.
    pub fn is_at(&self, here: NodeId, kind: GuardKind) -> bool {
        self.down.is_none() || self.here == here || matches!(kind, GuardKind::Mtcp(_))
    }

    /// A segment goes to the mobile.
    pub fn on_down(&mut self, now: Time, segment: &mut Segment) -> Fate {
        self.machine.on_down(now, segment);
        Fate::Pass
    }

    /// A segment comes from the mobile.
    pub fn on_up(&mut self, now: Time, segment: &mut Segment, orders: &mut Orders) -> Fate {
        self.machine.on_up(now, segment, orders)
    }

    pub fn on_dropped(&mut self, now: Time, segment: &Segment) {
        self.machine.on_dropped(segment);
        self.kept.set(now, self.machine.kept());
    }

    pub fn on_left(&mut self, now: Time, orders: &mut Orders) {
        self.machine.on_left(now, orders);
    }

    pub fn on_timeout(&mut self, now: Time, orders: &mut Orders) {
        self.machine.on_timeout(now, orders);
    }

    pub fn next_timeout(&self) -> Time {
        self.machine.next_timeout()
    }

    pub fn kept_now(&self) -> u64 {
        self.machine.kept()
    }

    pub fn counts(&self) -> Counts {
        self.machine.counts()
    }

    /// The next packet that the machine wants to be sent: what goes to the mobile in its order, then what goes up.
    pub fn take(
        &self,
        now: Time,
        orders: &mut Orders,
        bytes: impl Fn(&Segment) -> u32,
    ) -> Option<Errand> {
        // As the sender's own repeats it counts from when it is made; it is none of them.
        let as_packet = |like: Packet, segment: Segment| Packet {
            born: now,
            header: Header::Tcp(Segment { retransmission: false, ..segment }),
            bytes: bytes(&segment),
            ..like
        };
        if !orders.down.is_empty() {
            let segment = orders.down.remove(0);
            let (like, agent) = self.down?;
            let packet = as_packet(like, segment);
            let roams = matches!(self.machine, Machine::Mtcp(_));
            return Some(Errand { packet, here: self.here, agent, roams });
        }
        let segment = orders.up.pop()?;
        let (like, here) = self.up?;
        Some(Errand { packet: as_packet(like, segment), here, agent: None, roams: false })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::FlowId;
    use net::{Direction, Mark};
    use transport::proxy::{MtcpConfig, SnoopConfig};

    fn packet() -> Packet {
        Packet {
            born: Time::ZERO,
            header: Header::Tcp(Segment::default()),
            flow: FlowId(0),
            bytes: 40,
            routing_header: 0,
            mark: Mark::default(),
            direction: Direction::Forward,
            tunnel: None,
            socket: Socket::default(),
        }
    }

    /// Snoop's stations know what passed each; those of M-TCP are one host's.
    #[test]
    fn data_at_another_station_begin_anew_with_snoop_alone() {
        for (kind, begins) in [
            (GuardKind::Snoop(SnoopConfig::default()), true),
            (GuardKind::Mtcp(MtcpConfig::default()), false),
        ] {
            let mut post = Post::new(0, &kind, Socket::default());
            assert!(!post.moves(NodeId(1), kind));
            post.here = NodeId(1);
            post.down = Some((packet(), None));
            assert!(!post.moves(NodeId(1), kind));
            assert_eq!(post.moves(NodeId(2), kind), begins);
        }
    }
}
