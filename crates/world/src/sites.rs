//! Where stations are: the node of each, and which are access points.

use crate::plan::Plan;
use base::{CellId, NodeId, StationId};

/// The stations of all elements of the air. It never changes.
#[derive(Clone, Debug)]
pub(crate) struct Sites {
    /// By element and station.
    nodes: Vec<Vec<NodeId>>,
    /// By element.
    access_points: Vec<Vec<(StationId, NodeId)>>,
    /// By cell of the plan: its element, and its first station there.
    of_cell: Vec<(CellId, u32)>,
    /// By 802.16 cell of the plan: its element.
    of_wimax: Vec<CellId>,
    /// By LAN of the plan: its element.
    of_lan: Vec<CellId>,
}

impl Sites {
    pub fn new(plan: &Plan) -> Sites {
        let map = plan.air_map();
        let of_element = |cells: &Vec<usize>| {
            cells.iter().flat_map(|&cell| plan.cells[cell].stations.clone()).collect()
        };
        let mut access_points = vec![Vec::new(); map.elements.len()];
        for (cell, &(element, first)) in plan.cells.iter().zip(&map.of_cell) {
            if let Some(own) = cell.access_point {
                let station = StationId(first + own.0);
                access_points[element.index()].push((station, cell.stations[own.index()]));
            }
        }
        let mut nodes: Vec<Vec<NodeId>> = map.elements.iter().map(of_element).collect();
        nodes.extend(plan.wimax.iter().map(|cell| cell.stations.clone()));
        nodes.extend(plan.lans.iter().map(|lan| lan.stations.clone()));
        access_points.resize(nodes.len(), Vec::new());
        Sites {
            nodes,
            access_points,
            of_cell: map.of_cell,
            of_wimax: map.of_wimax,
            of_lan: map.of_lan,
        }
    }

    /// The elements of the air.
    pub fn elements(&self) -> impl Iterator<Item = CellId> + use<> {
        (0..self.nodes.len() as u32).map(CellId)
    }

    /// By cell of the plan: its element, and its first station there.
    pub fn of_cell(&self) -> &[(CellId, u32)] {
        &self.of_cell
    }

    /// By 802.16 cell of the plan: its element.
    pub fn of_wimax(&self) -> &[CellId] {
        &self.of_wimax
    }

    /// By LAN of the plan: its element.
    pub fn of_lan(&self) -> &[CellId] {
        &self.of_lan
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
