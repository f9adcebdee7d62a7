//! Clusters of an ad hoc network.

use crate::at::At;
use crate::radio_units::Length;
use crate::table::{prose, table};
use crate::units::{Duration, Probability};
use crate::word::Word;
use world::{Election, Organisation};

table! {
    /// How the stations of an ad hoc cell form clusters, which talk to each other through clusterheads.
    #[derive(Default)]
    pub struct ClustersSpec {
        /// Who speaks for a cluster.
        organisation: Word<Organisation> = "central";
        /// Who becomes clusterhead.
        election: Word<Election> = "lowest_id";
        /// The largest distance of a member from the station whose election founded its cluster.
        radius: Length = "100 m";
        /// The largest distance at which two stations have a link.
        range: Length = "250 m";
        /// The time from one election to the next, at least "1 ms". With "0 s" there is a single election, at the
        /// start.
        interval: Duration = "1 s";
        /// The name of the cell whose stations form clusters. It is an ad hoc cell.
        cell: String = held prose("the first");
        /// The names of cells in which clusterheads talk to each other. They have the same stations as `cell` and
        /// stand for second radios. Pairs of clusters take them in turn.
        head_cells: Vec<At<String>> = held prose("clusterheads use the cell of the members");
        /// The probability that a clusterhead loses a packet that it forwards, for each clusterhead that its
        /// cluster has beyond the first.
        error_per_extra_head: Probability = 0;
        /// When the clusterhead fails through which the first cluster talks to its first neighbour. It stays down
        /// for the rest of the run.
        head_fails_at: Duration = held prose("none does");
    }
}
