//! The receivers of a station with shared queues: they take memory from when something is to go to them, or comes from them.

use super::pace::Pace;
use crate::qos::category::Category;
use base::StationId;
use std::sync::Arc;

/// What is known of all stations before anything goes to them.
#[derive(Clone, Debug)]
pub struct Prospects {
    /// By station: its weight.
    pub weights: Arc<[u32]>,
    /// The paces at which packets may go at first, by category.
    pub paces: Vec<[Pace; Category::COUNT]>,
    /// By station: which of these.
    pub of: Vec<u16>,
}

/// The place of a station that is no receiver yet.
const NONE: u32 = u32::MAX;

/// Receivers in the order in which they have become ones.
#[derive(Clone, Debug)]
pub struct Receivers {
    pub prospects: Prospects,
    /// By station: its place; those behind the end are no receivers.
    places: Vec<u32>,
    known: u32,
}

impl Receivers {
    /// None.
    pub fn new(prospects: Prospects) -> Receivers {
        Receivers { prospects, places: Vec::new(), known: 0 }
    }

    /// The place of a station, if it is a receiver.
    pub fn place(&self, of: StationId) -> Option<usize> {
        let place = self.places.get(of.index()).filter(|&&place| place != NONE)?;
        Some(*place as usize)
    }

    /// Makes a station a receiver.
    pub fn add(&mut self, of: StationId) -> usize {
        if self.places.len() <= of.index() {
            self.places.resize(of.index() + 1, NONE);
        }
        self.places[of.index()] = self.known;
        self.known += 1;
        self.known as usize - 1
    }

    /// The number of a receiver's queue in a category among those of all stations.
    pub fn number(&self, (category, of): (Category, StationId)) -> u32 {
        (category as usize * self.prospects.weights.len() + of.index()) as u32
    }

    /// The pace at which packets go to a station at first.
    pub fn pace(&self, (category, of): (Category, StationId)) -> Pace {
        self.prospects.paces[usize::from(self.prospects.of[of.index()])][category as usize]
    }
}
