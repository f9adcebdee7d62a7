//! Topology: nodes, the hops between them, and next hops that have been set.

use base::{CellId, LinkId, NodeId, StationId};

/// One step of a packet's way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hop {
    /// Over a wired link.
    Wire(LinkId),
    /// Through an 802.11 cell, from one station of it to another.
    Air {
        /// The cell.
        cell: CellId,
        /// Sender.
        from: StationId,
        /// Receiver.
        to: StationId,
    },
    /// By the home agent of this mobile node: it knows where the node is, and the ways do not (RFC 5944).
    Home(NodeId),
}

/// A way from a node to a neighbour.
#[derive(Clone, Copy, Debug)]
struct Edge {
    to: NodeId,
    hop: Hop,
    /// True if it can be used now.
    up: bool,
}

/// Hops between nodes. Among equals those declared first come first, even after they have been down.
#[derive(Clone, Debug, Default)]
pub struct Topology {
    edges: Vec<Vec<Edge>>,
    /// By node: (destination, neighbour) of the next hops that are set; as long as the last node that has any.
    fixed: Vec<Vec<(NodeId, NodeId)>>,
}

/// A way through the network.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path {
    /// The hops, in order.
    pub hops: Vec<Hop>,
    /// Kind of end.
    pub end: PathEnd,
    /// The node where they end.
    pub last: NodeId,
}

/// End of a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PathEnd {
    /// At its destination.
    There,
    /// At a node from which there is no way on.
    #[default]
    NoWay,
    /// Under way: it is longer than was asked for.
    Cut,
}

impl Path {
    /// True where it leads to its destination.
    pub fn is_complete(&self) -> bool {
        self.end == PathEnd::There
    }
}

impl Topology {
    /// A topology of `nodes` nodes and no edges.
    pub fn new(nodes: usize) -> Topology {
        Topology { edges: vec![Vec::new(); nodes], fixed: Vec::new() }
    }

    /// Adds a way from one node to another.
    pub fn connect(&mut self, from: NodeId, to: NodeId, hop: Hop) {
        self.edges[from.index()].push(Edge { to, hop, up: true });
    }

    /// Lets a way be used, or not; one that is not known yet comes to be. True where that changes something.
    pub fn set_edge(&mut self, from: NodeId, to: NodeId, hop: Hop, up: bool) -> bool {
        let edges = &mut self.edges[from.index()];
        match edges.iter_mut().find(|edge| edge.to == to && edge.hop == hop) {
            Some(edge) => std::mem::replace(&mut edge.up, up) != up,
            None => {
                edges.push(Edge { to, hop, up });
                up
            }
        }
    }

    /// At `at`, packets for `to` go to the neighbour `next`, whatever else is shorter; `None`: by the fewest hops again.
    /// Where the way to that neighbour is down they have no route.
    pub fn set_next(&mut self, at: NodeId, to: NodeId, next: Option<NodeId>) {
        let nodes = self.fixed.len().max(at.index() + 1);
        self.fixed.resize_with(nodes, Vec::new);
        let fixed = &mut self.fixed[at.index()];
        fixed.retain(|set| set.0 != to);
        fixed.extend(next.map(|next| (to, next)));
    }

    /// True where there is a way from one node to another as its neighbour, up or down.
    pub fn joins(&self, from: NodeId, to: NodeId) -> bool {
        self.edges[from.index()].iter().any(|edge| edge.to == to)
    }

    /// The way from `from` to `to`: at each node the next hop that is set, else the fewest hops (the first declared among
    /// equals). It ends after `longest` hops, since next hops that are set can lead in a circle.
    pub fn path(&self, from: NodeId, to: NodeId, longest: usize) -> Path {
        Trees::default().path(self, (from, to), longest)
    }

    fn fixed_next(&self, at: NodeId, to: NodeId) -> Option<NodeId> {
        self.fixed.get(at.index())?.iter().find(|set| set.0 == to).map(|set| set.1)
    }

    fn edges_up(&self, from: NodeId) -> impl Iterator<Item = &Edge> {
        self.edges[from.index()].iter().filter(|edge| edge.up)
    }
}

/// Trees of the fewest hops of one topology, as it is, that were asked for last: ways from one node, or from nodes that hang on one, are
/// found by one search.
#[derive(Clone, Debug, Default)]
pub struct Trees(Vec<Tree>);

