//! Which cells can hear each other.

use super::{MediumPlan, Plan};
use base::Time;
use radio::Position;
use radio::mobility::Mobility;

/// A ball around stations that rest. Comparing all pairs of stations would cost as much as the powers that this saves.
#[derive(Clone, Copy, Debug)]
struct Extent {
    centre: Position,
    radius_m: f64,
    /// The height of the highest, metres.
    highest_m: f64,
}

impl Plan {
    /// Finds, by cell, the first of those with which it is on the air together. These are cells with a medium and the same channel,
    /// whatever the channel where stations go from one to another; but not those out of each other's reach for ever, unless
    /// others stand between them.
    pub(super) fn together(&self) -> Vec<usize> {
        let extents: Vec<Option<Extent>> = self
            .cells
            .iter()
            .map(|cell| {
                let medium =
                    cell.medium.as_ref().filter(|_| !self.roams() && self.mobile_ip.is_none());
                medium.and_then(MediumPlan::extent)
            })
            .collect();
        let mut first: Vec<usize> = (0..self.cells.len()).collect();
        for i in 0..self.cells.len() {
            for k in 0..i {
                let (a, b) = (first[i].max(first[k]), first[i].min(first[k]));
                if a != b && self.share(k, i, (&extents[k], &extents[i])) {
                    first.iter_mut().filter(|of| **of == a).for_each(|of| *of = b);
                }
            }
        }
        first
    }

    /// Returns true if two cells are on the air together, others apart.
    fn share(&self, a: usize, b: usize, extents: (&Option<Extent>, &Option<Extent>)) -> bool {
        let (Some(one), Some(other)) = (&self.cells[a].medium, &self.cells[b].medium) else {
            return false;
        };
        let is_one_channel = self.roams() || one.channel == other.channel;
        is_one_channel
            && match extents {
                (Some(first), Some(second)) => one.reaches(first, second),
                _ => true,
            }
    }
}

impl MediumPlan {
    /// Draws a ball around all stations, if these rest and power depends on places alone.
    fn extent(&self) -> Option<Extent> {
        let spots: Vec<Position> = self.places.iter().map(spot).collect::<Option<_>>()?;
        let centre = *spots.first().filter(|_| self.propagation.is_steady())?;
        let most = |of: &dyn Fn(&Position) -> f64| spots.iter().map(of).fold(0.0, f64::max);
        Some(Extent {
            centre,
            radius_m: most(&|spot| spot.distance_m(centre)),
            highest_m: most(&|spot| spot.z_m),
        })
    }

    /// Returns false if no frame of a station in one place changes anything in the other.
    fn reaches(&self, one: &Extent, other: &Extent) -> bool {
        let gap_m = one.centre.distance_m(other.centre) - one.radius_m - other.radius_m;
        let gain = self.reception.floor_w() / self.transmit_w;
        let heights_m = (one.highest_m, other.highest_m);
        let range_m = self.propagation.path_loss.range_at_m(gain, heights_m);
        // A range that is no number ends nowhere, and what rounding can change is within reach.
        let is_apart = gap_m > range_m * (1.0 + 1e-9);
        !is_apart
    }
}

/// Returns where a station is, if it rests.
fn spot(place: &Mobility) -> Option<Position> {
    let Mobility::Track(track) = place else { return None };
    let rests = track.legs().len() == 1 && track.legs()[0].velocity.squared() == 0.0;
    (rests && track.is_present(Time::ZERO)).then(|| track.position(Time::ZERO))
}
