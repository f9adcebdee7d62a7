//! What applications do in the world: begin, tick, stop, and hand data to their transports.

use crate::event::Event;
use crate::flow::{Application, Endpoints, Saturated};
use crate::note::Note;
use crate::world::World;
use base::{FlowId, Time};
use engine::{Phase, Probe};
use net::{Datagram, Direction, Header, Hop, Step};

impl World {
    pub(crate) fn on_flow_start<P: Probe<Note>>(&mut self, now: Time, id: FlowId, probe: &mut P) {
        match &self.flows[id.index()].application {
            &Application::Bulk { bytes } => {
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

    pub(crate) fn on_flow_stop(&mut self, id: FlowId) {
        self.keep_busy(id, Saturated::Off);
        if let Some(tcp) = self.connection(id) {
            tcp.sender.stop_writing();
        }
    }

    pub(crate) fn on_app_tick<P: Probe<Note>>(&mut self, now: Time, id: FlowId, probe: &mut P) {
        let flow = &mut self.flows[id.index()];
        let Application::Datagrams(source) = &mut flow.application else { return };
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
        self.emit(now, (id, Direction::Forward), Header::Udp(datagram), bytes, probe);
    }
}
