//! Sources that keep a station busy: the station through which their way begins.

use crate::cx::{Cx, Noting};
use crate::flows::{Application, Saturated};
use crate::network::Network;
use base::{CellId, FlowId, StationId};
use net::{Direction, Hop, Step};

/// The number of packets that a saturated source keeps waiting behind the one in service.
const SATURATED_BACKLOG: usize = 1;

impl Network {
    /// A saturated source begins, or its way has changed. Without a way it waits for one.
    pub(crate) fn saturate(&mut self, cx: &mut Cx<impl Noting>, flow: FlowId) {
        let found = match self.routes.begin(flow, Direction::Forward) {
            (_, Step::Hop(Hop::Air { cell, from, to })) => Saturated::Busy(cell, from, to),
            _ => Saturated::Waiting,
        };
        if !self.keep_busy(flow, found) {
            return;
        }
        if let Saturated::Busy(cell, from, _) = found {
            // One into service and one behind it.
            self.refill(cx, cell, from);
            self.refill(cx, cell, from);
        }
    }

    /// Gives a saturated source its station; false where it has that already.
    pub(crate) fn keep_busy(&mut self, flow: FlowId, found: Saturated) -> bool {
        let Application::Saturated { station, .. } = &mut self.flows.get_mut(flow).application
        else {
            return false;
        };
        let before = std::mem::replace(station, found);
        if before == found {
            return false;
        }
        if let Saturated::Busy(cell, from, _) = before {
            self.element(cell).end_saturating(from, flow);
        }
        if let Saturated::Busy(cell, from, to) = found {
            self.element(cell).begin_saturating((from, to), flow);
        }
        true
    }

    /// Lets saturated sources top up the queue of `station`, in turn.
    pub(crate) fn refill(&mut self, cx: &mut Cx<impl Noting>, cell: CellId, station: StationId) {
        for turn in 0..self.element(cell).saturating(station) {
            let element = self.element(cell);
            if element.keeps_many() {
                return self.fill_up(cx, cell, station);
            }
            if element.backlog(station) >= SATURATED_BACKLOG {
                break;
            }
            let flow = element.saturating_in(station, turn);
            self.send_saturating(cx, flow, 1);
        }
    }

    /// The same where each of them keeps many packets for aggregates.
    #[inline(never)]
    fn fill_up(&mut self, cx: &mut Cx<impl Noting>, cell: CellId, station: StationId) {
        let sources = self.element(cell).saturating(station);
        let mut goes_on = true;
        while std::mem::take(&mut goes_on) {
            for turn in 0..sources {
                let (flow, lacking) = self.element(cell).lacking(station, turn);
                // Several sources send in turn, packet by packet.
                let packets = if sources == 1 { lacking } else { lacking.min(1) };
                goes_on |= self.send_saturating(cx, flow, packets);
            }
        }
    }

    /// Sends packets of a source; true where the network has kept the last.
    fn send_saturating(&mut self, cx: &mut Cx<impl Noting>, flow: FlowId, packets: usize) -> bool {
        let Application::Saturated { payload, .. } = self.flows.get(flow).application else {
            return false;
        };
        for _ in 0..packets {
            let before = self.pool.in_flight();
            self.send_datagram(cx, flow, payload);
            // A discipline may refuse what a limit lets in.
            if self.pool.in_flight() == before {
                return false;
            }
        }
        packets > 0
    }
}
