//! The ways of all flows, as packets read them: a list of steps, in which a packet keeps its place.
//!
//! Where nothing changes each way is found once. When edges or next hops have changed, [`Routes::renew`] makes all ways
//! stale at once: a packet under way notices by its mark at its next node, and goes on from there by the way that holds now.

use crate::direction::Direction;
use crate::topology::{Hop, Path, PathEnd, Topology, Trees};
use base::{FlowId, NodeId};

/// Next step of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It continues by this hop.
    Hop(Hop),
    /// It has reached its destination.
    Arrived,
    /// From here, this node, no way leads to where it was to go.
    NoRoute(NodeId),
    /// It has made as many hops as it may, and is at this node.
    TooFar(NodeId),
}

/// The time to live that hosts give to what they send, hops (RFC 1700).
pub const DEFAULT_TTL: u8 = 64;

/// A packet's place on its way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// Number of its step. Numbers continue from one generation of routes to the next, so that an old one is recognised.
    step: u32,
    /// Number of the step at which it began, less the hops that it had made before: each of those hops costs one TTL.
    origin: u32,
}

impl Mark {
    /// Number of hops that the packet has made.
    pub fn hops(self) -> u32 {
        self.step.wrapping_sub(self.origin)
    }

    /// One step further on the same way.
    #[inline]
    pub fn advance(&mut self) {
        self.step = self.step.wrapping_add(1);
    }
}

/// One direction of a flow.
#[derive(Clone, Debug)]
struct Way {
    from: NodeId,
    to: NodeId,
    /// What few ways have; large networks have tens of thousands.
    more: Option<Box<More>>,
}

/// What few ways have.
#[derive(Clone, Debug, Default)]
struct More {
    /// Nodes to pass on the way, in order.
    via: Vec<NodeId>,
    /// The whole way, where it is this one hop whatever the topology says.
    direct: Option<Hop>,
    /// Continuations of packets that a change has met under way: (node, hops that they may make, first step).
    others: Vec<(NodeId, usize, Mark)>,
}

/// The ways of all flows.
#[derive(Clone, Debug, Default)]
pub struct Routes {
    topology: Topology,
    /// Of the topology as it is.
    trees: Trees,
    /// The most hops that a packet makes: its time to live.
    longest: usize,
    /// The number of the first of `steps`.
    base: u32,
    /// Those of this generation.
    steps: Vec<Step>,
    /// Two for each flow: forward, reverse.
    ways: Vec<Way>,
    /// Start of each of them, if it was found in this generation.
    firsts: Vec<Mark>,
}

impl Routes {
    /// No flows yet; packets that have made `longest` hops go no further.
    pub fn new(topology: Topology, longest: u8) -> Routes {
        Routes { topology, longest: usize::from(longest), base: 1, ..Routes::default() }
    }

    /// Makes room for this number of flows, in both directions.
    pub fn reserve(&mut self, flows: usize) {
        self.ways.reserve_exact(2 * flows);
        self.firsts.reserve_exact(2 * flows);
    }

    /// The next flow is between these two, passing `via` on the way there, and in the other order on the way back.
    pub fn push(&mut self, from: NodeId, via: &[NodeId], to: NodeId) {
        let back = via.iter().rev().copied().collect();
        for (from, to, via) in [(from, to, via.to_vec()), (to, from, back)] {
            let more = (!via.is_empty()).then(|| Box::new(More { via, ..More::default() }));
            self.ways.push(Way { from, to, more });
            self.firsts.push(Mark::default());
        }
    }

    /// From the next [`Routes::renew`] on a flow is between these two, packets of it that are under way too.
    pub fn set_ends(&mut self, flow: FlowId, from: NodeId, to: NodeId) {
        for (direction, from, to) in
            [(Direction::Forward, from, to), (Direction::Reverse, to, from)]
        {
            let way = &mut self.ways[way_of(flow, direction)];
            (way.from, way.to) = (from, to);
        }
    }