/// From a root to every node that it reaches: the node before, and the hop that leads there.
#[derive(Clone, Debug)]
struct Tree {
    root: NodeId,
    before: Vec<Option<(NodeId, Hop)>>,
}

/// How many trees are kept.
const KEPT: usize = 4;

impl Trees {
    /// Forgets all: the topology has changed.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// [`Topology::path`].
    pub fn path(
        &mut self,
        topology: &Topology,
        (from, to): (NodeId, NodeId),
        longest: usize,
    ) -> Path {
        let mut hops = Vec::new();
        let mut here = from;
        while here != to {
            let room = longest - hops.len();
            if room == 0 {
                return Path { hops, end: PathEnd::Cut, last: here };
            }
            let Some(piece) = self.piece(topology, here, to) else {
                return Path { hops, end: PathEnd::NoWay, last: here };
            };
            for (next, hop) in piece.into_iter().take(room) {
                hops.push(hop);
                here = next;
                if topology.fixed_next(here, to).is_some() {
                    break;
                }
            }
        }
        Path { hops, end: PathEnd::There, last: to }
    }

    /// The way that passes `via` in this order.
    pub fn path_via(
        &mut self,
        topology: &Topology,
        (from, via, to): (NodeId, &[NodeId], NodeId),
        longest: usize,
    ) -> Path {
        let mut path = Path { hops: Vec::new(), end: PathEnd::There, last: from };
        let mut here = from;
        for &next in via.iter().chain([&to]) {
            let piece = self.path(topology, (here, next), longest - path.hops.len());
            path.hops.extend(piece.hops);
            (path.end, path.last) = (piece.end, piece.last);
            if !path.is_complete() {
                break;
            }
            here = next;
        }
        path
    }

    /// Each node on the way from `from` to `to` with the hop that leads there; never empty. `None`: there is no way.
    fn piece(
        &mut self,
        topology: &Topology,
        from: NodeId,
        to: NodeId,
    ) -> Option<Vec<(NodeId, Hop)>> {
        let Some(next) = topology.fixed_next(from, to) else {
            return self.fewest_hops(topology, from, to);
        };
        let edge = topology.edges_up(from).find(|edge| edge.to == next)?;
        Some(vec![(next, edge.hop)])
    }

    fn fewest_hops(
        &mut self,
        topology: &Topology,
        from: NodeId,
        to: NodeId,
    ) -> Option<Vec<(NodeId, Hop)>> {
        // Who has one way only takes it: all who hang on one node have its tree in common.
        let mut ways = topology.edges_up(from);
        let only = ways.next().filter(|_| ways.next().is_none());
        let root = only.map_or(from, |edge| edge.to);
        let mut path = Vec::new();
        if to != root {
            let tree = self.of(topology, root);
            let mut here = to;
            while here != root {
                let (before, hop) = tree.before[here.index()]?;
                path.push((here, hop));
                here = before;
            }
        }
        path.extend(only.map(|edge| (edge.to, edge.hop)));
        path.reverse();
        Some(path)
    }

    fn of(&mut self, topology: &Topology, root: NodeId) -> &Tree {
        let place = self.0.iter().position(|tree| tree.root == root).unwrap_or_else(|| {
            if self.0.len() == KEPT {
                self.0.remove(0);
            }
            self.0.push(Tree::new(topology, root));
            self.0.len() - 1
        });
        &self.0[place]
    }
}

