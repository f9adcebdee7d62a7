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
            self.send_saturating(cx, flow);
        }
    }

    /// The same where each of them keeps many packets for aggregates.
    #[inline(never)]
    fn fill_up(&mut self, cx: &mut Cx<impl Noting>, cell: CellId, station: StationId) {
        // A discipline may refuse what a limit lets in.
        let mut before = usize::MAX;
        while std::mem::replace(&mut before, self.element(cell).backlog(station)) != before {
            for turn in 0..self.element(cell).saturating(station) {
                if let Some(flow) = self.element(cell).hungry(station, turn) {
                    self.send_saturating(cx, flow);
                }
            }
        }
    }

    fn send_saturating(&mut self, cx: &mut Cx<impl Noting>, flow: FlowId) {
        if let Application::Saturated { payload, .. } = self.flows.get(flow).application {
            self.send_datagram(cx, flow, payload);
        }
    }
}
