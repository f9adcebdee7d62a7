//! The ways of all flows, as packets read them: a list of steps, in which a packet keeps its place.
//!
//! Where nothing changes each way is found once. When edges or next hops have changed, [`Routes::renew`] makes all ways
//! stale at once: a packet under way notices by its mark at its next node, and goes on from there by the way that holds now.

use crate::packet::Direction;
use crate::topology::{Hop, Path, PathEnd, Topology};
use base::{FlowId, NodeId};

/// What a packet does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It goes on.
    Hop(Hop),
    /// It is where it was to go.
    Arrived,
    /// From here no way leads to where it was to go.
    NoRoute,
    /// It has made as many hops as it may.
    TooFar,
}

/// The time to live that hosts give to what they send, hops (RFC 1700).
pub const DEFAULT_TTL: u8 = 64;

/// A packet's place on its way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// Of which generation of ways.
    generation: u32,
    /// Position among the steps.
    step: u32,
    /// Where it began, less the hops that it had made before: so many of them does its time to live cost.
    origin: u32,
}

impl Mark {
    /// One step further on the same way.
    #[inline]
    pub fn advance(&mut self) {
        self.step += 1;
    }
}

/// The way of one direction of a flow.
#[derive(Clone, Debug)]
struct Way {
    from: NodeId,
    to: NodeId,
    /// Nodes to pass on the way, in order.
    via: Vec<NodeId>,
    /// Its first step; read where `generation` is that of all.
    first: Mark,
    /// Where packets go on that a change has met under way: (node, hops that they may make, first step).
    others: Vec<(NodeId, usize, Mark)>,
}

/// The ways of all flows.
#[derive(Clone, Debug, Default)]
pub struct Routes {
    topology: Topology,
    /// The most hops that a packet makes: its time to live.
    longest: usize,
    generation: u32,
    steps: Vec<Step>,
    /// Two for each flow: forward, reverse.
    ways: Vec<Way>,
}

impl Routes {
    /// No flows yet; packets that have made `longest` hops go no further.
    pub fn new(topology: Topology, longest: usize) -> Routes {
        let (generation, steps, ways) = (1, Vec::new(), Vec::new());
        Routes { topology, longest, generation, steps, ways }
    }

    /// The next flow is between these two, passing `via` on the way there, and in the other order on the way back.
    pub fn push(&mut self, from: NodeId, via: &[NodeId], to: NodeId) {
        let back = via.iter().rev().copied().collect();
        for (from, to, via) in [(from, to, via.to_vec()), (to, from, back)] {
            self.ways.push(Way { from, to, via, first: Mark::default(), others: Vec::new() });
        }
    }

    /// Edges, and next hops that are set. What is changed takes effect with [`Routes::renew`].
    pub fn topology_mut(&mut self) -> &mut Topology {
        &mut self.topology
    }

    /// From now on packets go by the topology as it is now, those that are under way too.
    pub fn renew(&mut self) {
        self.generation += 1;
        self.steps.clear();
        for way in &mut self.ways {
            way.others.clear();
        }
    }

    /// Where a packet begins.
    #[inline]
    pub fn first(&mut self, flow: FlowId, direction: Direction) -> Mark {
        let way = way_of(flow, direction);
        let first = self.ways[way].first;
        if first.generation == self.generation { first } else { self.find_first(way) }
    }

    /// True where a packet is on a way that no longer holds: ask [`Routes::from_here`].
    #[inline]
    pub fn is_stale(&self, mark: Mark) -> bool {
        mark.generation != self.generation
    }

    /// Where a packet goes on that has come to the node `here` by a way that no longer holds. The nodes that its flow names
    /// no longer matter to it.
    #[cold]
    pub fn from_here(&mut self, of: (FlowId, Direction), here: NodeId, mark: Mark) -> Mark {
        let made = mark.step - mark.origin;
        let room = self.longest - made as usize;
        let index = way_of(of.0, of.1);
        let found = self.ways[index].others.iter().find(|way| (way.0, way.1) == (here, room));
        let mut on = match found {
            Some(&(_, _, mark)) => mark,
            None => {
                let path = self.topology.path(here, self.ways[index].to, room);
                let mark = self.lay(&path);
                self.ways[index].others.push((here, room, mark));
                mark
            }
        };
        on.origin -= made;
        on
    }

    /// What a packet does next. Its mark must not be stale.
    #[inline]
    pub fn step(&self, mark: Mark) -> Step {
        self.steps[mark.step as usize]
    }

    #[cold]
    fn find_first(&mut self, index: usize) -> Mark {
        let way = &self.ways[index];
        let path = self.topology.path_via(way.from, &way.via, way.to, self.longest);
        let mark = self.lay(&path);
        self.ways[index].first = mark;
        mark
    }

