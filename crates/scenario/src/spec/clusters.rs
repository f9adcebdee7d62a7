//! Clusters of an ad hoc network.

use crate::at::At;
use crate::radio_units::Length;
use crate::table::{prose, table};
use crate::units::{Duration, Probability};
use crate::word::Word;
use world::{Election, Organisation};

table! {
    /// Stations of an ad hoc cell in clusters, which talk to each other by clusterheads.
    #[derive(Default)]
    pub struct ClustersSpec {
        /// Who speaks for a cluster.
        organisation: Word<Organisation> = "central";
        /// Who becomes clusterhead.
        election: Word<Election> = "lowest_id";
        /// Members are not farther than this from the one who was elected.
        radius: Length = "100 m";
        /// Two stations have a link up to this distance.
        range: Length = "250 m";
        /// From one election to the next; "0 s": there is one, at the start.
        interval: Duration = "1 s";
        /// The cell of all members.
        cell: String = held prose("the first");
        /// Cells in which clusterheads talk to each other, with the same stations: a second radio and more. Pairs of clusters
        /// take them in turn.
        head_cells: Vec<At<String>> = held prose("clusterheads talk to each other in the cell of the members");
        /// What a clusterhead hands on is lost with this probability for each clusterhead that its cluster has beyond the first.
        error_per_extra_head: Probability = 0;
        /// Then the clusterhead by which the first cluster talks to its first neighbour fails, for good.
        head_fails_at: Duration = held prose("none fails");
    }
}
