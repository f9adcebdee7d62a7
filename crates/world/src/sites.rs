//! The places of stations: the node of each, and the access points among them.

use crate::plan::Plan;
use base::{CellId, NodeId, StationId};

/// The stations of all elements of the air. It never changes.
#[derive(Clone, Debug)]
pub(crate) struct Sites {
    /// By element and station.
    nodes: Vec<Vec<NodeId>>,
    /// By element.
    access_points: Vec<Vec<(StationId, NodeId)>>,
}

impl Sites {
    pub fn new(plan: &Plan) -> Sites {
        Sites {
            nodes: plan.by_element(|part| part.stations.iter().copied()),
            access_points: plan.by_element(|part| part.access_point()),
        }
    }

    /// The elements of the air.
    pub fn elements(&self) -> impl Iterator<Item = CellId> + use<> {
        (0..self.nodes.len() as u32).map(CellId)
    }

    /// The nodes of an element's stations.
    pub fn nodes(&self, cell: CellId) -> &[NodeId] {
        &self.nodes[cell.index()]
    }

    pub fn node_of(&self, cell: CellId, station: StationId) -> NodeId {
        self.nodes[cell.index()][station.index()]
    }

    /// The stations of an element of the air, and their nodes.
    pub fn stations(&self, cell: CellId) -> impl Iterator<Item = (StationId, NodeId)> {
        (0..).map(StationId).zip(self.nodes[cell.index()].iter().copied())
    }

    /// The station of a node on an element of the air.
    pub fn station_at(&self, cell: CellId, node: NodeId) -> Option<StationId> {
        let nodes = &self.nodes[cell.index()];
        nodes.iter().position(|&other| other == node).map(|at| StationId(at as u32))
    }

    /// The first station that a node has.
    pub fn first_station_of(&self, node: NodeId) -> Option<(CellId, StationId)> {
        self.elements().find_map(|cell| Some((cell, self.station_at(cell, node)?)))
    }

    /// The access points of an element of the air.
    pub fn access_points(&self, cell: CellId) -> &[(StationId, NodeId)] {
        &self.access_points[cell.index()]
    }
}
