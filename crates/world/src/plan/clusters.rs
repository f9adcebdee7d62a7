//! Clusters of an ad hoc network.

use base::{Span, Time, named};

named! {
    /// The clusterheads of a cluster.
    pub enum Organisation, "organisation" {
        Central = "central": "one clusterhead for all traffic to other clusters",
        Separate = "separate": "a clusterhead of its own for each neighbouring cluster",
    }
    /// The rule by which clusterheads are elected.
    pub enum Election, "rule of election" {
        LowestId = "lowest_id": "the station that is first in the cell's list",
        HighestDegree = "highest_degree": "the station with the most others within the cluster's radius; among equals the first in the list",
        LeastMobility = "least_mobility": "the station whose distances to others within the radius have changed least since the last election; among equals the first in the list",
    }
}

/// Stations of an ad hoc cell in clusters.
#[derive(Clone, Debug, PartialEq)]
pub struct ClustersPlan {
    /// The clusterheads of a cluster.
    pub organisation: Organisation,
    /// The rule by which clusterheads are elected.
    pub election: Election,
    /// The largest distance of members from the elected station, metres.
    pub radius_m: f64,
    /// Two stations have a link up to this distance, metres.
    pub range_m: f64,
    /// From one election to the next; zero: there is one at the start.
    pub interval: Span,
    /// The cell of all members, by position in `Plan::cells`.
    pub members: usize,
    /// The cells in which clusterheads talk to each other, pairs of clusters in turn; empty: in that of the members.
    pub head_cells: Vec<usize>,
    /// The probability of losing a packet that a clusterhead forwards, for each clusterhead of its cluster
    /// beyond the first.
    pub error_per_extra_head: f64,
    /// A clusterhead of the first cluster fails then.
    pub head_fails_at: Option<Time>,
}
