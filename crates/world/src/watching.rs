//! The network's work for nodes that watch connections: it shows them packets, and sends theirs.

use crate::cx::{Cx, Noting};
use crate::forward::At;
use crate::network::Network;
use crate::note::Note;
use base::{CellId, LinkId, NodeId, PacketId, StationId};
use net::{DropReason, Hop, Step};
use transport::proxy::Fate;

impl Network {
    /// A packet is at a node and about to go on; false where it goes no further.
    #[inline(never)]
    pub(crate) fn pass_guard(
        &mut self,
        cx: &mut Cx<impl Noting>,
        id: PacketId,
        at: At,
        step: Step,
    ) -> bool {
        // A packet in a tunnel is handled at the tunnel's end.
        if self.pool[id].tunnel.is_some() || matches!(step, Step::Hop(Hop::Home(_))) {
            return true;
        }
        let here = self.node_at(at);
        self.show_guard(cx, id, (here, None))
    }

    /// The same; `agent`: it goes over the link of this agent of Mobile IP.
    pub(crate) fn show_guard(
        &mut self,
        cx: &mut Cx<impl Noting>,
        id: PacketId,
        place: (NodeId, Option<usize>),
    ) -> bool {
        let Some(guards) = &mut self.guards else { return true };
        let Some((post, fate)) = guards.on_packet(cx, place, &mut self.pool[id]) else {
            return true;
        };
        if fate == Fate::Suppress {
            self.lose(cx, id, DropReason::Suppressed);
        }
        self.run_guard_errands(cx, post);
        fate == Fate::Pass
    }

    /// The timer of a machine has come up.
    pub(crate) fn on_guard(&mut self, cx: &mut Cx<impl Noting>, post: u32) {
        if let Some(guards) = &mut self.guards {
            guards.on_timer(cx, post);
        }
        self.run_guard_errands(cx, post);
    }

    /// The nodes of a proxy forget all that they know of connections.
    pub(crate) fn on_proxy_restart(&mut self, proxy: u32) {
        if let Some(guards) = &mut self.guards {
            guards.restart(&self.plan, proxy);
        }
    }

    /// A station has left its base station.
    pub(crate) fn tell_guards_of_leaving(
        &mut self,
        cx: &mut Cx<impl Noting>,
        cell: CellId,
        station: StationId,
    ) {
        let node = self.sites.node_of(cell, station);
        let posts = self.guards.as_ref().map(|guards| guards.posts_of(&self.plan, node));
        for post in posts.into_iter().flatten() {
            if let Some(guards) = &mut self.guards {
                guards.on_left(cx, post);
            }
            self.run_guard_errands(cx, post);
        }
    }

    fn run_guard_errands(&mut self, cx: &mut Cx<impl Noting>, post: u32) {
        while let Some(errand) = self.guards.as_mut().and_then(|guards| guards.take(cx.now, post)) {
            let packet = errand.packet;
            let (flow, direction, header) = (packet.flow, packet.direction, packet.header);
            self.flows.get_mut(flow).score.count_sent(direction);
            let id = self.pool.make(packet);
            cx.note(|| Note::Sent { id, bytes: packet.bytes, flow, direction, header });
            match errand.agent {
                Some(agent) => {
                    let mobile = self.ends((flow, direction)).1;
                    let ip = self.mobile_ip.as_ref().filter(|_| errand.roams);
                    let serving = ip.and_then(|ip| ip.serving(mobile, cx.now));
                    let agent = serving.unwrap_or(agent);
                    self.hand_over(cx, id, agent, mobile);
                }
                // Those like it have come to its node by a tunnel, which ends there.
                None if packet.tunnel.is_some() => self.go_on_from_tunnel(cx, id),
                None => {
                    let step = match self.routes.step(packet.mark) {
                        Some(step) => step,
                        None => self.redirect_from(id, errand.here),
                    };
                    self.forward(cx, id, step);
                }
            }
        }
    }

    /// A packet did not get into the queue of a station, or its discipline has dropped it.
    pub(crate) fn tell_guards_of_drop(
        &mut self,
        cx: &Cx<impl Noting>,
        id: PacketId,
        reason: DropReason,
        here: NodeId,
    ) {
        if let Some(guards) = &mut self.guards
            && matches!(reason, DropReason::Queue | DropReason::Aqm)
        {
            guards.on_dropped(cx.now, here, &self.pool[id]);
        }
    }

    /// A packet is lost in the queue of a link.
    #[cold]
    pub(crate) fn lose_on_wire(
        &mut self,
        cx: &mut Cx<impl Noting>,
        link: LinkId,
        id: PacketId,
        reason: DropReason,
    ) {
        self.tell_guards_of_drop(cx, id, reason, self.plan.links[link.index()].from);
        self.lose(cx, id, reason);
    }
}
