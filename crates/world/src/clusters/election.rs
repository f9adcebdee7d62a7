//! Clusters and their heads: a rule of positions alone.

use crate::plan::{Election, Organisation};
use radio::Position;

/// The inputs of an election.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ballot<'a> {
    /// By station: where it is; `None` where it is not there.
    pub places: &'a [Option<Position>],
    /// Its position at the last election.
    pub before: &'a [Option<Position>],
    pub election: Election,
    pub organisation: Organisation,
    pub radius_m: f64,
    pub range_m: f64,
}

/// Two neighbouring clusters, and the stations through which they talk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pair {
    pub clusters: (usize, usize),
    pub heads: (usize, usize),
}

/// The result of an election.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Elected {
    /// By station: its cluster.
    pub cluster_of: Vec<Option<usize>>,
    /// By cluster: the station elected to found it.
    pub founders: Vec<usize>,
    /// Clusters that talk to each other.
    pub pairs: Vec<Pair>,
}

impl Elected {
    /// True where a station speaks for its cluster.
    pub fn is_head(&self, station: usize) -> bool {
        self.heads_of(station).next().is_some()
    }

    /// The clusters to which a station speaks for its own.
    pub fn heads_of(&self, station: usize) -> impl Iterator<Item = usize> {
        self.pairs.iter().filter_map(move |pair| match pair.heads {
            (one, _) if one == station => Some(pair.clusters.1),
            (_, other) if other == station => Some(pair.clusters.0),
            _ => None,
        })
    }

    /// Returns the number of clusterheads.
    pub fn heads_in(&self, cluster: usize) -> usize {
        let stations = 0..self.cluster_of.len();
        let own = stations.filter(|&at| self.cluster_of[at] == Some(cluster));
        own.filter(|&at| self.is_head(at)).count()
    }
}