    fn lay(&mut self, path: &Path) -> Mark {
        // The first `longest` places are left free, so that an origin is never negative.
        self.steps.resize(self.steps.len().max(self.longest), Step::NoRoute);
        let (generation, step) = (self.generation, self.steps.len() as u32);
        self.steps.extend(path.hops.iter().map(|&hop| Step::Hop(hop)));
        self.steps.push(match path.end {
            PathEnd::There => Step::Arrived,
            PathEnd::NoWay => Step::NoRoute,
            PathEnd::Cut => Step::TooFar,
        });
        Mark { generation, step, origin: step }
    }
}

fn way_of(flow: FlowId, direction: Direction) -> usize {
    2 * flow.index() + usize::from(direction == Direction::Reverse)
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::LinkId;

    const FLOW: FlowId = FlowId(0);

    fn wire(i: u32) -> Step {
        Step::Hop(Hop::Wire(LinkId(i)))
    }

    /// 0 to 3 by 1 (links 0 and 1) or by 2 (links 2 and 3), and from 1 to 2 (link 4).
    fn routes() -> Routes {
        let mut topology = Topology::new(4);
        for (i, (from, to)) in [(0, 1), (1, 3), (0, 2), (2, 3), (1, 2)].into_iter().enumerate() {
            topology.connect(NodeId(from), NodeId(to), Hop::Wire(LinkId(i as u32)));
        }
        let mut routes = Routes::new(topology, 64);
        routes.push(NodeId(0), &[], NodeId(3));
        routes
    }

    fn rest(routes: &Routes, mut mark: Mark) -> Vec<Step> {
        let mut steps = vec![];
        while let step @ Step::Hop(_) = routes.step(mark) {
            steps.push(step);
            mark.advance();
        }
        steps.push(routes.step(mark));
        steps
    }

    #[test]
    fn a_packet_under_way_goes_on_from_where_it_is() {
        let mut routes = routes();
        let mut mark = routes.first(FLOW, Direction::Forward);
        assert_eq!(rest(&routes, mark), [wire(0), wire(1), Step::Arrived]);
        routes.topology_mut().set_edge(NodeId(1), NodeId(3), Hop::Wire(LinkId(1)), false);
        assert!(!routes.is_stale(mark));
        routes.renew();
        mark.advance();
        assert!(routes.is_stale(mark));
        let on = routes.from_here((FLOW, Direction::Forward), NodeId(1), mark);
        assert_eq!(rest(&routes, on), [wire(4), wire(3), Step::Arrived]);
        assert_eq!(routes.from_here((FLOW, Direction::Forward), NodeId(1), mark), on);
        let new = routes.first(FLOW, Direction::Forward);
        assert_eq!(rest(&routes, new), [wire(2), wire(3), Step::Arrived]);
    }

    #[test]
    fn without_a_way_it_goes_as_far_as_it_can_be_told_to() {
        let mut routes = routes();
        let back = routes.first(FLOW, Direction::Reverse);
        assert_eq!(rest(&routes, back), [Step::NoRoute]);
        routes.topology_mut().set_next(NodeId(0), NodeId(3), Some(NodeId(1)));
        routes.topology_mut().set_next(NodeId(1), NodeId(3), Some(NodeId(0)));
        routes.renew();
        let forward = routes.first(FLOW, Direction::Forward);
        assert_eq!(rest(&routes, forward), [wire(0), Step::NoRoute]);
    }

    /// Turned back at every node, a packet still makes no more hops than it may.
    #[test]
    fn hops_made_before_a_change_count() {
        let mut routes = routes();
        routes.topology_mut().connect(NodeId(1), NodeId(0), Hop::Wire(LinkId(5)));
        let mut mark = routes.first(FLOW, Direction::Forward);
        for made in 1..=64 {
            mark.advance();
            routes.renew();
            let here = NodeId(made % 2);
            routes.topology_mut().set_next(here, NodeId(3), Some(NodeId(1 - here.0)));
            mark = routes.from_here((FLOW, Direction::Forward), here, mark);
            let expected = if made == 64 { Step::TooFar } else { wire(5 * here.0) };
            assert_eq!(routes.step(mark), expected, "after {made} hops");
        }
    }

    #[test]
    fn generations_do_not_heap_up_steps() {
        let mut routes = routes();
        for _ in 0..1000 {
            let mark = routes.first(FLOW, Direction::Forward);
            routes.renew();
            routes.from_here((FLOW, Direction::Forward), NodeId(1), mark);
        }
        assert!(routes.steps.capacity() < 200, "{}", routes.steps.capacity());
    }
}
