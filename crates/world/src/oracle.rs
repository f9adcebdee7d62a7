//! A router that sees the distance of all stations: links appear and break when it passes the range, solved, not searched.
//!
//! No packet carries it, and it has no cost; a stated delay replaces the time that a routing protocol would
//! need.

use crate::cx::{Cx, Noting};
use crate::event::{Event, Nothing};
use crate::plan::{LinkRule, MediumPlan, OraclePlan, Part, Plan};
use base::{NodeId, Seed, Span, StationId, Time};
use engine::Phase;
use net::{Hop, Routes};
use radio::mobility::{Mobility, next_crossing};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Two stations of a cell.
#[derive(Clone, Debug)]
struct Pair {
    /// Positions in `places`, the smaller first.
    nodes: (NodeId, NodeId),
    /// There and back.
    hops: (Hop, Hop),
    /// Up to here they have a link, metres.
    range_m: f64,
    up: bool,
}

impl Pair {
    /// Lets both ways be used or not; true where that changes something.
    fn tell(&self, routes: &mut Routes) -> bool {
        let ((a, b), (there, back)) = (self.nodes, self.hops);
        let topology = routes.topology_mut();
        topology.set_edge(a, b, there, self.up) | topology.set_edge(b, a, back, self.up)
    }
}

/// Its knowledge.
#[derive(Clone, Debug)]
pub(crate) struct Oracle {
    /// By node; at the origin where it is in no cell with places.
    places: Vec<Mobility>,
    pairs: Vec<Pair>,
    /// The next possible changes, by pair.
    due: BinaryHeap<Reverse<(Time, u32)>>,
    delay: Span,
    horizon: Time,
}

impl Oracle {
    /// The oracle of a plan that has one, at time zero.
    pub fn new(plan: &Plan, seed: Seed) -> Option<Oracle> {
        let config = plan.routing.oracle?;
        let places = vec![Mobility::fixed(radio::Position::default()); plan.nodes.len()];
        let (pairs, due, delay) = (Vec::new(), BinaryHeap::new(), config.delay);
        let horizon = Time::ZERO + plan.duration;
        let mut oracle = Oracle { places, pairs, due, delay, horizon };
        for (cell, part) in plan.cells.iter().zip(plan.parts()) {
            let Some(medium) = &cell.medium else { continue };
            for (&node, place) in cell.stations.iter().zip(&medium.places) {
                oracle.places[node.index()] = place.of(seed, node.0);
            }
            let reaches = |a: usize, b: usize| {
                let is_ap = |i| cell.access_point == Some(StationId(i as u32));
                cell.access_point.is_none() || is_ap(a) || is_ap(b)
            };
            for b in 0..cell.stations.len() {
                for a in (0..b).filter(|&a| reaches(a, b)) {
                    oracle.add((medium, config), (a, b), &part);
                }
            }
        }
        Some(oracle)
    }

    fn add(
        &mut self,
        (medium, config): (&MediumPlan, OraclePlan),
        (a, b): (usize, usize),
        &Part { element: cell, first, stations, .. }: &Part<'_>,
    ) {
        let (from, to) = (StationId(first + a as u32), StationId(first + b as u32));
        let there = Hop::Air { cell, from, to };
        let back = Hop::Air { cell, from: to, to: from };
        let (mut nodes, mut hops) = ((stations[a], stations[b]), (there, back));
        if nodes.0 > nodes.1 {
            (nodes, hops) = ((nodes.1, nodes.0), (back, there));
        }
        let mut height_m = |node: NodeId| self.places[node.index()].position(Time::ZERO).z_m;
        let heights_m = (height_m(nodes.0), height_m(nodes.1));
        let range_m = match config.link {
            LinkRule::Distance(distance_m) => distance_m,
            LinkRule::Power(margin) => {
                let gain = medium.reception.receive_w() * margin / medium.transmit_w;
                medium.propagation.path_loss.range_at_m(gain, heights_m)
            }
        };
        self.pairs.push(Pair { nodes, hops, range_m, up: false });
        let pair = self.pairs.len() - 1;
        self.pairs[pair].up = self.sees_link(pair, Time::ZERO);
        self.look_ahead(pair, Time::ZERO);
    }

    fn sees_link(&mut self, pair: usize, now: Time) -> bool {
        let Pair { nodes: (a, b), range_m, .. } = self.pairs[pair];
        let (one, other) = two(&mut self.places, a, b);
        let way = one.position(now).minus(other.position(now));
        one.is_present(now) && other.is_present(now) && way.squared() <= range_m * range_m
    }

    /// Notes when the pair may change next.
    fn look_ahead(&mut self, pair: usize, now: Time) {
        let Pair { nodes: (a, b), range_m, .. } = self.pairs[pair];
        let (one, other) = two(&mut self.places, a, b);
        let crossing = next_crossing(one, other, range_m, now, self.horizon).map(|next| next.at);
        let appearances = [one.next_appearance(now), other.next_appearance(now)];
        let next = crossing.into_iter().chain(appearances.into_iter().flatten()).min();
        if let Some(at) = next.filter(|&at| at <= self.horizon) {
            self.due.push(Reverse((at, pair as u32)));
        }
    }

    /// The next link that appears or breaks has an event, `delay` later.
    fn schedule_next(&self, cx: &mut Cx<impl Noting>) {
        if let Some(&Reverse((at, _))) = self.due.peek() {
            cx.schedule(at + self.delay, Phase::Timer, Event::Links(Nothing::default()));
        }
    }

    /// At the start only those stations have links that reach each other.
    pub fn begin(&self, cx: &mut Cx<impl Noting>, routes: &mut Routes) {
        for pair in &self.pairs {
            pair.tell(routes);
        }
        self.schedule_next(cx);
    }

    /// Packets go by what it has seen `delay` ago; true where that changes something.
    pub fn on_links(&mut self, cx: &mut Cx<impl Noting>, routes: &mut Routes) -> bool {
        let mut changed = false;
        while let Some(&Reverse((at, pair))) = self.due.peek() {
            if at + self.delay > cx.now {
                break;
            }
            self.due.pop();
            let pair = pair as usize;
            let up = self.sees_link(pair, at);
            if up != self.pairs[pair].up {
                self.pairs[pair].up = up;
                changed |= self.pairs[pair].tell(routes);
            }
            self.look_ahead(pair, at);
        }
        self.schedule_next(cx);
        changed
    }
}

/// Two nodes of a list; the first comes first.
fn two(places: &mut [Mobility], a: NodeId, b: NodeId) -> (&mut Mobility, &mut Mobility) {
    let (head, tail) = places.split_at_mut(b.index());
    (&mut head[a.index()], &mut tail[0])
}