impl Ballot<'_> {
    /// The election.
    ///
    /// Elects. In the order of their ranks all stations without a cluster found one, and those within the
    /// radius without one join. Two clusters are neighbours where their possible clusterheads reach each
    /// other.
    pub fn elect(&self) -> Elected {
        let ranked = self.ranked();
        let mut elected =
            Elected { cluster_of: vec![None; self.places.len()], ..Elected::default() };
        for &founder in &ranked {
            if elected.cluster_of[founder].is_some() {
                continue;
            }
            let cluster = elected.founders.len();
            elected.founders.push(founder);
            for station in 0..self.places.len() {
                let is_free = elected.cluster_of[station].is_none();
                if is_free && self.are_within(founder, station, self.radius_m) {
                    elected.cluster_of[station] = Some(cluster);
                }
            }
        }
        self.pair_up(&mut elected, &ranked);
        elected
    }

    /// Stations that are there, the first to be elected first.
    fn ranked(&self) -> Vec<usize> {
        let mut keyed: Vec<(f64, usize)> = (0..self.places.len())
            .filter(|&station| self.places[station].is_some())
            .map(|station| (self.key(station), station))
            .collect();
        keyed.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        keyed.into_iter().map(|(_, station)| station).collect()
    }

    /// The smaller the sooner elected.
    fn key(&self, station: usize) -> f64 {
        let near = || {
            (0..self.places.len())
                .filter(move |&other| other != station)
                .filter(move |&other| self.are_within(station, other, self.radius_m))
        };
        match self.election {
            Election::LowestId => 0.0,
            Election::HighestDegree => -(near().count() as f64),
            Election::LeastMobility => {
                let changes: Vec<f64> = near().map(|other| self.change(station, other)).collect();
                // An empty sum of floats is -0, which would come before 0.
                changes.iter().fold(0.0, |sum, change| sum + change) / changes.len().max(1) as f64
            }
        }
    }

    /// By how much the distance of two has changed since the last election, metres.
    fn change(&self, one: usize, other: usize) -> f64 {
        let distance = |places: &[Option<Position>]| {
            Some(places[one].as_ref()?.distance_m(*places[other].as_ref()?))
        };
        match (distance(self.places), distance(self.before)) {
            (Some(now), Some(before)) => (now - before).abs(),
            _ => 0.0,
        }
    }

    fn are_within(&self, one: usize, other: usize, metres: f64) -> bool {
        match (self.places[one], self.places[other]) {
            (Some(a), Some(b)) => a.minus(b).squared() <= metres * metres,
            _ => false,
        }
    }

    /// Chooses the clusterhead of each cluster towards each neighbour.
    fn pair_up(&self, elected: &mut Elected, ranked: &[usize]) {
        let mut uses = vec![0_usize; self.places.len()];
        let count = elected.founders.len();
        for one in 0..count {
            for other in one + 1..count {
                let heads = match self.organisation {
                    Organisation::Central => {
                        let heads = (elected.founders[one], elected.founders[other]);
                        self.are_within(heads.0, heads.1, self.range_m).then_some(heads)
                    }
                    Organisation::Separate => {
                        self.least_used(elected, (one, other), (ranked, &uses))
                    }
                };
                if let Some(heads) = heads {
                    uses[heads.0] += 1;
                    uses[heads.1] += 1;
                    elected.pairs.push(Pair { clusters: (one, other), heads });
                }
            }
        }
    }

    /// Returns, of all members that reach each other, those with the fewest connections to clusters; among
    /// equals the first by rank.
    fn least_used(
        &self,
        elected: &Elected,
        (one, other): (usize, usize),
        (ranked, uses): (&[usize], &[usize]),
    ) -> Option<(usize, usize)> {
        let members = |cluster| {
            let is_member = move |station: &&usize| elected.cluster_of[**station] == Some(cluster);
            ranked.iter().filter(is_member).copied()
        };
        let pairs = members(one).flat_map(|a| members(other).map(move |b| (a, b)));
        // The first of equals is that of the smallest ranks.
        pairs
            .filter(|&(a, b)| self.are_within(a, b, self.range_m))
            .min_by_key(|&(a, b)| uses[a] + uses[b])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(places: &[(f64, f64)]) -> Vec<Option<Position>> {
        places.iter().map(|&(x, y)| Some(Position::flat(x, y))).collect()
    }

    fn ballot<'a>(
        places: &'a [Option<Position>],
        election: Election,
        organisation: Organisation,
    ) -> Ballot<'a> {
        Ballot { places, before: places, election, organisation, radius_m: 50.0, range_m: 120.0 }
    }

    /// Stations 0, 1 and 2 about the origin, 3 and 4 about (100, 0), 5 at (200, 0).
    fn three() -> Vec<Option<Position>> {
        at(&[(-40.0, 0.0), (0.0, 0.0), (30.0, 0.0), (90.0, 0.0), (110.0, 0.0), (200.0, 0.0)])
    }

    #[test]
    fn the_first_in_the_list_founds_a_cluster_of_those_near_it() {
        let places = three();
        let elected = ballot(&places, Election::LowestId, Organisation::Central).elect();
        // 0 reaches 1 within 50 m; 2 is 70 m away and founds its own, without 3, which is 60 m from it.
        assert_eq!(elected.founders, [0, 2, 3, 5]);
        assert_eq!(elected.cluster_of, [0, 0, 1, 2, 2, 3].map(Some));
    }

    #[test]
    fn the_highest_degree_takes_the_middle() {
        let places = three();
        let elected = ballot(&places, Election::HighestDegree, Organisation::Central).elect();
        // 1 has two neighbours; 3 and 4 have each other.
        assert_eq!(elected.founders, [1, 3, 5]);
        assert_eq!(elected.cluster_of, [0, 0, 0, 1, 1, 2].map(Some));
        // 1 and 3 are 90 m apart, 3 and 5 110 m, 1 and 5 200 m.
        let pair = |clusters, heads| Pair { clusters, heads };
        assert_eq!(elected.pairs, [pair((0, 1), (1, 3)), pair((1, 2), (3, 5))]);
        assert_eq!((elected.heads_in(1), elected.is_head(4)), (1, false));
    }

    #[test]
    fn who_moves_least_against_its_neighbours_is_elected() {
        let places = three();
        let mut before = places.clone();
        // 0 and 1 went together; 2 and 3 did not move; 4 came.
        before[0] = Some(Position::flat(-60.0, 0.0));
        before[1] = Some(Position::flat(-20.0, 0.0));
        before[4] = Some(Position::flat(130.0, 0.0));
        let ballot = Ballot {
            before: &before,
            ..ballot(&places, Election::LeastMobility, Organisation::Central)
        };
        // 0 has changed by nothing against 1, and so has 5, which is alone; 1 by 10 m in the mean, 3 and 4 by
        // 20 m each.
        assert_eq!(ballot.elect().founders, [0, 5, 2, 3]);
    }

    #[test]
    fn separate_heads_are_different_stations_where_they_can_be() {
        let places = three();
        let elected = ballot(&places, Election::HighestDegree, Organisation::Separate).elect();
        // From {0, 1, 2} to {3, 4}: of pairs that reach each other the first by rank, 1 and 3. From {3, 4} to {5}: 3 speaks already.
        let pair = |clusters, heads| Pair { clusters, heads };
        assert_eq!(elected.pairs, [pair((0, 1), (1, 3)), pair((1, 2), (4, 5))]);
        assert_eq!(elected.heads_in(1), 2);
        assert_eq!(elected.heads_of(4).collect::<Vec<_>>(), [2]);
    }

    #[test]
    fn one_who_is_gone_is_nowhere() {
        let mut places = three();
        places[1] = None;
        let elected = ballot(&places, Election::HighestDegree, Organisation::Central).elect();
        assert_eq!(elected.cluster_of[1], None);
        assert_eq!(elected.founders, [3, 0, 2, 5]);
    }
}
