//! A connection over the three-node path of Fall and Floyd's simulations (CCR 1996), as ns-2's test suite has it:
//!
//! ```text
//! s1 --8 Mb/s, 0 ms-- r1 --0.8 Mb/s, 100 ms, 8 packets-- k1
//! ```

use base::{FlowId, PacketId, Purpose, Rate, Seed, Span, Time};
use engine::{Agenda, Phase};
use net::{
    Direction, DropList, Header, LossPlace, Offer, Packet, Pool, QueueLimit, Segment, Wire,
    WireConfig,
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

/// What was seen.
#[derive(Default)]
pub struct Trace {
    /// Data that enter the bottleneck's queue; what the list drops is not among them.
    pub enqueued: Vec<Row>,
    /// Acknowledgements that leave the receiver.
    pub acks: Vec<Row>,
    /// Bytes delivered in order.
    pub delivered: u64,
}

struct Path {
    agenda: Agenda,
    pool: Pool,
    wires: Vec<Wire>,
    sender: Sender,
    receiver: Receiver,
    mss: u64,
    config: TcpConfig,
    timers: [Time; 2],
    trace: Trace,
}

fn wire(bit_s: u64, delay: Span, queue: QueueLimit, drops: &[u64]) -> Wire {
    let config = WireConfig {
        rate: Rate(bit_s),
        delay,
        queue,
        loss: 0.0,
        loss_place: LossPlace::Leaving,
        mark_above: None,
        drop_lists: vec![DropList::new(FlowId(0), drops.to_vec())],
    };
    Wire::new(config, Seed { seed: 1, replication: 0 }.stream(Purpose::LinkLoss, 0))
}

/// Runs an endless transfer from 1 s to `stop`, dropping the packets that `drops` numbers before the bottleneck.
pub fn run(config: &TcpConfig, drops: &[u64], stop: Time) -> Trace {
    let slow = Span::millis(100);
    let queue = QueueLimit::PacketsWithService(8);
    let mut path = Path {
        agenda: Agenda::default(),
        pool: Pool::default(),
        wires: vec![
            wire(8_000_000, Span::ZERO, QueueLimit::Unlimited, &[]),
            wire(800_000, slow, queue, drops),
            wire(800_000, slow, queue, &[]),
            wire(8_000_000, Span::ZERO, QueueLimit::Unlimited, &[]),
        ],
        sender: Sender::new(config),
        receiver: Receiver::new(config),
        mss: u64::from(config.mss),
        config: config.clone(),
        timers: [Time::NEVER; 2],
        trace: Trace::default(),
    };
    path.agenda.schedule(Time::ZERO + Span::secs(1), Phase::Application, START);
    while let Some((now, code)) = path.agenda.next(stop) {
        path.handle(now, code);
    }
    path.trace
}

impl Path {
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
        let Some((fate, next)) = self.wires[link].arrive() else { return };
        if let Some(at) = next {
            self.agenda.schedule(at, Phase::Arrival, link as u32);
        }
        let id = fate.expect("these wires lose nothing");
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
            self.trace.delivered += self.receiver.on_segment(now, &segment, &mut out);
            self.send(now, BACK_BOTTLENECK, &out);
        } else {
            self.sender.on_segment(now, &segment, &mut out);
            self.send(now, ACCESS, &out);
        }
    }

    fn send(&mut self, now: Time, link: usize, segments: &[Segment]) {
        for segment in segments {
            let packet = Packet {
                born: now,
                header: Header::Tcp(*segment),
                flow: FlowId(0),
                bytes: self.config.packet_bytes(segment),
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
        let fate = self.wires[link].offer(now, id, packet.flow, packet.bytes);
        if let Offer::Head(at) = fate {
            self.agenda.schedule(at, Phase::Arrival, link as u32);
        }
        if let Offer::Dropped(reason) = fate {
            self.pool.drop_packet(id);
            if reason == net::DropReason::DropList {
                return;
            }
        }
        match link {
            BOTTLENECK => {
                let number = if segment.seq == 0 { 0 } else { (segment.seq - 1) / self.mss + 1 };
                self.trace.enqueued.push((now.as_secs(), number));
            }
            BACK_BOTTLENECK => {
                self.trace.acks.push((now.as_secs(), (segment.ack - 1) / self.mss));
            }
            _ => {}
        }
    }
}