    /// From the next [`Routes::renew`] on the whole way of a flow in this direction is one hop, whatever the topology says.
    pub fn set_direct(&mut self, flow: FlowId, direction: Direction, hop: Hop) {
        self.ways[way_of(flow, direction)].more.get_or_insert_default().direct = Some(hop);
    }

    /// Edges, and next hops that are set. What is changed takes effect with [`Routes::renew`].
    pub fn topology_mut(&mut self) -> &mut Topology {
        self.trees.clear();
        &mut self.topology
    }

    /// The place of a packet that is on no way, and on none after its next hop.
    pub fn nowhere(&self) -> Mark {
        let step = self.base.wrapping_sub(2);
        Mark { step, origin: step }
    }

    /// From now on packets go by the topology as it is now, those that are under way too.
    pub fn renew(&mut self) {
        self.base = self.base.wrapping_add(self.steps.len() as u32);
        self.steps.clear();
        for more in self.ways.iter_mut().filter_map(|way| way.more.as_mut()) {
            more.others.clear();
        }
    }

    /// Returns a packet's start on its route, and its first step.
    #[inline]
    pub fn begin(&mut self, flow: FlowId, direction: Direction) -> (Mark, Step) {
        let way = way_of(flow, direction);
        let first = self.firsts[way];
        match self.step(first) {
            Some(step) => (first, step),
            None => self.find_first(way),
        }
    }

    /// Next step of a packet. `None`: its route is out of date, call [`Routes::go_on`].
    #[inline]
    pub fn step(&self, mark: Mark) -> Option<Step> {
        self.steps.get(mark.step.wrapping_sub(self.base) as usize).copied()
    }

    /// Returns the continuation and the next step of a packet that has come to the node `here` by a route that is out of
    /// date. The nodes that its flow names no longer matter to it.
    #[cold]
    pub fn go_on(&mut self, of: (FlowId, Direction), here: NodeId, mark: Mark) -> (Mark, Step) {
        let made = mark.hops();
        let room = self.longest - made as usize;
        let index = way_of(of.0, of.1);
        let others = self.ways[index].more.as_ref().map_or(&[][..], |more| &more.others);
        let found = others.iter().find(|way| (way.0, way.1) == (here, room));
        let mut mark = match found {
            Some(&(_, _, mark)) => mark,
            None => {
                let ends = (here, self.ways[index].to);
                let path = self.trees.path(&self.topology, ends, room);
                let mark = self.lay(&path);
                self.ways[index].more.get_or_insert_default().others.push((here, room, mark));
                mark
            }
        };
        mark.origin = mark.origin.wrapping_sub(made);
        (mark, self.known(mark))
    }

    #[cold]
    fn find_first(&mut self, index: usize) -> (Mark, Step) {
        let way = &self.ways[index];
        let direct = way.more.as_ref().and_then(|more| more.direct);
        let path = match direct {
            Some(hop) => Path { hops: vec![hop], end: PathEnd::There, last: way.to },
            None => {
                let via = way.more.as_ref().map_or(&[][..], |more| &more.via);
                let ends = (way.from, via, way.to);
                self.trees.path_via(&self.topology, ends, self.longest)
            }
        };
        let mark = self.lay(&path);
        self.firsts[index] = mark;
        (mark, self.known(mark))
    }

    /// The step of a mark of this generation.
    fn known(&self, mark: Mark) -> Step {
        self.steps[mark.step.wrapping_sub(self.base) as usize]
    }

    fn lay(&mut self, path: &Path) -> Mark {
        let step = self.base.wrapping_add(self.steps.len() as u32);
        self.steps.extend(path.hops.iter().map(|&hop| Step::Hop(hop)));
        self.steps.push(match path.end {
            PathEnd::There => Step::Arrived,
            PathEnd::NoWay => Step::NoRoute(path.last),
            PathEnd::Cut => Step::TooFar(path.last),
        });
        Mark { step, origin: step }
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
        while let Some(step) = routes.step(mark) {
            steps.push(step);
            if !matches!(step, Step::Hop(_)) {
                break;
            }
            mark.advance();
        }
        steps
    }

