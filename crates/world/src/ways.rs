//! The parts that change the paths between nodes: stations that change their access point, links that appear
//! and break, and mobile nodes that change to another agent.

use crate::cx::{Cx, Noting};
use crate::network::Network;
use crate::note::Note;
use base::{CellId, FlowId, PacketId, StationId};
use net::Hop;
use wifi::Move;

/// From a station to its access point, or to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    Up,
    Down,
}

impl Network {
    /// From now on all ways are those of the edges and next hops as they are set now.
    pub(crate) fn renew_ways(&mut self, cx: &mut Cx<impl Noting>) {
        self.routes.renew();
        for flow in (0..self.flows.len() as u32).map(FlowId) {
            if self.flows.get(flow).is_saturating() {
                self.saturate(cx, flow);
            }
        }
    }

    /// Links have appeared or broken.
    pub(crate) fn on_links(&mut self, cx: &mut Cx<impl Noting>) {
        if let Some(clusters) = &mut self.clusters {
            clusters.on_links(cx, &mut self.routes);
            return self.renew_ways(cx);
        }
        let Some(oracle) = &mut self.oracle else { return };
        if oracle.on_links(cx, &mut self.routes) {
            self.renew_ways(cx);
        }
    }

    /// True where a packet that has come to a station, to be handed on, is lost to the error of extra clusterheads.
    #[cold]
    pub(crate) fn is_lost_at_head(&mut self, id: PacketId, cell: CellId, at: StationId) -> bool {
        let here = self.sites.node_of(cell, at);
        let packet = &self.pool[id];
        let to = self.ends((packet.flow, packet.direction)).1;
        here != to && self.clusters.as_mut().is_some_and(|clusters| clusters.loses(here))
    }

    /// Carries on what became of associations.
    pub(crate) fn after_moves(&mut self, cx: &mut Cx<impl Noting>, cell: CellId, moves: &[Move]) {
        let (mut changed, mut admitted) = (false, Vec::new());
        for &news in moves {
            let association = match &news {
                Move::Joined(record) => Some((record.station, true)),
                Move::Left { station, .. } => Some((*station, false)),
                Move::Admitted { .. } | Move::Resumed { .. } => None,
            };
            if let Some((station, is)) = association {
                cx.note(|| Note::Associated { cell, station, is });
            }
            if let Move::Admitted { station, access_point } = news {
                admitted.push((station, access_point));
            }
            match news {
                // Its own packets go by the new access point at once, what comes for it when that one knows of it.
                Move::Joined(record) if self.is_mobile(cell, record.station) => {
                    self.join_mobile(cx, cell, record);
                }
                Move::Joined(record) => {
                    changed |= self.point(cell, Bound::Up, record.station, record.to);
                    self.roaming.on_joined(cell, record);
                }
                // A mobile node's agent says where packets for it go.
                Move::Admitted { station, .. } if self.is_mobile(cell, station) => {}
                Move::Admitted { station, access_point } => {
                    changed |= self.point(cell, Bound::Down, station, access_point);
                }
                // Until it has found another, its packets wait, and those for it are lost in the air.
                Move::Left { station, .. } if self.guards.is_some() => {
                    self.tell_guards_of_leaving(cx, cell, station);
                }
                Move::Left { .. } => {}
                Move::Resumed { station, gap } => self.roaming.on_resumed(cell, station, gap),
            }
        }
        if changed {
            self.renew_ways(cx);
        }
        for of in admitted {
            self.move_splits(cx, cell, of);
        }
    }

    fn is_mobile(&self, cell: CellId, station: StationId) -> bool {
        self.plan.is_mobile(self.sites.node_of(cell, station))
    }

    /// The way from a station, or to it, is that by one access point and by no other.
    fn point(&mut self, cell: CellId, bound: Bound, of: StationId, by: StationId) -> bool {
        let mut changed = false;
        let node = self.sites.node_of(cell, of);
        for &(station, there) in self.sites.access_points(cell) {
            let ((from, to), (begin, end)) = match bound {
                Bound::Up => ((of, station), (node, there)),
                Bound::Down => ((station, of), (there, node)),
            };
            let hop = Hop::Air { cell, from, to };
            changed |= self.routes.topology_mut().set_edge(begin, end, hop, station == by);
        }
        changed
    }
}
