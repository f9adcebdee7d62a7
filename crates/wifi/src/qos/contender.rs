//! Numbers of access functions among those of all stations.

use base::StationId;

/// An access function of a station: DCF has one, EDCA four.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Contender(pub u32);

/// The bits of a contender's number that say which of its station's functions it is.
pub const FUNCTION_BITS: u32 = 2;

impl Contender {
    /// A function of a station.
    pub fn of(station: StationId, function: usize) -> Contender {
        Contender(station.0 << FUNCTION_BITS | function as u32)
    }

    /// Its place in a list.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Whose it is.
    pub fn station(self) -> StationId {
        StationId(self.0 >> FUNCTION_BITS)
    }

    /// Its place among the functions of its station.
    pub fn place(self) -> usize {
        (self.0 & ((1 << FUNCTION_BITS) - 1)) as usize
    }
}