impl Tree {
    fn new(topology: &Topology, root: NodeId) -> Tree {
        let mut before = vec![None; topology.edges.len()];
        let mut reached = vec![root];
        let mut next = 0;
        while let Some(&node) = reached.get(next) {
            for edge in topology.edges_up(node) {
                if edge.to != root && before[edge.to.index()].is_none() {
                    before[edge.to.index()] = Some((node, edge.hop));
                    reached.push(edge.to);
                }
            }
            next += 1;
        }
        Tree { root, before }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONGEST: usize = 64;

    fn hop(i: u32) -> Hop {
        Hop::Wire(LinkId(i))
    }

    /// Links 0 to 4: 0 to 1, 1 to 2, 2 to 3, 0 to 4, 4 to 3.
    fn net() -> Topology {
        let mut net = Topology::new(5);
        for (i, (from, to)) in [(0, 1), (1, 2), (2, 3), (0, 4), (4, 3)].into_iter().enumerate() {
            net.connect(NodeId(from), NodeId(to), hop(i as u32));
        }
        net
    }

    /// The hops of a complete path.
    fn way(net: &Topology, from: u32, to: u32) -> Option<Vec<Hop>> {
        let path = net.path(NodeId(from), NodeId(to), LONGEST);
        path.is_complete().then_some(path.hops)
    }

    #[test]
    fn finds_the_fewest_hops_and_says_when_there_is_no_way() {
        let net = net();
        assert_eq!(way(&net, 0, 3), Some(vec![hop(3), hop(4)]));
        assert_eq!(way(&net, 3, 0), None);
        assert_eq!(way(&net, 2, 2), Some(vec![]));
        let mut trees = Trees::default();
        let via = (NodeId(0), &[NodeId(2)][..], NodeId(3));
        let path = trees.path_via(&net, via, LONGEST);
        assert_eq!(
            path,
            Path { hops: vec![hop(0), hop(1), hop(2)], end: PathEnd::There, last: NodeId(3) }
        );
        let cut = trees.path_via(&net, via, 2);
        assert_eq!(cut, Path { hops: vec![hop(0), hop(1)], end: PathEnd::Cut, last: NodeId(2) });
    }

    #[test]
    fn an_edge_that_is_down_is_walked_around_and_comes_back_in_its_place() {
        let mut net = net();
        let (a, b) = (NodeId(4), NodeId(3));
        assert!(net.set_edge(a, b, hop(4), false) && !net.set_edge(a, b, hop(4), false));
        assert_eq!(way(&net, 0, 3), Some(vec![hop(0), hop(1), hop(2)]));
        assert!(net.set_edge(a, b, hop(4), true));
        assert_eq!(way(&net, 0, 3), Some(vec![hop(3), hop(4)]));
        assert!(net.set_edge(NodeId(0), b, hop(9), true));
        assert_eq!(way(&net, 0, 3), Some(vec![hop(9)]));
    }

    #[test]
    fn next_hops_that_are_set_go_before_what_is_shorter() {
        let mut net = net();
        let (start, end) = (NodeId(0), NodeId(3));
        net.set_next(start, end, Some(NodeId(1)));
        assert_eq!(way(&net, 0, 3), Some(vec![hop(0), hop(1), hop(2)]));
        // Set where no edge leads, it is no way.
        net.set_next(NodeId(1), end, Some(NodeId(4)));
        assert_eq!(
            net.path(start, end, LONGEST),
            Path { hops: vec![hop(0)], end: PathEnd::NoWay, last: NodeId(1) }
        );
        net.set_next(NodeId(1), end, None);
        net.set_next(start, end, None);
        assert_eq!(way(&net, 0, 3), Some(vec![hop(3), hop(4)]));
    }

    /// Ways by trees in common are those of a search for each pair, also through a leaf and back.
    #[test]
    fn trees_in_common_give_the_same_ways() {
        let mut net = Topology::new(12);
        let ends = [(0, 1), (1, 2), (2, 3), (0, 3), (3, 4), (4, 0), (2, 5), (5, 6), (6, 2), (7, 2)];
        for (i, (a, b)) in ends.into_iter().chain([(8, 4), (9, 4), (10, 2)]).enumerate() {
            net.connect(NodeId(a), NodeId(b), hop(2 * i as u32));
            net.connect(NodeId(b), NodeId(a), hop(2 * i as u32 + 1));
        }
        let mut trees = Trees::default();
        for (from, to) in (0..12).flat_map(|from| (0..12).map(move |to| (NodeId(from), NodeId(to))))
        {
            let path = trees.path(&net, (from, to), LONGEST);
            assert_eq!(path, net.path(from, to, LONGEST), "{from:?} {to:?}");
            assert_eq!(path.is_complete(), from == to || (from.0 != 11 && to.0 != 11));
        }
        assert_eq!(trees.0.len(), KEPT);
    }

    #[test]
    fn a_circle_ends() {
        let mut net = Topology::new(3);
        for (i, (from, to)) in [(0, 1), (1, 0), (1, 2)].into_iter().enumerate() {
            net.connect(NodeId(from), NodeId(to), hop(i as u32));
        }
        net.set_next(NodeId(1), NodeId(2), Some(NodeId(0)));
        let path = net.path(NodeId(0), NodeId(2), 5);
        assert_eq!(path.hops, [hop(0), hop(1), hop(0), hop(1), hop(0)]);
        assert_eq!(path.end, PathEnd::Cut);
    }
}