    /// The whole way of the forward direction.
    fn forward(routes: &mut Routes) -> Vec<Step> {
        let (mark, _) = routes.begin(FLOW, Direction::Forward);
        rest(routes, mark)
    }

    #[test]
    fn a_packet_under_way_goes_on_from_where_it_is() {
        let mut routes = routes();
        let (mut mark, _) = routes.begin(FLOW, Direction::Forward);
        assert_eq!(rest(&routes, mark), [wire(0), wire(1), Step::Arrived]);
        routes.topology_mut().set_edge(NodeId(1), NodeId(3), Hop::Wire(LinkId(1)), false);
        assert_eq!(routes.step(mark), Some(wire(0)));
        routes.renew();
        mark.advance();
        assert_eq!(routes.step(mark), None);
        let (on, _) = routes.go_on((FLOW, Direction::Forward), NodeId(1), mark);
        assert_eq!(rest(&routes, on), [wire(4), wire(3), Step::Arrived]);
        assert_eq!(routes.go_on((FLOW, Direction::Forward), NodeId(1), mark), (on, wire(4)));
        assert_eq!(forward(&mut routes), [wire(2), wire(3), Step::Arrived]);
    }

    #[test]
    fn ends_that_move_take_packets_under_way_along() {
        let mut routes = routes();
        let (mut mark, _) = routes.begin(FLOW, Direction::Forward);
        routes.set_ends(FLOW, NodeId(0), NodeId(2));
        routes.renew();
        mark.advance();
        let (on, _) = routes.go_on((FLOW, Direction::Forward), NodeId(1), mark);
        assert_eq!(rest(&routes, on), [wire(4), Step::Arrived]);
        assert_eq!(forward(&mut routes), [wire(2), Step::Arrived]);
        routes.set_direct(FLOW, Direction::Forward, Hop::Wire(LinkId(9)));
        routes.renew();
        assert_eq!(forward(&mut routes), [wire(9), Step::Arrived]);
    }

    #[test]
    fn without_a_way_it_goes_as_far_as_it_can_be_told_to() {
        let mut routes = routes();
        assert_eq!(routes.begin(FLOW, Direction::Reverse).1, Step::NoRoute(NodeId(3)));
        routes.topology_mut().set_next(NodeId(0), NodeId(3), Some(NodeId(1)));
        routes.topology_mut().set_next(NodeId(1), NodeId(3), Some(NodeId(0)));
        routes.renew();
        assert_eq!(forward(&mut routes), [wire(0), Step::NoRoute(NodeId(1))]);
    }

    /// Turned back at every node, a packet still makes no more hops than it may.
    #[test]
    fn hops_made_before_a_change_count() {
        let mut routes = routes();
        routes.topology_mut().connect(NodeId(1), NodeId(0), Hop::Wire(LinkId(5)));
        let (mut mark, _) = routes.begin(FLOW, Direction::Forward);
        for made in 1..=64 {
            mark.advance();
            routes.renew();
            let here = NodeId(made % 2);
            routes.topology_mut().set_next(here, NodeId(3), Some(NodeId(1 - here.0)));
            let (on, step) = routes.go_on((FLOW, Direction::Forward), here, mark);
            let expected = if made == 64 { Step::TooFar(here) } else { wire(5 * here.0) };
            assert_eq!(step, expected, "after {made} hops");
            mark = on;
        }
    }

    #[test]
    fn generations_do_not_heap_up_steps() {
        let mut routes = routes();
        for _ in 0..1000 {
            let (mut mark, _) = routes.begin(FLOW, Direction::Forward);
            routes.renew();
            mark.advance();
            routes.go_on((FLOW, Direction::Forward), NodeId(1), mark);
        }
        assert!(routes.steps.capacity() < 20, "{}", routes.steps.capacity());
    }
}
