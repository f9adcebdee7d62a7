//! The air of a plan at time zero.

use crate::air::Air;
use crate::plan::{CellPlan, Plan};
use base::{CellId, Seed, StationId};
use wifi::mlme::Role;
use wifi::{Cell, CellConfig, ErrorConfig, Medium, MediumConfig, Member};

impl Plan {
    /// The element of the air that these cells share, at time zero.
    pub(crate) fn build_air(&self, cells: &[usize], seed: Seed) -> Air {
        let (&[first, ..], Some(medium)) = (cells, &self.cells[cells[0]].medium) else {
            return Air::Cell(build_cell(&self.cells[cells[0]], seed, cells[0]));
        };
        if cells.len() == 1
            && self.association.is_none()
            && self.mobile_ip.is_none()
            && self.routing.dsdv.is_none()
            && medium.is_level()
        {
            return Air::Cell(build_cell(&self.cells[first], seed, first));
        }
        let config = MediumConfig {
            members: cells.iter().flat_map(|&i| self.members(i, seed)).collect(),
            propagation: medium.propagation,
            transmit_w: medium.transmit_w,
            reception: medium.reception,
            errors: self.cells[first].errors(),
        };
        Air::Medium(Medium::new(&config, seed))
    }

    fn members(&self, index: usize, seed: Seed) -> impl Iterator<Item = Member> {
        let plan = &self.cells[index];
        let places = plan.medium.iter().flat_map(|medium| &medium.places);
        places.zip(&plan.configs).enumerate().map(move |(i, (place, station))| {
            let is_access_point = plan.access_point == Some(StationId(i as u32));
            Member {
                place: place.of(seed, plan.stations[i].0),
                station: station.clone(),
                is_access_point,
                stream: (index as u64) << 32 | i as u64,
                channel: plan.channel_number(),
                role: self.role(index, is_access_point),
            }
        })
    }

    fn role(&self, cell: usize, is_access_point: bool) -> Role {
        let Some(association) = &self.association else { return Role::None };
        let Some(Some(access_point)) = association.access_points.get(cell) else {
            return Role::None;
        };
        match &association.stations {
            _ if is_access_point => Role::AccessPoint(*access_point),
            Some(config) => Role::Client(config.clone()),
            None => Role::None,
        }
    }
}

impl CellPlan {
    /// How its channels lose bits.
    fn errors(&self) -> ErrorConfig {
        ErrorConfig { channel: self.channel, state_per: self.state_per, fec: self.fec }
    }
}

fn build_cell(plan: &CellPlan, seed: Seed, index: usize) -> Cell {
    let config = CellConfig {
        stations: plan.configs.clone(),
        access_point: plan.access_point,
        errors: plan.errors(),
    };
    Cell::new(&config, seed, CellId(index as u32))
}
