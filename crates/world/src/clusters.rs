//! An ad hoc network in clusters: members talk directly, and to other clusters by clusterheads, which are elected anew as
//! stations move.
//!
//! An election sees where all are, costs nothing on the air and holds from its instant on. It says which edges there are: from
//! member to member within a cluster, and from clusterhead to clusterhead; ways are the fewest hops over these, through other
//! clusters where two are no neighbours.

mod election;

use crate::cx::{Cx, Noting};
use crate::event::{Event, Nothing};
use crate::note::Note;
use crate::plan::{ClustersPlan, Plan};
use base::{CellId, NodeId, Purpose, Rng, Seed, Span, StationId, Time, outcome};
use election::{Ballot, Elected};
use engine::Phase;
use net::{Hop, Routes};
use radio::Position;
use radio::mobility::Mobility;
use serde::Serialize;

outcome! {
    /// Counts of clusters since the measurement began.
    #[derive(Clone, Debug, Default, PartialEq, Serialize)]
    pub struct ClustersOutcome {
        /// Elections, that at the start included.
        elections: u64 = "elections";
        /// Clusters, the mean over these elections and the one that held before; null where none was ever held.
        clusters: Option<f64> = "clusters";
        /// Stations that speak for a cluster, the mean over elections.
        heads: Option<f64> = "cluster heads";
        /// Pairs of clusters that talk to each other directly, the mean over elections.
        pairs: Option<f64> = "pairs of nodes in reach";
        /// The number of times that a station has become clusterhead, or ceased to be one.
        head_changes: u64 = "changes of heads";
        /// The number of times that a station has changed its founder.
        member_changes: u64 = "changes of members";
        /// Packets lost by the random error of extra clusterheads.
        lost_at_heads: u64 = "packets lost at heads" in "packets";
        /// The clusterhead that has failed.
        failed: Option<String>;
    }
}

/// Sums over elections.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    elections: u64,
    /// These, and that which held when the measurement began.
    states: u64,
    clusters: u64,
    heads: u64,
    pairs: u64,
    head_changes: u64,
    member_changes: u64,
    lost: u64,
}

impl Sums {
    /// Counts what holds.
    fn add(&mut self, elected: &Elected) {
        let stations = 0..elected.cluster_of.len();
        self.states += 1;
        self.clusters += elected.founders.len() as u64;
        self.heads += stations.filter(|&at| elected.is_head(at)).count() as u64;
        self.pairs += elected.pairs.len() as u64;
    }
}

/// All clusters.
#[derive(Clone, Debug)]
pub(crate) struct Clusters {
    plan: ClustersPlan,
    nodes: Vec<NodeId>,
    places: Vec<Mobility>,
    /// The cells of all these stations: the members' first, then those of clusterheads, then those that nobody uses.
    cells: Vec<(CellId, u32)>,
    /// The number of those in use.
    used: usize,
    gone: Vec<bool>,
    /// The positions at the last election.
    before: Vec<Option<Position>>,
    elected: Elected,
    /// By station: the probability that what it hands on is lost.
    error: Vec<f64>,
    rng: Rng,
    failed: Option<usize>,
    next_election: Time,
    sums: Sums,
}

impl Clusters {
    /// The clusters of a plan that has some, before the first election.
    pub fn new(plan: &Plan, seed: Seed) -> Option<Clusters> {
        let clusters = plan.routing.clusters.clone()?;
        let cell = &plan.cells[clusters.members];
        let medium = cell.medium.as_ref()?;
        let places = medium.places.iter().zip(&cell.stations);
        let parts = plan.parts();
        let of_cell = |cell: usize| (parts[cell].element, parts[cell].first);
        let mut cells: Vec<usize> =
            [clusters.members].into_iter().chain(clusters.head_cells.iter().copied()).collect();
        let used = cells.len();
        let idle = (0..plan.cells.len()).filter(|i| !cells.contains(i));
        let idle: Vec<usize> = idle.filter(|&i| plan.cells[i].stations == cell.stations).collect();
        cells.extend(idle);
        let count = cell.stations.len();
        Some(Clusters {
            nodes: cell.stations.clone(),
            places: places.map(|(place, node)| place.of(seed, node.0)).collect(),
            cells: cells.into_iter().map(of_cell).collect(),
            used,
            gone: vec![false; count],
            before: vec![None; count],
            elected: Elected { cluster_of: vec![None; count], ..Elected::default() },
            error: vec![0.0; count],
            rng: seed.stream(Purpose::ClusterheadError, 0),
            failed: None,
            next_election: Time::ZERO,
            sums: Sums::default(),
            plan: clusters,
        })
    }

    /// The first election comes before anything is sent.
    pub fn begin(&self, cx: &mut Cx<impl Noting>) {
        for at in [Some(self.next_election), self.plan.head_fails_at].into_iter().flatten() {
            cx.schedule(at, Phase::Timer, Event::Links(Nothing::default()));
        }
    }

    /// A clusterhead fails, or there is an election. Ways have changed then.
    pub fn on_links(&mut self, cx: &mut Cx<impl Noting>, routes: &mut Routes) {
        if self.plan.head_fails_at == Some(cx.now) && self.failed.is_none() {
            self.fail_first(cx, routes);
        }
        if self.next_election == cx.now {
            self.hold_election(cx, routes);
            self.next_election = Time::NEVER;
            if self.plan.interval > Span::ZERO {
                self.next_election = cx.now + self.plan.interval;
                cx.schedule(self.next_election, Phase::Timer, Event::Links(Nothing::default()));
            }
        }
    }

