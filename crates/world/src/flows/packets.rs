//! Packets that come to their transport, or are lost before.

use super::fetch::Place;
use super::flow::Endpoints;
use super::relay::Waiting;
use super::table::Flows;
use super::work::Work;
use crate::cx::{Cx, Noting};
use crate::end::End;
use crate::note::Note;
use base::PacketId;
use net::{Direction, DropReason, Header, Packet};

impl Flows {
    /// A packet has come to the end of its path.
    #[inline]
    pub fn on_packet(&mut self, cx: &mut Cx<impl Noting>, id: PacketId, packet: &Packet) {
        let &Packet { flow: number, direction, born, bytes, header, socket, .. } = packet;
        let now = cx.now;
        let flow = &mut self.table[number.index()];
        cx.note(|| Note::Delivered { id, born, bytes, flow: number, direction, header });
        if direction == Direction::Forward {
            flow.score.count_delivered(packet, now - born);
            flow.jitter.record(born, now);
        }
        match (&mut flow.endpoints, &packet.header) {
            (Endpoints::Tcp(tcp), Header::Tcp(segment)) => {
                let Some(connection) = tcp.hearing(socket) else { return };
                let (end, outbox) = (End::receiving(direction), &mut self.outbox);
                let stays = matches!(connection.work, Work::Lasting);
                if !stays
                    && let Work::Leg(leg) = connection.work
                    && self.relays[leg.relay as usize].stands_still(leg.part, end)
                {
                    let segment = *segment;
                    return self.hold_back(leg, Waiting { flow: number, end, segment });
                }
                // Compiled for each end: this is where every segment passes.
                let fresh = match end {
                    End::Source => connection
                        .act(cx, End::Source, outbox, |tcp, out| tcp.on_segment(now, segment, out)),
                    End::Sink => connection
                        .act(cx, End::Sink, outbox, |tcp, out| tcp.on_segment(now, segment, out)),
                };
                if !stays {
                    let at = Place { flow: number, connection: socket.connection };
                    self.after_segment(cx, at, end, fresh);
                } else if direction == Direction::Forward {
                    flow.score.count_fresh(cx, number, fresh);
                }
            }
            (Endpoints::Udp { sink, .. }, Header::Udp(datagram)) => {
                if !sink.on_datagram(datagram) {
                    return;
                }
                flow.score.count_fresh(cx, number, u64::from(datagram.len));
                if let Some(playout) = &mut flow.playout {
                    playout.on_datagram(now, born, datagram.number);
                }
            }
            _ => {}
        }
    }

    /// A packet is lost.
    pub fn on_lost(&mut self, packet: &Packet, reason: DropReason) {
        let &Packet { direction, socket, .. } = packet;
        let flow = &mut self.table[packet.flow.index()];
        flow.score.count_lost(direction, reason);
        match (&packet.header, &mut flow.endpoints) {
            (Header::Udp(datagram), _) => {
                if let Some(playout) = &mut flow.playout {
                    playout.on_lost(datagram.number);
                }
            }
            (Header::Tcp(segment), Endpoints::Tcp(tcp)) if reason != DropReason::Suppressed => {
                tcp.connection(socket.connection).on_lost(socket, direction, segment, reason);
            }
            (Header::Tcp(_), _) => {}
        }
    }
}
