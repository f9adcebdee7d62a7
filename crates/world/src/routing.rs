//! The network's work for routers: it carries their updates, and packets that have waited for a route.

use crate::cx::{Cx, Noting};
use crate::network::Network;
use base::{CellId, NodeId, PacketId, StationId};
use net::{Direction, DropReason, Packet, Socket};
use wifi::GROUP;

impl Network {
    /// A router's time has come.
    pub(crate) fn on_routing(&mut self, cx: &mut Cx<impl Noting>, who: u32) {
        let Some(routers) = &mut self.routers else { return };
        let (said, changes) = routers.on_timer(cx, who, &mut self.routes);
        for update in said {
            let id = self.pool.make(Packet {
                born: cx.now,
                header: update.header,
                flow: update.way,
                bytes: update.bytes,
                routing_header: 0,
                mark: self.routes.nowhere(),
                direction: Direction::Forward,
                tunnel: None,
                socket: Socket::default(),
            });
            self.give_to_air(cx, update.cell, (update.from, GROUP), id);
        }
        if changes {
            self.renew_ways(cx);
        }
    }

    /// A packet for all has been sent, and is an update.
    pub(crate) fn on_update(
        &mut self,
        cx: &mut Cx<impl Noting>,
        packet: &Packet,
        (cell, hearers): (CellId, &[StationId]),
    ) {
        let Some(routers) = &mut self.routers else { return };
        if !routers.on_update(cx, packet, (cell, hearers), &mut self.routes) {
            return;
        }
        self.renew_ways(cx);
        let freed = self.routers.as_mut().map(|routers| routers.freed());
        for (id, here) in freed.into_iter().flatten() {
            let packet = self.pool[id];
            let (mark, step) =
                self.routes.go_on((packet.flow, packet.direction), here, packet.mark);
            let begins = packet.mark.hops() == 0;
            self.pool[id].mark = mark;
            if begins {
                self.pool[id].routing_header = self.routing_header(step);
            }
            self.forward(cx, id, step);
        }
    }

    /// A packet has no way on: true where it waits for one.
    #[cold]
    pub(crate) fn wait_for_way(
        &mut self,
        cx: &mut Cx<impl Noting>,
        id: PacketId,
        here: NodeId,
    ) -> bool {
        if self.routers.is_none() {
            return false;
        }
        let packet = &self.pool[id];
        let to = self.ends((packet.flow, packet.direction)).1;
        let kept = self.routers.as_mut().and_then(|routers| routers.keep(cx, (here, to), id));
        if let Some(Some(lost)) = kept {
            self.lose_here(cx, lost, DropReason::NoRoute, here);
        }
        kept.is_some()
    }
}
