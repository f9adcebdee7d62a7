//! One connection over the three-node path of Fall and Floyd's simulations (CCR 26(3), 1996), packet by packet:
//!
//! ```text
//! s1 --8 Mb/s, 0 ms-- r1 --0.8 Mb/s, 100 ms, 8 packets-- k1
//! ```
//!
//! The links and the queue are parameters; the packets that a list numbers are dropped before the bottleneck's queue.

use base::{Bytes, FlowId, PacketId, Rate, Seed, Span, Time};
use engine::{Agenda, Phase};
use net::{
    Direction, DropList, DropReason, Header, LossPlace, Offer, Packet, Pool, QueueLimit, Segment,
    Transits, Wire, WireConfig,
};
use transport::tcp::{Receiver, Sender, TcpConfig};

const ACCESS: usize = 0;
const BOTTLENECK: usize = 1;
const BACK_BOTTLENECK: usize = 2;
const BACK_ACCESS: usize = 3;
/// Event codes beyond the four links.
const SENDER_TIMER: u32 = 4;
const RECEIVER_TIMER: u32 = 5;
const START: u32 = 6;

/// A time in seconds and a packet's number: 0 is the SYN, n the n-th segment.
pub type Row = (f64, u64);

/// A link in both directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// Bits a second.
    pub rate: Rate,
    /// Propagation delay.
    pub delay: Span,
}

/// The path and what happens on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreeNodes {
    /// From the sender to the router.
    pub access: Link,
    /// From the router to the receiver.
    pub bottleneck: Link,
    /// Packets that the router holds for either side of the bottleneck, the one in transmission among them.
    pub queue: u32,
    /// Size of an acknowledgement without options, bytes.
    pub ack_bytes: u32,
    /// Packets of the connection that are dropped before the bottleneck, by their ordinal there; the SYN is number 0.
    pub drops: Vec<u64>,
    /// The beginning of the endless transfer.
    pub start: Time,
    /// The last instant that is played.
    pub stop: Time,
}

impl Default for ThreeNodes {
    /// Fall and Floyd's path as ns-2's test suite has it: 1 s to 6 s, nothing dropped.
    fn default() -> ThreeNodes {
        ThreeNodes {
            access: Link { rate: Rate(8_000_000), delay: Span::ZERO },
            bottleneck: Link { rate: Rate(800_000), delay: Span::millis(100) },
            queue: 8,
            ack_bytes: 40,
            drops: vec![],
            start: Time::ZERO + Span::secs(1),
            stop: Time::ZERO + Span::secs(6),
        }
    }
}

/// The observations.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Data that enter the bottleneck's queue.
    pub enqueued: Vec<Row>,
    /// Data whose transmission over the bottleneck begins.
    pub dequeued: Vec<Row>,
    /// Data dropped, by the list or by the full queue.
    pub dropped: Vec<Row>,
    /// Acknowledgements that leave the receiver.
    pub acks: Vec<Row>,
}

struct Network<'a> {
    plan: &'a ThreeNodes,
    config: &'a TcpConfig,
    agenda: Agenda,
    pool: Pool,
    wires: [Wire; 4],
    transits: Transits,
    sender: Sender,
    receiver: Receiver,
    timers: [Time; 2],
    /// Returns the time at which the bottleneck has sent everything.
    free_at: Time,
    trace: Trace,
}

fn wire(link: Link, queue: QueueLimit, drops: &[u64]) -> Wire {
    let config = WireConfig {
        rate: link.rate,
        delay: link.delay,
        queue: queue.into(),
        loss: 0.0,
        loss_place: LossPlace::Leaving,
        bursts: None,
        drop_lists: vec![DropList::new(FlowId(0), drops.to_vec())],
        course: None,
        jitter: None,
    };
    Wire::new(config, Seed { seed: 1, replication: 0 }, 0)
}

impl ThreeNodes {
    /// Plays a connection with these parameters.
    pub fn run(&self, config: &TcpConfig) -> Trace {
        let queue = QueueLimit::PacketsWithService(self.queue);
        let mut path = Network {
            plan: self,
            config,
            agenda: Agenda::default(),
            pool: Pool::default(),
            transits: Transits::default(),
            wires: [
                wire(self.access, QueueLimit::Unlimited, &[]),
                wire(self.bottleneck, queue, &self.drops),
                wire(self.bottleneck, queue, &[]),
                wire(self.access, QueueLimit::Unlimited, &[]),
            ],
            sender: Sender::new(config),
            receiver: Receiver::new(config),
            timers: [Time::NEVER; 2],
            free_at: Time::ZERO,
            trace: Trace::default(),
        };
        path.agenda.schedule(self.start, Phase::Application, START);
        while let Some((now, code)) = path.agenda.next(self.stop) {
            path.handle(now, code);
        }
        path.trace
    }
}

