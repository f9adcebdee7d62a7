//! Movement of nodes: waypoints, rules, traces.

use super::bounds::vector;
use crate::at::{At, Problem};
use crate::files::Files;
use crate::nearest::unknown;
use crate::spec::{MobilitySpec, NodeSpec, RandomWaypointTable, TraceTable, WaypointSpec};
use base::{Seed, Time};
use radio::Position;
use radio::mobility::{Mobility, RandomWaypoint, RandomWaypointConfig, Track, WaypointStart};

/// Returns the movement of the node `name`, if a `[[node]]` gives a rule for it.
pub fn by_rule(spec: &NodeSpec, name: &str, files: &Files) -> Result<Option<Mobility>, Problem> {
    let Some(mobility) = &spec.mobility else { return Ok(None) };
    let message = "mobility decides where the node is at any time; leave position, velocity and waypoints out";
    let others = [
        spec.position.as_ref().map(|at| at.problem(message)),
        spec.velocity.as_ref().map(|at| at.problem(message)),
        spec.waypoints.first().map(|at| at.problem(message)),
    ];
    if let Some(problem) = others.into_iter().flatten().next() {
        return Err(problem);
    }
    match &mobility.value {
        MobilitySpec::RandomWaypoint(table) => random_waypoint(mobility, table).map(Some),
        MobilitySpec::Trace(table) => trace(table, name, files).map(Some),
    }
}

/// Returns the movement from `from` along `waypoints`.
pub fn along(from: Position, waypoints: &[At<WaypointSpec>]) -> Result<Mobility, Problem> {
    let mut track = Track::fixed(from);
    let (mut departure, mut arrival) = (Time::ZERO, Time::ZERO);
    for waypoint in waypoints {
        let at = waypoint.at.as_ref().map_or(arrival, |at| Time::ZERO + at.value.0);
        if let Some(spec) = waypoint.at.as_ref().filter(|_| at < departure) {
            let before = departure.since(Time::ZERO).as_secs();
            let message = format!(
                "earlier than the waypoint above it, which is at {before} s; times must rise"
            );
            return Err(spec.problem(message));
        }
        (departure, arrival) =
            (at, track.set_off(at, vector(&waypoint.to)?, waypoint.speed.value.0));
    }
    Ok(Mobility::Track(track))
}

/// Returns a random waypoint walk; seed and node are set when the run is built.
fn random_waypoint(
    spec: &At<MobilitySpec>,
    table: &RandomWaypointTable,
) -> Result<Mobility, Problem> {
    let RandomWaypointTable { area, speed, .. } = table;
    let (west, south, east, north) = match area.value[..] {
        [east, north] => (0.0, 0.0, east, north),
        [west, south, east, north] => (west, south, east, north),
        _ => {
            return Err(
                area.out_of_range("allowed: [east, north] or [west, south, east, north], metres")
            );
        }
    };
    let fits = [west, south, east, north].iter().all(|x: &f64| x.abs() <= 1e7);
    if !fits || east <= west || north <= south {
        return Err(
            area.out_of_range("the area is empty; allowed: east above west and north above south, each up to 10000 km")
        );
    }
    let steady = table.steady_state().value;
    let config = RandomWaypointConfig {
        corner: Position::flat(west, south),
        width_m: east - west,
        height_m: north - south,
        slowest_m_per_s: speed.value.0,
        fastest_m_per_s: speed.value.1,
        pause: table.pause().value.0,
        start: if steady { WaypointStart::Stationary } else { WaypointStart::Uniform },
    };
    let walk = RandomWaypoint::new(config, Seed { seed: 0, replication: 0 }, 0);
    walk.map(|walk| Mobility::RandomWaypoint(Box::new(walk)))
        .ok_or_else(|| spec.problem("a walk of this kind is not possible"))
}

fn trace(spec: &TraceTable, name: &str, files: &Files) -> Result<Mobility, Problem> {
    let (file, dimensions) = (&spec.file, spec.dimensions());
    if !(2..=3).contains(&dimensions.value) {
        let message = format!("{} dimensions; allowed: 2 or 3", dimensions.value);
        return Err(dimensions.out_of_range(message));
    }
    let text = files.text(file).map_err(|why| file.problem(why))?;
    let tracks = spec.format.value.0.read(text, dimensions.value as usize);
    let tracks = tracks
        .map_err(|error| file.problem(format!("{}:{}: {}", file.value, error.line, error.what)))?;
    let wanted = spec.node.as_ref().map_or(name, |node| node.as_str());
    match tracks.iter().find(|track| track.name == wanted) {
        Some(track) => Ok(Mobility::Track(track.track.clone())),
        None => {
            let known: Vec<&str> = tracks.iter().map(|track| track.name.as_str()).collect();
            let reason = unknown("node", wanted, &known)
                .reworded(|said| format!("{said} (in {})", file.value));
            let place = spec.node.as_ref().map_or(&file.place, |at| &at.place);
            Err(reason.at(place.clone()))
        }
    }
}
