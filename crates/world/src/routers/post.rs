//! A router, its place, and the packets that wait there for a route.

use crate::sites::Sites;
use base::{CellId, NodeId, PacketId, Purpose, Seed, StationId, Time};
use dsdv::{Router, Settings};
use engine::Timer;
use net::{Hop, Routes, Topology};
use std::collections::VecDeque;

/// Most packets that wait for one destination (ns-2: `MAX_QUEUE_LENGTH`).
const MOST_WAITING: usize = 5;

/// Packets that have a way now, and the node where they are.
pub(crate) type Freed = Vec<(PacketId, NodeId)>;

/// A router and its place.
#[derive(Clone, Debug)]
pub(super) struct Post {
    pub(super) node: NodeId,
    pub(super) link: (CellId, StationId),
    pub(super) router: Router,
    pub(super) timer: Timer,
    /// By target: the node of its own air to which packets for it go. `None`: itself, or the way begins by wire.
    goals: Vec<Option<NodeId>>,
    /// By target: the neighbour that is set; the node itself where there is no way.
    ways: Vec<Option<NodeId>>,
    /// By target: packets that wait for a way.
    waiting: Vec<VecDeque<PacketId>>,
}

impl Post {
    pub fn new(
        (node, link): (NodeId, (CellId, StationId)),
        settings: Settings,
        seed: Seed,
        (topology, sites, targets): (&Topology, &Sites, &[NodeId]),
    ) -> Post {
        let goal = |&target: &NodeId| match sites.station_at(link.0, target) {
            _ if target == node => None,
            Some(_) => Some(target),
            None => gateway(topology, sites, (node, link.0), target),
        };
        Post {
            node,
            link,
            router: Router::new(node, settings, seed.stream(Purpose::Routing, u64::from(node.0))),
            timer: Timer::default(),
            goals: targets.iter().map(goal).collect(),
            ways: vec![None; targets.len()],
            waiting: vec![VecDeque::new(); targets.len()],
        }
    }

    /// All stations of its air may turn out to be its neighbours.
    pub fn join(&self, routes: &mut Routes, sites: &Sites) {
        let (cell, from) = self.link;
        for (to, other) in sites.stations(cell) {
            if to != from {
                routes.topology_mut().set_edge(self.node, other, Hop::Air { cell, from, to }, true);
            }
        }
    }

    /// Sets the next hops that its router knows; returns true where that changes something. Packets without a
    /// route get the node itself as next hop, which is no neighbour of its own.
    pub fn set_ways(&mut self, routes: &mut Routes, targets: &[NodeId]) -> bool {
        let mut changes = false;
        for ((&target, goal), way) in targets.iter().zip(&self.goals).zip(&mut self.ways) {
            let Some(goal) = *goal else { continue };
            let next = Some(self.router.way(goal).unwrap_or(self.node));
            if *way != next {
                *way = next;
                routes.topology_mut().set_next(self.node, target, next);
                changes = true;
            }
        }
        changes
    }

    /// Keeps a packet for a target without a way, if that is of its own air; the packet whose place it takes is lost.
    pub fn keep(
        &mut self,
        (target, to): (usize, NodeId),
        id: PacketId,
        now: Time,
    ) -> Option<Option<PacketId>> {
        if self.goals[target] != Some(to) {
            return None;
        }
        self.router.seek(to, now);
        let waiting = &mut self.waiting[target];
        waiting.push_back(id);
        Some(if waiting.len() > MOST_WAITING { waiting.pop_front() } else { None })
    }

    /// Hands out the packets that have a way now.
    pub fn free(&mut self, freed: &mut Freed) {
        for (waiting, way) in self.waiting.iter_mut().zip(&self.ways) {
            if way.is_some_and(|next| next != self.node) {
                freed.extend(waiting.drain(..).map(|id| (id, self.node)));
            }
        }
    }
}

/// Returns the place where the shortest path to a node leaves the air on which it begins.
fn gateway(
    topology: &Topology,
    sites: &Sites,
    (from, cell): (NodeId, CellId),
    to: NodeId,
) -> Option<NodeId> {
    let path = topology.path(from, to, usize::from(u8::MAX));
    let on_air = path.hops.iter().map_while(|hop| match *hop {
        Hop::Air { cell: own, to, .. } if own == cell => Some(sites.node_of(cell, to)),
        _ => None,
    });
    on_air.last()
}
