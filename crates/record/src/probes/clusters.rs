//! Clusters as they are at each election, and when a clusterhead fails.

use crate::columns::{Name, columns};
use crate::kinds::Kind;
use crate::probe::{Close, Tabulate};
use base::{NodeId, Span, Time};
use engine::Watch;
use world::{Note, Plan};

columns! {
    /// Stations in clusters: a row for each at every election, and when a clusterhead fails.
    pub struct ClusterTable {
        /// Time, s.
        time_s: f64,
        /// The station.
        node: Name,
        /// East, m.
        x_m: f64,
        /// North, m.
        y_m: f64,
        /// Its cluster, numbered as they were founded; null where it is in none.
        cluster: Option<u32>,
        /// The clusters to which it speaks for its own, with spaces between; empty where it is no clusterhead.
        speaks_to: String,
    }
}

/// Writes them down as they come.
#[derive(Clone, Debug, Default)]
pub struct ClusterProbe(Vec<Row>);

#[derive(Clone, Copy, Debug)]
struct Row {
    at: Time,
    node: NodeId,
    place: (f64, f64),
    cluster: Option<u32>,
    speaks_to: u64,
}

impl Watch<Note> for ClusterProbe {
    fn see(&mut self, now: Time, note: &Note) {
        if let &Note::Clustered { node, place, cluster, speaks_to } = note {
            self.0.push(Row { at: now, node, place, cluster, speaks_to });
        }
    }
}

impl Tabulate for ClusterProbe {
    type Table = ClusterTable;
    const SEES: &'static [Kind] = &[Kind::Clustered];

    fn start(_: &Plan, _: Option<Span>) -> ClusterProbe {
        ClusterProbe::default()
    }

    fn refuse(plan: &Plan, _: Option<Span>) -> Result<(), String> {
        match plan.routing.clusters {
            Some(_) => Ok(()),
            None => Err("the probe \"clusters\": no station is in a cluster; allowed: [routing] kind = \"clusters\"".into()),
        }
    }

    fn table(self, close: &Close<'_>) -> ClusterTable {
        let rows = self.0.iter();
        let numbers = |row: &Row| {
            let all = (0..64).filter(|cluster| row.speaks_to >> cluster & 1 == 1);
            all.map(|cluster: u32| cluster.to_string()).collect::<Vec<_>>().join(" ")
        };
        ClusterTable {
            time_s: rows.clone().map(|row| row.at.as_secs()).collect(),
            node: rows.clone().map(|row| close.nodes[row.node.index()].clone()).collect(),
            x_m: rows.clone().map(|row| row.place.0).collect(),
            y_m: rows.clone().map(|row| row.place.1).collect(),
            cluster: rows.clone().map(|row| row.cluster).collect(),
            speaks_to: rows.map(numbers).collect(),
        }
    }
}
