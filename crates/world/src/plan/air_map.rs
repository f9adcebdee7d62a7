//! Which cells are on the air together.

use super::{CellPlan, MediumPlan, Plan};
use base::{CellId, Time};
use net::Hop;
use radio::mobility::Mobility;
use wifi::{Channel, Reception};

/// Which cells are on the air together, and where each cell's stations stand among all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AirMap {
    /// By element of 802.11's air: its cells, by position in the plan.
    pub elements: Vec<Vec<usize>>,
    /// By cell: its element, and the number of its first station there.
    pub of_cell: Vec<(CellId, u32)>,
    /// By 802.16 cell: its element, after all of 802.11.
    pub of_wimax: Vec<CellId>,
    /// By LAN: its element, after all of the air.
    pub of_lan: Vec<CellId>,
}

impl Plan {
    /// Cells with a medium and the same channel are on the air together, whatever the channel where stations go from one
    /// to another; every other cell is alone.
    pub fn air_map(&self) -> AirMap {
        let mut map = AirMap::default();
        let channel = |i: usize| {
            let medium = self.cells[i].medium.as_ref();
            medium.filter(|_| !self.roams()).map(|medium| medium.channel)
        };
        for (i, cell) in self.cells.iter().enumerate() {
            let shares =
                |element: &Vec<usize>| cell.medium.is_some() && channel(element[0]) == channel(i);
            let element = map.elements.iter().position(shares).unwrap_or_else(|| {
                map.elements.push(Vec::new());
                map.elements.len() - 1
            });
            let before = map.elements[element].iter().map(|&i| self.cells[i].stations.len() as u32);
            map.of_cell.push((CellId(element as u32), before.sum()));
            map.elements[element].push(i);
        }
        let after = map.elements.len() as u32;
        map.of_wimax = (0..self.wimax.len() as u32).map(|i| CellId(after + i)).collect();
        let after = after + self.wimax.len() as u32;
        map.of_lan = (0..self.lans.len() as u32).map(|i| CellId(after + i)).collect();
        map
    }

    /// True where a hop begins at a station that a source can keep busy: one of 802.11, or of a LAN.
    pub fn can_saturate(&self, hop: Option<&Hop>) -> bool {
        matches!(hop, Some(Hop::Air { cell, .. }) if !self.air_map().of_wimax.contains(cell))
    }

    /// True where stations look for their access point.
    pub fn roams(&self) -> bool {
        self.association.as_ref().is_some_and(|association| association.stations.is_some())
    }
}

impl CellPlan {
    /// Its radio channel.
    pub fn channel_number(&self) -> Channel {
        self.medium.as_ref().map_or(0, |medium| medium.channel)
    }

    /// By station: what its network layer adds to packets that begin there, bytes.
    pub(crate) fn routing_headers(&self) -> Vec<u32> {
        let mut headers = vec![self.routing_header; self.stations.len()];
        if let Some(access_point) = self.access_point {
            headers[access_point.index()] = 0;
        }
        headers
    }
}

impl MediumPlan {
    /// True where all stations rest, decode each other whatever happens, and cannot capture: then the cell in which all
    /// hear all gives the same packets at the same nanoseconds.
    pub fn is_level(&self) -> bool {
        let Reception::Thresholds(thresholds) = self.reception else { return false };
        let mut spots = Vec::new();
        for place in &self.places {
            let Mobility::Track(track) = place else { return false };
            let rests = track.legs().len() == 1 && track.legs()[0].velocity.squared() == 0.0;
            if !rests {
                return false;
            }
            spots.push(track.position(Time::ZERO));
        }
        let even = |at: usize| {
            let others = (0..spots.len()).filter(|&i| i != at);
            let power =
                |i: usize| self.transmit_w * self.propagation.path_loss.gain(spots[i], spots[at]);
            let (low, high) = others
                .map(power)
                .fold((f64::INFINITY, 0.0), |(low, high), w| (w.min(low), w.max(high)));
            low >= thresholds.receive_w && high / low < thresholds.capture_ratio
        };
        self.propagation.is_steady() && (0..spots.len()).all(even)
    }
}
