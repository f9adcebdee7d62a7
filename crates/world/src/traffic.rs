//! What applications do in the world: begin, tick, stop, and hand data to their transports.

use crate::event::Event;
use crate::flow::{Application, Endpoints, Saturated};
use crate::note::Note;
use crate::world::World;
use base::{CellId, FlowId, StationId, Time};
use engine::{Phase, Probe};
use net::{Datagram, Direction, Header, Hop, Socket, Step};

/// How many packets a saturated source keeps waiting behind the one in service.
const SATURATED_BACKLOG: usize = 1;

impl World {
    pub(crate) fn on_flow_start<P: Probe<Note>>(&mut self, now: Time, id: FlowId, probe: &mut P) {
        match &self.flows[id.index()].application {
            Application::Web(_) => self.begin_web(now, id, probe),
            &Application::Bulk { bytes } => {
                self.recall_for_flow(now, id);
                let mut segments = std::mem::take(&mut self.segments);
                if let Some(tcp) = self.connection(id) {
                    tcp.sender.open(now, &mut segments);
                    tcp.sender.write(now, bytes.unwrap_or(u64::MAX), &mut segments);
                }
                self.segments = segments;
                self.after_sender(now, id, probe);
            }
            Application::Datagrams(_) => self.on_app_tick(now, id, probe),
            Application::Saturated { .. } => {
                self.saturate(now, id, probe);
            }
        }
    }

    /// A saturated source begins, or its way has changed: it keeps busy the station through which the way begins. Without
    /// a way it waits for one.
    pub(crate) fn saturate<P: Probe<Note>>(&mut self, now: Time, id: FlowId, probe: &mut P) {
        let found = match self.routes.begin(id, Direction::Forward) {
            (_, Step::Hop(Hop::Air { cell, from, .. })) => Saturated::Busy(cell, from),
            _ => Saturated::Waiting,
        };
        if !self.keep_busy(id, found) {
            return;
        }
        if let Saturated::Busy(cell, from) = found {
            // One into service and one behind it.
            self.refill(now, cell, from, probe);
            self.refill(now, cell, from, probe);
        }
    }

    /// Gives a saturated source its station; false where it has that already.
    fn keep_busy(&mut self, id: FlowId, found: Saturated) -> bool {
        let Application::Saturated { station, .. } = &mut self.flows[id.index()].application else {
            return false;
        };
        let before = std::mem::replace(station, found);
        if before == found {
            return false;
        }
        if let Saturated::Busy(cell, from) = before {
            self.cells[cell.index()].saturated[from.index()].retain(|&flow| flow != id);
        }
        if let Saturated::Busy(cell, from) = found {
            self.cells[cell.index()].saturated[from.index()].push(id);
        }
        true
    }

    /// Lets saturated sources top up the queue of `station`, in turn.
    pub(crate) fn refill<P: Probe<Note>>(
        &mut self,
        now: Time,
        cell: CellId,
        station: StationId,
        probe: &mut P,
    ) {
        let sources = self.cells[cell.index()].saturated[station.index()].len();
        for turn in 0..sources {
            let place = &mut self.cells[cell.index()];
            let coming = place.link_layer.as_ref().map_or(0, |layer| layer.coming(station));
            if place.air.waiting(station) + coming >= SATURATED_BACKLOG {
                break;
            }
            let flow = place.saturated[station.index()][turn];
            place.saturated[station.index()].rotate_left(1);
            if let Application::Saturated { payload, .. } = self.flows[flow.index()].application {
                self.send_datagram(now, flow, payload, probe);
            }
        }
    }

    pub(crate) fn on_flow_stop(&mut self, id: FlowId) {
        self.keep_busy(id, Saturated::Off);
        if let Application::Web(web) = &mut self.flows[id.index()].application {
            web.surfer.stop();
        }
        if let Some(tcp) = self.connection(id) {
            tcp.sender.stop_writing();
        }
    }

    pub(crate) fn on_app_tick<P: Probe<Note>>(&mut self, now: Time, id: FlowId, probe: &mut P) {
        let flow = &mut self.flows[id.index()];
        let source = match &mut flow.application {
            Application::Datagrams(source) => source,
            Application::Web(_) => return self.on_web_time(now, id, probe),
            Application::Bulk { .. } | Application::Saturated { .. } => return,
        };
        if now >= flow.stop {
            return;
        }
        let (act, largest) = (source.act(now), source.largest());
        if act.next <= Time::ZERO + self.plan.duration {
            self.schedule(act.next, Phase::Application, Event::AppTick(id));
        }
        self.expect_datagrams(id, act.bytes.div_ceil(largest));
        let mut left = act.bytes;
        while left > 0 {
            let payload = left.min(largest);
            self.send_datagram(now, id, payload, probe);
            left -= payload;
        }
    }

    /// Tells the other end of what is about to be sent, where it needs to know.
    fn expect_datagrams(&mut self, id: FlowId, datagrams: u32) {
        let flow = &mut self.flows[id.index()];
        if let (Some(playout), Endpoints::Udp { source, .. }) = (&mut flow.playout, &flow.endpoints)
            && datagrams > 0
        {
            playout.on_sent(source.made(), datagrams);
        }
    }

    pub(crate) fn send_datagram<P: Probe<Note>>(
        &mut self,
        now: Time,
        id: FlowId,
        payload: u32,
        probe: &mut P,
    ) {
        let Endpoints::Udp { source, header_bytes, .. } = &mut self.flows[id.index()].endpoints
        else {
            return;
        };
        let datagram: Datagram = source.datagram(payload);
        let bytes = payload + *header_bytes;
        let packet = (Header::Udp(datagram), bytes);
        self.emit(now, (id, Direction::Forward), Socket::default(), packet, probe);
    }
}
