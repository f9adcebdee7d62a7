//! Static routes: the shortest path over any topology, found once for each flow.

use base::{CellId, LinkId, NodeId, StationId};
use std::collections::VecDeque;

/// One step of a packet's way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hop {
    /// Over a wired link.
    Wire(LinkId),
    /// Through an 802.11 cell, from one station of it to another.
    Air {
        /// The cell.
        cell: CellId,
        /// Who sends.
        from: StationId,
        /// Who receives.
        to: StationId,
    },
}

/// Who can send to whom.
#[derive(Clone, Debug, Default)]
pub struct Topology {
    neighbours: Vec<Vec<(NodeId, Hop)>>,
}

impl Topology {
    /// A topology of `nodes` nodes and no edges.
    pub fn new(nodes: usize) -> Topology {
        Topology { neighbours: vec![Vec::new(); nodes] }
    }

    /// Adds a way from one node to another.
    pub fn connect(&mut self, from: NodeId, to: NodeId, hop: Hop) {
        self.neighbours[from.index()].push((to, hop));
    }

    /// The path with the fewest hops (the first declared among equals), or `None`.
    pub fn shortest_path(&self, from: NodeId, to: NodeId) -> Option<Vec<Hop>> {
        let mut reached_by: Vec<Option<(NodeId, Hop)>> = vec![None; self.neighbours.len()];
        let mut frontier = VecDeque::from([from]);
        while let Some(node) = frontier.pop_front() {
            if node == to {
                break;
            }
            for &(next, hop) in &self.neighbours[node.index()] {
                if next != from && reached_by[next.index()].is_none() {
                    reached_by[next.index()] = Some((node, hop));
                    frontier.push_back(next);
                }
            }
        }
        let mut path = Vec::new();
        let mut node = to;
        while node != from {
            let (previous, hop) = reached_by[node.index()]?;
            path.push(hop);
            node = previous;
        }
        path.reverse();
        Some(path)
    }

    /// The shortest path that passes `via` in this order, or `None`.
    pub fn path_via(&self, from: NodeId, via: &[NodeId], to: NodeId) -> Option<Vec<Hop>> {
        let mut path = Vec::new();
        let mut here = from;
        for &next in via.iter().chain([&to]) {
            path.extend(self.shortest_path(here, next)?);
            here = next;
        }
        Some(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_fewest_hops_and_says_when_there_is_no_way() {
        let mut net = Topology::new(5);
        let hop = |i| Hop::Wire(LinkId(i));
        for (i, (from, to)) in [(0, 1), (1, 2), (2, 3), (0, 4), (4, 3)].into_iter().enumerate() {
            net.connect(NodeId(from), NodeId(to), hop(i as u32));
        }
        assert_eq!(net.shortest_path(NodeId(0), NodeId(3)), Some(vec![hop(3), hop(4)]));
        assert_eq!(net.shortest_path(NodeId(3), NodeId(0)), None);
        assert_eq!(net.shortest_path(NodeId(2), NodeId(2)), Some(vec![]));
        assert_eq!(
            net.path_via(NodeId(0), &[NodeId(2)], NodeId(3)),
            Some(vec![hop(0), hop(1), hop(2)])
        );
    }
}
