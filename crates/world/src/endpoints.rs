//! The ends of flows: packets that arrive go to their transport, and what a transport says goes on its way.

use crate::cuts::Ends;
use crate::event::Event;
use crate::flow::{Connection, Endpoints};
use crate::note::Note;
use crate::world::World;
use base::{FlowId, PacketId, Time};
use engine::{Phase, Probe, Wake};
use net::{Direction, Header, Socket};
use transport::tcp::OptionSize;

impl World {
    /// A packet has come to the end of its path.
    pub(crate) fn deliver<P: Probe<Note>>(&mut self, now: Time, id: PacketId, probe: &mut P) {
        let (number, packet) = (id, self.pool.deliver(id));
        let (id, direction) = (packet.flow, packet.direction);
        let Some(flow) = self.flows.get_mut(id.index()) else {
            let header = packet.header;
            return self.on_message_by_network(now, (id, direction), &header, probe);
        };
        probe.record(now, || Note::Delivered {
            id: number,
            born: packet.born,
            bytes: packet.bytes,
            flow: id,
            direction,
            header: packet.header,
        });
        if direction == Direction::Forward {
            flow.score.count_delivered(packet, now - packet.born);
            flow.jitter.record(packet.born, now);
        }
        match (&mut flow.endpoints, &packet.header) {
            (Endpoints::Udp { sink, .. }, Header::Udp(datagram)) => {
                let fresh = sink.on_datagram(datagram);
                if fresh {
                    let bytes = u64::from(datagram.len);
                    flow.score.goodput_bytes += bytes;
                    probe.record(now, || Note::Fresh { flow: id, bytes });
                    if let Some(playout) = &mut flow.playout {
                        playout.on_datagram(now, packet.born, datagram.number);
                    }
                }
            }
            (Endpoints::Tcp(tcp), Header::Tcp(segment)) => match direction {
                Direction::Forward => {
                    let fresh = tcp.receiver.on_segment(now, segment, &mut self.segments);
                    flow.score.goodput_bytes += fresh;
                    probe.record(now, || Note::Fresh { flow: id, bytes: fresh });
                    self.after_receiver(now, id, probe);
                }
                Direction::Reverse => {
                    tcp.sender.on_segment(now, segment, &mut self.segments);
                    self.after_sender(now, id, probe);
                }
            },
            (Endpoints::Lanes(_), Header::Tcp(segment)) => {
                let (socket, segment) = (packet.socket, *segment);
                self.on_lane_segment(now, (socket, direction), &segment, probe);
            }
            _ => {}
        }
    }

    pub(crate) fn connection(&mut self, flow: FlowId) -> Option<&mut Connection> {
        match &mut self.flows[flow.index()].endpoints {
            Endpoints::Tcp(connection) => Some(connection),
            Endpoints::Udp { .. } | Endpoints::Lanes(_) => None,
        }
    }

    /// Carries on what a sender said and brings its timer's event in line.
    pub(crate) fn after_sender<P: Probe<Note>>(&mut self, now: Time, flow: FlowId, probe: &mut P) {
        let Some(tcp) = self.connection(flow) else { return };
        let timer = tcp.sender_timer.set(tcp.sender.next_timeout());
        let size = tcp.size();
        let ends = Ends { una: tcp.sender.oldest(), next: tcp.receiver.next_expected() };
        tcp.cuts.after_sender(tcp.sender.stats(), ends, |cause| {
            probe.record(now, || Note::WindowCut { flow, cause });
        });
        probe.record(now, || Note::Tcp { flow, state: tcp.sender.snapshot() });
        if let Some(at) = timer {
            self.schedule(at, Phase::Timer, Event::SenderTimer(flow));
        }
        self.emit_segments(now, (flow, Direction::Forward), size, probe);
    }

    /// Carries on what a receiver said and brings its timer's event in line.
    fn after_receiver<P: Probe<Note>>(&mut self, now: Time, flow: FlowId, probe: &mut P) {
        let Some(tcp) = self.connection(flow) else { return };
        let timer = tcp.receiver_timer.set(tcp.receiver.next_timeout());
        let size = tcp.size();
        if let Some(at) = timer {
            self.schedule(at, Phase::Timer, Event::ReceiverTimer(flow));
        }
        self.emit_segments(now, (flow, Direction::Reverse), size, probe);
    }

    fn emit_segments<P: Probe<Note>>(
        &mut self,
        now: Time,
        way: (FlowId, Direction),
        (header_bytes, options): (u32, OptionSize),
        probe: &mut P,
    ) {
        let mut segments = std::mem::take(&mut self.segments);
        for segment in &segments {
            let bytes = options.packet_bytes(header_bytes, segment);
            self.emit(now, way, Socket::default(), (Header::Tcp(*segment), bytes), probe);
        }
        segments.clear();
        self.segments = segments;
    }

    pub(crate) fn on_sender_timer<P: Probe<Note>>(
        &mut self,
        now: Time,
        flow: FlowId,
        probe: &mut P,
    ) {
        let Some(tcp) = self.connection(flow) else { return };
        match tcp.sender_timer.wake(now) {
            Wake::Stale => {}
            Wake::Later(at) => self.schedule(at, Phase::Timer, Event::SenderTimer(flow)),
            Wake::Fire => {
                let mut segments = std::mem::take(&mut self.segments);
                if let Some(tcp) = self.connection(flow) {
                    tcp.sender.on_timeout(now, &mut segments);
                }
                self.segments = segments;
                self.after_sender(now, flow, probe);
            }
        }
    }

    pub(crate) fn on_receiver_timer<P: Probe<Note>>(
        &mut self,
        now: Time,
        flow: FlowId,
        probe: &mut P,
    ) {
        let Some(tcp) = self.connection(flow) else { return };
        match tcp.receiver_timer.wake(now) {
            Wake::Stale => {}
            Wake::Later(at) => self.schedule(at, Phase::Timer, Event::ReceiverTimer(flow)),
            Wake::Fire => {
                let mut segments = std::mem::take(&mut self.segments);
                if let Some(tcp) = self.connection(flow) {
                    tcp.receiver.on_timeout(now, &mut segments);
                }
                self.segments = segments;
                self.after_receiver(now, flow, probe);
            }
        }
    }
}
