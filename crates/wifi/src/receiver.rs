//! Stations as channels and rates number them.

use base::{CellId, StationId};

/// A station as its channels see it.
#[derive(Clone, Copy, Debug)]
pub struct Receiver {
    /// The number of its random streams; above the lower 32 bits that of its cell.
    pub stream: u64,
    /// True for an access point.
    pub is_access_point: bool,
}

impl Receiver {
    /// Those of a cell's stations: the number of the cell is in their streams' upper half.
    pub fn of_cell(
        cell: CellId,
        stations: usize,
        access_point: Option<StationId>,
    ) -> Vec<Receiver> {
        let receiver = |i: u32| Receiver {
            stream: u64::from(cell.0) << 32 | u64::from(i),
            is_access_point: access_point == Some(StationId(i)),
        };
        (0..stations as u32).map(receiver).collect()
    }
}
