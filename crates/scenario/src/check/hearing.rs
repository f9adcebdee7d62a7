//! Whether all stations of a cell with access categories sense each other, wherever they go.

use super::context::Context;
use super::names::Nodes;
use crate::at::{At, Problem};
use crate::spec::CellSpec;
use base::Time;
use radio::Position;
use radio::mobility::Mobility;
use world::{CellPlan, MediumPlan};

/// Refuses places at which stations of such a cell might not sense each other, and other cells beside it on its channel.
pub fn refuse_unheard(
    context: &Context<'_>,
    nodes: &Nodes,
    cells: &[CellPlan],
) -> Result<(), Problem> {
    for (i, (at, plan)) in context.spec.cell.iter().zip(cells).enumerate() {
        let (Some(medium), Some(_)) = (&plan.medium, &plan.qos) else { continue };
        let mut others = cells.iter().enumerate().filter(|&(k, _)| k != i);
        if let Some((_, other)) = others.find(|(_, cell)| cell.channel_number() == medium.channel) {
            let message = format!(
                "\"{}\" is on the same channel; a cell with access categories is modelled alone on its channel: give one of them another channel_number",
                other.name
            );
            let channel = at.channel_number.as_ref().map(|channel| channel.problem(&message));
            return Err(channel.unwrap_or_else(|| at.problem(message)));
        }
        refuse_apart(at, (plan, medium), nodes, context)?;
    }
    Ok(())
}

fn refuse_apart(
    at: &At<CellSpec>,
    (plan, medium): (&CellPlan, &MediumPlan),
    nodes: &Nodes,
    context: &Context<'_>,
) -> Result<(), Problem> {
    let until = Time::ZERO + context.spec.duration.value.0;
    let sensed_w = medium.reception.sense_w().max(medium.reception.receive_w());
    let boxes: Vec<[Position; 8]> =
        medium.places.iter().map(|place| corners(place, until)).collect();
    for (i, place) in medium.places.iter().enumerate() {
        let name = nodes.name(plan.stations[i]);
        if !place.is_present(Time::ZERO) || place.next_appearance(Time::ZERO).is_some() {
            return Err(at.stations.problem(format!(
                "\"{name}\" comes or goes, which is not modelled in cells with access categories"
            )));
        }
        for (k, other) in boxes[..i].iter().enumerate() {
            let weakest_w = weakest(medium, (&boxes[i], other));
            if weakest_w < sensed_w {
                let other = nodes.name(plan.stations[k]);
                return Err(at.stations.problem(format!(
                    "\"{name}\" and \"{other}\" may be so far apart that they do not sense each other; cells with access categories (802.11n, 802.11ac, 802.11ax, [qos]) are modelled where all stations do: bring them closer, raise tx_power, or lower rx_threshold"
                )));
            }
        }
    }
    Ok(())
}

/// The least mean power between points of two boxes, W.
fn weakest(medium: &MediumPlan, (a, b): (&[Position; 8], &[Position; 8])) -> f64 {
    let gain = |a: &Position, b: &Position| medium.propagation.path_loss.gain(*a, *b);
    let all = a.iter().flat_map(|a| b.iter().map(move |b| gain(a, b)));
    medium.transmit_w * all.fold(f64::INFINITY, f64::min)
}

/// The corners of a box around all places where a node is up to `until`.
fn corners(place: &Mobility, until: Time) -> [Position; 8] {
    let spots = match place {
        Mobility::RandomWaypoint(walk) => walk.corners().to_vec(),
        Mobility::Track(track) => {
            let legs = track.legs().iter().filter(|leg| leg.start <= until);
            legs.flat_map(|leg| [leg.from, leg.position(leg.end.min(until))]).collect()
        }
    };
    let bound = |of: fn(&Position) -> f64| {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for at in spots.iter().map(of) {
            (low, high) = (low.min(at), high.max(at));
        }
        [low, high]
    };
    let (x, y, z) = (bound(|at| at.x_m), bound(|at| at.y_m), bound(|at| at.z_m));
    std::array::from_fn(|i| Position { x_m: x[i & 1], y_m: y[i >> 1 & 1], z_m: z[i >> 2 & 1] })
}