impl Network<'_> {
    fn handle(&mut self, now: Time, code: u32) {
        let mut out = vec![];
        match code {
            START => {
                self.sender.write(now, u64::MAX, &mut out);
                self.sender.open(now, &mut out);
                self.send(now, ACCESS, &out);
            }
            SENDER_TIMER => {
                self.timers[0] = Time::NEVER;
                self.sender.on_timeout(now, &mut out);
                self.send(now, ACCESS, &out);
            }
            RECEIVER_TIMER => {
                self.timers[1] = Time::NEVER;
                self.receiver.on_timeout(now, &mut out);
                self.send(now, BACK_BOTTLENECK, &out);
            }
            link => self.arrive(now, link as usize),
        }
        self.arm(0, self.sender.next_timeout(), SENDER_TIMER);
        self.arm(1, self.receiver.next_timeout(), RECEIVER_TIMER);
    }

    fn arm(&mut self, which: usize, at: Time, code: u32) {
        if at != Time::NEVER && at != self.timers[which] {
            self.timers[which] = at;
            self.agenda.schedule(at, Phase::Timer, code);
        }
    }

    fn arrive(&mut self, now: Time, link: usize) {
        let (Some(fate), next) = self.wires[link].arrive(now, &self.transits) else { return };
        if let Some((at, _)) = next {
            self.agenda.schedule(at, Phase::Arrival, link as u32);
        }
        // These links lose nothing.
        let (Ok(id) | Err(id)) = fate;
        match link {
            ACCESS => self.offer(now, BOTTLENECK, id),
            BACK_BOTTLENECK => self.offer(now, BACK_ACCESS, id),
            _ => self.deliver(now, link, id),
        }
    }

    fn deliver(&mut self, now: Time, link: usize, id: PacketId) {
        let Header::Tcp(segment) = self.pool.deliver(id).header else { return };
        let mut out = vec![];
        if link == BOTTLENECK {
            self.receiver.on_segment(now, &segment, &mut out);
            self.send(now, BACK_BOTTLENECK, &out);
        } else {
            self.sender.on_segment(now, &segment, &mut out);
            self.send(now, ACCESS, &out);
        }
    }

    fn send(&mut self, now: Time, link: usize, segments: &[Segment]) {
        for segment in segments {
            let bytes = self.config.packet_bytes(segment);
            let more = if link == ACCESS { self.config.header_bytes } else { self.plan.ack_bytes };
            let packet = Packet {
                tunnel: None,
                socket: net::Socket::default(),
                born: now,
                header: Header::Tcp(*segment),
                flow: FlowId(0),
                bytes: bytes - self.config.header_bytes + more,
                routing_header: 0,
                mark: net::Mark::default(),
                direction: Direction::Forward,
            };
            let id = self.pool.make(packet);
            self.offer(now, link, id);
        }
    }

    fn offer(&mut self, now: Time, link: usize, id: PacketId) {
        let packet = self.pool[id];
        let Header::Tcp(segment) = packet.header else { return };
        let fate = self.wires[link].offer(
            now,
            packet.flow,
            &(id, packet.bytes).into(),
            &mut self.transits,
        );
        let fate = fate.map(|(offer, _)| offer);
        if let Ok(Offer::Head(at)) = fate {
            self.agenda.schedule(at, Phase::Arrival, link as u32);
        }
        if fate.is_err() {
            self.pool.drop_packet(id);
        }
        match link {
            BOTTLENECK => self.note(now, &segment, packet.bytes, fate),
            BACK_BOTTLENECK => {
                self.trace.acks.push((now.as_secs(), self.number(segment.ack)));
            }
            _ => {}
        }
    }

    /// Writes down what became of data before the bottleneck. What the list drops never meets the queue.
    fn note(&mut self, now: Time, segment: &Segment, bytes: u32, fate: Result<Offer, DropReason>) {
        let number = if segment.seq == 0 { 0 } else { self.number(segment.seq) + 1 };
        if fate != Err(DropReason::DropList) {
            self.trace.enqueued.push((now.as_secs(), number));
        }
        if fate.is_err() {
            return self.trace.dropped.push((now.as_secs(), number));
        }
        let begins = self.free_at.max(now);
        self.free_at = begins + self.plan.bottleneck.rate.time_for(Bytes(bytes));
        if begins <= self.plan.stop {
            self.trace.dequeued.push((begins.as_secs(), number));
        }
    }

    /// Whole segments before a number of the sequence space.
    fn number(&self, before: u64) -> u64 {
        (before.max(1) - 1) / u64::from(self.config.mss)
    }
}
