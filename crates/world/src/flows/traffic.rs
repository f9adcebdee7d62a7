//! The actions of applications: begin, tick, stop, and hand data to their transports.

use super::flow::{Application, Endpoints, Flow};
use super::table::Flows;
use super::work::Work;
use crate::cx::{Cx, Noting};
use crate::end::End;
use crate::event::Event;
use base::FlowId;
use engine::Phase;
use net::{Datagram, Header};

/// Bytes that are sent at once, and the most that a datagram carries of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Burst {
    pub bytes: u32,
    pub largest: u32,
}

impl Flows {
    /// A flow of TCP begins.
    pub fn begin(&mut self, cx: &mut Cx<impl Noting>, flow: FlowId) {
        match self.table[flow.index()].application {
            Application::Web(_) => self.begin_web(cx, flow),
            Application::Bulk { on_times: Some(_), .. } => {
                self.begin_bulk(cx, flow, 0);
                self.on_turn(cx, flow);
            }
            Application::Bulk { bytes, on_times: None } => {
                self.begin_bulk(cx, flow, bytes.unwrap_or(u64::MAX));
            }
            Application::Datagrams(_) | Application::Saturated { .. } => {}
        }
    }

    fn begin_bulk(&mut self, cx: &mut Cx<impl Noting>, flow: FlowId, bytes: u64) {
        let now = cx.now;
        self.recall_lasting(now, flow);
        let tcp = self.table[flow.index()].tcp_mut();
        if let Some(connection) = tcp.and_then(|tcp| tcp.lasting_connection_mut()) {
            connection.act(cx, End::Source, &mut self.outbox, |tcp, out| {
                tcp.connect(now, out);
                tcp.write(now, bytes, out);
            });
        }
    }

    /// A transfer with on-times begins one, or pauses.
    fn on_turn(&mut self, cx: &mut Cx<impl Noting>, flow: FlowId) {
        let now = cx.now;
        let Flow { application, stop, .. } = &mut self.table[flow.index()];
        let Application::Bulk { on_times: Some(on_times), .. } = application else { return };
        if now >= *stop {
            return;
        }
        let turn = on_times.act(now);
        if turn.next <= self.horizon {
            cx.schedule(turn.next, Phase::Application, Event::AppTick(flow));
        }
        let tcp = self.table[flow.index()].tcp_mut();
        let Some(connection) = tcp.and_then(|tcp| tcp.lasting_connection_mut()) else { return };
        if turn.writes {
            connection.act(cx, End::Source, &mut self.outbox, |tcp, out| {
                tcp.write(now, u64::MAX, out);
            });
        } else {
            connection.sender(End::Source).stop_writing();
        }
    }

    /// The application offers nothing more.
    pub fn stop(&mut self, flow: FlowId) {
        if let Application::Web(web) = &mut self.table[flow.index()].application {
            web.surfer.stop();
        }
        if let Some(connection) = self.lasting(flow) {
            connection.sender(End::Source).stop_writing();
        }
    }

    /// The event of a connection's timer has come up.
    pub fn on_timer(&mut self, cx: &mut Cx<impl Noting>, number: u32, end: End) {
        let (flow, connection) = self.register.get(number);
        let Some(tcp) = self.table[flow.index()].tcp_mut() else { return };
        let connection = tcp.connection(connection);
        match connection.work {
            Work::Leg(leg) if self.relays[leg.relay as usize].stands_still(leg.part, end) => {
                connection.miss_timer(cx, end);
            }
            _ => connection.on_timer(cx, end, &mut self.outbox),
        }
    }

    /// An application acts; what it sends at once as datagrams.
    pub fn on_tick(&mut self, cx: &mut Cx<impl Noting>, flow: FlowId) -> Option<Burst> {
        let Flow { application, stop, endpoints, playout, .. } = &mut self.table[flow.index()];
        let source = match application {
            Application::Datagrams(source) if cx.now < *stop => source,
            Application::Web(_) => {
                self.on_web_tick(cx, flow);
                return None;
            }
            Application::Bulk { .. } => {
                self.on_turn(cx, flow);
                return None;
            }
            _ => return None,
        };
        let (act, largest) = (source.act(cx.now), source.largest());
        if act.next <= self.horizon {
            cx.schedule(act.next, Phase::Application, Event::AppTick(flow));
        }
        let datagrams = act.bytes.div_ceil(largest);
        // The other end is notified of the next datagram, where it needs that.
        if let (Some(playout), Endpoints::Udp { source, .. }) = (playout, endpoints)
            && datagrams > 0
        {
            playout.on_sent(source.made(), datagrams);
        }
        Some(Burst { bytes: act.bytes, largest })
    }

    /// The next datagram of a flow, with its network-layer size.
    pub fn datagram(&mut self, flow: FlowId, payload: u32) -> Option<(Header, u32)> {
        let Endpoints::Udp { source, header_bytes, .. } = &mut self.table[flow.index()].endpoints
        else {
            return None;
        };
        let datagram: Datagram = source.datagram(payload);
        Some((Header::Udp(datagram), payload + *header_bytes))
    }
}
