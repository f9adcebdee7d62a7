//! Shared wired LANs in the run loop: frames that come through, and those that are given up.

use crate::air::Air;
use crate::cx::{Cx, Noting};
use crate::element::Element;
use crate::event::Event;
use crate::link_layer::LinkLayer;
use crate::network::Network;
use crate::note::Note;
use crate::plan::LanPlan;
use base::{CellId, Seed, StationId};
use engine::Phase;
use net::{DropReason, Hop, Lan, LanEnded, LanFrame, Topology};

impl LanPlan {
    /// Each station sends to each other.
    pub(crate) fn connect(&self, topology: &mut Topology, cell: CellId) {
        for (&node, i) in self.stations.iter().zip(0..) {
            for (&other, j) in self.stations.iter().zip(0..).filter(|other| other.1 != i) {
                let hop = Hop::Air { cell, from: StationId(i), to: StationId(j) };
                topology.connect(node, other, hop);
            }
        }
    }
}

impl Element {
    /// The element of a LAN, the one of this number in the plan.
    pub(crate) fn of_lan(plan: &LanPlan, id: CellId, seed: Seed, number: usize) -> Element {
        let lan = Lan::new(&plan.config, seed, (number as u64) << 32);
        let layers = LinkLayer::with(vec![plan.link_layer_delay; plan.stations.len()]);
        Element::plain(Air::Lan(lan), id, plan.stations.len()).with_link_layer(layers)
    }

    /// What a LAN has just said of those who have stopped sending.
    fn end_on_lan(&mut self, cx: &mut Cx<impl Noting>, ended: &mut Vec<LanEnded>) {
        let id = self.id();
        let Air::Lan(lan) = &mut self.air else { return };
        let before = lan.last_arrival();
        if lan.on_end(cx.now, |end| ended.push(end))
            && let Some(at) = lan.last_arrival().filter(|_| lan.last_arrival() != before)
        {
            cx.schedule(at, Phase::Arrival, Event::CellData(id));
        }
    }
}

impl Network {
    /// What was sent on a LAN has come to its end, unless a station that joined has moved that.
    #[inline(never)]
    pub(crate) fn on_lan_end(&mut self, cx: &mut Cx<impl Noting>, id: CellId) {
        let mut ended = std::mem::take(&mut self.scratch.lan_ended);
        self.element(id).end_on_lan(cx, &mut ended);
        self.settle_fates(cx, id);
        for LanEnded { station, sent, given_up } in ended.drain(..) {
            cx.note(|| Note::LanSent { cell: id, station, sent });
            if let Some(frame) = given_up {
                note_carried(cx, frame);
                self.lose_at(cx, id, station, frame.id, DropReason::ExcessiveCollisions);
            }
            self.refill(cx, id, station);
            self.element(id).note_queue(cx, (station, station));
        }
        self.scratch.lan_ended = ended;
        self.element(id).arm(cx);
    }

    /// A frame reaches its receiver on a LAN.
    #[inline(never)]
    pub(crate) fn on_lan_arrival(&mut self, cx: &mut Cx<impl Noting>, id: CellId) {
        let Air::Lan(lan) = &mut self.element(id).air else { return };
        let Some(frame) = lan.arrive() else { return };
        note_carried(cx, frame);
        self.come_over_air(cx, frame.id, id, frame.to);
    }
}

fn note_carried(cx: &mut Cx<impl Noting>, frame: LanFrame) {
    let LanFrame { id, since, began, .. } = frame;
    cx.note(|| Note::OverLan { id, since, began });
}