    /// The clusterhead by which the first cluster talks to its first neighbour fails; where it talks to nobody, its founder.
    fn fail_first(&mut self, cx: &mut Cx<impl Noting>, routes: &mut Routes) {
        let first = self.elected.pairs.first().map(|pair| pair.heads.0);
        let Some(head) = first.or(self.elected.founders.first().copied()) else { return };
        self.failed = Some(head);
        self.gone[head] = true;
        self.set_edges(routes);
        self.note(cx);
    }

    fn hold_election(&mut self, cx: &mut Cx<impl Noting>, routes: &mut Routes) {
        let places = self.positions(cx.now);
        let plan = &self.plan;
        let elected = Ballot {
            places: &places,
            before: &self.before,
            election: plan.election,
            organisation: plan.organisation,
            radius_m: plan.radius_m,
            range_m: plan.range_m,
        }
        .elect();
        self.count(&elected);
        self.elected = elected;
        self.before = places;
        for station in 0..self.nodes.len() {
            let heads = self.elected.cluster_of[station].map_or(0, |of| self.elected.heads_in(of));
            let extra = heads.saturating_sub(1) as f64;
            let is_head = self.elected.is_head(station);
            self.error[station] =
                if is_head { extra * self.plan.error_per_extra_head } else { 0.0 };
        }
        self.set_edges(routes);
        self.note(cx);
    }

    /// Returns the positions of all stations that are there.
    fn positions(&mut self, now: Time) -> Vec<Option<Position>> {
        let places = self.places.iter_mut().zip(&self.gone);
        places
            .map(|(place, &gone)| (!gone && place.is_present(now)).then(|| place.position(now)))
            .collect()
    }

    fn count(&mut self, elected: &Elected) {
        let founder = |of: &Elected, station: usize| of.cluster_of[station].map(|c| of.founders[c]);
        let stations = 0..self.nodes.len();
        let sums = &mut self.sums;
        sums.elections += 1;
        sums.add(elected);
        if !self.elected.founders.is_empty() {
            let (new, old) = (elected, &self.elected);
            let heads = stations.clone().filter(|&at| new.is_head(at) != old.is_head(at));
            sums.head_changes += heads.count() as u64;
            let moved = stations.filter(|&at| founder(new, at) != founder(old, at));
            sums.member_changes += moved.count() as u64;
        }
    }

    /// Lets edges be used as the election has it.
    fn set_edges(&self, routes: &mut Routes) {
        let count = self.nodes.len();
        for one in 0..count {
            for other in (0..count).filter(|&other| other != one) {
                let joined = self.radio_of(one, other);
                for (i, _) in self.cells.iter().enumerate() {
                    let (from, to) = (self.nodes[one], self.nodes[other]);
                    let hop = self.hop(i, one, other);
                    routes.topology_mut().set_edge(from, to, hop, joined == Some(i));
                }
            }
        }
    }

    fn hop(&self, cell: usize, from: usize, to: usize) -> Hop {
        let (cell, first) = self.cells[cell];
        let station = |at: usize| StationId(first + at as u32);
        Hop::Air { cell, from: station(from), to: station(to) }
    }

    /// Returns the cell by which two stations talk, if they do.
    fn radio_of(&self, one: usize, other: usize) -> Option<usize> {
        if self.gone[one] || self.gone[other] {
            return None;
        }
        let clusters = (self.elected.cluster_of[one]?, self.elected.cluster_of[other]?);
        if clusters.0 == clusters.1 {
            let (a, b) = (self.before[one]?, self.before[other]?);
            let range = self.plan.range_m;
            return (a.minus(b).squared() <= range * range).then_some(0);
        }
        let heads = (one.min(other), one.max(other));
        let joins = |pair: &election::Pair| {
            (pair.heads.0.min(pair.heads.1), pair.heads.0.max(pair.heads.1)) == heads
        };
        let number = self.elected.pairs.iter().position(joins)?;
        let own = self.used - 1;
        Some(if own == 0 { 0 } else { 1 + number % own })
    }

    /// True where a packet that a station would hand on is lost to the error of extra clusterheads.
    pub fn loses(&mut self, node: NodeId) -> bool {
        let Some(station) = self.nodes.iter().position(|&other| other == node) else {
            return false;
        };
        let lost = self.error[station] > 0.0 && self.rng.chance(self.error[station]);
        self.sums.lost += u64::from(lost);
        lost
    }

    /// Notes the positions and the clusterheads for a probe.
    fn note(&mut self, cx: &mut Cx<impl Noting>) {
        if !cx.is_noting() {
            return;
        }
        for station in 0..self.nodes.len() {
            let place = self.places[station].position(cx.now);
            let (node, gone) = (self.nodes[station], self.gone[station]);
            let cluster = self.elected.cluster_of[station];
            let speaks_to =
                self.elected.heads_of(station).fold(0, |mask, to| mask | 1 << to.min(63));
            cx.note(|| Note::Clustered {
                node,
                place: (place.x_m, place.y_m),
                cluster: cluster.filter(|_| !gone).map(|cluster| cluster as u32),
                speaks_to: if gone { 0 } else { speaks_to },
            });
        }
    }

    pub fn begin_measurement(&mut self) {
        self.sums = Sums::default();
        self.sums.add(&self.elected);
    }

    pub fn outcome(&self, name: impl Fn(NodeId) -> String) -> ClustersOutcome {
        let Sums { elections, states, clusters, heads, pairs, head_changes, member_changes, lost } =
            self.sums;
        let mean = |sum: u64| (states > 0).then(|| sum as f64 / states as f64);
        ClustersOutcome {
            elections,
            clusters: mean(clusters),
            heads: mean(heads),
            pairs: mean(pairs),
            head_changes,
            member_changes,
            lost_at_heads: lost,
            failed: self.failed.map(|station| name(self.nodes[station])),
        }
    }
}
